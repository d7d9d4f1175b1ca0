"""Put restored databases in place of those of a library, so that a kill at any moment is harmless.

What is restored waits in ``restoring/`` and counts from the moment its ``ready`` mark stands. The
swap can be interrupted anywhere and is finished when the library is opened next. The previous files
are moved to the trash and never deleted.
"""

from __future__ import annotations

from pathlib import Path

from engram_desktop import moving

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
