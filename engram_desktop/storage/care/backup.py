"""Copies of databases: `VACUUM INTO` a temporary name, check, rename. Never half a file."""

from __future__ import annotations

from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import DamagedDatabase
from engram_desktop.storage.database import connect, known_errors


def copy_database(source: Path, target: Path) -> Path:
    """Write a checked copy of ``source`` to ``target``, replacing what is there.

    Raises DamagedDatabase if either is damaged, DiskFull, StorageError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(target.name + ".tmp")
    moving.delete(temporary)
    with known_errors(source):
        connection = connect(source)
        try:
            connection.execute("VACUUM INTO ?", (str(temporary),))
        finally:
            connection.close()
    check_database(temporary)
    moving.replace(temporary, target)
    return target


def check_database(path: Path, *, thorough: bool = False) -> None:
    """Raise DamagedDatabase unless SQLite's own check finds ``path`` well."""
    pragma = "integrity_check" if thorough else "quick_check"
    with known_errors(path):
        connection = connect(path)
        try:
            answer = connection.execute(f"PRAGMA {pragma}(1)").get
        finally:
            connection.close()
    if answer != "ok":
        raise DamagedDatabase(str(answer), path=path)
