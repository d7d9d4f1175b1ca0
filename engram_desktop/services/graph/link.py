"""Link events to the graph: resolve the names in them to entities, store relations, archive events.

A bad answer of a model cannot flood the graph: how many new entities and relations a block of
messages may add is capped, and those left out are counted. Known ones do not count.

A name is resolved by its aliases first, exactly; then as the persona or the character; then by a
spelling that is certainly the same (`identity_key`). Any other name makes a new entity: a name that
only resembles another may be another person.
"""

from __future__ import annotations

import contextlib
import functools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from opencc import OpenCC

from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.graph.entity import CHAR_ENTITY, EntityType, is_entity_name, norm_name
from engram_desktop.domain.memory.event import EventNode, NamingEvent
from engram_desktop.domain.memory.line import new_id
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.characters import ChatNames, read_cast
from engram_desktop.storage.chat.chat_store import ChatStore

_JOINTS = re.compile(r"[\s·・‧∙•⋅᛫]+")


@functools.cache
def _to_simplified() -> OpenCC:
    return OpenCC("t2s")


def identity_key(name: str) -> str:
    """Return one key for spellings that are certainly the same name; "" for a name without letters.

    Ignored are width, case, blanks, the dot between the parts of a foreign name, and the difference
    of simplified and traditional characters; nothing else.
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    folded = _JOINTS.sub("", _to_simplified().convert(text))
    return folded if any(c.isalnum() for c in folded) else ""


def simplified(text: str) -> str:
    return str(_to_simplified().convert(text))


class Resolver:
    """Resolves the names of one batch of events after another. Writes nothing until `write`.

    Entity names must not be changed by others between two batches.
    """

    def __init__(self, store: ChatStore) -> None:
        self._store = store
        self._aliases: dict[str, str] = {}
        self._keys: dict[str, set[str]] = defaultdict(set)
        self._cast: ChatNames = read_cast(store)
        self._know(store.entities.aliases())
        self._begin()

    def _begin(self) -> None:
        """Start a new batch: drop what the last one made, which is in the tables by now."""
        self._fixed = self._store.entities.stands_for(self._cast.members())
        self._ids: dict[str, str] = {}
        self._new: dict[str, tuple[str, EntityType]] = {}
        self._made_keys: list[tuple[str, str]] = []
        self._learnt: list[tuple[str, str]] = []
        self._types: dict[str, EntityType] = {}
        self._told: dict[tuple[str, EntityType], str] = {}

    def _know(self, aliases: Mapping[str, str]) -> None:
        self._aliases.update(aliases)
        for alias, entity_id in aliases.items():
            self._keys[identity_key(alias)].add(entity_id)

    def resolve(self, name: str, kind: EntityType = "unknown") -> str | None:
        """Return the entity id of a name, a new one if need be; None for a word that is no name."""
        told = self._told.get((name, kind))
        if told is not None:  # nothing is left to learn of it in this batch
            return told
        text = self._cast.filled(name)
        norm = norm_name(text)
        if norm not in self._ids:
            entity_id = self._find(text, norm)
            if entity_id is None:
                return None
            self._ids[norm] = entity_id
        entity_id = self._ids[norm]
        if entity_id in self._fixed.values() or self._cast.speaks(text):
            self._types[entity_id] = "char"  # a speaker is a person, whatever type the answer gives
        elif kind != "unknown":
            self._types.setdefault(entity_id, kind)
        self._told[name, kind] = entity_id
        return entity_id

    def learn(self, entity_id: str | None, names: Iterable[str]) -> None:
        """Note further names of an entity; a name that another entity has is skipped."""
        for name in names:
            norm = norm_name(name)
            if entity_id is not None and self._ids.get(norm, self._aliases.get(norm)) is None:
                self._ids[norm] = entity_id
                self._learnt.append((entity_id, name))

    def is_new(self, entity_id: str) -> bool:
        return entity_id in self._new

    def write(self, used: set[str], now: int) -> None:
        """Store the new entities that are ``used``, and names and types learnt for used ones.

        This ends the batch: none of its entities is new any more.
        """
        writes = self._store.entity_writes
        new = [(i, *self._new[i]) for i in self._new if i in used]
        writes.add([(i, name, self._types.get(i, kind)) for i, name, kind in new], now)
        writes.learn([(i, name) for i, name in self._learnt if i in used])
        writes.learn_types([(i, k) for i, k in self._types.items() if i in used])
        writes.make_people(i for i in self._fixed.values() if i in used)
        for key, entity_id in self._made_keys:
            self._keys[key].discard(entity_id)
        aliases = self._store.entities.aliases(
            {*self._ids, *(norm_name(name) for _i, name, _kind in new)}
        )
        if any(i == CHAR_ENTITY and norm not in self._aliases for norm, i in aliases.items()):
            self._cast = read_cast(self._store)  # the cast is found by the character's names
        self._know(aliases)
        self._begin()

    def _find(self, text: str, norm: str) -> str | None:
        if norm in self._aliases:
            return self._aliases[norm]
        fixed = self._cast.named(text)
        if fixed is not None:
            return self._member(fixed, text, norm)
        if not is_entity_name(text):
            return None
        key = identity_key(text)
        same = self._keys[key] if key else set()
        if len(same) == 1:
            (entity_id,) = same
            self._learnt.append((entity_id, text))
            return entity_id
        return self._make(new_id(), text, "unknown", key)

    def _member(self, fixed: str, text: str, norm: str) -> str:
        """Return the entity of persona or character, making it or adding the name if need be."""
        names = self._cast.members()[fixed]
        entity_id = self._fixed.get(fixed)
        if entity_id is None:
            entity_id = self._make(fixed, names[0], "char", identity_key(names[0]))
            self._fixed[fixed] = entity_id
        if norm in {norm_name(name) for name in names}:
            self._learnt.append((entity_id, text))
        return entity_id

    def _make(self, entity_id: str, name: str, kind: EntityType, key: str) -> str:
        self._new[entity_id] = (name, kind)
        self._keys[key].add(entity_id)
        self._made_keys.append((key, entity_id))
        return entity_id


def renumber_cast(store: ChatStore, now: int) -> None:
    """Give persona and character their fixed ids where their entities have other ids.

    That is so in chats from before ids were fixed; an entity named like a speaker is the speaker.
    """
    entities = store.entities
    members = read_cast(store).members()
    fixed_ids = entities.stands_for(members)
    aliases = entities.aliases()
    for fixed, names in members.items():
        other = next((aliases[n] for n in map(norm_name, names) if n in aliases), None)
        if fixed not in fixed_ids and other is not None and other not in fixed_ids.values():
            store.entity_edits.renumber(other, fixed, now)


Edge = tuple[str, str, str]
Naming = EventNode | NamingEvent
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Caps:
    """How many new entities and relations a block may add for each of its messages."""

    entities: float = Settings.graph_entities_per_message
    relations: float = Settings.graph_relations_per_message

    @classmethod
    def of(cls, settings: Settings) -> Caps | None:
        """Return the caps of a chat's settings; None if the chat keeps no graph."""
        if settings.memory_mode != "graph":
            return None
        return cls(settings.graph_entities_per_message, settings.graph_relations_per_message)


DEFAULT = Caps()


@dataclass(frozen=True, slots=True)
class Archived:
    """The result of linking: keys of events, ids of named entities, and how many are new."""

    events: frozenset[int]
    entities: frozenset[str]
    new_entities: frozenset[str]
    relations_added: int
    entities_left_out: int = 0
    relations_left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Reading:
    """The entities and relations that one event names, by entity ids."""

    event: Naming
    named: tuple[str, ...]
    edges: tuple[Edge, ...]


class Linker:
    """Links events to the graph, batch after batch, each inside the caller's step.

    The items of entities are not written here but in `ChatStore.catch_up`, since they depend on
    every event that names the entity. The caller runs it after the last batch (see `caught_up`).
    """

    def __init__(self, store: ChatStore, caps: Caps = DEFAULT) -> None:
        self._store = store
        self._caps = caps
        self._resolver: Resolver | None = None
        self._revision = -1  # revision of the chat after the last batch

    def consolidate(self, batch: Sequence[EventNode]) -> Archived:
        """Link events and archive them; events that changed meanwhile are skipped."""
        still = self._store.events.still_waiting(batch)
        linked = self.link(still)
        return replace(linked, events=_turn_green(self._store, still))

    def link(self, events: Sequence[Naming]) -> Archived:
        """Store the entities and relations that events name; the events themselves do not change.

        ``events`` of the result is empty.
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
        """Return the last batch's resolver; a new one if it failed or the chat changed since."""
        resolver, self._resolver = self._resolver, None
        if resolver is not None and self._store.items.revision() == self._revision:
            return resolver
        renumber_cast(self._store, now)
        return Resolver(self._store)


def consolidate_unlinked(store: ChatStore, batch: Sequence[EventNode]) -> Archived:
    """Archive events without linking them."""
    changed = _turn_green(store, store.events.still_waiting(batch))
    return Archived(changed, frozenset(), frozenset(), 0)


@contextlib.contextmanager
def caught_up(store: ChatStore, ctx: JobContext) -> Iterator[None]:
    """Link inside the block; afterwards, even after an error, the entities' items are written."""
    try:
        yield
    except StorageError:  # the chat catches up when it is opened again
        raise
    except Exception:  # a cancelled context would not write; the file lock keeps the order
        store.catch_up()
        raise
    ctx.write(store.catch_up)


def _turn_green(store: ChatStore, events: Sequence[EventNode]) -> frozenset[int]:
    pks = [e.pk for e in events]
    return frozenset(store.events.set_flag(pks, "is_archived", value=True, now=store.clock()))


def _read(event: Naming, resolver: Resolver) -> _Reading:
    data = event.raw_data
    named = [resolver.resolve(entity.name, entity.type) for entity in data.entities]
    for entity_id, entity in zip(named, data.entities, strict=True):
        resolver.learn(entity_id, entity.also)
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
    """Return the entities and edges to keep: known ones, and the best new ones within the caps."""
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


def _ranked(things_by_event: Iterable[tuple[Naming, Sequence[T]]]) -> list[T]:
    """Rank by how many events name a thing, then by the highest significance, then by order."""
    rank: dict[T, tuple[int, float]] = {}
    for event, things in things_by_event:
        for thing in things:
            times, weight = rank.get(thing, (0, 0.0))
            rank[thing] = (times + 1, max(weight, event.significance_score))
    return sorted(rank, key=lambda thing: rank[thing], reverse=True)
