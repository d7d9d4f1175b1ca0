"""Read a few messages of the chat shown, and the events made of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.message import Message
from engram_desktop.viewmodels.workspace.workspace import Workspace

MAX_FLOORS = 200


class MessageReader(QObject):
    read = Signal(object)  # list[Message]
    remembered = Signal(object)  # list[EventNode]

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    def ask(self, first: int, last: int) -> None:
        line, memory = self._space.line, self._space.memory
        end = min(last, first + MAX_FLOORS - 1)
        job = self._space.look_up(lambda _ctx: memory.messages.slice(line, first, end))
        job.succeeded.connect(self._on_read)
        events_job = self._space.look_up(lambda _ctx: memory.events.at_floors(line, first, last))
        events_job.succeeded.connect(self._on_remembered)

    def show_event(self, key: int) -> None:
        """Go from messages to the memory that was made of them."""
        self._space.event_wanted.emit(key)

    @Slot(object)
    def _on_read(self, messages: list[Message]) -> None:
        self.read.emit(messages)

    @Slot(object)
    def _on_remembered(self, events: list[EventNode]) -> None:
        self.remembered.emit(events)
