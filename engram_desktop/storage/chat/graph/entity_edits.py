"""Curating the graph: rename, aliases, merge, split. All inside the caller's journal step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.errors import Conflict, NotFound
from engram_desktop.domain.graph.entity import EntityType, norm_name
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.ids import new_id
from engram_desktop.domain.phrase import Phrase
from engram_desktop.storage.chat.graph.suggestions import SuggestionStore
from engram_desktop.storage.database import Database

_T = QT_TRANSLATE_NOOP


class EntityEdits:
    """Writes to entities that a user asked for; every one is reversible through the journal."""

    def __init__(self, database: Database, suggestions: SuggestionStore) -> None:
        self._db = database
        self._suggestions = suggestions

    def update(self, entity_id: str, now: int, **columns: Any) -> None:
        """Set columns of one entity: name, type, description, profile, is_locked."""
        self._require(entity_id)
        if "profile" in columns:
            columns["profile"] = json.dumps(columns["profile"], ensure_ascii=False)
        sets = ", ".join(f"{name} = ?" for name in columns)
        self._run(
            f"UPDATE entity SET {sets}, last_updated_at = ? WHERE id = ?",
            (*columns.values(), now, entity_id),
        )

    def add_alias(self, entity_id: str, name: str) -> None:
        """Make ``name`` an alias of this entity. Raises Conflict if it is one of another."""
        self._require(entity_id)
        norm = norm_name(name)
        holder = self._db.value("SELECT entity_id FROM entity_alias WHERE norm = ?", (norm,))
        if holder == entity_id:
            return
        if holder is not None:
            raise Conflict(
                Phrase(
                    _T("reports", "“{name}” already names another entity; merge the two instead"),
                    name=name,
                )
            )
        self._run(
            "INSERT INTO entity_alias(norm, entity_id, name, source) VALUES (?, ?, ?, 'user')",
            (norm, entity_id, name),
        )

    def remove_alias(self, entity_id: str, name: str) -> None:
        self._run(
            "DELETE FROM entity_alias WHERE entity_id = ? AND norm = ?",
            (entity_id, norm_name(name)),
        )

    def merge(self, sources: Sequence[str], target: str, now: int) -> None:
        """Make ``sources`` one with ``target``: aliases, evidence and relations move over."""
        self._require(target)
        for source in sources:
            self._require(source)
            for table, column in (("entity_alias", "entity_id"), ("relation", "src")):
                self._move(table, column, source, target)
            self._move("relation", "dst", source, target)
            self._run(
                "DELETE FROM evidence WHERE entity_id = ?1 AND event_id IN"
                " (SELECT event_id FROM evidence WHERE entity_id = ?2)",
                (source, target),
            )
            self._run("UPDATE evidence SET entity_id = ? WHERE entity_id = ?", (target, source))
            self._run("DELETE FROM memory_item WHERE kind = 'entity' AND ref = ?", (source,))
            self._suggestions.move_to_merged(source, target)
            self._run(
                "UPDATE entity SET merged_into = ?, last_updated_at = ? WHERE id = ?",
                (target, now, source),
            )
        self._drop_relations("src = dst", ())

    def renumber(self, entity_id: str, fixed: str, now: int) -> None:
        """Give an entity the id ``fixed``, which is free; the old id remains, merged into it."""
        self._require(entity_id)
        self._run(
            "INSERT INTO entity(id, name, type, description, profile, last_updated_at, layout_x,"
            " layout_y, is_locked, is_hidden) SELECT ?2, name, type, description, profile, ?3,"
            " layout_x, layout_y, is_locked, is_hidden FROM entity WHERE id = ?1",
            (entity_id, fixed, now),
        )
        self.merge([entity_id], fixed, now)

    def split(
        self, entity_id: str, name: str, kind: EntityType, events: Sequence[str], now: int
    ) -> str:
        """Make a new entity of one alias and the events told of it; returns its id.

        Relations that these events, and nobody else, tell of go with it.
        """
        self._require(entity_id)
        new_entity = new_id()
        self._run(
            "INSERT INTO entity(id, name, type, last_updated_at) VALUES (?, ?, ?, ?)",
            (new_entity, name, kind, now),
        )
        self._run(
            "UPDATE entity_alias SET entity_id = ? WHERE norm = ? AND entity_id = ?",
            (new_entity, norm_name(name), entity_id),
        )
        event_ids = json.dumps(list(events))
        self._run(
            "UPDATE evidence SET entity_id = ?1 WHERE entity_id = ?2 AND event_id IN"
            " (SELECT value FROM json_each(?3))",
            (new_entity, entity_id, event_ids),
        )
        only_these = (
            " AND valid_from IS NULL"
            " AND id IN (SELECT relation_id FROM evidence WHERE relation_id IS NOT NULL)"
            " AND id NOT IN (SELECT relation_id FROM evidence WHERE relation_id IS NOT NULL"
            " AND event_id NOT IN (SELECT value FROM json_each(?3)))"
        )
        for end in ("src", "dst"):
            self._run(
                f"UPDATE relation SET {end} = ?1 WHERE {end} = ?2{only_these}",
                (new_entity, entity_id, event_ids),
            )
        return new_entity

    def _move(self, table: str, column: str, source: str, target: str) -> None:
        """Point rows of ``table`` to ``target``; a relation that is there already takes over."""
        if table == "relation":
            same = (
                "SELECT other.id FROM relation other WHERE other.predicate = relation.predicate"
                " AND other.src = iif(relation.src = ?1, ?2, relation.src)"
                " AND other.dst = iif(relation.dst = ?1, ?2, relation.dst)"
            )
            doubles = self._db.rows(
                f"SELECT id, ({same}) FROM relation WHERE {column} = ?1 AND EXISTS ({same})",
                (source, target),
            )
            for double, remaining in doubles:
                for column_said in ("valid_from", "valid_to"):  # what the user said stays said
                    self._run(
                        f"UPDATE relation SET {column_said} = ifnull({column_said},"
                        f" (SELECT {column_said} FROM relation WHERE id = ?)) WHERE id = ?",
                        (double, remaining),
                    )
                self._run(
                    "DELETE FROM evidence WHERE relation_id = ?1 AND event_id IN"
                    " (SELECT event_id FROM evidence WHERE relation_id = ?2)",
                    (double, remaining),
                )
                self._run(
                    "UPDATE evidence SET relation_id = ? WHERE relation_id = ?", (remaining, double)
                )
                self._run("DELETE FROM relation WHERE id = ?", (double,))
        self._run(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (target, source))

    def _drop_relations(self, where: str, values: Sequence[Any]) -> None:
        self._run(
            f"DELETE FROM evidence WHERE relation_id IN (SELECT id FROM relation WHERE {where})",
            values,
        )
        self._run(f"DELETE FROM relation WHERE {where}", values)

    def _require(self, entity_id: str) -> None:
        exists = self._db.value(
            "SELECT 1 FROM entity WHERE id = ? AND merged_into IS NULL", (entity_id,)
        )
        if exists is None:
            raise NotFound("entity", entity_id)

    def _run(self, sql: str, values: Sequence[Any]) -> None:
        self._db.run_many(sql, [values])
