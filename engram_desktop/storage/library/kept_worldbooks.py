"""Worldbook files that are kept in step with a chat's memory: which, and what was written last."""

from __future__ import annotations

import os
from pathlib import Path

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.worldbooks.merging.kept_worldbook import KeptWorldbook
from engram_desktop.storage.database import Database

_COLUMNS = "path, chat_id, branch_id, hash, next_hash, entries, written_at, fault"


class KeptWorldbookStore:
    """The rows of `kept_book`. A path stays as it was given, and is compared as the system does."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self, chat_id: str | None = None) -> list[KeptWorldbook]:
        """Every file, or those of one chat."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM kept_book WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY path",
            (chat_id,),
        )
        return [KeptWorldbook(*row) for row in rows]

    def find(self, path: Path) -> KeptWorldbook:
        """Return the row of a file. Raises NotFound."""
        key = os.path.normcase(path.absolute())
        for row in self.rows():
            if os.path.normcase(row.path) == key:
                return row
        raise NotFound("kept world book", path)

    def put(self, row: KeptWorldbook) -> None:
        with self._db.writing() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO kept_book({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.path,
                    row.chat_id,
                    row.branch_id,
                    row.hash,
                    row.next_hash,
                    row.entries,
                    row.written_at,
                    row.fault,
                ),
            )

    def remove(self, path: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM kept_book WHERE path = ?", (path,))
