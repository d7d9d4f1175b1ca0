"""The deleted chats: brought back, or deleted for good."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.reports import DeletedChat
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace


class TrashList(QObject):
    listed = Signal(object)  # list[DeletedChat]

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    @Slot()
    def read(self) -> None:
        memory = self._space.memory
        job = self._space.look_up(lambda _ctx: memory.chats.deleted())
        job.succeeded.connect(self._on_read)

    def delete_chat(self, chat_id: str, name: str) -> None:
        """Move a chat to the trash; the message that says so has a way back."""
        memory = self._space.memory
        if self._space.chat_id == chat_id:
            self._space.show_chat("")  # no page asks for what is going; the list shows another
        job = self._space.change(
            self.tr("Deleting the chat"), lambda _ctx: memory.chats.delete(chat_id)
        )
        text = self.tr("The chat “{name}” was deleted").format(name=name)
        hint = self.tr("It lies in the trash, above the list of chats.")
        notice = Notice("info", text, hint, self.tr("Undo"), lambda: self.restore([chat_id]))
        job.succeeded.connect(lambda _changes: self._space.messages.show(notice))

    def restore(self, ids: Sequence[str]) -> None:
        """Bring deleted chats back, and show the last of them."""
        memory = self._space.memory

        def work(_ctx: JobContext) -> Changes:
            changes = Changes()
            for chat_id in ids:
                changes = memory.chats.restore(chat_id) | changes
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
    def _on_read(self, rows: list[DeletedChat]) -> None:
        self.listed.emit(rows)

    @Slot(object)
    def _on_restored(self, changes: Changes) -> None:
        self._space.show_chat(changes.chat_id or "")
        self.read()
