"""What a library follows: chat files, folders of Markdown files, and imports that were begun.

For a chat file: the line it is read into, and how far it was read. For a folder: the chat it is
kept in step with, and the hashes of the last sync.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain import reports
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import Database, file_errors

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


# Imports that were begun: a note of each, until its file is imported or dismissed.
# importing/<key>.json holds the file and its target. importing/<key>.lock is held by the
# importing process, so that a killed one releases it.

_FOLDER = "importing"


@dataclass(frozen=True, slots=True)
class BegunImport:
    """The ``file``, and the id of the chat it goes ``into`` or the ``name`` of a new chat."""

    file: Path
    into: str | None = None
    name: str | None = None


class BegunImports:
    """The notes of one library."""

    def __init__(self, library: Path) -> None:
        self._folder = library / _FOLDER

    @contextlib.contextmanager
    def noted(self, begun: BegunImport) -> Iterator[None]:
        """Keep a note while the block imports the file, and afterwards if it was stopped.

        A file that is refused leaves none, since nothing of it was imported. Raises StorageError.
        """
        from filelock import FileLock, Timeout  # noqa: PLC0415 - 40 ms: most programs import nothing

        note = self._note(begun.file)
        with file_errors(note):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._write(note, begun)
        lock = FileLock(note.with_suffix(".lock"), thread_local=False)
        with contextlib.suppress(Timeout):  # another process is importing the same file
            lock.acquire(timeout=0)
        try:
            yield
        except InputError:
            self.forget(begun.file)
            raise
        else:
            self.forget(begun.file)
        finally:
            lock.release()

    def left(self) -> list[BegunImport]:
        """Return the stopped imports: those that no process is running now."""
        if not self._folder.is_dir():
            return []
        notes = (note for note in sorted(self._folder.glob("*.json")) if _is_free(note))
        return [begun for note in notes if (begun := _read(note)) is not None]

    def forget(self, file: Path) -> None:
        """Delete the note of a file, if there is one. Raises StorageError."""
        note = self._note(file)
        with file_errors(note):
            moving.delete(note)
        with contextlib.suppress(OSError):  # Windows does not delete open files
            note.with_suffix(".lock").unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # the folder is not empty
            self._folder.rmdir()

    def has(self, file: Path) -> bool:
        """Return whether there is a note of ``file``."""
        return self._note(file).exists()

    def _note(self, file: Path) -> Path:
        name = os.path.normcase(file.absolute()).encode("utf-8", "surrogatepass")
        return self._folder / f"{hashlib.sha256(name).hexdigest()[:16]}.json"

    def _write(self, note: Path, begun: BegunImport) -> None:
        data = {"file": str(begun.file.absolute()), "into": begun.into, "name": begun.name}
        moving.write_private(json.dumps(data), note.with_suffix(".tmp"), note)


def _is_free(note: Path) -> bool:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

    place = note.with_suffix(".lock")
    try:
        with FileLock(place, thread_local=False).acquire(timeout=0):
            return True
    except (Timeout, OSError):  # also in a read-only library
        return False


def _read(note: Path) -> BegunImport | None:
    """Parse a note; None if it is invalid, or was deleted meanwhile."""
    try:
        data = json.loads(note.read_text("utf-8"))
        return BegunImport(Path(data["file"]), data["into"], data["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
