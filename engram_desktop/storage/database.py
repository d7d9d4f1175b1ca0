"""One SQLite file: how it is opened and written, and what its errors mean.

There is one connection for each thread. Every write goes through `Database.writing`, which begins
IMMEDIATE (measured under contention: 0 of 160 transactions failed, 84 to 124 otherwise).
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw
import peewee
from playhouse.apsw_ext import APSWDatabase
from typing_extensions import override

from engram_desktop.domain.errors import (
    DamagedDatabase,
    DatabaseClosed,
    DiskFull,
    LibraryBusy,
    LibraryGone,
    NewerDatabase,
    StorageError,
)
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.recall import lexemes
from engram_desktop.domain.text import tokens

_T = QT_TRANSLATE_NOOP
_CANNOT_BE_USED = _T("reports", "{path} cannot be used: {detail}.")

BUSY_TIMEOUT_S = 5  # how long a writer waits for another; transactions last some 50 ms
_ROOM = 256 * 1024  # bytes: a log grows by pages of 4 kB and shared memory by 32; not measured
_FULL = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}
_DAMAGED = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError)
_BUSY = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
_CLOSED = (apsw.ConnectionClosedError, apsw.CursorClosedError, apsw.InterruptError)
_CLOSING_S = 0.001  # between two tries to close a connection in use; not measured
_SOMEBODY = _T("reports", "another program")
_PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "normal",  # survives a killed process; a power cut may cost the last commits
    "foreign_keys": "on",
    "temp_store": "file",  # a statement may change a table of 300 MB, which is kept until it ends
    "cache_size": -32_000,
    # Bulk work writes the same index pages repeatedly: eight batches reach the file together.
    "wal_autocheckpoint": 8000,
    "journal_size_limit": 32_000_000,
    "trusted_schema": "on",  # triggers call engram_tokens and engram_cost
}
_WRITER_PRAGMAS = {"journal_mode", "synchronous", "wal_autocheckpoint", "journal_size_limit"}


def tokens_text(text: str | None) -> str:
    """Return the search tokens of ``text``, joined by blanks, as the FTS triggers store them."""
    return " ".join(lexemes.index_tokens(text or ""))


T = TypeVar("T")
_NOTHING = object()
_READ_KEPT = 128  # results for some three askers at a floor each, and small ones


class UntilWritten:
    """Caches results of queries until anything is written, by any process.

    Results must not be changed. Safe from any thread.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._mark: object = None
        self._kept: dict[Hashable, object] = {}

    def of(self, key: Hashable, read: Callable[[], T]) -> T:
        """Return the result cached under ``key``, else that of ``read``."""
        if self._db.in_transaction():
            return read()
        mark = self._db.mark()
        with self._lock:
            if mark != self._mark:
                self._kept, self._mark = {}, mark
            kept = self._kept.get(key, _NOTHING)
        if kept is not _NOTHING:
            return cast("T", kept)
        value = read()
        with self._lock:
            if mark == self._mark == self._db.mark():
                self._kept[key] = value
                while len(self._kept) > _READ_KEPT:
                    self._kept.pop(next(iter(self._kept)))
        return value


class Database(APSWDatabase):  # type: ignore[misc]  # peewee has no types
    """A peewee database on APSW, with our pragmas, functions and write lock."""

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        claim: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
    ) -> None:
        """``read_only`` is for folders where nothing can be written, not even SQLite's own files.

        ``claim`` is entered around every writing transaction.
        """
        self.path = path
        self._claim = claim
        self._log_path = f"{path}-wal"
        self._looked_at = threading.local()
        self.until_written = UntilWritten(self)
        self.writes = 0  # number of transactions ended here; an equal number means nothing changed
        self._write_lock = threading.RLock()
        # Referenced here as well as by the thread: a connection that is closed while its thread's
        # state is torn down releases the GIL there, which crashes Python 3.11.
        self._connections: dict[int, apsw.Connection] = {}
        self.is_read_only = read_only
        self._placed: tuple[int, int, int] | None = None  # device, file, version
        self._watcher: apsw.Connection | None = None  # guarded by the write lock, like the next two
        self._seen_version = 0  # `PRAGMA data_version`, which counts commits of other connections
        self._has_foreign = False
        if read_only:
            pragmas = {
                name: value for name, value in _PRAGMAS.items() if name not in _WRITER_PRAGMAS
            }
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            super().__init__(
                _unchanging(path), timeout=BUSY_TIMEOUT_S, pragmas=pragmas, flags=flags
            )
        else:
            super().__init__(str(path), timeout=BUSY_TIMEOUT_S, pragmas=_PRAGMAS)
        self.register_function(tokens_text, "engram_tokens", 1)
        self.register_function(tokens.estimate_tokens, "engram_cost", 1)

    @override
    def _connect(self) -> apsw.Connection:
        with known_errors(self.path):
            connection: apsw.Connection = super()._connect()
        thread = threading.get_ident()
        stale = self._connections.pop(thread, None)  # of an ended thread with the same number
        if stale is not None:
            stale.close()
        self._connections[thread] = connection
        return connection

    def remember_identity(self) -> None:
        """Remember the file's identity and version, once it is opened and migrated."""
        self._placed = (*_file_of(self.path), self.value("PRAGMA user_version"))

    def check_place(self) -> None:
        """Raise LibraryGone if the file was replaced or deleted, NewerDatabase if it was migrated.

        SQLite itself would go on writing into a deleted file, and those writes would be lost.
        """
        if self._placed is None:
            return
        device, inode, known = self._placed
        if _file_of(self.path) != (device, inode):
            raise LibraryGone(path=self.path)
        version = self.value("PRAGMA user_version")
        if version > known:
            raise NewerDatabase(path=self.path, found=version, known=known)

    @contextlib.contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """Hold the write lock and one IMMEDIATE transaction; roll back on any exception.

        Nested calls join the outer transaction. No network call may happen inside.
        """
        with known_errors(self.path):
            if self.in_transaction():
                yield self.connection()
                return
            with self._claim(), self._write_lock:
                self._look(is_own=False)
                self.check_place()
                try:
                    with self.atomic("IMMEDIATE"):
                        yield self.connection()
                finally:
                    self.writes += 1
                    self._look(is_own=True)

    @contextlib.contextmanager
    def replaying(self) -> Iterator[apsw.Connection]:
        """As `writing`, for very many statements that change one row each.

        SQLite keeps the pages that a statement changes in case it fails. In a file that was half of
        the time of an undo; in memory it is quick as long as no savepoint is open.
        """
        is_outermost = not self.in_transaction()
        if is_outermost:
            self.value("PRAGMA temp_store = memory")
        try:
            with self.writing() as connection:
                yield connection
        finally:
            if is_outermost:
                self.value(f"PRAGMA temp_store = {_PRAGMAS['temp_store']}")

    def mark(self) -> tuple[object, ...]:
        """Return a value that changes with every write, of this process or another."""
        return self.writes, getattr(self._looked_at, "files", None) or self._files()

    @contextlib.contextmanager
    def steady(self) -> Iterator[None]:
        """Check only once, while this is entered, whether another process wrote.

        Writes of this process are seen at once.
        """
        if getattr(self._looked_at, "files", None) is not None:
            yield
            return
        self._looked_at.files = self._files()
        try:
            yield
        finally:
            self._looked_at.files = None

    def brief_rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """As `rows`, but the result must not be changed and may be cached in a `steady` thread.

        For queries that run many times for one prompt and cost less than checking the files.
        """
        if getattr(self._looked_at, "files", None) is None:
            return self.rows(sql, values)
        return self.until_written.of((sql, *values), lambda: self.rows(sql, values))

    def _files(self) -> tuple[object, ...]:
        return _stat_of(self.path), _stat_of(self._log_path)

    def watch(self) -> None:
        """Start telling commits of other processes from those of this one: see `take_foreign`."""
        with self._write_lock, known_errors(self.path):
            self._watcher = connect(self.path)
            self._look(is_own=True)

    def take_foreign(self) -> bool:
        """Return whether another process committed since the last call. Never waits."""
        if not self._write_lock.acquire(blocking=False):  # this process's transactions check it
            return False
        try:
            self._look(is_own=False)
            has_foreign, self._has_foreign = self._has_foreign, False
        finally:
            self._write_lock.release()
        return has_foreign

    def _look(self, *, is_own: bool) -> None:
        """Compare the data version; every writer of this process does so before and after."""
        if self._watcher is None:
            return
        try:
            version = self._watcher.execute("PRAGMA data_version").get
        except apsw.Error:  # the next read or write reports the error
            return
        if version != self._seen_version:
            self._seen_version = version
            self._has_foreign = self._has_foreign or not is_own

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query and return all rows."""
        with known_errors(self.path):
            return list(self.connection().execute(sql, tuple(values)))

    def value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Return the first column of the first row, or None."""
        with known_errors(self.path):
            for row in self.connection().execute(sql, tuple(values)):
                return row[0]
        return None

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute ``sql`` once for each row, inside the caller's transaction."""
        with known_errors(self.path):
            self.connection().cursor().executemany(sql, rows)

    def close_all(self) -> None:
        """Close the connections of all threads; their queries raise `DatabaseClosed`."""
        for connection in list(self._connections.values()):
            _close(connection)
        self._connections.clear()
        if self._watcher is not None:
            _close(self._watcher)
            self._watcher = None
        if not self.is_closed():
            self.close()


@contextlib.contextmanager
def known_errors(path: Path) -> Iterator[None]:
    """Convert SQLite's errors for a full disk, a damaged or a busy file into KnownErrors."""
    try:
        yield
    except (
        apsw.FullError, *_DAMAGED, *_BUSY, apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError
    ) as e:  # fmt: skip
        raise _known(e, path) from e
    except _CLOSED as e:
        raise DatabaseClosed(path=path) from e
    except peewee.DatabaseError as e:
        cause = e.__context__ or e.__cause__
        if isinstance(cause, apsw.Error):
            raise _known(cause, path) from e
        raise


@contextlib.contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Convert the system's errors for files of a library into KnownErrors."""
    try:
        yield
    except OSError as e:
        if e.errno in _FULL:
            raise DiskFull(path=path) from e
        raise StorageError(Phrase(_CANNOT_BE_USED, path=path, detail=e.strerror or e)) from e


def connect(path: Path, *, read_only: bool = False) -> apsw.Connection:
    """Open a file apart from any `Database`; it waits for writers. The caller closes it."""
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_S * 1000)
    return connection


def _close(connection: apsw.Connection) -> None:
    """Close ``connection``, interrupting what another thread is running on it."""
    pause = threading.Event()
    while True:
        try:
            connection.close()
        except apsw.ThreadingViolationError:
            connection.interrupt()
            pause.wait(_CLOSING_S)
        else:
            return


def _file_of(path: Path) -> tuple[int, int]:
    """Return device and inode of a file; (0, 0) if there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _stat_of(path: Path | str) -> tuple[int, int]:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked for many times for one prompt
    except OSError:  # there is no log, or it was just checkpointed
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _unchanging(path: Path) -> str:
    """Return the URI of a file that is only read.

    Without a WAL file it is opened as immutable, so that SQLite makes no files of its own; with one
    it is opened read-only, so that the WAL is read too.
    """
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    return f"{path.absolute().as_uri()}?{'mode=ro' if has_log else 'immutable=1'}"


def _is_disk_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _ROOM
    except OSError:
        return False


def _known(error: Exception, path: Path) -> Exception:
    if isinstance(error, apsw.FullError):
        return DiskFull(path=path)
    if isinstance(error, _BUSY):
        return LibraryBusy(path=path, holder=Phrase(_SOMEBODY))
    if isinstance(error, _DAMAGED):
        return DamagedDatabase(str(error), path=path)
    if isinstance(error, apsw.CantOpenError | apsw.IOError) and _is_disk_full(path):
        return DiskFull(path=path)  # SQLite says “disk I/O error” if a log cannot grow
    if isinstance(error, apsw.CantOpenError | apsw.ReadOnlyError | apsw.IOError):
        return StorageError(Phrase(_CANNOT_BE_USED, path=path, detail=error))
    return error
