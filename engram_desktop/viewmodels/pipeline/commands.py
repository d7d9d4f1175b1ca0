"""Runs of the pipeline, started by the user or by automation: plan, run, report, undo.

Summarise and consolidate are planned first. They run on the network lane and write in short units,
so that an edit never waits for a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import (
    CONSOLIDATE,
    ENTITY_CURSOR,
    MEND_OUTLINES,
    PROFILES,
    REFLECT,
    SUMMARISE,
    TRIM,
    Changes,
)
from engram_desktop.domain.pipeline import draft
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.auto_pipeline import AutoState
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.viewmodels.chats.chat_tree import StatusValues
from engram_desktop.viewmodels.workspace.live_query import newest_answer
from engram_desktop.viewmodels.workspace.messages import Notice, translated
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.automation import AutoPlan, AutoReport
    from engram_desktop.domain.pipeline.usage import Estimate
    from engram_desktop.domain.reports import (
        ConsolidationPlan,
        ConsolidationReport,
        FailedRange,
        SummaryPlan,
        SummaryReport,
        TrimPlan,
        TrimReport,
    )


Floors = tuple[int, int] | None


class Pipeline(WorkspaceModel):
    trim_planned = Signal(object)  # TrimPlan
    trim_wanted = Signal()
    summary_planned = Signal(object)  # SummaryPlan
    consolidation_planned = Signal(object)  # ConsolidationPlan
    failures_wanted = Signal(object)  # tuple[FailedRange, ...]
    review_wanted = Signal()

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._undo = undo
        self._planning = newest_answer(workspace, self.summary_planned, self)
        workspace.chat_changed.connect(self._planning.drop)
        self._told_chats: set[str] = set()  # chats whose untold events were reported
        self._repeat: Callable[[], object] | None = None  # repeats the last request for a summary

    def outlines_text(self, plan: ConsolidationPlan | TrimPlan) -> str:
        """Return how many outlines would be made, and what a model would be asked for them."""
        outlines = self.tr("Summed up in %n outline(s)", "", plan.outlines)
        if not plan.llm_calls:
            template = self.tr("{outlines}; made without a model, nothing is sent.")
            return template.format(outlines=outlines)
        requests = self.tr("%n request(s) to {model}", "", plan.llm_calls).format(model=plan.model)
        sentence = self.tr("{outlines}; {requests}, about {tokens} tokens to read.")
        return sentence.format(
            outlines=outlines, requests=requests, tokens=f"{plan.prompt_tokens:,}"
        )

    def plan_summary(self, floors: Floors, extractor: draft.ExtractorChoice, *, redo: bool) -> None:
        line, memory = self._space.line, self._space.memory

        def plan(_ctx: JobContext) -> SummaryPlan:
            if redo and floors is not None:
                return memory.pipeline.plan_redo(line, floors, extractor)
            return memory.pipeline.plan_summary(line, floors, extractor)

        self._planning.ask(plan)

    def summarise(self, floors: Floors, extractor: draft.ExtractorChoice) -> JobHandle:
        line, memory = self._space.line, self._space.memory
        review = memory.settings.read(line.chat_id).review_enabled
        job = self._space.change(
            self.tr("Summarising"),
            lambda ctx: memory.pipeline.summarise(ctx, line, floors, extractor, review=review),
            lane="network",
        )
        self._repeat = partial(self.summarise, floors, extractor)
        job.succeeded.connect(self._on_summarised)
        job.cancelled.connect(self._on_stopped)
        return job

    def redo(self, floors: tuple[int, int], extractor: draft.ExtractorChoice) -> JobHandle:
        """Make another summary of ``floors``, to be compared with the stored one."""
        line, memory = self._space.line, self._space.memory
        job = self._space.change(
            self.tr("Summarising again"),
            lambda ctx: memory.pipeline.redo(ctx, line, floors, extractor),
            lane="network",
        )
        self._repeat = partial(self.redo, floors, extractor)
        job.succeeded.connect(self._on_summarised)
        job.cancelled.connect(self._on_stopped)
        return job

    @Slot(object)
    def _on_summarised(self, report: SummaryReport) -> None:
        text = self.tr("%n event(s) made", "", report.events_added)
        if report.stopped:
            left = self.tr("%n block(s) were not started.", "", report.not_begun)
            self._space.messages.show(
                Notice(
                    "error",
                    f"{text}. {translated(report.stopped)}",
                    left if report.not_begun else "",
                    self.tr("Try again"),
                    self._repeat,
                    self.tr("Show"),
                    partial(self._show_failures, report.failed),
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
                    partial(self._show_failures, report.failed),
                )
            )
        elif report.is_without_story:
            self._space.messages.show(
                Notice(
                    "warning",
                    self.tr("No event was made of %n message(s).", "", report.floors),
                    self.tr(
                        "They are SillyTavern’s own notices and comments. What you hid with /hide"
                        " is remembered all the same."
                    ),
                )
            )
        elif report.events_added or not report.waiting:
            self._space.messages.show(
                Notice("success", text, "", self.tr("Undo"), self._undo.way_back())
            )
        if report.waiting:
            waiting = self.tr("%n block(s) are ready for your review.", "", report.waiting)
            self._space.messages.show(
                Notice(
                    "info",
                    waiting,
                    self.tr("Nothing is saved before you say so."),
                    self.tr("Review…"),
                    self._ask_for_review,
                    stays=True,
                )
            )

    def _show_failures(self, failed: Sequence[FailedRange]) -> None:
        self.failures_wanted.emit(tuple(failed))

    def _ask_for_review(self) -> None:
        self.review_wanted.emit()

    def plan_consolidation(self) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.pipeline.plan_consolidation(line))
        job.succeeded.connect(self.consolidation_planned)

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
                "\n".join(map(translated, report.failed)),
                self.tr("Undo"),
                self._undo.way_back(),
            )
        )

    def plan_trim(self) -> None:
        line, memory = self._space.line, self._space.memory
        job = self._space.look_up(lambda _ctx: memory.pipeline.plan_trim(line))
        job.succeeded.connect(self.trim_planned)

    @Slot(object)
    def show_events_without_outline(self, values: StatusValues | None) -> None:
        """Show once for each chat that some of its archived events belong to no outline."""
        if values is None or not values.untold or values.line.chat_id in self._told_chats:
            return
        self._told_chats.add(values.line.chat_id)
        self._space.messages.show(
            Notice(
                "info",
                self.tr("%n archived event(s) are in no outline.", "", values.untold),
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
            why = "\n".join(map(translated, report.failed))
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
                    self._undo.way_back(),
                )
            )

    @Slot()
    def _on_stopped(self) -> None:
        self._space.messages.tell(self.tr("Stopped. What was finished is kept."))


LOOK_PAUSE_MS = 200
MUCH = 3  # events; the message of a run with more stays until it is dismissed
ITS_STEPS = {SUMMARISE, CONSOLIDATE, TRIM, MEND_OUTLINES, PROFILES, ENTITY_CURSOR, REFLECT}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Result of undoing a run: not done if its steps are no longer the newest."""

    changes: Changes
    is_done: bool = True


class Automation(WorkspaceModel):
    changed = Signal()
    review_wanted = Signal()
    failures_wanted = Signal(object)  # tuple[FailedRange, ...]
    events_wanted = Signal()

    def __init__(
        self, workspace: Workspace, undo: UndoActions, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._auto = workspace.auto
        self._undo = undo
        self._auto.title = self.tr("Automatic memory")
        self._pause = QTimer(self, singleShot=True, interval=LOOK_PAUSE_MS)
        self._pause.timeout.connect(self._look_at_line)
        self._auto.changed.connect(self._on_state)
        self._auto.consent_wanted.connect(self._ask_for_consent)
        self._auto.reported.connect(self._tell_report)
        self._auto.failed.connect(self._on_failed)
        workspace.chat_changed.connect(self._look_at_line)
        workspace.hub.changed.connect(self._on_changed)
        self._look_at_line()

    @property
    def state(self) -> AutoState | None:
        return self._auto.state(self._space.chat_id)

    @property
    def is_on(self) -> bool:
        state = self.state
        return state is not None and state.plan.standing not in {"off", "mode"}

    @property
    def text(self) -> str:
        """Return what automation does for the shown chat, in a few words."""
        state = self.state
        if state is None:
            return ""
        if state.plan.standing not in {"mode", "off"}:
            if state.is_running:
                return self.tr("Automatic: working…")
            if state.trouble is not None:
                return self.tr("Automatic: stopped by an error")
        return self._standing_text(state.plan)

    def _standing_text(self, plan: AutoPlan) -> str:
        if plan.standing == "due" and plan.reflect and not plan.blocks:
            return self.tr("Automatic: the session is to be looked back on")
        if plan.standing == "due" and not plan.blocks:
            return self.tr("Automatic: memory is to be tidied")
        words = {
            "mode": self.tr("Memory off"),
            "off": self.tr("Automatic: paused"),
            "capped": self.tr("Automatic: stopped, today's tokens are spent"),
            "review": self.tr("Automatic: waiting for your review"),
            "consent": self.tr("Automatic: waiting for your consent"),
            "due": self.tr("Automatic: %n block(s) due", "", len(plan.blocks)),
            "idle": self.tr("Automatic: on · next summary in %n floor(s)", "", plan.floors_left),
        }
        return words[plan.standing]

    @property
    def drafts(self) -> draft.DraftCounts | None:
        """Return the counts of waiting drafts in the shown chat; None while unknown."""
        return self.state.plan.drafts if self.state is not None else None

    @property
    def action_text(self) -> str:
        """Return the text of the action that `act` does; empty if there is nothing to do."""
        state = self.state
        if state is None or state.is_running:
            return ""
        if state.plan.standing in {"off", "mode", "idle", "capped"}:
            return self.tr("Try again") if self._is_stopped(state) else ""
        if state.plan.standing == "review":
            return ""
        if state.plan.standing == "consent":
            return self.tr("Decide…")
        return self.tr("Try again") if state.trouble is not None else self.tr("Do it now")

    def toggle(self) -> None:
        """Pause automation for this chat, or continue it."""
        chat, memory, turns_on = self._space.chat_id, self._space.memory, not self.is_on
        if not turns_on:
            self._auto.cancel(chat)
        job = self._space.change(
            self.tr("Saving a setting"),
            lambda _ctx: memory.settings.set("auto.enabled", turns_on, chat),
        )
        if turns_on:
            job.succeeded.connect(lambda _changes: self._auto.run_now(chat))

    @property
    def question(self) -> str:
        """Return the question for which consent is needed in the shown chat; empty without one."""
        state = self.state
        if state is None or state.plan.standing != "consent":
            return ""
        return self._question(state.plan)

    def act(self) -> None:
        """Do what `action_text` describes."""
        if self.state is not None:
            self._auto.run_now(self._space.chat_id)

    @staticmethod
    def _is_stopped(state: AutoState) -> bool:
        return state.trouble is not None and state.plan.standing not in {"off", "mode"}

    @Slot()
    def _on_state(self) -> None:
        """Withdraw a question that no longer applies or was answered elsewhere."""
        state = self.state
        if state is not None and (state.is_running or state.plan.standing != "consent"):
            self._space.messages.withdraw(_consent_topic(state.plan))
        self.changed.emit()

    @Slot()
    def _look_at_line(self) -> None:
        self._auto.look_at(self._space.line)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        is_touched = changes.has_memory or changes.messages or changes.drafts
        if changes.settings or (changes.chat_id == self._space.chat_id and is_touched):
            self._pause.start()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._space.messages.show_error(error)

    @Slot(object)
    def _ask_for_consent(self, plan: AutoPlan) -> None:
        """Ask once for consent to process a backlog with a model."""
        self._space.messages.show(
            Notice(
                "info",
                self._question(plan),
                estimate_text(plan.estimate, plan.model),
                self.tr("Go ahead"),
                partial(self._agree, plan),
                other_text=self.tr("Only new ones"),
                other=partial(self._skip, plan),
                stays=True,
                topic=_consent_topic(plan),
            )
        )

    def _question(self, plan: AutoPlan) -> str:
        if plan.blocks:
            text = self.tr("“{chat}”: %n floor(s) have not been summarised.", "", plan.floors)
        elif plan.reflect:
            floors = sum(last - first + 1 for first, last in plan.reflect)
            text = self.tr("“{chat}”: %n floor(s) have not been looked back on.", "", floors)
        else:
            text = self.tr("“{chat}”: profiles of entities are far behind the story.")
        return text.format(chat=self._space.memory.chats.name(plan.chat_id))

    def _agree(self, plan: AutoPlan) -> None:
        self._auto.agree(plan.line)

    def _run_again(self, chat_id: str) -> None:
        self._auto.run_now(chat_id)

    def _show_failures(self, failed: Sequence[FailedRange]) -> None:
        self.failures_wanted.emit(failed)

    def _ask_for_review(self) -> None:
        self.review_wanted.emit()

    def _skip(self, plan: AutoPlan) -> None:
        memory = self._space.memory
        self._space.change(
            self.tr("Saving a setting"),
            lambda _ctx: memory.automation.skip_backlog(plan.line),
        )
        self._pause.start()

    @Slot(object)
    def _tell_report(self, report: AutoReport) -> None:
        """Show what a run did, with actions to see and undo it, and all its errors."""
        show = self._space.messages.show
        if report.events_added or report.archived or report.outlines or report.logs:
            show(self._done_notice(report))
        if report.stopped:
            show(
                Notice(
                    "error",
                    self.tr("Automatic memory stopped."),
                    translated(report.stopped),
                    self.tr("Try again"),
                    partial(self._run_again, report.plan.chat_id),
                    topic="auto stopped",
                )
            )
        elif report.failed:
            show(
                Notice(
                    "error",
                    self.tr("%n block(s) could not be read.", "", len(report.failed)),
                    self.tr("The answers were kept; they are not asked again unless you do."),
                    self.tr("Show"),
                    partial(self._show_failures, report.failed),
                )
            )
        if report.notes:
            show(
                Notice(
                    "warning",
                    self.tr("Automatic memory went on with less."),
                    "\n".join(dict.fromkeys(map(translated, report.notes))),
                )
            )
        if report.waiting:
            show(
                Notice(
                    "info",
                    self.tr("%n block(s) are ready for your review.", "", report.waiting),
                    "",
                    self.tr("Review…"),
                    self._ask_for_review,
                )
            )

    def _done_notice(self, report: AutoReport) -> Notice:
        """Return the message about what a run did."""
        counts = (
            (report.events_added, self.tr("%n event(s) made", "", report.events_added)),
            (report.archived, self.tr("%n event(s) archived", "", report.archived)),
            (report.outlines, self.tr("%n outline(s) made", "", report.outlines)),
            (report.logs, self.tr("%n private log(s) written", "", report.logs)),
        )
        plan = report.plan
        return Notice(
            "info",
            self.tr("“{chat}”, automatically: {done}.").format(
                chat=self._space.memory.chats.name(plan.chat_id),
                done=self.tr(", ").join(text for count, text in counts if count),
            ),
            self.tr("The newest events stay always visible; automation can be paused below."),
            self.tr("Show"),
            lambda: self._show_events(plan.chat_id),
            self.tr("Undo") if report.steps else "",
            (lambda: self._take_back(report)) if report.steps else None,
            stays=report.events_added > MUCH,
            topic=f"auto {plan.chat_id}",
        )

    def _show_events(self, chat_id: str) -> None:
        self._space.show_chat(chat_id)
        self.events_wanted.emit()

    def _take_back(self, report: AutoReport) -> None:
        """Undo a run if it is the newest step; otherwise show the history."""
        self._show_events(report.plan.chat_id)
        memory, chat = self._space.memory, report.plan.chat_id

        def take_back(_ctx: JobContext) -> TakenBack:
            steps = [step for step in memory.history.steps(chat) if not step.is_undone]
            newest = steps[: len(report.steps)]
            is_last = tuple(step.id for step in newest) == report.steps
            if not is_last or any(step.label.text not in ITS_STEPS for step in newest):
                # something else was done since, or by the user meanwhile
                return TakenBack(Changes(chat_id=chat), is_done=False)
            changes = Changes(chat_id=chat)
            for _step in report.steps:
                changes |= memory.history.undo(chat)
            return TakenBack(changes)

        job = self._space.change(self.tr("Undoing"), take_back)
        job.succeeded.connect(self._on_taken_back)

    @Slot(object)
    def _on_taken_back(self, outcome: TakenBack) -> None:
        if not outcome.is_done:
            self._undo.history_wanted.emit()
            return
        text = self.tr("Taken back. The floors count as not summarised again.")
        self._space.messages.show(Notice("info", text, topic="auto taken back"))


def _consent_topic(plan: AutoPlan) -> str:
    return f"consent {plan.chat_id} {plan.branch_id}"


def estimate_text(estimate: Estimate, model: str) -> str:
    """Return what a run would cost, in words."""
    text = QCoreApplication.translate(
        "Automation", "{model}: {calls} calls, about {prompt} + {completion} tokens"
    ).format(
        model=model,
        calls=f"{estimate.calls:,}",
        prompt=f"{estimate.prompt_tokens:,}",
        completion=f"{estimate.completion_tokens:,}",
    )
    if estimate.cost is not None:
        text += f" ≈ {estimate.currency}{estimate.cost:,.2f}"
    return text
