"""Write down what events tell: entities, their aliases and types, relations, evidence.

Never what a user has locked. What users change themselves is in `entity_edits`, `relation_edits`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from engram_desktop.domain.graph.entity import EntityType, norm_name
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.storage.database import Database


class EntityWrites:
    """Adds to the graph, inside the caller's step; nothing is ever taken away here."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, entities: Iterable[tuple[str, str, EntityType]], now: int) -> None:
        """Make entities (id, name, type), each with its name as an alias if that is free."""
        rows = list(entities)
        self._db.run_many(
            "INSERT INTO entity(id, name, type, last_updated_at) VALUES (?, ?, ?, ?)",
            [(*row, now) for row in rows],
        )
        self._db.run_many(
            "INSERT OR IGNORE INTO entity_alias(norm, entity_id, name) VALUES (?, ?, ?)",
            [(norm_name(name), entity_id, name) for entity_id, name, _kind in rows],
        )

    def learn(self, names: Iterable[tuple[str, str]]) -> None:
        """Add (entity id, extracted name) as an alias, unless it is taken or the entity locked."""
        self._db.run_many(
            "INSERT OR IGNORE INTO entity_alias(norm, entity_id, name)"
            " SELECT ?, id, ? FROM entity WHERE id = ? AND is_locked = 0",
            [(norm_name(name), name, entity_id) for entity_id, name in names],
        )

    def learn_types(self, types: Iterable[tuple[str, EntityType]]) -> None:
        """Set (entity id, type) where none is known and the entity is not locked."""
        self._db.run_many(
            "UPDATE entity SET type = j.value ->> 1 FROM json_each(?) j"
            " WHERE entity.id = j.value ->> 0 AND entity.type = 'unknown' AND is_locked = 0",
            [(json.dumps([row for row in types if row[1] != "unknown"]),)],
        )

    def make_people(self, ids: Iterable[str]) -> None:
        """Set the type of entities to character, whatever it was, unless they are locked."""
        self._db.run_many(
            "UPDATE entity SET type = 'char' WHERE id = ? AND type <> 'char' AND is_locked = 0",
            [(entity_id,) for entity_id in ids],
        )

    def mention(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Record (entity id, event id) once each."""
        self._db.run_many(
            "INSERT INTO evidence(entity_id, event_id)"
            " SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?) j WHERE NOT EXISTS"
            " (SELECT 1 FROM evidence v WHERE v.entity_id = j.value ->> 0"
            " AND v.event_id = j.value ->> 1)",
            [(json.dumps(sorted(set(pairs))),)],
        )

    def relate(self, edges: Iterable[tuple[str, str, str, str]]) -> int:
        """Record (src, predicate, dst, event id); returns how many relations are new."""
        edges = list(dict.fromkeys(edges))
        before = self._relation_count()
        self._db.run_many(
            "INSERT OR IGNORE INTO relation(id, src, predicate, dst) VALUES (?, ?, ?, ?)",
            [(new_id(), src, predicate, dst) for src, predicate, dst, _event in edges],
        )
        self._db.run_many(
            "INSERT INTO evidence(relation_id, event_id) SELECT r.id, ?4 FROM relation r"
            " WHERE r.src = ?1 AND r.predicate = ?2 AND r.dst = ?3 AND NOT EXISTS"
            " (SELECT 1 FROM evidence v WHERE v.relation_id = r.id AND v.event_id = ?4)",
            edges,
        )
        return self._relation_count() - before

    def _relation_count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM relation"))
