"""The part of the facade that turns messages into memory: summarise, consolidate, trim."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LlmError, MemoryOff
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.pipeline import story_so_far
from engram_desktop.domain.pipeline.draft import (
    Draft,
    DraftComparison,
    DraftedEvent,
    DraftState,
    ExtractorChoice,
)
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.facade.open_chats import OpenChats
from engram_desktop.services.graph import link
from engram_desktop.services.library import metering
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.library.metering import CallBook, Meter
from engram_desktop.services.pipeline import (
    archive,
    automation,
    drafts,
    outlines,
    profiles,
    prompt_library,
    reflect,
    summarise,
    summary_blocks,
    trim,
)
from engram_desktop.services.pipeline import desk as desks
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.entity import EntityType
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.pipeline.automation import AutoPlan, AutoReport
    from engram_desktop.domain.pipeline.prompt_template import PromptPreview, PromptTemplate
    from engram_desktop.domain.pipeline.render import StoryRenderer
    from engram_desktop.domain.pipeline.usage import DayUsage, UsageRow
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
    from engram_desktop.services.pipeline.automation import EntityStep
    from engram_desktop.services.pipeline.desk import Desk
    from engram_desktop.services.pipeline.drafts import DraftReport
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.services.prompts.prompts import Prompts
    from engram_desktop.storage.chat.chat_store import ChatStore


class Pipelines(OpenChats):
    """What `Memory` can do with the pipeline of a chat, on one of its branches."""

    _clients: Clients
    _library: Library
    _meter: Meter

    @abstractmethod
    def settings(self, chat_id: str | None = None) -> Settings: ...

    @abstractmethod
    def _chat_prompts(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str, native: Native
    ) -> Prompts: ...

    @abstractmethod
    def _native(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str
    ) -> Native: ...

    @abstractmethod
    def _lore(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int, pending: str = ""
    ) -> str: ...

    @abstractmethod
    def _names(self, chat_id: str, branch_id: str) -> Mapping[str, EntityType]: ...

    @abstractmethod
    def _renderer(self, store: ChatStore) -> StoryRenderer: ...

    def plan_summary(
        self,
        chat_id: str,
        floors: Floors | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryPlan:
        return summary_blocks.plan(self._desk(NullContext(), chat_id, branch_id), floors, extractor)

    def summarise(
        self,
        ctx: JobContext,
        chat_id: str,
        floors: Floors | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
        *,
        review: bool = False,
    ) -> SummaryReport:
        """Summarise ``floors`` (0-based, both ends included) or all that is due.

        With ``review`` what a model makes waits as drafts. Raises MemoryOff, LlmError.
        """
        desk = self._desk(ctx, chat_id, branch_id, review=review, works=True)
        wanted = desks.choose(self._clients, extractor)
        todo, _done = summary_blocks.unfinished(desk, floors, wanted)
        return summarise.summarise(desk, todo, wanted)

    def resummarise_stale(
        self,
        ctx: JobContext,
        chat_id: str,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryReport:
        """Summarise again what stale events tell of; unlocked ones are replaced."""
        desk = self._desk(ctx, chat_id, branch_id, works=True)
        return summarise.resummarise_stale(desk, extractor)

    def plan_consolidation(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> ConsolidationPlan:
        """Say what 整理记忆 would embed, archive and ask of a model."""
        desk = self._desk(NullContext(), chat_id, branch_id)
        planned = archive.plan(desk.store, self._clients.embedder(), branch_id)
        groups = story_so_far.grouped(archive.due(desk.store, branch_id))
        wanted = desks.choose(self._clients, _outlines_by(desk.settings))
        asked = [g for g in groups if len(g) > 1] if wanted == "llm" else []
        return replace(
            planned,
            outlines=len(groups),
            llm_calls=len(asked),
            prompt_tokens=sum(outlines.tokens_of(g) + outlines.PROMPT_TOKENS for g in asked),
            model=desk.model("trim") if asked else "",
        )

    def consolidate(
        self,
        ctx: JobContext,
        chat_id: str,
        branch_id: str = MAIN_BRANCH,
        *,
        keep: int = 0,
        extractor: ExtractorChoice | None = None,
    ) -> ConsolidationReport:
        """整理记忆: archive the buffer of a branch, but for the ``keep`` newest. Raises MemoryOff.

        Outlines go on telling of it, within the limit of visible text. ``extractor`` None is as
        the settings say. It never fails for want of a model.
        """
        desk = self._desk(ctx, chat_id, branch_id, works=True)
        wanted = _outlines_by(desk.settings) if extractor is None else extractor
        book = CallBook(desk.store, ctx, self._meter, "trim")
        with book.kept():
            by_model = desks.choose(self._clients, wanted) == "llm"
            client = desk.client("trim", book.record) if by_model else None
            report = archive.consolidate(
                desk.store,
                ctx,
                self._clients.embedder(),
                self.settings(),
                caps=link.Caps.of(desk.settings),
                events=archive.due(desk.store, branch_id, keep),
                writer=outlines.OutlineWriter(desk.renderer, desk.store.clock, desk, client),
            )
        report = replace(
            report,
            llm_calls=book.calls,
            prompt_tokens=book.prompt_tokens,
            completion_tokens=book.completion_tokens,
        )
        return self._trimmed(desk, report, wanted)

    def _trimmed(
        self, desk: Desk, report: ConsolidationReport, wanted: ExtractorChoice
    ) -> ConsolidationReport:
        """Merge old outlines where the new ones pass the limit, as part of the same step."""
        if report.step is None or report.changes.undo_label is None:
            return report
        limit, label = desk.settings.visible_tokens, report.changes.undo_label
        try:
            more = trim.trim(desk, limit, wanted, label=label, group=report.step)
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
        self,
        chat_id: str,
        limit: int | None = None,
        extractor: ExtractorChoice | None = None,
        branch_id: str = MAIN_BRANCH,
    ) -> TrimPlan:
        """Say what `trim` would do now and what it would ask of a model."""
        desk = self._desk(NullContext(), chat_id, branch_id)
        most = desk.settings.visible_tokens if limit is None else limit
        return trim.plan(desk, most, extractor or _outlines_by(desk.settings))

    def trim(
        self,
        ctx: JobContext,
        chat_id: str,
        limit: int | None = None,
        extractor: ExtractorChoice | None = None,
        branch_id: str = MAIN_BRANCH,
        *,
        with_untold: bool = False,
    ) -> TrimReport:
        """精简: merge old visible events into outlines until they cost at most ``limit`` tokens.

        ``with_untold`` first makes outlines of archived events that no outline tells of. Without
        ``extractor`` it is as the settings say. Raises MemoryOff, DailyCapReached.
        """
        desk = self._desk(ctx, chat_id, branch_id, works=True)
        most = desk.settings.visible_tokens if limit is None else limit
        wanted = extractor or _outlines_by(desk.settings)
        return trim.trim(desk, most, wanted, with_untold=with_untold)

    def untrim(self, chat_id: str, pk: int) -> Changes:
        """Take an outline apart into what it was made of."""
        return trim.untrim(self._chat(chat_id), pk)

    # --- looking back ---

    def plan_reflection(
        self, chat_id: str, floors: Floors | None = None, branch_id: str = MAIN_BRANCH
    ) -> ReflectionPlan:
        return reflect.plan(self._desk(NullContext(), chat_id, branch_id), floors)

    def reflect(
        self,
        ctx: JobContext,
        chat_id: str,
        floors: Floors | None = None,
        branch_id: str = MAIN_BRANCH,
    ) -> ReflectionReport:
        """Note what summaries missed and what characters keep to themselves, block by block.

        Without ``floors`` what is new since the last time. Raises MemoryOff, NotConfigured.
        """
        return reflect.reflect(self._desk(ctx, chat_id, branch_id, works=True), floors)

    # --- automation ---

    def update_profiles(
        self, ctx: JobContext, chat_id: str, branch_id: str = MAIN_BRANCH
    ) -> EntityReport:
        """Ask the model what events since the last time say of entities. Raises NotConfigured."""
        return profiles.update_profiles(self._desk(ctx, chat_id, branch_id, works=True))

    def plan_automation(
        self,
        chat_id: str,
        branch_id: str = MAIN_BRANCH,
        *,
        consent: bool = False,
        entities: bool = True,
    ) -> AutoPlan:
        """Say what automation would do now for a branch, and what holds it back."""
        desk = self._desk(NullContext(), chat_id, branch_id)
        step = self._entity_step(chat_id, branch_id) if entities else None
        return automation.look(desk, step, consent=consent)

    def automate(
        self,
        ctx: JobContext,
        chat_id: str,
        branch_id: str = MAIN_BRANCH,
        *,
        consent: bool = False,
        entities: bool = True,
        review: bool | None = None,
    ) -> AutoReport:
        """Do what is due, one after another. ``consent`` begins a backlog.

        ``entities``: profiles too. ``review``: whether what a model makes waits for the user; None
        is as the settings say.
        """
        settings = self.settings(chat_id)
        wants_review = settings.review_enabled if review is None else review
        desk = self._desk(ctx, chat_id, branch_id, review=wants_review)
        steps = automation.Steps(
            lambda todo: summarise.summarise(desk, todo, "auto"),
            lambda: self.consolidate(ctx, chat_id, branch_id, keep=settings.visible_newest),
            lambda: self.trim(ctx, chat_id, branch_id=branch_id),
            lambda: ctx.write(lambda: outlines.mend_outlines(desk)),
            self._entity_step(chat_id, branch_id) if entities else None,
        )
        return automation.run(
            ctx,
            lambda: self.plan_automation(chat_id, branch_id, consent=consent, entities=entities),
            steps,
            desk.store,
        )

    def skip_backlog(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> Changes:
        """Let automation begin with the messages that come from now on."""
        return automation.skip_backlog(self._desk(NullContext(), chat_id, branch_id))

    def _entity_step(self, chat_id: str, branch_id: str) -> EntityStep | None:
        """How often profiles are updated, and what does it; None without a model."""
        if not self._clients.has_llm():
            return None

        def update(ctx: JobContext, _floors: Floors) -> EntityReport:
            return self.update_profiles(ctx, chat_id, branch_id)

        return automation.EntityStep(self.settings(chat_id).entities_interval, update)

    # --- drafts: what a model wrote and nobody has saved yet ---

    def drafts(
        self,
        chat_id: str,
        branch_id: str = MAIN_BRANCH,
        states: Collection[DraftState] = ("waiting", "failed"),
    ) -> list[Draft]:
        """Drafts of a branch in the order of their floors, each with whether it is outdated."""
        return drafts.find(self._chat(chat_id), branch_id, states)

    def draft(self, chat_id: str, draft_id: str) -> Draft:
        """Return one draft. Raises NotFound."""
        return drafts.one(self._chat(chat_id), draft_id)

    def save_drafts(
        self,
        ctx: JobContext,
        chat_id: str,
        edits: Mapping[str, Sequence[DraftedEvent] | None],
        replaced: Mapping[str, Collection[int]] | None = None,
    ) -> DraftReport:
        """Save drafts by id, with their events as given (None: as drafted), in one step.

        ``replaced`` gives, for redone blocks by id, the keys of the events that go; without it
        locked events and those a user wrote stay.
        """
        return drafts.save(self._desk(ctx, chat_id, MAIN_BRANCH), edits, replaced)

    def discard_drafts(self, chat_id: str, ids: Collection[str]) -> Changes:
        return drafts.discard(self._chat(chat_id), ids)

    def read_draft(self, ctx: JobContext, chat_id: str, draft_id: str, raw: str) -> DraftReport:
        """Read an answer that was mended by hand, and store it. Raises BadAnswer, Conflict."""
        return drafts.read_again(self._desk(ctx, chat_id, MAIN_BRANCH), draft_id, raw)

    def ask_again(
        self, ctx: JobContext, chat_id: str, draft_id: str, *, review: bool = False
    ) -> SummaryReport:
        """Ask once more about the floors of a draft, which the new answer takes the place of."""
        draft = self.draft(chat_id, draft_id)
        desk = self._desk(ctx, chat_id, draft.branch_id, review=review, works=True)
        if draft.purpose == "redo":
            return summarise.redo(desk, draft.floors, draft.extractor)
        return summarise.summarise(desk, [draft.floors], draft.extractor)

    def plan_redo(
        self,
        chat_id: str,
        floors: Floors,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryPlan:
        """Say which blocks `redo_range` would make again, and about what it costs."""
        desk = self._desk(NullContext(), chat_id, branch_id)
        todo = summary_blocks.redo_blocks(desk, floors)
        return summary_blocks.plan_blocks(desk, todo, extractor, is_redo=True)

    def redo_range(
        self,
        ctx: JobContext,
        chat_id: str,
        floors: Floors,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryReport:
        """Make drafts of another summary of ``floors``; what is there stays until one is saved."""
        desk = self._desk(ctx, chat_id, branch_id, works=True)
        return summarise.redo(desk, floors, extractor)

    def compare_draft(self, chat_id: str, draft_id: str) -> DraftComparison:
        """Lay a draft beside the events that tell of its floors now."""
        store = self._chat(chat_id)
        draft = drafts.one(store, draft_id)
        there = drafts.present(store, draft)
        kept = frozenset(e.pk for e in there if drafts.is_kept(e, draft))
        shown = drafts.nodes(draft, self._renderer(store))
        return DraftComparison(draft, tuple(shown), tuple(there), kept)

    def events_at(
        self, chat_id: str, first: int, last: int, branch_id: str = MAIN_BRANCH
    ) -> list[EventNode]:
        """What was made of these floors, outlines too, in story order."""
        return self._chat(chat_id).events.at_floors(branch_id, first, last)

    # --- prompts ---

    def preview_prompt(
        self,
        chat_id: str,
        task: str,
        floors: Floors | None = None,
        branch_id: str = MAIN_BRANCH,
        template: PromptTemplate | None = None,
    ) -> PromptPreview:
        """Return the very request a task would send about floors; sends nothing.

        ``template`` is tried in place of what is saved. Raises InputError.
        """
        desk = self._desk(NullContext(), chat_id, branch_id)
        return prompt_library.preview(desk, task, floors, template)

    # --- what it costs ---

    def usage(self, chat_id: str | None = None) -> list[UsageRow]:
        """What models were asked, by local day, task and model; of one chat or of all."""
        return metering.usage_rows(self._library, self.settings(), chat_id)

    def usage_today(self) -> DayUsage:
        """What was spent of today's limit, in the whole library."""
        return self._meter.today()

    # --- inside ---

    def _desk(
        self,
        ctx: JobContext,
        chat_id: str,
        branch_id: str,
        *,
        review: bool = False,
        works: bool = False,
    ) -> Desk:
        """Put together what a step needs; raises MemoryOff if it ``works`` where memory is off."""
        store, settings = self._chat(chat_id), self.settings(chat_id)
        if works and settings.memory_mode == "off":
            raise MemoryOff
        native = self._native(ctx, store, settings, branch_id)
        return desks.Desk(
            store,
            ctx,
            self._clients,
            settings,
            self._renderer(store),
            self._meter,
            branch_id,
            review,
            native,
            self._chat_prompts(ctx, store, settings, branch_id, native),
            lambda floor: self._lore(ctx, chat_id, branch_id, floor),
            lambda: self._names(chat_id, branch_id),
        )


def _outlines_by(settings: Settings) -> ExtractorChoice:
    return "extractive" if settings.outline_extractor == "extractive" else "auto"
