"""A long task that ends while nobody looks is told of by the system; closing quits."""

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSystemTrayIcon, QWidget
from typing_extensions import override

from engram_desktop.app.desktop import LEAST_S, Away, Sender
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import Phrase
from tests.gui.waiting import settle
from tests.inline_runner import InlineRunner


class Heard(Sender):
    """A place for notifications that remembers them."""

    clicked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.texts: list[str] = []

    @override
    def send(self, window: QWidget, text: str) -> None:
        self.texts.append(text)


@pytest.fixture
def window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def away(window, *, wanted=True, least_s=0.0):
    jobs, sender = InlineRunner(), Heard()
    made = Away(jobs, lambda: window, lambda: wanted, window, sender=sender, least_s=least_s)
    return jobs, sender, made


def fail(_ctx):
    raise InputError(Phrase("secret words of the story"))


def test_who_looks_elsewhere_is_told_the_name_of_the_task_and_how_it_ended(qtbot, window):
    jobs, sender, _made = away(window)
    window.hide()
    jobs.submit("Summarising", lambda _ctx: "secret words of the story")
    jobs.submit("Exporting", fail)
    jobs.submit("", lambda _ctx: None)  # a look-up
    jobs.run_pending()
    assert sender.texts == ["Summarising: done", "Exporting: it failed"]


def test_who_looks_at_the_window_is_told_nothing(qtbot, window):
    jobs, sender, _made = away(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    jobs.submit("Summarising", lambda _ctx: None)
    jobs.run_pending()
    assert sender.texts == []
    window.showMinimized()
    jobs.submit("Summarising", lambda _ctx: None)
    jobs.run_pending()
    assert sender.texts == ["Summarising: done"]


@pytest.mark.parametrize(("wanted", "least_s"), [(False, 0.0), (True, LEAST_S)])
def test_nothing_is_said_of_short_tasks_or_where_it_is_switched_off(qtbot, window, wanted, least_s):
    jobs, sender, _made = away(window, wanted=wanted, least_s=least_s)
    window.hide()
    jobs.submit("Summarising", lambda _ctx: None)
    jobs.run_pending()
    assert sender.texts == []


def test_a_click_on_it_brings_the_window_back(qtbot, window):
    _jobs, sender, made = away(window)
    with qtbot.waitSignal(made.wanted_back, timeout=5000):
        sender.clicked.emit()


def test_where_there_is_no_place_for_it_the_window_asks_for_attention(qtbot, window):
    assert not QSystemTrayIcon.isSystemTrayAvailable(), "offscreen has none"
    Sender(window).send(window, "Summarising: done")


def test_closing_the_window_quits_and_nothing_stays_in_a_tray(qtbot, desktop):
    with qtbot.waitSignal(desktop.closed, timeout=5000):
        desktop.window.close()
    settle(qtbot, desktop)
    assert not desktop.findChildren(QSystemTrayIcon)
