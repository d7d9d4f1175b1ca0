"""Back up and restore a library: checked copies of its databases in one ZIP file.

Indexes, keys and logs are never in it. Restoring first makes a backup of what is there.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from engram_desktop.domain.errors import InputError
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.backup import check_database, copy_database
from engram_desktop.storage.library import Library

MAX_BYTES = 64 * 1024**3
KEEP_ALL_DAYS = 2
KEEP_DAILY_DAYS = 30


def backup(library: Library, ctx: JobContext) -> Path:
    """Write ``backups/engram-<time>.zip`` and thin older ones; returns its path."""
    folder = library.folder
    target = _name(folder / "backups", library.clock())
    files = [folder / "library.db", *sorted(folder.glob("chats/*/memory.db"))]
    with tempfile.TemporaryDirectory(dir=folder / "backups") as temporary:
        archive = Path(temporary) / "archive.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for number, file in enumerate(files):
                ctx.report(number, len(files), "backup")
                copy = copy_database(file, Path(temporary) / "copy.db")
                packed.write(copy, file.relative_to(folder).as_posix())
        archive.replace(target)
    thin(folder / "backups", library.clock())
    return target


def restore(folder: Path, archive: Path, clock_ms: int) -> int:
    """Put the databases of ``archive`` in place of those in ``folder``; returns how many chats.

    The library must be closed. What was there is kept in ``trash``. Raises InputError,
    DamagedDatabase; then nothing was changed.
    """
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        unpacked = Path(temporary) / "unpacked"
        chats = _unpack(archive, unpacked)
        kept = folder / "trash" / f"before-restore-{clock_ms}"
        kept.mkdir(parents=True)
        for name in ("library.db", "library.db-wal", "library.db-shm", "chats"):
            if (folder / name).exists():
                shutil.move(folder / name, kept / name)
        for name in ("library.db", "chats"):
            if (unpacked / name).exists():
                shutil.move(unpacked / name, folder / name)
        (folder / "chats").mkdir(exist_ok=True)
    return chats


def thin(folder: Path, now_ms: int) -> list[Path]:
    """Delete backups that are no longer wanted; returns them.

    Kept: all of the last days, then one a day, then one a month.
    """
    seen: set[str] = set()
    gone: list[Path] = []
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    for path in sorted(folder.glob("engram-*.zip"), reverse=True):
        try:
            made = datetime.strptime(path.stem, "engram-%Y%m%d-%H%M%S").replace(tzinfo=UTC)
        except ValueError:
            continue  # not ours to delete
        age = (now - made).days
        if age < KEEP_ALL_DAYS:
            continue
        slot = made.strftime("%Y%m%d" if age < KEEP_DAILY_DAYS else "%Y%m")
        if slot in seen:
            path.unlink()
            gone.append(path)
        seen.add(slot)
    return gone


def _name(folder: Path, now_ms: int) -> Path:
    second = now_ms // 1000
    while True:
        stamp = datetime.fromtimestamp(second, UTC).strftime("%Y%m%d-%H%M%S")
        path = folder / f"engram-{stamp}.zip"
        if not path.exists():
            return path
        second += 1


def _unpack(archive: Path, target: Path) -> int:
    try:
        with zipfile.ZipFile(archive) as packed:
            members = packed.infolist()
            if sum(m.file_size for m in members) > MAX_BYTES:
                raise InputError(f"{archive.name} is too large to be a backup.")
            names = [m.filename for m in members]
            if "library.db" not in names or not all(_is_ours(name) for name in names):
                raise InputError(f"{archive.name} is not a backup made by Engram.")
            for name in names:
                place = target.joinpath(*PurePosixPath(name).parts)
                place.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(name) as source, place.open("wb") as copy:
                    shutil.copyfileobj(source, copy)
    except (OSError, zipfile.BadZipFile, RuntimeError) as e:
        raise InputError(f"{archive.name} cannot be read as a backup: {e}.") from e
    for database in target.rglob("*.db"):
        check_database(database)
    return sum(1 for name in names if name.startswith("chats/"))


def _is_ours(name: str) -> bool:
    """Only the names `backup` writes: no other path can come out of an archive."""
    parts = PurePosixPath(name).parts
    return name == "library.db" or (
        len(parts) == 3
        and parts[0] == "chats"
        and parts[1].isalnum()
        and parts[2] == "memory.db"
        and name == "/".join(parts)
    )
