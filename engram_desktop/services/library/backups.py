"""Back up, restore and move a library."""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from engram_desktop import moving
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import (
    DamagedDatabase,
    DiskFull,
    FileExists,
    InputError,
    LibraryBusy,
    PartlyBackedUp,
    StorageError,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import BACKUP_ENDING, BACKUP_ENDINGS, BackupFile, Relocated
from engram_desktop.domain.text.moment import moment
from engram_desktop.domain.write_access import WINDOW_PROGRAM
from engram_desktop.formats.plain_file import open_plain
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.care import schema_check
from engram_desktop.storage.care.backup import (
    WAITING,
    check_database,
    copy_database,
    is_waiting,
    keep_private,
    mark_ready,
    sweep,
    waiting_folder,
    workplace,
)
from engram_desktop.storage.care.migrations import CHAT, LIBRARY, check_version
from engram_desktop.storage.chat.chat_store import FILE_NAME
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.library_lock import LibraryLock

if TYPE_CHECKING:
    from engram_desktop.services.library.session import Session


_T = QT_TRANSLATE_NOOP

MAX_BYTES = 64 * 1024**3  # unpacked bytes: limits what a restore may write to a disk
MAX_RATIO = 200  # a database shrinks to a third or a tenth; a much higher ratio is a zip bomb
ALWAYS_TAKEN = 100 * 1024**2  # bytes allowed at any ratio: new databases are mostly zeros
_NAME = re.compile(r"engram-([0-9]{8}-[0-9]{6})")
_LAST_SECOND = 253_402_000_000  # in December 9999: a wrong clock still gives unique names
_NO_BACKUP = _T("reports", "No backup holds a chat that cannot be read now ({names}).")
KEEP_ALL_DAYS = 2  # days in which all backups are kept; after them one a day
KEEP_DAILY_DAYS = 30  # days in which one backup a day is kept; after them one a month


def backup(library: Library, ctx: JobContext) -> Path:
    """Write ``backups/engram-<time>.engram`` and thin out older ones; returns its path.

    The archive holds checked copies of the databases; never indexes, keys or logs. A damaged chat
    is left out, and PartlyBackedUp is raised at the end. Raises DiskFull, DamagedDatabase,
    StorageError; then no backup was added or deleted.
    """
    folder = library.folder
    target = _name(folder / "backups", library.clock())
    with library.copying, file_errors(target):
        sweep(folder / "backups")
        left_out = _pack(ctx, library, target)
    thin(folder / "backups", library.clock())
    if left_out:
        detail = next(iter(left_out.values())).params["detail"]
        raise PartlyBackedUp(str(detail), path=target, names=", ".join(left_out))
    return target


def _pack(ctx: JobContext, library: Library, target: Path) -> dict[str, DamagedDatabase]:
    """Write the backup; returns the errors of chats that could not be read, by name.

    A chat whose import is still running is not listed yet and so left out.
    """
    folder = library.folder
    chats = {folder / "chats" / row[0] / FILE_NAME: row[1] for row in library.chat_rows()}
    files = [folder / "library.db", *sorted(place for place in chats if place.exists())]
    left_out: dict[str, DamagedDatabase] = {}
    with workplace(folder / "backups") as temporary:
        archive = temporary / "archive.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for number, file in enumerate(files):
                ctx.report(number, len(files), "backup")
                try:
                    copy = copy_database(file, temporary / "copy.db")
                    schema_check.repair_file(copy, CHAT if file in chats else LIBRARY)
                except DamagedDatabase as e:
                    if file not in chats:
                        raise
                    left_out[chats[file]] = e
                else:
                    packed.write(copy, file.relative_to(folder).as_posix())
        keep_private(archive)
        moving.replace(archive, target)
    return left_out


def stage(folder: Path, archive: Path) -> None:
    """Unpack and check ``archive`` beside the library at ``folder``; `commit` puts it to use.

    Raises InputError, DamagedDatabase, NewerDatabase; then the library is unchanged.
    """
    with file_errors(folder):
        waiting = waiting_folder(folder)
        try:
            _unpack(archive, waiting)
            (waiting / "chats").mkdir(exist_ok=True)
        except BaseException:
            moving.delete_folder(waiting)
            raise


def commit(folder: Path) -> None:
    """Let the staged backup replace the library when it is opened next."""
    with file_errors(folder):
        mark_ready(folder)


def give_up(folder: Path) -> None:
    """Delete the staged backup."""
    moving.try_to_delete_folder(folder / WAITING)


def rescue(folder: Path, archive: Path) -> None:
    """Restore ``archive`` at the next opening, for a library that cannot be opened.

    Raises LibraryBusy, and what `stage` raises.
    """
    lock = LibraryLock(folder, "a restore")
    with lock.claim():
        lock.check_alone()
        stage(folder, archive)
        commit(folder)


def is_free(folder: Path) -> bool:
    """Return whether no process holds the library at ``folder`` and no window has it open.

    While a restore is staged, no program at all may have it open.
    """
    if not LibraryLock.is_free(folder, WINDOW_PROGRAM):
        return False
    try:
        if is_waiting(folder):
            LibraryLock(folder).check_alone()
    except LibraryBusy:
        return False
    return True


def found_in(folder: Path) -> list[BackupFile]:
    """Return the backups of the library at ``folder``, the newest first."""
    return [
        BackupFile(str(path), int(made_at.timestamp() * 1000), path.stat().st_size)
        for made_at, path in _backups(folder / "backups")
    ]


def is_due(folder: Path, now_ms: int, hours: int) -> bool:
    """Return whether the newest backup is older than ``hours``; 0 means never due."""
    if hours <= 0:
        return False
    newest = next(iter(_backups(folder)), None)
    return newest is None or moment(now_ms) - newest[0] >= timedelta(hours=hours)


def thin(folder: Path, now_ms: int) -> list[Path]:
    """Delete backups that are no longer wanted; returns them.

    Kept are all of the last days, then one a day, then one a month.
    """
    slots: set[str] = set()
    deleted: list[Path] = []
    now = moment(now_ms)
    for made_at, path in _backups(folder):
        age = (now - made_at).days
        if age < KEEP_ALL_DAYS:
            continue
        slot = made_at.strftime("%Y%m%d" if age < KEEP_DAILY_DAYS else "%Y%m")
        if slot in slots:
            moving.delete(path)
            deleted.append(path)
        slots.add(slot)
    return deleted


def _backups(folder: Path) -> list[tuple[datetime, Path]]:
    """Return every backup in ``folder`` with its time, newest first; other files are ignored."""
    if not folder.is_dir():
        return []
    rows = [(at, path) for path in folder.iterdir() if (at := _made_at(path)) is not None]
    return sorted(rows, reverse=True)


def _made_at(path: Path) -> datetime | None:
    """Return the time in the name of a backup; None for any other file."""
    stamp = _NAME.fullmatch(path.stem)
    if stamp is None or path.suffix not in BACKUP_ENDINGS:
        return None
    try:
        return datetime.strptime(stamp[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _name(folder: Path, now_ms: int) -> Path:
    second = min(max(now_ms // 1000, 0), _LAST_SECOND)
    while True:
        stamp = moment(second * 1000).strftime("%Y%m%d-%H%M%S")
        path = folder / f"engram-{stamp}{BACKUP_ENDING}"
        if not any(path.with_suffix(ending).exists() for ending in BACKUP_ENDINGS):
            return path
        second += 1


def _unpack(archive: Path, target: Path, only: str | None = None) -> bool:
    """Unpack a backup, or ``only`` one file of it; returns whether it held anything to unpack."""
    try:
        with open_plain(archive) as file, zipfile.ZipFile(file) as packed:
            names = _checked_names(archive, packed, target)
            if only is not None:
                names = [name for name in names if name == only]
            for name in names:
                place = target.joinpath(*PurePosixPath(name).parts)
                with packed.open(name) as source, file_errors(place):
                    place.parent.mkdir(parents=True, exist_ok=True)
                    with place.open("wb") as copy:
                        while part := source.read(1 << 20):
                            copy.write(part)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as e:
        raise InputError(
            Phrase(
                _T("reports", "{file} cannot be read as a backup: {detail}."),
                file=archive.name,
                detail=e,
            )
        ) from e
    for name in names:
        _check(archive, name, target.joinpath(*PurePosixPath(name).parts))
    return bool(names)


def _take_lost(folder: Path, chats: Mapping[str, str], archives: Sequence[Path]) -> None:
    """Stage the ``chats`` (id to name) that are missing in the staged backup. Raises InputError."""
    whole = {path.name for path in (folder / WAITING / "chats").iterdir()}
    lost = [chat_id for chat_id in chats if chat_id not in whole]
    taken = [chat_id for chat_id in lost if _take_chat(folder, chat_id, archives)]
    if not taken:
        raise InputError(Phrase(_NO_BACKUP, names=", ".join(chats[chat_id] for chat_id in lost)))


def _take_chat(folder: Path, chat_id: str, archives: Sequence[Path]) -> bool:
    """Stage a chat of the library at ``folder`` from the first of ``archives`` that holds it.

    If none does, its present files are copied: some of it may be readable. Returns whether it was
    found in an archive.
    """
    place = folder / WAITING / "chats" / chat_id
    for archive in archives:
        try:
            if _unpack(archive, folder / WAITING, f"chats/{chat_id}/{FILE_NAME}"):
                return True
        except (InputError, StorageError) as e:
            logger.warning("%s is passed over: %s", archive.name, e)
            moving.delete(place / FILE_NAME)
    place.mkdir(parents=True, exist_ok=True)
    for file in (folder / "chats" / chat_id).glob(f"{FILE_NAME}*"):
        shutil.copy2(file, place / file.name)
    return False


def _check(archive: Path, name: str, database: Path) -> None:
    """Check one database of a backup. Raises InputError, DamagedDatabase, NewerDatabase."""
    migrations = LIBRARY if name == "library.db" else CHAT
    check_database(database)
    if not check_version(database, migrations):
        raise InputError(
            Phrase(
                _T("reports", "{file} cannot be read as a backup: {name} is empty."),
                file=archive.name,
                name=name,
            )
        )
    faults = schema_check.faults_of(database, migrations)
    if faults:
        raise InputError(
            Phrase(
                _T(
                    "reports",
                    "{file} is not restored: {name} holds what Engram does not make ({names})."
                    " Somebody changed this backup.",
                ),
                file=archive.name,
                name=name,
                names=faults.names,
            )
        )


def _checked_names(archive: Path, packed: zipfile.ZipFile, target: Path) -> list[str]:
    """Return the names in ``packed``. Raises InputError if `backup` did not write it, DiskFull."""
    members = packed.infolist()
    names = [m.filename for m in members]
    is_ours = "library.db" in names and len(set(names)) == len(names)
    if not is_ours or not all(_is_ours(m) for m in members):
        raise InputError(
            Phrase(_T("reports", "{file} is not a backup made by Engram."), file=archive.name)
        )
    total = sum(m.file_size for m in members)
    if total > max(ALWAYS_TAKEN, min(MAX_BYTES, MAX_RATIO * archive.stat().st_size)):
        raise InputError(
            Phrase(_T("reports", "{file} is too large to be a backup."), file=archive.name)
        )
    if total > shutil.disk_usage(target).free:
        raise DiskFull(path=target)
    return names


def _is_ours(member: zipfile.ZipInfo) -> bool:
    """Return whether a member is a plain file with a name that `backup` writes, for safety."""
    name = member.filename
    if stat.S_IFMT(member.external_attr >> 16) not in {0, stat.S_IFREG}:
        return False
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        return False
    parts = PurePosixPath(name).parts
    return name == "library.db" or (
        len(parts) == 3
        and parts[0] == "chats"
        and parts[1].isalnum()
        and parts[2] == "memory.db"
        and name == "/".join(parts)
    )


logger = logging.getLogger(__name__)


class BackupService:
    """Backups. Before a restore the present library is backed up."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def make(self, ctx: JobContext) -> Path:
        """Back up the library; returns the new file."""
        return backup(self._session.library, ctx)

    def make_if_due(self, ctx: JobContext) -> Path | None:
        """Back up if the newest backup is older than the settings allow."""
        library, folder = self._session.library, self._session.folder / "backups"
        hours = self._session.settings().backup_hours
        if not library.chat_rows() or not is_due(folder, library.clock(), hours):
            return None
        return self.make(ctx)

    def restore(self, ctx: JobContext, archive_file: Path) -> Changes:
        """Replace the library by a backup; the old one is backed up and kept in the trash.

        Raises InputError, DamagedDatabase, NewerDatabase, DiskFull, LibraryBusy; then nothing was
        replaced.
        """
        self.prepare_restore(ctx, archive_file)
        self._session.reopen()
        everything = Changes(library=True, settings=True, messages=True, branches=True)
        return Changes.of_memory(None) | everything

    def prepare_restore(self, ctx: JobContext, archive_file: Path) -> None:
        """As `restore`, but the backup replaces the library when it is opened next."""
        folder = self._session.folder
        with self._session.claim():
            self._session.library.lock.check_alone()
            stage(folder, archive_file)
            try:
                self._back_up_before(ctx)
                commit(folder)
            except BaseException:
                give_up(folder)
                raise

    def prepare_repair(self, ctx: JobContext) -> None:
        """Replace unreadable chats by those of the newest backups, at the next opening.

        Everything else stays as it is. Raises InputError if no backup holds any of these chats,
        LibraryBusy, DiskFull; then nothing was replaced.
        """
        folder, library = self._session.folder, self._session.library
        with self._session.claim():
            library.lock.check_alone()
            older = [Path(backup.path) for backup in self.all()]
            try:
                archive = self.make(ctx)
            except PartlyBackedUp as e:
                archive = Path(str(e.params["path"]))
            stage(folder, archive)
            try:
                _take_lost(folder, {row[0]: row[1] for row in library.chat_rows()}, older)
                commit(folder)
            except BaseException:
                give_up(folder)
                raise

    def _back_up_before(self, ctx: JobContext) -> None:
        try:
            self.make(ctx)
        except DamagedDatabase as e:  # that is the reason to restore
            logger.warning("What is restored over is not backed up, only kept: %s", e)

    def all(self) -> list[BackupFile]:
        """Return the backups of this library, the newest first."""
        return found_in(self._session.folder)


PIECE = 4 << 20  # bytes copied between two checks for a cancel
_MOVED = " (moved)"
_OTHER_DISK = 17  # ERROR_NOT_SAME_DEVICE of Windows


class InsideItself(InputError):
    """``path`` lies inside the folder that is to be moved there."""

    text = QT_TRANSLATE_NOOP("errors", "{path} lies in the library itself.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a folder outside of it.")


def relocate(ctx: JobContext, library: Path, target: Path) -> Relocated:
    """Move the closed ``library`` to ``target``, which must not exist, completely or not at all.

    On the same disk it is renamed. To another disk it is copied under a temporary name, compared,
    and then renamed; the old folder stays under a name that says so, since nothing of the user's is
    deleted here. Raises FileExists, InsideItself, LibraryBusy, StorageError, Cancelled; then it was
    not moved.
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
    moving.try_to_delete_folder(beside)  # left by a move that was killed
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
    """Raise OSError if a copied file differs in length from its original."""
    for path in files:
        size = (copy / path.relative_to(library)).stat().st_size
        if size != path.stat().st_size:
            raise OSError(errno.EIO, "the copy differs", str(path))


def _free_name(library: Path) -> Path:
    names = (library.with_name(f"{library.name}{_MOVED}{n or ''}") for n in range(1_000))
    return next(path for path in names if not path.exists())
