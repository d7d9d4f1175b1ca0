"""Folders of chats the catalogue does not know: what a killed process left of one it was making.

A chat counts from the moment it is in the catalogue, which is written last; until then its folder
bears a mark. What is left with a mark is taken away when the library is opened, since its file is
still where it came from. A folder without one is an earlier version's, or somebody put it there: it
becomes a chat if there is anything in it.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw

from engram_desktop.domain.errors import DamagedDatabase, KnownError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.reports import Finding
from engram_desktop.storage.database import file_errors, known_errors
from engram_desktop.storage.library import unsaved
from engram_desktop.storage.library.trash import Trash

_T = QT_TRANSLATE_NOOP
_UNFINISHED = _T(
    "reports",
    "its import was interrupted, and what there was of it was taken away: import the file again",
)
_ADOPTED = _T("reports", "a chat folder the catalogue did not know; it is among the chats again")
_EMPTY = _T("reports", "an empty chat folder the catalogue did not know was taken away")
_STRAY = _T("reports", "a chat folder that the catalogue does not know")
_TRASHED = _T("reports", "a chat folder that cannot be used; it was moved to the trash")
_MARK = "importing"
_DATABASE = ("memory.db", "memory.db-wal", "memory.db-shm", "memory.db-journal")
_OURS = (*_DATABASE, "index", _MARK, *unsaved.FILES)

logger = logging.getLogger(__name__)


def mark(folder: Path, name: str) -> None:
    """Say that ``folder`` holds a chat ``name`` that is only being made. Raises OSError."""
    (folder / _MARK).write_text(name, "utf-8", "replace")


def unmark(folder: Path) -> None:
    (folder / _MARK).unlink(missing_ok=True)


def settle(chats: Path, known: set[str], trash: Trash, *, repair: bool = False) -> list[Finding]:
    """Adopt strays or take them away; returns what was done, and which are left as they are.

    Nobody else may have the library open. ``repair`` moves those that cannot be read to the trash.
    """
    findings: list[Finding] = []
    with file_errors(chats):
        places = sorted(chats.iterdir())
    for place in places:
        try:
            with file_errors(place):
                findings += _settled(place, known, trash)
        except KnownError as e:
            logger.warning("The folder %s is left as it is: %s", place.name, e)
            findings.append(_left(place, trash, e, repair=repair))
    return findings


def _settled(place: Path, known: set[str], trash: Trash) -> Iterator[Finding]:
    if place.name in known:
        unmark(place)
    elif place.is_symlink() or not place.is_dir():
        return
    elif (place / _MARK).exists():
        name = (place / _MARK).read_text("utf-8", "replace")
        shutil.rmtree(place)
        yield Finding(name or place.name, Phrase(_UNFINISHED), is_ok=False, repaired=True)
    elif any(file.name not in _OURS for file in place.iterdir()):
        yield Finding(place.name, Phrase(_STRAY), is_ok=False)
    elif holds_anything(place / "memory.db"):
        trash.adopt(place.name)
        yield Finding(place.name, Phrase(_ADOPTED), is_ok=False, repaired=True)
    else:
        shutil.rmtree(place)
        yield Finding(place.name, Phrase(_EMPTY), is_ok=False, repaired=True)


def _left(place: Path, trash: Trash, why: KnownError, *, repair: bool) -> Finding:
    if repair and isinstance(why, DamagedDatabase):
        trash.put_stray(place.name)
        return Finding(place.name, Phrase(_TRASHED), is_ok=False, repaired=True)
    return Finding(place.name, why.phrase, is_ok=False)


def holds_anything(database: Path) -> bool:
    """Whether there is a message, event or log in a chat's database. Raises DamagedDatabase."""
    if not database.exists() or database.stat().st_size == 0:
        return False
    with known_errors(database):
        connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
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
