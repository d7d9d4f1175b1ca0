"""Requests for something to be read, of which only the newest is answered.

A newer request cancels the older one, and the older one's answer or error is dropped.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.qtjobs.handle import JobHandle, Jobs, Lane, Work


class NewestAnswer(QObject):
    """Work runs on a lane, signals come on the GUI thread. Its parent may be freed any time."""

    answered = Signal(object)  # what the work returned
    failed = Signal(object)  # Exception
    busy_changed = Signal(bool)
    ended = Signal()  # the newest question has come to its end, whichever

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: JobHandle | None = None

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def ask(self, work: Work, *, lane: Lane = "interactive") -> None:
        """Ask this in place of the request that is running."""
        was_busy = self.is_busy
        self._let_go()
        job = self._job = self._jobs.submit("", work, lane=lane)
        job.succeeded.connect(self._on_succeeded)
        job.failed.connect(self._on_failed)
        job.finished.connect(self._on_finished)
        if not was_busy:
            self.busy_changed.emit(True)

    @Slot()
    def drop(self) -> None:
        """Cancel the request; its answer is dropped."""
        if self.is_busy:
            self._let_go()
            self.busy_changed.emit(False)

    def _let_go(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.succeeded.disconnect(self._on_succeeded)
            job.failed.disconnect(self._on_failed)
            job.finished.disconnect(self._on_finished)
            job.cancel()

    @Slot(object)
    def _on_succeeded(self, answer: object) -> None:
        self.answered.emit(answer)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        self.busy_changed.emit(False)
        self.ended.emit()
