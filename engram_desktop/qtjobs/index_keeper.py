"""Update vectors and index after changes: one background job, a moment after the last change.

Who knows what is worked out there too, so that neither a look through somebody's eyes nor a turn of
play waits for it. A job the user starts on the same lane cancels it; it goes on afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.jobs.context import JobContext
from engram_desktop.qtjobs.handle import JobHandle, Jobs
from engram_desktop.qtjobs.quiet_job import QuietJob
from engram_desktop.services.memory import Memory

if TYPE_CHECKING:
    from engram_desktop.qtjobs.changes_hub import ChangeHub


class IndexKeeper(QuietJob):
    """Updates the index of one chat at a time."""

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(jobs, "network", 0, parent)
        self._memory = memory
        self.is_held = memory.is_safe
        self._hub = hub
        self._waiting: set[str] = set()
        self._seen: set[str] = set()  # chats that were open: another model concerns them all
        self._chat_id = ""  # whose index the job works on
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
    def _is_waiting(self) -> bool:
        return bool(self._waiting)

    @override
    def _take_answer(self, answer: int) -> None:
        if answer:
            self._hub.publish(Changes(chat_id=self._chat_id, index=True), initiator=self)
