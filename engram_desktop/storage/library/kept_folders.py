"""Folders of Markdown files that are kept in step with a chat: which, and what was in step last."""

from __future__ import annotations

import json
import os
from pathlib import Path

from engram_desktop.domain import reports
from engram_desktop.domain.errors import NotFound
from engram_desktop.storage.database import Database


class KeptFolderStore:
    """The rows of `kept_folder`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self, chat_id: str | None = None) -> list[reports.KeptFolder]:
        """Every folder, or those of one chat."""
        rows = self._db.rows(
            "SELECT path, chat_id, branch_id, marks, synced_at, fault FROM kept_folder"
            " WHERE ?1 IS NULL OR chat_id = ?1 ORDER BY path",
            (chat_id,),
        )
        return [
            reports.KeptFolder(path, chat, branch, _marks(marks), synced_at, fault)
            for path, chat, branch, marks, synced_at, fault in rows
        ]

    def find(self, path: Path) -> reports.KeptFolder:
        """Return the row of a folder. Raises NotFound."""
        key = os.path.normcase(path.absolute())
        for row in self.rows():
            if os.path.normcase(row.path) == key:
                return row
        raise NotFound("kept folder", path)

    def put(self, row: reports.KeptFolder) -> None:
        marks = json.dumps(row.marks, ensure_ascii=False, separators=(",", ":"))
        with self._db.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO kept_folder(path, chat_id, branch_id, marks, synced_at,"
                " fault) VALUES (?, ?, ?, ?, ?, ?)",
                (row.path, row.chat_id, row.branch_id, marks, row.synced_at, row.fault),
            )

    def remove(self, path: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM kept_folder WHERE path = ?", (path,))


def _marks(text: str) -> dict[str, tuple[str, str, str]]:
    """Read the marks of a folder; one that is damaged is left out, and looked at as new."""
    try:
        rows = json.loads(text)
    except ValueError:
        return {}
    return {key: (name, one, other) for key, (name, one, other) in rows.items()}
