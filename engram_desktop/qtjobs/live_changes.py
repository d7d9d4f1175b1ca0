"""Let views see what a long job has written so far, about once a second while it runs."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.qtjobs.handle import JobHandle

# Where views learn what changed. Views refresh from here and from nowhere else.


FOREIGN = object()  # initiator of what other programs changed


class ChangeHub(QObject):
    """Lives on the GUI thread. ``initiator`` is who made the change and need not follow it."""

    changed = Signal(object, object)  # Changes, initiator or None

    def publish(self, changes: Changes, initiator: object = None) -> None:
        self.changed.emit(changes, initiator)


EVERY_MS = 1000


class LiveChanges(QObject):
    """Ends with its job. Every report of progress may have been preceded by a write.

    After a look that kept the GUI thread busy the next one waits ten times as long, so that a
    slow computer works on its job and not on showing it.
    """

    def __init__(self, hub: ChangeHub, chat_id: str, job: JobHandle, initiator: object) -> None:
        super().__init__(job)
        self._hub = hub
        self._changes = Changes.of_memory(chat_id)
        self._initiator = initiator
        self._timer = QTimer(self, singleShot=True, interval=EVERY_MS)
        self._timer.timeout.connect(self._publish)
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._timer.stop)

    @Slot(object)
    def _on_progressed(self, _progress: object) -> None:
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _publish(self) -> None:
        stopwatch = QElapsedTimer()
        stopwatch.start()
        self._hub.publish(self._changes, self._initiator)
        self._timer.setInterval(max(EVERY_MS, 10 * stopwatch.elapsed()))
