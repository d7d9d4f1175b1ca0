"""An open library: databases, endpoints and meter shared by all services; undo steps of jobs.

Also how several programs share a library (ADR 51).
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from engram_desktop.domain.changes import StepLabel
from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.domain.settings import HELD, from_environment
from engram_desktop.domain.write_access import OWN, WriteAccess
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.keys import KeyMode, KeyStore
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.library.usage import Meter, RequestLog
from engram_desktop.storage.library import foreign_changes
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.settings import Settings
    from engram_desktop.storage.chat.chat_store import ChatStore


logger = logging.getLogger(__name__)


def now_ms() -> int:
    """Return the time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


class Session:
    """An open library. Services hold the session, never `library` or `clients`: see `reopen`."""

    def __init__(self, library: Library, clients: Clients) -> None:
        self.library = library
        self.meter = Meter(lambda: self.library)
        self.requests = RequestLog(lambda: self.library)
        self.clients = clients.metered(self.meter, self.requests)
        self.javascript = JavaScript()  # starts its process when the first script runs
        self._foreign: foreign_changes.ForeignChanges | None = None
        self._leaving: list[Callable[[str | None], object]] = []

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        program: str | None = "Engram",
        clock: Callable[[], int] = now_ms,
        on_key: Callable[[str], object] = str,
        environ: Mapping[str, str] = os.environ,
        access: WriteAccess = OWN,
        steal_lock: bool = False,
        is_safe: bool = False,
    ) -> Self:
        """Open or make the library at ``folder``.

        ``program`` takes the write lock under that name, as ``access`` says; None opens it
        read-only. ``on_key`` receives every API key, so that a log can mask it. ``steal_lock``
        takes over a lock that was left behind; ``is_safe``: see `safe_mode`. Raises LibraryBusy,
        NewerDatabase, DamagedDatabase, StorageError, BadSetting for environment variables.
        """
        overrides = from_environment(environ) | (HELD if is_safe else {})
        library = Library(folder, clock, program=program, access=access, steal_lock=steal_lock)
        library.overrides = overrides
        mode: KeyMode = library.settings().keys_storage  # type: ignore[assignment]  # its choices
        keys = KeyStore(mode, folder, environ=environ, on_key=on_key)
        library.index_token = lambda: keys.get("index")
        return cls(library, Clients(library.settings, keys, environ))

    @property
    def folder(self) -> Path:
        return self.library.folder

    @property
    def has_stopped_imports(self) -> bool:
        """Return whether an import was stopped. Called at each start, so it reads no chat."""
        return bool(self.library.begun.left())

    @property
    def can_write(self) -> bool:
        return self.library.can_write

    def claim(self) -> AbstractContextManager[None]:
        """Hold the write lock for a block. Raises LibraryBusy if another process keeps it."""
        return self.library.lock.claim()

    @contextlib.contextmanager
    def claim_if_free(self) -> Iterator[bool]:
        """Hold the write lock for optional work: yields False if it cannot be had."""
        if not self.can_write:
            yield False
            return
        with self.library.lock.claim_if_free() as is_mine:
            yield is_mine

    def take_foreign(self) -> list[Changes]:
        """Return what other processes changed since the last call. For one thread only."""
        if self._foreign is None:
            self._foreign = foreign_changes.ForeignChanges(self.library)
        changes, deleted = self._foreign.take()
        for chat_id in deleted:
            self.leave(chat_id)
        if any(one.settings and one.chat_id is None for one in changes):
            self.clients.keys.follow(self.library.settings().keys_storage)  # type: ignore[arg-type]
        return changes

    @property
    def is_safe(self) -> bool:
        """Return whether the library is in safe mode, where nothing runs by itself."""
        return HELD.items() <= self.library.overrides.items()

    def chat(self, chat_id: str) -> ChatStore:
        """Return the open store of a chat. Raises NotFound, and errors of opening it."""
        return self.library.chat(chat_id)

    def settings(self, chat_id: str | None = None) -> Settings:
        """Return the settings of the library, or those that hold in one chat."""
        return self.library.settings(chat_id)

    def on_leaving(self, forget: Callable[[str | None], object]) -> None:
        """Call ``forget`` with each chat that leaves the library, and with None if all close."""
        self._leaving.append(forget)

    def leave(self, chat_id: str | None) -> None:
        """Make every service forget its caches of a chat, or of all."""
        for forget in self._leaving:
            forget(chat_id)

    def reopen(self) -> None:
        """Close the library and open what now lies in the same folder."""
        before = self.library
        self._foreign = None
        access = replace(before.access, patience=before.patience)
        self.close()
        self.library = Library(
            before.folder, before.clock, program=before.lock.program, access=access
        )
        self.library.overrides = before.overrides
        self.clients = self.clients.for_settings(self.library.settings)

    def close(self) -> None:
        """Stop the vector worker and close every database."""
        self.leave(None)
        self.javascript.close()
        self.library.lock.hurry(is_hurried=False)  # model calls still have to be counted
        try:
            if self.can_write and self.meter.has_unsaved:
                with self.library.lock.claim(self.library.patience):
                    self.meter.save()
        except LibraryBusy as e:
            logger.error("What models were asked is not counted: %s", e)  # noqa: TRY400 - one line
        finally:
            self.library.close()


class Sharing:
    """The write lock shared with other programs, and their changes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def claim(self) -> AbstractContextManager[None]:
        """Hold the write lock for a block. Raises LibraryBusy if another process keeps it."""
        return self._session.claim()

    def take_foreign(self) -> list[Changes]:
        """Return what other programs changed since the last call. For one thread only."""
        return self._session.take_foreign()

    def on_wait(self, tell: Callable[[str], object]) -> None:
        """Call ``tell`` with the program a write waits for; with "" when it no longer waits."""
        self._session.library.lock.on_wait = tell

    def hurry(self) -> None:
        """Stop waiting for other programs, because this one ends."""
        self._session.library.lock.hurry()

    @property
    def is_held_elsewhere(self) -> bool:
        """Return whether another program holds the write lock now."""
        lock = self._session.library.lock
        return not lock.is_held and not lock.is_free(self._session.folder)

    def occupy(self, program: str) -> None:
        """Register as the only process doing what ``program`` does. Raises LibraryBusy."""
        self._session.library.lock.occupy(program)

    def vacate(self, program: str) -> None:
        """Undo `occupy`, if it was called."""
        self._session.library.lock.vacate(program)


T = TypeVar("T")


class HasSteps(Protocol):
    """A chat or the library: what is written within a step can be undone."""

    def step(self, label: StepLabel, group: int | None = None) -> AbstractContextManager[int]: ...


class OneStep:
    """One undo step for all transactions of a job, which write to a single store.

    If another program writes a step meanwhile, it stays separate, and splits the job's in two.
    ``label`` may change from part to part; the last one is shown. ``group`` is None until something
    was written.
    """

    def __init__(self, store: HasSteps, label: StepLabel, group: int | None = None) -> None:
        """``group``: the undo group to join, None for a new one."""
        self._store = store
        self.label = label
        self.group = group

    def within(self, ctx: JobContext) -> JobContext:
        """Return a context whose transactions are parts of this step."""
        return _Within(ctx, self)

    @contextmanager
    def part(self) -> Iterator[None]:
        """Record what the block writes as part of the step, in one transaction."""
        with self._store.step(self.label, self.group) as joined:
            yield
        self.group = joined

    def do(self, unit: Callable[[], T]) -> T:
        with self.part():
            return unit()


class _Within:
    def __init__(self, ctx: JobContext, step: OneStep) -> None:
        self._ctx = ctx
        self._step = step
        self.report = ctx.report
        self.check = ctx.check
        self.on_cancel = ctx.on_cancel

    def write(self, unit: Callable[[], T]) -> T:
        return self._ctx.write(lambda: self._step.do(unit))
