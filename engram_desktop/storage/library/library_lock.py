"""The right to write a library, held by one process at a time."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.storage.database import file_errors

if TYPE_CHECKING:
    from filelock import FileLock

# A process that was killed while it started another lives on in it for a moment, with its lock:
# where it is the holder that is gone, a busy machine is given longer.
LET_GO_S = 1.0
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

    def acquire(self, program: str) -> None:
        """Take the lock. Raises LibraryBusy, StorageError."""
        # 40 ms, for it brings asyncio: who only reads goes without.
        from filelock import FileLock, Timeout  # noqa: PLC0415

        with file_errors(self._folder):
            # the process holds it, not the thread that opened the library: jobs ask from their own
            self._lock = FileLock(self._folder / "library.lock", thread_local=False)
            try:
                try:
                    self._lock.acquire(timeout=LET_GO_S, poll_interval=0.02)
                except Timeout:
                    if not self._is_holder_gone():
                        raise
                    self._lock.acquire(timeout=LET_GO_OF_THE_DEAD_S, poll_interval=0.02)
            except Timeout:
                raise LibraryBusy(path=self._folder, holder=self._who()) from None
            holder = {"program": program, "pid": os.getpid(), "host": socket.gethostname()}
            try:
                self._holder.write_text(json.dumps(holder), "utf-8")
            except OSError:
                self._lock.release()
                raise

    def release(self) -> None:
        if self._lock is not None and self._lock.is_locked:
            self._holder.unlink(missing_ok=True)
            self._lock.release()

    def _who(self) -> str:
        try:
            holder = json.loads(self._holder.read_text("utf-8"))
            return f"{holder['program']} (process {holder['pid']} on {holder['host']})"
        except (OSError, ValueError, KeyError, TypeError):
            return "another program"

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
