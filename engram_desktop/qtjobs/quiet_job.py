"""Background jobs that keep the index, worldbook files and memory folders up to date."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs import live_changes
from engram_desktop.qtjobs.runner import JobHandle, Jobs, Lane
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.domain.reports import FolderReport
    from engram_desktop.domain.worldbooks.merging import KeptReport
    from engram_desktop.qtjobs.live_changes import ChangeHub


PAUSE_MS = 1500


class QuietJob(QObject):
    """The base of background jobs that derive data, run shortly after the last request.

    `want` requests a run of the work that `_next_work` returns; its result goes to `_take_answer`.
    Runs never overlap: a request during a run starts another run. The same error is reported once.
    """

    failed = Signal(object)  # Exception

    def __init__(self, jobs: Jobs, lane: Lane, rest: int, parent: QObject | None = None) -> None:
        """Make the job; it pauses for at least ``rest`` times as long as it worked."""
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
        """Request a run after a pause; each further request restarts the pause."""
        if not self.is_held:
            self._pause.start()

    def stop(self) -> None:
        """Start no more jobs."""
        self._pause.stop()

    @abstractmethod
    def _next_work(self) -> Callable[[JobContext], Any] | None:
        """Take the waiting work; None if there is none. Taken work counts as begun."""

    @abstractmethod
    def _is_waiting(self) -> bool:
        """Return whether there is more to do."""

    @abstractmethod
    def _take_answer(self, answer: Any) -> None:
        """Use the result of the work."""

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

    def _put_back(self) -> None:
        """Queue the begun work again, since another program kept the library too long."""

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, LibraryBusy):
            self._put_back()
        elif str(error) != self._last_error:
            self._last_error = str(error)
            self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        self._pause.setInterval(max(PAUSE_MS, self._rest * self._work_time.elapsed()))
        if self._is_waiting():
            self._pause.start()


class IndexKeeper(QuietJob):
    """Updates vectors and index of one chat at a time, shortly after the last change.

    It also updates who knows what, so that neither a character's view nor a turn of play waits for
    it. A job that the user starts on the same lane cancels it; it continues afterwards.
    """

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, "network", 0, parent)
        self._memory = memory
        self.is_held = memory.session.is_safe
        self._hub = hub
        self._waiting: set[str] = set()
        self._seen: set[str] = set()  # chats that were open: a new model concerns them all
        self._chat_id = ""  # of the running job
        hub.changed.connect(self._on_changed)
        jobs.submitted.connect(self._on_submitted)

    @Slot(str)
    def watch(self, chat_id: str) -> None:
        """Update the index of a chat that was opened or changed."""
        if chat_id:
            self._seen.add(chat_id)
            self._waiting.add(chat_id)
            self.want()

    @override
    def stop(self) -> None:
        super().stop()
        self._waiting.clear()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        is_touched = changes.has_memory or changes.messages
        if initiator is live_changes.FOREIGN and changes.chat_id not in self._seen:
            is_touched = False  # that chat is not open here
        if changes.chat_id is not None and is_touched and initiator is not self:
            self.watch(changes.chat_id)
        if changes.settings and changes.chat_id is None and self._seen:
            self._waiting |= self._seen
            self.want()

    @Slot(object)
    def _on_submitted(self, handle: JobHandle) -> None:
        if handle.is_background or not handle.title or handle.lane != "network":
            return
        if self._job is not None:
            self._job.cancel()
            self._waiting.add(self._chat_id)

    @override
    def _next_work(self) -> Callable[[JobContext], int] | None:
        if not self._waiting:
            return None
        chat_id, memory = self._waiting.pop(), self._memory
        self._chat_id = chat_id

        def work(ctx: JobContext) -> int:
            count = memory.index.update(ctx, chat_id)
            if memory.knowledge.derive(ctx, chat_id):
                count += memory.index.update(ctx, chat_id)
            return count

        return work

    @override
    def _put_back(self) -> None:
        self._waiting.add(self._chat_id)

    @override
    def _is_waiting(self) -> bool:
        return bool(self._waiting)

    @override
    def _take_answer(self, answer: int) -> None:
        if answer:
            self._hub.publish(Changes(chat_id=self._chat_id, index=True), initiator=self)


REST = 4  # so it writes for at most a fifth of the time


class WorldbookKeeper(QuietJob):
    """Syncs the worldbook files of every changed chat in one job, shortly after the last change.

    It runs on the lane that reads folders, so that neither a model nor the user waits for it. After
    a write it pauses `REST` times as long as that took, so that a long worldbook is not written all
    the time.
    """

    synced = Signal(object)  # list[KeptReport] to show

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, "follow", REST, parent)
        self._memory = memory
        self.is_held = memory.session.is_safe
        self._waiting: set[str | None] = set()  # chats; None is all of them
        self._taken: set[str | None] = set()
        hub.changed.connect(self._on_changed)

    @Slot()
    def look(self) -> None:
        """Sync every kept file, since memory may have changed while no window was open."""
        self._waiting.add(None)
        self.want()

    @override
    def stop(self) -> None:
        """Start no more jobs; a file being written is completed."""
        super().stop()
        self._waiting.clear()
        if self._job is not None:
            self._job.cancel()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        is_touched = changes.has_memory or changes.trust or changes.branches or changes.messages
        if changes.chat_id is not None and is_touched:
            self._waiting.add(changes.chat_id)
            self.want()

    @override
    def _next_work(self) -> Callable[[JobContext], list[KeptReport]] | None:
        if not self._waiting or not self._memory.session.can_write:
            return None
        self._taken = waiting = self._waiting
        self._waiting, memory = set(), self._memory
        if None in waiting:
            return memory.kept.sync
        chats = [chat_id for chat_id in waiting if chat_id is not None]
        return lambda ctx: [r for chat_id in chats for r in memory.kept.sync(ctx, chat_id)]

    @override
    def _put_back(self) -> None:
        self._waiting |= self._taken

    @override
    def _is_waiting(self) -> bool:
        return bool(self._waiting)

    @override
    def _take_answer(self, answer: list[KeptReport]) -> None:
        news = [report for report in answer if report.is_written or report.is_news]
        if news:
            self.synced.emit(news)


LOOK_MS = 3_000


class FolderKeeper(QuietJob):
    """Keeps folders of Markdown files in sync with memory, both ways.

    It runs after changes of the memory, and when a look, some seconds after the last one, finds a
    changed file. Files are read only in changed folders.
    """

    synced = Signal(object)  # list[FolderReport] to show

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, "follow", REST, parent)
        self._memory = memory
        self.is_held = memory.session.is_safe
        self._hub = hub
        self._chats: set[str] = set()  # whose memory is kept in a folder
        self._waiting: set[str] = set()  # the changed ones of them
        self._is_new = True  # the folders are to be read
        self._seen: dict[str, object] = {}  # by folder, the state of its files
        self._said: dict[str, object] = {}
        self._looks = QTimer(self, interval=LOOK_MS)
        self._looks.timeout.connect(self._run)
        hub.changed.connect(self._on_changed)

    @Slot()
    def look(self) -> None:
        """Look at every folder, after the program starts or the kept folders change."""
        self._is_new = True
        self._seen.clear()
        self.want()

    @override
    def stop(self) -> None:
        """Start no more jobs; a file being written is completed."""
        super().stop()
        self._looks.stop()
        self._chats.clear()
        self._waiting.clear()
        self._is_new = False
        if self._job is not None:
            self._job.cancel()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        is_touched = changes.has_memory or changes.trust or changes.branches
        if changes.chat_id in self._chats and is_touched and initiator is not self:
            self._waiting.add(str(changes.chat_id))
            self.want()

    @override
    def _next_work(self) -> Callable[[JobContext], list[FolderReport]] | None:
        if not (self._is_new or self._chats) or not self._memory.session.can_write:
            return None
        changed, self._waiting, self._is_new = self._waiting, set(), False
        care, seen = self._memory.care, self._seen

        def work(ctx: JobContext) -> list[FolderReport]:
            rows = care.kept_folders()
            reports = []
            for row in rows:
                stamp = care.folders.stamp(row)
                if row.chat_id in changed or seen.get(row.path) != stamp:
                    reports += care.folders.sync(ctx, Path(row.path))
                    seen[row.path] = care.folders.stamp(row)
            self._chats = {row.chat_id for row in rows}
            return reports

        return work

    @override
    def _is_waiting(self) -> bool:
        return bool(self._waiting)

    @override
    def _put_back(self) -> None:
        self._seen.clear()

    @override
    def _take_answer(self, answer: list[FolderReport]) -> None:
        if self._chats and not self._looks.isActive() and not self.is_held:
            self._looks.start()
        elif not self._chats:
            self._looks.stop()
        news = []
        for report in answer:
            said = (report.folder.fault, report.lines)
            if report.count or said != self._said.get(report.folder.path, ("", ())):
                news.append(report)
            self._said[report.folder.path] = said
            if report.edited + report.added + report.removed:
                self._hub.publish(report.changes, initiator=self)
        if news:
            self.synced.emit(news)
