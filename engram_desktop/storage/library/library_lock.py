"""The right to write a library, held by one process at a time (ADR 51).

A program holds it as long as it is open, or claims it for each write. Claims of one process are
counted, so that they can be nested and made on several threads.

library.lock: held by the writing process; library.lock.json names it. library.next: held by the
process that waits for it, so that a busy writer cannot overtake it. open/*.lock: held by programs
that keep the library open and write now and then; the file has the program's name if a library may
have only one of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import LibraryBusy, StorageError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.write_access import LET_GO_S, place_of
from engram_desktop.storage.database import file_errors

if TYPE_CHECKING:
    from filelock import FileLock

_WHO = QT_TRANSLATE_NOOP("reports", "{program} (process {pid} on {host}, since {since})")
_SOMEBODY = QT_TRANSLATE_NOOP("reports", "another program")
_NAME, _NEXT, _OPEN = "library.lock", "library.next", "open"
_POLL_S = 0.01  # between two tries; a try takes some 20 µs
_AT_ONCE_S = 0.05  # a thread that takes or releases the lock needs some 100 µs
TOLD_AFTER_S = 0.5  # seconds of waiting: most programs hold the lock for less
_BOOT = Path("/proc/sys/kernel/random/boot_id")  # the same in all containers of one computer
LET_GO_OF_THE_DEAD_S = 15.0  # a killed holder's child keeps it for a moment; not measured


class LibraryLock:
    """The write lock of the library in ``folder``, taken in the name of ``program``.

    ``patience`` is how many seconds a claim waits for another process. Safe from any thread.
    """

    def __init__(self, folder: Path, program: str = "Engram", patience: float = LET_GO_S) -> None:
        self._folder = folder
        self.program = program
        self.patience = patience
        self._lock: FileLock | None = None
        self._next: FileLock | None = None
        self._places: dict[str, FileLock] = {}  # locks in `open`, by name
        self.on_wait: Callable[[str], object] = str  # gets the program waited for; "" at the end
        self._is_hurried = threading.Event()
        self._holder = folder / "library.lock.json"
        self._count = 0  # claims of this process
        self._guard = threading.Lock()

    @property
    def is_held(self) -> bool:
        return self._count > 0

    def acquire(self, *, patience: float | None = None, steal_lock: bool = False) -> None:
        """Take the lock until `release`, once for each call. Raises LibraryBusy, StorageError.

        ``steal_lock`` also takes one that was left behind; a program that still holds it then holds
        a file that no other program looks at.
        """
        with self._guard:
            self._acquire(self.patience if patience is None else patience, steal_lock=steal_lock)

    def _acquire(self, patience: float, *, steal_lock: bool = False) -> None:
        if self._count == 0:
            self._take(patience, steal_lock=steal_lock)
        self._count += 1

    def release(self) -> None:
        """Release one claim; the last one releases the lock."""
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
        """As `claim`, but yields False at once if the lock cannot be had."""
        is_mine = False
        if self._guard.acquire(timeout=_AT_ONCE_S):  # another thread waits for the lock
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

    def announce(self, *, is_only: bool) -> None:
        """Register this program as keeping the library open, until `leave`. Raises StorageError.

        ``is_only`` raises LibraryBusy if another one of the same name is registered.
        """
        self.occupy(self.program if is_only else f"{os.getpid()}-{id(self):x}")

    def occupy(self, program: str) -> None:
        """Register as the only process doing what ``program`` does, until `vacate` or `leave`.

        Raises LibraryBusy if another process is registered, StorageError.
        """
        from filelock import FileLock, Timeout  # noqa: PLC0415 - 40 ms: who only reads goes without

        name = program.replace(" ", "-")
        if name in self._places:
            return
        place = self._folder / place_of(program)
        with file_errors(self._folder):
            place.parent.mkdir(exist_ok=True)
            present = FileLock(place, thread_local=False)
            try:
                present.acquire(timeout=LET_GO_S, poll_interval=_POLL_S)
            except Timeout:
                raise self._busy(place.with_suffix(".json")) from None
            self._places[name] = present
            place.with_suffix(".json").write_text(self._said(), "utf-8")

    def vacate(self, program: str) -> None:
        """Undo `occupy`, if it was called."""
        present = self._places.pop(program.replace(" ", "-"), None)
        if present is not None:
            place = Path(present.lock_file)
            with contextlib.suppress(OSError):
                place.with_suffix(".json").unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # Windows does not delete open files
                place.unlink(missing_ok=True)
            present.release()

    def leave(self) -> None:
        """Release the lock and undo `announce`: the library is closed."""
        with self._guard:
            self._count = 0
            self._let_go()
        for name in list(self._places):
            self.vacate(name)

    def check_alone(self) -> None:
        """Raise LibraryBusy if another program is registered by `announce`."""
        for place in self._held_places():
            raise self._busy(place.with_suffix(".json"))

    def _check_computer(self, *, steal_lock: bool) -> None:
        """Raise LibraryBusy if a program on another computer keeps the library open.

        SQLite's WAL index is in shared memory, which two computers do not share. ``steal_lock``
        removes the registration of such a program.
        """
        for place in self._held_places(_is_elsewhere):
            if not steal_lock:
                raise self._busy(place.with_suffix(".json"))
            place.unlink(missing_ok=True)

    def _held_places(self, concerns: Callable[[Path], bool] = bool) -> Iterator[Path]:
        """Yield the registrations of other programs; those of killed ones are deleted.

        ``concerns`` selects by the note beside a registration.
        """
        from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

        for place in sorted((self._folder / _OPEN).glob("*.lock")):
            note = place.with_suffix(".json")
            if place.stem in self._places or not concerns(note):
                continue
            try:
                with FileLock(place, timeout=0, thread_local=False):
                    for left in (place, note):
                        with contextlib.suppress(OSError):
                            left.unlink(missing_ok=True)
            except Timeout:
                yield place

    def hurry(self, *, is_hurried: bool = True) -> None:
        """Stop waiting for other processes, now and later; False: wait again as before."""
        if is_hurried:
            self._is_hurried.set()
        else:
            self._is_hurried.clear()

    @staticmethod
    def is_free(folder: Path, program: str = "") -> bool:
        """Return whether the lock of a library is free, and ``program`` not registered."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

        places = [folder / _NAME, folder / place_of(program)]
        for place in places if program and places[1].exists() else places[:1]:
            lock = FileLock(place, thread_local=False)
            try:
                with file_errors(folder), lock.acquire(timeout=0):
                    pass
            except (Timeout, StorageError):
                return False
        return True

    def _take(self, patience: float, *, steal_lock: bool) -> None:
        from filelock import FileLock, Timeout  # noqa: PLC0415 - as above

        with file_errors(self._folder):
            if steal_lock and self._busy(self._holder).is_stale:
                (self._folder / _NAME).unlink(missing_ok=True)
            if self._lock is None or steal_lock:
                # held by the process, not by the thread that opened the library: jobs use it too
                self._lock = FileLock(self._folder / _NAME, thread_local=False)
            try:
                try:
                    self._queue(self._lock, patience)
                except Timeout:
                    if not _is_gone(self._holder):
                        raise
                    self._queue(self._lock, LET_GO_OF_THE_DEAD_S)
            except Timeout:
                raise self._busy(self._holder) from None
            try:
                self._check_computer(steal_lock=steal_lock)
                self._holder.write_text(self._said(), "utf-8")
            except (OSError, LibraryBusy):
                self._lock.release()
                raise

    def _busy(self, note: Path) -> LibraryBusy:
        busy = LibraryBusy(path=self._folder, holder=_who(note))
        busy.is_stale = _host_of(note) not in {None, socket.gethostname()} or _is_gone(note)
        return busy

    def _queue(self, lock: FileLock, patience: float) -> None:
        """Wait for the lock, behind those who wait already. Raises Timeout."""
        from filelock import FileLock  # noqa: PLC0415 - as above

        if self._next is None:
            self._next = FileLock(self._folder / _NEXT, thread_local=False)
        waiting = _Waiting(self, time.monotonic(), patience)
        try:
            waiting.take(self._next)
            try:
                waiting.take(lock)
            finally:
                self._next.release()
        finally:
            if waiting.is_reported:
                self.on_wait("")

    def wait_a_moment(self, waited: float, *, is_reported: bool) -> bool:
        """Sleep between two tries, and report the holder once; returns whether it was reported."""
        if waited > TOLD_AFTER_S and not is_reported:
            is_reported = True
            self.on_wait(_who(self._holder))
        self._is_hurried.wait(_POLL_S)
        return is_reported

    @property
    def is_hurried(self) -> bool:
        return self._is_hurried.is_set()

    def _said(self) -> str:
        return json.dumps(
            {
                "program": self.program,
                "pid": os.getpid(),
                "host": socket.gethostname(),
                "computer": _computer(),
                "since": f"{datetime.now(UTC).astimezone():%Y-%m-%d %H:%M:%S}",
            }
        )


class _Waiting:
    """Tries to take locks until ``patience`` seconds after ``began``."""

    def __init__(self, lock: LibraryLock, began: float, patience: float) -> None:
        self._library = lock
        self._began = began
        self._patience = patience
        self.is_reported = False

    def take(self, lock: FileLock) -> None:
        """Take a lock. Raises Timeout."""
        from filelock import Timeout  # noqa: PLC0415 - as above

        while True:
            try:
                lock.acquire(timeout=0)
            except Timeout:
                waited = time.monotonic() - self._began
                if waited >= self._patience or self._library.is_hurried:
                    raise
                self.is_reported = self._library.wait_a_moment(waited, is_reported=self.is_reported)
            else:
                return


def _computer() -> str:
    """Return an id of this computer; its containers share it, and SQLite's shared memory."""
    try:
        return _BOOT.read_text("ascii").strip()
    except (OSError, ValueError):
        return socket.gethostname()


def _read(note: Path) -> dict[str, object]:
    """Parse the note beside a lock; {} if it cannot be read."""
    try:
        holder = json.loads(note.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return holder if isinstance(holder, dict) else {}


def _host_of(note: Path) -> object:
    return _read(note).get("host")


def _is_elsewhere(note: Path) -> bool:
    """Return whether the note beside a lock is from another computer."""
    holder = _read(note)
    is_here = holder.get("host") in {None, socket.gethostname()}
    return not is_here and holder.get("computer") != _computer()


def _is_gone(note: Path) -> bool:
    """Return whether the process that wrote the note is known to have ended."""
    if os.name == "nt":  # locks are not inherited there, and os.kill would end a process
        return False
    holder = _read(note)
    try:
        if holder["host"] != socket.gethostname():
            return False
        os.kill(int(str(holder["pid"])), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, KeyError):
        return False
    return False


def _who(note: Path) -> str:
    """Return a text on who wrote the note beside a lock."""
    holder = _read(note)
    if not {"program", "pid", "host"} <= holder.keys():
        return Phrase(_SOMEBODY)
    told = {key: str(holder[key]) for key in ("program", "pid", "host")}
    return Phrase(_WHO, since=str(holder.get("since", "?")), **told)
