"""As whom, and as of which floor, a chat is seen: everything as it is now, or less."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.viewmodels.workspace.live_query import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace


class Viewpoint(QObject):
    """``names`` are read when they are asked for: that may have to work out who knows what."""

    changed = Signal(str)  # as whom, empty for the curator
    names_read = Signal(object)  # list[str], those who perceive most first
    at_changed = Signal(object)  # floor as of which the chat is seen, None for now
    last_read = Signal(object)  # newest floor of the line shown

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self.names: list[str] = []
        self._reading = NewestAnswer(workspace.jobs, self)
        self._reading.answered.connect(self._on_read)
        self._reading.failed.connect(workspace.messages.show_error)
        self._counting = NewestAnswer(workspace.jobs, self)
        self._counting.answered.connect(self.last_read)
        self._counting.failed.connect(workspace.messages.show_error)
        workspace.actor_changed.connect(self.changed)
        workspace.at_changed.connect(self.at_changed)
        workspace.chat_changed.connect(self._on_chat_changed)

    @property
    def current(self) -> str:
        return self._space.actor

    def view_as(self, name: str) -> None:
        """Show everything as this one knows it; empty: as it is."""
        self._space.view_as(name)

    @property
    def at(self) -> int | None:
        return self._space.at

    def view_at(self, floor: int | None) -> None:
        """Show everything as of a floor; None: as it is now."""
        self._space.view_at(floor)

    def view_before(self) -> None:
        """Show everything as of the floor before the newest, from where the dial goes back."""
        line, memory = self._space.line, self._space.memory
        if line.chat_id and self._space.at is None:
            job = self._space.look_up(lambda _ctx: max(0, memory.messages.count(line) - 2))
            job.succeeded.connect(
                lambda floor: self._space.view_at(floor) if line == self._space.line else None
            )

    def _read_last(self) -> None:
        line, memory = self._space.line, self._space.memory
        if line.chat_id:
            self._counting.ask(lambda _ctx: memory.messages.count(line) - 1)

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
        self._counting.drop()
        self.names = []
        if self._space.at is not None:
            self._read_last()
