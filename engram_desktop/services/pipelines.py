"""The part of the facade that turns messages into memory: summarise, consolidate, trim."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence

from engram_desktop.domain.automation import AutoPlan, AutoReport
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.draft import (
    Draft,
    DraftComparison,
    DraftedEvent,
    DraftState,
)
from engram_desktop.domain.errors import MemoryOff
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.prompt_template import PromptPreview, PromptTemplate
from engram_desktop.domain.render import StoryRenderer
from engram_desktop.domain.reports import (
    ConsolidationPlan,
    ConsolidationReport,
    EntityReport,
    ReflectionPlan,
    ReflectionReport,
    SummaryPlan,
    SummaryReport,
    TrimReport,
)
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.usage import DayUsage, UsageRow
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services import (
    archive,
    automation,
    drafts,
    metering,
    profiles,
    prompt_library,
    reflect,
    summarise,
    trim,
)
from engram_desktop.services.automation import EntityStep
from engram_desktop.services.blocks import Floors
from engram_desktop.services.clients import Clients
from engram_desktop.services.desk import Desk, ExtractorChoice, choose
from engram_desktop.services.drafts import DraftReport
from engram_desktop.services.link import Caps
from engram_desktop.services.metering import Meter
from engram_desktop.services.native import Native
from engram_desktop.services.open_chats import OpenChats
from engram_desktop.services.prompts import Prompts
from engram_desktop.storage.chat_store import ChatStore
from engram_desktop.storage.library import Library


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
    def _renderer(self, store: ChatStore) -> StoryRenderer: ...

    def plan_summary(
        self,
        chat_id: str,
        floors: Floors | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> SummaryPlan:
        return summarise.plan(self._desk(NullContext(), chat_id, branch_id), floors, extractor)

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
        wanted = choose(self._clients, extractor)
        todo, _done = summarise.unfinished(desk, floors, wanted)
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
        return archive.plan(self._chat(chat_id), self._clients.embedder(), branch_id)

    def consolidate(
        self, ctx: JobContext, chat_id: str, branch_id: str = MAIN_BRANCH
    ) -> ConsolidationReport:
        """整理记忆: archive the whole buffer of a branch. Raises MemoryOff."""
        desk = self._desk(ctx, chat_id, branch_id, works=True)
        return archive.consolidate(
            desk.store,
            ctx,
            self._clients.embedder(),
            self.settings(),
            caps=Caps.of(desk.settings),
            branch_id=branch_id,
        )

    def trim(
        self,
        ctx: JobContext,
        chat_id: str,
        limit: int | None = None,
        extractor: ExtractorChoice = "auto",
        branch_id: str = MAIN_BRANCH,
    ) -> TrimReport:
        """精简: merge old visible events into outlines until they cost at most ``limit`` tokens.

        Raises MemoryOff, DailyCapReached.
        """
        desk = self._desk(ctx, chat_id, branch_id, works=True)
        most = desk.settings.visible_tokens if limit is None else limit
        return trim.trim(desk, most, extractor)

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
            lambda: self.consolidate(ctx, chat_id, branch_id),
            lambda: self.trim(ctx, chat_id, branch_id=branch_id),
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

        return EntityStep(self.settings(chat_id).entities_interval, update)

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
        todo = summarise.redo_blocks(desk, floors)
        return summarise.plan_blocks(desk, todo, extractor, is_redo=True)

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
        return Desk(
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
        )
