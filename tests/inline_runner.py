"""A runner without threads: a test decides when the work happens."""

from __future__ import annotations

import itertools
from collections import deque

from PySide6.QtCore import QObject
from typing_extensions import override

from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.qtjobs.runner import JobHandle, Jobs, Lane, Work


class InlineRunner(Jobs):
    """Queues jobs and runs them in order, on the calling thread, when told to."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ids = itertools.count(1)
        self._queue: deque[tuple[JobHandle, Work]] = deque()

    @property
    @override
    def is_idle(self) -> bool:
        return not self._queue

    @override
    def submit(
        self, title: str, work: Work, *, lane: Lane = "write", background: bool = False
    ) -> JobHandle:
        handle = JobHandle(next(self._ids), title, lane, is_background=background)
        self._queue.append((handle, work))
        self.submitted.emit(handle)
        return handle

    @override
    def guest(self) -> NullContext:
        return NullContext()

    def run_pending(self) -> None:
        """Run every queued job now, including jobs those jobs submit."""
        while self._queue:
            handle, work = self._queue.popleft()
            if handle.token.is_cancelled:
                handle.end("cancelled", None)
                continue
            handle.started.emit()
            try:
                result = work(NullContext())
            except Cancelled:
                handle.end("cancelled", None)
            except Exception as exc:  # noqa: BLE001 - handed to whoever submitted the job
                handle.end("failed", exc)
            else:
                handle.end("succeeded", result)
        self.idle.emit()
