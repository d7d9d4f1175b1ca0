"""Stage 2, 整理记忆: the buffer becomes memory: vectors, entities, edges, green lamps.

Batch by batch: embed outside of any transaction, then write everything of a batch in one. The
batches are one undo step. Cancelling keeps whole batches; nothing is ever half archived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.entity import EntityType, is_entity_name, norm_name
from engram_desktop.domain.errors import LlmError
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.labels import CONSOLIDATE, StepLabel
from engram_desktop.domain.reports import ConsolidationPlan, ConsolidationReport
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedder import Embedder
from engram_desktop.services.indexing import embed_items, sync_index
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


def plan(store: ChatStore, embedder: Embedder) -> ConsolidationPlan:
    """Say what consolidating now would do."""
    waiting = store.events.buffer()
    return ConsolidationPlan(
        events=len(waiting),
        locked=store.events.counts().buffer - len(waiting),
        tokens=sum(estimate_tokens(e.summary) for e in waiting),
        embedder=embedder.model_id,
    )


def consolidate(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    server: str = "",
    *,
    sync: bool = True,
    batch_size: int = BATCH,
) -> ConsolidationReport:
    """Archive the whole buffer, locked events excepted; ``sync`` the vector index afterwards.

    Where embedding fails the events are archived all the same, found by words until their vectors
    are made; the report says so.
    """
    waiting = store.events.buffer()
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

        def unit(batch: Sequence[EventNode] = batch, group: int | None = group) -> int:
            with store.step(label, group) as joined:
                _archive(store, batch, tally)
            return joined

        group = ctx.write(unit)
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


def _archive(store: ChatStore, batch: Sequence[EventNode], tally: _Tally) -> None:
    """Write one batch, inside the caller's step. What changed since it was read is left alone."""
    now = store.clock()
    still = store.events.still_waiting(batch)
    names: dict[str, EntityType] = {}
    for event in still:
        for entity in event.raw_data.entities:
            if is_entity_name(entity.name) and names.get(entity.name, "unknown") == "unknown":
                names[entity.name] = entity.type
        for relation in event.raw_data.relations:
            for name in (relation.subject, relation.object):
                if is_entity_name(name):
                    names.setdefault(name, "unknown")
    ids, new = store.entities.ensure(names, now)
    mentions = [
        (ids[norm], event.id)
        for event in still
        for entity in event.raw_data.entities
        if (norm := norm_name(entity.name)) in ids
    ]
    edges = [
        (ids[subject], relation.predicate, ids[object_], event.id)
        for event in still
        for relation in event.raw_data.relations
        if (subject := norm_name(relation.subject)) in ids
        and (object_ := norm_name(relation.object)) in ids
        and ids[subject] != ids[object_]
    ]
    ends = [(end, event_id) for src, _p, dst, event_id in edges for end in (src, dst)]
    store.entities.mention([*mentions, *ends])
    tally.relations += store.entities.relate(edges)
    tally.entities += len(new)
    named = {entity_id for entity_id, _event in [*mentions, *ends]}
    store.entities.refresh_items(sorted(named), MAIN_BRANCH)
    changed = store.events.set_flag([e.pk for e in still], "is_archived", value=True, now=now)
    tally.archived += len(changed)
    tally.touched.update(changed)
    tally.named |= named
