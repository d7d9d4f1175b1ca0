"""Answers of reflections whose events are not stored yet: none is paid for twice.

Outside of undo steps. One is written down the moment it arrives and goes with the step that stores
it; answers older than a month are deleted when another is written.
"""

from __future__ import annotations

from engram_desktop.storage.database import Database

_KEPT_MS = 30 * 24 * 3_600_000  # 30 days: whoever has not looked back again by then pays again


class ReflectionAnswers:
    """Answers by the hash of model and request."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, prompt_hash: str) -> str | None:
        rows = self._db.rows(
            "SELECT answer FROM reflection_answer WHERE prompt_hash = ?", (prompt_hash,)
        )
        return str(rows[0][0]) if rows else None

    def put(self, prompt_hash: str, answer: str, now: int) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM reflection_answer WHERE created_at < ?", (now - _KEPT_MS,)
            )
            connection.execute(
                "INSERT OR REPLACE INTO reflection_answer(prompt_hash, answer, created_at)"
                " VALUES (?, ?, ?)",
                (prompt_hash, answer, now),
            )

    def remove(self, prompt_hash: str) -> None:
        with self._db.writing() as connection:
            connection.execute(
                "DELETE FROM reflection_answer WHERE prompt_hash = ?", (prompt_hash,)
            )
