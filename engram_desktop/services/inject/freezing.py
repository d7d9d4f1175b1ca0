"""Freeze an injection for some turns: the same bytes, so that a prompt cache stays valid.

It ends early if a memory in it is edited, deleted, muted or made stale. It is given only to the
actor it was made for, and only while that actor may know all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import content_hash
from engram_desktop.domain.recall.query import Injection, ItemFilter, MemoryItem, RecallHit
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.found import FrozenRow


def freeze(store: ChatStore, branch_id: str, turns: int) -> None:
    """Freeze the next injection for ``turns`` floors from now on."""
    floor = store.messages.count(branch_id)
    store.frozen.put(branch_id, FrozenRow(floor, turns, {}))


def until(store: ChatStore, branch_id: str) -> int | None:
    """Return the first floor after the freeze; None if nothing is frozen now."""
    row = store.frozen.get(branch_id)
    if row is None:
        return None
    end = row.floor + row.turns
    return end if row.floor <= store.messages.count(branch_id) < end else None


def current(store: ChatStore, where: ItemFilter, volumes: str = "") -> Injection | None:
    """Return what is frozen for the actor of ``where``; None if there is nothing or it is outdated.

    ``where`` says what the actor may know now, on the first of its branches; ``volumes`` is a mark
    of the volumes the chat reads.
    """
    branch_id = where.branches[0][0]
    row = store.frozen.get(branch_id)
    end = until(store, branch_id)
    if row is None or end is None or not row.data or row.data["actor"] != where.actor:
        return None
    if _marks(store, where, row.data["shown"]) != row.data["marks"]:
        return None
    if row.data.get("volumes", "") != volumes:
        return None
    hits = tuple(_hit(value) for value in row.data["hits"])
    return Injection(row.data["text"], row.data["sections"], row.data["tokens"], hits, (), end)


def keep(
    store: ChatStore,
    where: ItemFilter,
    injection: Injection,
    story: Sequence[EventNode],
    volumes: str = "",
) -> Injection:
    """Store ``injection`` if a freeze waits for its text; end a freeze whose text is outdated.

    ``story`` are the events of its story so far.
    """
    branch_id = where.branches[0][0]
    row, end = store.frozen.get(branch_id), until(store, branch_id)
    if row is None or end is None or (row.data and row.data["actor"] != where.actor):
        return injection
    if row.data:  # what it showed has changed: end the freeze
        store.frozen.remove(branch_id)
        return injection
    shown = sorted(
        {("event", e.id) for e in story} | {(h.item.kind, h.item.ref) for h in injection.hits}
    )
    data: dict[str, Any] = {
        "actor": where.actor,
        "text": injection.text,
        "sections": injection.sections,
        "tokens": injection.tokens,
        "hits": [_row(hit) for hit in injection.hits],
        "shown": shown,
        "marks": _marks(store, where, shown),
        "volumes": volumes,
    }
    store.frozen.put(branch_id, replace(row, data=data))
    return replace(injection, frozen_until=end)


def _marks(store: ChatStore, where: ItemFilter, shown: Sequence[tuple[str, str]]) -> str:
    """Return a hash that changes if any of ``shown`` changes or may no longer be known."""
    items = store.items.of_refs([ref for _kind, ref in shown])
    allowed_ids = store.items.allowed([item.id for item in items], where)
    refs = {item.ref for item in items if item.id in allowed_ids}
    events = {e.id: e for e in store.events.by_ids([ref for kind, ref in shown if kind == "event"])}
    contents = store.items.marks([ref for _kind, ref in shown], where.branches[0][0])
    parts = []
    for kind, ref in shown:
        event = events.get(ref)
        stale = "stale" if event is not None and event.is_stale else ""
        parts.append(f"{kind} {ref} {contents.get((kind, ref), '')} {stale} {ref in refs}")
    return content_hash(*parts)


def _row(hit: RecallHit) -> dict[str, Any]:
    item = hit.item
    return {
        "rank": hit.rank,
        "score": hit.score,
        "why": hit.why,
        "matched": hit.matched,
        "item": [
            item.id, item.kind, item.ref, item.branch_id, item.content,
            item.start_index, item.end_index, item.volume,
        ],
    }  # fmt: skip


def _hit(row: dict[str, Any]) -> RecallHit:
    item = MemoryItem(*row["item"])
    return RecallHit(row["rank"], item, row["score"], row["why"], tuple(row["matched"]))
