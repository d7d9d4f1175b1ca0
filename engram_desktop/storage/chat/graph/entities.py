"""Entities, aliases, relations and their evidence: the graph of a chat.

Also the memory items of entities: names, description, and the relations that hold now.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, cast

from engram_desktop.domain.graph.entity import EntityNode, GraphView, Relation, norm_name
from engram_desktop.domain.graph.relations import facet
from engram_desktop.domain.memory.extraction import entity_content
from engram_desktop.domain.memory.line import MAIN_BRANCH, content_hash
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.chat.graph.relations import RelationStore, has_evidence, is_stated
from engram_desktop.storage.database import Database

if TYPE_CHECKING:
    from engram_desktop.storage.answers import Answers


_STRONGEST = 2  # pairs of an entity with common events, of those that are drawn
_FACTS_SHOWN = 12  # newest relations in the item of one entity


class EntityItems:
    """Writes the memory items of entities, inside the caller's step."""

    def __init__(self, database: Database, branches: BranchStore, relations: RelationStore) -> None:
        self._db = database
        self._branches = branches
        self._relations = relations

    def names(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Return all names of each entity."""
        names: dict[str, list[str]] = {}
        for entity_id, name in self._db.rows(
            "SELECT entity_id, name FROM entity_alias WHERE entity_id IN"
            " (SELECT value FROM json_each(?)) ORDER BY name",
            (json.dumps(list(ids)),),
        ):
            names.setdefault(entity_id, []).append(name)
        return names

    def refresh(self, ids: Iterable[str], branches: Iterable[str] | None = None) -> None:
        """Write the items of entities, one for each branch (or for these branches).

        An item holds names, description and the relations that hold on the branch. An entity of
        which a branch knows nothing but the name has no item there.
        """
        due = self._with_contradicted(ids)
        if due:
            for branch_id in self._branches.ids() if branches is None else branches:
                self._refresh(due, branch_id)
            if branches is None:
                self._db.run_many(
                    "DELETE FROM entity_due WHERE entity_id IN (SELECT value FROM json_each(?))",
                    [(json.dumps(due),)],
                )

    def _with_contradicted(self, ids: Iterable[str]) -> list[str]:
        """Add the other ends of relations that may end, or hold again, by new or deleted events.

        "Alice lives in the city" ends "Alice lives in the tower": the tower's item holds that too.
        """
        entities = set(ids)
        ends_others = functools.cache(lambda predicate: facet(predicate) is not None)
        for src, dst, predicate in self._db.rows(
            "SELECT src, dst, predicate FROM json_each(?1) j JOIN relation r ON r.src = j.value"
            " UNION SELECT src, dst, predicate FROM json_each(?1) j JOIN relation r"
            " ON r.dst = j.value",
            (json.dumps(sorted(entities)),),
        ):
            if ends_others(predicate):
                entities |= {src, dst}
        return sorted(entities)

    def put_off(self, ids: Iterable[str]) -> None:
        """Mark entities whose items are to be written later, all at once."""
        self._db.run_many(
            "INSERT OR IGNORE INTO entity_due(entity_id) SELECT value FROM json_each(?)",
            [(json.dumps(sorted(ids)),)],
        )

    def due(self) -> list[str]:
        """Return the entities whose items are deferred."""
        return [i for (i,) in self._db.rows("SELECT entity_id FROM entity_due")]

    def _facts(self, ids: Sequence[str], branch_id: str) -> dict[str, list[str]]:
        """Return current relations as sentences, the newest first."""
        asked = set(ids)
        relations = [r for r in self._relations.touching(ids, branch_id) if r.is_current]
        ends = sorted({end for r in relations for end in (r.src, r.dst)})
        names = dict(
            self._db.rows(
                "SELECT id, name FROM entity WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(ends),),
            )
        )
        facts: dict[str, list[str]] = {}
        for r in reversed(relations):
            sentence = f"{names[r.src]} {r.predicate} {names[r.dst]}"
            for end in {r.src, r.dst} & asked:
                facts.setdefault(end, []).append(sentence)
        return facts

    def _refresh(self, ids: Sequence[str], branch_id: str) -> None:
        path = self._branches.path(branch_id)
        keys = json.dumps(ids)
        names = self.names(ids)
        facts = self._facts(ids, branch_id)
        spans = {
            entity_id: (first, last)
            for entity_id, first, last in self._db.rows(
                "SELECT v.entity_id, min(e.start_index), max(e.end_index) FROM json_each(?) j"
                " CROSS JOIN evidence v ON v.entity_id = j.value"
                " CROSS JOIN event e ON e.id = v.event_id AND e.is_deleted = 0"
                f" AND {seen('e', path)} GROUP BY 1",
                (keys,),
            )
        }
        entities = self._db.rows(
            "SELECT e.id, e.name, e.description FROM entity e WHERE e.merged_into IS NULL"
            f" AND {has_evidence('e', path)} AND e.id IN (SELECT value FROM json_each(?))",
            (keys,),
        )
        rows = []
        for entity_id, name, description in entities:
            if description or entity_id in facts:
                shown_facts = facts.get(entity_id, [])[:_FACTS_SHOWN]
                others = [n for n in names.get(entity_id, ()) if n != name]
                content = entity_content(name, others, description, shown_facts)
                span = spans.get(entity_id, (0, 0))
                rows.append((entity_id, branch_id, content, content_hash(content), *span))
        bare = set(ids).difference(row[0] for row in rows)
        self._db.run_many(
            "DELETE FROM memory_item WHERE kind = 'entity' AND branch_id = ?"
            " AND ref IN (SELECT value FROM json_each(?))",
            [(branch_id, json.dumps(sorted(bare)))],
        )
        self._db.run_many(
            "INSERT INTO memory_item(kind, ref, branch_id, content, content_hash, start_index,"
            " end_index) VALUES ('entity', ?, ?, ?, ?, ?, ?) ON CONFLICT(kind, ref, branch_id)"
            " DO UPDATE SET content = excluded.content, content_hash = excluded.content_hash,"
            " start_index = excluded.start_index, end_index = excluded.end_index",
            rows,
        )


_COLUMNS = (
    "e.id, e.name, e.type, e.description, e.profile, e.last_updated_at, e.layout_x, e.layout_y,"
    " e.is_locked, e.is_hidden, e.merged_into"
)
_EVENTS = (
    "(SELECT count(*) FROM evidence v JOIN event s ON s.id = v.event_id AND s.is_deleted = 0"
    " AND {} WHERE v.entity_id = e.id)"
)
_DEGREE = (
    "(SELECT count(*) FROM relation r WHERE r.pk IN (SELECT pk FROM relation WHERE src = e.id"
    " UNION SELECT pk FROM relation WHERE dst = e.id) AND {})"
)
_EVENTS_OF = "events of entities"


class EntityStore:
    """Reads the graph as a branch sees it.

    Rows stay when their events are deleted. An entity or relation whose events are all deleted, or
    on other branches, is invisible until one comes back.
    """

    def __init__(self, database: Database, branches: BranchStore, answers: Answers) -> None:
        self._db = database
        self._branches = branches
        self._answers = answers
        self.relations = RelationStore(database, branches, answers)
        self._items = EntityItems(database, branches, self.relations)
        self.names = self._items.names

    def count(self, branch_id: str = MAIN_BRANCH) -> int:
        is_alive = has_evidence("e", self._branches.path(branch_id))
        return int(
            self._db.value(
                f"SELECT count(*) FROM entity e WHERE merged_into IS NULL AND {is_alive}"
            )
        )

    def aliases(self, norms: Iterable[str] | None = None) -> dict[str, str]:
        """Return entity ids by normalised alias; all, or those of ``norms``."""
        sql = "SELECT norm, entity_id FROM entity_alias"
        if norms is None:
            return dict(self._db.brief_rows(sql))
        sql += " WHERE norm IN (SELECT value FROM json_each(?))"
        return dict(self._db.rows(sql, (json.dumps(list(norms)),)))

    def keys(self) -> dict[str, int]:
        """Return the row key of every entity by id: a number that does not change."""
        return dict(self._db.rows("SELECT id, pk FROM entity"))

    def names_of(self, entity_id: str) -> list[str]:
        """Return all names of an entity, or of what it was merged into."""
        here = self.stands_for([entity_id]).get(entity_id)
        return [] if here is None else self.names([here]).get(here, [])

    def find(self, text: str, limit: int, branch_id: str = MAIN_BRANCH) -> list[EntityNode]:
        """Return entities with ``text`` in a name or alias, the best known first."""
        path = self._branches.path(branch_id)
        rows = self._db.rows(
            "SELECT e.id FROM entity e LEFT JOIN (SELECT v.entity_id AS id, count(*) AS events"
            " FROM evidence v JOIN event s ON s.id = v.event_id WHERE v.entity_id IS NOT NULL"
            f" AND s.is_deleted = 0 AND {seen('s', path)} GROUP BY 1) told ON told.id = e.id"
            " WHERE e.merged_into IS NULL AND e.is_hidden = 0"
            " AND (told.events > 0 OR e.is_locked = 1"
            " OR NOT EXISTS (SELECT 1 FROM evidence WHERE entity_id = e.id))"
            " AND (?1 = '' OR e.id IN"
            " (SELECT entity_id FROM entity_alias WHERE instr(norm, ?1) > 0))"
            " ORDER BY ifnull(told.events, 0) DESC, e.name LIMIT ?2",
            (norm_name(text), limit),
        )
        return self.fetch([i for (i,) in rows], branch_id)

    def locked_names(self) -> list[str]:
        """Return the names of the entities the user locked, whatever the branch."""
        rows = self._db.rows(
            "SELECT name FROM entity WHERE merged_into IS NULL AND is_hidden = 0 AND is_locked = 1"
            " ORDER BY pk"
        )
        return [name for (name,) in rows]

    def census(self) -> list[EntityNode]:
        """Return every entity of every branch that is not hidden, with names but without counts."""
        rows = self._db.rows(
            "SELECT id, name, type, description, profile, is_locked FROM entity"
            " WHERE merged_into IS NULL AND is_hidden = 0 ORDER BY pk"
        )
        names = self.names([row[0] for row in rows])
        return [
            EntityNode(
                i,
                name,
                kind,
                aliases=tuple(n for n in names.get(i, ()) if n != name),
                description=description,
                profile=json.loads(profile),
                is_locked=bool(locked),
            )
            for i, name, kind, description, profile, locked in rows
        ]

    def hidden(self) -> list[EntityNode]:
        """Return the entities that the user hid, by name."""
        rows = self._db.rows(
            "SELECT id FROM entity WHERE is_hidden = 1 AND merged_into IS NULL ORDER BY name"
        )
        return self.fetch([i for (i,) in rows])

    def fetch(
        self, ids: Sequence[str], branch_id: str = MAIN_BRANCH, *, is_counted: bool = True
    ) -> list[EntityNode]:
        """Return entities with their aliases, in the order of ``ids``; counts are 0 if not wanted.

        Counting a hero with 12,000 events takes 2 ms.
        """
        path = self._branches.path(branch_id)
        events, degree = _EVENTS.format(seen("s", path)), _DEGREE.format(is_stated("r", path))
        counts = f"{events}, {degree}" if is_counted else "0, 0"
        names = self.names(ids)
        entities = {
            row[0]: EntityNode(
                row[0],
                row[1],
                row[2],
                aliases=tuple(n for n in names.get(row[0], ()) if n != row[1]),
                description=row[3],
                profile=json.loads(row[4]),
                last_updated_at=row[5],
                layout_x=row[6],
                layout_y=row[7],
                is_locked=bool(row[8]),
                is_hidden=bool(row[9]),
                merged_into=row[10],
                event_count=row[11],
                degree=row[12],
            )
            for row in self._db.rows(
                f"SELECT {_COLUMNS}, {counts} FROM entity e"
                " WHERE e.id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            )
        }
        return [entities[i] for i in ids if i in entities]

    def relations_among(self, ids: Iterable[str], branch_id: str = MAIN_BRANCH) -> list[Relation]:
        """Return relations with both ends in ``ids``, ended ones too, with their events."""
        return self.relations.among(ids, branch_id)

    def relations_of(self, entity_id: str, branch_id: str = MAIN_BRANCH) -> list[Relation]:
        """Return the relations of one entity, ended ones too."""
        return self.relations.touching([entity_id], branch_id)

    def met_among(self, ids: Iterable[str], branch_id: str) -> list[tuple[str, str, int]]:
        """Return pairs of ``ids`` with common events: (one, other, number of events).

        The strongest pairs come first; a pair is left out if both ends have `_STRONGEST` pairs
        already, since in a story everybody meets everybody.
        """
        rows = self._db.rows(
            "WITH told AS MATERIALIZED (SELECT DISTINCT v.entity_id, v.event_id"
            " FROM json_each(?1) j CROSS JOIN evidence v ON v.entity_id = j.value"
            " CROSS JOIN event e ON e.id = v.event_id AND e.is_deleted = 0"
            f" AND {seen('e', self._branches.path(branch_id))})"
            " SELECT a.entity_id, b.entity_id, count(*) FROM told a JOIN told b"
            " ON b.event_id = a.event_id AND b.entity_id > a.entity_id"
            " GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2",
            (json.dumps(list(ids)),),
        )
        pairs_of: Counter[str] = Counter()
        pairs = []
        for one, other, count in rows:
            if pairs_of[one] < _STRONGEST or pairs_of[other] < _STRONGEST:
                pairs.append((one, other, count))
                pairs_of.update((one, other))
        return pairs

    def neighbours(self, ids: Iterable[str], limit: int, branch_id: str) -> list[str]:
        """Return entities one step from ``ids``, by relation or common event, strongest first."""
        path = self._branches.path(branch_id)
        said_here = is_stated("relation", path)
        rows = self._db.rows(
            "SELECT id, sum(weight) FROM ("
            " SELECT dst AS id, 3 AS weight FROM relation"
            f"  WHERE src IN (SELECT value FROM json_each(?1)) AND {said_here}"
            " UNION ALL SELECT src, 3 FROM relation"
            f"  WHERE dst IN (SELECT value FROM json_each(?1)) AND {said_here}"
            " UNION ALL SELECT b.entity_id, 1 FROM evidence a JOIN evidence b"
            "  ON b.event_id = a.event_id AND b.entity_id IS NOT NULL"
            "  JOIN event e ON e.id = a.event_id AND e.is_deleted = 0"
            f"  AND {seen('e', path)}"
            "  WHERE a.entity_id IN (SELECT value FROM json_each(?1)))"
            " WHERE id NOT IN (SELECT value FROM json_each(?1))"
            " AND id NOT IN (SELECT id FROM entity WHERE is_hidden = 1)"
            " GROUP BY id ORDER BY sum(weight) DESC, id LIMIT ?2",
            (json.dumps(list(ids)), limit),
        )
        return [i for i, _weight in rows]

    def neighbourhood(
        self, center_id: str | None, hops: int, limit: int, branch_id: str = MAIN_BRANCH
    ) -> GraphView:
        """Return entities up to ``hops`` steps from ``center_id``; None: the best known ones."""
        if center_id is None:
            ids = [e.id for e in self.find("", limit, branch_id)]
            truncated = self.count(branch_id) > len(ids)
        else:
            ids = [center_id]
            frontier = [center_id]
            truncated = False
            for _hop in range(hops):
                near = self.neighbours(ids, limit + 1 - len(ids), branch_id) if frontier else []
                truncated |= len(ids) + len(near) > limit
                frontier = near[: limit - len(ids)]
                ids += frontier
        relations = self.relations_among(ids, branch_id)
        related = {frozenset((r.src, r.dst)) for r in relations}
        relations += [
            Relation(f"met:{a}:{b}", a, "", b)
            for a, b, _count in self.met_among(ids, branch_id=branch_id)
            if frozenset((a, b)) not in related
        ]
        return GraphView(center_id, tuple(self.fetch(ids, branch_id)), tuple(relations), truncated)

    def cached_neighbourhood(
        self, center_id: str | None, hops: int, limit: int, branch_id: str = MAIN_BRANCH
    ) -> GraphView:
        """As `neighbourhood`, cached until something changes: play moves floor by floor.

        The positions of its entities may be outdated.
        """
        self.make_ready(branch_id)
        key = ("neighbourhood", self._branches.path(branch_id), center_id, hops, limit)
        return self._answers.of(key, lambda: self.neighbourhood(center_id, hops, limit, branch_id))

    def event_ids(self, entity_id: str, branch_id: str = MAIN_BRANCH) -> list[str]:
        rows = self._db.rows(
            "SELECT DISTINCT v.event_id FROM evidence v JOIN event e ON e.id = v.event_id"
            " WHERE v.entity_id = ? AND e.is_deleted = 0"
            f" AND {seen('e', self._branches.path(branch_id))}",
            (entity_id,),
        )
        return [i for (i,) in rows]

    def events_of(self, ids: Iterable[str]) -> Mapping[str, Set[str]]:
        """Return the ids of the events, of any branch, about each entity."""
        every = self._answers.cached(_EVENTS_OF)
        if every is not None:
            known = cast("Mapping[str, Set[str]]", every)
            return {i: known[i] for i in ids if i in known}
        return self._events_of("json_each(?)", (json.dumps(sorted(ids)),))

    def _events_of(self, entities: str, values: Sequence[Any]) -> dict[str, set[str]]:
        events: dict[str, set[str]] = {}
        for entity_id, event_id in self._db.rows(
            f"SELECT v.entity_id, v.event_id FROM {entities} j"
            " CROSS JOIN evidence v ON v.entity_id = j.value"
            " CROSS JOIN event e ON e.id = v.event_id AND e.is_deleted = 0",
            values,
        ):
            events.setdefault(entity_id, set()).add(event_id)
        return events

    def make_ready(self, branch_id: str) -> None:
        """Read the evidence of all entities and relations of a line in advance."""
        every = "(SELECT id AS value FROM entity)"
        self._answers.of(_EVENTS_OF, lambda: self._events_of(every, ()))
        self.relations.make_ready(branch_id)

    def entities_of(self, events: Iterable[str]) -> dict[str, set[str]]:
        """Return the ids of the entities in each of the events."""
        entities: dict[str, set[str]] = {}
        for event_id, entity_id in self._db.rows(
            "SELECT event_id, entity_id FROM evidence WHERE entity_id IS NOT NULL"
            " AND event_id IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(events)),),
        ):
            entities.setdefault(event_id, set()).add(entity_id)
        return entities

    def linked_pairs(self, ids: Iterable[str]) -> set[frozenset[str]]:
        """Return the pairs of ``ids`` that have a relation."""
        rows = self._db.rows(
            "SELECT src, dst FROM relation WHERE src IN (SELECT value FROM json_each(?1))"
            " AND dst IN (SELECT value FROM json_each(?1))",
            (json.dumps(sorted(ids)),),
        )
        return {frozenset(pair) for pair in rows}

    def of_events(self, pks: Iterable[int]) -> set[str]:
        """Return the entities in these events, deleted events included."""
        rows = self._db.rows(
            "SELECT DISTINCT v.entity_id FROM evidence v JOIN event e ON e.id = v.event_id"
            " WHERE v.entity_id IS NOT NULL AND e.pk IN (SELECT value FROM json_each(?))",
            (json.dumps(list(pks)),),
        )
        return {i for (i,) in rows}

    def known_on(self, branch_id: str) -> set[str]:
        """Return the entities a branch may know: with an item there, or with evidence it sees."""
        path = self._branches.path(branch_id)
        rows = self._db.rows(
            "SELECT ref FROM memory_item WHERE kind = 'entity' AND branch_id = ?"
            f" UNION SELECT e.id FROM entity e WHERE {has_evidence('e', path)}",
            (branch_id,),
        )
        return {i for (i,) in rows}

    def stands_for(self, ids: Iterable[str]) -> dict[str, str]:
        """Return, for each id that exists, the entity it is now: itself, or the one merged into."""
        merged_into: dict[str, str | None] = dict(
            self._db.rows("SELECT id, merged_into FROM entity WHERE merged_into IS NOT NULL")
        )
        rows = self._db.rows(
            "SELECT id FROM entity WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(ids)),),
        )
        current = {}
        for (entity_id,) in rows:
            entity = entity_id
            while (target := merged_into.get(entity)) is not None:
                entity = target
            current[entity_id] = entity
        return current

    def known_edges(self, edges: Iterable[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
        """Return which (src, predicate, dst) exist as relations already."""
        rows = self._db.rows(
            "SELECT r.src, r.predicate, r.dst FROM json_each(?) j CROSS JOIN relation r"
            " ON r.src = j.value ->> 0 AND r.predicate = j.value ->> 1 AND r.dst = j.value ->> 2",
            (json.dumps(sorted(set(edges))),),
        )
        return {(src, predicate, dst) for src, predicate, dst in rows}

    def refresh_items(self, ids: Iterable[str], branches: Iterable[str] | None = None) -> None:
        """Write the items of entities, one for each branch (or for these branches)."""
        self._items.refresh(ids, branches)

    def refresh_names(self, ids: Iterable[str]) -> None:
        """As `refresh_items`, also for all related entities, whose items hold the names."""
        named = set(ids)
        rows = self._db.rows(
            "SELECT dst FROM relation WHERE src IN (SELECT value FROM json_each(?1))"
            " UNION SELECT src FROM relation WHERE dst IN (SELECT value FROM json_each(?1))",
            (json.dumps(sorted(named)),),
        )
        self._items.refresh(named.union(i for (i,) in rows))

    def put_off_items(self, ids: Iterable[str]) -> None:
        """Defer `refresh_items` to `ChatStore.catch_up`, since its cost grows with the evidence."""
        self._items.put_off(ids)

    def due_items(self) -> list[str]:
        """Return the entities whose items are deferred."""
        return self._items.due()

    def places(self) -> dict[str, tuple[float, float]]:
        """Return the stored positions of entities; entities without one are left out."""
        rows = self._db.rows(
            "SELECT id, layout_x, layout_y FROM entity"
            " WHERE layout_x IS NOT NULL AND layout_y IS NOT NULL"
        )
        return {entity_id: (x, y) for entity_id, x, y in rows}

    def save_layout(
        self, places: Mapping[str, tuple[float, float]], *, only_new: bool = False
    ) -> None:
        """Store positions of entities; ``only_new``: only of those that have none."""
        unless = " AND layout_x IS NULL" if only_new else ""
        self._db.run_many(
            f"UPDATE entity SET layout_x = ?, layout_y = ? WHERE id = ?{unless}",
            [(x, y, entity_id) for entity_id, (x, y) in places.items()],
        )
