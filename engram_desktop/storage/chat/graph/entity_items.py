"""What can be recalled of an entity: its names, its description and the relations that hold now."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Sequence

from engram_desktop.domain.graph.predicates import facet
from engram_desktop.domain.memory.ids import content_hash
from engram_desktop.domain.memory.memory_item import entity_content
from engram_desktop.storage.chat.graph.relations import RelationStore
from engram_desktop.storage.chat.graph.told import is_told
from engram_desktop.storage.chat.messages.branches import BranchStore, seen
from engram_desktop.storage.database import Database

_FACTS_SHOWN = 12  # relations in the item of one entity, the newest


class EntityItems:
    """Writes the memory items of entities, inside the caller's step."""

    def __init__(self, database: Database, branches: BranchStore, relations: RelationStore) -> None:
        self._db = database
        self._branches = branches
        self._relations = relations

    def names(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Everything each entity is called."""
        names: dict[str, list[str]] = {}
        for entity_id, name in self._db.rows(
            "SELECT entity_id, name FROM entity_alias WHERE entity_id IN"
            " (SELECT value FROM json_each(?)) ORDER BY name",
            (json.dumps(list(ids)),),
        ):
            names.setdefault(entity_id, []).append(name)
        return names

    def refresh(self, ids: Iterable[str], branches: Iterable[str] | None = None) -> None:
        """Write what each branch (or these) knows of the entities anew, one item for each.

        It is made of names, description and the relations that hold there now. An entity of which
        a branch knows nothing, or nothing but the name, is no memory there and has no item.
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
        """Add the other ends of facts that a new telling may end, or its deletion bring back.

        "Alice lives in the city" ends "Alice lives in the tower": the tower's item told that too.
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
        """Note entities whose items are to be written anew later, all at once."""
        self._db.run_many(
            "INSERT OR IGNORE INTO entity_due(entity_id) SELECT value FROM json_each(?)",
            [(json.dumps(sorted(ids)),)],
        )

    def due(self) -> list[str]:
        """Entities that were put off."""
        return [i for (i,) in self._db.rows("SELECT entity_id FROM entity_due")]

    def _facts(self, ids: Sequence[str], branch_id: str) -> dict[str, list[str]]:
        """Current relations as sentences, the newest first."""
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
            f" AND {is_told('e', path)} AND e.id IN (SELECT value FROM json_each(?))",
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
