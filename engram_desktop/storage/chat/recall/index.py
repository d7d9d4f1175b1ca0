"""The supervisor of a chat's Chroma worker: starts, fills, queries it, and gives it up.

The index is a copy of the stored vectors: after any error it is deleted and filled again, and
meanwhile `IndexUnavailable` makes the caller search exactly. After two failures it is not used
until the program restarts; a server, which may only be unreachable, is tried again after a minute.
Several programs may query a server's collection at once; only one at a time sends vectors.
"""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock, Timeout

from engram_desktop import moving
from engram_desktop.domain.errors import KnownError
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat.recall.chroma_worker import (
    BUSY,
    CONDEMNED,
    OWNER,
    Server,
    leave,
    serve,
)
from engram_desktop.storage.chat.recall.vectors import VectorStore
from engram_desktop.storage.database import Database
from engram_desktop.storage.schema.packing import Vector

# Importing Chroma takes a second, opening a large index some; allows for a machine under load.
START_TIMEOUT_S = 60.0
ANSWER_TIMEOUT_S = 60.0  # a query takes milliseconds, storing a batch seconds; not measured
SERVER_QUERY_S = 2.0  # for a query to a server, which may hang; exact search answers in that time
LEAVE_TIMEOUT_S = 15.0  # for deleting a chat's collections on a server
SERVER_RETRY_S = 60.0  # seconds after a server was given up
MAX_FAILURES = 2  # in a row; then exact search is used until the program ends
BATCH = 1000  # vectors in one message: Chroma takes at most 5,461


class IndexUnavailable(Exception):
    """The index cannot answer now."""


class VectorIndex:
    """One chat's Chroma collection, behind a pipe. Safe to call from several threads."""

    def __init__(
        self,
        folder: Path,
        database: Database,
        vectors: VectorStore,
        model: str,
        server: str = "",
        *,
        token: Callable[[], str] = str,
        lock_wait_s: float = 10.0,
        retry_s: float = SERVER_RETRY_S,
    ) -> None:
        """``server`` is an address, or ""; ``token`` is called when connecting to a server."""
        self._folder = folder
        self._db = database
        self._vectors = vectors
        self._model = model
        self._server = server
        self._token = token
        self._lock_wait_s = lock_wait_s
        self._retry_s = retry_s
        self.key = (model, server)
        self._lock = threading.RLock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._failures = 0
        self._gave_up_at = 0.0
        self._is_complete = False
        self.detail = ""

    @property
    def state(self) -> str:
        """Return one of ok, behind, starting, broken."""
        if self._failures >= MAX_FAILURES:
            return "broken"
        if self._pipe is None or not self._is_complete:
            return "starting"
        return "behind" if self._backlog() else "ok"

    def sync(self, ctx: JobContext) -> int:
        """Start the worker if need be and update the collection; returns the rows sent.

        Raises IndexUnavailable if the worker cannot be used.
        """
        with self._lock:
            while True:
                try:
                    self._start()
                    with self._sending():
                        return self._fill(ctx) + self._drain(ctx)
                except _WorkerFailed as e:
                    self._fail(str(e))

    @contextlib.contextmanager
    def _sending(self) -> Iterator[None]:
        """Lock out other programs that send to the same server. Raises IndexUnavailable."""
        if not self._server:  # the worker has the folder to itself
            yield
            return
        try:
            lock = FileLock(self._folder / "lock").acquire(self._lock_wait_s)
        except Timeout as e:
            self.detail = "another process is filling this index"
            raise IndexUnavailable(self.detail) from e
        with lock:
            yield

    def query(self, vector: Vector, limit: int) -> list[tuple[int, float]]:
        """Return the nearest items as (id, cosine).

        Raises IndexUnavailable; never waits for a sync.
        """
        if not self._lock.acquire(blocking=False):
            raise IndexUnavailable
        try:
            if self._pipe is None or not self._is_complete or self._backlog():
                raise IndexUnavailable
            blob = np.asarray(vector, np.float32).tobytes()
            try:
                timeout = SERVER_QUERY_S if self._server else ANSWER_TIMEOUT_S
                pairs: list[tuple[int, float]] = self._ask("query", blob, limit, timeout=timeout)
            except _WorkerFailed as e:
                self._fail(str(e))
                raise IndexUnavailable from e
            return pairs
        finally:
            self._lock.release()

    def ids(self) -> list[int]:
        """Return the ids in the collection. Raises IndexUnavailable."""
        with self._lock:
            try:
                self._start()
                return list(self._ask("ids"))
            except _WorkerFailed as e:
                self._fail(str(e))
                raise IndexUnavailable from e

    def drop(self) -> None:
        """Delete the collection; the next `sync` fills a new one. Raises OSError."""
        with self._lock:
            self.close()
            self._failures = 0
            self._condemn()

    def discard(self) -> None:
        """Delete a collection that is no longer queried; the next `sync` fills a new one."""
        with self._lock:
            if self._pipe is not None:
                self.close()
            if not self._folder.exists():
                return
            leave_server(self._folder, self._server, self._token)
            with contextlib.suppress(Timeout), FileLock(self._folder / "lock", timeout=0):
                moving.try_to_delete_folder(self._folder / "data")

    def close(self) -> None:
        """Make the worker close its files and end."""
        with self._lock:
            if self._pipe is not None:
                with contextlib.suppress(OSError):
                    self._pipe.send(("close",))
                self._pipe.close()
            if self._process is not None:
                self._process.join(10)
                if self._process.is_alive():
                    self._process.kill()
                    self._process.join(5)
            self._pipe = self._process = None
            self._is_complete = False

    def _start(self) -> None:
        if self._failures >= MAX_FAILURES:
            if not self._server or time.monotonic() - self._gave_up_at < self._retry_s:
                raise IndexUnavailable(self.detail)
            self._failures = MAX_FAILURES - 1  # one more try
        if self._pipe is not None:
            return
        server = _server(self._server, self._token)
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=serve,
            args=(theirs, self._folder, _model_key(self._model), server, self._lock_wait_s),
            name="engram-index",
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self._pipe = ours
        self._is_complete = False
        self._receive(START_TIMEOUT_S)

    def _fill(self, ctx: JobContext) -> int:
        """Compare ids once after a start; send missing vectors, delete extra ones."""
        if self._is_complete:
            return 0
        present = set(self._ask("ids"))
        backlog = self._backlog()
        valid = self._vectors.all_ids(self._model)
        extra = sorted(present.difference(valid))
        if extra:
            self._ask("delete", extra)
        missing = [i for i in valid if i not in present]
        self._send(ctx, missing)
        if not present:  # everything was sent just now, so nothing in the outbox is left to do
            self._forget(backlog)
        self._is_complete = True
        return len(missing)

    def _drain(self, ctx: JobContext) -> int:
        """Update every item in the outbox to its present state."""
        sent = 0
        while last := self._backlog():
            rows = self._db.rows("SELECT DISTINCT item_id FROM outbox WHERE seq <= ?", (last,))
            sent += self._send(ctx, [i for (i,) in rows])
            self._forget(last)
        return sent

    def _send(self, ctx: JobContext, ids: Sequence[int]) -> int:
        for start in range(0, len(ids), BATCH):
            ctx.check()
            part = ids[start : start + BATCH]
            vectors = self._vectors.fetch(self._model, part)
            if vectors:
                rows = np.stack(list(vectors.values()))
                self._ask("upsert", list(vectors), rows.tobytes(), rows.shape[1])
            removed = [i for i in part if i not in vectors]
            if removed:
                self._ask("delete", removed)
        return len(ids)

    def _backlog(self) -> int:
        return int(self._db.value("SELECT max(seq) FROM outbox") or 0)

    def _forget(self, last: int) -> None:
        if last:
            with self._db.writing() as connection:
                connection.execute("DELETE FROM outbox WHERE seq <= ?", (last,))

    def _ask(self, *request: object, timeout: float = ANSWER_TIMEOUT_S) -> Any:
        if self._pipe is None:
            raise _WorkerFailed("it is not running")
        try:
            self._pipe.send(request)
        except OSError as e:
            raise _WorkerFailed(f"it died: {e}") from e
        return self._receive(timeout)

    def _receive(self, timeout: float) -> Any:
        assert self._pipe is not None  # noqa: S101 - callers hold the lock and have started it
        try:
            if not self._pipe.poll(timeout):
                raise _WorkerFailed(f"no answer in {timeout:.0f} s")
            good, result = self._pipe.recv()
        except (EOFError, OSError) as e:
            raise _WorkerFailed("it died") from e
        if result == BUSY:
            self.close()
            self.detail = "another process has this index open"
            raise IndexUnavailable(self.detail)
        if not good:
            raise _WorkerFailed(str(result))
        return result

    def _fail(self, why: str) -> None:
        """Count a failure, end the worker, and discard the collection if it is a local one."""
        failures = self._failures + 1
        self.detail = why
        if self._process is not None and self._process.is_alive():
            self._process.kill()
        self.close()
        if not self._server:  # a failed worker or connection does not damage a server's collection
            with contextlib.suppress(OSError):  # a full disk: the first write has marked it dirty
                self._condemn()
        self._failures = failures
        self._gave_up_at = time.monotonic()

    def _condemn(self) -> None:
        """Mark the collection, so that the next worker deletes it before opening it.

        Nothing is deleted here: a worker whose supervisor was killed may still be starting on these
        files, and deleting while it fills them would leave neither.
        """
        if self._folder.exists():
            with contextlib.suppress(Timeout), FileLock(self._folder / "lock", self._lock_wait_s):
                pass  # the other worker has ended
            (self._folder / CONDEMNED).touch()


class _WorkerFailed(Exception):
    """The worker died, did not answer, or answered with an error."""


def leave_server(folder: Path, address: str, token: Callable[[], str]) -> bool:
    """Delete a chat's collections on a server; returns False if that was not possible.

    A server that never held anything of this chat is not asked.
    """
    if not address or not (folder / OWNER).exists():
        return True
    try:
        server = _server(address, token)
    except IndexUnavailable:
        return False
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    arguments = (theirs, folder, server)
    process = context.Process(target=leave, args=arguments, name="engram-index", daemon=True)
    process.start()
    theirs.close()
    is_done = False
    with contextlib.suppress(EOFError, OSError):
        is_done = ours.poll(LEAVE_TIMEOUT_S) and bool(ours.recv()[0])
    process.join(1)
    if process.is_alive():
        process.kill()
        process.join(5)
    if is_done:
        (folder / OWNER).unlink(missing_ok=True)
    return is_done


def _server(address: str, token: Callable[[], str]) -> Server:
    """Return the server. Raises IndexUnavailable if the token cannot be read."""
    if not address:
        return Server()
    try:
        return Server(address, token())
    except KnownError as e:
        raise IndexUnavailable(str(e)) from e


def _model_key(model: str) -> str:
    return hashlib.blake2b(model.encode(), digest_size=8).hexdigest()
