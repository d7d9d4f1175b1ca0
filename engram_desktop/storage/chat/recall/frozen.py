"""Injections kept unchanged for some turns, one for a branch. Not part of undo steps."""

from __future__ import annotations

import json
from typing import Any

from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database


@dataclass(frozen=True, slots=True)
class FrozenRow:
    """From which floor and for how many turns an injection is frozen, and the injection itself.

    ``data`` is empty until the first injection after freezing is stored.
    """

    floor: int
    turns: int
    data: dict[str, Any]


class FrozenStore:
    """What is frozen in one chat."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, branch_id: str) -> FrozenRow | None:
        rows = self._db.rows(
            "SELECT floor, turns, injection FROM frozen_injection WHERE branch_id = ?",
            (branch_id,),
        )
        return FrozenRow(rows[0][0], rows[0][1], json.loads(rows[0][2])) if rows else None

    def put(self, branch_id: str, row: FrozenRow) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO frozen_injection(branch_id, floor, turns, injection)"
                " VALUES (?, ?, ?, ?)",
                (branch_id, row.floor, row.turns, json.dumps(row.data, ensure_ascii=False)),
            )

    def remove(self, branch_id: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM frozen_injection WHERE branch_id = ?", (branch_id,))
