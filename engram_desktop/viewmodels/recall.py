"""The recall page: a question to the memory, its ranked hits, past questions, the recall lab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.recall.lab import LabQuestion, LabReport, PromptReport, read_budgets
from engram_desktop.domain.recall.query import (
    Explanation,
    Injection,
    ItemKind,
    MemoryItem,
    RecallQuery,
    RecallResult,
    explain,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext, Progress
from engram_desktop.qtjobs.runner import JobHandle, Work
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import (
    LiveQuery,
    NewestAnswer,
    PageModel,
    newest_answer,
)
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """The question asked on the page."""

    query: RecallQuery
    budget: int | None = None
    expanded: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of a question, and later the composed prompt text, which takes twice as long."""

    question: AskedQuestion
    result: RecallResult
    why: Explanation
    injection: Injection | None = None


REST_MS = 300  # milliseconds of rest before the data of a question is read ahead


def _ask(ctx: JobContext, memory: Memory, chat: str, question: AskedQuestion) -> Answer:
    expanded = question.expanded
    result = memory.recall.ask(ctx, chat, question.query, expanded=expanded, logged=False)
    return Answer(question, result, explain([result]))


def _compose(ctx: JobContext, memory: Memory, chat: str, answer: Answer) -> Answer:
    query, result = answer.question.query, answer.result
    if answer.question.expanded and "expand" not in result.degraded:  # asked once for both
        query = replace(query, context=result.searched)
    budget = answer.question.budget
    injection = memory.inject.compose(ctx, chat, query, budget, expanded=False)
    return replace(answer, injection=injection)


def _preload(ctx: JobContext, memory: Memory, chat: str, query: RecallQuery) -> None:
    """Read ahead what any question needs, unless an embedding server would be asked."""
    if not memory.settings.read(chat).embed_base_url:
        memory.inject.preload(ctx, chat, query)


class RecallPageModel(WorkspaceModel):
    answered = Signal(object)  # Answer, without what is composed of it
    composed = Signal(object)  # the same Answer with it
    busy_changed = Signal(bool)
    past_read = Signal(object)  # list[PastRecall]
    past_forgotten = Signal()  # the past questions belong to another chat, branch or point of view
    explained = Signal(object)  # Explanation
    muted_read = Signal(object)  # list[MemoryItem]

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.answer: Answer | None = None
        self._asking = self._newest(self._on_answered)
        self._composing = self._newest(self._on_composed)
        for query in (self._asking, self._composing):
            query.busy_changed.connect(self._on_busy)
        self._ahead = NewestAnswer(workspace.jobs, self)  # the question itself reports errors
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._read_ahead)
        self._explaining = self._newest(self.explained.emit)
        self._looking = self._newest(self._on_event_found)
        self._past = self._newest(self.past_read.emit)
        self._muted = LiveQuery(
            workspace,
            "muted",
            self._ask_muted,
            self.muted_read.emit,
            concerns=self._concerns_muted,
            parent=self,
        )
        self._muted.set_active(False)
        self._is_active = False
        self._is_old = False  # the shown answer belongs to another chat, branch or point of view
        workspace.chat_changed.connect(self._on_chat_changed)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        """Start or stop reading; only a shown page reads by itself."""
        self._is_active = active
        self._muted.set_active(active)
        if active and self._is_old:
            self._ask_here()
        elif active:
            self._rest.start()
        else:
            self._rest.stop()

    @Slot()
    def _read_ahead(self) -> None:
        """Read ahead, so that the first answer is as quick as later ones."""
        space = self._space
        memory, chat = space.memory, space.chat_id
        if chat and not (self._asking.is_busy or self._composing.is_busy):
            query = RecallQuery(
                "", branch_id=space.branch_id, actor=space.actor or None, at=space.at
            )
            self._ahead.ask(lambda ctx: _preload(ctx, memory, chat, query))

    def _newest(self, show: Callable[[Any], object]) -> NewestAnswer:
        """Make a query about the shown chat; it is dropped when another chat is shown."""
        query = newest_answer(self._space, show, self)
        self._space.chat_changed.connect(query.drop)
        return query

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
                text.strip(),
                top_k=top_k,
                kinds=kinds,
                branch_id=self._space.branch_id,
                actor=self._space.actor or None,
                at=self._space.at,
            )
            self._ask(AskedQuestion(query, budget, expanded))

    def open_memory(self, kind: ItemKind, ref: str, first: int, last: int) -> None:
        """Show the event of a memory, or its messages if it is not an event."""
        if kind == "event":
            chat, memory = self._space.chat_id, self._space.memory
            self._looking.ask(lambda _ctx: memory.events.find_one(chat, ref))
        else:
            self._space.floor_wanted.emit(first, last)

    def read_lines(self, first: int, last: int) -> None:
        """Show the messages of a memory on the page of the text."""
        self._space.floor_wanted.emit(first, last)

    def freeze(self, turns: int) -> None:
        """Freeze the text of the last question for ``turns`` turns."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Holding the injection still"),
            lambda _ctx: memory.inject.freeze(line, turns),
        )
        job.succeeded.connect(self._ask_again)

    def unfreeze(self) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Composing injections again"), lambda _ctx: memory.inject.unfreeze(line)
        )
        job.succeeded.connect(self._ask_again)

    def read_past(self) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        if chat and not self._space.actor:  # past questions are shown to the curator only
            self._past.ask(lambda _ctx: memory.recall.past(chat))

    def explain(self, recall_id: int) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        self._explaining.ask(lambda _ctx: memory.recall.explanation(chat, recall_id))

    def set_muted(self, refs: Sequence[str], *, muted: bool) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        title = self.tr("Muting a memory") if muted else self.tr("Allowing a memory")
        job = self._space.change(
            title, lambda _ctx: memory.recall.set_muted(chat, refs, muted=muted)
        )
        job.succeeded.connect(self._ask_again)

    def read_muted(self) -> None:
        self._muted.read()

    def _ask(self, question: AskedQuestion) -> None:
        memory, chat = self._space.memory, self._space.chat_id
        self._rest.stop()
        self._ahead.drop()
        self._composing.drop()
        self._asking.ask(lambda ctx: _ask(ctx, memory, chat, question))

    @Slot()
    def _ask_again(self) -> None:
        if self.answer is not None and self._space.chat_id:
            self._ask(self.answer.question)

    @Slot(str)
    def _on_chat_changed(self, _chat_id: str) -> None:
        """Ask the same question of what is shown now: the old answer belongs to another view."""
        self.past_forgotten.emit()
        self._is_old = self.answer is not None
        self._ahead.drop()
        if self._is_active and self._is_old:
            self._ask_here()
        elif self._is_active:
            self._rest.start()

    def _ask_here(self) -> None:
        self._is_old = False
        space = self._space
        if self.answer is not None and space.chat_id:
            asked = self.answer.question
            actor = space.actor or None
            here = replace(asked.query, branch_id=space.branch_id, actor=actor, at=space.at)
            self._ask(replace(asked, query=here))

    def _ask_muted(self) -> Callable[[JobContext], list[MemoryItem]] | None:
        chat, memory = self._space.chat_id, self._space.memory
        if self._space.actor:  # muted memories are shown to the curator only
            return lambda _ctx: []
        return (lambda _ctx: memory.recall.muted(chat)) if chat else None

    def _concerns_muted(self, changes: Changes) -> bool:
        is_touched = changes.recall or changes.rows or changes.texts or changes.messages
        return is_touched and changes.chat_id == self._space.chat_id

    @Slot(object)
    def _on_event_found(self, event: EventNode | None) -> None:
        if event is not None:
            self._space.event_wanted.emit(event.pk)

    @Slot(object)
    def _on_answered(self, answer: Answer) -> None:
        self.answer = answer
        memory, chat = self._space.memory, self._space.chat_id
        self._composing.ask(lambda ctx: _compose(ctx, memory, chat, answer))
        self.answered.emit(answer)

    @Slot(object)
    def _on_composed(self, answer: Answer) -> None:
        self.answer = answer
        self.composed.emit(answer)

    @Slot()
    def _on_busy(self) -> None:
        self.busy_changed.emit(self._asking.is_busy or self._composing.is_busy)


class RecallLab(PageModel):
    questions_read = Signal(object)  # list[LabQuestion]
    compared = Signal(object)  # LabReport
    looked = Signal(object)  # PromptReport
    busy_changed = Signal(bool)
    progressed = Signal(int, int)  # done, of all

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.questions: list[LabQuestion] = []
        self._query = LiveQuery(
            workspace,
            "lab",
            self._ask,
            self._show,
            concerns=self._concerns,
            parent=self,
        )
        self._query.set_active(False)
        self._job: JobHandle | None = None
        workspace.chat_changed.connect(self.stop)

    def save(self, query: str, refs: Sequence[str]) -> None:
        """Save a question with the memories it should find."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Saving a question of the lab"),
            lambda _ctx: memory.lab.save(line, query, refs),
        )
        job.succeeded.connect(self.read)

    def delete(self, question_id: str) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        job = self._space.change(
            self.tr("Deleting a question of the lab"),
            lambda _ctx: memory.lab.delete(chat, question_id),
        )
        job.succeeded.connect(self.read)

    def run(self, sides: Sequence[Mapping[str, str]]) -> None:
        """Ask every saved question with each of the settings in ``sides``."""
        chat, memory = self._space.chat_id, self._space.memory
        if not chat or not self.questions:
            return

        def work(ctx: JobContext) -> LabReport:
            memory.index.embed_if_possible(ctx, chat)
            plain = memory.lab.setup(chat)
            return memory.lab.run(ctx, chat, [plain.changed(side) for side in sides])

        self._start(self.tr("Comparing two ways to recall"), work, self.compared)

    def look_into_prompts(self, budgets_text: str) -> None:
        """Measure which expected memories of each question appear in its prompt.

        ``budgets_text`` lists budgets in tokens; empty: the budget of the chat.
        """
        chat, memory = self._space.chat_id, self._space.memory
        if not chat or not self.questions:
            return
        try:
            budgets = read_budgets(budgets_text) if budgets_text.strip() else ()
        except InputError as error:
            self._space.messages.show_error(error)
            return

        def work(ctx: JobContext) -> PromptReport:
            memory.index.embed_if_possible(ctx, chat)
            return memory.lab.look_into_prompts(ctx, chat, budgets)

        self._start(self.tr("Looking into prompts"), work, self.looked)

    @Slot()
    def stop(self) -> None:
        """Cancel the running job; its result is dropped."""
        if self._job is not None:
            self._job.cancel()
            self._on_finished(self._job)

    def _start(self, title: str, work: Work, done: SignalInstance) -> None:
        self.stop()
        job = self._job = self._space.run(title, work, lane="network")
        self.busy_changed.emit(True)
        job.progressed.connect(lambda progress: self._on_progressed(job, progress))
        job.succeeded.connect(lambda report: done.emit(report) if job is self._job else None)
        job.finished.connect(lambda: self._on_finished(job))

    def _ask(self) -> Callable[[JobContext], list[LabQuestion]] | None:
        chat, memory = self._space.chat_id, self._space.memory
        if self._space.actor:  # the lab works with the curator's view only
            return lambda _ctx: []
        return (lambda _ctx: memory.lab.questions(chat)) if chat else None

    def _concerns(self, changes: Changes) -> bool:
        return changes.recall and changes.chat_id == self._space.chat_id

    def _show(self, questions: list[LabQuestion]) -> None:
        self.questions = questions
        self.questions_read.emit(questions)

    def _on_progressed(self, job: JobHandle, progress: Progress) -> None:
        if job is self._job:
            self.progressed.emit(progress.done, progress.total or 0)

    def _on_finished(self, job: JobHandle) -> None:
        if job is self._job:
            self._job = None
            self.busy_changed.emit(False)
