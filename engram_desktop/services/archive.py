"""Stage 2, 整理记忆: the buffer becomes memory: vectors, entities, edges, green lamps.

Batch by batch: embed outside of any transaction, then write everything of a batch in one. The
batches are one undo step. Cancelling keeps whole batches; nothing is ever half archived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError, LlmError, StorageError
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.labels import CONSOLIDATE, StepLabel
from engram_desktop.domain.reports import ConsolidationPlan, ConsolidationReport
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedder import Embedder
from engram_desktop.services.indexing import embed_items, sync_index
from engram_desktop.services.link import Archived, archive_events
from engram_desktop.storage.chat_store import ChatStore

BATCH = 128


@dataclass(slots=True)
class _Tally:
    archived: int = 0
    embedded: int = 0
    entities: int = 0
    relations: int = 0
    failed: list[str] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    named: set[str] = field(default_factory=set)

    def add(self, done: Archived) -> None:
        self.archived += len(done.events)
        self.entities += done.entities_added
        self.relations += done.relations_added
        self.touched |= done.events
        self.named |= done.entities


def plan(store: ChatStore, embedder: Embedder, branch_id: str = MAIN_BRANCH) -> ConsolidationPlan:
    """Say what consolidating now would do."""
    waiting = store.events.buffer(branch_id)
    return ConsolidationPlan(
        events=len(waiting),
        locked=store.events.locked_in_buffer(branch_id),
        tokens=sum(estimate_tokens(e.summary) for e in waiting),
        embedder=embedder.model_id,
    )


def consolidate(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    server: str = "",
    *,
    linked: bool = True,
    sync: bool = True,
    batch_size: int = BATCH,
    branch_id: str = MAIN_BRANCH,
) -> ConsolidationReport:
    """Archive the whole buffer of a branch, except for locked events.

    ``linked`` makes entities and relations of what they name; ``sync`` brings the vector index up
    to date afterwards.

    Where embedding or linking fails the events are archived all the same, found by words until
    their vectors are made; the report says so.
    """
    waiting = store.events.buffer(branch_id)
    label = StepLabel(CONSOLIDATE, {"count": len(waiting)})
    speakers = store.messages.speakers()
    tally = _Tally()
    group: int | None = None
    can_embed = True
    for start in range(0, len(waiting), batch_size):
        ctx.report(start, len(waiting), "consolidate")
        batch = waiting[start : start + batch_size]
        if can_embed:
            can_embed = _embed(store, ctx, embedder, batch, speakers, tally)

        group, linked = _archive(store, ctx, batch, label, group, tally, linked=linked)
    ctx.report(len(waiting), len(waiting), "consolidate")
    why = sync_index(store, ctx, embedder, server) if sync and tally.embedded else ""
    if why:
        tally.failed.append(why)
    return ConsolidationReport(
        tally.archived,
        tally.embedded,
        tally.entities,
        tally.relations,
        tuple(tally.failed),
        Changes(
            chat_id=store.chat_id,
            events=frozenset(tally.touched),
            entities=frozenset(tally.named),
            structure=bool(tally.touched),
            undo_label=label if tally.touched else None,
        ),
    )


def _archive(
    store: ChatStore,
    ctx: JobContext,
    batch: Sequence[EventNode],
    label: StepLabel,
    group: int | None,
    tally: _Tally,
    *,
    linked: bool,
) -> tuple[int, bool]:
    """Archive one batch; returns the step's group, and whether linking works."""

    def unit(*, linked: bool) -> int:
        with store.step(label, group) as joined:
            done = archive_events(store, batch, linked=linked)
        tally.add(done)
        return joined

    try:
        return ctx.write(lambda: unit(linked=linked)), linked
    except StorageError:
        raise
    except KnownError as e:  # what cannot be linked is remembered all the same
        if not linked:
            raise
        tally.failed.append(str(e))
    return ctx.write(lambda: unit(linked=False)), False


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
        return False
    return True
