"""Stage 2 (整理记忆): archive the buffer: vectors, entities, relations, green lamps, outlines.

In batches: embed and write outlines outside of any transaction, then store everything of a batch in
one transaction, so that outlines never lag behind what is archived. All batches are one undo step.
Cancelling keeps whole batches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import CONSOLIDATE, MEND_OUTLINES, Changes, StepLabel
from engram_desktop.domain.errors import BadAnswer, KnownError, LlmError, StorageError
from engram_desktop.domain.inject import defused
from engram_desktop.domain.memory.event import OF_EXTRACTOR, EventNode, Extractor, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv
from engram_desktop.domain.memory.line import MAIN_BRANCH, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.outline import condense, grouped, may_be_in_outline
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.reports import ConsolidationPlan, ConsolidationReport
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.asyncjob import run_async
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.answers import FORMATS, extract
from engram_desktop.llm.client import Client
from engram_desktop.llm.embedding.local_embedder import Embedder
from engram_desktop.services.graph.link import (
    DEFAULT,
    Archived,
    Caps,
    Linker,
    caught_up,
    consolidate_unlinked,
)
from engram_desktop.services.graph.suggest import suggest
from engram_desktop.services.library.session import OneStep
from engram_desktop.services.pipeline.step_context import StepContext
from engram_desktop.services.prompts.prompts import Language, language_of
from engram_desktop.services.recall.index import embed_items, keep_index
from engram_desktop.storage.chat.chat_store import ChatStore

if TYPE_CHECKING:
    from engram_desktop.llm.session import RequestSession


_T = QT_TRANSLATE_NOOP

SHORTER = 0.8  # share of its originals that an outline must not exceed
TARGET = 1 / 3  # share of its originals that a model is asked for; not measured
MOST = 240  # tokens of one outline; without a limit those of higher levels would grow
PROMPT_TOKENS = 500  # tokens of a request besides the events
_WITHOUT_MODEL = _T("reports", "Outlines made without the model: {count}. {reason}")

Group = Sequence[EventNode]
Outlined = tuple[Group, EventNode]


@dataclass(slots=True)
class OutlineWriter:
    """Writes outlines of groups of events, by ``client``, or by choosing sentences if it is None.

    If the model fails, sentences are chosen instead and `notes` reports it: archived events must
    stay represented. After a failure that every request would meet, the model is not asked any
    more.
    """

    renderer: StoryRenderer
    clock: Callable[[], int]
    context: StepContext | None = None
    client: Client | None = None
    reasons: list[str] = field(default_factory=list)
    _is_given_up: bool = False

    def write(self, groups: Sequence[Group], take: Callable[[Sequence[Outlined]], None]) -> None:
        """Pass every group with its outline to ``take``: each when it is answered, or all at once.

        ``take`` is called on the calling thread. Raises what it raises, and Cancelled.
        """
        if self.context is None or self.client is None:
            if groups:
                take([(group, self._chosen(group)) for group in groups])
            return
        run_async(self.context.ctx, self._with_model(self.context, self.client, groups, take))

    def notes(self) -> list[str]:
        """Return a note on the outlines that the model failed to write."""
        if not self.reasons:
            return []
        return [Phrase(_WITHOUT_MODEL, count=len(self.reasons), reason=self.reasons[0])]

    def _chosen(self, group: Group) -> EventNode:
        visible = self.context.settings.visible_tokens if self.context is not None else None
        data = condense([e.raw_data for e in group], room(tokens_of(group), visible))
        return outline_of(group, data, "extractive", self.renderer, self.clock())

    async def _with_model(
        self,
        context: StepContext,
        client: Client,
        groups: Sequence[Group],
        take: Callable[[Sequence[Outlined]], None],
    ) -> None:
        gate = asyncio.Semaphore(context.settings.llm_parallel)
        async with client.session() as session:

            async def one(group: Group) -> None:
                async with gate:
                    outline = await self._asked(context, session, group)
                    take([(group, outline)])

            try:
                async with asyncio.TaskGroup() as tasks:
                    for group in groups:
                        tasks.create_task(one(group))
            except BaseExceptionGroup as errors:  # the first error is why the others were cancelled
                raise errors.exceptions[0] from None

    async def _asked(
        self, context: StepContext, session: RequestSession, group: Group
    ) -> EventNode:
        if len(group) == 1 or self._is_given_up:  # one event is shortened without a request
            if self._is_given_up:
                self.reasons.append(self.reasons[0])
            return self._chosen(group)
        try:
            data = await ask(context, session, group)
        except BadAnswer as e:
            self.reasons.append(e.phrase)
        except LlmError as e:  # the next request would fail in the same way
            self._is_given_up = True
            self.reasons.append(e.phrase)
        else:
            return outline_of(group, data, "llm", self.renderer, self.clock())
        return self._chosen(group)


def tellable(store: ChatStore, events: Sequence[EventNode]) -> list[EventNode]:
    """Return the events an outline may include: known to everybody, and not muted."""
    muted = {item.ref for item in store.items.muted()}
    return [e for e in events if may_be_in_outline(e) and e.id not in muted]


def place(store: ChatStore, outlined: Sequence[Outlined]) -> list[int]:
    """Store outlines above their parts, inside the caller's step; return their keys."""
    now = store.clock()
    pks = store.events.add([outline for _group, outline in outlined], now)
    for group, outline in outlined:
        store.outlines.put_under([e.pk for e in group], outline.id, now)
    return pks


async def ask(context: StepContext, session: RequestSession, group: Group) -> PlotExtraction:
    """Ask a model to merge a group. Raises LlmError; BadAnswer if the result is not shorter."""
    messages, language = request_of(context, group)
    formats = context.prompts.formats("trim", language, FORMATS)
    answer = await extract(session, messages, formats=formats)
    if not answer.events:
        raise BadAnswer(Phrase(_T("reports", "it holds no outline")), raw=answer.raw)
    first, *others = answer.events
    data = replace(first, summary=" ".join([first.summary, *(e.summary for e in others)]))
    limit = room(tokens_of(group), context.settings.visible_tokens)
    if estimate_tokens(data.summary) > max(limit, tokens_of(group) * SHORTER):
        why = _T("reports", "it is hardly shorter than the events it was to be made of")
        raise BadAnswer(Phrase(why), raw=answer.raw)
    return data


def request_of(context: StepContext, group: Group) -> tuple[list[dict[str, str]], Language]:
    """Return the request to merge a group of events, and its language."""
    listed = "\n".join(
        f"- [{e.source_range.start_index}–{e.source_range.end_index}"
        f" · {e.raw_data.timestamp} {e.raw_data.location}] {e.summary}"
        for e in group
    )
    values = {
        "events": defused(listed, "events"),
        "count": str(len(group)),
        "first": str(group[0].source_range.start_index),
        "last": str(max(e.source_range.end_index for e in group)),
        "limit": str(room(tokens_of(group), context.settings.visible_tokens)),
        "engramSummaries": "\n".join(f"- {e.summary}" for e in group),
    }
    language = language_of([e.summary for e in group])
    return context.prompts.request("trim", language, values), language


def tokens_of(group: Group) -> int:
    """Return the tokens of the summaries of these events."""
    return sum(estimate_tokens(e.summary) for e in group)


def room(tokens: int, visible: int | None) -> int:
    """Return the most tokens that an outline of events with ``tokens`` tokens may have.

    ``visible`` is the limit of always-visible text in tokens, if there is one. An outline gets at
    most an eighth of it: several outlines of each level are visible, and all must fit.
    """
    most = MOST if visible is None else min(MOST, visible // 8)
    return max(24, min(most, int(tokens * TARGET)))


def outline_of(
    group: Group, data: PlotExtraction, extractor: Extractor, renderer: StoryRenderer, now: int
) -> EventNode:
    """Build an outline with the span, all roles and the highest significance of its group."""
    roles = tuple(dict.fromkeys(name for e in group for name in e.structured_kv.role))
    kv: StructuredKv = replace(data.structured_kv, role=roles or data.structured_kv.role)
    score = max(e.significance_score for e in group)
    data = replace(data, structured_kv=kv, significance_score=score)
    people = [name for e in group for name in e.participants]
    return EventNode(
        pk=0,
        id=new_id(),
        branch_id=group[-1].branch_id,
        summary=data.summary,
        structured_kv=kv,
        raw_data=data,
        display_text=renderer.render(data),
        status="buffer",
        is_archived=False,
        is_embedded=False,
        level=max(e.level for e in group) + 1,
        source_range=SourceRange(
            min(e.source_range.start_index for e in group),
            max(e.source_range.end_index for e in group),
        ),
        significance_score=score,
        timestamp=now,
        extractor=extractor,
        confidence=OF_EXTRACTOR[extractor],
        participants=tuple(dict.fromkeys(people)),
        keywords=data.keywords,
    )


def dissolve_stale_outlines(context: StepContext) -> Changes:
    """Dissolve stale outlines of the branch, so that their valid parts are visible again."""
    label = StepLabel(MEND_OUTLINES)
    touched = dissolve_stale(context, OneStep(context.store, label))
    return Changes(
        chat_id=context.store.chat_id,
        events=touched,
        rows=bool(touched),
        counts=bool(touched),
        undo_label=label if touched else None,
    )


def dissolve_stale(context: StepContext, step: OneStep) -> frozenset[int]:
    """Dissolve stale outlines of the branch, highest level first; return keys that changed."""
    store = context.store
    stale = store.events.stale(context.branch_id, outlines=True)
    if not stale:
        return frozenset()
    touched: set[int] = set()
    with step.part():
        for outline in sorted(stale, key=lambda e: -e.level):
            touched.update(store.outlines.dissolve(outline, store.clock()))
    return frozenset(touched)


USUAL = Settings()
BATCH = 128  # events of one transaction: what a kill loses, and how long a cancel waits
_LEFT_OUT = QT_TRANSLATE_NOOP(
    "reports",
    "an answer named too much: {entities} new entities and {relations} new relations were left out",
)


@dataclass(slots=True)
class _Tally:
    archived: int = 0
    embedded: int = 0
    entities: int = 0
    relations: int = 0
    outlines: int = 0
    failed: list[str] = field(default_factory=list)
    is_refused: bool = False  # an embedding failed
    touched: set[int] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    entities_left_out: int = 0
    relations_left_out: int = 0

    def add(self, batch: Archived, outlines: Sequence[int]) -> None:
        self.archived += len(batch.events)
        self.entities += len(batch.new_entities)
        self.relations += batch.relations_added
        self.outlines += len(outlines)
        self.touched |= batch.events
        self.touched.update(outlines)
        self.named |= batch.entities
        self.entities_left_out += batch.entities_left_out
        self.relations_left_out += batch.relations_left_out

    def left_out(self) -> list[str]:
        """Return notes on what the caps kept out of the graph."""
        if not self.entities_left_out + self.relations_left_out:
            return []
        phrase = Phrase(
            _LEFT_OUT, entities=self.entities_left_out, relations=self.relations_left_out
        )
        return [phrase]


def plan(store: ChatStore, embedder: Embedder, branch_id: str = MAIN_BRANCH) -> ConsolidationPlan:
    """Return what consolidating now would embed and archive."""
    visible = store.events.always_visible(branch_id)
    return ConsolidationPlan(
        events=visible.waiting,
        locked=store.events.locked_in_buffer(branch_id),
        tokens=visible.waiting_tokens,
        embedder=embedder.model_id,
    )


def due(store: ChatStore, branch_id: str, keep: int = 0) -> list[int]:
    """Return the keys of the events to archive, in story order: all but the ``keep`` newest."""
    waiting = store.events.buffer(branch_id)
    return waiting[: max(0, len(waiting) - keep)]


def batches(
    store: ChatStore, keys: Sequence[int], size: int = BATCH
) -> Iterator[tuple[int, list[EventNode]]]:
    """Read events a batch at a time; yields how many keys came before it, and the batch.

    Memory does not grow with the buffer. Deleted events are left out.
    """
    for start in range(0, len(keys), size):
        here = keys[start : start + size]
        events = store.events.fetch(here)
        yield start, [events[pk] for pk in here if pk in events]


def consolidate(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    settings: Settings | None = USUAL,
    *,
    caps: Caps | None = DEFAULT,
    batch_size: int = BATCH,
    events: Sequence[int] | None = None,
    writer: OutlineWriter | None = None,
) -> ConsolidationReport:
    """Archive the ``events`` with these keys (see `due`); None: the buffer of the main branch.

    ``writer`` makes outlines of what is archived; None makes none. ``caps`` limit the entities and
    relations made from the events; None makes none. Afterwards the vector index is updated if
    ``settings`` want one; None leaves it as it is.

    If embedding or linking fails, the events are archived all the same, and found by words until
    they have vectors; the report says so.
    """
    waiting = due(store, MAIN_BRANCH) if events is None else events
    run = _Run(store, ctx, len(waiting), caps, writer)
    speakers = store.messages.speakers()
    can_embed = True
    with caught_up(store, ctx):
        for start, batch in batches(store, waiting, batch_size):
            ctx.report(start, len(waiting), "consolidate")
            if can_embed:
                can_embed = _embed(store, ctx, embedder, batch, speakers, run.tally)
            run.consolidate(batch)
        run.ask_who_is_one()
    ctx.report(len(waiting), len(waiting), "consolidate")
    return run.report(embedder, settings)


class _Run:
    """One consolidation: its undo step, its results so far, and how a batch is stored."""

    def __init__(
        self,
        store: ChatStore,
        ctx: JobContext,
        count: int,
        caps: Caps | None,
        writer: OutlineWriter | None,
    ) -> None:
        self.tally = _Tally()
        self._store = store
        self._ctx = ctx
        self._writer = writer
        self._linker = None if caps is None else Linker(store, caps)
        self._step = OneStep(store, StepLabel(CONSOLIDATE, {"count": count}))

    def consolidate(self, batch: Sequence[EventNode]) -> None:
        """Archive one batch: events that outlines may include, with outlines; then the others."""
        if self._writer is None:
            self._commit([], batch)
            return
        # an event made blue again under its outline is represented by it already
        told_events = [e for e in tellable(self._store, batch) if e.parent_id is None]
        self._writer.write(grouped(told_events), lambda outlined: self._commit(outlined, ()))
        ids = {e.id for e in told_events}
        others = [e for e in batch if e.id not in ids]
        if others:
            self._commit([], others)

    def ask_who_is_one(self) -> None:
        """Look for duplicates of the entities just named: merge certain ones, suggest others."""

        def unit() -> None:
            with self._step.part():
                merged, _asked = suggest(self._store, self.tally.named)
                self.tally.named |= merged

        if self._step.group is not None and self._linker is not None:
            self._ctx.write(unit)

    def report(self, embedder: Embedder, settings: Settings | None) -> ConsolidationReport:
        """Update the vector index and return the report."""
        tally = self.tally
        tally.failed += tally.left_out()
        tally.failed += [] if self._writer is None else self._writer.notes()
        if settings is not None and tally.embedded:
            why = keep_index(self._store, self._ctx, embedder, settings)
            tally.failed += [why] if why else []
        return ConsolidationReport(
            tally.archived,
            tally.embedded,
            tally.entities,
            tally.relations,
            tuple(tally.failed),
            Changes(
                chat_id=self._store.chat_id,
                events=frozenset(tally.touched),
                entities=frozenset(tally.named),
                rows=bool(tally.touched),
                counts=bool(tally.touched),
                graph=bool(tally.touched),
                undo_label=self._step.label if tally.touched else None,
            ),
            tally.outlines,
            self._step.group,
            is_unembedded=tally.is_refused and not tally.embedded,
        )

    def _commit(self, outlined: Sequence[Outlined], others: Sequence[EventNode]) -> None:
        """Archive events with their outlines in one transaction; without links if linking fails.

        A group with an event that changed meanwhile is not archived: its outline would be wrong.
        """

        def unit(linker: Linker | None) -> tuple[Archived, list[int]]:
            store = self._store
            with self._step.part():
                sound = [p for p in outlined if len(store.events.still_waiting(p[0])) == len(p[0])]
                events = [*(e for group, _outline in sound for e in group), *others]
                archived = (
                    consolidate_unlinked(store, events)
                    if linker is None
                    else linker.consolidate(events)
                )
                return archived, place(store, sound)

        linker = self._linker
        try:
            archived, outline_keys = self._ctx.write(lambda: unit(linker))
        except StorageError:
            raise
        except KnownError as e:  # an event that cannot be linked is archived all the same
            if linker is None:
                raise
            self.tally.failed.append(e.phrase)
            self._linker = None
            archived, outline_keys = self._ctx.write(lambda: unit(None))
        self.tally.add(archived, outline_keys)


def _embed(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    batch: Sequence[EventNode],
    speakers: Sequence[str],
    tally: _Tally,
) -> bool:
    placed = store.items.of_events([e.id for e in batch])
    items = list(store.items.fetch([item_id for item_id, _key in placed.values()]).values())
    try:
        tally.embedded += embed_items(store, ctx, embedder, items, speakers)
    except LlmError as e:
        tally.failed.append(e.phrase)
        tally.is_refused = True
        return False
    return True
