"""Keep world book files in step with memory: one quiet job, a moment after the last change.

It runs where folders are read, so that neither a model nor the user waits for it; a change that
comes meanwhile starts it again. The same trouble with a file is told once.
"""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.kept_book import KeptReport
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.changes_hub import ChangeHub
from engram_desktop.qtjobs.handle import JobHandle, Jobs
from engram_desktop.services.memory import Memory

PAUSE_MS = 1500
REST = 4  # times as long as it worked: a very long book is not written all the time


class BookKeeper(QObject):
    """Never runs two jobs at once."""

    synced = Signal(object)  # list[KeptReport] with something to see or to tell
    failed = Signal(object)  # Exception

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._jobs = jobs
        self._waiting: set[str | None] = set()  # chats; None is every one
        self._job: JobHandle | None = None
        self._told = ""
        self._worked = QElapsedTimer()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._run)
        hub.changed.connect(self._on_changed)

    @Slot()
    def look(self) -> None:
        """See that every kept file says what memory says: it may have changed without a window."""
        self._wait(None)

    def stop(self) -> None:
        """Start nothing any more; what is being written is finished whole."""
        self._pause.stop()
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()

    def _wait(self, chat_id: str | None) -> None:
        self._waiting.add(chat_id)
        self._pause.start()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        touched = changes.events or changes.entities or changes.structure or changes.messages
        if changes.chat_id is not None and touched:
            self._wait(changes.chat_id)

    @Slot()
    def _run(self) -> None:
        if self._job is not None or not self._waiting or not self._memory.can_write:
            return
        waiting, self._waiting, memory = self._waiting, set(), self._memory

        def work(ctx: JobContext) -> list[KeptReport]:
            if None in waiting:
                return memory.sync_kept(ctx)
            return [r for chat_id in waiting for r in memory.sync_kept(ctx, chat_id)]

        self._worked.start()
        self._job = self._jobs.submit("", work, lane="follow", background=True)
        self._job.succeeded.connect(self._on_synced)
        self._job.failed.connect(self._on_failed)
        self._job.finished.connect(self._on_finished)

    @Slot(object)
    def _on_synced(self, reports: list[KeptReport]) -> None:
        self._told = ""
        news = [report for report in reports if report.is_written or report.is_news]
        if news:
            self.synced.emit(news)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if str(error) != self._told:
            self._told = str(error)
            self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        self._pause.setInterval(max(PAUSE_MS, REST * self._worked.elapsed()))
        if self._waiting:
            self._pause.start()
