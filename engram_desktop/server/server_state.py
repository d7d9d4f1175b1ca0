"""What the parts of the server share: the memory, worker threads, exchanges, and reading ahead.

The event loop never waits for the library: all access to it runs through `ServerState.work`.

Reading ahead: while the player reads the reply, what the next prompt of the line needs is read. A
reply changes its message, its vectors and what the pipeline makes of it; these are read again once
nothing has changed for a moment. A request that comes meanwhile goes first.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from engram_desktop.domain.errors import KnownError, LibraryBusy, StorageError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.serving.exchange import Exchange
from engram_desktop.domain.serving.headroom import ModelBounds
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import Cancelled, CancelToken, JobContext
from engram_desktop.server.models import AsksItself, Chosen, all_of, choose

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.serving.identity import Upstream
    from engram_desktop.domain.settings import Settings
    from engram_desktop.llm.endpoint import Endpoint
    from engram_desktop.server.access import Gate
    from engram_desktop.services.memory import Memory


_LOG = logging.getLogger(__name__)
_TICK_SECONDS = 0.25  # between looks; after a change, this long must pass without another
_LOOKS = 2_400  # looks at a line that is no longer played: ten minutes
_LINES = 3  # lines played in turn: with more, cached data would be dropped before it is used


@dataclass(slots=True)
class _Played:
    """The next speaker and newest floor of a line; the revisions seen and read last."""

    speaker: str
    floor: int
    seen: int = -1
    ready: int = -1
    looks: int = 0


class ReadingAhead:
    """Reads ahead for the lines played last.

    Call `played` on any thread, the rest on the server's.
    """

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self._lines: OrderedDict[Line, _Played] = OrderedDict()
        self._answered: Counter[Line] = Counter()
        self._paused = 0
        self._reading: asyncio.Task[None] | None = None

    def played(self, line: Line, speaker: str, floor: int) -> None:
        """Note that a line has reached ``floor``, and who will probably speak next."""
        self._lines[line] = _Played(speaker, floor)
        self._lines.move_to_end(line)
        while len(self._lines) > _LINES:
            self._lines.popitem(last=False)

    @property
    def lines(self) -> list[Line]:
        """The lines that are kept ready, the one played last at the end."""
        return list(self._lines)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Read nothing while a request runs; interrupted reading is resumed at a later look."""
        self._paused += 1
        self._stop()
        try:
            yield
        finally:
            self._paused -= 1

    def begin_answer(self, line: Line) -> None:
        """Read nothing for a line until `end_answer`, since its reply changes what is read."""
        self._answered[line] += 1

    def end_answer(self, line: Line) -> None:
        self._answered[line] -= 1
        self._answered += Counter()  # drops the lines whose count is 0

    def _stop(self) -> None:
        if self._reading is not None:
            self._reading.cancel()

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        watch = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watch.cancel()
            self._stop()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            for line, played in list(self._lines.items()):
                if self._paused or line in self._answered:
                    continue
                self._reading = asyncio.create_task(self._look(line, played))
                await asyncio.wait([self._reading])
                if not self._reading.cancelled() and (error := self._reading.exception()):
                    self._lines.pop(line, None)  # the next request for it reports the error
                    if not isinstance(error, KnownError | Cancelled):
                        _LOG.error("reading ahead failed", exc_info=error)

    async def _look(self, line: Line, played: _Played) -> None:
        played.looks += 1
        if played.looks > _LOOKS:
            self._lines.pop(line, None)
            return
        serving = self._state.memory.serving
        revision = await self._state.work(lambda _ctx: serving.revision(line))
        is_still, played.seen = revision == played.seen, revision
        if not is_still or revision == played.ready:
            return

        def read(ctx: JobContext) -> None:
            serving.warm_line(ctx, line, played.speaker, played.floor)

        await self._state.work(read)
        played.ready = revision


_T = QT_TRANSLATE_NOOP
FAILED = _T("reports", "Memory failed here; the log says how.")
T = TypeVar("T")
_LEARNED_SECONDS = 1_800.0  # then it is asked again: a refusal costs nothing
_MODELS = 64  # whose limits are remembered: nobody uses more between two starts
_WORKERS = 4  # worker threads: the interpreter runs one at a time, the others wait for disks


class ServedContext:
    """The context of a job of the server: cancellable, writing where the program writes."""

    def __init__(self, inner: JobContext, token: CancelToken) -> None:
        self._inner = inner
        self.token = token

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self.token.check()
        self._inner.report(done, total, label)

    def check(self) -> None:
        self.token.check()
        self._inner.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self.token.on_cancel(close)
        self._inner.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        self.token.check()
        return self._inner.write(unit)


class KeepingContext(ServedContext):
    """The context for keeping messages: it waits for another program as long as the server runs."""

    def __init__(
        self, inner: JobContext, token: CancelToken, on_error: Callable[[KnownError], object]
    ) -> None:
        super().__init__(inner, token)
        self._on_error = on_error

    @override
    def write(self, unit: Callable[[], T]) -> T:
        while True:
            try:
                return super().write(unit)
            except LibraryBusy as busy:
                self._on_error(busy)


class ServerState:
    """The state shared by all requests; lives as long as the server runs.

    ``contexts`` makes the context of a job, whose ``write`` decides on which thread units are
    written. ``gate`` limits what is accepted at once. ``on_changes`` receives what was written,
    ``on_grown`` each line with new messages. ``on_show`` raises the window, at a line if one is
    given; it returns whether there is a window.
    """

    def __init__(
        self,
        memory: Memory,
        contexts: Callable[[], JobContext],
        exchanges: Exchanges,
        on_changes: Callable[[Changes], object],
        on_grown: Callable[[Line], object],
        gate: Gate,
        on_show: Callable[[Line | None], bool] = lambda _line: False,
    ) -> None:
        self.memory = memory
        self.exchanges = exchanges
        self.on_changes = on_changes
        self.on_grown = on_grown
        self.gate = gate
        self.on_show = on_show
        self.trouble: Phrase | str = ""  # the current error of the library, as far as known
        self.is_own: Callable[[str], bool] = lambda _url: False  # whether a URL is this server's
        # By model, with the time it was learned.
        self._bounds: OrderedDict[str, tuple[float, ModelBounds]] = OrderedDict()
        self._known: dict[object, Any] = {}  # values read last, for when the library cannot be read
        self.is_closed = False  # afterwards the library may be closed, and late jobs fail
        self._contexts = contexts
        self._workers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="engram-serve")
        # One thread keeps messages, in the order in which they came.
        self._keeper = ThreadPoolExecutor(1, thread_name_prefix="engram-keep")
        self._running: set[ServedContext] = set()
        self._keeping: set[Future[Any]] = set()
        self.ahead = ReadingAhead(self)
        self._during: list[AbstractAsyncContextManager[object]] = [self.ahead.watching()]
        self._open: set[asyncio.Task[None]] = set()

    def settings(self) -> Settings:
        """Return the library's settings; the last known ones if it cannot be read."""
        return self._last_known("settings", self.memory.settings.read)

    def endpoints(self) -> list[tuple[Upstream | None, Endpoint]]:
        """Return every endpoint that is offered, as `models.all_of` does."""
        return self._last_known("endpoints", lambda: all_of(self.memory))

    def chosen(self, model: str, *, embeds: bool) -> Chosen:
        """Choose the endpoint of a model, as `models.choose` does. Also raises AsksItself."""
        chosen = self._last_known(
            (model, embeds), lambda: choose(self.memory, model, embeds=embeds)
        )
        if self.is_own(chosen.endpoint.base_url):
            raise AsksItself(url=chosen.endpoint.base_url)
        return chosen

    def bounds(self, model: str, settings: Settings) -> ModelBounds:
        """Return the limits of a model's server, as far as learned or set."""
        at, known = self._bounds.get(model, (0.0, ModelBounds()))
        if time.monotonic() - at > _LEARNED_SECONDS:
            known = ModelBounds()
        said = [n for n in (known.tokens, settings.serve_context) if n]
        return replace(known, tokens=min(said, default=0))

    def learn(self, model: str, bounds: ModelBounds) -> None:
        """Remember the limits of a model's server for half an hour, as it may restart with more."""
        self._bounds[model] = time.monotonic(), bounds
        self._bounds.move_to_end(model)
        while len(self._bounds) > _MODELS:
            self._bounds.popitem(last=False)

    def _last_known(self, what: object, read: Callable[[], T]) -> T:
        """Read a value that a request needs; if the library fails, return the last known one.

        Raises the error of ``read`` if the library is not at fault, or if no value is known.
        """
        try:
            value = read()
        except Exception as error:
            is_ours = isinstance(error, KnownError) and not isinstance(error, StorageError)
            if is_ours or what not in self._known:
                raise
            self.note_trouble(error)
            known: T = self._known[what]
            return known
        self._known[what] = value
        return value

    def note_trouble(self, error: BaseException) -> Phrase | str:
        """Store and return the library's error: answers report it until something is kept again."""
        trouble = error.phrase if isinstance(error, KnownError) else Phrase(FAILED)
        if not isinstance(error, KnownError) and trouble != self.trouble:
            _LOG.error("the library cannot be used", exc_info=error)
        self.trouble = trouble
        return trouble

    def during(self, part: AbstractAsyncContextManager[object]) -> None:
        """Enter ``part`` when the server starts, and leave it when it ends."""
        self._during.append(part)

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for part in self._during:
                await stack.enter_async_context(part)
            yield

    def context(self) -> ServedContext:
        """Make a context that `close` cancels."""
        return ServedContext(self._contexts(), CancelToken())

    async def work_first(self, job: Callable[[JobContext], T], *, seconds: float) -> T:
        """As `work`, for a request that waits: background embedding pauses meanwhile."""
        way = self.memory.session.clients.way

        def first(ctx: JobContext) -> T:
            with way.taken():
                return job(ctx)

        return await self.work(first, seconds=seconds)

    async def work(self, job: Callable[[JobContext], T], *, seconds: float | None = None) -> T:
        """Run a job on a worker thread; returns its result. Raises TimeoutError.

        A late job is cancelled: it ends at its next check, and does not start if it still waits.
        """
        ctx = self.context()
        future = self._workers.submit(self._run, ctx, job)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(future)
        finally:
            ctx.token.cancel()

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Pause reading ahead, garbage collection and embedding during a request.

        Collecting garbage with all objects of a chat of 10,000 floors takes .2 s.
        """
        collects = gc.isenabled()
        gc.disable()
        try:
            with self.ahead.paused(), self.memory.session.clients.way.taken():
                yield
        finally:
            if collects:
                gc.enable()

    def begin(self, job: Callable[[JobContext], object]) -> Future[object]:
        """Start a job that nobody waits for; its errors are logged."""
        future = self._workers.submit(self._run, self.context(), job)
        future.add_done_callback(self._log)
        return future

    def keep(self, job: Callable[[JobContext], T]) -> Future[T]:
        """Queue a job on the thread that keeps messages."""
        ctx = KeepingContext(self._contexts(), CancelToken(), self.note_trouble)
        future = self._keeper.submit(self._run, ctx, job)
        self._keeping.add(future)
        future.add_done_callback(self._keeping.discard)
        return future

    @property
    def waiting_to_be_kept(self) -> int:
        return len(self._keeping)

    async def wait_until_stored(self, seconds: float) -> None:
        """Wait until what is being kept now is kept, for at most ``seconds``."""
        waiting = list(self._keeping)
        if waiting:
            await asyncio.to_thread(concurrent.futures.wait, waiting, seconds)

    def track(self, task: asyncio.Task[None]) -> None:
        """Register a running request, so that `end_open` can cancel it."""
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    def end_open(self) -> None:
        """Cancel every running request. On the server's thread only."""
        for task in list(self._open):
            task.cancel()

    def close(self, seconds: float) -> None:
        """Cancel running jobs; what waits to be kept gets ``seconds``.

        Does not wait for readers.
        """
        for ctx in list(self._running):
            ctx.token.cancel()
        self._workers.shutdown(wait=False, cancel_futures=True)
        concurrent.futures.wait(list(self._keeping), seconds)
        self.is_closed = True
        self._keeper.shutdown(wait=False, cancel_futures=True)
        for ctx in list(self._running):
            ctx.token.cancel()

    def join(self) -> None:
        """Wait until nothing here uses the library any more, so that it may be closed."""
        self._workers.shutdown(wait=True)
        self._keeper.shutdown(wait=True)

    def _log(self, future: Future[object]) -> None:
        error = None if future.cancelled() else future.exception()
        if error and not isinstance(error, Cancelled | KnownError) and not self.is_closed:
            _LOG.error("a job of the memory server failed", exc_info=error)

    def _run(self, ctx: ServedContext, job: Callable[[JobContext], T]) -> T:
        self._running.add(ctx)
        try:
            ctx.token.check()
            return job(ctx)
        finally:
            self._running.discard(ctx)


def now_ms() -> int:
    """Return milliseconds since 1970, as used for the start of an exchange."""
    return time.time_ns() // 1_000_000


# The newest requests that went through the server, for the page and later callers. Bodies contain a
# user's story: they are kept in memory only, for the newest requests, within a limit.


_MOST = 500  # exchanges held: some hours of play, half a kB each without their bodies
_WITH_BODIES = 50  # the newest ones, kept with their bodies: readers look at the last few
_MOST_BODIES = 32_000_000  # characters of all bodies together; one of 100,000 floors has some MB

OnExchange = Callable[[Exchange], object]


def ignore_exchange(exchange: Exchange) -> None:
    """Ignore the exchange, for a server without a page."""
    del exchange


class Exchanges:
    """A ring of exchanges by number. Safe from any thread.

    ``on_exchange`` is called for every change, on the thread that made it, and must return at once.
    Its errors are logged: no reply is lost because a page cannot show it.
    """

    def __init__(self, on_exchange: OnExchange = ignore_exchange) -> None:
        self._on_exchange = on_exchange
        self._lock = threading.Lock()
        self._by_number: OrderedDict[int, Exchange] = OrderedDict()
        self._sizes: OrderedDict[int, int] = OrderedDict()  # of exchanges with bodies
        self._last = 0

    def begin(self, at: int, path: str, **fields: object) -> Exchange:
        """Add an exchange; returns it with its number."""
        with self._lock:
            self._last += 1
            exchange = Exchange(self._last, at, path, **fields)  # type: ignore[arg-type]
            self._keep(exchange)
        self._tell(exchange)
        return exchange

    def change(self, number: int, **fields: object) -> Exchange | None:
        """Change an exchange; returns None if it is no longer held."""
        with self._lock:
            exchange = self._by_number.get(number)
            if exchange is None:
                return None
            exchange = replace(exchange, **fields)  # type: ignore[arg-type]
            self._keep(exchange)
            exchange = self._by_number[number]
        self._tell(exchange)
        return exchange

    def get(self, number: int) -> Exchange | None:
        """Return an exchange, or None if it is no longer held."""
        with self._lock:
            return self._by_number.get(number)

    def newest(self, count: int = _MOST) -> list[Exchange]:
        """Return the newest exchanges, the newest first."""
        with self._lock:
            numbers = sorted(self._by_number, reverse=True)[:count]
            return [self._by_number[number] for number in numbers]

    def _keep(self, exchange: Exchange) -> None:
        number = exchange.number
        self._by_number[number] = exchange
        size = len(exchange.before) + len(exchange.after)
        if size:
            self._sizes[number] = size
        while len(self._sizes) > _WITH_BODIES or sum(self._sizes.values()) > _MOST_BODIES:
            oldest, _size = self._sizes.popitem(last=False)
            bare = replace(self._by_number[oldest], before="", after="")
            self._by_number[oldest] = bare
        while len(self._by_number) > _MOST:
            gone, _exchange = self._by_number.popitem(last=False)
            self._sizes.pop(gone, None)

    def _tell(self, exchange: Exchange) -> None:
        try:
            self._on_exchange(exchange)
        except Exception:  # noqa: BLE001 - logged; see the class
            _LOG.exception("an exchange could not be shown")
