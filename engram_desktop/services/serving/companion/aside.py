"""What was said while nobody told of it stays, as a branch, when the chat is told of again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.labels import FORK, StepLabel
from engram_desktop.services.chats.branching import fork_step

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

_LOOKED_AT = 400  # newest floors of a line that may have been said meanwhile


def keep_aside(store: ChatStore, branch_id: str, told: Sequence[str]) -> Changes:
    """Copy the end of a line to a branch where what is ``told`` of it lacks some of that."""
    count = store.messages.count(branch_id)
    first = max(0, count - _LOOKED_AT)
    messages = store.messages.slice(branch_id, first, count - 1) if count else []
    known = set(told)
    if all(message.text in known for message in messages):
        return Changes()
    parted = next(
        message.seq
        for message in messages
        if message.seq >= len(told) or told[message.seq] != message.text
    )
    at = max(0, parted - 1)
    label = StepLabel(FORK, {"name": "", "floor": at})
    with store.step(label):
        fork_id, _group = fork_step(store, branch_id, at, "")
        rest = store.messages.as_parsed(branch_id, at + 1, count - 1)
        store.messages.append(fork_id, at + 1, rest)
    return Changes(chat_id=store.chat_id, messages=True, branches=True, undo_label=label)
