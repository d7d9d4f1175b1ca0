"""The right to write a library, held by one process at a time (ADR 51).

A program holds it for as long as it is open, or claims it for each thing that it writes. Claims of
one process are counted, so that they may be nested and made on several threads.

library.lock       held by the process that writes; library.lock.json says which that is
library.next       held by the process that waits for it: a program that writes much cannot pass it
open/*.lock        held by programs that keep the library open and write now and then
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LibraryBusy, StorageError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.write_access import LET_GO_S
from engram_desktop.storage.database import file_errors

if TYPE_CHECKING:
    from filelock import FileLock

# A process that was killed while it started another lives on in it for a moment, with its lock:
# where it is the holder that is gone, a busy machine is given longer.
_WHO = QT_TRANSLATE_NOOP("reports", "{program} (process {pid} on {host}, since {since})")
_SOMEBODY = QT_TRANSLATE_NOOP("reports", "another program")
_NAME, _NEXT, _OPEN = "library.lock", "library.next", "open"
_POLL_S = 0.01  # between two tries; a try takes some 20 µs
_AT_ONCE_S = 0.05  # a thread that takes or gives back the lock needs some 100 µs
LET_GO_OF_THE_DEAD_S = 15.0  # not measured


class LibraryLock:
    """The lock of the library in ``folder``, taken in the name of ``program``.

    ``patience`` is how many seconds a claim waits for another process. Safe from any thread.
    """

    def __init__(self, folder: Path, program: str = "Engram", patience: float = LET_GO_S) -> None:
        self._folder = folder
        self.program = program
        self.patience = patience
        self._lock: FileLock | None = None
        self._next: FileLock | None = None
        self._present: FileLock | None = None
        self._holder = folder / "library.lock.json"
        self._count = 0  # claims of this process
        self._guard = threading.Lock()

    @property
    def is_held(self) -> bool:
        return self._count > 0

    def acquire(self, *, patience: float | None = None, steal_lock: bool = False) -> None:
        """Take the lock until `release`, once for each time. Raises LibraryBusy, StorageError.

        ``steal_lock`` takes one that was left behind too; a program that still holds it
        then holds a file that no other looks at.
        """
        with self._guard:
            self._acquire(self.patience if patience is None else patience, steal_lock=steal_lock)

    def _acquire(self, patience: float, *, steal_lock: bool = False) -> None:
        if self._count == 0:
            self._take(patience, steal_lock=steal_lock)
        self._count += 1

    def release(self) -> None:
        """Give back one claim; the last one lets go of the lock."""
        with self._guard:
            if self._count == 0:
                return
            self._count -= 1
            if self._count == 0:
                self._let_go()

    def _let_go(self) -> None:
        if self._lock is not None and self._lock.is_locked:
            with contextlib.suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()

    @contextlib.contextmanager
    def claim(self, patience: float | None = None) -> Iterator[None]:
        """Hold the lock while the block runs. Raises LibraryBusy, StorageError."""
        self.acquire(patience=patience)
        try:
            yield
        finally:
            self.release()

    @contextlib.contextmanager
    def claim_if_free(self) -> Iterator[bool]:
        """As `claim`, but yields False at once where the lock cannot be had."""
        is_mine = False
        if self._guard.acquire(timeout=_AT_ONCE_S):  # else another thread waits for the lock
            try:
                self._acquire(0)
                is_mine = True
            except StorageError:
                pass
            finally:
                self._guard.release()
        try:
            yield is_mine
        finally:
            if is_mine:
                self.release()

    def announce(self, *, is_only: bool = False) -> None:
        """Say that this program keeps the library open until `leave`. Raises StorageError.

        ``is_only`` raises LibraryBusy where another one of the same name does.
        """
        from filelock import FileLock, Timeout  # noqa: PLC0415 - 40 ms: who only reads goes without

        name = self.program.replace(" ", "-") if is_only else f"{os.getpid()}-{id(self):x}"
        place = self._folder / _OPEN / f"{name}.lock"
        with file_errors(self._folder):
            place.parent.mkdir(exist_ok=True)
            present = FileLock(place, thread_local=False)
            try:
                present.acquire(timeout=LET_GO_S, poll_interval=_POLL_S)
            except Timeout:
                holder = _who(place.with_suffix(".json"))
                raise LibraryBusy(path=self._folder, holder=holder) from None
            self._present = present
            place.with_suffix(".json").write_text(self._said(), "utf-8")

    def leave(self) -> None:
        """Let go of the lock, and take back `announce`: the library is closed."""
        with self._guard:
            self._count = 0
            self._let_go()
        if self._present is not None:
            place = Path(self._present.lock_file)
            with contextlib.suppress(OSError):
                place.with_suffix(".json").unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # Windows deletes no file that is open
                place.unlink(missing_ok=True)
            self._present.release()
            self._present = None

    def check_alone(self) -> None:
        """Raise LibraryBusy where another program keeps the library open: see `announce`."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

        for place in sorted((self._folder / _OPEN).glob("*.lock")):
            if self._present is not None and place == Path(self._present.lock_file):
                continue
            try:
                with FileLock(place, timeout=0, thread_local=False):
                    for left in (place, place.with_suffix(".json")):  # a killed program's
                        with contextlib.suppress(OSError):
                            left.unlink(missing_ok=True)
            except Timeout:
                holder = _who(place.with_suffix(".json"))
                raise LibraryBusy(path=self._folder, holder=holder) from None

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

    def _take(self, patience: float, *, steal_lock: bool) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

        with file_errors(self._folder):
            if steal_lock and self._is_left_behind():
                (self._folder / _NAME).unlink(missing_ok=True)
            if self._lock is None or steal_lock:
                # the process holds it, not the thread that opened the library: jobs ask too
                self._lock = FileLock(self._folder / _NAME, thread_local=False)
            try:
                try:
                    self._queue(self._lock, patience)
                except Timeout:
                    if not self._is_holder_gone():
                        raise
                    self._queue(self._lock, LET_GO_OF_THE_DEAD_S)
            except Timeout:
                busy = LibraryBusy(path=self._folder, holder=_who(self._holder))
                busy.is_stale = self._is_left_behind()
                raise busy from None
            try:
                self._holder.write_text(self._said(), "utf-8")
            except OSError:
                self._lock.release()
                raise

    def _queue(self, lock: FileLock, patience: float) -> None:
        """Wait for the lock, behind who waits already. Raises Timeout."""
        from filelock import FileLock  # noqa: PLC0415 - as above

        until = time.monotonic() + patience
        if self._next is None:
            self._next = FileLock(self._folder / _NEXT, thread_local=False)
        with self._next.acquire(timeout=patience, poll_interval=_POLL_S):
            lock.acquire(timeout=max(0.0, until - time.monotonic()), poll_interval=_POLL_S)

    def _said(self) -> str:
        return json.dumps(
            {
                "program": self.program,
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "since": f"{datetime.now(UTC).astimezone():%Y-%m-%d %H:%M:%S}",
            }
        )

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


def _who(note: Path) -> str:
    """Say who wrote the note beside a lock."""
    try:
        holder = json.loads(note.read_text("utf-8"))
        told = {key: str(holder[key]) for key in ("program", "pid", "host")}
        return Phrase(_WHO, since=str(holder.get("since", "?")), **told)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Phrase(_SOMEBODY)
