"""The state a story begins with: as its greeting gives it, or the worldbooks of the chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engram_desktop.formats.adopt import mvu
from engram_desktop.storage.chat.chat_store import ChatStore


def begins_with(
    store: ChatStore, branch_id: str, initial: Callable[[], Iterable[str]]
) -> dict[str, Any]:
    """The state a story begins with: the greeting's, or else that of the worldbooks together."""
    greeting = store.messages.slice(branch_id, 0, 0)
    state = mvu.initial_in(greeting[0].text) if greeting else {}
    if state:
        return state
    for text in initial():
        state |= mvu.initial_of(text)
    return state
