"""The recall lab in the window: its questions, two sides to compare, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.recall.lab import LabQuestion, LabReport
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace


class RecallLab(QObject):
    questions_read = Signal(object)  # list[LabQuestion]
    compared = Signal(object)  # LabReport
    busy_changed = Signal(bool)

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

        self.busy_changed.emit(True)
        job = self._space.run(self.tr("Comparing two ways to recall"), work, lane="network")
        job.succeeded.connect(self._on_compared)
        job.finished.connect(self._on_finished)

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

    @Slot(object)
    def _on_compared(self, report: LabReport) -> None:
        self.compared.emit(report)

    @Slot()
    def _on_finished(self) -> None:
        self.busy_changed.emit(False)
