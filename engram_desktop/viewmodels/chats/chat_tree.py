"""Chats as a tree: folders, branches, the status bar of a chat, and the trash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Branch, Line
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import AnyIndex, LiveQuery, RowRole
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ChatSummary, IndexHealth


_NO_INDEX = QModelIndex()


class ChatTree(QAbstractListModel):
    loaded = Signal()

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo
        self._all: list[ChatSummary] = []
        self._shown: list[ChatSummary] = []
        self._text = ""
        self.is_loaded = False
        self._query = LiveQuery(
            workspace,
            "chats",
            self._ask,
            self._show,
            concerns=self._concerns,
            of_chat=False,
            parent=self,
        )
        self._query.lane = "aside"

    @property
    def chats(self) -> list[ChatSummary]:
        return self._all

    def chat(self, chat_id: str) -> ChatSummary | None:
        return next((c for c in self._all if c.chat_id == chat_id), None)

    @property
    def current(self) -> ChatSummary | None:
        return self.chat(self._space.chat_id)

    def row_of(self, chat_id: str) -> int:
        return next((n for n, c in enumerate(self._shown) if c.chat_id == chat_id), -1)

    def search(self, text: str) -> None:
        self._text = text.strip().casefold()
        self._filter()

    def load(self) -> None:
        self._query.read()

    def rename(self, chat_id: str, name: str) -> None:
        memory = self._space.memory
        if name.strip():
            job = self._space.change(
                self.tr("Renaming the chat"),
                lambda _ctx: memory.chats.rename(chat_id, name.strip()),
            )
            text = self.tr("The chat is called “{name}” now").format(name=name.strip())
            job.succeeded.connect(lambda changes: self._undo.offer(text, changes.undo_label))

    @override
    def rowCount(self, parent: AnyIndex = _NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        chat = self._shown[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return chat.name
            case Qt.ItemDataRole.ToolTipRole:  # a long name is cut in the list
                parts = (chat.name, self.describe(chat), translated(chat.fault))
                return "\n".join(filter(None, parts))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{chat.name}. {self.describe(chat)} {translated(chat.fault)}".strip()
            case _ if role == RowRole:
                return chat
        return None

    def describe(self, chat: ChatSummary) -> str:
        if chat.fault:
            return self.tr("Cannot be opened")
        floors = self.tr("%n floor(s)", "", chat.messages)
        if chat.events == 0:
            return self.tr("{floors} · no summary").format(floors=floors)
        return self.tr("{floors} · buffer {buffer}").format(floors=floors, buffer=chat.buffer)

    def _ask(self) -> Callable[[JobContext], list[ChatSummary]]:
        memory = self._space.memory
        return lambda _ctx: memory.chats.all()

    def _show(self, chats: list[ChatSummary]) -> None:
        self._all = sorted(chats, key=lambda c: -c.updated_at)
        self.is_loaded = True
        self._filter()
        chat_id = self._space.chat_id
        if self.chat(chat_id) is None:
            self._space.show_chat(self._all[0].chat_id if self._all else "")
        self.loaded.emit()

    def _filter(self) -> None:
        self.beginResetModel()
        self._shown = [
            c
            for c in self._all
            if self._text in c.name.casefold()
            or any(self._text in name.casefold() for name in c.characters)
        ]
        self.endResetModel()

    @staticmethod
    def _concerns(changes: Changes) -> bool:
        return changes.library or changes.rows or changes.counts or changes.messages


MAX_COMPARED = 300  # events of each side that are listed


def branch_name(branch: Branch) -> str:
    """Return a branch's name as shown to the user; the main branch has a fixed name."""
    if branch.parent_id is not None:
        return branch.name
    return QCoreApplication.translate("Branches", "Main line")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Memories that only one of two branches has.

    The lists are cut at `MAX_COMPARED`; the counts are complete.
    """

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


class Branches(WorkspaceModel):
    changed = Signal()  # `rows`, or which of them is shown
    compared = Signal(object)  # Comparison

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
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
        """Return the shown branch; None until the branches were read."""
        return next((row for row in self.rows if row.id == self._space.branch_id), None)

    @Slot()
    def read(self) -> None:
        self._query.read()

    def show(self, branch_id: str) -> None:
        self._space.show_branch(branch_id)

    def fork(self, branch_id: str, at: int, name: str) -> None:
        """Make and show a branch that shares all floors up to ``at``."""
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
        job.succeeded.connect(self.compared)

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


POLL_MS = 5000  # milliseconds; the index catches up by itself, and its progress has to be polled
CATCHING_UP = {"starting", "behind", "changing"}


@dataclass(frozen=True, slots=True)
class StatusValues:
    line: Line
    floors: int
    index: IndexHealth
    visible_tokens: int
    visible_limit: int
    untold: int  # archived events that belong to no outline
    mode: str


def _read(memory: Memory, line: Line) -> StatusValues:
    settings = memory.settings.read(line.chat_id)
    visible = memory.events.always_visible(line)
    return StatusValues(
        line,
        memory.messages.count(line),
        memory.index.health(line.chat_id),
        visible.tokens,
        settings.visible_tokens,
        visible.untold,
        settings.memory_mode,
    )


class ChatStatus(WorkspaceModel):
    changed = Signal(object)  # StatusValues or None

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.values: StatusValues | None = None
        self._query = LiveQuery(
            workspace,
            "status",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.lane = "aside"
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._on_poll)
        self._poll.start()

    @property
    def floors(self) -> int:
        """Return the number of floors of the shown line; 0 before it was read."""
        return self.values.floors if self.values else 0

    @Slot()
    def read(self) -> None:
        self._query.read()

    def _ask(self) -> Callable[[JobContext], StatusValues] | None:
        line, memory = self._space.line, self._space.memory
        return (lambda _ctx: _read(memory, line)) if line.chat_id else None

    def _show(self, values: StatusValues | None) -> None:
        if values != self.values:
            self.values = values
            self.changed.emit(values)

    def _forget(self) -> None:
        if not self._space.chat_id:
            self._show(None)

    def _concerns(self, changes: Changes) -> bool:
        is_touched = changes.has_memory or changes.messages or changes.logs or changes.index
        return changes.settings or (is_touched and changes.chat_id == self._space.chat_id)

    @Slot()
    def _on_poll(self) -> None:
        if self.values is not None and self.values.index.state in CATCHING_UP:
            self._query.refresh()


class TrashList(WorkspaceModel):
    listed = Signal(object)  # list[DeletedChat]

    @Slot()
    def read(self) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.chats.deleted())
        job.succeeded.connect(self.listed)

    def delete_chat(self, chat_id: str, name: str) -> None:
        """Move a chat to the trash, with a message that offers to restore it."""
        memory = self._space.memory
        if self._space.chat_id == chat_id:
            self._space.show_chat("")  # before the chat is deleted, so that no page reads from it
        job = self._space.change(
            self.tr("Deleting the chat"), lambda _ctx: memory.chats.delete(chat_id)
        )
        text = self.tr("The chat “{name}” was deleted").format(name=name)
        hint = self.tr("It lies in the trash, above the list of chats.")
        notice = Notice("info", text, hint, self.tr("Undo"), lambda: self.restore([chat_id]))
        job.succeeded.connect(lambda _changes: self._space.messages.show(notice))

    def restore(self, ids: Sequence[str]) -> None:
        """Restore deleted chats, and show the last of them."""
        memory = self._space.memory

        def work(_ctx: JobContext) -> Changes:
            changes = Changes()
            there = {chat.chat_id for chat in memory.chats.all()}
            for chat_id in ids:
                # the button may be pressed after the chat was restored elsewhere: then only show it
                is_there = chat_id in there
                changes = (
                    Changes(chat_id) if is_there else memory.chats.restore(chat_id)
                ) | changes
            return changes

        job = self._space.change(self.tr("Bringing chats back"), work)
        job.succeeded.connect(self._on_restored)

    def delete_for_good(self, ids: Sequence[str]) -> None:
        memory = self._space.memory

        def work(ctx: JobContext) -> None:
            for number, chat_id in enumerate(ids):
                ctx.report(number, len(ids), "files")
                memory.chats.delete_for_good(chat_id)

        job = self._space.run(self.tr("Deleting for good"), work)
        job.finished.connect(self.read)

    @Slot(object)
    def _on_restored(self, changes: Changes) -> None:
        self._space.show_chat(changes.chat_id or "")
        self.read()
