"""Automation: find the pipeline steps that are due on a branch, and run them in order.

It never starts a backlog without consent, never asks again about a block that failed (the user
does), and runs no step twice in one run, so that it cannot loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import AUTO_FROM, ENTITY_CURSOR, Changes, StepLabel
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.automation import (
    AutoPlan,
    AutoReport,
    Counters,
    Decision,
    Limits,
    Standing,
    blocks,
    decide,
)
from engram_desktop.domain.pipeline.outline import MAX_GROUP
from engram_desktop.domain.pipeline.usage import Estimate, cost
from engram_desktop.domain.reports import (
    ConsolidationReport,
    EntityReport,
    FailedRange,
    ReflectionReport,
    SummaryReport,
    TrimReport,
)
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext, NullContext
from engram_desktop.services.events.blocks import Floors, checked
from engram_desktop.services.pipeline import consolidation, reflect, summarise
from engram_desktop.services.pipeline.consolidation import MOST
from engram_desktop.services.pipeline.profiles import DIALOGUE_ASKED
from engram_desktop.services.pipeline.step_context import StepContext, choose
from engram_desktop.services.pipeline.summary_request import prompt_tokens, unfinished
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.pipeline.pipeline_service import PipelineService
    from engram_desktop.services.pipeline.step_context import StepContexts


BACKLOG_BLOCKS = 3  # blocks; more than this are a backlog: a player writes less in an evening
BACKLOG_UPDATES = 6  # intervals of profile updates; more than this are a backlog
OUTLINE_TOKENS = 1_500  # tokens of an outline request: ten events and the instructions
UPDATE_TOKENS = 3_000  # tokens of events in one profile update
MOST_WAITING = 8  # drafts waiting for review, from which on no more is asked
CHUNK = 8  # blocks between two checks of the buffer
COMPLETION_TOKENS = 700  # tokens of an answer, as long as there is no average


@dataclass(frozen=True, slots=True)
class EntityStep:
    """Updates the profiles of entities every ``interval`` floors; 0 means never.

    ``update`` is called with the new floors. It should move `last_extracted_floor` in its own
    undoable step, but never past floors that failed.
    """

    interval: int
    update: Callable[[JobContext, Floors], EntityReport]


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that automation runs, supplied by `AutomationService`."""

    summarise: Callable[[Sequence[Floors]], SummaryReport]
    consolidate: Callable[[], ConsolidationReport]
    trim: Callable[[], TrimReport]
    mend: Callable[[], Changes]
    reflect: Callable[[Floors], ReflectionReport]
    entities: EntityStep | None = None


@dataclass(slots=True)
class _Progress:
    events: int = 0
    waiting: int = 0
    archived: int = 0
    outlines: int = 0
    logs: int = 0
    has_reflected: bool = False
    failed: list[FailedRange] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stopped: str = ""
    changes: Changes = field(default_factory=Changes)


def look(
    context: StepContext,
    entities: EntityStep | None = None,
    *,
    consent: bool = False,
    ended: bool = False,
) -> AutoPlan:
    """Return what automation would do now. ``consent``: the user agreed to the backlog.

    ``ended``: the session on this line is over.
    """
    settings = context.settings
    extractor = choose(context.clients, "auto")
    drafts = context.store.drafts.counts(context.branch_id)
    plan = AutoPlan(
        context.store.chat_id,
        context.branch_id,
        "idle",
        extractor,
        drafts=drafts,
        idle_minutes=settings.reflect_idle,
    )
    if settings.memory_mode == "off":
        return replace(plan, standing="mode")
    counters = _counters(context, entities)
    decision = decide(counters, _limits(context, entities))
    settled = counters.floors - settings.summary_newest
    floors_left = settings.summary_interval - (settled - counters.last_summarized_floor)
    todo = _due_blocks(context, decision)
    consolidates = decision.consolidate and counters.buffer_events > 0
    plan = replace(
        plan,
        model=context.model("summary") if extractor == "llm" else "",
        blocks=tuple(todo),
        consolidate=consolidates,
        trim=decision.trim,
        mend=decision.mend,
        entities=decision.entities,
        reflect=tuple(due(context, extractor, is_full=consolidates, ended=ended)),
        is_over=is_over(context),
        floors_left=max(0, floors_left),
    )
    is_backlog = _is_backlog(plan, entities)
    if is_backlog:
        plan = replace(plan, estimate=_estimate(context, plan))
    return replace(plan, standing=_standing(context, plan, asks=is_backlog and not consent))


def run(
    ctx: JobContext, look_again: Callable[[], AutoPlan], steps: Steps, store: ChatStore
) -> AutoReport:
    """Run the steps that are due: summarise, then consolidate, trim and update profiles.

    Raises what a step raises; finished work is kept.
    """
    plan = look_again()
    progress = _Progress()
    before = max((step.id for step in store.journal.history()), default=0)
    if plan.standing != "due":
        return AutoReport(plan)
    for chunk in _chunks(plan):
        ctx.check()
        if chunk:
            report = steps.summarise(chunk)
            progress.events += report.events_added
            progress.waiting += report.waiting
            progress.failed += report.failed
            progress.changes |= report.changes
            progress.stopped = report.stopped
        _settle(look_again, steps, progress)
        if progress.stopped or look_again().standing in {"capped", "review"}:
            break  # what stopped one block would stop the next one
    plan = look_again()
    entities_failed = False
    if (
        not progress.stopped
        and plan.standing == "due"
        and plan.entities is not None
        and steps.entities is not None
    ):
        update = _update_entities(ctx, steps.entities, plan.entities, plan, store)
        progress.notes += update.failed
        progress.changes |= update.changes
        entities_failed = bool(update.failed)
    return AutoReport(
        look_again(),
        progress.events,
        progress.waiting,
        progress.archived,
        progress.outlines,
        progress.logs,
        tuple(progress.failed),
        tuple(progress.notes),
        progress.changes,
        entities_failed,
        progress.stopped,
        tuple(step.id for step in store.journal.history() if step.id > before),
    )


def skip_backlog(context: StepContext) -> Changes:
    """Make automation skip the backlog: it starts with the messages that come after.

    The floors so far are not looked back on automatically either.
    """
    store, branch_id = context.store, context.branch_id
    floor = max(0, store.messages.count(branch_id) - context.settings.summary_newest)
    label = StepLabel(AUTO_FROM, {"floor": floor})
    with store.step(label):
        state = store.scope_state(branch_id)
        extracted = max(state.last_extracted_floor, floor)
        reflected = max(state.last_reflected_floor, store.messages.count(branch_id))
        state = replace(
            state,
            automatic_from=floor,
            last_extracted_floor=extracted,
            last_reflected_floor=reflected,
        )
        store.save_scope_state(state, branch_id)
    return Changes(chat_id=store.chat_id, undo_label=label)


def _standing(context: StepContext, plan: AutoPlan, *, asks: bool) -> Standing:
    if not context.settings.auto_enabled:
        return "off"
    if not plan.is_due:
        return "idle"
    if plan.extractor == "llm" and context.meter.is_capped:
        return "capped"
    if plan.blocks and plan.drafts.waiting >= MOST_WAITING:
        return "review"
    return "consent" if asks else "due"


def _counters(context: StepContext, entities: EntityStep | None) -> Counters:
    store, branch_id = context.store, context.branch_id
    visible = store.events.always_visible(branch_id)
    return Counters(
        floors=store.messages.count(branch_id),
        last_summarized_floor=_reached(context),
        last_extracted_floor=store.scope_state(branch_id).last_extracted_floor,
        buffer_events=visible.waiting,
        buffer_tokens=visible.waiting_tokens,
        visible_tokens=visible.tokens,
        consolidated_floor=store.events.floors_covered(branch_id) if entities else 0,
        stale_outlines=store.outlines.has_stale(branch_id),
    )


def _limits(context: StepContext, entities: EntityStep | None) -> Limits:
    settings = context.settings
    return Limits(
        interval=settings.summary_interval,
        newest_left_alone=settings.summary_newest,
        buffer_events=settings.buffer_events,
        buffer_tokens=settings.buffer_tokens,
        visible_tokens=settings.visible_tokens,
        entity_interval=entities.interval if entities else 0,
        newest_kept=settings.visible_newest,
    )


def _settled(context: StepContext) -> list[Floors]:
    """Return the floors automation skips: summarised, drafted, failed, or in a skipped backlog."""
    store, branch_id = context.store, context.branch_id
    skipped = store.scope_state(branch_id).automatic_from
    checked_drafts = checked(store, branch_id, store.drafts.find(branch_id))
    drafts = [d.floors for d in checked_drafts if d.purpose == "new" and not d.is_outdated]
    block_floors = [(first, last) for first, last, *_rest in store.blocks(branch_id)]
    return [*block_floors, *drafts, *([(0, skipped - 1)] if skipped else [])]


def _reached(context: StepContext) -> int:
    """Return how many floors, from the first on, are settled without a gap."""
    reached = 0
    for first, last in sorted(_settled(context)):
        if first > reached:
            break
        reached = max(reached, last + 1)
    return reached


def _due_blocks(context: StepContext, decision: Decision) -> list[Floors]:
    """Return the blocks to summarise. The end of the line waits until it fills a block."""
    if decision.summarise is None:
        return []
    interval = context.settings.summary_interval
    todo, _done = unfinished(context, decision.summarise, "extractive", _settled(context))
    last = decision.summarise[1]
    if len(todo) > 1 and todo[-1][1] == last and todo[-1][0] != todo[-2][1] + 1:
        first, end = todo[-1]
        if end - first + 1 < interval:
            todo.pop()
    return todo


def _is_backlog(plan: AutoPlan, entities: EntityStep | None) -> bool:
    if plan.extractor != "llm":
        return False  # nothing is sent to a model and nothing costs
    if len(plan.reflect) > MOST_BLOCKS:
        return True
    if entities is not None and plan.entities is not None:
        first, last = plan.entities
        if last - first + 1 > BACKLOG_UPDATES * entities.interval:
            return True
    return len(plan.blocks) > BACKLOG_BLOCKS


def _estimate(context: StepContext, plan: AutoPlan) -> Estimate:
    calls = len(plan.blocks)
    prompts = prompt_tokens(context.store, context.branch_id, plan.blocks)
    looking = (
        reflect.plan(context, (plan.reflect[0][0], plan.reflect[-1][1])) if plan.reflect else None
    )
    answers = calls * (context.store.ledger.mean_completion("summary") or COMPLETION_TOKENS)
    if (
        context.settings.outline_extractor == "auto"
    ):  # about one event a block, ten events an outline
        outlines = -(-len(plan.blocks) // MAX_GROUP)
        calls += outlines
        prompts += outlines * OUTLINE_TOKENS
        answers += outlines * MOST
    if plan.entities is not None:
        told_events = context.store.events.at_floors(context.branch_id, *plan.entities)
        tokens = sum(estimate_tokens(e.summary) for e in told_events)
        updates = -(-tokens // UPDATE_TOKENS)
        if context.settings.entities_dialogue:
            spoken = prompt_tokens(context.store, context.branch_id, [plan.entities])
            tokens += spoken
            updates = max(updates, -(-spoken // DIALOGUE_ASKED))
        calls += updates
        prompts += tokens + updates * UPDATE_TOKENS  # the present profiles are sent along
        answers += updates * COMPLETION_TOKENS
    if looking is not None:
        calls += looking.requests
        prompts += looking.prompt_tokens
        answers += looking.requests * COMPLETION_TOKENS
    money = cost(context.settings, prompts, answers)
    return Estimate(calls, prompts, answers, money, context.settings.llm_currency)


def _chunks(plan: AutoPlan) -> Iterable[Sequence[Floors]]:
    """Split the blocks into parts of a run; without a model it is one part."""
    size = CHUNK if plan.extractor == "llm" else max(1, len(plan.blocks))
    if not plan.blocks:
        return [()]
    return [plan.blocks[n : n + size] for n in range(0, len(plan.blocks), size)]


def _settle(look_again: Callable[[], AutoPlan], steps: Steps, progress: _Progress) -> None:
    """Mend stale outlines, look back, consolidate and trim, each once if it is due."""
    if look_again().mend:
        progress.changes |= steps.mend()
    plan = look_again()
    if plan.reflect and not progress.has_reflected:
        _look_back(plan.reflect, steps, progress)
    if look_again().consolidate:
        report = steps.consolidate()
        progress.archived += report.archived
        progress.outlines += report.outlines
        progress.notes += report.failed
        progress.changes |= report.changes
    if look_again().trim:
        trimmed = steps.trim()
        progress.outlines += trimmed.outlines
        progress.notes += trimmed.failed
        progress.changes |= trimmed.changes


def _look_back(blocks: Sequence[Floors], steps: Steps, progress: _Progress) -> None:
    """Look back, once in a run; failures are recorded and do not stop the other steps."""
    progress.has_reflected = True
    report = steps.reflect((blocks[0][0], blocks[-1][1]))
    progress.events += report.events_added
    progress.logs += report.logs_added
    progress.changes |= report.changes
    progress.failed += report.failed


def _update_entities(
    ctx: JobContext, step: EntityStep, floors: Floors, plan: AutoPlan, store: ChatStore
) -> EntityReport:
    """Update profiles, and move the cursor past these floors if nothing failed."""
    report = step.update(ctx, floors)
    reached = floors[1] + 1

    def unit() -> None:
        state = store.scope_state(plan.branch_id)
        if state.last_extracted_floor < reached:
            with store.step(StepLabel(ENTITY_CURSOR, {"floor": floors[1]})):
                moved = replace(state, last_extracted_floor=reached)
                store.save_scope_state(moved, plan.branch_id)

    if not report.failed:
        ctx.write(unit)
    return report


class AutomationService:
    """Runs the pipeline automatically, within what the settings allow."""

    def __init__(self, session: Session, contexts: StepContexts, pipeline: PipelineService) -> None:
        self._session = session
        self._steps = contexts
        self._pipeline = pipeline

    def plan(
        self, line: Line, *, consent: bool = False, entities: bool = True, ended: bool = False
    ) -> AutoPlan:
        """Return what automation would do now on a branch, and what prevents it.

        ``ended``: the session is over, so it is to be looked back on.
        """
        context = self._steps.make(NullContext(), line)
        step = self._entity_step(line) if entities else None
        return look(context, step, consent=consent, ended=ended)

    def run(
        self,
        ctx: JobContext,
        line: Line,
        *,
        consent: bool = False,
        entities: bool = True,
        review: bool | None = None,
        ended: bool = False,
    ) -> AutoReport:
        """Run the steps that are due. ``consent`` starts a backlog.

        ``ended``: the session is over; the newest floors are looked back on too. ``entities``:
        update profiles too. ``review``: whether a model's events wait for the user; None: as the
        settings say.
        """
        settings, pipeline = self._session.settings(line.chat_id), self._pipeline
        wants_review = settings.review_enabled if review is None else review
        context = self._steps.make(ctx, line, review=wants_review)
        steps = Steps(
            lambda todo: summarise.summarise(context, todo, "auto"),
            lambda: pipeline.consolidate(ctx, line, keep=settings.visible_newest),
            lambda: pipeline.trim(ctx, line),
            lambda: ctx.write(lambda: consolidation.dissolve_stale_outlines(context)),
            lambda floors: pipeline.reflect(ctx, line, floors),
            self._entity_step(line) if entities else None,
        )
        return run(
            ctx,
            lambda: self.plan(line, consent=consent, entities=entities, ended=ended),
            steps,
            context.store,
        )

    def skip_backlog(self, line: Line) -> Changes:
        """Make automation start with the messages that come from now on."""
        return skip_backlog(self._steps.make(NullContext(), line))

    def _entity_step(self, line: Line) -> EntityStep | None:
        """Return how often profiles are updated, and the function for it; None without a model."""
        if not self._session.clients.has_llm():
            return None

        def update(ctx: JobContext, _floors: Floors) -> EntityReport:
            return self._pipeline.update_profiles(ctx, line)

        return EntityStep(self._session.settings(line.chat_id).entities_interval, update)


MOST_BLOCKS = 3  # blocks, as in a summary: a player writes less in an evening
FEWEST_FLOORS = 2  # floors of a session: a greeting or a closing word alone is none
MINUTE_MS = 60_000  # milliseconds


def due(context: StepContext, extractor: str, *, is_full: bool, ended: bool) -> list[Floors]:
    """Return the blocks to look back on now: the floors since the last time. None without a model.

    See design note 003 §3.3. More than `MOST_BLOCKS` are a backlog, which is not started
    automatically. ``is_full``: the buffer is about to be consolidated; floors not summarised yet
    wait, and a backlog does not delay the consolidation. ``ended``: the session is over, so the
    newest floors are included.
    """
    if extractor != "llm" or not context.settings.reflect_auto:
        return []
    if ended:
        reached = context.store.floors_reflected(context.branch_id)
        last = context.store.messages.count(context.branch_id) - 1
        if last + 1 - reached < FEWEST_FLOORS:
            return []
        return blocks(reached, last, context.settings.summary_interval)
    todo = reflect.todo(context, None) if is_full else []
    return todo if len(todo) <= MOST_BLOCKS else []


def is_over(context: StepContext) -> bool:
    """Return whether a session that was open when the program closed has ended since.

    It must have floors since the last look back; on a line never looked back on, it must have been
    played in this program.
    """
    store, branch_id = context.store, context.branch_id
    count, reached = store.messages.count(branch_id), store.floors_reflected(branch_id)
    if not context.settings.reflect_auto or count < reached + FEWEST_FLOORS:
        return False
    newest = store.messages.slice(branch_id, count - 2, count - 1)
    if reached == 0 and not store.turn_notes.of([message.id for message in newest]):
        return False
    silence = context.settings.reflect_idle * MINUTE_MS
    return (newest[-1].sent_at or 0) + silence <= store.clock()
