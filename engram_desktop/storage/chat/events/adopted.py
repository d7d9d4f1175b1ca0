"""Which origins other tools' memories were adopted from, and which of those the user left out.

An origin is that of `event.origin`: a tool, and where it wrote. Rows belong to the undo step that
adopts the memories.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from engram_desktop.storage.database import Database


class AdoptedOrigins:
    """The table `adopted_origin`. Whoever calls what writes holds the transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def known(self) -> dict[str, bool]:
        """Every origin that was adopted from, and whether the user left it out since."""
        rows = self._db.rows("SELECT origin, is_left_out FROM adopted_origin")
        return {origin: bool(is_left_out) for origin, is_left_out in rows}

    def note(self, new: Collection[str], known: Collection[str]) -> None:
        """Add the origins of ``new`` memories, and those of ``known`` ones that have no row yet."""
        self._db.run_many(
            "INSERT OR REPLACE INTO adopted_origin(origin) VALUES (?)", [(o,) for o in new]
        )
        self._db.run_many(
            "INSERT OR IGNORE INTO adopted_origin(origin) VALUES (?)", [(o,) for o in known]
        )

    def leave_out(self, pks: Sequence[int]) -> None:
        """Mark origins of deleted events that have no event left, so that they stay out."""
        self._db.rows(
            "UPDATE adopted_origin SET is_left_out = 1 WHERE is_left_out = 0 AND origin IN"
            " (SELECT origin FROM event WHERE pk IN (SELECT value FROM json_each(?)))"
            " AND NOT EXISTS (SELECT 1 FROM event"
            " WHERE event.origin = adopted_origin.origin AND event.is_deleted = 0)",
            (json.dumps(list(pks)),),
        )
