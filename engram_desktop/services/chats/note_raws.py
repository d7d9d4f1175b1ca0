"""Keep what a chat file says beside the texts: variables, summaries and tables of other tools.

They are written onto messages long after these were said. The text is the same, so nothing of the
memory changes and there is nothing to undo; but who looks for them must find the newest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import partial

from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat.chat_store import ChatStore

BATCH = 500  # messages of one transaction, as of an import


def note_raws(
    store: ChatStore,
    ctx: JobContext,
    branch_id: str,
    messages: Iterable[ParsedMessage],
    first: int = 0,
) -> bool:
    """Note what ``messages``, from floor ``first`` on, say otherwise beside the same text.

    What a branch shares with its parent is left to the parent's file: a branch's is an old copy.
    Returns whether there was anything to note.
    """
    is_new = False
    first_own = store.branches.first_own(branch_id)
    messages = itertools.islice(messages, max(0, first_own - first), None)
    at = max(first, first_own)
    while part := list(itertools.islice(messages, BATCH)):
        stored = store.messages.raws(branch_id, at, at + len(part) - 1)
        rows = [
            (message_id, swipe_hash, new.raw)
            for (message_id, swipe_hash, raw), new in zip(stored, part, strict=False)
            if swipe_hash == new.swipe_hash and raw != new.raw
        ]
        if rows:
            ctx.write(partial(_write, store, rows))
            is_new = True
        at += len(part)
    return is_new


def _write(store: ChatStore, rows: list[tuple[str, str, str]]) -> None:
    with store.database.writing():
        store.messages.note_raws(rows)
