"""Pairs of events that were looked at and are not the same. Written inside the caller's step."""

from __future__ import annotations

from collections.abc import Iterable

from engram_desktop.storage.database import Database

Pair = tuple[str, str]  # ids of events


class ApartPairs:
    """The table `event_apart`, and what joining two events does to their evidence."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> set[Pair]:
        return {(one, other) for one, other in self._db.rows("SELECT one, other FROM event_apart")}

    def add(self, pairs: Iterable[Pair]) -> None:
        self._db.run_many(
            "INSERT OR IGNORE INTO event_apart(one, other) VALUES (?, ?)",
            [(min(pair), max(pair)) for pair in pairs],
        )

    def give_evidence(self, source: str, target: str) -> None:
        """Let ``target`` vouch for what ``source`` does, too."""
        self._db.run_many(
            "INSERT INTO evidence(relation_id, entity_id, event_id, message_id)"
            " SELECT relation_id, entity_id, ?2, message_id FROM evidence v WHERE event_id = ?1"
            " AND NOT EXISTS (SELECT 1 FROM evidence w WHERE w.event_id = ?2"
            " AND w.relation_id IS v.relation_id AND w.entity_id IS v.entity_id)",
            [(source, target)],
        )
