"""Wait for a window to be quiet, and type into it as an input method does."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication


def settle(qtbot, desktop):
    """Wait until no job runs, no search is about to ask for one, and style sheets are there."""

    def is_quiet():
        timers = desktop.window.findChildren(QTimer)
        typing = any(t.isActive() and t.isSingleShot() and t.interval() <= 500 for t in timers)
        dressing = any(t.isActive() and not t.interval() for t in desktop.look.findChildren(QTimer))
        return desktop.runner.is_idle and not typing and not dressing

    qtbot.waitUntil(is_quiet, timeout=60_000)
    qtbot.wait(0)  # a layout shows what was put into it in the next turn
    qtbot.waitUntil(is_quiet, timeout=60_000)


def run_out(timer: QTimer) -> None:
    """Let ``timer`` run out now, if it runs: what it puts off for seconds is not waited for."""
    if timer.isActive():
        timer.stop()
        timer.timeout.emit()


def commit(widget, text):
    """Type ``text`` as an input method does."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(widget, event)
