"""Does while nobody asks for anything what a page would be waited for when it is first opened.

A start reads and makes only what its first picture needs. After that, a little in each turn: a
module of the window is read, a page is made, its style sheet is put on. A hand that is quicker
finds the rest made when it is asked for, as before.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from engram_desktop import late
from engram_desktop.widgets.window.page_stack import PageStack

BEGIN_MS = 300  # after the window was painted
PAUSE_MS = 15  # between two turns: what the user does comes first
READ = ("engram_desktop.widgets.", "engram_desktop.viewmodels.")


class Ahead(QObject):
    """``stack`` returns the pages of the window there is now."""

    def __init__(self, stack: Callable[[], PageStack], parent: QObject) -> None:
        super().__init__(parent)
        self._stack = stack
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._do_next)

    @property
    def is_busy(self) -> bool:
        return self._timer.isActive()

    def begin(self) -> None:
        """Begin soon, or anew for another window."""
        self._timer.start(BEGIN_MS)

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def _do_next(self) -> None:
        self._timer.setInterval(PAUSE_MS)
        if not late.read_next(READ) and not self._stack().make_next():
            self._timer.stop()
