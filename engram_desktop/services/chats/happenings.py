"""Say what a planned change of a line is, for a reader: added, edited, moved, hidden and so on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engram_desktop.domain.tavern.folder import Happened, Happening
from engram_desktop.services.chats.line_plan import Sync
from engram_desktop.storage.chat.chat_store import ChatStore


def happenings_of(store: ChatStore, todo: Sync, path: Path) -> tuple[Happening, ...]:
    """Return what ``todo`` is about to do. Floors of deletions are the old ones, else the new."""
    if todo.is_nothing:
        return ()
    base, script, new = todo.base, todo.script, todo.new
    was_hidden = [bool(row.is_hidden) for row in store.messages.outline(todo.branch_id, base)]
    old_end = todo.old_count - todo.tail
    staying = {base + i for i, _j in script.staying}
    new_floors = {base + j for _i, j in script.staying}
    swiped: list[int] = []
    edited: list[int] = []
    hidden: list[int] = []
    shown: list[int] = []
    for i, j in script.staying:
        message = new[j]
        if i in script.edited:
            is_swipe = _is_swipe(_raw(store, todo.branch_id, base + i), message.raw)
            (swiped if is_swipe else edited).append(base + j)
        elif was_hidden[i] != message.is_hidden:
            (hidden if message.is_hidden else shown).append(base + j)
    respoken = [base + j for i, j in script.staying if i in script.renamed]
    for floor, message in todo.views:
        (row,) = store.messages.slice(todo.branch_id, floor, floor)
        if row.name != message.name:
            respoken.append(floor)
        if row.is_hidden != message.is_hidden:
            (hidden if message.is_hidden else shown).append(floor)
    floors: list[tuple[Happened, Iterable[int]]] = [
        ("deleted", (n for n in range(base, old_end) if n not in staying)),
        ("swiped", swiped),
        ("edited", edited),
        ("moved", sorted(base + j for _i, j in script.moved)),
        ("respoken", respoken),
        ("hidden", hidden),
        ("shown", shown),
        ("added", (n for n in range(base, base + len(new)) if n not in new_floors)),
    ]
    happenings = []
    for happened, numbers in floors:
        changed = sorted(numbers)
        if changed:
            span = (changed[0], changed[-1])
            happenings.append(
                Happening(happened, str(path), store.chat_id, todo.branch_id, len(changed), span)
            )
    return tuple(happenings)


def _raw(store: ChatStore, branch_id: str, floor: int) -> str:
    return store.messages.as_parsed(branch_id, floor, floor)[0].raw


def _is_swipe(old: str, new: str) -> bool:
    """Whether another swipe was chosen, or one more made; else the text was edited."""
    before, after = _swipes(old), _swipes(new)
    return before != after and after[1] > 1


def _swipes(raw: str) -> tuple[Any, int]:
    try:
        row = json.loads(raw)
    except ValueError:
        return None, 0
    swipes = row.get("swipes") if isinstance(row, dict) else None
    if not isinstance(swipes, list):
        return 0, 1
    return row.get("swipe_id"), len(swipes)
