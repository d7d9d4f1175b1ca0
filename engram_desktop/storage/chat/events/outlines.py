"""Outlines: events of level 1 and above, which summarise their parts.

The parts of an outline are the events whose ``parent_id`` names it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace

from engram_desktop.domain.memory.event import Confidence, EventNode
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import ScopeName
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.events.event_filters import STORY_ORDER
from engram_desktop.storage.chat.events.events import EventStore
from engram_desktop.storage.database import Database


@dataclass(frozen=True, slots=True)
class OutlinePart:
    """What is needed of a part of an outline to decide who may know it."""

    pk: int
    id: str
    outline_id: str
    level: int
    confidence: Confidence
    scope: ScopeName
    condition: str | None


class OutlineStore:
    """Puts events under outlines and dissolves outlines, inside the caller's transaction."""

    def __init__(self, database: Database, events: EventStore) -> None:
        self._db = database
        self._events = events

    def children(self, outline_id: str) -> list[EventNode]:
        """Return the parts of an outline, in story order."""
        # The plus keeps the planner from walking all events in story order to find these.
        return self._events.select("parent_id = ? AND +is_deleted = 0", (outline_id,))

    def parts(self, outline_ids: Collection[str]) -> list[OutlinePart]:
        """Return the parts of some outlines, in story order, without their texts."""
        rows = self._db.rows(
            "SELECT pk, id, parent_id, level, confidence, scope, condition FROM event"
            " WHERE parent_id IN (SELECT value FROM json_each(?)) AND +is_deleted = 0"
            f" ORDER BY {STORY_ORDER}",
            (json.dumps(list(outline_ids)),),
        )
        return [OutlinePart(*row) for row in rows]

    def parents(self) -> dict[int, int]:
        """Return the key of the outline by the key of each part, in every branch.

        Reads indexes only.
        """
        outlines = dict(
            self._db.rows(
                "SELECT id, pk FROM event INDEXED BY event_outline"
                " WHERE level >= 1 AND is_deleted = 0"
            )
        )
        rows = self._db.rows(
            "SELECT pk, parent_id FROM event INDEXED BY event_parent WHERE parent_id IS NOT NULL"
        )
        return {pk: outlines[parent] for pk, parent in rows if parent in outlines}

    def has_stale(self, branch_id: str = MAIN_BRANCH) -> bool:
        """Return whether the branch has a stale outline of its own that may be dissolved."""
        return bool(
            self._db.value(
                "SELECT 1 FROM event WHERE branch_id = ? AND is_deleted = 0 AND level >= 1"
                " AND is_stale = 1 AND is_locked = 0 AND extractor <> 'manual' LIMIT 1",
                (branch_id,),
            )
        )

    def put_under(self, pks: Sequence[int], parent_id: str, now: int) -> None:
        """Put events under an outline and archive them."""
        self._db.rows(
            "UPDATE event SET parent_id = ?1, status = 'archived', is_archived = 1,"
            " updated_at = ?2 WHERE pk IN (SELECT value FROM json_each(?3))",
            (parent_id, now, json.dumps(list(pks))),
        )

    def dissolve(self, outline: EventNode, now: int) -> list[int]:
        """Dissolve an outline: tombstone it and detach its parts; returns the parts' keys."""
        parts = self.children(outline.id)
        shown = [replace(c, parent_id=None, status="buffer", is_archived=False) for c in parts]
        self._events.delete([outline.pk], now)
        self._events.replace(shown, now)
        return [outline.pk, *(c.pk for c in parts)]
