"""Keep vectors and index up with what changed: one quiet job, a while after the last change.

It gives way: whatever the user starts on the same lane stops it, and it goes on afterwards.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.qtjobs.changes_hub import ChangeHub
from engram_desktop.qtjobs.handle import JobHandle, Jobs
from engram_desktop.services.memory import Memory

PAUSE_MS = 1500


class IndexKeeper(QObject):
    """Never runs two jobs at once, and tells of the same trouble once."""

    failed = Signal(object)  # Exception

    def __init__(
        self, memory: Memory, jobs: Jobs, hub: ChangeHub, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._jobs = jobs
        self._hub = hub
        self.title = ""
        self._waiting: set[str] = set()
        self._seen: set[str] = set()  # chats that were open: another model concerns them all
        self._job: JobHandle | None = None
        self._chat_id = ""  # whose index the job works on
        self._told = ""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._run)
        hub.changed.connect(self._on_changed)
        jobs.submitted.connect(self._on_submitted)

    @Slot(str)
    def watch(self, chat_id: str) -> None:
        """See that the index of a chat that was just opened is up to date."""
        if chat_id:
            self._seen.add(chat_id)
            self._waiting.add(chat_id)
            self._pause.start()

    def stop(self) -> None:
        """Start nothing any more."""
        self._pause.stop()
        self._waiting.clear()

    @Slot(object, object)
    def _on_changed(self, changes: Changes, initiator: object) -> None:
        touched = changes.events or changes.messages or changes.structure
        if changes.chat_id is not None and touched and initiator is not self:
            self.watch(changes.chat_id)
        if changes.settings and changes.chat_id is None and self._seen:
            self._waiting |= self._seen
            self._pause.start()

    @Slot()
    def _run(self) -> None:
        if self._job is not None or not self._waiting:
            return
        chat, memory = self._waiting.pop(), self._memory
        self._chat_id = chat
        self._job = self._jobs.submit(
            self.title,
            lambda ctx: (chat, memory.update_index(ctx, chat)),
            lane="network",
            background=True,
        )
        self._job.succeeded.connect(self._on_updated)
        self._job.failed.connect(self._on_failed)
        self._job.finished.connect(self._on_finished)

    @Slot(object)
    def _on_submitted(self, handle: JobHandle) -> None:
        if handle.is_background or not handle.title or handle.lane != "network":
            return
        if self._job is not None:
            self._job.cancel()
            self._waiting.add(self._chat_id)

    @Slot(object)
    def _on_updated(self, answer: tuple[str, int]) -> None:
        self._told = ""
        chat, count = answer
        if count:
            self._hub.publish(Changes(chat_id=chat), initiator=self)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if str(error) != self._told:
            self._told = str(error)
            self.failed.emit(error)

    @Slot()
    def _on_finished(self) -> None:
        self._job = None
        if self._waiting:
            self._pause.start()
