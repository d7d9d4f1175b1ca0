"""The GUI's handle of a job, and the interface of what runs jobs.

A handle lives on the GUI thread and is emitted there only. After ``finished`` its C++ part is
deleted; `JobHandle.cancel` stays legal, Qt methods on it are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from engram_desktop.jobs.context import CancelToken, JobContext

Lane = Literal["write", "network", "interactive", "follow", "play"]
Work = Callable[[JobContext], Any]


class JobHandle(QObject):
    """One submitted job. A job without a title is a look-up that no task list shows."""

    started = Signal()
    progressed = Signal(object)  # Progress
    succeeded = Signal(object)  # the job's return value
    failed = Signal(object)  # Exception
    cancelled = Signal()
    finished = Signal()  # always last, exactly once

    def __init__(self, job_id: int, title: str, lane: Lane, *, is_background: bool = False) -> None:
        # No parent: a listener may hold the last reference to the runner, and a handle's end would
        # then delete its own parent in the middle of being deleted itself.
        super().__init__()
        self.job_id = job_id
        self.title = title
        self.lane = lane
        self.is_background = is_background  # nobody asked for it: it gives way
        self.token = CancelToken()

    def cancel(self) -> None:
        self.token.cancel()

    def end(self, outcome: str, value: object) -> None:
        """Emit how it ended, then `finished`. For runners only."""
        match outcome:
            case "succeeded":
                self.succeeded.emit(value)
            case "failed":
                self.failed.emit(value)
            case _:
                self.cancelled.emit()
        self.finished.emit()
        self.deleteLater()


class Jobs(QObject):
    """Runs jobs: `JobRunner` on threads, in tests a runner that runs them on request."""

    submitted = Signal(object)  # JobHandle
    idle = Signal()

    @property
    def is_idle(self) -> bool:
        raise NotImplementedError

    def submit(
        self, title: str, work: Work, *, lane: Lane = "write", background: bool = False
    ) -> JobHandle:
        """Queue ``work`` on ``lane``. Connect to the handle in the same turn: nothing is missed."""
        raise NotImplementedError

    def guest(self) -> JobContext:
        """Make a context for a thread that is no lane's; it writes where jobs write.

        Its ``write`` raises Cancelled once the lanes have ended. Safe from any thread.
        """
        raise NotImplementedError
