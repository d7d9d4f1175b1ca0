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
from engram_desktop.storage.migrations import CHAT, LIBRARY, check_version
from engram_desktop.storage.restore import mark_ready, waiting_folder

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


def stage(folder: Path, archive: Path) -> None:
    """Unpack and check ``archive`` beside the library at ``folder``; opening it then swaps them.

    Raises InputError, DamagedDatabase, NewerDatabase; then the library is as it was.
    """
    waiting = waiting_folder(folder)
    _unpack(archive, waiting)
    (waiting / "chats").mkdir(exist_ok=True)
    mark_ready(folder)


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


def _unpack(archive: Path, target: Path) -> None:
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
        check_version(database, CHAT if database.parent != target else LIBRARY)


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
