"""As whom the library is seen: as the curator, who sees everything, or as one of the story."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.viewmodels.workspace.live_query import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace


class Viewpoint(QObject):
    """``names`` are read when they are asked for: that may have to work out who knows what."""

    changed = Signal(str)  # as whom, empty for the curator
    names_read = Signal(object)  # list[str], those who perceive most first

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.names: list[str] = []
        self._reading = NewestAnswer(workspace.jobs, self)
        self._reading.answered.connect(self._on_read)
        self._reading.failed.connect(workspace.messages.show_error)
        workspace.actor_changed.connect(self.changed)
        workspace.chat_changed.connect(self._on_chat_changed)

    @property
    def current(self) -> str:
        return self._space.actor

    def view_as(self, name: str) -> None:
        """Show everything as this one knows it; empty: as it is."""
        self._space.view_as(name)

    @Slot()
    def read(self) -> None:
        line, memory = self._space.line, self._space.memory
        if line.chat_id:
            self._reading.ask(lambda ctx: memory.knowledge.actors(ctx, line))

    @Slot(object)
    def _on_read(self, names: list[str]) -> None:
        self.names = names
        self.names_read.emit(names)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        self._reading.drop()
        self.names = []
