"""整理记忆 asked for by a companion: it runs on, and is asked how far it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import ConsolidationReport
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext

T = TypeVar("T")
_MOST = 20  # that are remembered after they ended


@dataclass(frozen=True, slots=True)
class Tidying:
    """How far one is. ``report`` is there when it is done, ``failure`` when it could not be."""

    number: int
    line: Line
    done: int = 0
    total: int | None = None
    report: ConsolidationReport | None = None
    failure: KnownError | None = None

    @property
    def is_running(self) -> bool:
        return self.report is None and self.failure is None


class Tidyings:
    """What was asked for since the server started. Safe from any thread."""

    def __init__(self) -> None:
        self._by_number: dict[int, Tidying] = {}
        self._lock = threading.Lock()
        self._last = 0

    def begin(self, line: Line) -> tuple[Tidying, bool]:
        """Return the one that runs for a line, or a new one, and whether it is new."""
        with self._lock:
            for one in self._by_number.values():
                if one.line == line and one.is_running:
                    return one, False
            self._last += 1
            new = self._by_number[self._last] = Tidying(self._last, line)
            ended = [n for n, one in self._by_number.items() if not one.is_running]
            for number in ended[:-_MOST]:
                del self._by_number[number]
            return new, True

    def get(self, number: int) -> Tidying | None:
        with self._lock:
            return self._by_number.get(number)

    def put(self, tidying: Tidying) -> None:
        with self._lock:
            self._by_number[tidying.number] = tidying


class ReportingContext:
    """A job that says how far it is to ``on_report`` too."""

    def __init__(self, inner: JobContext, on_report: Callable[[int, int | None], object]) -> None:
        self._inner = inner
        self._on_report = on_report

    def report(self, done: int, total: int | None, label: str = "") -> None:
        self._on_report(done, total)
        self._inner.report(done, total, label)

    def check(self) -> None:
        self._inner.check()

    def on_cancel(self, close: Callable[[], object]) -> None:
        self._inner.on_cancel(close)

    def write(self, unit: Callable[[], T]) -> T:
        return self._inner.write(unit)
