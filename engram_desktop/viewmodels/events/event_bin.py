"""The bin of a chat's events: what was deleted, and bringing it back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.workspace.workspace import Workspace


class EventBin(QObject):
    listed = Signal(object)  # list[EventNode], the one deleted last first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._is_watched = False
        workspace.hub.changed.connect(self._on_changed)

    def watch(self, *, wanted: bool) -> None:
        """Read the bin, and read it again as it changes, until nobody looks."""
        self._is_watched = wanted
        if wanted:
            self._read()

    def bring_back(self, pks: Sequence[int]) -> None:
        memory, chat = self._space.memory, self._space.chat_id
        self._space.change(
            self.tr("Bringing %n event(s) back", "", len(pks)),
            lambda ctx: memory.events.bring_back(ctx, chat, pks),
        )

    def _read(self) -> None:
        if self._space.actors or not self._space.chat_id:  # what was deleted is the curator's
            self.listed.emit([])
            return
        memory, line = self._space.memory, self._space.line
        job = self._space.look_up(lambda _ctx: memory.events.deleted(line))
        job.succeeded.connect(self._on_read)

    @Slot(object)
    def _on_read(self, events: list[EventNode]) -> None:
        self.listed.emit(events)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if self._is_watched and changes.chat_id == self._space.chat_id and changes.rows:
            self._read()
