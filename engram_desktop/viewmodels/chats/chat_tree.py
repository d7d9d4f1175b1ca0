"""The chats of the library, filtered by name, with what each holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.reports import ChatSummary
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.paged_list import AnyIndex, RowRole
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace

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
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{chat.name}. {self.describe(chat)} {chat.fault}".strip()
            case _ if role == RowRole:
                return chat
        return None

    def describe(self, chat: ChatSummary) -> str:
        if chat.fault:
            return self.tr("Cannot be opened")
        floors = self.tr("%n floor(s)", "", chat.messages)
        if chat.events == 0:
            return self.tr("{floors} · not yet summarised").format(floors=floors)
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
