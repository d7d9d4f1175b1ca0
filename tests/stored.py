"""What a library holds, read past the part of it that is tested."""

from __future__ import annotations

from typing import Any

from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.services.memory import Memory

LAST = 99_999  # beyond the last floor of any chat of a test


def texts_of(memory: Memory, line: Line, first: int = 0, last: int = LAST) -> list[str]:
    """The texts of the messages from floor ``first`` to ``last``."""
    return [message.text for message in memory.messages.slice(line, first, last)]


def stored_events(memory: Memory, chat_id: str, **query: Any) -> dict[int, EventNode]:
    """Events by their keys, in the order of the story; ``query`` are fields of `EventQuery`."""
    keys = memory.events.find(chat_id, EventQuery(**query))
    found = memory.events.fetch(chat_id, keys)
    return {key: found[key] for key in keys}


def stored_summaries(memory: Memory, chat_id: str, **query: Any) -> list[str]:
    """What the events tell, in the order of the story."""
    return [event.summary for event in stored_events(memory, chat_id, **query).values()]
