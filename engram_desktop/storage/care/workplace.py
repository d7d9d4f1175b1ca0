"""Where copies of databases are put together, swept of what killed processes left there.

A backup in the making holds whole databases, also what was purged since. Only its finished file may
outlive the process that made it.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engram_desktop.storage.database import file_errors

_PREFIX = ".making-"
_EARLIER = re.compile(r"tmp[a-z0-9_]{8}")  # what an earlier version called such a folder
_PARTS = {"archive.zip", "copy.db"}


@contextmanager
def workplace(backups: Path) -> Iterator[Path]:
    """Make an empty folder in ``backups`` that is gone afterwards. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=backups) as folder:
        yield Path(folder)


def sweep(backups: Path, *, everything: bool = False) -> list[str]:
    """Delete what was left; returns the names. Nobody may be making a backup. Raises StorageError.

    ``everything``: also copies begun before a migration, which nobody may be making either.
    """
    with file_errors(backups):
        gone = [place for place in sorted(backups.iterdir()) if _is_left(place)]
        if everything:
            gone += sorted({*backups.glob("*.db.tmp*"), *backups.glob("*/*.db.tmp*")})
        for place in gone:
            if place.is_dir():
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)  # it may have lain in one of those folders
    return [place.name for place in gone]


def _is_left(place: Path) -> bool:
    if place.is_symlink() or not place.is_dir():
        return False
    if place.name.startswith(_PREFIX):
        return True
    is_earlier = _EARLIER.fullmatch(place.name) is not None
    return is_earlier and all(
        file.name.removesuffix(".tmp").removesuffix(".tmp-journal") in _PARTS
        for file in place.iterdir()
    )
