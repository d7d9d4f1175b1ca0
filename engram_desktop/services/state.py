"""The state of a story (design note 003 §2.1 C): looked up at any floor, and changed by hand.

The state is computed on demand, by replaying the updates in replies and the user's changes. So
edits, swipes, deletions and branches can never leave a wrong state; only changes by hand are
stored.

States at some floors are cached, so that a turn need not replay the whole story. A cached state is
valid while nothing up to its floor has changed and the story begins in the same way.
"""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import REMOVE_STATE, SET_STATE, Changes, StepLabel
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.state import condition
from engram_desktop.domain.state.rules import SCHEMA, Bounds, StateRule, rule_of, rules_in
from engram_desktop.domain.state.tree import (
    MAX_DEPTH,
    State,
    StateChange,
    StateEntry,
    StateHistory,
    StateOp,
    StatePath,
    apply,
    compared,
    join_path,
    rebuilt,
    split_path,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.formats import foreign_memories
from engram_desktop.formats.chats import state_updates
from engram_desktop.formats.chats.played import PLAYED, played_of
from engram_desktop.formats.json_values import row_of
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.domain.state.rules import StateRule
    from engram_desktop.domain.state.tree import StateChange
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.worldbooks.worldbook_service import WorldbookService
    from engram_desktop.storage.chat.chat_store import ChatStore


def begins_with(
    store: ChatStore, branch_id: str, initial: Callable[[], Iterable[str]]
) -> dict[str, Any]:
    """Return the state at the start: the greeting's, or else that of all worldbooks together."""
    greeting = store.messages.slice(branch_id, 0, 0)
    state = foreign_memories.mvu_initial_in(greeting[0].text) if greeting else {}
    if state:
        return state
    for text in initial():
        state |= foreign_memories.mvu_initial_of(text)
    return state


BATCH = 500  # messages read at once
BESIDE = '"stat_data"'  # marks a message whose JSON holds the whole state


def replay(
    ctx: JobContext,
    store: ChatStore,
    branch_id: str,
    span: tuple[int, int],
    initial: Callable[[], Iterable[str]],
) -> StateHistory:
    """Replay the floors of ``span``, both included, on the state at the start of the story.

    ``initial`` yields the worldbooks' texts of that state.
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
    """Replay the floors of ``span`` on ``tree``, the state before them."""
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
    """Yield the changes of each floor, while applying them to the tree."""
    tree, bounds, by_hand = play
    for seq, text, raw in _replies(store, ctx, branch_id, *span):
        yield from by_hand.before(tree, bounds, seq)
        entry = _entry_of(tree, bounds, seq, text, raw)
        if entry.changes or entry.faults:
            yield entry
    yield from by_hand.before(tree, bounds, span[1] + 1)


class _ByHand:
    """Changes by the user or by a look back; each is applied after its floor's reply."""

    def __init__(self, ops: list[tuple[int, StateOp]]) -> None:
        self._ops = ops

    def before(self, tree: State, bounds: Bounds, floor: int) -> Iterator[StateEntry]:
        while self._ops and self._ops[0][0] < floor:
            seq, op = self._ops.pop(0)
            if op.reason:  # a look back stays within the bounds, as replies do
                changes, faults = apply_ops(tree, bounds, [op])
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
    """Return the rules of values: of the scene played, else of the state at the start."""
    rules = {rule.path: rule for rule in rules_in(beginning)}
    for path, text in store.turn_notes.rules():
        rule = rule_of(split_path(path), row_of(text))
        if rule is not None:
            rules[rule.path] = rule
    return rules


def apply_ops(
    tree: State, bounds: Bounds, ops: Iterable[StateOp]
) -> tuple[list[StateChange], list[Phrase]]:
    """Change ``tree`` within bounds; returns the changes, and remarks on what was refused."""
    changes, notices = [], []
    for op in ops:
        if op.path[0] == SCHEMA or op.origin[:1] == (SCHEMA,):
            continue  # replies must not change the rules
        done, notice = bounds.applied(tree, op)
        changes.append(done)
        if notice is not None:
            notices.append(notice)
    return changes, notices


def _entry_of(tree: State, bounds: Bounds, floor: int, text: str, raw: str) -> StateEntry:
    """Change ``tree`` by one reply; variables stored with the message give the result instead."""
    played = played_of(raw)
    updates = state_updates.updates_in(text if played is None else played.updates)
    whole: State = (
        state_updates.tame(foreign_memories.mvu_state_in(row_of(raw))) if BESIDE in raw else {}
    )
    if whole:
        reasons = {op.path: op.reason for op in updates.ops if op.reason}
        differences = compared(tree, whole)
        tree.clear()
        tree.update(whole)
        explained = tuple(one.because(reasons.get(one.path, "")) for one in differences)
        return StateEntry(floor, "variables", explained)
    changes, notices = apply_ops(tree, bounds, updates.ops)
    return StateEntry(
        floor, "reply", tuple(changes), tuple(updates.dialects), (*updates.faults, *notices)
    )


LINES = 16  # lines in the cache: as many as anybody has open
FLOORS = 6  # states of each: the newest, and those a reroll or a correction returns to


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state after ``floor``; ``change`` is the number of the newest change in it."""

    floor: int
    change: int
    beginning: State
    tree: State


class Checkpoints:
    """A cache of states. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: OrderedDict[Line, list[Checkpoint]] = OrderedDict()

    def of(self, line: Line, floor: int) -> list[Checkpoint]:
        """Return the cached states of a line up to ``floor``, the latest floor first."""
        with self._lock:
            known = self._lines.get(line, [])
            return sorted((c for c in known if c.floor <= floor), key=lambda c: -c.floor)

    def keep(self, line: Line, checkpoint: Checkpoint) -> None:
        """Cache a copy of a state."""
        kept = Checkpoint(
            checkpoint.floor,
            checkpoint.change,
            copy.deepcopy(checkpoint.beginning),
            copy.deepcopy(checkpoint.tree),
        )
        with self._lock:
            others = [c for c in self._lines.get(line, []) if c.floor != kept.floor]
            self._lines[line] = [kept, *others][:FLOORS]
            self._lines.move_to_end(line)
            while len(self._lines) > LINES:
                self._lines.popitem(last=False)

    def forget(self, chat_id: str | None) -> None:
        """Drop the states of a chat that leaves the library, or all."""
        with self._lock:
            for line in list(self._lines):
                if chat_id in (None, line.chat_id):
                    del self._lines[line]


_T = QT_TRANSLATE_NOOP


class StateService:
    """The state of a story, and conditions on it."""

    def __init__(self, session: Session, worldbooks: WorldbookService) -> None:
        self._session = session
        self._worldbooks = worldbooks
        self._checkpoints = Checkpoints()
        session.on_leaving(self._checkpoints.forget)

    def history(self, ctx: JobContext, line: Line, at: int | None = None) -> StateHistory:
        """Return the state after floor ``at`` (None: the last) with its history.

        Raises NotFound for a floor that does not exist.
        """
        store = self._session.chat(line.chat_id)
        last = store.messages.count(line.branch_id) - 1
        if at is not None and not 0 <= at <= last:
            raise NotFound("message", at)
        span = (0, last if at is None else at)
        return replay(ctx, store, line.branch_id, span, lambda: self.initial(line.chat_id))

    def perceived(
        self, ctx: JobContext, line: Line, floors: Container[int], at: int | None = None
    ) -> StateHistory:
        """Return the history limited to these floors: what somebody who was present there knows.

        The state at the start is known to those who perceive the first floor.
        """
        history = self.history(ctx, line, at)
        entries = tuple(entry for entry in history.entries if entry.floor in floors)
        return replace(history, tree=rebuilt(entries), entries=entries)

    def initial(self, chat_id: str) -> Iterator[str]:
        """Yield the worldbooks' texts of a chat's state at the start."""
        for row in self._worldbooks.of_chat(Line.main(chat_id)):
            for entry in self._worldbooks.read(row.id).entries:
                if foreign_memories.MVU_MARK in entry.comment.casefold():
                    yield entry.content

    def fulfilled_conditions(
        self, ctx: JobContext, line: Line, actor: str, at: int | None
    ) -> frozenset[str]:
        """Return the ids of conditional memories ``actor`` may know, given the state at ``at``."""
        conditional = self._session.chat(line.chat_id).items.conditional()
        if not conditional:
            return frozenset()
        floor, tree = self._tree_at(ctx, line, at)
        refs = set()
        for ref, owner, text, names in conditional:
            facts = condition.facts_of(
                tree, actor=actor, owner=owner, participants=names, floor=floor
            )
            if condition.evaluate(text, facts).holds:
                refs.add(ref)
        return frozenset(refs)

    def check_condition(
        self, ctx: JobContext, line: Line, text: str, owner: str, participants: Collection[str] = ()
    ) -> condition.Verdict:
        """Return whether a condition holds now for the owner of the memory."""
        floor, tree = self._tree_at(ctx, line, None)
        facts = condition.facts_of(
            tree, actor=owner, owner=owner, participants=participants, floor=floor
        )
        return condition.evaluate(text, facts)

    def _tree_at(
        self, ctx: JobContext, line: Line, at: int | None, begins_as: State | None = None
    ) -> tuple[int, State]:
        """Return floor ``at``, at most the last, and the state there, without its history.

        Starts from a cached state, or from the newest message whose variables hold the whole state.
        """
        store, branch_id = self._session.chat(line.chat_id), line.branch_id
        last = store.messages.count(branch_id) - 1
        floor = last if at is None else min(at, last)
        change = store.state_ops.newest_change()
        if begins_as is None:
            begins_as = self._beginning(line)
        known = self._known(store, line, floor, begins_as)
        if known is not None:
            tree = copy.deepcopy(known.tree)
            go_on(ctx, store, branch_id, (known.floor + 1, floor), begins_as, tree)
        else:
            first = store.messages.newest_reply_with(branch_id, floor, BESIDE)
            tree = replay(
                ctx, store, branch_id, (first, floor), lambda: self.initial(line.chat_id)
            ).tree
        self._checkpoints.keep(line, Checkpoint(floor, change, begins_as, tree))
        return floor, tree

    def _known(
        self, store: ChatStore, line: Line, floor: int, begins_as: State
    ) -> Checkpoint | None:
        """Return the latest cached state up to ``floor`` that is still valid, if there is one."""
        for checkpoint in self._checkpoints.of(line, floor):
            is_same = checkpoint.beginning == begins_as
            if is_same and store.state_ops.changed_from(checkpoint.change) > checkpoint.floor:
                return checkpoint
        return None

    def tree(self, ctx: JobContext, line: Line, at: int | None = None) -> State:
        """Return the state after floor ``at`` (None: the last), without its history."""
        return self._tree_at(ctx, line, at)[1]

    def would_change(
        self, ctx: JobContext, line: Line, at: int, blocks: str
    ) -> tuple[list[StateChange], list[Phrase]]:
        """Return what update blocks of a reply would change after floor ``at``, and remarks."""
        updates = state_updates.updates_in(blocks)
        if not updates.ops:
            return [], updates.faults
        begins_as = self._beginning(line)
        tree = self._tree_at(ctx, line, at, begins_as)[1]
        bounds = Bounds(rules_of(self._session.chat(line.chat_id), begins_as).values())
        changes, notices = apply_ops(tree, bounds, updates.ops)
        return changes, [*updates.faults, *notices]

    def _beginning(self, line: Line) -> State:
        """Return the state at the start of the story."""
        store = self._session.chat(line.chat_id)
        tree: State = state_updates.tame(
            begins_with(store, line.branch_id, lambda: self.initial(line.chat_id))
        )
        return tree

    def set(self, line: Line, path: StatePath, value: Any) -> Changes:
        """Set the value at ``path`` from the newest floor on. Raises InputError."""
        label = StepLabel(SET_STATE, {"path": join_path(path)})
        return self._change(line, StateOp("set", path, value), label)

    def remove(self, line: Line, path: StatePath) -> Changes:
        """Remove the value at ``path`` from the newest floor on. Raises InputError."""
        label = StepLabel(REMOVE_STATE, {"path": join_path(path)})
        return self._change(line, StateOp("remove", path), label)

    def _change(self, line: Line, op: StateOp, label: StepLabel) -> Changes:
        store = self._session.chat(line.chat_id)
        if not any(op.path) or len(op.path) > MAX_DEPTH:
            raise InputError(Phrase(_T("reports", "A state needs the place where it stands.")))
        floor = store.messages.count(line.branch_id) - 1
        if floor < 0:
            raise InputError(Phrase(_T("reports", "The chat has no message yet.")))
        with store.step(label):
            store.state_ops.add(line.branch_id, floor, op)
        return Changes(chat_id=line.chat_id, state=True, undo_label=label)
