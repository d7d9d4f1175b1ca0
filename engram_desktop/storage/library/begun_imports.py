"""Imports that were begun: a note of each, until its file is imported or dismissed.

importing/<key>.json holds the file and its target. importing/<key>.lock is held by the importing
process, so that a killed one releases it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.database import file_errors

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
        temporary = note.with_suffix(".tmp")
        with open(temporary, "w", encoding="utf-8", opener=_open_private) as file:
            json.dump(data, file)
        moving.replace(temporary, note)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


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
