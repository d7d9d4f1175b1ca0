"""Deleted events: their rows stay, so that they can be shown and brought back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.storage.chat.branches import BranchStore, seen
from engram_desktop.storage.chat.events.event_rows import (
    ADD_EVENT_ITEM,
    COLUMNS,
    event_item,
    read_event,
)
from engram_desktop.storage.chat.events.events import EventStore
from engram_desktop.storage.database import Database


class EventBin:
    """Inside the caller's transaction where it writes."""

    def __init__(self, database: Database, branches: BranchStore, events: EventStore) -> None:
        self._db = database
        self._branches = branches
        self._events = events

    def deleted(self, branch_id: str, limit: int) -> list[EventNode]:
        """Deleted events that a branch would see, outlines left out; the last deleted first."""
        is_seen = seen("event", self._branches.path(branch_id))
        sql = (
            f"SELECT {COLUMNS}, updated_at FROM event WHERE is_deleted = 1 AND level = 0"
            f" AND {is_seen} ORDER BY updated_at DESC, pk DESC LIMIT ?"
        )
        return [read_event(row) for row in self._db.rows(sql, (limit,))]

    def columns(self, pk: int) -> dict[str, Any] | None:
        """Every column of an event, deleted or not, by its name; None where there is none."""
        names = [name for (name,) in self._db.rows("SELECT name FROM pragma_table_info('event')")]
        rows = self._db.rows("SELECT * FROM event WHERE pk = ?", (pk,))
        return dict(zip(names, rows[0], strict=True)) if rows else None

    def ever(self, ids: Sequence[str]) -> set[str]:
        """Which of these ids were used, by events that were deleted too."""
        rows = self._db.rows(
            "SELECT id FROM event WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {event_id for (event_id,) in rows}

    def bring_back(self, pks: Sequence[int], now: int) -> list[int]:
        """Make deleted events stand again, with their items; returns keys that changed.

        One whose outline is gone stands by itself.
        """
        rows = self._db.rows(
            "UPDATE event SET is_deleted = 0, updated_at = ?1, parent_id = (SELECT p.id"
            " FROM event p WHERE p.id = event.parent_id AND p.is_deleted = 0) WHERE is_deleted = 1"
            " AND pk IN (SELECT value FROM json_each(?2)) RETURNING pk",
            (now, json.dumps(list(pks))),
        )
        changed = [pk for (pk,) in rows]
        self._db.run_many(
            ADD_EVENT_ITEM, [event_item(e) for e in self._events.fetch(changed).values()]
        )
        return changed
