"""The branches of the chat shown: switch, fork, rename, delete, compare, roll back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.branch import Branch
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace

MAX_COMPARED = 300  # events of each side that are listed


def branch_name(branch: Branch) -> str:
    """Name of a branch as the reader knows it; the main one has no name of its own."""
    if branch.parent_id is not None:
        return branch.name
    return QCoreApplication.translate("Branches", "Main line")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two branches remember apart; lists are cut at `MAX_COMPARED`, the counts are not."""

    first: Branch
    second: Branch
    only_first: tuple[EventNode, ...]
    only_second: tuple[EventNode, ...]
    counts: tuple[int, int, int]  # only first, only second, shared


@dataclass(frozen=True, slots=True)
class _Fork:
    branch_id: str
    changes: Changes


def _compare(memory: Memory, chat: str, first: Branch, second: Branch) -> Comparison:
    difference = memory.branches.compare(chat, first.id, second.id)

    def events(keys: tuple[int, ...]) -> tuple[EventNode, ...]:
        part = keys[:MAX_COMPARED]
        rows = memory.events.fetch(chat, part)
        return tuple(rows[key] for key in part if key in rows)

    return Comparison(
        first,
        second,
        events(difference.only_first),
        events(difference.only_second),
        (len(difference.only_first), len(difference.only_second), len(difference.shared)),
    )


class Branches(QObject):
    changed = Signal()  # `rows` or which of them is shown
    compared = Signal(object)  # Comparison

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.rows: list[Branch] = []
        self._query = LiveQuery(
            workspace,
            "branches",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self.read()

    @property
    def current(self) -> Branch | None:
        """The branch shown, once it was read."""
        return next((row for row in self.rows if row.id == self._space.branch_id), None)

    @Slot()
    def read(self) -> None:
        self._query.read()

    def show(self, branch_id: str) -> None:
        self._space.show_branch(branch_id)

    def fork(self, branch_id: str, at: int, name: str) -> None:
        """Make a branch that shares floors up to ``at``, and show it."""
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Forking a branch"),
            lambda _ctx: _Fork(*memory.branches.fork(Line(chat, branch_id), at=at, name=name)),
        )
        job.succeeded.connect(self._on_forked)

    def rename(self, branch_id: str, name: str) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        self._space.change(
            self.tr("Renaming a branch"),
            lambda _ctx: memory.branches.rename(Line(chat, branch_id), name),
        )

    def delete(self, branch_id: str) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        self._space.change(
            self.tr("Deleting a branch"), lambda _ctx: memory.branches.delete(Line(chat, branch_id))
        )

    def roll_back(self, branch_id: str, to: int) -> None:
        """Delete every floor after ``to`` with its memories, as one undo step."""
        chat, memory = self._space.chat_id, self._space.memory

        def work(_ctx: object) -> Changes:
            count = memory.messages.count(Line(chat, branch_id)) - 1 - to
            return memory.messages.delete_last(Line(chat, branch_id), count)

        self._space.change(self.tr("Rolling back"), work)

    def compare(self, first: Branch, second: Branch) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.look_up(lambda _ctx: _compare(memory, chat, first, second))
        job.succeeded.connect(self._on_compared)

    def _ask(self) -> Callable[[JobContext], list[Branch]] | None:
        chat, memory = self._space.chat_id, self._space.memory
        return (lambda _ctx: memory.branches.all(chat)) if chat else None

    def _show(self, rows: list[Branch]) -> None:
        self.rows = rows
        self.changed.emit()

    def _forget(self) -> None:
        if not self._space.chat_id:
            self._show([])

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        return is_ours and (changes.branches or changes.rows or changes.messages)

    @Slot(object)
    def _on_forked(self, fork: _Fork) -> None:
        self._space.show_branch(fork.branch_id)

    @Slot(object)
    def _on_compared(self, comparison: Comparison) -> None:
        self.compared.emit(comparison)
