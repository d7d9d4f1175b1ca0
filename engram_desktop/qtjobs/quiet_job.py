"""A background job that runs a moment after the last request: the base of what derives data.

Never two at once: a request during a run starts another run. The same error is reported once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.handle import JobHandle, Jobs, Lane

PAUSE_MS = 1500


class QuietJob(QObject):
    """`want` requests a run: it does what `_next_work` returns and hands on to `_take_answer`."""

    failed = Signal(object)  # Exception

    def __init__(self, jobs: Jobs, lane: Lane, rest: int, parent: QObject | None = None) -> None:
        """``rest``: pause at least so many times as long as it worked."""
        super().__init__(parent)
        self._jobs = jobs
        self._lane: Lane = lane
        self._rest = rest
        self.title = ""
        self.is_held = False  # in safe mode nothing runs by itself
        self._job: JobHandle | None = None
        self._last_error = ""
        self._work_time = QElapsedTimer()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._run)

    def want(self) -> None:
        """Run after a pause; every further request begins the pause anew."""
        if not self.is_held:
            self._pause.start()

    def stop(self) -> None:
        """Start no more jobs."""
        self._pause.stop()

    @abstractmethod
    def _next_work(self) -> Callable[[JobContext], Any] | None:
        """Take the work that waits; None if there is none. What is taken counts as begun."""

    @abstractmethod
    def _is_waiting(self) -> bool:
        """Whether there is more to do."""

    @abstractmethod
    def _take_answer(self, answer: Any) -> None:
        """Use what the work returned."""

    @Slot()
    def _run(self) -> None:
        if self._job is not None:
            return
        work = self._next_work()
        if work is None:
            return
        self._work_time.start()
        self._job = self._jobs.submit(self.title, work, lane=self._lane, background=True)
        self._job.succeeded.connect(self._on_succeeded)
        self._job.failed.connect(self._on_failed)
        self._job.finished.connect(self._on_finished)

    @Slot(object)
    def _on_succeeded(self, answer: object) -> None:
        self._last_error = ""
        self._take_answer(answer)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if str(error) != self._last_error:
            self._last_error = str(error)
            self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        self._pause.setInterval(max(PAUSE_MS, self._rest * self._work_time.elapsed()))
        if self._is_waiting():
            self._pause.start()
