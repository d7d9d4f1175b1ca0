"""Keep worldbook files in step with memory: one quiet job, a moment after the last change.

It runs on the lane that reads folders, so that neither a model nor the user waits for it. After a
write it pauses `REST` times as long as that took, so that a long worldbook is not written all the
time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from typing_extensions import override

from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.handle import Jobs
from engram_desktop.qtjobs.quiet_job import QuietJob
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.worldbooks.merging.kept_worldbook import KeptReport
    from engram_desktop.qtjobs.changes_hub import ChangeHub

REST = 4  # so it writes at most a fifth of the time


class WorldbookKeeper(QuietJob):
    """Syncs the files of every chat that changed in one job."""

    synced = Signal(object)  # list[KeptReport] with something to see or to tell

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, "follow", REST, parent)
        self._memory = memory
        self.is_held = memory.is_safe
        self._waiting: set[str | None] = set()  # chats; None is every one
        hub.changed.connect(self._on_changed)

    @Slot()
    def look(self) -> None:
        """Sync every kept file: memory may have changed while no window was open."""
        self._waiting.add(None)
        self.want()

    @override
    def stop(self) -> None:
        """Start no more jobs; a file that is being written is finished."""
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
        if not self._waiting or not self._memory.can_write:
            return None
        waiting, self._waiting, memory = self._waiting, set(), self._memory
        if None in waiting:
            return memory.kept.sync
        chats = [chat_id for chat_id in waiting if chat_id is not None]
        return lambda ctx: [r for chat_id in chats for r in memory.kept.sync(ctx, chat_id)]

    @override
    def _is_waiting(self) -> bool:
        return bool(self._waiting)

    @override
    def _take_answer(self, answer: list[KeptReport]) -> None:
        news = [report for report in answer if report.is_written or report.is_news]
        if news:
            self.synced.emit(news)
