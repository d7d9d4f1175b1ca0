"""The tasks that run or wait: how far each is, how long it may take, and a way to stop it."""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import Progress
from engram_desktop.qtjobs.handle import JobHandle, Jobs

MIN_ELAPSED_FOR_ETA_S = 2.0


@dataclass(frozen=True, slots=True)
class JobRow:
    job_id: int
    title: str
    started_at: float | None = None  # monotonic; None while it waits
    progress: Progress | None = None

    @property
    def fraction(self) -> float | None:
        """How much is done, 0..1; None while the amount is unknown."""
        if self.progress is None or not self.progress.total:
            return None
        return min(1.0, self.progress.done / self.progress.total)

    def seconds_left(self, now: float) -> float | None:
        fraction = self.fraction
        if self.started_at is None or not fraction:
            return None
        elapsed = now - self.started_at
        return elapsed / fraction - elapsed if elapsed >= MIN_ELAPSED_FOR_ETA_S else None


class JobList(QObject):
    """Follows every job that has a title. Lives on the GUI thread."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[int, JobRow] = {}
        self._handles: dict[int, JobHandle] = {}
        jobs.submitted.connect(self._on_submitted)

    @property
    def rows(self) -> tuple[JobRow, ...]:
        return tuple(self._rows.values())

    def cancel(self, job_id: int) -> None:
        if job_id in self._handles:
            self._handles[job_id].cancel()

    def time_left(self, row: JobRow) -> str:
        seconds = row.seconds_left(time.monotonic())
        if seconds is None:
            return ""
        if seconds < 60:
            return self.tr("about %n second(s) left", "", max(1, round(seconds)))
        return self.tr("about %n minute(s) left", "", round(seconds / 60))

    @Slot(object)
    def _on_submitted(self, handle: JobHandle) -> None:
        if not handle.title:
            return
        number = handle.job_id
        self._rows[number] = JobRow(number, handle.title)
        self._handles[number] = handle
        handle.started.connect(lambda: self._update(number, started_at=time.monotonic()))
        handle.progressed.connect(lambda progress: self._update(number, progress=progress))
        handle.finished.connect(lambda: self._remove(number))
        self.changed.emit()

    def _update(self, number: int, **values: object) -> None:
        self._rows[number] = replace(self._rows[number], **values)  # type: ignore[arg-type]  # fields of JobRow
        self.changed.emit()

    def _remove(self, number: int) -> None:
        del self._rows[number], self._handles[number]
        self.changed.emit()
