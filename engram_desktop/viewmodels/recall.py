"""Ask the memory a question: ranked hits with their reasons, and the text a prompt would get."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.event import EventNode
from engram_desktop.domain.recall import Injection, ItemKind, RecallHit, RecallQuery, RecallResult
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Answer:
    result: RecallResult
    injection: Injection


def _ask(
    ctx: JobContext, memory: Memory, chat: str, query: RecallQuery, budget: int | None
) -> Answer:
    return Answer(memory.recall(ctx, chat, query), memory.inject(ctx, chat, query, budget))


class RecallPageModel(QObject):
    answered = Signal(object)  # Answer
    busy_changed = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._generation = 0
        self.answer: Answer | None = None

    def ask(
        self, text: str, *, top_k: int, kinds: tuple[ItemKind, ...], budget: int | None
    ) -> None:
        chat = self._space.chat_id
        if not chat or not text.strip():
            return
        self._generation += 1
        number, memory = self._generation, self._space.memory
        query = RecallQuery(text.strip(), top_k=top_k, kinds=kinds)
        self.busy_changed.emit(True)
        job = self._space.look_up(lambda ctx: (number, _ask(ctx, memory, chat, query, budget)))
        job.succeeded.connect(self._on_answered)
        job.finished.connect(self._on_finished)

    def open_hit(self, hit: RecallHit) -> None:
        """Show the event a hit came from, or else its messages."""
        if hit.item.kind == "event":
            chat, memory, item = self._space.chat_id, self._space.memory, hit.item
            job = self._space.look_up(lambda _ctx: memory.find_event(chat, item.ref))
            job.succeeded.connect(self._on_event_found)
        else:
            self._space.floor_wanted.emit(hit.item.start_index, hit.item.end_index)

    @Slot(object)
    def _on_event_found(self, event: EventNode | None) -> None:
        if event is not None:
            self._space.event_wanted.emit(event.pk)

    @Slot(object)
    def _on_answered(self, answer: tuple[int, Answer]) -> None:
        number, found = answer
        if number == self._generation:
            self.answer = found
            self.answered.emit(found)

    @Slot()
    def _on_finished(self) -> None:
        self.busy_changed.emit(False)
