"""What a running job uses: progress, cancellation, and writing. No Qt.

Also the right of way: long work pauses while somebody waits for an answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol, TypeVar

from engram_desktop.domain.values import dataclass

T = TypeVar("T")
Claim = Callable[[], AbstractContextManager[object]]


class Cancelled(Exception):
    """Raised inside a job when the user asked it to stop."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One progress report. ``total`` is None while the amount of work is unknown."""

    done: int
    total: int | None
    label: str = ""


class JobContext(Protocol):
    """The only connection between a job and the application."""

    def report(self, done: int, total: int | None, label: str = "") -> None:
        """Report progress. Raises Cancelled if the user asked to stop."""

    def check(self) -> None:
        """Raise Cancelled if the user asked to stop. Call between units of work."""

    def on_cancel(self, close: Callable[[], object]) -> None:
        """Call ``close`` from the cancelling thread, to interrupt a blocking read."""

    def write(self, unit: Callable[[], T]) -> T:
        """Run one short unit of writing on the writing thread; returns its result.

        A unit is one transaction and takes at most about 50 ms, so that a click that waits for the
        writer never waits longer than one unit.
        """


class CancelToken:
    """A one-way switch, safe from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._closers: list[Callable[[], object]] = []

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        with self._lock:
            self._event.set()
            closers, self._closers = self._closers, []
        for close in closers:
            close()

    def on_cancel(self, close: Callable[[], object]) -> None:
        with self._lock:
            if not self._event.is_set():
                self._closers.append(close)
                return
        close()

    def check(self) -> None:
        if self._event.is_set():
            raise Cancelled


_ASIDE_SECONDS = 0.5  # longer than an answer takes; a longer wait has another reason


class RightOfWay:
    """Lets long work pause while another thread works for a waiting user.

    The interpreter runs one thread at a time: concurrent embedding doubled the time of an answer.
    Safe from any thread.
    """

    def __init__(self, aside_seconds: float = _ASIDE_SECONDS) -> None:
        self._aside_seconds = aside_seconds
        self._lock = threading.Lock()
        self._first: list[int] = []  # threads with the right of way, once for each time taken
        self._is_clear = threading.Event()
        self._is_clear.set()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Give this thread the right of way while the block runs."""
        own = threading.get_ident()
        with self._lock:
            self._first.append(own)
            self._is_clear.clear()
        try:
            yield
        finally:
            with self._lock:
                self._first.remove(own)
                if not self._first:
                    self._is_clear.set()

    def give(self) -> None:
        """Wait while others have the right of way, up to a limit.

        Call it every few milliseconds.
        """
        if not self._is_clear.is_set() and threading.get_ident() not in self._first:
            self._is_clear.wait(self._aside_seconds)


_PORTION = 1_000  # rows freed before another thread may run: a millisecond or two


def empty_in_portions(rows: list[Any]) -> None:
    """Empty a very long list, to which there is no other reference, in portions.

    Freeing 100,000 events at once stops every other thread for .2 s.
    """
    while rows:
        del rows[-_PORTION:]


class NullContext:
    """For tests and simple callers: no progress, never cancelled, writes done at once.

    ``claim`` is entered around each unit of writing.
    """

    _claim: Claim = nullcontext

    def __init__(self, claim: Claim = nullcontext) -> None:
        self._claim = claim

    def report(self, done: int, total: int | None, label: str = "") -> None: ...
    def check(self) -> None: ...
    def on_cancel(self, close: Callable[[], object]) -> None: ...
    def write(self, unit: Callable[[], T]) -> T:
        with self._claim():
            return unit()
