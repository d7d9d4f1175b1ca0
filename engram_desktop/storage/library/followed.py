"""What a library follows: chat files, and folders of Markdown files.

For a chat file: the line it is read into, and how far it was read. For a folder: the chat it is
kept in step with, and the hashes of the last sync.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from engram_desktop.domain import reports
from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database

_COLUMNS = (
    "path, chat_id, branch_id, is_followed, size, mtime_ns, mark_offset, mark_hash, mark_floor,"
    " line_hash, changed_at"
)


@dataclass(frozen=True, slots=True)
class FollowedFile:
    """A followed file, with a mark before which it need not be read again.

    The mark is valid while ``line_hash`` is the mark of the line's first ``mark_floor`` messages,
    and ``mark_hash`` the hash of the file's first ``mark_offset`` bytes after its header.
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


def plain_path(path: Path) -> Path:
    """Return an absolute path without “..”, so that a folder has one spelling. Links are kept."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow them


def key_of(path: Path) -> str:
    """Return the key of a path: one file, one key."""
    return os.path.normcase(plain_path(path))


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


class KeptFolderStore:
    """The rows of `kept_folder`."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def rows(self, chat_id: str | None = None) -> list[reports.KeptFolder]:
        """Return every folder, or those of one chat."""
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
        key = key_of(path)
        for row in self.rows():
            if key_of(Path(row.path)) == key:
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
    """Parse the marks of a folder; a damaged mark is dropped, so that its file counts as new."""
    try:
        rows = json.loads(text)
    except ValueError:
        return {}
    return {key: (name, one, other) for key, (name, one, other) in rows.items()}
