"""Tells views what changed: at once, once a second while a job writes, and by other programs."""

from __future__ import annotations

import logging
import threading

from PySide6.QtCore import QElapsedTimer, QObject, QThread, QTimer, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.qtjobs.runner import JobHandle
from engram_desktop.services.memory import Memory

# The source of changes for views: they refresh on its signal and on no other.


FOREIGN = object()  # the initiator of changes by other programs


class ChangeHub(QObject):
    """Lives on the GUI thread. ``initiator`` made the change and need not react to it."""

    changed = Signal(object, object)  # Changes, initiator or None

    def publish(self, changes: Changes, initiator: object = None) -> None:
        self.changed.emit(changes, initiator)


EVERY_MS = 1000


class LiveChanges(QObject):
    """Publishes changes while a job runs; a report of progress may follow a write.

    After a refresh that kept the GUI thread busy, the next one waits ten times as long, so that a
    slow computer works on its job rather than on showing it.
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


# Tell the window what other programs wrote to its library, and that a write waits for one.


logger = logging.getLogger(__name__)

EVERY_S = 1.0


class _Looker(QThread):
    """Looks once a second, and when it is woken. Lives on the thread that made it."""

    found = Signal(object)  # list[Changes]

    def __init__(self, memory: Memory, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("looker")
        self._memory = memory
        self._wake = threading.Event()
        self._is_ended = False
        self.pause_s = EVERY_S  # before the next look

    def wake(self) -> None:
        self._wake.set()

    def end(self) -> None:
        """Stop and join the thread; a look takes a fraction of a second."""
        self._is_ended = True
        self._wake.set()
        self.wait()

    @override
    def run(self) -> None:
        last_error = ""
        while True:
            self._wake.wait(self.pause_s)
            self._wake.clear()
            if self._is_ended:
                return
            try:
                changes = self._memory.sharing.take_foreign()
            except KnownError as error:  # shown to the reader of the same data
                if str(error) != last_error:
                    last_error = str(error)
                    logger.warning("What other programs changed is not seen: %s", error)
            else:
                if changes:
                    self.found.emit(changes)


class OtherPrograms(QObject):
    """Emits its signals on the GUI thread, after `start`."""

    changed = Signal(object)  # list[Changes] that other programs made
    waiting = Signal(object)  # a write waits for this program; empty: for none

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._looker = _Looker(memory, self)
        self._looker.found.connect(self.changed)
        memory.sharing.on_wait(self.waiting.emit)  # called on the waiting thread: Qt queues it

    def start(self) -> None:
        self._looker.start(QThread.Priority.LowPriority)

    def rest(self, shown_ms: int) -> None:
        """Look less often if the computer needs ``shown_ms`` to show what was found."""
        self._looker.pause_s = max(EVERY_S, shown_ms / 100)  # ten times as long

    @Slot()
    def look(self) -> None:
        """Look for changes now."""
        self._looker.wake()

    def stop(self) -> None:
        """Stop listening, and let no write wait for another program."""
        self._looker.end()
        self._memory.sharing.on_wait(str)
        self._memory.sharing.hurry()
