"""Move a library that nobody has open to another folder, whole or not at all.

On the same disk it is renamed. To another disk it is copied under another name, looked at, and
only then given its own; the folder it came from is kept beside under a name that says so, for
nothing of the user's is deleted here.
"""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from engram_desktop import moving
from engram_desktop.domain.errors import FileExists, InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.reports import Relocated
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.library_lock import LibraryLock

PIECE = 4 << 20  # bytes between two looks at whether it is still wanted
_MOVED = " (moved)"
_OTHER_DISK = 17  # ERROR_NOT_SAME_DEVICE of Windows


class InsideItself(InputError):
    """``path`` lies in the folder that is to be moved there."""

    text = QT_TRANSLATE_NOOP("errors", "{path} lies in the library itself.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a folder outside of it.")


def relocate(ctx: JobContext, library: Path, target: Path) -> Relocated:
    """Move ``library`` to ``target``, which must not be there yet.

    Raises FileExists, InsideItself, LibraryBusy, StorageError, Cancelled; then it is where it was.
    """
    library = library.resolve()
    LibraryLock(library).check_alone()
    if library in [target.resolve(), *target.resolve().parents]:
        raise InsideItself(path=target)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExists(path=target)
    with file_errors(target):
        if target.exists():
            target.rmdir()
        try:
            moving.patiently(lambda: library.rename(target))
        except OSError as error:
            if error.errno != errno.EXDEV and getattr(error, "winerror", None) != _OTHER_DISK:
                raise
            _copy(ctx, library, target)
            left = _free_name(library)
            moving.patiently(lambda: library.rename(left))
            return Relocated(target, left)
    return Relocated(target)


def _copy(ctx: JobContext, library: Path, target: Path) -> None:
    beside = target.with_name(f".{target.name}.engram-new")
    moving.try_to_delete_folder(beside)  # of a move that was killed
    files = [path for path in library.rglob("*") if path.is_file()]
    total = sum(path.stat().st_size for path in files)
    done = 0
    try:
        beside.mkdir(parents=True)
        for path in sorted(library.rglob("*")):
            if path.is_dir():
                (beside / path.relative_to(library)).mkdir()
        for path in files:
            copy = beside / path.relative_to(library)
            with path.open("rb") as source, copy.open("xb") as sink:
                while piece := source.read(PIECE):
                    sink.write(piece)
                    done += len(piece)
                    ctx.report(done, total, "move")
                sink.flush()
                os.fsync(sink.fileno())
            shutil.copystat(path, copy)
        _compare(library, beside, files)
        moving.move(beside, target)
    except BaseException:
        moving.try_to_delete_folder(beside)
        raise


def _compare(library: Path, copy: Path, files: list[Path]) -> None:
    """Raises OSError if a file of the copy is not as long as the one it was made of."""
    for path in files:
        size = (copy / path.relative_to(library)).stat().st_size
        if size != path.stat().st_size:
            raise OSError(errno.EIO, "the copy differs", str(path))


def _free_name(library: Path) -> Path:
    names = (library.with_name(f"{library.name}{_MOVED}{n or ''}") for n in range(1_000))
    return next(path for path in names if not path.exists())
