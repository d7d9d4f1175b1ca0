"""Read a few messages of the chat shown, and the events made of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.workspace import AskedMemories, Workspace

MAX_FLOORS = 200


class MessageReader(QObject):
    read = Signal(object)  # list[Message]
    remembered = Signal(object)  # list[EventNode]

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace

    def ask(self, first: int, last: int) -> None:
        line, memory, actor = self._space.line, self._space.memory, self._space.actor
        end = min(last, first + MAX_FLOORS - 1)
        job = self._space.look_up(lambda ctx: _messages(ctx, memory, line, actor, (first, end)))
        job.succeeded.connect(self._on_read)
        events_job = self._space.look_up(
            lambda ctx: _events(ctx, memory, line, actor, (first, last))
        )
        events_job.succeeded.connect(self._on_remembered)

    def show_event(self, key: int) -> None:
        """Go from messages to the memory that was made of them."""
        self._space.event_wanted.emit(key)

    def ask_who(self, message: Message, _checked: object = None) -> None:
        """Ask who knows a message."""
        asked = AskedMemories((("turn", message.id),), message.text, message.seq)
        self._space.who_wanted.emit(asked)

    @Slot(object)
    def _on_read(self, messages: list[Message]) -> None:
        self.read.emit(messages)

    @Slot(object)
    def _on_remembered(self, events: list[EventNode]) -> None:
        self.remembered.emit(events)


def _messages(
    ctx: JobContext, memory: Memory, line: Line, actor: str, span: tuple[int, int]
) -> list[Message]:
    """Read messages as somebody of the story perceived them; as they are for the curator."""
    if actor:
        return memory.knowledge.heard(ctx, line, actor, *span)
    return memory.messages.slice(line, *span)


def _events(
    ctx: JobContext, memory: Memory, line: Line, actor: str, span: tuple[int, int]
) -> list[EventNode]:
    events = memory.events.at_floors(line, *span)
    if not actor:
        return events
    actors = memory.knowledge.askers(ctx, line, [actor])
    query = EventQuery(branch_id=line.branch_id, actors=actors)
    known = set(memory.events.find(line.chat_id, query))
    return [event for event in events if event.pk in known]
