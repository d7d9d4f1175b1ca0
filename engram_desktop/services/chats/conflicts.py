"""Find the floors that a line would lose if it became what a copy of its chat tells.

A message lost its text if another stands in its place and does not have it among its swipes, or if
nothing stands there. What moves, is hidden, or is said under another name is not lost. Reads only.
"""

from __future__ import annotations

from collections.abc import Iterable

from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.reports import CopyConflict, OnConflict
from engram_desktop.formats.json_values import row_of
from engram_desktop.services.chats.line_plan import Sync
from engram_desktop.storage.chat.chat_store import ChatStore

PIECE = 500  # messages whose texts are read at a time: the first difference is mostly near


def find_conflict(
    store: ChatStore, todo: Sync, choice: OnConflict = "branch", *, is_followed: bool = False
) -> CopyConflict | None:
    """Return what ``todo`` would take away from its line; None if nothing.

    The copy is newer if it has the line's newest message and goes on after it; of a file that is
    followed, where the story goes on, having that message is enough.
    """
    common = _common(store, todo)
    same = common - todo.base  # the copy has these texts in their place, whatever the script pairs
    lost = {i for i in _changed(store, todo) if i >= same}
    staying = {i: j for i, j in todo.script.staying if i not in lost}
    old_count = todo.old_count - todo.tail - todo.base
    gone = [i for i in range(same, old_count) if i not in staying and i not in lost]
    if not lost and not gone:
        return None
    newest = staying.get(old_count - 1)
    is_newer = newest is not None and (is_followed or newest + 1 < len(todo.new))
    spans = (_spans(todo.base, sorted(lost)), _spans(todo.base, gone))
    return CopyConflict(choice, *spans, common - 1, is_newer=is_newer)


def _changed(store: ChatStore, todo: Sync) -> set[int]:
    """Where another text stands that does not have the former one as a swipe; from the base on."""
    edited = sorted((i, j) for i, j in todo.script.staying if i in todo.script.edited)
    if not edited:
        return set()
    first, last = edited[0][0], edited[-1][0]
    sayings = store.messages.sayings(todo.branch_id, todo.base + first, todo.base + last)
    return {i for i, j in edited if not _holds(todo.new[j], sayings[i - first].text)}


def _holds(message: ParsedMessage, text: str) -> bool:
    swipes = row_of(message.raw).get("swipes")
    is_swipe = isinstance(swipes, list) and text in swipes
    return not text.strip() or message.text == text or is_swipe


def _common(store: ChatStore, todo: Sync) -> int:
    """Count the messages at the beginning of a line that the copy tells in the same words."""
    end = min(todo.old_count, todo.base + len(todo.new))
    for first in range(todo.base, end, PIECE):
        sayings = store.messages.sayings(todo.branch_id, first, min(first + PIECE, end) - 1)
        for floor, saying in enumerate(sayings, first):
            if saying.text != todo.new[floor - todo.base].text:
                return floor
    return end


def _spans(base: int, places: Iterable[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for floor in (base + place for place in places):
        if spans and spans[-1][1] == floor - 1:
            spans[-1] = (spans[-1][0], floor)
        else:
            spans.append((floor, floor))
    return tuple(spans)
