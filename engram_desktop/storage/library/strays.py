"""Folders of chats the catalogue does not know: leftovers of imports that were killed, or others.

A chat counts from the moment it is in the catalogue, which is written last; until then its folder
holds a mark file. A folder with a mark is deleted when the library is opened, since the file it was
imported from still exists. A folder without one is an earlier version's, or somebody put it there:
it becomes a chat if there is anything in it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import DamagedDatabase, KnownError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import Finding
from engram_desktop.storage.care import schema_check
from engram_desktop.storage.care.migrations import CHAT
from engram_desktop.storage.database import connect, file_errors, known_errors
from engram_desktop.storage.library import unsaved
from engram_desktop.storage.library.trash import Trash

_T = QT_TRANSLATE_NOOP
_UNFINISHED = _T(
    "reports",
    "its import was interrupted, and what there was of it was taken away: import the file again",
)
_ADMITTED = _T("reports", "a chat folder the catalogue did not know; it is among the chats again")
_EMPTY = _T("reports", "an empty chat folder the catalogue did not know was taken away")
_STRAY = _T("reports", "a chat folder that the catalogue does not know")
_TRASHED = _T("reports", "a chat folder that cannot be used; it was moved to the trash")
_MARK = "importing"
_DATABASE = ("memory.db", "memory.db-wal", "memory.db-shm", "memory.db-journal")
_KNOWN_FILES = (*_DATABASE, "index", _MARK, *unsaved.FILES)

logger = logging.getLogger(__name__)


def mark(folder: Path, name: str) -> None:
    """Say that ``folder`` holds a chat ``name`` that is only being made. Raises OSError."""
    (folder / _MARK).write_text(name, "utf-8", "replace")


def unmark(folder: Path) -> None:
    (folder / _MARK).unlink(missing_ok=True)


def settle(chats: Path, chat_ids: set[str], trash: Trash, *, repair: bool = False) -> list[Finding]:
    """Put strays into the catalogue or delete them; returns a finding for each.

    Nobody else may have the library open. ``repair`` moves those that cannot be read to the trash.
    """
    findings: list[Finding] = []
    with file_errors(chats):
        folders = sorted(chats.iterdir())
    for folder in folders:
        try:
            with file_errors(folder):
                findings += _settle_one(folder, chat_ids, trash)
        except KnownError as e:
            logger.warning("The folder %s is left as it is: %s", folder.name, e)
            findings.append(_keep_or_trash(folder, trash, e, repair=repair))
    return findings


def _settle_one(folder: Path, chat_ids: set[str], trash: Trash) -> Iterator[Finding]:
    if folder.name in chat_ids:
        unmark(folder)
    elif folder.is_symlink() or not folder.is_dir():
        return
    elif (folder / _MARK).exists():
        name = (folder / _MARK).read_text("utf-8", "replace")
        moving.delete_folder(folder)
        yield Finding(name or folder.name, Phrase(_UNFINISHED), is_ok=False, repaired=True)
    elif any(file.name not in _KNOWN_FILES for file in folder.iterdir()):
        yield Finding(folder.name, Phrase(_STRAY), is_ok=False)
    elif holds_anything(folder / "memory.db"):
        schema_check.mend_file(folder / "memory.db", CHAT)  # somebody else may have made it
        trash.admit(folder.name)
        yield Finding(folder.name, Phrase(_ADMITTED), is_ok=False, repaired=True)
    else:
        moving.delete_folder(folder)
        yield Finding(folder.name, Phrase(_EMPTY), is_ok=False, repaired=True)


def _keep_or_trash(folder: Path, trash: Trash, error: KnownError, *, repair: bool) -> Finding:
    if repair and isinstance(error, DamagedDatabase):
        trash.put_stray(folder.name)
        return Finding(folder.name, Phrase(_TRASHED), is_ok=False, repaired=True)
    return Finding(folder.name, error.phrase, is_ok=False)


def holds_anything(database: Path) -> bool:
    """Whether there is a message, event or log in a chat's database. Raises DamagedDatabase."""
    if not database.exists() or database.stat().st_size == 0:
        return False
    with known_errors(database):
        connection = connect(database)
        try:
            tables = {
                str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master")
            } & {"message", "event", "private_log"}
            return any(
                connection.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").get
                for table in sorted(tables)
            )
        finally:
            connection.close()
