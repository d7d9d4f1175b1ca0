"""What the knowledge of logs and entities is derived from: events, and their audiences."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engram_desktop.storage.chat.messages.branches import BranchStore, seen
from engram_desktop.storage.database import Database

_IDS = "(SELECT value FROM json_each(?))"


class KnowledgeSources:
    """Reads them, and notes what is due; the caller holds the transaction then."""

    def __init__(self, database: Database, branches: BranchStore) -> None:
        self._db = database
        self._branches = branches

    def events_are_due(self, branch_id: str, first: int, last: int) -> None:
        """Note that the events and outlines of a branch on these floors are to be derived anew."""
        self._db.run_many(
            "INSERT OR IGNORE INTO knowledge_due(kind, ref) SELECT 'event', id FROM event"
            " WHERE branch_id = ? AND start_index <= ? AND end_index >= ? AND is_deleted = 0",
            [(branch_id, last, first)],
        )

    def made_of_are_due(self, event_ids: Sequence[str]) -> None:
        """Note that outlines, logs and entities that these events are a part of are due."""
        keys = json.dumps(list(event_ids))
        of_relation = "FROM evidence v JOIN relation r ON r.id = v.relation_id WHERE v.event_id IN"
        for kind, sql in (
            ("event", "SELECT parent_id FROM event WHERE parent_id IS NOT NULL AND id IN"),
            ("log", "SELECT id FROM private_log WHERE is_deleted = 0 AND linked_event_id IN"),
            (
                "entity",
                "SELECT entity_id FROM evidence WHERE entity_id IS NOT NULL AND event_id IN",
            ),
            ("entity", f"SELECT r.src {of_relation}"),
            ("entity", f"SELECT r.dst {of_relation}"),
        ):
            rows = self._db.rows(f"SELECT DISTINCT * FROM ({sql} {_IDS})", (keys,))
            self._db.run_many(
                "INSERT OR IGNORE INTO knowledge_due(kind, ref) VALUES (?, ?)",
                [(kind, ref) for (ref,) in rows],
            )

    def logs(self, ids: Sequence[str]) -> list[tuple[int, str, str, int | None]]:
        """(item, owner, scope, item of the linked event) of private logs."""
        return self._db.rows(
            "SELECT i.id, l.owner, l.scope, (SELECT e.id FROM memory_item e WHERE e.kind = 'event'"
            " AND e.ref = l.linked_event_id) FROM private_log l JOIN memory_item i"
            " ON i.kind = 'log' AND i.ref = l.id WHERE l.is_deleted = 0"
            f" AND l.id IN {_IDS}",
            (json.dumps(list(ids)),),
        )

    def entity_items(self, ids: Sequence[str]) -> list[tuple[int, str, str]]:
        """(item, branch, entity) of what branches know of these entities."""
        return self._db.rows(
            f"SELECT id, branch_id, ref FROM memory_item WHERE kind = 'entity' AND ref IN {_IDS}",
            (json.dumps(list(ids)),),
        )

    def told_to(self, entity_id: str, branch_id: str) -> list[int]:
        """Audiences of the events that a branch sees and that tell of an entity; 0 for none yet.

        A condition guards its own event alone: what is made of that is nobody's.
        """
        path = self._branches.path(branch_id)
        rows = self._db.rows(
            "WITH told(event_id) AS (SELECT event_id FROM evidence WHERE entity_id = ?1 UNION"
            " SELECT v.event_id FROM relation r JOIN evidence v ON v.relation_id = r.id"
            " WHERE r.src = ?1 OR r.dst = ?1)"
            " SELECT DISTINCT iif(e.scope = 'conditional', 0, ifnull(a.audience, 0)) FROM told"
            " JOIN event e ON e.id = told.event_id"
            f" AND e.is_deleted = 0 AND {seen('e', path)} JOIN memory_item i ON i.kind = 'event'"
            " AND i.ref = e.id LEFT JOIN item_audience a ON a.item_id = i.id",
            (entity_id,),
        )
        return [int(number) for (number,) in rows]
