"""Runs of messages that one and the same company perceives: an event never tells of two."""

from __future__ import annotations

from collections.abc import Sequence

from engram_desktop.domain.memory.message import Message
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.knowledge.actors import present_cast
from engram_desktop.services.knowledge.derive import derive
from engram_desktop.storage.chat.chat_store import ChatStore

_SHORTEST = 3  # messages of a run: of fewer nothing is told that would be worth an event of its own


def derive_for_cutting(ctx: JobContext, store: ChatStore, unknown: str) -> bool:
    """Bring knowledge up to date where companies differ at all; returns whether they do."""
    if present_cast(store).is_alone:
        return False
    derive(ctx, store, unknown)
    return True


def same_company_runs(store: ChatStore, messages: Sequence[Message]) -> list[Sequence[Message]]:
    """Cut messages where it is known that others are there than before."""
    rows = store.presence.of([m.id for m in messages])
    people = store.audiences.people(row.audience for row in rows.values())
    runs: list[list[Message]] = []
    company: frozenset[str] | None = None
    for message in messages:
        row = rows.get(message.id)
        here = company
        if row is not None and row.is_known and not message.is_notice:
            here = frozenset(person.name for person in people.get(row.audience, ()))
        is_new = here != company and company is not None
        if not runs or (is_new and len(runs[-1]) >= _SHORTEST):
            runs.append([])
        runs[-1].append(message)
        company = here
    if len(runs) > 1 and len(runs[-1]) < _SHORTEST:
        runs[-2:] = [runs[-2] + runs[-1]]
    return list(runs)
