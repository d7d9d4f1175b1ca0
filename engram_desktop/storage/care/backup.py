"""Backups of databases, and the private files around them."""

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

# Copies of databases: `VACUUM INTO` a temporary name, check, rename. Never half a file.


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


# Put restored databases in place of those of a library, so that a kill at any moment is harmless.
#
# What is restored waits in ``restoring/`` and counts from the moment its ``ready`` mark stands.
# The swap can be interrupted anywhere and is finished when the library is opened next. The
# previous files are moved to the trash and never deleted.


WAITING = "restoring"
_READY = "ready"
_PARTS = ("chats", "library.db")  # the catalogue last: without it nothing is taken for new
_LOGS = ("library.db-wal", "library.db-shm")


def waiting_folder(folder: Path) -> Path:
    """Return an empty place for what is restored."""
    waiting = folder / WAITING
    if waiting.exists():
        moving.delete_folder(waiting)
    waiting.mkdir()
    return waiting


def mark_ready(folder: Path) -> None:
    """Say that everything waits and was checked: from now on the restore will happen."""
    (folder / WAITING / _READY).touch()


def is_waiting(folder: Path) -> bool:
    return (folder / WAITING / _READY).exists()


def finish_restore(folder: Path, clock_ms: int) -> bool:
    """Do what is left of a restore; returns whether there was any. The library must be closed."""
    waiting = folder / WAITING
    if not is_waiting(folder):
        if waiting.exists():  # killed before it was ready: the old library stands
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


# Make what a library holds readable for its owner alone: files 0600, folders 0700.
#
# Earlier versions left both as the umask set them. Windows has rights of another kind, which a
# user's own folder gives already.


_FILE, _FOLDER = 0o600, 0o700
_FOLDERS = ("chats", "backups", "trash", "volumes")
_OTHERS = ("restoring", "keys.json", "unsaved.json", "unsaved.json.tmp", "log", "companion", "open")


def keep_private(*paths: Path) -> None:
    """Take everybody else's rights away from files and folders that are there.

    A file system without rights, or a file of another user, stays as it is: a library can be read
    all the same.
    """
    if os.name == "nt":
        return
    for path in paths:
        with contextlib.suppress(OSError):
            mode = _FOLDER if path.is_dir() else _FILE
            if not path.is_symlink() and path.stat().st_mode & 0o777 != mode:
                path.chmod(mode)


def private_folder(folder: Path) -> None:
    """As `keep_private`, of a folder that is ours and of what lies in the folder itself."""
    keep_private(folder, *_within(folder))


def private_library(folder: Path) -> None:
    """As `private_folder`, of a whole library but for what lies in its chats.

    The folder itself may be one of the user's with other things in it: then only ours is touched.
    """
    own = [path for path in _within(folder) if _is_of_library(path.name)]
    keep_private(*own)
    if len(own) == len(list(_within(folder))):
        keep_private(folder)
    for part in _FOLDERS:
        private_folder(folder / part)


def is_writable(folder: Path) -> bool:
    """Whether files can be made in ``folder``: it may lie on a disk that can only be read."""
    if os.name == "nt":  # asked there, it only looks at an attribute that says little of a folder
        return can_make_file(folder)
    can_ask_effective = os.access in os.supports_effective_ids
    return os.access(folder, os.W_OK | os.X_OK, effective_ids=can_ask_effective)


def can_make_file(folder: Path) -> bool:
    """Make a file in ``folder`` and delete it again; whether that went well."""
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


# Where copies of databases are put together, and how the leftovers of killed processes go.
#
# A backup in the making holds whole databases, also what was purged since. Only its finished file
# may outlive the process that made it.


_PREFIX = ".making-"
_EARLIER = re.compile(r"tmp[a-z0-9_]{8}")  # the name of such a folder in earlier versions
_IN_USE = "in-use"  # a lock in the folder, held while a backup is made
_WORKING_FILES = {"archive.zip", "copy.db"}


@contextmanager
def workplace(backups: Path) -> Iterator[Path]:
    """Make an empty folder in ``backups`` that is gone afterwards. Raises OSError."""
    from filelock import FileLock  # noqa: PLC0415 - 40 ms

    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=backups))
    try:
        with FileLock(folder / _IN_USE, thread_local=False):
            yield folder
    finally:
        # What somebody holds on to is swept later: the backup that was made in it is whole.
        moving.try_to_delete_folder(folder)


def sweep(backups: Path, *, everything: bool = False) -> list[str]:
    """Delete leftovers; returns their names. What another process makes stays. Raises StorageError.

    ``everything``: also copies begun before a migration, which nobody may be making.
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
                path.unlink(missing_ok=True)  # it may have been in a folder that is deleted already
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
