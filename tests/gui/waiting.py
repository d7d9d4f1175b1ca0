"""What a user does in a window, each waited for until the window is quiet again."""

from __future__ import annotations

import time

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QMenu, QRadioButton

# Where the demo's library is, for a test that runs others in a process of its own.
DEMO = "ENGRAM_TEST_DEMO"

QUIET_WITHIN = 60  # seconds: on a busy computer a job of the demo takes some of them
SEEN_WITHIN = 10  # seconds: Qt shows a part a turn after it was added


def wait_until(is_so, seconds, otherwise):
    """Let events be handled until ``is_so``; fails with the words ``otherwise``."""
    end = time.monotonic() + seconds
    pause = 5  # milliseconds; looking at all timers of a window takes up to 5
    while not is_so():
        assert time.monotonic() < end, otherwise
        loop = QEventLoop()
        QTimer.singleShot(pause, loop.quit)
        loop.exec()
        pause = min(2 * pause, 40)


def settle(desktop):
    """Wait until no job runs, no search is about to ask for one, and style sheets are there."""
    wait_until(lambda: is_quiet(desktop), QUIET_WITHIN, "the window is not quiet")


def is_quiet(desktop):
    if not desktop.runner.is_idle or desktop.window.stack.is_opening:
        return False
    if any(t.isActive() and not t.interval() for t in desktop.look.findChildren(QTimer)):
        return False
    timers = desktop.window.findChildren(QTimer)
    return not any(t.isActive() and t.isSingleShot() and t.interval() <= 500 for t in timers)


IN_ITS_BOX = 10  # pixels from the left of a button that is ticked; its middle may be empty


def click(desktop, widget):
    """Click ``widget``, which can be seen, with the left button."""
    wait_until(widget.isVisible, SEEN_WITHIN, "nobody can click what is not there")
    at = widget.rect().center()
    if isinstance(widget, QCheckBox | QRadioButton):
        at.setX(IN_ITS_BOX)
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    settle(desktop)


def press(desktop, button):
    """Press ``button``, which may be folded away: what it does is asked, not where it stands."""
    button.click()
    settle(desktop)


def press_key(desktop, widget, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(widget, key, modifier)
    settle(desktop)


def trigger(desktop, action):
    """Choose ``action`` in the menu where it stands."""
    action.trigger()
    settle(desktop)


def undo(desktop):
    """Take back the last change, as the Edit menu does."""
    trigger(desktop, desktop.window.undo_action)


def show_chat(desktop, chat):
    desktop.workspace.show_chat(chat)
    settle(desktop)


def view_as(desktop, name):
    """See the chat as somebody in it does."""
    desktop.workspace.view_as(name)
    settle(desktop)


def resize(desktop, width, height):
    desktop.window.resize(width, height)
    settle(desktop)


def open_page(desktop, name):
    """Show the page ``name`` of the window; return it."""
    desktop.window.show_page(name)
    settle(desktop)
    return desktop.window.stack.page(name)


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


def write(desktop, field, text):
    """Type ``text`` into ``field`` as an input method does."""
    commit(field, text)
    settle(desktop)


def opened_by(desktop, opener, *words):
    """The dialog that ``opener`` opens."""
    opener(*words)
    settle(desktop)
    return desktop.window.dialogs.shown[-1]


def dialog_of(desktop, kind):
    """The first dialog of a class that is shown."""
    return next(d for d in desktop.window.dialogs.shown if isinstance(d, kind))


def open_menu():
    """The menu that stands open."""
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose_in(desktop, menu, text):
    """Choose what ``menu`` offers by a text that begins so; it closes."""
    action = next(a for a in menu.actions() if a.text().startswith(text))
    assert action.isEnabled(), text
    menu.close()
    trigger(desktop, action)


def press_in_window(window, widget, at=None):
    """Click where a widget is in its window: the window decides what is hit, as with a mouse."""
    place = widget.mapTo(window, widget.rect().center() if at is None else at)
    no_key = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, no_key, place)
