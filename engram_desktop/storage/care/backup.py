"""Copies of databases, restoring them, and access rights of library files."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import DamagedDatabase
from engram_desktop.storage.database import connect, file_errors, known_errors


def copy_database(source: Path, target: Path) -> Path:
    """Write a checked copy of ``source`` to ``target``, replacing an existing file.

    Uses `VACUUM INTO` under a temporary name, then renames, so that there is never a partial file.
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
    """Raise DamagedDatabase if SQLite's own check finds a fault in ``path``."""
    pragma = "integrity_check" if thorough else "quick_check"
    with known_errors(path):
        connection = connect(path)
        try:
            answer = connection.execute(f"PRAGMA {pragma}(1)").get
        finally:
            connection.close()
    if answer != "ok":
        raise DamagedDatabase(str(answer), path=path)


WAITING = "restoring"
_READY = "ready"
_PARTS = ("chats", "library.db")  # last: without the catalogue nothing looks like a library
_LOGS = ("library.db-wal", "library.db-shm")


def waiting_folder(folder: Path) -> Path:
    """Return an empty folder for what is to be restored."""
    waiting = folder / WAITING
    if waiting.exists():
        moving.delete_folder(waiting)
    waiting.mkdir()
    return waiting


def mark_ready(folder: Path) -> None:
    """Mark the restore as complete and checked: from now on it will be carried out."""
    (folder / WAITING / _READY).touch()


def is_waiting(folder: Path) -> bool:
    return (folder / WAITING / _READY).exists()


def finish_restore(folder: Path, clock_ms: int) -> bool:
    """Carry out a restore that is ready; returns whether there was one. The library must be closed.

    The waiting files replace those of the library; the old ones go to the trash. It can be
    interrupted at any point and is finished at the next opening of the library.
    """
    waiting = folder / WAITING
    if not is_waiting(folder):
        if waiting.exists():  # killed before it was ready: the old library stays
            moving.delete_folder(waiting)
        return False
    previous = folder / "trash" / f"before-restore-{clock_ms}"
    for name in _PARTS:
        if not (waiting / name).exists():
            continue
        for old in (name, *(_LOGS if name == "library.db" else ())):
            if (folder / old).exists():
                previous.mkdir(parents=True, exist_ok=True)
                moving.move(folder / old, previous / old)
        moving.move(waiting / name, folder / name)
    moving.delete_folder(waiting)
    return True


_FILE, _FOLDER = 0o600, 0o700
_FOLDERS = ("chats", "backups", "trash", "volumes")
_OTHERS = ("restoring", "keys.json", "unsaved.json", "unsaved.json.tmp", "log", "companion", "open")


def keep_private(*paths: Path) -> None:
    """Set existing files to mode 0600 and folders to 0700, readable for their owner alone.

    Earlier versions left both as the umask set them. Does nothing on Windows, where the user's own
    folder has such rights. File systems without rights, and files of other users, are left as they
    are, since the library can be read all the same.
    """
    if os.name == "nt":
        return
    for path in paths:
        with contextlib.suppress(OSError):
            mode = _FOLDER if path.is_dir() else _FILE
            if not path.is_symlink() and path.stat().st_mode & 0o777 != mode:
                path.chmod(mode)


def private_folder(folder: Path) -> None:
    """As `keep_private`, for a folder of ours and the files directly in it."""
    keep_private(folder, *_within(folder))


def private_library(folder: Path) -> None:
    """As `private_folder`, for a whole library except the contents of its chats.

    If the folder holds other files of the user, only ours are changed.
    """
    own = [path for path in _within(folder) if _is_of_library(path.name)]
    keep_private(*own)
    if len(own) == len(list(_within(folder))):
        keep_private(folder)
    for part in _FOLDERS:
        private_folder(folder / part)


def is_writable(folder: Path) -> bool:
    """Return whether files can be made in ``folder``, which may be on a read-only disk."""
    if os.name == "nt":  # os.access reads an attribute there that says little about a folder
        return can_make_file(folder)
    can_ask_effective = os.access in os.supports_effective_ids
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=can_ask_effective)


def can_make_file(folder: Path) -> bool:
    """Return whether a file can be made in ``folder``, by making and deleting one."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _within(folder: Path) -> Iterable[Path]:
    with contextlib.suppress(OSError):
        yield from folder.iterdir()


def _is_of_library(name: str) -> bool:
    return name.startswith("library.") or name in {*_FOLDERS, *_OTHERS}


_PREFIX = ".making-"
_EARLIER = re.compile(r"tmp[a-z0-9_]{8}")  # prefix of such a folder in earlier versions
_IN_USE = "in-use"  # a lock file in the folder, held while a backup is made
_WORKING_FILES = {"archive.zip", "copy.db"}


@contextmanager
def workplace(backups: Path) -> Iterator[Path]:
    """Make a temporary folder in ``backups``, deleted afterwards. Raises OSError.

    A backup in the making holds whole databases, also what was purged since, so that only the
    finished file may outlive its process.
    """
    from filelock import FileLock  # noqa: PLC0415 - 40 ms

    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=backups))
    try:
        with FileLock(folder / _IN_USE, thread_local=False):
            yield folder
    finally:
        # A folder that is still in use is swept later: the backup made in it is complete.
        moving.try_to_delete_folder(folder)


def sweep(backups: Path, *, everything: bool = False) -> list[str]:
    """Delete leftovers of killed processes; returns their names. Raises StorageError.

    What another process is making stays. ``everything``: also copies begun before a migration,
    which no other process can be making.
    """
    with file_errors(backups):
        leftovers = [path for path in sorted(backups.iterdir()) if _is_leftover(path)]
        if everything:
            copies = sorted({*backups.glob("*.db.tmp*"), *backups.glob("*/*.db.tmp*")})
            leftovers += [path for path in copies if not _is_in_use(path.parent)]
        for path in leftovers:
            if path.is_dir():
                moving.delete_folder(path)
            else:
                path.unlink(missing_ok=True)  # it may have been in a folder just deleted
    return [path.name for path in leftovers]


def _is_leftover(path: Path) -> bool:
    if path.is_symlink() or not path.is_dir():
        return False
    if path.name.startswith(_PREFIX):
        return not _is_in_use(path)
    is_earlier = _EARLIER.fullmatch(path.name) is not None
    return is_earlier and all(
        file.name.removesuffix(".tmp").removesuffix(".tmp-journal") in _WORKING_FILES
        for file in path.iterdir()
    )


def _is_in_use(folder: Path) -> bool:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

    if not (folder / _IN_USE).exists():
        return False
    try:
        with FileLock(folder / _IN_USE, timeout=0, thread_local=False):
            return False
    except Timeout:
        return True
