"""Chat files that are followed: into which line each is read, and how far it was read."""

from __future__ import annotations

import os
from pathlib import Path

from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

_COLUMNS = (
    "path, chat_id, branch_id, is_followed, size, mtime_ns, mark_offset, mark_hash, mark_floor,"
    " line_hash, changed_at"
)


@dataclass(frozen=True, slots=True)
class FollowedFile:
    """One row, with a mark before which nothing need be read again.

    That holds while ``line_hash`` is the mark of the line's first ``mark_floor`` messages, and
    ``mark_hash`` the hash of the file's first ``mark_offset`` bytes after its header.
    """

    path: str
    chat_id: str
    branch_id: str
    is_followed: bool = True
    size: int = 0
    mtime_ns: int = 0
    mark_offset: int = 0
    mark_hash: str = ""
    mark_floor: int = 0
    line_hash: str = ""
    changed_at: int = 0


def key_of(path: Path) -> str:
    """The text under which a path is kept: one file, one key."""
    return os.path.normcase(path.absolute())


class FollowedFiles:
    """The files a library follows."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, path: Path) -> FollowedFile | None:
        return next(iter(self._rows("WHERE path = ?", key_of(path))), None)

    def all(self) -> list[FollowedFile]:
        return self._rows("ORDER BY path")

    def of_chat(self, chat_id: str) -> list[FollowedFile]:
        return self._rows("WHERE chat_id = ?", chat_id)

    def put(self, row: FollowedFile) -> None:
        with self._db.writing() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO followed_file({_COLUMNS})"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.path,
                    row.chat_id,
                    row.branch_id,
                    int(row.is_followed),
                    row.size,
                    row.mtime_ns,
                    row.mark_offset,
                    row.mark_hash,
                    row.mark_floor,
                    row.line_hash,
                    row.changed_at,
                ),
            )

    def remove(self, path: str) -> None:
        with self._db.writing() as connection:
            connection.execute("DELETE FROM followed_file WHERE path = ?", (path,))

    def _rows(self, where: str, *values: str) -> list[FollowedFile]:
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM followed_file {where}", values)
        return [
            FollowedFile(path, chat, branch, bool(followed), *rest)
            for path, chat, branch, followed, *rest in rows
        ]
