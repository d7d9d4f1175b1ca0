"""Look back: plan first, then run, then say what was noted."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.reports import ReflectionReport
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace


class Reflecting(QObject):
    planned = Signal(object)  # ReflectionPlan

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo
        self._planning = NewestAnswer(workspace.jobs, self)
        self._planning.answered.connect(self.planned)
        self._planning.failed.connect(workspace.messages.show_error)
        workspace.chat_changed.connect(self._planning.drop)

    def plan(self, floors: Floors) -> None:
        line, memory = self._space.line, self._space.memory
        self._planning.ask(lambda _ctx: memory.pipeline.plan_reflection(line, floors))

    def start(self, floors: Floors) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Looking back"),
            lambda ctx: memory.pipeline.reflect(ctx, line, floors),
            lane="network",
        )
        job.succeeded.connect(self._on_done)
        job.cancelled.connect(self._on_stopped)

    @Slot(object)
    def _on_done(self, report: ReflectionReport) -> None:
        show = self._space.messages.show
        events = self.tr("%n event(s) made", "", report.events_added)
        logs = self.tr("%n private log(s) written", "", report.logs_added)
        summary = self.tr("{events}, {logs}.").format(events=events, logs=logs)
        if report.floors or not report.failed:
            hint = ""
            if report.known:
                hint = self.tr("%n answer(s) told nothing new.", "", report.known)
            show(Notice("success", summary, hint, self.tr("Undo"), self._undo.undo))
        for failed in report.failed:
            text = self.tr("Looking back stopped at floors {first}–{last}.").format(
                first=failed.start_index, last=failed.end_index
            )
            why = translated(failed.reason)
            again = self.tr("These floors are asked about again the next time.")
            show(Notice("error", text, f"{why} {again}"))

    @Slot()
    def _on_stopped(self) -> None:
        self._space.messages.tell(self.tr("Stopped. What was finished is kept."))
