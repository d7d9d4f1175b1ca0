"""Summarise and consolidate: plan first, then run, then say what was done.

Both run on the network lane and hand their writes over in short units, so that an edit never waits
for a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.pipeline.drafts.draft import ExtractorChoice
from engram_desktop.domain.reports import (
    ConsolidationPlan,
    ConsolidationReport,
    FailedRange,
    SummaryPlan,
    SummaryReport,
    TrimPlan,
    TrimReport,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.handle import JobHandle
from engram_desktop.viewmodels.chats.chat_status import StatusValues
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace

Floors = tuple[int, int] | None


class Pipeline(QObject):
    trim_planned = Signal(object)  # TrimPlan
    trim_wanted = Signal()
    summary_planned = Signal(object)  # SummaryPlan
    consolidation_planned = Signal(object)  # ConsolidationPlan
    failures_wanted = Signal(object)  # tuple[FailedRange, ...]
    review_wanted = Signal()

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._undo = undo
        self._planning = NewestAnswer(workspace.jobs, self)
        self._planning.answered.connect(self.summary_planned)
        self._planning.failed.connect(workspace.messages.show_error)
        workspace.chat_changed.connect(self._planning.drop)
        self._told_chats: set[str] = set()  # that events without an outline were reported of
        self._repeat: Callable[[], object] | None = None  # asks for the last summary once more

    def outlines_text(self, plan: ConsolidationPlan | TrimPlan) -> str:
        """Say how many outlines would be made, and what a model would be asked for them."""
        outlines = self.tr("Told on in %n outline(s)", "", plan.outlines)
        if not plan.llm_calls:
            template = self.tr("{outlines}; made without a model, nothing is sent.")
            return template.format(outlines=outlines)
        requests = self.tr("%n request(s) to {model}", "", plan.llm_calls).format(model=plan.model)
        sentence = self.tr("{outlines}; {requests}, about {tokens} tokens to read.")
        return sentence.format(
            outlines=outlines, requests=requests, tokens=f"{plan.prompt_tokens:,}"
        )

    def plan_summary(
        self, floors: Floors, extractor: ExtractorChoice, *, redo: bool = False
    ) -> None:
        line, memory = self._space.line, self._space.memory

        def plan(_ctx: JobContext) -> SummaryPlan:
            if redo and floors is not None:
                return memory.pipeline.plan_redo(line, floors, extractor)
            return memory.pipeline.plan_summary(line, floors, extractor)

        self._planning.ask(plan)

    def summarise(self, floors: Floors, extractor: ExtractorChoice) -> JobHandle:
        line, memory = self._space.line, self._space.memory
        review = memory.settings.read(line.chat_id).review_enabled
        job = self._space.change(
            self.tr("Summarising"),
            lambda ctx: memory.pipeline.summarise(ctx, line, floors, extractor, review=review),
            lane="network",
        )
        self._repeat = lambda: self.summarise(floors, extractor)
        job.succeeded.connect(self._on_summarised)
        job.cancelled.connect(self._on_stopped)
        return job

    def redo(self, floors: tuple[int, int], extractor: ExtractorChoice) -> JobHandle:
        """Make another summary of ``floors``, to be compared with what is there."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Summarising again"),
            lambda ctx: memory.pipeline.redo(ctx, line, floors, extractor),
            lane="network",
        )
        self._repeat = lambda: self.redo(floors, extractor)
        job.succeeded.connect(self._on_summarised)
        job.cancelled.connect(self._on_stopped)
        return job

    @Slot(object)
    def _on_summarised(self, report: SummaryReport) -> None:
        text = self.tr("%n event(s) made", "", report.events_added)
        if report.stopped:
            left = self.tr("%n block(s) were not begun.", "", report.not_begun)
            self._space.messages.show(
                Notice(
                    "error",
                    f"{text}. {translated(report.stopped)}",
                    left if report.not_begun else "",
                    self.tr("Try again"),
                    self._repeat,
                    self.tr("Show"),
                    lambda: self._show_failures(report.failed),
                )
            )
        elif report.failed:
            self._space.messages.show(
                Notice(
                    "error",
                    self.tr("{made}, but %n block(s) failed.", "", len(report.failed)).format(
                        made=text
                    ),
                    self.tr("What was finished is kept; the failed floors can be tried again."),
                    self.tr("Show"),
                    lambda: self._show_failures(report.failed),
                )
            )
        elif report.is_without_story:
            self._space.messages.show(
                Notice(
                    "warning",
                    self.tr("No event was made of %n message(s).", "", report.floors),
                    self.tr(
                        "They are SillyTavern’s own notices and comments. What you hid with /hide"
                        " is told all the same."
                    ),
                )
            )
        elif report.events_added or not report.waiting:
            self._space.messages.show(Notice("success", text, "", self.tr("Undo"), self._undo.undo))
        if report.waiting:
            waiting = self.tr("%n block(s) are ready for your review.", "", report.waiting)
            self._space.messages.show(
                Notice(
                    "info",
                    waiting,
                    self.tr("Nothing is saved before you say so."),
                    self.tr("Review…"),
                    self.review_wanted.emit,
                    stays=True,
                )
            )

    def _show_failures(self, failed: Sequence[FailedRange]) -> None:
        self.failures_wanted.emit(tuple(failed))

    def plan_consolidation(self) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.pipeline.plan_consolidation(line))
        job.succeeded.connect(self._on_consolidation_planned)

    def consolidate(self) -> JobHandle:
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Consolidating memory"),
            lambda ctx: memory.pipeline.consolidate(ctx, line),
            lane="network",
        )
        job.succeeded.connect(self._on_consolidated)
        job.cancelled.connect(self._on_stopped)
        return job

    @Slot(object)
    def _on_consolidation_planned(self, plan: ConsolidationPlan) -> None:
        self.consolidation_planned.emit(plan)

    @Slot(object)
    def _on_consolidated(self, report: ConsolidationReport) -> None:
        archived = self.tr("%n event(s) archived", "", report.archived)
        entities = self.tr("%n entity(s) added", "", report.entities_added)
        relations = self.tr("%n relation(s) added", "", report.relations_added)
        outlines = self.tr("%n outline(s) made", "", report.outlines)
        parts = [archived, *([outlines] if report.outlines else []), entities, relations]
        self._space.messages.show(
            Notice(
                "warning" if report.failed else "success",
                self.tr("{done}.").format(done=self.tr(", ").join(parts)),
                "\n".join(report.failed),
                self.tr("Undo"),
                self._undo.undo,
            )
        )

    def plan_trim(self) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.pipeline.plan_trim(line))
        job.succeeded.connect(self._on_trim_planned)

    @Slot(object)
    def _on_trim_planned(self, plan: TrimPlan) -> None:
        self.trim_planned.emit(plan)

    @Slot(object)
    def tell_untold(self, values: StatusValues | None) -> None:
        """Show once for each chat that some of its archived events belong to no outline."""
        if values is None or not values.untold or values.line.chat_id in self._told_chats:
            return
        self._told_chats.add(values.line.chat_id)
        self._space.messages.show(
            Notice(
                "info",
                self.tr("%n archived event(s) are told by no outline.", "", values.untold),
                self.tr("A prompt knows of them only when they are recalled."),
                self.tr("Make outlines…"),
                self.trim_wanted.emit,
                topic="untold",
            )
        )

    @Slot()
    def trim(self) -> None:
        """Make outlines of archived events without one, and of old events until the text fits."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Trimming"),
            lambda ctx: memory.pipeline.trim(ctx, line, with_untold=True),
            lane="network",
        )
        job.succeeded.connect(self._on_trimmed)
        job.cancelled.connect(self._on_stopped)

    @Slot(object)
    def _on_trimmed(self, report: TrimReport) -> None:
        show = self._space.messages.show
        if report.failed:
            why = "\n".join(report.failed)
            show(Notice("error", self.tr("Trimming stopped early."), why))
        elif not report.outlines:
            show(
                Notice(
                    "info",
                    self.tr("There is nothing to trim."),
                    self.tr(
                        "Always visible: {tokens} tokens. Locked and newest events stay."
                    ).format(tokens=f"{report.tokens_after:,}"),
                )
            )
        if report.outlines:
            events = self.tr("%n event(s) merged", "", report.trimmed)
            outlines = self.tr("%n outline(s) made", "", report.outlines)
            show(
                Notice(
                    "success",
                    self.tr("{events}, {outlines}.").format(events=events, outlines=outlines),
                    self.tr("Always visible: {before} → {after} tokens.").format(
                        before=f"{report.tokens_before:,}", after=f"{report.tokens_after:,}"
                    ),
                    self.tr("Undo"),
                    self._undo.undo,
                )
            )

    @Slot()
    def _on_stopped(self) -> None:
        self._space.messages.tell(self.tr("Stopped. What was finished is kept."))
