"""Work out the state of a story by replaying what its replies say and what the user changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.state.rules import SCHEMA, Bounds, StateRule, rule_of, rules_in
from engram_desktop.domain.state.tree import (
    State,
    StateChange,
    StateEntry,
    StateHistory,
    StateOp,
    StatePath,
    apply,
    compared,
    split_path,
)
from engram_desktop.formats.adopt import mvu
from engram_desktop.formats.chats import state_updates
from engram_desktop.formats.chats.played import PLAYED, played_of
from engram_desktop.formats.json_values import row_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat.chat_store import ChatStore

# The state a story begins with: as its greeting gives it, or the worldbooks of the chat.


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


BATCH = 500  # messages read at a time
BESIDE = '"stat_data"'  # marks a message whose own JSON holds the whole state


def replay(
    ctx: JobContext,
    store: ChatStore,
    branch_id: str,
    span: tuple[int, int],
    initial: Callable[[], Iterable[str]],
) -> StateHistory:
    """Replay the floors of ``span``, both ends included, from where the story begins.

    ``initial`` returns what worldbooks say of the state a story begins with.
    """
    floor = span[1]
    tree: State = state_updates.tame(begins_with(store, branch_id, initial))
    bounds = Bounds(rules_of(store, tree).values())
    bounds.begin(tree)
    entries = [StateEntry(0, "begin", tuple(compared({}, tree)))] if tree else []
    by_hand = _ByHand(store.state_ops.of_line(branch_id, floor))
    entries += _entries(ctx, store, branch_id, span, (tree, bounds, by_hand))
    return StateHistory(floor, tree, tuple(entries))


def go_on(
    ctx: JobContext,
    store: ChatStore,
    branch_id: str,
    span: tuple[int, int],
    beginning: State,
    tree: State,
) -> None:
    """Replay the floors of ``span`` on ``tree``, which is the state before them."""
    bounds = Bounds(rules_of(store, beginning).values())
    by_hand = store.state_ops.of_line(branch_id, span[1])
    ops = [(floor, op) for floor, op in by_hand if floor >= span[0]]
    for _entry in _entries(ctx, store, branch_id, span, (tree, bounds, _ByHand(ops))):
        pass


def _entries(
    ctx: JobContext,
    store: ChatStore,
    branch_id: str,
    span: tuple[int, int],
    play: tuple[State, Bounds, _ByHand],
) -> Iterator[StateEntry]:
    """Yield what each floor changes, while it changes the tree."""
    tree, bounds, by_hand = play
    for seq, text, raw in _replies(store, ctx, branch_id, *span):
        yield from by_hand.before(tree, bounds, seq)
        entry = _entry_of(tree, bounds, seq, text, raw)
        if entry.changes or entry.faults:
            yield entry
    yield from by_hand.before(tree, bounds, span[1] + 1)


class _ByHand:
    """What the user or a look back changed, when its turn comes: after what its floor says."""

    def __init__(self, ops: list[tuple[int, StateOp]]) -> None:
        self._ops = ops

    def before(self, tree: State, bounds: Bounds, floor: int) -> Iterator[StateEntry]:
        while self._ops and self._ops[0][0] < floor:
            seq, op = self._ops.pop(0)
            if op.reason:  # a look back keeps within the bounds, as replies do
                changes, faults = change(tree, bounds, [op])
                yield StateEntry(seq, "reflection", tuple(changes), (), tuple(faults))
            else:
                yield StateEntry(seq, "user", (apply(tree, op),))


def _replies(
    store: ChatStore, ctx: JobContext, branch_id: str, first: int, last: int
) -> Iterator[tuple[int, str, str]]:
    for begin in range(first, last + 1, BATCH):
        ctx.check()
        span = (begin, min(last, begin + BATCH - 1))
        yield from store.messages.replies_with(
            branch_id, span, state_updates.MARKS, (BESIDE, PLAYED)
        )


def rules_of(store: ChatStore, beginning: State) -> dict[StatePath, StateRule]:
    """Return what values may be: as the user said, else as the beginning of the story says."""
    rules = {rule.path: rule for rule in rules_in(beginning)}
    for path, text in store.turn_notes.rules():
        rule = rule_of(split_path(path), row_of(text))
        if rule is not None:
            rules[rule.path] = rule
    return rules


def change(
    tree: State, bounds: Bounds, ops: Iterable[StateOp]
) -> tuple[list[StateChange], list[Phrase]]:
    """Change ``tree`` within bounds; returns what changed, and what was held back."""
    changes, notices = [], []
    for op in ops:
        if op.path[0] == SCHEMA or op.origin[:1] == (SCHEMA,):
            continue  # what values may be is no reply's to say
        done, notice = bounds.applied(tree, op)
        changes.append(done)
        if notice is not None:
            notices.append(notice)
    return changes, notices


def _entry_of(tree: State, bounds: Bounds, floor: int, text: str, raw: str) -> StateEntry:
    """Change ``tree`` as one reply says; the variables beside it hold the outcome, if any."""
    played = played_of(raw)
    updates = state_updates.updates_in(text if played is None else played.updates)
    whole: State = state_updates.tame(mvu.state_in(row_of(raw))) if BESIDE in raw else {}
    if whole:
        reasons = {op.path: op.reason for op in updates.ops if op.reason}
        differences = compared(tree, whole)
        tree.clear()
        tree.update(whole)
        explained = tuple(one.because(reasons.get(one.path, "")) for one in differences)
        return StateEntry(floor, "variables", explained)
    changes, notices = change(tree, bounds, updates.ops)
    return StateEntry(
        floor,
        "reply",
        tuple(changes),
        tuple(updates.dialects),
        (*updates.faults, *notices),
    )
