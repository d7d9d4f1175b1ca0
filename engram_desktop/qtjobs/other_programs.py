"""Tell the window what other programs wrote to its library, and for which of them a write waits."""

from __future__ import annotations

import logging
import threading

from PySide6.QtCore import QObject, QThread, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.errors import KnownError
from engram_desktop.services.memory import Memory

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
        """Stop and join the thread: a look takes a fraction of a second."""
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
            except KnownError as error:  # shown to who reads the same
                if str(error) != last_error:
                    last_error = str(error)
                    logger.warning("What other programs changed is not seen: %s", error)
            else:
                if changes:
                    self.found.emit(changes)


class OtherPrograms(QObject):
    """Signals come on the GUI thread, from `start` on."""

    changed = Signal(object)  # list[Changes] that other programs made
    waiting = Signal(object)  # a write waits for this program; empty: for none any more

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._looker = _Looker(memory, self)
        self._looker.found.connect(self.changed)
        memory.sharing.on_wait(self.waiting.emit)  # from the thread that waits: Qt queues the call

    def start(self) -> None:
        self._looker.start(QThread.Priority.LowPriority)

    def rest(self, shown_ms: int) -> None:
        """Look less often on a computer that needs ``shown_ms`` to show what was found."""
        self._looker.pause_s = max(EVERY_S, shown_ms / 100)  # ten times as long as that

    @Slot()
    def look(self) -> None:
        """Look now."""
        self._looker.wake()

    def stop(self) -> None:
        """Hear nothing any more, and let no write wait for another program."""
        self._looker.end()
        self._memory.sharing.on_wait(str)
        self._memory.sharing.hurry()
