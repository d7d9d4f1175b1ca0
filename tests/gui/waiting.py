"""Wait for a window to be quiet, and type into it as an input method does."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

# Where the demo's library is, for a test that runs others in a process of its own.
DEMO = "ENGRAM_TEST_DEMO"


def settle(qtbot, desktop):
    """Wait until no job runs, no search is about to ask for one, and style sheets are there."""
    qtbot.waitUntil(lambda: is_quiet(desktop), timeout=60_000)


def is_quiet(desktop):
    if not desktop.runner.is_idle:
        return False
    if any(t.isActive() and not t.interval() for t in desktop.look.findChildren(QTimer)):
        return False
    timers = desktop.window.findChildren(QTimer)
    return not any(t.isActive() and t.isSingleShot() and t.interval() <= 500 for t in timers)


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


def press_in_window(window, widget, at=None):
    """Click where a widget is in its window: the window decides what is hit, as with a mouse."""
    place = widget.mapTo(window, widget.rect().center() if at is None else at)
    no_key = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, no_key, place)
