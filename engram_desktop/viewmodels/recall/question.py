"""Ask the memory a question: ranked hits with their reasons, and the text a prompt would get.

What was asked before can be explained, and what must not be used again is muted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.explanation import Explanation, PastRecall, explain
from engram_desktop.domain.recall.query import (
    Injection,
    ItemKind,
    MemoryItem,
    RecallQuery,
    RecallResult,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked for on the page."""

    query: RecallQuery
    budget: int | None = None
    expanded: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    result: RecallResult
    injection: Injection
    why: Explanation


def _ask(ctx: JobContext, memory: Memory, chat: str, asked: Question) -> Answer:
    query, expanded = asked.query, asked.expanded
    result = memory.recall.ask(ctx, chat, query, expanded=expanded, logged=False)
    if expanded and "expand" not in result.degraded:  # asked once for both
        query = replace(query, context=result.searched)
    injection = memory.inject.compose(ctx, chat, query, asked.budget, expanded=False)
    return Answer(asked, result, injection, explain([result]))


class RecallPageModel(QObject):
    answered = Signal(object)  # Answer
    busy_changed = Signal(bool)
    past_read = Signal(object)  # list[PastRecall]
    explained = Signal(object)  # Explanation
    muted_read = Signal(object)  # list[MemoryItem]

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._generation = 0
        self.answer: Answer | None = None
        workspace.hub.changed.connect(self._on_changed)

    # --- asking ---

    def ask(
        self,
        text: str,
        *,
        top_k: int,
        kinds: tuple[ItemKind, ...],
        budget: int | None,
        expanded: bool = False,
    ) -> None:
        if self._space.chat_id and text.strip():
            query = RecallQuery(
                text.strip(), top_k=top_k, kinds=kinds, branch_id=self._space.branch_id
            )
            self._ask(Question(query, budget, expanded))

    def open_memory(self, kind: ItemKind, ref: str, first: int, last: int) -> None:
        """Show the event a memory came from, or else its messages."""
        if kind == "event":
            chat, memory = self._space.chat_id, self._space.memory
            job = self._space.look_up(lambda _ctx: memory.events.find_one(chat, ref))
            job.succeeded.connect(self._on_event_found)
        else:
            self._space.floor_wanted.emit(first, last)

    def freeze(self, turns: int) -> None:
        """Hold the text of the last question still for ``turns``."""
        chat, memory, branch = self._space.chat_id, self._space.memory, self._space.branch_id
        job = self._space.change(
            self.tr("Holding the injection still"),
            lambda _ctx: memory.inject.freeze(chat, turns, branch),
        )
        job.succeeded.connect(self._ask_again)

    def unfreeze(self) -> None:
        chat, memory, branch = self._space.chat_id, self._space.memory, self._space.branch_id
        job = self._space.change(
            self.tr("Composing injections anew"), lambda _ctx: memory.inject.unfreeze(chat, branch)
        )
        job.succeeded.connect(self._ask_again)

    # --- explaining and correcting ---

    def read_past(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if chat:
            job = self._space.look_up(lambda _ctx: memory.recall.past(chat))
            job.succeeded.connect(self._on_past_read)

    def explain(self, recall_id: int) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.recall.explanation(chat, recall_id))
        job.succeeded.connect(self._on_explained)

    def set_muted(self, refs: Sequence[str], *, muted: bool) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        title = self.tr("Muting a memory") if muted else self.tr("Allowing a memory")
        job = self._space.change(
            title, lambda _ctx: memory.recall.set_muted(chat, refs, muted=muted)
        )
        job.succeeded.connect(self._ask_again)

    def read_muted(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if chat:
            job = self._space.look_up(lambda _ctx: memory.recall.muted(chat))
            job.succeeded.connect(self._on_muted_read)

    # --- inside ---

    def _ask(self, asked: Question) -> None:
        self._generation += 1
        number, memory, chat = self._generation, self._space.memory, self._space.chat_id
        self.busy_changed.emit(True)
        job = self._space.look_up(lambda ctx: (number, _ask(ctx, memory, chat, asked)))
        job.succeeded.connect(self._on_answered)
        job.finished.connect(self._on_finished)

    @Slot()
    def _ask_again(self) -> None:
        if self.answer is not None and self._space.chat_id:
            self._ask(self.answer.question)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        if changes.chat_id == self._space.chat_id:
            self.read_muted()

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

    @Slot(object)
    def _on_past_read(self, past: list[PastRecall]) -> None:
        self.past_read.emit(past)

    @Slot(object)
    def _on_explained(self, why: Explanation) -> None:
        self.explained.emit(why)

    @Slot(object)
    def _on_muted_read(self, items: list[MemoryItem]) -> None:
        self.muted_read.emit(items)
