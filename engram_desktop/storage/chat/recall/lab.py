"""The questions of the recall lab, watched by undo: writing happens inside the caller's step."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from engram_desktop.domain.recall.lab import Expected, LabQuestion
from engram_desktop.storage.database import Database

_COLUMNS = "id, query, expected, branch_id, at"


class LabStore:
    """The lab of one chat."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> list[LabQuestion]:
        """Every question, the oldest first."""
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM lab_question ORDER BY created_at, pk")
        return [_question(row) for row in rows]

    def get(self, question_id: str) -> LabQuestion | None:
        sql = f"SELECT {_COLUMNS} FROM lab_question WHERE id = ?"
        return next((_question(row) for row in self._db.rows(sql, (question_id,))), None)

    def put(self, question: LabQuestion, now: int) -> None:
        """Add a question, or write it anew."""
        expected = json.dumps([asdict(e) for e in question.expected], ensure_ascii=False)
        self._db.run_many(
            "INSERT INTO lab_question(id, query, expected, branch_id, at, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET query = excluded.query,"
            " expected = excluded.expected, branch_id = excluded.branch_id, at = excluded.at",
            [(question.id, question.query, expected, question.branch_id, question.at, now)],
        )

    def remove(self, question_id: str) -> None:
        self._db.run_many("DELETE FROM lab_question WHERE id = ?", [(question_id,)])


def _question(row: tuple[Any, ...]) -> LabQuestion:
    expected = tuple(Expected(**value) for value in json.loads(row[2]))
    return LabQuestion(row[0], row[1], expected, row[3], row[4])
