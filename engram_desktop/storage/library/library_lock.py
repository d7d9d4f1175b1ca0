"""The right to write a library, held by one process at a time."""

from __future__ import annotations

import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LibraryBusy, StorageError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.storage.database import file_errors

if TYPE_CHECKING:
    from filelock import FileLock

# A process that was killed while it started another lives on in it for a moment, with its lock:
# where it is the holder that is gone, a busy machine is given longer.
_WHO = QT_TRANSLATE_NOOP("reports", "{program} (process {pid} on {host}, since {since})")
_SOMEBODY = QT_TRANSLATE_NOOP("reports", "another program")
_NAME = "library.lock"
LET_GO_S = 1.0  # a program that ends lets go of its lock within tenths of one; not measured
LET_GO_OF_THE_DEAD_S = 15.0  # not measured


class LibraryLock:
    """`library.lock` in the folder of a library, and beside it who holds it."""

    def __init__(self, folder: Path) -> None:
        self._lock: FileLock | None = None
        self._holder = folder / "library.lock.json"
        self._folder = folder

    @property
    def is_held(self) -> bool:
        return self._lock is not None and self._lock.is_locked

    def acquire(self, program: str, *, anyway: bool = False) -> None:
        """Take the lock. Raises LibraryBusy, StorageError.

        ``anyway`` takes one that was left behind too: who still holds that holds a file that nobody
        looks at any more.
        """
        # 40 ms, for it brings asyncio: who only reads goes without.
        from filelock import FileLock, Timeout  # noqa: PLC0415

        with file_errors(self._folder):
            if anyway and self._is_left_behind():
                (self._folder / _NAME).unlink(missing_ok=True)
            # the process holds it, not the thread that opened the library: jobs ask from their own
            self._lock = FileLock(self._folder / _NAME, thread_local=False)
            try:
                try:
                    self._lock.acquire(timeout=LET_GO_S, poll_interval=0.02)
                except Timeout:
                    if not self._is_holder_gone():
                        raise
                    self._lock.acquire(timeout=LET_GO_OF_THE_DEAD_S, poll_interval=0.02)
            except Timeout:
                busy = LibraryBusy(path=self._folder, holder=self._who())
                busy.is_stale = self._is_left_behind()
                raise busy from None
            holder = {
                "program": program,
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "since": f"{datetime.now(UTC).astimezone():%Y-%m-%d %H:%M}",
            }
            try:
                self._holder.write_text(json.dumps(holder), "utf-8")
            except OSError:
                self._lock.release()
                raise

    def release(self) -> None:
        if self._lock is not None and self._lock.is_locked:
            self._holder.unlink(missing_ok=True)
            self._lock.release()

    @staticmethod
    def is_free(folder: Path) -> bool:
        """Whether nobody holds the lock of a library now."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

        lock = FileLock(folder / _NAME, thread_local=False)
        try:
            with file_errors(folder), lock.acquire(timeout=0):
                return True
        except (Timeout, StorageError):
            return False

    def _who(self) -> str:
        try:
            holder = json.loads(self._holder.read_text("utf-8"))
            told = {key: str(holder[key]) for key in ("program", "pid", "host")}
            return Phrase(_WHO, since=str(holder.get("since", "?")), **told)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return Phrase(_SOMEBODY)

    def _is_left_behind(self) -> bool:
        """Whether who took the lock has ended, or is on a computer where nobody can look."""
        try:
            holder = json.loads(self._holder.read_text("utf-8"))
            return bool(holder["host"] != socket.gethostname()) or self._is_holder_gone()
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _is_holder_gone(self) -> bool:
        """Whether the process that took the lock is known to have ended."""
        if os.name == "nt":  # locks are not inherited there, and os.kill would end a process
            return False
        try:
            holder = json.loads(self._holder.read_text("utf-8"))
            if holder["host"] != socket.gethostname():
                return False
            os.kill(int(holder["pid"]), 0)
        except ProcessLookupError:
            return True
        except (OSError, ValueError, KeyError, TypeError):
            return False
        return False
