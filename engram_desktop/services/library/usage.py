"""What calls to models cost, and which requests were made."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import DailyCapReached, StorageError
from engram_desktop.domain.pipeline import usage
from engram_desktop.domain.text import moment
from engram_desktop.jobs.context import Cancelled, JobContext
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.llm.client import CallRecord
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore


class UsageService:
    """Costs of models, by day, and the share of the daily limit that is spent."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def rows(self, chat_id: str | None = None) -> list[usage.UsageRow]:
        """Return calls and costs by local day, task and model.

        ``chat_id`` None: of all chats; a chat that cannot be opened is left out, since the check of
        the library reports it.
        """
        library, settings = self._session.library, self._session.settings()
        chat_ids = [row[0] for row in library.chat_rows()] if chat_id is None else [chat_id]
        sums: dict[tuple[str, str, str], usage.UsageRow] = {}
        for chat in chat_ids:
            try:
                rows = library.chat(chat).ledger.usage()
            except StorageError as e:
                logger.warning("The calls of chat %s are not counted: %s", chat, e)
                continue
            for row in rows:
                key = (row.day, row.task, row.model)
                sums[key] = row if key not in sums else _sum(sums[key], row)
        priced = [
            replace(row, cost=usage.cost(settings, row.prompt_tokens, row.completion_tokens))
            for row in sums.values()
        ]
        return sorted(priced, key=lambda r: (r.day, r.task, r.model), reverse=True)

    def requests(self) -> list[usage.ModelCall]:
        """Return the newest requests to models since the program started, the newest first."""
        return self._session.requests.newest()

    @property
    def request_count(self) -> int:
        """Return how many requests there were since the program started."""
        return self._session.requests.count

    def today(self) -> usage.DayUsage:
        """Return what was spent of today's limit, in the whole library."""
        return self._session.meter.today()


logger = logging.getLogger(__name__)


def local_day(at: int) -> str:
    """Return the local day of a time in milliseconds, as YYYY-MM-DD."""
    return moment.local_moment(at).date().isoformat()


class Meter:
    """Counts the tokens of a library by local day. Safe from any thread.

    It refuses a request that would exceed the daily limit before the request is sent. Recording
    does not block: calls are stored with the next short transaction.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._unsaved: dict[str, usage.DayUsage] = {}
        self._under_way = 0  # tokens of requests without an answer yet

    def today(self) -> usage.DayUsage:
        library = self._library()
        day = local_day(library.clock())
        with self._lock:
            more = self._unsaved.get(day, usage.DayUsage())
            return library.usage(day).plus(more.calls, more.prompt_tokens, more.completion_tokens)

    @property
    def is_capped(self) -> bool:
        """Return whether the daily limit is reached."""
        cap = self._library().settings().llm_daily_tokens
        return 0 < cap <= self.today().tokens

    @contextlib.contextmanager
    def admit(self, tokens: int) -> Iterator[None]:
        """Reserve about ``tokens`` for one request in the block. Raises DailyCapReached."""
        cap = self._library().settings().llm_daily_tokens
        used = self.today().tokens if cap else 0
        with self._lock:
            if cap and used + self._under_way + tokens > cap:
                raise DailyCapReached(cap=f"{cap:,}", used=f"{used:,}", wanted=f"{tokens:,}")
            self._under_way += tokens
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= tokens

    def record(self, call: CallRecord) -> None:
        """Count one call; `save` stores it."""
        day = local_day(self._library().clock())
        with self._lock:
            self._unsaved[day] = self._unsaved.get(day, usage.DayUsage()).plus(
                1, call.prompt_tokens, call.completion_tokens
            )

    @property
    def has_unsaved(self) -> bool:
        return bool(self._unsaved)

    def save(self) -> None:
        """Store what was recorded; to be called where writes are done."""
        library = self._library()
        with self._lock:
            for day in list(self._unsaved):
                library.add_usage(day, self._unsaved[day])
                del self._unsaved[day]


class CallRecorder:
    """Collects the calls of one job: totals, and rows for the ledger, stored by `write`."""

    def __init__(self, store: ChatStore, ctx: JobContext, meter: Meter, task: str) -> None:
        self._store = store
        self._ctx = ctx
        self._meter = meter
        self._task = task
        self._unsaved: list[tuple[int, CallRecord]] = []
        self.calls = 0  # answered requests
        self.prompt_tokens = 0
        self.completion_tokens = 0

    def record(self, call: CallRecord) -> None:
        """Count one request; used as the ``on_call`` of a client."""
        self._unsaved.append((self._store.clock(), call))
        self.calls += call.is_ok
        self.prompt_tokens += call.prompt_tokens
        self.completion_tokens += call.completion_tokens

    def write(self) -> None:
        """Store what is not stored yet, inside a transaction."""
        calls, self._unsaved = self._unsaved, []
        for at, call in calls:
            tokens = (call.prompt_tokens, call.completion_tokens)
            self._store.ledger.add_call(
                at, self._task, call.model, tokens, call.elapsed_ms, call.error
            )
        self._meter.save()

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Store every call of the block, however it ends."""
        try:
            yield
        finally:
            if self._unsaved:
                try:
                    self._ctx.write(self.write)
                except Cancelled:  # a cancelled context would not write; the lock keeps the order
                    self.write()


def _sum(one: usage.UsageRow, other: usage.UsageRow) -> usage.UsageRow:
    return replace(
        one,
        calls=one.calls + other.calls,
        failed=one.failed + other.failed,
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
    )


_HELD = 100  # requests: the last of a long run; about 20 MB if each fills a context
_MOST_TEXT = 200_000  # characters kept of a request and of an answer: a model's full context


class RequestLog:
    """The newest requests to models, in memory only. Safe from any thread; `add` never blocks."""

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._calls: deque[usage.ModelCall] = deque(maxlen=_HELD)
        self._count = 0

    def add(self, task: str, call: CallRecord) -> None:
        settings, at = self._library().settings(), self._library().clock()
        with self._lock:
            self._count += 1
            self._calls.append(
                usage.ModelCall(
                    self._count,
                    at,
                    task,
                    call.model,
                    call.host,
                    call.prompt_tokens,
                    call.completion_tokens,
                    call.elapsed_ms,
                    call.request[:_MOST_TEXT],
                    call.answer[:_MOST_TEXT],
                    call.error,
                    call.is_estimate,
                    usage.cost(settings, call.prompt_tokens, call.completion_tokens),
                )
            )

    def newest(self) -> list[usage.ModelCall]:
        """Return the requests held, the newest first."""
        with self._lock:
            return list(reversed(self._calls))

    @property
    def count(self) -> int:
        """Return how many requests there were; if the number is the same, nothing is new."""
        return self._count
