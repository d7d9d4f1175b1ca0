"""Find the row of an event whose UUID and floors are known, in a few page reads.

Story order starts with the first floor, so a bisection over the ordered keys leaves only the events
that begin at the same floor.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from engram_desktop.domain.event import EventNode, EventQuery
from engram_desktop.services.memory import Memory

PAGE = 64


def find_event_key(memory: Memory, chat_id: str, event_id: str, start_index: int) -> int | None:
    """Return the key of ``event_id``, or None if it is gone. For a worker thread."""
    keys = memory.find_events(chat_id, EventQuery(sort="story"))

    def first_floor(key: int) -> int:
        return _rows(memory, chat_id, [key])[0].source_range.start_index

    at = bisect_left(keys, start_index, key=first_floor)
    while at < len(keys):
        page = _rows(memory, chat_id, keys[at : at + PAGE])
        for event in page:
            if event.source_range.start_index != start_index:
                return None
            if event.id == event_id:
                return event.pk
        at += PAGE
    return None


def _rows(memory: Memory, chat_id: str, keys: Sequence[int]) -> list[EventNode]:
    found = memory.fetch_events(chat_id, keys)
    return [found[key] for key in keys if key in found]
