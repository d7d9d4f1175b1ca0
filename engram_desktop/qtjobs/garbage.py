"""Collect Python's cyclic garbage on the GUI thread alone.

Left to itself, Python collects on whichever thread allocates, and a Qt object that another thread
than its own frees ends the program. So while lanes run, collecting waits for a timer of the GUI
thread.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL_MS = 1000
PATIENCE = 30  # times that a busy program is left alone


class GarbageKeeper(QObject):
    """Collects Python's cyclic garbage from its construction until `stop`."""

    _alive: ClassVar[int] = 0  # the switch is one for the whole process

    def __init__(self, is_idle: Callable[[], bool], parent: QObject | None = None) -> None:
        """``is_idle`` says whether no job runs."""
        super().__init__(parent)
        self._is_idle = is_idle
        self._skipped = 0
        GarbageKeeper._alive += 1
        gc.disable()
        self._is_stopped = False
        self._is_frozen = False
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def stop(self) -> None:
        """Leave collecting to Python again, once no other thread runs."""
        if self._is_stopped:
            return
        self._is_stopped = True
        self._timer.stop()
        GarbageKeeper._alive -= 1
        if not GarbageKeeper._alive:
            gc.unfreeze()
            gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due, by Python's own thresholds.

        What a running job holds would be looked through and found to be no garbage, for 40 ms at
        a time: while one runs this waits, though not for ever. What is there the first time,
        modules and the window, lives as long as the program: it is left out from then on. The
        little garbage among it is left too: to look for it took 98 ms of a window just opened.
        """
        if not self._is_frozen:
            self._is_frozen = True
            gc.freeze()
            return
        if not self._is_idle() and self._skipped < PATIENCE:
            self._skipped += 1
            return
        self._skipped = 0
        due = [n for n, limit in enumerate(gc.get_threshold()) if 0 < limit < gc.get_count()[n]]
        if due:
            gc.collect(due[-1])
