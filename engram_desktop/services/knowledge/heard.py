"""Messages as somebody perceives them. Reads only; knowledge is up to date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import PresentFloor, heard_text
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.domain.recall.query import ItemFilter
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.knowledge import KnowledgeFix, MessageAudience


def present(
    store: ChatStore, branch_id: str, first: int, last: int
) -> list[tuple[Message, MessageAudience | None]]:
    """Return messages, each with who perceives it; None where that is not derived yet."""
    messages = store.messages.slice(branch_id, first, last)
    rows = store.presence.of([m.id for m in messages])
    return [(message, rows.get(message.id)) for message in messages]


def present_floors(store: ChatStore, branch_id: str, first: int, last: int) -> list[PresentFloor]:
    """Return who perceives each of these floors of a line."""
    rows = present(store, branch_id, first, last)
    people = store.audiences.people({row.audience for _m, row in rows if row is not None})
    return [
        PresentFloor(m.seq, m.id, m.name, None)
        if row is None
        else PresentFloor(
            m.seq,
            m.id,
            m.name,
            people.get(row.audience, ()),
            tuple((part, m.text[part.start : part.end]) for part in row.parts),
            row.is_known,
            row.source,
        )
        for m, row in rows
    ]


def floors(store: ChatStore, branch_id: str, actor: Actor, first: int, last: int) -> frozenset[int]:
    """Return the floors whose open text ``actor`` perceives."""
    return sure_floors(store, branch_id, actor, first, last)[0]


def sure_floors(
    store: ChatStore, branch_id: str, actor: Actor, first: int, last: int
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the floors whose open text ``actor`` perceives, and those of which that is settled.

    It is settled where a model or the user says who is there, or that ``actor`` knows of it.
    """
    rows = present(store, branch_id, first, last)
    people = store.audiences.people({row.audience for _m, row in rows if row is not None})
    norms = actor.norms
    there = {
        number
        for number, company in people.items()
        if any(norm_name(p.name) in norms for p in company)
    }
    fixes = _fixes(store, rows, actor)
    perceived, settled = set(), set()
    for message, row in rows:
        fix = fixes.get(message.id)
        if fix is not None or (row is not None and row.source != "rules"):
            settled.add(message.seq)
        is_told = _is_told(fix, actor) if fix else row is not None and row.audience in there
        if is_told:
            perceived.add(message.seq)
    return frozenset(perceived), frozenset(settled)


def _fixes(
    store: ChatStore, rows: Sequence[tuple[Message, MessageAudience | None]], actor: Actor
) -> dict[str, KnowledgeFix]:
    """Return what the user says of ``actor`` and these messages."""
    return {
        fix.ref: fix
        for fix in store.knowledge.fixes([("turn", message.id) for message, _row in rows])
        if norm_name(fix.name) in actor.norms
    }


def _is_told(fix: KnowledgeFix, actor: Actor) -> bool:
    return fix.is_known and (actor.at is None or fix.from_floor <= actor.at)


def messages_heard(store: ChatStore, where: ItemFilter, first: int, last: int) -> list[Message]:
    """Return these floors as the actor of ``where`` heard them; without one, as they are."""
    branch_id = where.branches[0][0]
    if where.actor is None:
        return store.messages.slice(branch_id, first, last)
    return heard(store, branch_id, where.asker, first, last)


def heard(store: ChatStore, branch_id: str, actor: Actor, first: int, last: int) -> list[Message]:
    """Return what ``actor`` perceives of these floors of a line."""
    rows = present(store, branch_id, first, last)
    people = store.audiences.people(row.audience for _m, row in rows if row is not None)
    norms = actor.norms
    fixes = _fixes(store, rows, actor)
    messages = []
    for message, row in rows:
        fix = fixes.get(message.id)
        if fix is not None:
            if _is_told(fix, actor):
                messages.append(message)
            continue
        if row is None:
            continue
        parts = {
            n
            for n, part in enumerate(row.parts)
            if any(norm_name(p.name) in norms for p in part.audience)
        }
        if any(norm_name(p.name) in norms for p in people.get(row.audience, ())):
            text = heard_text(message.text, row.parts, parts)
        else:
            text = "\n".join(message.text[row.parts[n].start : row.parts[n].end] for n in parts)
        if text.strip():
            messages.append(replace(message, text=text))
    return messages
