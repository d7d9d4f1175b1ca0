"""Trim (精简): merge archived events into outlines, and old outlines into higher levels.

Visible text stays under its limit however long the chat is, because outlines are merged again.
Nothing is deleted: an outline can be dissolved into its parts. Locked events are left alone. Each
outline is one transaction; a run is one undo step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from engram_desktop.domain.changes import TRIM, UNTRIM, Changes, StepLabel
from engram_desktop.domain.errors import DailyCapReached, InputError, LlmError
from engram_desktop.domain.memory.event import EventNode, Extractor
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.draft import ExtractorChoice
from engram_desktop.domain.pipeline.outline import (
    LINE_TOKENS,
    Mergeable,
    condense,
    cost_of,
    grouped,
)
from engram_desktop.domain.reports import TrimPlan, TrimReport
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.llm.client import Client
from engram_desktop.services.graph.link import Caps, Linker
from engram_desktop.services.library.session import OneStep
from engram_desktop.services.library.usage import CallRecorder
from engram_desktop.services.pipeline.consolidation import (
    PROMPT_TOKENS,
    Outlined,
    OutlineWriter,
    ask,
    outline_of,
    place,
    room,
    tellable,
    tokens_of,
)
from engram_desktop.services.pipeline.step_context import StepContext, choose
from engram_desktop.storage.chat.chat_store import ChatStore

_T = QT_TRANSLATE_NOOP


@dataclass(slots=True)
class _Tally:
    step: OneStep
    outlines: int = 0
    trimmed: int = 0
    failed: list[str] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    linker: Linker | None = None


def untold(context: StepContext) -> list[EventNode]:
    """Return the branch's own archived events that are in no outline, in story order.

    Libraries consolidated by versions that made no outlines hold many.
    """
    return tellable(context.store, context.store.events.archived_roots(context.branch_id))


def plan(context: StepContext, limit: int, extractor: ExtractorChoice = "auto") -> TrimPlan:
    """Return what `trim` would do now, and approximately what it would ask a model."""
    archived = untold(context)
    groups = grouped(archived)
    visible = cost_of(context.store.events.visible(context.branch_id))
    costs = [room(tokens_of(g), context.settings.visible_tokens) for g in groups]
    merges = merges_due(visible + sum(costs) + LINE_TOKENS * len(costs), limit)
    with_model = choose(context.clients, extractor) == "llm"
    open_groups = [g for g in groups if len(g) > 1] if with_model else []
    tokens = sum(tokens_of(g) + PROMPT_TOKENS for g in open_groups)
    calls = len(open_groups) + (merges if with_model else 0)
    return TrimPlan(
        untold=len(archived),
        outlines=len(groups) + merges,
        tokens=visible,
        limit=limit,
        llm_calls=calls,
        prompt_tokens=tokens + (merges * (PROMPT_TOKENS + 2_000) if with_model else 0),
        model=context.model("trim") if calls else "",
    )


def merges_due(tokens: int, limit: int) -> int:
    """Return about how many merges of outlines bring ``tokens`` under ``limit``: ten become one."""
    over = tokens - limit
    return -(-over // 2_000) if over > 0 else 0


def trim(
    context: StepContext,
    limit: int,
    choice: ExtractorChoice = "auto",
    *,
    with_untold: bool = False,
    label: StepLabel | None = None,
    group: int | None = None,
) -> TrimReport:
    """Merge the oldest visible events until the visible text takes at most ``limit`` tokens.

    ``with_untold`` first makes outlines of archived events that have none. ``label`` and ``group``
    make it part of another undo step.

    Stops early, with a note, if a model fails or nothing may be merged any more. Events that a
    branch inherits are not merged on it. Raises DailyCapReached.
    """
    recorder = CallRecorder(context.store, context.ctx, context.meter, "trim")
    caps = Caps.of(context.settings)
    tally = _Tally(
        OneStep(context.store, label or StepLabel(TRIM, {"count": 0}), group),
        linker=None if caps is None else Linker(context.store, caps),
    )
    extractor = choose(context.clients, choice)
    before = cost_of(context.store.events.visible(context.branch_id))
    with recorder.kept():
        client = context.client("trim", recorder.record) if extractor == "llm" else None
        if with_untold:
            _tell(context, client, tally, is_part=label is not None)
        tokens = _trim(context, limit, extractor, client, tally, is_part=label is not None)
    return TrimReport(
        tally.outlines,
        tally.trimmed,
        before,
        tokens,
        recorder.calls,
        tuple(tally.failed),
        Changes(
            chat_id=context.store.chat_id,
            events=frozenset(tally.touched),
            rows=bool(tally.touched),
            counts=bool(tally.touched),
            undo_label=tally.step.label if tally.outlines else None,
        ),
        recorder.prompt_tokens,
        recorder.completion_tokens,
    )


def _tell(context: StepContext, client: Client | None, tally: _Tally, *, is_part: bool) -> None:
    """Make outlines of archived events that have none."""
    writer = OutlineWriter(context.renderer, context.store.clock, context, client)
    groups = grouped(untold(context))
    count = sum(len(g) for g in groups)

    def take(outlined: Sequence[Outlined]) -> None:
        for group, outline in outlined:
            context.ctx.report(tally.trimmed, count, "trim")
            if not is_part:
                tally.step.label = StepLabel(TRIM, {"count": tally.trimmed + len(group)})
            _commit(context, group, outline, tally)

    writer.write(groups, take)
    tally.failed += writer.notes()


def _trim(
    context: StepContext,
    limit: int,
    extractor: Extractor,
    client: Client | None,
    tally: _Tally,
    *,
    is_part: bool,
) -> int:
    """Merge until the limit is met; return the tokens of the visible text then."""
    store, ctx = context.store, context.ctx
    visible = store.events.visible(context.branch_id)
    tokens, mergeable = cost_of(visible), _mergeable(context, visible)
    stopped = False
    while tokens > limit and not stopped:
        ctx.report(tally.trimmed, None, "trim")
        group = mergeable.next_group()
        if not group:
            break
        if len(tellable(store, group)) < len(group):  # an event was muted meanwhile
            mergeable = _mergeable(context, store.events.visible(context.branch_id))
            continue
        if not is_part:
            tally.step.label = StepLabel(TRIM, {"count": tally.trimmed + len(group)})
        outline = _merged(context, client, extractor, group, tally)
        stopped = outline is None
        if outline is not None:
            stored = _commit(context, group, outline, tally)
            if stored is None:  # an event changed meanwhile: read everything again
                visible = store.events.visible(context.branch_id)
                tokens, mergeable = cost_of(visible), _mergeable(context, visible)
            else:  # continue with the known costs: a long story has many events, and many merges
                tokens += cost_of([stored]) - cost_of(group)
                mergeable.merge(group, tellable(store, [stored]))
    return tokens


def _mergeable(context: StepContext, visible: Sequence[EventNode]) -> Mergeable:
    own_events = [e for e in visible if e.branch_id == context.branch_id]
    return Mergeable(tellable(context.store, own_events))


def untrim(store: ChatStore, pk: int) -> Changes:
    """Dissolve an outline: it is deleted, and its parts are visible again."""
    outline = store.events.fetch([pk]).get(pk)
    if outline is None or outline.is_deleted or outline.level == 0:
        raise InputError(Phrase(_T("reports", "Only an outline can be taken apart.")))
    children = store.outlines.children(outline.id)
    label = StepLabel(UNTRIM, {"count": len(children)})
    with store.step(label):
        store.outlines.dissolve(outline, store.clock())
    touched = frozenset({pk, *(c.pk for c in children)})
    return Changes(chat_id=store.chat_id, events=touched, rows=True, counts=True, undo_label=label)


def next_events(context: StepContext) -> list[EventNode]:
    """Return the events that would be merged next; empty if there are none."""
    visible = context.store.events.visible(context.branch_id)
    return _mergeable(context, visible).next_group()


def _merged(
    context: StepContext,
    client: Client | None,
    extractor: Extractor,
    group: Sequence[EventNode],
    tally: _Tally,
) -> EventNode | None:
    """Make the outline, by the model or by choosing sentences; None if the model failed."""
    now = context.store.clock
    if client is None:
        limit = room(tokens_of(group), context.settings.visible_tokens)
        data = condense([e.raw_data for e in group], limit)
        return outline_of(group, data, extractor, context.renderer, now())
    asking = client

    async def answer() -> EventNode:
        async with asking.session() as session:
            data = await ask(context, session, group)
        return outline_of(group, data, extractor, context.renderer, now())

    try:
        return run_async(context.ctx, answer())
    except DailyCapReached:
        raise
    except LlmError as e:
        tally.failed.append(e.phrase)
        return None


def _commit(
    context: StepContext, group: Sequence[EventNode], outline: EventNode, tally: _Tally
) -> EventNode | None:
    """Store an outline in place of its events; None if one of them changed meanwhile."""
    store = context.store

    def unit() -> EventNode | None:
        with tally.step.part():
            if len(store.events.unchanged(group)) != len(group):
                return None
            waiting = [e for e in group if e.level == 0 and not e.is_archived]
            if waiting and tally.linker is not None:
                tally.linker.consolidate(waiting)
                store.entities.refresh_items(store.entities.due_items())  # few: those of one group
            (pk,) = place(store, [(group, outline)])
            tally.touched.update([pk, *(e.pk for e in group)])
        return store.events.fetch([pk])[pk]

    stored = context.ctx.write(unit)
    if stored is not None:
        tally.outlines += 1
        tally.trimmed += len(group)
    return stored
