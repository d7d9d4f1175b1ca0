"""Whole files: made anew, or put in place of another at once, so that no reader sees half of one.

Whether a file may be replaced is decided by the caller, never here. A killed process leaves
at most a file of our own beside it, which the next writing takes over.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import FileExists, NotFound
from engram_desktop.formats.plain_file import open_plain
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.worldbooks import digest

EMPTY = digest(b"")


def hash_of(path: Path) -> str | None:
    """Return the digest of a file's bytes, or None if there is no file. Raises OSError."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def write_new(target: Path, content: bytes) -> None:
    """Make a file of ``content``. Raises InputError if it exists, NotFound, StorageError."""
    write_new_parts(target, [content])


def write_new_parts(target: Path, parts: Iterable[bytes]) -> None:
    """Make a file of ``parts``, written as they come; none stays if one of them fails.

    Raises FileExists, NotFound, StorageError, and what making the parts raises.
    """
    if not target.parent.is_dir():
        raise NotFound("folder", target.parent)
    with file_errors(target):
        try:
            file = target.open("xb")
        except FileExistsError:
            raise FileExists(path=target) from None
        try:
            with file:
                file.writelines(parts)
        except BaseException:
            moving.delete(target)  # half a file looks like a whole one
            raise


def replace_file(target: Path, content: bytes) -> None:
    """Make ``target`` hold ``content``. Raises OSError; then it is as it was.

    No handle is open at the renaming: Windows would refuse it.
    """
    beside = target.with_name(f".{target.name}.engram-new")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        moving.replace(beside, target)
    except OSError:
        moving.delete(beside)
        raise
