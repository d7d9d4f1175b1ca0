"""The pipeline of a chat: summarise, consolidate, trim, look back, keep profiles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LlmError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline import story_so_far
from engram_desktop.domain.pipeline.drafts.draft import ExtractorChoice
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.graph import link
from engram_desktop.services.library.usage.metering import CallRecorder
from engram_desktop.services.pipeline import (
    consolidation,
    outlines,
    profiles,
    prompt_preview,
    reflect,
    trim,
)
from engram_desktop.services.pipeline.desk import choose
from engram_desktop.services.pipeline.summary import blocks, proposal, summarise

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.extraction import PlotExtraction
    from engram_desktop.domain.pipeline.prompt_template import PromptPreview, PromptTemplate
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
    from engram_desktop.services.events.blocks import Floors
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.desk import Desk
    from engram_desktop.services.pipeline.desks import Desks


class PipelineService:
    """The steps that turn messages into memory, each on one branch of a chat."""

    def __init__(self, session: Session, desks: Desks) -> None:
        self._session = session
        self._desks = desks

    def plan_summary(
        self, line: Line, floors: Floors | None = None, extractor: ExtractorChoice = "auto"
    ) -> SummaryPlan:
        desk = self._desks.make(NullContext(), line)
        return blocks.plan(desk, floors, extractor)

    def summarise(
        self,
        ctx: JobContext,
        line: Line,
        floors: Floors | None = None,
        extractor: ExtractorChoice = "auto",
        *,
        review: bool = False,
    ) -> SummaryReport:
        """Summarise ``floors`` (0-based, both ends included) or all that is due.

        With ``review`` what a model makes waits as drafts. Raises MemoryOff, LlmError.
        """
        desk = self._desks.make(ctx, line, review=review, works=True)
        chosen = choose(self._session.clients, extractor)
        todo, _done = blocks.unfinished(desk, floors, chosen)
        return summarise.summarise(desk, todo, chosen)

    def propose(
        self, ctx: JobContext, line: Line, floors: Floors, *, by_model: bool = False
    ) -> PlotExtraction | None:
        """Say what one event of these floors could be; stores nothing. None: nothing to tell.

        Raises LlmError where a model is asked.
        """
        return proposal.propose(self._desks.make(ctx, line), floors, by_model=by_model)

    def resummarise_stale(
        self, ctx: JobContext, line: Line, extractor: ExtractorChoice = "auto"
    ) -> SummaryReport:
        """Summarise again what stale events tell of; unlocked ones are replaced."""
        desk = self._desks.make(ctx, line, works=True)
        return summarise.resummarise_stale(desk, extractor)

    def plan_consolidation(self, line: Line) -> ConsolidationPlan:
        """Say what 整理记忆 would embed, archive and ask of a model."""
        desk = self._desks.make(NullContext(), line)
        planned = consolidation.plan(desk.store, self._session.clients.embedder(), line.branch_id)
        groups = story_so_far.grouped(consolidation.due(desk.store, line.branch_id))
        chosen = choose(self._session.clients, _outlines_by(desk.settings))
        open_groups = [g for g in groups if len(g) > 1] if chosen == "llm" else []
        return replace(
            planned,
            outlines=len(groups),
            llm_calls=len(open_groups),
            prompt_tokens=sum(outlines.tokens_of(g) + outlines.PROMPT_TOKENS for g in open_groups),
            model=desk.model("trim") if open_groups else "",
        )

    def consolidate(
        self,
        ctx: JobContext,
        line: Line,
        *,
        keep: int = 0,
        extractor: ExtractorChoice | None = None,
    ) -> ConsolidationReport:
        """整理记忆: archive the buffer of a branch, but for the ``keep`` newest. Raises MemoryOff.

        Outlines go on telling of it, within the limit of visible text. ``extractor`` None is as
        the settings say. It never fails for want of a model.
        """
        desk = self._desks.make(ctx, line, works=True)
        choice = _outlines_by(desk.settings) if extractor is None else extractor
        recorder = CallRecorder(desk.store, ctx, self._session.meter, "trim")
        with recorder.kept():
            by_model = choose(self._session.clients, choice) == "llm"
            client = desk.client("trim", recorder.record) if by_model else None
            report = consolidation.consolidate(
                desk.store,
                ctx,
                self._session.clients.embedder(),
                self._session.settings(),
                caps=link.Caps.of(desk.settings),
                events=consolidation.due(desk.store, line.branch_id, keep),
                writer=outlines.OutlineWriter(desk.renderer, desk.store.clock, desk, client),
            )
        report = replace(
            report,
            llm_calls=recorder.calls,
            prompt_tokens=recorder.prompt_tokens,
            completion_tokens=recorder.completion_tokens,
        )
        return self._trimmed(desk, report, choice)

    def _trimmed(
        self, desk: Desk, report: ConsolidationReport, choice: ExtractorChoice
    ) -> ConsolidationReport:
        """Merge old outlines where the new ones pass the limit, as part of the same step."""
        if report.step is None or report.changes.undo_label is None:
            return report
        limit, label = desk.settings.visible_tokens, report.changes.undo_label
        try:
            more = trim.trim(desk, limit, choice, label=label, group=report.step)
        except LlmError as e:  # what is archived is told; only the limit is not met
            return replace(report, failed=(*report.failed, str(e)))
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
        """Say what `trim` would do now and what it would ask of a model."""
        desk = self._desks.make(NullContext(), line)
        most = desk.settings.visible_tokens if limit is None else limit
        return trim.plan(desk, most, extractor or _outlines_by(desk.settings))

    def trim(
        self,
        ctx: JobContext,
        line: Line,
        limit: int | None = None,
        extractor: ExtractorChoice | None = None,
        *,
        with_untold: bool = False,
    ) -> TrimReport:
        """精简: merge old visible events into outlines until they cost at most ``limit`` tokens.

        ``with_untold`` first makes outlines of archived events that no outline tells of. Without
        ``extractor`` it is as the settings say. Raises MemoryOff, DailyCapReached.
        """
        desk = self._desks.make(ctx, line, works=True)
        most = desk.settings.visible_tokens if limit is None else limit
        choice = extractor or _outlines_by(desk.settings)
        return trim.trim(desk, most, choice, with_untold=with_untold)

    def untrim(self, chat_id: str, pk: int) -> Changes:
        """Take an outline apart into what it was made of."""
        return trim.untrim(self._session.chat(chat_id), pk)

    def plan_redo(
        self, line: Line, floors: Floors, extractor: ExtractorChoice = "auto"
    ) -> SummaryPlan:
        """Say which blocks `redo` would make again, and about what it costs."""
        desk = self._desks.make(NullContext(), line)
        todo = blocks.redo_blocks(desk, floors)
        return blocks.plan_blocks(desk, todo, extractor, is_redo=True)

    def redo(
        self, ctx: JobContext, line: Line, floors: Floors, extractor: ExtractorChoice = "auto"
    ) -> SummaryReport:
        """Make drafts of another summary of ``floors``; what is there stays until one is saved."""
        desk = self._desks.make(ctx, line, works=True)
        return summarise.redo(desk, floors, extractor)

    def plan_reflection(self, line: Line, floors: Floors | None = None) -> ReflectionPlan:
        return reflect.plan(self._desks.make(NullContext(), line), floors)

    def reflect(
        self, ctx: JobContext, line: Line, floors: Floors | None = None
    ) -> ReflectionReport:
        """Note what summaries missed and what characters keep to themselves, block by block.

        Without ``floors`` what is new since the last time. Raises MemoryOff, NotConfigured.
        """
        return reflect.reflect(self._desks.make(ctx, line, works=True), floors)

    def update_profiles(self, ctx: JobContext, line: Line) -> EntityReport:
        """Ask the model what events since the last time say of entities. Raises NotConfigured."""
        return profiles.update_profiles(self._desks.make(ctx, line, works=True))

    def preview_prompt(
        self,
        line: Line,
        task: str,
        floors: Floors | None = None,
        template: PromptTemplate | None = None,
    ) -> PromptPreview:
        """Return the very request a task would send about floors; sends nothing.

        ``template`` is tried in place of what is saved. Raises InputError.
        """
        desk = self._desks.make(NullContext(), line)
        return prompt_preview.preview(desk, task, floors, template)


def _outlines_by(settings: Settings) -> ExtractorChoice:
    return "extractive" if settings.outline_extractor == "extractive" else "auto"
