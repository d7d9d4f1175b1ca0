"""Changes of entities: by the user, by events, and suggested pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from engram_desktop.domain.errors import Conflict, NotFound
from engram_desktop.domain.graph.entity import EntityType, norm_name
from engram_desktop.domain.memory.line import MAIN_BRANCH, new_id
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.storage.chat.branches import BranchStore
from engram_desktop.storage.chat.graph.relations import has_evidence
from engram_desktop.storage.chat.private_notes import PrivateNoteStore
from engram_desktop.storage.database import Database

Row = tuple[str, str, str, float, tuple[Phrase, ...]]  # id, one, other, score, reasons


class SuggestionStore:
    """The table `suggestion`: pairs that may be one entity; a pair is stored once, in either order.

    Written inside steps.
    """

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def open(self, branch_id: str = MAIN_BRANCH) -> list[Row]:
        """Return the open suggestions, the surest first, of entities the branch knows."""
        path = self._branches.path(branch_id)
        rows = self._db.rows(
            "SELECT s.id, s.src, s.dst, s.score, s.reason FROM suggestion s"
            " JOIN entity a ON a.id = s.src JOIN entity b ON b.id = s.dst"
            " WHERE s.state = 'open' AND a.merged_into IS NULL AND b.merged_into IS NULL"
            f" AND {has_evidence('a', path)} AND {has_evidence('b', path)}"
            " ORDER BY s.score DESC, s.pk"
        )
        return [(i, a, b, score, _reasons(text)) for i, a, b, score, text in rows]

    def find(self, suggestion_id: str) -> tuple[str, str] | None:
        """Return the pair of an open suggestion."""
        rows = self._db.rows(
            "SELECT src, dst FROM suggestion WHERE id = ? AND state = 'open'", (suggestion_id,)
        )
        return (rows[0][0], rows[0][1]) if rows else None

    def known_pairs(self) -> set[tuple[str, str]]:
        """Return every pair that was ever suggested, ordered by ids."""
        return {(min(a, b), max(a, b)) for a, b in self._db.rows("SELECT src, dst FROM suggestion")}

    def add(self, pairs: Iterable[tuple[str, str, float, Sequence[Phrase]]], now: int) -> None:
        self._db.run_many(
            "INSERT OR IGNORE INTO suggestion(id, src, dst, score, reason, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    new_id(),
                    min(a, b),
                    max(a, b),
                    score,
                    json.dumps([[r.template, r.params] for r in reasons], ensure_ascii=False),
                    now,
                )
                for a, b, score, reasons in pairs
            ],
        )

    def set_state(self, suggestion_id: str, state: str) -> None:
        """Set the state to accepted or dismissed."""
        self._db.run_many("UPDATE suggestion SET state = ? WHERE id = ?", [(state, suggestion_id)])

    def move_to_merged(self, source: str, target: str) -> None:
        """Move suggestions about ``source`` to ``target``, if that pair has none yet."""
        rows: list[tuple[Any, ...]] = self._db.rows(
            "SELECT pk, iif(src = ?1, dst, src), state FROM suggestion WHERE ?1 IN (src, dst)",
            (source,),
        )
        for pk, other, state in rows:
            a, b = min(target, other), max(target, other)
            is_taken = self._db.value("SELECT 1 FROM suggestion WHERE src = ? AND dst = ?", (a, b))
            if other == target or (state == "open" and is_taken):
                continue
            if is_taken:  # a dismissed pair stays dismissed
                self._db.run_many(
                    "UPDATE suggestion SET state = ? WHERE src = ? AND dst = ? AND state = 'open'",
                    [(state, a, b)],
                )
            else:
                self._db.run_many(
                    "UPDATE suggestion SET src = ?, dst = ? WHERE pk = ?", [(a, b, pk)]
                )


def _reasons(text: str) -> tuple[Phrase, ...]:
    return tuple(Phrase(template, "suggestions", **params) for template, params in json.loads(text))


_T = QT_TRANSLATE_NOOP


class EntityEdits:
    """Changes of entities by the user, inside the caller's step, reversible by the journal."""

    def __init__(self, database: Database, suggestions: SuggestionStore) -> None:
        self._db = database
        self._suggestions = suggestions

    def update(self, entity_id: str, now: int, **columns: Any) -> None:
        """Set columns of an entity: name, type, description, profile, is_locked, is_hidden."""
        self._require(entity_id)
        if "profile" in columns:
            columns["profile"] = json.dumps(columns["profile"], ensure_ascii=False)
        sets = ", ".join(f"{name} = ?" for name in columns)
        self._run(
            f"UPDATE entity SET {sets}, last_updated_at = ? WHERE id = ?",
            (*columns.values(), now, entity_id),
        )

    def add_alias(self, entity_id: str, name: str) -> None:
        """Add ``name`` as an alias. Raises Conflict if it belongs to another entity."""
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
        """Merge ``sources`` into ``target``: aliases, evidence, relations and notes move."""
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
        PrivateNoteStore(self._db).give("entity", sources, target, now)
        self._run(
            "DELETE FROM evidence WHERE relation_id IN (SELECT id FROM relation WHERE src = dst)",
            (),
        )
        self._run("DELETE FROM relation WHERE src = dst", ())

    def renumber(self, entity_id: str, fixed: str, now: int) -> None:
        """Give an entity the free id ``fixed``; the old id remains, merged into it."""
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
        """Make a new entity of one alias and its events; returns its id.

        Relations that only these events support move with it.
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
        """Point rows of ``table`` to ``target``; an equal relation takes over the evidence."""
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
                for column_said in ("valid_from", "valid_to"):  # values set by the user are kept
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

    def _require(self, entity_id: str) -> None:
        exists = self._db.value(
            "SELECT 1 FROM entity WHERE id = ? AND merged_into IS NULL", (entity_id,)
        )
        if exists is None:
            raise NotFound("entity", entity_id)

    def _run(self, sql: str, values: Sequence[Any]) -> None:
        self._db.run_many(sql, [values])


class EntityWrites:
    """Adds what events say to the graph: entities, aliases, types, relations, evidence.

    Runs inside the caller's step. Locked entities are not changed, and nothing is removed.
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, entities: Iterable[tuple[str, str, EntityType]], now: int) -> None:
        """Insert entities (id, name, type), each with its name as an alias if that is free."""
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
        """Add (entity id, name) as an alias, unless it is taken or the entity is locked."""
        self._db.run_many(
            "INSERT OR IGNORE INTO entity_alias(norm, entity_id, name)"
            " SELECT ?, id, ? FROM entity WHERE id = ? AND is_locked = 0",
            [(norm_name(name), name, entity_id) for entity_id, name in names],
        )

    def learn_types(self, types: Iterable[tuple[str, EntityType]]) -> None:
        """Set (entity id, type) if the type is unknown and the entity is not locked."""
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
        """Store (entity id, event id) as evidence, once each."""
        self._db.run_many(
            "WITH told(entity, event) AS MATERIALIZED"
            " (SELECT value ->> 0, value ->> 1 FROM json_each(?))"
            " INSERT INTO evidence(entity_id, event_id) SELECT entity, event FROM told WHERE"
            " NOT EXISTS (SELECT 1 FROM evidence WHERE entity_id = entity AND event_id = event)",
            [(json.dumps(sorted(set(pairs))),)],
        )

    def relate(self, edges: Iterable[tuple[str, str, str, str]]) -> int:
        """Store (src, predicate, dst, event id); returns how many relations are new."""
        edges = list(dict.fromkeys(edges))
        before = self._relation_count()
        self._db.run_many(
            "INSERT OR IGNORE INTO relation(id, src, predicate, dst) VALUES (?, ?, ?, ?)",
            [(new_id(), *edge) for edge in dict.fromkeys(edge[:3] for edge in edges)],
        )
        # One statement for all rows: SQLite logs the changed pages again for each statement.
        self._db.run_many(
            "WITH told(src, predicate, dst, event) AS MATERIALIZED (SELECT value ->> 0,"
            " value ->> 1, value ->> 2, value ->> 3 FROM json_each(?))"
            " INSERT INTO evidence(relation_id, event_id) SELECT r.id, t.event FROM told t"
            " CROSS JOIN relation r ON r.src = t.src AND r.predicate = t.predicate"
            " AND r.dst = t.dst WHERE NOT EXISTS"
            " (SELECT 1 FROM evidence v WHERE v.relation_id = r.id AND v.event_id = t.event)",
            [(json.dumps(edges),)],
        )
        return self._relation_count() - before

    def _relation_count(self) -> int:
        return int(self._db.value("SELECT count(*) FROM relation"))
