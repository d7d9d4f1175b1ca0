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
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import ConsolidationPlan, ConsolidationReport
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedder import Embedder
from engram_desktop.services.indexing import embed_items, keep_index
from engram_desktop.services.link import (
    DEFAULT,
    Archived,
    Caps,
    Linker,
    archive_unlinked,
    caught_up,
)
from engram_desktop.services.suggest import suggest
from engram_desktop.storage.chat_store import ChatStore

USUAL = Settings()
BATCH = 128
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
    failed: list[str] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    entities_left_out: int = 0
    relations_left_out: int = 0

    def add(self, done: Archived) -> None:
        self.archived += len(done.events)
        self.entities += len(done.new_entities)
        self.relations += done.relations_added
        self.touched |= done.events
        self.named |= done.entities
        self.entities_left_out += done.entities_left_out
        self.relations_left_out += done.relations_left_out

    def left_out(self) -> list[str]:
        """Say what the caps kept out of the graph."""
        if not self.entities_left_out + self.relations_left_out:
            return []
        left = Phrase(_LEFT_OUT, entities=self.entities_left_out, relations=self.relations_left_out)
        return [left]


def plan(store: ChatStore, embedder: Embedder, branch_id: str = MAIN_BRANCH) -> ConsolidationPlan:
    """Say what consolidating now would do."""
    visible = store.events.always_visible(branch_id)
    return ConsolidationPlan(
        events=visible.waiting,
        locked=store.events.locked_in_buffer(branch_id),
        tokens=visible.waiting_tokens,
        embedder=embedder.model_id,
    )


def consolidate(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    settings: Settings = USUAL,
    *,
    caps: Caps | None = DEFAULT,
    sync: bool = True,
    batch_size: int = BATCH,
    branch_id: str = MAIN_BRANCH,
) -> ConsolidationReport:
    """Archive the whole buffer of a branch, except for locked events.

    ``caps`` bound the entities and relations made of what they name; None makes none. ``sync``
    brings the vector index up to date afterwards, where ``settings`` want one.

    Where embedding or linking fails the events are archived all the same, found by words until
    their vectors are made; the report says so.
    """
    waiting = store.events.buffer(branch_id)
    label = StepLabel(CONSOLIDATE, {"count": len(waiting)})
    speakers = store.messages.speakers()
    tally = _Tally()
    linker = None if caps is None else Linker(store, caps)
    group: int | None = None
    can_embed = True
    with caught_up(store, ctx):
        for start in range(0, len(waiting), batch_size):
            ctx.report(start, len(waiting), "consolidate")
            batch = waiting[start : start + batch_size]
            if can_embed:
                can_embed = _embed(store, ctx, embedder, batch, speakers, tally)

            group, linker = _archive(store, ctx, batch, label, group, tally, linker)
        if group is not None and linker is not None:
            ctx.write(lambda: _ask_who_is_one(store, label, group, tally))
    ctx.report(len(waiting), len(waiting), "consolidate")
    tally.failed += tally.left_out()
    why = keep_index(store, ctx, embedder, settings) if sync and tally.embedded else ""
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
    linker: Linker | None,
) -> tuple[int, Linker | None]:
    """Archive one batch; returns the step's group, and None if linking does not work."""

    def unit(linker: Linker | None) -> int:
        with store.step(label, group) as joined:
            done = archive_unlinked(store, batch) if linker is None else linker.archive(batch)
        tally.add(done)
        return joined

    try:
        return ctx.write(lambda: unit(linker)), linker
    except StorageError:
        raise
    except KnownError as e:  # what cannot be linked is remembered all the same
        if linker is None:
            raise
        tally.failed.append(str(e))
    return ctx.write(lambda: unit(None)), None


def _ask_who_is_one(store: ChatStore, label: StepLabel, group: int, tally: _Tally) -> None:
    with store.step(label, group):
        merged, _asked = suggest(store, tally.named)
        tally.named |= merged


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
