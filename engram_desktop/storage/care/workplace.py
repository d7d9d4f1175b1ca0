"""Where copies of databases are put together, and how the leftovers of killed processes go.

A backup in the making holds whole databases, also what was purged since. Only its finished file may
outlive the process that made it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engram_desktop import moving
from engram_desktop.storage.database import file_errors

_PREFIX = ".making-"
_EARLIER = re.compile(r"tmp[a-z0-9_]{8}")  # the name of such a folder in earlier versions
_PARTS = {"archive.zip", "copy.db"}


@contextmanager
def workplace(backups: Path) -> Iterator[Path]:
    """Make an empty folder in ``backups`` that is gone afterwards. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=backups))
    try:
        yield folder
    finally:
        # What somebody holds on to is swept later: the backup that was made in it is whole.
        moving.try_to_delete_folder(folder)


def sweep(backups: Path, *, everything: bool = False) -> list[str]:
    """Delete leftovers; returns their names. Nobody may be making a backup. Raises StorageError.

    ``everything``: also copies begun before a migration, which nobody may be making either.
    """
    with file_errors(backups):
        leftovers = [path for path in sorted(backups.iterdir()) if _is_leftover(path)]
        if everything:
            leftovers += sorted({*backups.glob("*.db.tmp*"), *backups.glob("*/*.db.tmp*")})
        for path in leftovers:
            if path.is_dir():
                moving.delete_folder(path)
            else:
                path.unlink(missing_ok=True)  # it may have been in a folder that is deleted already
    return [path.name for path in leftovers]


def _is_leftover(path: Path) -> bool:
    if path.is_symlink() or not path.is_dir():
        return False
    if path.name.startswith(_PREFIX):
        return True
    is_earlier = _EARLIER.fullmatch(path.name) is not None
    return is_earlier and all(
        file.name.removesuffix(".tmp").removesuffix(".tmp-journal") in _PARTS
        for file in path.iterdir()
    )
