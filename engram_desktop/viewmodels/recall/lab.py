"""The recall lab in the window: its questions, two ways to compare, and what prompts tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal, SignalInstance, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.recall.lab import LabQuestion, LabReport, PromptReport, read_budgets
from engram_desktop.jobs.context import JobContext, Progress
from engram_desktop.qtjobs.handle import JobHandle, Work
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace


class RecallLab(QObject):
    questions_read = Signal(object)  # list[LabQuestion]
    compared = Signal(object)  # LabReport
    looked = Signal(object)  # PromptReport
    busy_changed = Signal(bool)
    progressed = Signal(int, int)  # done, of all

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
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

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        """Only a page that is shown reads by itself."""
        self._query.set_active(active)

    @Slot()
    def read(self) -> None:
        self._query.read()

    def save(self, query: str, refs: Sequence[str]) -> None:
        """Keep a question with the memories it should find."""
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
        """Ask every question in every way that ``sides`` describe."""
        chat, memory = self._space.chat_id, self._space.memory
        if not chat or not self.questions:
            return

        def work(ctx: JobContext) -> LabReport:
            memory.index.embed_if_possible(ctx, chat)
            plain = memory.lab.setup(chat)
            return memory.lab.run(ctx, chat, [plain.changed(side) for side in sides])

        self._start(self.tr("Comparing two ways to recall"), work, self.compared)

    def look_into_prompts(self, budgets_text: str) -> None:
        """Say what of every question's answers stands in its prompt.

        ``budgets_text`` lists budgets in tokens; empty: that of the chat.
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
        """Stop what runs; nothing more is heard of it."""
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
        if self._space.actor:  # it compares what the curator would find
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
