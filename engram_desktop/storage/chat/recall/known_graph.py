"""The graph as an actor knows it: entities by the names it heard, with what it was told.

An entity is known if the actor may know an event about it. It has the names that such events give;
its description, which is made of all events, is known only if all of them are. A relation is known
by its known events, and ends only by known ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engram_desktop.domain.graph.entity import EntityNode, Relation, norm_name
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.storage.answers import Answers
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.chat.events.events import EventStore
from engram_desktop.storage.chat.graph.entities import EntityStore
from engram_desktop.storage.chat.knowledge import all_may_know
from engram_desktop.storage.database import Database

_READ_AT_ONCE = 32  # events: reading one takes 30 µs, a query about 100


class KnownGraph:
    """The graph of a line as all of ``actors`` know it; without actors, all of it."""

    def __init__(
        self,
        stores: tuple[Database, BranchStore, EntityStore, EventStore, Answers],
        branch_id: str,
        actors: Sequence[Actor],
        at: int | None = None,
    ) -> None:
        self._db, branches, self._entities, self._events, self._answers = stores
        self._path = branches.path(branch_id)
        self._branch_id = branch_id
        self._actors = tuple(actors)
        self._at = at

    @property
    def event_ids(self) -> frozenset[str]:
        """Return the ids of the events of the line that they all know."""
        condition, values = all_may_know(self._actors, "i")
        until = "" if self._at is None else f" AND i.end_index <= {int(self._at)}"
        sql = (
            "SELECT i.ref FROM memory_item i WHERE i.kind = 'event'"
            f" AND {seen('i', self._path)}{until} AND {condition}"
        )
        key = ("events of a line", tuple(self._path), self._actors, self._at)
        return self._answers.of(key, lambda: self._refs(sql, values))

    def entities(self, ids: Sequence[str], *, is_counted: bool = True) -> list[EntityNode]:
        """Return those of ``ids`` that are known, as they are known, in order.

        Without ``is_counted`` their degree is 0.
        """
        return self.known(self._entities.fetch(ids, self._branch_id, is_counted=is_counted))

    def known(self, entities: list[EntityNode]) -> list[EntityNode]:
        """Return those of ``entities`` that are known, as they are known, in order."""
        if not self._actors:
            return entities
        told = self._entities.events_of([e.id for e in entities])
        event_ids = self.event_ids
        whole = self._known_whole([e.id for e in entities])
        known = []
        read: dict[str, EventNode] = {}
        for entity in entities:
            mine = list(event_ids.intersection(told.get(entity.id, ())))
            seen_entity = self._as_known(entity, mine, read, is_whole=entity.id in whole)
            if seen_entity is not None:
                known.append(seen_entity)
        return known

    def make_ready(self) -> None:
        """Read the known evidence of every relation in advance."""
        known = self.event_ids if self._actors else None
        self._entities.make_ready(self._branch_id)
        self._entities.relations.make_ready_as_known(self._branch_id, self._at, known)

    def relations(self, ids: Iterable[str], *, among: bool = False) -> list[Relation]:
        """Return known relations of ``ids`` (``among``: with both ends there), ended ones too."""
        known = self.event_ids if self._actors else None
        read = self._entities.relations.among if among else self._entities.relations.touching
        return read(ids, self._branch_id, self._at, known)

    def current(self, ids: Iterable[str]) -> list[Relation]:
        """Return the known relations of ``ids`` that hold now, the latest evidence first."""
        relations = [r for r in self.relations(ids) if r.is_current]
        return sorted(relations, key=lambda r: r.floors[-1] if r.floors else (-1, -1), reverse=True)

    def _known_whole(self, ids: Sequence[str]) -> frozenset[str]:
        """Return those of ``ids`` whose item on this branch is known to all actors."""
        condition, values = all_may_know(self._actors, "i")
        sql = (
            "SELECT i.ref FROM memory_item i WHERE i.kind = 'entity' AND i.branch_id = ?"
            f" AND {condition}"
        )
        key = ("entities known whole", self._branch_id, self._actors)
        whole = self._answers.of(key, lambda: self._refs(sql, (self._branch_id, *values)))
        return whole.intersection(ids)

    def _refs(self, sql: str, values: Sequence[Any]) -> frozenset[str]:
        return frozenset(ref for (ref,) in self._db.rows(sql, values))

    def _as_known(
        self,
        entity: EntityNode,
        event_ids: Sequence[str],
        read: dict[str, EventNode],
        *,
        is_whole: bool,
    ) -> EntityNode | None:
        """Return an entity with the names that known events give; None if they give none.

        ``read`` caches events. Only as many are read as are needed to find all names: the hero is
        in every event, and named in the first of them.
        """
        if not event_ids:
            return None
        given: set[str] = set()
        for actor in self._actors:  # everybody knows their own names
            if norm_name(entity.name) in actor.norms:
                given |= actor.norms
        wanted = {norm_name(name) for name in (entity.name, *entity.aliases)}
        events: list[EventNode] = []
        for start in range(0, len(event_ids), _READ_AT_ONCE):
            if wanted <= given:
                break
            part = event_ids[start : start + _READ_AT_ONCE]
            missing = [i for i in part if i not in read]
            read |= {event.id: event for event in self._events.by_ids(missing)}
            events += [read[i] for i in part]
            for i in part:
                given |= _names_in(read[i])
        names = [n for n in (entity.name, *entity.aliases) if norm_name(n) in given]
        if not names:
            texts = norm_name("\n".join(event.summary for event in events))
            names = [n for n in (entity.name, *entity.aliases) if norm_name(n) in texts]
        if not names:
            return None
        return replace(
            entity,
            name=names[0],
            aliases=tuple(names[1:]),
            description=entity.description if is_whole else "",
            profile=entity.profile if is_whole else {},
            event_count=len(event_ids),
        )


def _names_in(event: EventNode) -> set[str]:
    given = {norm_name(entity.name) for entity in event.raw_data.entities}
    for relation in event.raw_data.relations:
        given |= {norm_name(relation.subject), norm_name(relation.object)}
    return given
