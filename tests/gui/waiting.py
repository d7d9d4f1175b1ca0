"""Wait for a window to be quiet, and type into it as an input method does."""

from __future__ import annotations

import time

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

SECONDS = 60.0  # until what does not become quiet fails
LOOKS = 2  # at which it is quiet: what is drawn last may ask for another layout


def settle(qtbot, desktop):
    """Wait until no job runs. What waits for a pause in typing, as a search does, runs at once."""
    ends, quiet = time.monotonic() + SECONDS, 0
    while quiet < LOOKS:
        assert time.monotonic() < ends, "jobs go on and on"
        quiet = quiet + 1 if _is_quiet(desktop) else 0
        qtbot.wait(1)


def _is_quiet(desktop):
    is_dressing = any(
        timer.isActive() and not timer.interval() for timer in desktop.look.findChildren(QTimer)
    )
    if is_dressing or not desktop.runner.is_idle:
        return False
    pauses = [
        timer
        for timer in desktop.window.findChildren(QTimer)
        if timer.isActive() and timer.isSingleShot() and timer.interval() <= 500
    ]
    for timer in pauses:
        if shiboken6.isValid(timer):  # what ran out before may have closed a dialog
            run_out(timer)
    return not pauses


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
