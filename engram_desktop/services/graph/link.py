"""Link events to the graph: entities and relations of what they name; then archive them.

A bad answer cannot flood the graph: what a block of messages may add is capped, and what was left
out is counted. What is known already costs nothing.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.graph.resolve import Resolver, renumber_cast
from engram_desktop.storage.chat.chat_store import ChatStore

Edge = tuple[str, str, str]
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Caps:
    """How many new entities and relations each message of a block may add."""

    entities: float = Settings.graph_entities_per_message
    relations: float = Settings.graph_relations_per_message

    @classmethod
    def of(cls, settings: Settings) -> Caps | None:
        """What a chat's settings allow; None where no graph is kept of it."""
        if settings.memory_mode != "graph":
            return None
        return cls(settings.graph_entities_per_message, settings.graph_relations_per_message)


DEFAULT = Caps()


@dataclass(frozen=True, slots=True)
class Archived:
    """What was done: keys of events, ids of entities they name, and how much of it is new."""

    events: frozenset[int]
    entities: frozenset[str]
    new_entities: frozenset[str]
    relations_added: int
    entities_left_out: int = 0
    relations_left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one event says of whom, by entity ids."""

    event: EventNode
    named: tuple[str, ...]
    edges: tuple[Edge, ...]


class Linker:
    """Links events to the graph, batch after batch, each inside the caller's step.

    The items of entities are written in `ChatStore.catch_up`, which whoever links calls after the
    last batch (`caught_up`): it reads every event that names one of them.
    """

    def __init__(self, store: ChatStore, caps: Caps = DEFAULT) -> None:
        self._store = store
        self._caps = caps
        self._resolver: Resolver | None = None
        self._revision = -1  # of the chat when the last batch was done

    def consolidate(self, batch: Sequence[EventNode]) -> Archived:
        """Link events and turn them green; those that changed are left alone."""
        still = self._store.events.still_waiting(batch)
        linked = self.link(still)
        return replace(linked, events=_turn_green(self._store, still))

    def link(self, events: Sequence[EventNode]) -> Archived:
        """Make entities and relations of what events name.

        The events themselves are not touched: the answer names none.
        """
        now = self._store.clock()
        resolver = self._ready(now)
        writes = self._store.entity_writes
        readings = [_read(event, resolver) for event in events]
        kept_ids, edges = _within_caps(self._store, readings, resolver, self._caps)
        new = {i for i in kept_ids if resolver.is_new(i)}
        resolver.write(kept_ids, now)
        edges_told = [
            (*edge, r.event.id)
            for r in readings
            for edge in dict.fromkeys(r.edges)
            if edge in edges
        ]
        mentions = {(i, r.event.id) for r in readings for i in r.named if i in kept_ids}
        mentions |= {(end, event_id) for src, _p, dst, event_id in edges_told for end in (src, dst)}
        writes.mention(mentions)
        relations = writes.relate(edges_told)
        named = frozenset(entity_id for entity_id, _event in mentions)
        self._store.entities.put_off_items(named)
        self._resolver, self._revision = resolver, self._store.items.revision()
        everybody = {i for r in readings for i in r.named}
        all_edges = {edge for r in readings for edge in r.edges}
        return Archived(
            frozenset(),
            named,
            named & new,
            relations,
            len(everybody - kept_ids),
            len(all_edges - edges),
        )

    def _ready(self, now: int) -> Resolver:
        """Return the resolver of the last batch, or another if that failed or somebody wrote."""
        resolver, self._resolver = self._resolver, None
        if resolver is not None and self._store.items.revision() == self._revision:
            return resolver
        renumber_cast(self._store, now)
        return Resolver(self._store)


def consolidate_unlinked(store: ChatStore, batch: Sequence[EventNode]) -> Archived:
    """Only turn the lamps of events green: no entity and no relation is made of them."""
    changed = _turn_green(store, store.events.still_waiting(batch))
    return Archived(changed, frozenset(), frozenset(), 0)


@contextlib.contextmanager
def caught_up(store: ChatStore, ctx: JobContext) -> Iterator[None]:
    """Link in the block; however it ends, the items of whom it told are written."""
    try:
        yield
    except StorageError:  # the chat catches up when it is opened again
        raise
    except Exception:  # a cancelled job has no other way; the file lock keeps order
        store.catch_up()
        raise
    ctx.write(store.catch_up)


def _turn_green(store: ChatStore, events: Sequence[EventNode]) -> frozenset[int]:
    pks = [e.pk for e in events]
    return frozenset(store.events.set_flag(pks, "is_archived", value=True, now=store.clock()))


def _read(event: EventNode, resolver: Resolver) -> _Reading:
    data = event.raw_data
    named = [resolver.resolve(entity.name, entity.type) for entity in data.entities]
    edges = []
    for relation in data.relations:
        ends = (resolver.resolve(relation.subject), resolver.resolve(relation.object))
        named += ends
        src, dst = ends
        if src is not None and dst is not None and src != dst:
            edges.append((src, relation.predicate, dst))
    return _Reading(event, tuple(i for i in named if i is not None), tuple(edges))


def _within_caps(
    store: ChatStore, readings: Sequence[_Reading], resolver: Resolver, caps: Caps
) -> tuple[set[str], set[Edge]]:
    """Return the entities and edges to keep: what is known, and the best of the new."""
    blocks: dict[tuple[str, int, int], list[_Reading]] = defaultdict(list)
    for reading in readings:
        source = reading.event.source_range
        blocks[reading.event.branch_id, source.start_index, source.end_index].append(reading)
    kept_ids = {i for r in readings for i in r.named if not resolver.is_new(i)}
    for (_branch, first, last), block in blocks.items():
        new = _ranked((r.event, [i for i in r.named if i not in kept_ids]) for r in block)
        kept_ids |= set(new[: _room(first, last, caps.entities)])
    edges = store.entities.known_edges(edge for r in readings for edge in r.edges)
    for (_branch, first, last), block in blocks.items():
        fresh = _ranked(
            (r.event, [e for e in r.edges if e not in edges and {e[0], e[2]} <= kept_ids])
            for r in block
        )
        edges |= set(fresh[: _room(first, last, caps.relations)])
    return kept_ids, edges


def _room(first: int, last: int, each: float) -> int:
    return int((last - first + 1) * each)


def _ranked(things_by_event: Iterable[tuple[EventNode, Sequence[T]]]) -> list[T]:
    """Order what is told: most often first, then by the weight of the events, then as told."""
    rank: dict[T, tuple[int, float]] = {}
    for event, things in things_by_event:
        for thing in things:
            times, weight = rank.get(thing, (0, 0.0))
            rank[thing] = (times + 1, max(weight, event.significance_score))
    return sorted(rank, key=lambda thing: rank[thing], reverse=True)
