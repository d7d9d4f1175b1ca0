"""Stage 2 (整理记忆): archive the buffer: vectors, entities, relations, green lamps, outlines.

Batch by batch: embed and write outlines outside of any transaction, then store everything of a
batch in one, so that outlines never lag behind what is archived. The batches are one undo step.
Cancelling keeps whole batches; nothing is ever half archived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError, LlmError, StorageError
from engram_desktop.domain.labels import CONSOLIDATE, StepLabel
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.pipeline.story_so_far import grouped
from engram_desktop.domain.reports import ConsolidationPlan, ConsolidationReport
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.embedder import Embedder
from engram_desktop.services.graph.link import (
    DEFAULT,
    Archived,
    Caps,
    Linker,
    caught_up,
    consolidate_unlinked,
)
from engram_desktop.services.graph.suggest import suggest
from engram_desktop.services.library.one_step import OneStep
from engram_desktop.services.pipeline.outlines import Outlined, OutlineWriter, place, tellable
from engram_desktop.services.recall.indexing import embed_items, keep_index
from engram_desktop.storage.chat.chat_store import ChatStore

USUAL = Settings()
BATCH = 128  # events of one transaction: what is lost by a kill, and how long cancelling waits
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
    is_refused: bool = False  # an embedding was asked for and did not come
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
        """Say what the caps kept out of the graph."""
        if not self.entities_left_out + self.relations_left_out:
            return []
        phrase = Phrase(
            _LEFT_OUT, entities=self.entities_left_out, relations=self.relations_left_out
        )
        return [phrase]


def plan(store: ChatStore, embedder: Embedder, branch_id: str = MAIN_BRANCH) -> ConsolidationPlan:
    """Say what consolidating now would embed and archive."""
    visible = store.events.always_visible(branch_id)
    return ConsolidationPlan(
        events=visible.waiting,
        locked=store.events.locked_in_buffer(branch_id),
        tokens=visible.waiting_tokens,
        embedder=embedder.model_id,
    )


def due(store: ChatStore, branch_id: str, keep: int = 0) -> list[EventNode]:
    """Events to archive, in story order: the buffer without the ``keep`` newest."""
    waiting = store.events.buffer(branch_id)
    return waiting[: max(0, len(waiting) - keep)]


def consolidate(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    settings: Settings | None = USUAL,
    *,
    caps: Caps | None = DEFAULT,
    batch_size: int = BATCH,
    events: Sequence[EventNode] | None = None,
    writer: OutlineWriter | None = None,
) -> ConsolidationReport:
    """Archive ``events`` of the buffer (see `due`), or all of the main branch's that is unlocked.

    ``writer`` makes the outlines that go on telling of what is archived; None makes none.
    ``caps`` bound the entities and relations made of what they name; None makes none. The vector
    index is brought up to date afterwards, where ``settings`` want one; None leaves it behind.

    Where embedding or linking fails the events are archived all the same, found by words until
    their vectors are made; the report says so.
    """
    waiting = due(store, MAIN_BRANCH) if events is None else events
    run = _Run(store, ctx, waiting, caps, writer)
    speakers = store.messages.speakers()
    can_embed = True
    with caught_up(store, ctx):
        for start in range(0, len(run.waiting), batch_size):
            ctx.report(start, len(run.waiting), "consolidate")
            batch = run.waiting[start : start + batch_size]
            if can_embed:
                can_embed = _embed(store, ctx, embedder, batch, speakers, run.tally)
            run.consolidate(batch)
        run.ask_who_is_one()
    ctx.report(len(run.waiting), len(run.waiting), "consolidate")
    return run.report(embedder, settings)


class _Run:
    """One consolidation: its step, what it did so far, and how a batch is stored."""

    def __init__(
        self,
        store: ChatStore,
        ctx: JobContext,
        waiting: Sequence[EventNode],
        caps: Caps | None,
        writer: OutlineWriter | None,
    ) -> None:
        self.waiting = waiting
        self.tally = _Tally()
        self._store = store
        self._ctx = ctx
        self._writer = writer
        self._linker = None if caps is None else Linker(store, caps)
        self._step = OneStep(store, StepLabel(CONSOLIDATE, {"count": len(waiting)}))

    def consolidate(self, batch: Sequence[EventNode]) -> None:
        """Archive one batch: what outlines may tell of together with them, then the rest."""
        if self._writer is None:
            self._commit([], batch)
            return
        # what was made blue again under its outline is told by that already
        told_events = [e for e in tellable(self._store, batch) if e.parent_id is None]
        self._writer.write(grouped(told_events), lambda outlined: self._commit(outlined, ()))
        ids = {e.id for e in told_events}
        others = [e for e in batch if e.id not in ids]
        if others:
            self._commit([], others)

    def ask_who_is_one(self) -> None:
        """Look for names of one and the same among those just told of."""

        def unit() -> None:
            with self._step.part():
                merged, _asked = suggest(self._store, self.tally.named)
                self.tally.named |= merged

        if self._step.group is not None and self._linker is not None:
            self._ctx.write(unit)

    def report(self, embedder: Embedder, settings: Settings | None) -> ConsolidationReport:
        """Bring the index up to date and say what was done."""
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
        """Archive events with their outlines in one transaction, unlinked if linking fails.

        Of a group in which somebody changed something meanwhile nothing is archived: its outline
        would tell what is no longer true.
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
        except KnownError as e:  # what cannot be linked is remembered all the same
            if linker is None:
                raise
            self.tally.failed.append(str(e))
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
        tally.failed.append(str(e))
        tally.is_refused = True
        return False
    return True
