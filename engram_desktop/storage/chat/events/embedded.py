"""The flag `event.is_embedded`: whether a vector of what an event says now is stored.

It follows from `memory_embedding` and is worked out here, outside of any undo step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from engram_desktop.storage.database import Database


class EmbeddedFlags:
    """Makes the flag say what is true, after vectors or events changed."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def settle(self, pks: Iterable[object]) -> None:
        """Make ``is_embedded`` say what is true for ``pks``, outside of any step."""
        self._db.rows(
            "UPDATE event SET is_embedded = EXISTS (SELECT 1 FROM memory_item i JOIN"
            " memory_embedding m ON m.item_id = i.id AND m.content_hash = i.content_hash"
            " WHERE i.kind = 'event' AND i.ref = event.id)"
            " WHERE pk IN (SELECT value FROM json_each(?))",
            (json.dumps(list(pks)),),
        )

    def settle_all(self) -> int:
        """Make ``is_embedded`` true for every event; returns of how many it was not.

        Deleted ones have no vector and are settled when they come back.
        """
        wrong = self._db.rows(
            "SELECT pk FROM event WHERE is_deleted = 0 AND is_embedded <>"
            " EXISTS (SELECT 1 FROM memory_item i JOIN memory_embedding m ON m.item_id = i.id"
            " AND m.content_hash = i.content_hash WHERE i.kind = 'event' AND i.ref = event.id)"
        )
        self.settle(pk for (pk,) in wrong)
        return len(wrong)

    def settle_ids(self, ids: Sequence[str]) -> None:
        """As `settle`, for events by id."""
        rows = self._db.rows(
            "SELECT pk FROM event WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        self.settle(pk for (pk,) in rows)
