"""The part of the facade that deals with the state of a story (design note 003 §2.1 C).

The state is worked out from the messages whenever it is asked for: what a reply says is all there
is to keep true, so an edit, another swipe, a deletion or a branch can never leave a wrong one
behind. Only what the user changes by hand is stored.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.labels import REMOVE_STATE, SET_STATE, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.state.condition import Verdict, evaluate, facts_of
from engram_desktop.domain.state.log import StateEntry, StateHistory
from engram_desktop.domain.state.tree import (
    MAX_DEPTH,
    Path,
    State,
    StateOp,
    apply,
    compared,
    join_path,
)
from engram_desktop.formats.adopt import mvu
from engram_desktop.formats.chats import state_updates
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.adopt import adoptable
from engram_desktop.services.facade.open_chats import OpenChats

if TYPE_CHECKING:
    from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP
BATCH = 500
_BESIDE = '"stat_data"'


class States(OpenChats):
    """What `Memory` can do with the state."""

    @abstractmethod
    def _initial(self, chat_id: str) -> Iterable[str]: ...

    def state_history(
        self,
        ctx: JobContext,
        chat_id: str,
        branch_id: str = MAIN_BRANCH,
        at: int | None = None,
    ) -> StateHistory:
        """Return the state after floor ``at`` (None: the last) and how it came about.

        Raises NotFound for a floor there is not.
        """
        store = self._chat(chat_id)
        last = store.messages.count(branch_id) - 1
        if at is not None and not 0 <= at <= last:
            raise NotFound("message", at)
        return self._replay(ctx, store, branch_id, 0, last if at is None else at)

    def _replay(
        self, ctx: JobContext, store: ChatStore, branch_id: str, first: int, floor: int
    ) -> StateHistory:
        """Replay floors ``first``..``floor``, from where the story begins."""
        tree: State = state_updates.tame(
            adoptable.begins_with(store, branch_id, lambda: self._initial(store.chat_id))
        )
        entries = [StateEntry(0, "begin", tuple(compared({}, tree)))] if tree else []
        by_hand = _ByHand(store.state_ops.of_line(branch_id, floor))
        for seq, text, raw in _replies(store, ctx, branch_id, first, floor):
            entries += by_hand.before(tree, seq)
            entry = _told(tree, seq, text, raw)
            if entry.changes or entry.faults:
                entries.append(entry)
        entries += by_hand.before(tree, floor + 1)
        return StateHistory(floor, tree, tuple(entries))

    def fulfilled_conditions(
        self, ctx: JobContext, chat_id: str, actor: str, branch_id: str, at: int | None = None
    ) -> frozenset[str]:
        """References of conditional memories that ``actor`` may know as things stand at ``at``."""
        conditional = self._chat(chat_id).items.conditional()
        if not conditional:
            return frozenset()
        floor, tree = self._tree_at(ctx, chat_id, branch_id, at)
        known = set()
        for ref, owner, text, names in conditional:
            facts = facts_of(tree, actor=actor, owner=owner, participants=names, floor=floor)
            if evaluate(text, facts).holds:
                known.add(ref)
        return frozenset(known)

    def check_condition(
        self, ctx: JobContext, chat_id: str, text: str, owner: str, branch_id: str = MAIN_BRANCH
    ) -> Verdict:
        """Say whether a condition holds now, for the one whose memory it guards."""
        floor, tree = self._tree_at(ctx, chat_id, branch_id, None)
        return evaluate(text, facts_of(tree, actor=owner, owner=owner, floor=floor))

    def _tree_at(
        self, ctx: JobContext, chat_id: str, branch_id: str, at: int | None
    ) -> tuple[int, State]:
        """Return floor ``at``, the last at most, and the state there, without its history.

        Variables beside a message hold the whole state: nothing before the newest is read.
        """
        store = self._chat(chat_id)
        last = store.messages.count(branch_id) - 1
        floor = last if at is None else min(at, last)
        first = store.messages.newest_reply_with(branch_id, floor, _BESIDE)
        return floor, self._replay(ctx, store, branch_id, first, floor).tree

    def set_state(
        self, chat_id: str, path: Path, value: Any, branch_id: str = MAIN_BRANCH
    ) -> Changes:
        """Put a value at ``path`` from the newest floor on. Raises InputError."""
        label = StepLabel(SET_STATE, {"path": join_path(path)})
        return self._change(chat_id, branch_id, StateOp("set", path, value), label)

    def remove_state(self, chat_id: str, path: Path, branch_id: str = MAIN_BRANCH) -> Changes:
        """Take away what stands at ``path`` from the newest floor on. Raises InputError."""
        label = StepLabel(REMOVE_STATE, {"path": join_path(path)})
        return self._change(chat_id, branch_id, StateOp("remove", path), label)

    def _change(self, chat_id: str, branch_id: str, op: StateOp, label: StepLabel) -> Changes:
        store = self._chat(chat_id)
        if not any(op.path) or len(op.path) > MAX_DEPTH:
            raise InputError(Phrase(_T("reports", "A state needs the place where it stands.")))
        floor = store.messages.count(branch_id) - 1
        if floor < 0:
            raise InputError(Phrase(_T("reports", "The chat has no message yet.")))
        with store.step(label):
            store.state_ops.add(branch_id, floor, op)
        return Changes(chat_id=chat_id, state=True, undo_label=label)


class _ByHand:
    """What the user changed, told when its turn comes: after what its floor says itself."""

    def __init__(self, ops: list[tuple[int, StateOp]]) -> None:
        self._ops = ops

    def before(self, tree: State, floor: int) -> Iterator[StateEntry]:
        while self._ops and self._ops[0][0] < floor:
            seq, op = self._ops.pop(0)
            yield StateEntry(seq, "user", (apply(tree, op),))


def _replies(
    store: ChatStore, ctx: JobContext, branch_id: str, first: int, last: int
) -> Iterator[tuple[int, str, str]]:
    for begin in range(first, last + 1, BATCH):
        ctx.check()
        span = (begin, min(last, begin + BATCH - 1))
        yield from store.messages.replies_with(branch_id, span, state_updates.MARKS, _BESIDE)


def _told(tree: State, floor: int, text: str, raw: str) -> StateEntry:
    """Change ``tree`` as one reply says; the variables beside it hold the outcome, if any."""
    said = state_updates.updates_in(text)
    whole: State = state_updates.tame(mvu.state_in(adoptable.row_of(raw))) if _BESIDE in raw else {}
    if whole:
        reasons = {op.path: op.reason for op in said.ops if op.reason}
        changes = compared(tree, whole)
        tree.clear()
        tree.update(whole)
        explained = tuple(change.because(reasons.get(change.path, "")) for change in changes)
        return StateEntry(floor, "variables", explained)
    changes = [apply(tree, op) for op in said.ops]
    return StateEntry(floor, "reply", tuple(changes), tuple(said.dialects), tuple(said.faults))
