"""An open library: databases, the clients of its endpoints, and the meter, shared by all services.

Also undo steps of jobs, and how several programs share a library (ADR 51).
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, Self, TypeVar, get_args

from engram_desktop.domain.changes import StepLabel
from engram_desktop.domain.errors import LibraryBusy, NotConfigured
from engram_desktop.domain.settings import HELD, Settings, from_environment
from engram_desktop.domain.write_access import OWN, WriteAccess
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.jobs.context import JobContext, RightOfWay
from engram_desktop.llm import client
from engram_desktop.llm import endpoint as endpoints
from engram_desktop.llm.embedding import http_embedder, local_embedder
from engram_desktop.llm.keys import KeyMode, KeyStore
from engram_desktop.services.library.usage import Meter, RequestLog
from engram_desktop.storage.library import foreign_changes
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.pipeline.prompt_template import ModelOverride
    from engram_desktop.domain.settings import Settings
    from engram_desktop.llm.client import CallRecord, OnCall
    from engram_desktop.llm.embedding.local_embedder import Embedder, LocalName
    from engram_desktop.llm.endpoint import Endpoint
    from engram_desktop.storage.chat.chat_store import ChatStore

# The clients of the endpoints that a library is configured for, opened when first needed.
# Environment variables take precedence over settings, and are never stored.


def open_embedder(
    endpoint: Endpoint | None, local: LocalName = "use", way: RightOfWay | None = None
) -> Embedder:
    """Return the embedder of an endpoint, or the built-in one if there is none.

    The built-in one pauses while another holder has the right of ``way``.
    """
    if endpoint is not None:
        return http_embedder.HttpEmbedder(client.Client(endpoint))
    return local_embedder.HashEmbedder() if local == "hash" else local_embedder.LocalEmbedder(way)


RERANK_TIMEOUT_S = 10.0  # the player waits for the reply

EndpointName = Literal["llm", "embed", "rerank"]


class Clients:
    """Makes clients from settings, keys and environment; reuses them while these stay the same."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        keys: KeyStore,
        environ: Mapping[str, str] = os.environ,
        meter: Meter | None = None,
        log: RequestLog | None = None,
        way: RightOfWay | None = None,
    ) -> None:
        self.way = way or RightOfWay()
        self._settings = settings
        self._meter = meter
        self._log = log
        self.keys = keys
        self._environ = environ
        self._clients: dict[str, tuple[object, client.Client]] = {}
        self._embedder: tuple[object, Embedder] | None = None
        self._older: tuple[object, Embedder] | None = None
        self._reranker: tuple[object, http_embedder.Reranker] | None = None
        self._lock = threading.Lock()

    def for_settings(self, settings: Callable[[], Settings]) -> Clients:
        """Return clients with the same keys and environment, for other settings."""
        return Clients(settings, self.keys, self._environ, self._meter, self._log, self.way)

    def metered(self, meter: Meter, log: RequestLog) -> Clients:
        """Return clients counted by ``meter``, held to its limit and recorded in ``log``."""
        return Clients(self._settings, self.keys, self._environ, meter, log, self.way)

    @property
    def proxy(self) -> str:
        """Return the proxy setting in the form that `Endpoint` takes."""
        settings = self._settings()
        return settings.net_proxy_url if settings.net_proxy == "own" else settings.net_proxy

    def base_url(self, name: EndpointName) -> str:
        """Return the configured base URL, "" if there is none."""
        url = self._environ.get(f"ENGRAM_{name.upper()}_BASE_URL", "").strip()
        return url or str(self._settings().get(f"{name}.base_url"))

    def model(self, name: EndpointName) -> str:
        model = self._environ.get(f"ENGRAM_{name.upper()}_MODEL", "").strip()
        return model or str(self._settings().get(f"{name}.model"))

    def endpoint(self, name: EndpointName) -> Endpoint | None:
        """Return an endpoint; None if it is not configured. Raises BadEndpoint, BadKey."""
        url = self.base_url(name)
        if not url:
            return None
        timeout = float(self._settings().llm_timeout)
        return endpoints.Endpoint(url, self.model(name), self.keys.get(name), timeout, self.proxy)

    def has_llm(self) -> bool:
        return bool(self.base_url("llm"))

    def llm(
        self, task: str, on_call: OnCall, override: ModelOverride | None = None
    ) -> client.Client:
        """Return a chat client that reports to ``on_call``. Raises NotConfigured.

        ``task`` names the purpose in the log of requests. What one client learned about its server
        is passed on to the next. Every request is counted towards the daily limit.
        """
        endpoint = self.endpoint("llm")
        if endpoint is not None and override is not None:
            endpoint = _overridden(endpoint, override)
        if endpoint is None or not endpoint.model:
            raise NotConfigured(task="chat")
        name = f"llm {override}" if override else "llm"
        with self._lock:
            entry = self._clients.get(name)
            if entry is None or entry[0] != endpoint:
                entry = (endpoint, client.Client(endpoint))
                self._clients[name] = entry
            learned = entry[1].learned
        meter = self._meter
        if meter is None:
            return client.Client(endpoint, on_call, learned=learned)

        def counted(call: CallRecord) -> None:
            meter.record(call)
            if self._log is not None:
                self._log.add(task, call)
            on_call(call)

        return client.Client(endpoint, counted, learned=learned, admit=meter.admit)

    def reranker(self) -> http_embedder.Reranker | None:
        """Return the reranker; None if none is configured. Raises BadEndpoint, BadKey."""
        endpoint = self.endpoint("rerank")
        if endpoint is None:
            return None
        with self._lock:
            if self._reranker is None or self._reranker[0] != endpoint:
                short = replace(endpoint, timeout=min(RERANK_TIMEOUT_S, endpoint.timeout))
                self._reranker = (
                    endpoint,
                    http_embedder.Reranker(client.Client(short, retry=client.Retry(attempts=1))),
                )
            return self._reranker[1]

    def embedder(self) -> Embedder:
        """Return the embedder in use: that of the configured endpoint, or the built-in one."""
        endpoint = self.endpoint("embed")
        local = self._settings().embed_local
        key = (endpoint, local)
        with self._lock:
            if self._embedder is None or self._embedder[0] != key:
                self._embedder = (
                    key,
                    open_embedder(endpoint, "hash" if local == "hash" else "use", self.way),
                )
            return self._embedder[1]

    def older_embedder(self, model_id: str) -> Embedder | None:
        """Return the embedder of an earlier setting by its model id; None if it cannot be opened.

        Built-in ones always can be; one of a server only while the same server is configured.
        """
        model, _at, host = model_id.rpartition("@")
        endpoint = None
        if model_id not in _local_names():
            endpoint = self.endpoint("embed")
            if endpoint is None or endpoint.host != host:
                return None
            endpoint = replace(endpoint, model=model)
        key = (model_id, endpoint)
        with self._lock:
            if self._older is None or self._older[0] != key:
                local = _local_names().get(model_id, "use")
                self._older = (key, open_embedder(endpoint, local, self.way))
            return self._older[1]


@functools.cache
def _local_names() -> dict[str, LocalName]:
    """Return the built-in embedders by the model id of their vectors."""
    return {open_embedder(None, name).model_id: name for name in get_args(local_embedder.LocalName)}


def _overridden(endpoint: Endpoint, override: ModelOverride) -> Endpoint:
    """Apply an override of a task; the API key is dropped if it names another server."""
    other = replace(endpoint, model=override.model or endpoint.model)
    if override.base_url:
        other = replace(other, base_url=override.base_url)
    return other if other.origin == endpoint.origin else replace(other, key="")


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
