"""The pipeline of a chat: summarise, consolidate, trim, look back, update profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError, LlmError
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline import outline
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    PromptPreview,
    PromptTask,
    PromptTemplate,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.events.blocks import Floors
from engram_desktop.services.graph import link
from engram_desktop.services.library.usage import CallRecorder
from engram_desktop.services.pipeline import (
    consolidation,
    profiles,
    reflect,
    summarise,
    summary_request,
    trim,
)
from engram_desktop.services.pipeline.step_context import StepContext, choose
from engram_desktop.services.prompts.prompts import Language, task_of, unknown_in
from engram_desktop.services.recall import searching

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.extraction import PlotExtraction
    from engram_desktop.domain.reports import (
        ConsolidationPlan,
        ConsolidationReport,
        EntityReport,
        ReflectionPlan,
        ReflectionReport,
        SummaryPlan,
        SummaryReport,
        TrimPlan,
        TrimReport,
    )
    from engram_desktop.services.knowledge.findings_service import FindingsService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.step_context import StepContexts


class PipelineService:
    """The steps that turn messages into memories, each on one branch of a chat."""

    def __init__(self, session: Session, contexts: StepContexts, findings: FindingsService) -> None:
        self._session = session
        self._findings = findings
        self._steps = contexts

    def plan_summary(
        self, line: Line, floors: Floors | None = None, extractor: ExtractorChoice = "auto"
    ) -> SummaryPlan:
        context = self._steps.make(NullContext(), line)
        return summary_request.plan(context, floors, extractor)

    def summarise(
        self,
        ctx: JobContext,
        line: Line,
        floors: Floors | None = None,
        extractor: ExtractorChoice = "auto",
        *,
        review: bool = False,
    ) -> SummaryReport:
        """Summarise ``floors`` (0-based, both ends included), or all floors that are due.

        With ``review`` a model's events wait as drafts. Raises MemoryOff, LlmError.
        """
        context = self._steps.make(ctx, line, review=review, works=True)
        chosen = choose(self._session.clients, extractor)
        todo, _done = summary_request.unfinished(context, floors, chosen)
        report = summarise.summarise(context, todo, chosen)
        if chosen == "llm" or not todo:  # otherwise summarising has read the claims
            self._findings.read(ctx, line)
        return report

    def propose(
        self, ctx: JobContext, line: Line, floors: Floors, *, by_model: bool = False
    ) -> PlotExtraction | None:
        """Return a possible event about these floors, without storing it; None if there is nothing.

        Raises LlmError if ``by_model``.
        """
        return summarise.propose(self._steps.make(ctx, line), floors, by_model=by_model)

    def resummarise_stale(
        self, ctx: JobContext, line: Line, extractor: ExtractorChoice = "auto"
    ) -> SummaryReport:
        """Summarise the floors of stale events again; unlocked stale events are replaced."""
        context = self._steps.make(ctx, line, works=True)
        return summarise.resummarise_stale(context, extractor)

    def plan_consolidation(self, line: Line) -> ConsolidationPlan:
        """Return what 整理记忆 would embed and archive, and what it would ask a model."""
        context = self._steps.make(NullContext(), line)
        planned = consolidation.plan(
            context.store, self._session.clients.embedder(), line.branch_id
        )
        chosen = choose(self._session.clients, _outlines_by(context.settings))
        outlines, prompts = 0, []
        due = consolidation.due(context.store, line.branch_id)
        for _start, batch in consolidation.batches(context.store, due):
            groups = outline.grouped(batch)
            outlines += len(groups)
            if chosen == "llm":  # an event that is alone is shortened without a model
                open_groups = [group for group in groups if len(group) > 1]
                prompts += [consolidation.tokens_of(group) for group in open_groups]
        return replace(
            planned,
            outlines=outlines,
            llm_calls=len(prompts),
            prompt_tokens=sum(prompts) + consolidation.PROMPT_TOKENS * len(prompts),
            model=context.model("trim") if prompts else "",
        )

    def consolidate(
        self,
        ctx: JobContext,
        line: Line,
        *,
        keep: int = 0,
        extractor: ExtractorChoice | None = None,
    ) -> ConsolidationReport:
        """Archive the buffer of a branch (整理记忆), except the ``keep`` newest. Raises MemoryOff.

        Events shared with the parent are archived for both branches; an outline never includes
        events of two branches. Outlines are made within the limit of visible text. ``extractor``
        None: as the settings say. A missing model is no error.
        """
        context = self._steps.make(ctx, line, works=True)
        choice = _outlines_by(context.settings) if extractor is None else extractor
        recorder = CallRecorder(context.store, ctx, self._session.meter, "trim")
        with recorder.kept():
            by_model = choose(self._session.clients, choice) == "llm"
            client = context.client("trim", recorder.record) if by_model else None
            report = consolidation.consolidate(
                context.store,
                ctx,
                self._session.clients.embedder(),
                self._session.settings(),
                caps=link.Caps.of(context.settings),
                events=consolidation.due(context.store, line.branch_id, keep),
                writer=consolidation.OutlineWriter(
                    context.renderer, context.store.clock, context, client
                ),
            )
        report = replace(
            report,
            llm_calls=recorder.calls,
            prompt_tokens=recorder.prompt_tokens,
            completion_tokens=recorder.completion_tokens,
        )
        return self._trimmed(context, report, choice)

    def _trimmed(
        self, context: StepContext, report: ConsolidationReport, choice: ExtractorChoice
    ) -> ConsolidationReport:
        """Merge old outlines if new ones exceed the limit, as part of the same undo step."""
        if report.step is None or report.changes.undo_label is None:
            return report
        limit, label = context.settings.visible_tokens, report.changes.undo_label
        try:
            more = trim.trim(context, limit, choice, label=label, group=report.step)
        except LlmError as e:  # everything is archived and represented; only the limit is exceeded
            return replace(report, failed=(*report.failed, e.phrase))
        return replace(
            report,
            outlines=report.outlines + more.outlines,
            llm_calls=report.llm_calls + more.llm_calls,
            prompt_tokens=report.prompt_tokens + more.prompt_tokens,
            completion_tokens=report.completion_tokens + more.completion_tokens,
            failed=(*report.failed, *more.failed),
            changes=replace(report.changes | more.changes, undo_label=label),
        )

    def plan_trim(
        self, line: Line, limit: int | None = None, extractor: ExtractorChoice | None = None
    ) -> TrimPlan:
        """Return what `trim` would do now, and what it would ask a model."""
        context = self._steps.make(NullContext(), line)
        most = context.settings.visible_tokens if limit is None else limit
        return trim.plan(context, most, extractor or _outlines_by(context.settings))

    def trim(
        self,
        ctx: JobContext,
        line: Line,
        limit: int | None = None,
        extractor: ExtractorChoice | None = None,
        *,
        with_untold: bool = False,
    ) -> TrimReport:
        """Merge old visible events into outlines (精简) until they take at most ``limit`` tokens.

        ``with_untold`` first makes outlines of archived events that have none. Without
        ``extractor``: as the settings say. Raises MemoryOff, DailyCapReached.
        """
        context = self._steps.make(ctx, line, works=True)
        most = context.settings.visible_tokens if limit is None else limit
        choice = extractor or _outlines_by(context.settings)
        return trim.trim(context, most, choice, with_untold=with_untold)

    def untrim(self, chat_id: str, pk: int) -> Changes:
        """Dissolve an outline into what it was made of."""
        return trim.untrim(self._session.chat(chat_id), pk)

    def plan_redo(self, line: Line, floors: Floors, extractor: ExtractorChoice) -> SummaryPlan:
        """Return the blocks that `redo` would make again, and their approximate cost."""
        context = self._steps.make(NullContext(), line)
        todo = summary_request.redo_blocks(context, floors)
        return summary_request.plan_blocks(context, todo, extractor, is_redo=True)

    def redo(
        self, ctx: JobContext, line: Line, floors: Floors, extractor: ExtractorChoice = "auto"
    ) -> SummaryReport:
        """Make drafts that summarise ``floors`` again; stored events stay until one is saved."""
        context = self._steps.make(ctx, line, works=True)
        return summarise.redo(context, floors, extractor)

    def plan_reflection(self, line: Line, floors: Floors | None = None) -> ReflectionPlan:
        return reflect.plan(self._steps.make(NullContext(), line), floors)

    def reflect(
        self, ctx: JobContext, line: Line, floors: Floors | None = None
    ) -> ReflectionReport:
        """Look back block by block: note what summaries missed, and characters' private thoughts.

        Without ``floors``: what is new since the last time. Raises MemoryOff, NotConfigured.
        """
        return reflect.reflect(self._steps.make(ctx, line, works=True), floors)

    def update_profiles(self, ctx: JobContext, line: Line) -> EntityReport:
        """Update entity profiles from the events since the last time. Raises NotConfigured."""
        return profiles.update_profiles(self._steps.make(ctx, line, works=True))

    def preview_prompt(
        self,
        line: Line,
        task: str,
        floors: Floors | None = None,
        template: PromptTemplate | None = None,
    ) -> PromptPreview:
        """Return the exact request a task would send about floors; sends nothing.

        ``template`` is tried instead of the saved one. Raises InputError.
        """
        context = self._steps.make(NullContext(), line)
        return preview(context, task, floors, template)


def _outlines_by(settings: Settings) -> ExtractorChoice:
    return "extractive" if settings.outline_extractor == "extractive" else "auto"


_T = QT_TRANSLATE_NOOP

Request = tuple[list[dict[str, str]], Language]


def preview(
    context: StepContext, task: str, floors: Floors | None, template: PromptTemplate | None
) -> PromptPreview:
    """Return the exact request a task would send; ``template`` replaces the saved one."""
    prompt_task = task_of(task)
    if template is not None:
        # In every language, since this template is the one to look at.
        own_prompts = dict(context.prompts.own)
        own_prompts.update({(task, language): template for language in LANGUAGES})
        context = replace(context, prompts=replace(context.prompts, own=own_prompts))
    messages, language = _request(context, prompt_task, floors)
    used = context.prompts.template(prompt_task, language)
    return PromptPreview(
        tuple((m["role"], m["content"]) for m in messages),
        sum(estimate_tokens(m["content"]) + 4 for m in messages),
        context.model(prompt_task),
        context.prompts.override(prompt_task).base_url or context.clients.base_url("llm"),
        unknown_in(used),
    )


def _request(context: StepContext, task: PromptTask, floors: Floors | None) -> Request:
    """Return the request about ``floors``, or the one the task would send next."""
    store, branch_id = context.store, context.branch_id
    last = store.messages.count(branch_id) - 1
    if last < 0:
        raise InputError(Phrase(_T("reports", "The chat has no message yet.")))
    match task:
        case "summary" | "reflect":
            block = _block(context, task, floors, last)
            messages = store.messages.slice(branch_id, *block)
            if task == "summary":
                return summary_request.request_of(context, messages, block)
            return reflect.request_of(context, messages, block)
        case "expand" | "triage":
            query = RecallQuery("", branch_id=branch_id)
            recent = context.native.as_sent(searching.recent_turns(store, query))
            questions: Sequence[str] = [m.text for m in recent if m.role == "user"]
            question = questions[-1] if questions else recent[-1].text
            return searching.request_of(
                context.prompts, question, recent, context.native.rules, task
            )
    events = _events(context, task, floors, last)
    if not events:
        raise InputError(
            Phrase(
                _T("reports", "Nothing is remembered of these floors yet: summarise them first.")
            )
        )
    if task == "trim":
        return consolidation.request_of(context, events)
    return profiles.request_of(context, events, profiles.named_in(store, events, branch_id))


def _block(context: StepContext, task: PromptTask, floors: Floors | None, last: int) -> Floors:
    """Return the floors asked for, else those the task would take next, else the newest."""
    if floors is not None:
        return min(floors[0], last), min(floors[1], last)
    todo = (
        summary_request.unfinished(context, None, "llm")[0]
        if task == "summary"
        else reflect.todo(context, None)
    )
    return todo[0] if todo else (max(0, last - context.settings.summary_interval + 1), last)


def _events(
    context: StepContext, task: PromptTask, floors: Floors | None, last: int
) -> list[EventNode]:
    """Return the events of ``floors``, else those the task would take next, else the newest."""
    store, branch_id = context.store, context.branch_id
    if floors is None:
        events = trim.next_events(context) if task == "trim" else profiles.next_events(context)
        if events:
            return events
        floors = (max(0, last - context.settings.summary_interval + 1), last)
    return [e for e in store.events.at_floors(branch_id, *floors) if e.level == 0]
