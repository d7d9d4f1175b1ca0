"""Viewmodel of volumes: list, make, attach, update, export and import them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.volume import VolumeInfo, VolumeKind
    from engram_desktop.domain.reports import ChatSummary
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.viewmodels.chats.chat_tree import ChatTree
    from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
    from engram_desktop.viewmodels.workspace.workspace import Workspace


class Volumes(WorkspaceModel):
    """Volumes of the library. ``rows`` are read while a dialog is shown.

    What a new volume would hold is counted when `count` is called.
    """

    listed = Signal()
    counted = Signal(object)  # dict[kind, number]: what a volume of a chat would hold
    opened = Signal(object)  # the Volume that was read

    def __init__(
        self,
        workspace: Workspace,
        chats: ChatTree,
        undo: UndoActions,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(workspace, parent)
        self._chats = chats
        self._undo = undo
        self.rows: list[VolumeInfo] = []
        self._query = LiveQuery(
            workspace,
            "volumes",
            self._ask,
            self._show,
            concerns=lambda changes: changes.volumes or changes.library,
            of_chat=False,
            parent=self,
        )
        self._query.set_active(False)
        self._counting = newest_answer(workspace, self.counted, self)
        self._opening = newest_answer(workspace, self.opened, self)

    @property
    def chats(self) -> list[ChatSummary]:
        """Return the chats that can read a volume."""
        return [chat for chat in self._chats.chats if not chat.fault]

    def name(self, chat_id: str) -> str:
        chat = self._chats.chat(chat_id)
        return chat.name if chat is not None else chat_id

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a dialog is shown or not
        """Start or stop reading; only a shown dialog reads by itself."""
        self._query.set_active(active)

    def count(self, chat_id: str) -> None:
        """Count what a volume of a chat would hold; emits `counted`."""
        memory, line = self._space.memory, self._line(chat_id)
        self._counting.ask(lambda ctx: memory.volumes.preview(ctx, line))

    def open(self, volume: VolumeInfo) -> None:
        """Read the content of a volume; emits `opened`."""
        memory = self._space.memory
        self._opening.ask(lambda _ctx: memory.volumes.read(volume.id))

    def make(self, chat_id: str, title: str, kinds: Sequence[VolumeKind]) -> None:
        memory, line = self._space.memory, self._line(chat_id)
        self._change(
            self.tr("Making a volume"),
            lambda ctx: memory.volumes.make(ctx, line, title, kinds)[1],
            self.tr("The volume “{title}” was made").format(title=title.strip()),
        )

    def attach(self, volume: VolumeInfo, chat_id: str) -> None:
        memory = self._space.memory
        text = self.tr("“{chat}” reads the volume “{title}” now")
        text = text.format(chat=self.name(chat_id), title=volume.title)
        self._change(
            self.tr("Attaching a volume"),
            lambda ctx: memory.volumes.attach(ctx, volume.id, chat_id),
            text,
            unchanged=text,
        )

    def detach(self, volume: VolumeInfo, chat_id: str) -> None:
        memory = self._space.memory
        text = self.tr("“{chat}” no longer reads the volume “{title}”")
        text = text.format(chat=self.name(chat_id), title=volume.title)
        self._change(
            self.tr("Detaching a volume"),
            lambda ctx: memory.volumes.detach(ctx, volume.id, chat_id),
            text,
            unchanged=text,
        )

    def update(self, volume: VolumeInfo) -> None:
        """Make a volume again from its chat; the chats that read it keep it attached."""
        memory = self._space.memory
        self._change(
            self.tr("Updating a volume"),
            lambda ctx: memory.volumes.update(ctx, volume.id)[1],
            self.tr("The volume “{title}” was updated").format(title=volume.title),
        )

    def delete(self, volume: VolumeInfo) -> None:
        memory = self._space.memory
        self._change(
            self.tr("Deleting a volume"),
            lambda ctx: memory.volumes.delete(ctx, volume.id),
            self.tr("The volume “{title}” was deleted").format(title=volume.title),
        )

    def import_file(self, path: Path) -> None:
        memory = self._space.memory
        self._change(
            self.tr("Importing a volume"),
            lambda ctx: memory.volumes.import_file(ctx, path)[1],
            self.tr("The volume was imported"),
            self.tr("This volume is in the library already"),
        )

    def export(self, volume: VolumeInfo, target: Path) -> None:
        """Write a volume to the new file ``target``."""
        memory = self._space.memory
        path = target if target.suffix else target.with_suffix(".json")
        job = self._space.run(
            self.tr("Exporting a volume"),
            lambda ctx: memory.volumes.export(ctx, volume.id, path),
            lane="network",
        )
        text = self.tr("The volume “{title}” was written to a file").format(title=volume.title)
        job.succeeded.connect(lambda _info: self._space.messages.tell(text, kind="success"))

    def _change(
        self,
        title: str,
        work: Callable[[JobContext], Changes],
        text: str,
        unchanged: str = "",
    ) -> None:
        def tell(changes: Changes) -> None:
            if changes.undo_label is not None:
                self._undo.offer(text, changes.undo_label)
            else:
                self._space.messages.show(Notice("info", unchanged))

        job = self._space.change(title, work, lane="network")
        job.succeeded.connect(tell)

    def _line(self, chat_id: str) -> Line:
        """Return the line a volume of a chat is made from: the shown one, else its main branch."""
        return self._space.line if chat_id == self._space.chat_id else Line.main(chat_id)

    def _ask(self) -> Callable[[JobContext], list[VolumeInfo]]:
        memory = self._space.memory
        return lambda _ctx: memory.volumes.all()

    @Slot(object)
    def _show(self, rows: list[VolumeInfo]) -> None:
        self.rows = rows
        self.listed.emit()
