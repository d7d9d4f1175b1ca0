"""Put a whole file in place of another at once: a reader sees the old one or the new one.

The caller knows that the file may be replaced; nothing here decides that. A killed process leaves
at most a file of our own beside it, which the next writing takes over.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from engram_desktop.storage.books import digest

EMPTY = digest(b"")


def hash_of(path: Path) -> str | None:
    """Return the digest of a file's bytes, or None if there is no file. Raises OSError."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


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
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
