"""What happens to the messages of a chat: edited, swiped, deleted, hidden, added, or all at once.

Every function is one undoable step. What was derived from a message goes with it in that step:
stale, tombstoned, out of every index. Unchanged messages keep their ids, vectors and events.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.chats.alignment import Script
from engram_desktop.domain.errors import Conflict, InputError, NotFound
from engram_desktop.domain.labels import (
    ADD_MESSAGE,
    DELETE_MESSAGES,
    EDIT_MESSAGE,
    FOLLOW,
    HIDE,
    SHOW,
    StepLabel,
)
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.message import ParsedMessage, Role
from engram_desktop.domain.phrase import Phrase
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.chats.branching import put_aside
from engram_desktop.services.chats.line_plan import Sync
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.timeline import Rewritten

_T = QT_TRANSLATE_NOOP


def sync(
    store: ChatStore, ctx: JobContext, todo: Sync, aside: tuple[int, int] | None = None
) -> tuple[Rewritten, Changes, str]:
    """Do what was planned. Raises Conflict if the line is no longer what was read.

    The floors ``aside`` are kept as they were on a branch, whose id is returned.
    """
    if todo.is_nothing:
        return Rewritten(), Changes(chat_id=store.chat_id), ""
    counts = {
        "changed": todo.changed + len(todo.views),
        "removed": todo.removed,
        "added": todo.added,
    }

    def unit() -> tuple[Rewritten, Changes, str]:
        check_unchanged(store, todo)
        label = StepLabel(FOLLOW, counts)
        with store.step(label):
            former = put_aside(store, todo.branch_id, *aside) if aside else ""
            see_shared(store, todo)
            rewritten, changes = _rewrite(
                store, label, todo.branch_id, (todo.base, todo.script, todo.new, todo.tail)
            )
        return rewritten, replace(changes, branches=changes.branches or bool(former)), former

    return ctx.write(unit)


def check_unchanged(store: ChatStore, todo: Sync) -> None:
    """Raise Conflict if a line is no longer what was read for a plan."""
    now = store.messages
    is_same = now.line_mark(todo.branch_id, todo.first) == todo.mark
    if not is_same or tuple(now.hashes(todo.branch_id, todo.first)) != todo.read:
        raise Conflict(Phrase(_T("reports", "the chat has other messages now")))


def see_shared(store: ChatStore, todo: Sync) -> None:
    """Note names and flags that a branch's file has for what it shares, in the caller's step."""
    if todo.views:
        first, last = todo.views[0][0], todo.views[-1][0]
        ids = {m.seq: m.id for m in store.messages.slice(todo.branch_id, first, last)}
        store.messages.shared.put(todo.branch_id, [(ids[n], m) for n, m in todo.views])


def edit_message(store: ChatStore, floor: int, text: str, branch_id: str = MAIN_BRANCH) -> Changes:
    """Give a message another text, as an edit or a swipe does. Raises NotFound."""
    message = _message(store, floor, branch_id)
    if message.text == text:
        return Changes(chat_id=store.chat_id)
    edited = replace(message, text=text, raw=_raw_with(message.raw, text))
    script = Script(((0, 0),), frozenset({0}))
    tail = store.messages.count(branch_id) - floor - 1
    label = StepLabel(EDIT_MESSAGE, {"floor": floor})
    return _rewrite(store, label, branch_id, (floor, script, (edited,), tail))[1]


def delete_messages(
    store: ChatStore, floors: Sequence[int], branch_id: str = MAIN_BRANCH
) -> Changes:
    """Delete the messages at these floors; what follows moves up. Raises NotFound."""
    ordered = sorted(set(floors))
    if not ordered:
        return Changes(chat_id=store.chat_id)
    count = store.messages.count(branch_id)
    if ordered[0] < 0 or ordered[-1] >= count:
        raise NotFound("floor", ordered[-1] if ordered[0] >= 0 else ordered[0])
    first, last = ordered[0], ordered[-1]
    offsets = {floor - first for floor in ordered}
    messages = store.messages.as_parsed(branch_id, first, last)
    remaining = [n for n in range(len(messages)) if n not in offsets]
    script = Script(tuple((n, m) for m, n in enumerate(remaining)), frozenset())
    label = StepLabel(DELETE_MESSAGES, {"count": len(ordered)})
    new = tuple(messages[n] for n in remaining)
    return _rewrite(store, label, branch_id, (first, script, new, count - last - 1))[1]


def delete_last(store: ChatStore, count: int = 1, branch_id: str = MAIN_BRANCH) -> Changes:
    """Delete the newest messages. Raises NotFound if there are not so many."""
    total = store.messages.count(branch_id)
    return delete_messages(store, range(total - count, total), branch_id)


def set_hidden(
    store: ChatStore, floors: Sequence[int], branch_id: str = MAIN_BRANCH, *, hidden: bool
) -> Changes:
    """Hide messages from the prompt or show them again. Memory is not touched: it is relied on."""
    ordered = sorted(set(floors))
    first_own = store.branches.first_own(branch_id)
    if ordered and ordered[0] < first_own:
        raise InputError(
            Phrase(
                _T(
                    "reports",
                    "Floor {floor} belongs to the branch this one was forked from:"
                    " change it there.",
                ),
                floor=ordered[0],
            )
        )
    if not ordered:
        return Changes(chat_id=store.chat_id)
    between = store.messages.slice(branch_id, ordered[0], ordered[-1])
    messages = [m for m in between if m.seq in set(ordered)]
    if len(messages) != len(ordered):
        raise NotFound("floor", ordered[-1])
    todo = [m for m in messages if m.is_hidden != hidden]
    if not todo:
        return Changes(chat_id=store.chat_id)
    label = StepLabel(HIDE if hidden else SHOW, {"count": len(todo)})
    with store.step(label):
        store.messages.set_hidden([m.id for m in todo], hidden=hidden)
    return Changes(chat_id=store.chat_id, messages=True, undo_label=label)


def insert_messages(
    store: ChatStore,
    floor: int,
    messages: Sequence[ParsedMessage],
    branch_id: str = MAIN_BRANCH,
) -> Changes:
    """Put messages in before a floor, or at the end; what follows moves down."""
    label = StepLabel(ADD_MESSAGE, {"floor": floor})
    tail = store.messages.count(branch_id) - floor
    script = Script((), frozenset())
    return _rewrite(store, label, branch_id, (floor, script, tuple(messages), tail))[1]


def append_message(
    store: ChatStore, name: str, role: Role, text: str, branch_id: str = MAIN_BRANCH
) -> Changes:
    """Add a message at the end of a line."""
    row = {"name": name, "is_user": role == "user", "is_system": False, "mes": text}
    raw = json.dumps(row, ensure_ascii=False)
    message = ParsedMessage(name, role, text, False, store.clock(), raw, 0)
    floor = store.messages.count(branch_id)
    label = StepLabel(ADD_MESSAGE, {"floor": floor})
    with store.step(label):
        store.messages.append(branch_id, floor, [message])
    return Changes(chat_id=store.chat_id, messages=True, undo_label=label)


def _rewrite(
    store: ChatStore,
    label: StepLabel,
    branch_id: str,
    plan: tuple[int, Script, Sequence[ParsedMessage], int],
) -> tuple[Rewritten, Changes]:
    base, script, new, tail = plan
    with store.step(label):
        rewritten = store.rewrite(branch_id, base, script, new, tail=tail)
    changes = Changes(
        chat_id=store.chat_id,
        events=frozenset(rewritten.stale | rewritten.gone | rewritten.moved),
        entities=frozenset(rewritten.entities),
        messages=True,
        rows=bool(rewritten.gone),
        order=bool(rewritten.moved),
        counts=bool(rewritten.gone or rewritten.stale),
        graph=bool(rewritten.gone or rewritten.entities),
        branches=bool(rewritten.branches),
        undo_label=label,
    )
    return rewritten, changes


def _message(store: ChatStore, floor: int, branch_id: str) -> ParsedMessage:
    messages = store.messages.as_parsed(branch_id, floor, floor)
    if not messages:
        raise NotFound("floor", floor)
    return messages[0]


def _raw_with(raw: str, text: str) -> str:
    """Put ``text`` into a message's own JSON, in the chosen swipe too."""
    row = json.loads(raw)
    if not isinstance(row, dict):
        row = {}
    row["mes"] = text
    swipes, swipe_id = row.get("swipes"), row.get("swipe_id")
    if isinstance(swipes, list) and isinstance(swipe_id, int) and 0 <= swipe_id < len(swipes):
        swipes[swipe_id] = text
    return json.dumps(row, ensure_ascii=False)
