"""An evening without a mouse: every step is a key pressed where the focus is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit

from engram_desktop.domain.memory.event import EventQuery
from tests.gui.waiting import commit, settle

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Hands:
    """Presses keys and types, and waits until the window is quiet."""

    def __init__(self, qtbot, desktop):
        self._bot = qtbot
        self._desktop = desktop
        self.come_back()

    def come_back(self):
        """The window has the focus again, as the system sees to when a dialog goes."""
        self._desktop.window.activateWindow()
        self._bot.waitUntil(lambda: QApplication.focusWidget() is not None)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier, times=1):
        for _time in range(times):
            widget = QApplication.focusWidget() or self._desktop.window
            self._bot.keyClick(widget, key, modifier)
        settle(self._bot, self._desktop)

    def type(self, text):
        widget = QApplication.focusWidget()
        assert widget is not None
        commit(widget, text)
        settle(self._bot, self._desktop)

    def go_to(self, is_there, most=80):
        """Press Tab until the focus is where it is wanted."""
        for _time in range(most):
            focused = QApplication.focusWidget()
            if focused is not None and is_there(focused):
                return focused
            self._bot.keyClick(focused or self._desktop.window, Qt.Key.Key_Tab)
        pytest.fail("Tab never leads there")


@pytest.fixture
def hands(qtbot, desktop):
    return Hands(qtbot, desktop)


def test_an_event_is_found_read_switched_corrected_and_put_back(hands, desktop, memory):
    window, chat = desktop.window, desktop.workspace.chat_id
    hands.press(Qt.Key.Key_1, CTRL)
    assert window.page == "events"
    hands.press(Qt.Key.Key_F, CTRL)
    hands.type("钥匙")
    before = window.models.events.model.rowCount()
    assert 0 < before < len(memory.events.find(chat, EventQuery()))
    hands.press(Qt.Key.Key_Down)
    if QApplication.focusWidget() is window.event_page.search:
        hands.go_to(lambda widget: widget is window.event_page.view)
        hands.press(Qt.Key.Key_Home)
    first = window.models.editor.current
    assert first is not None
    hands.press(Qt.Key.Key_Space)
    event = memory.events.fetch(chat, [first.pk])[first.pk]
    assert event.is_archived != first.is_archived
    hands.press(Qt.Key.Key_Z, CTRL)
    assert memory.events.fetch(chat, [first.pk])[first.pk].is_archived == first.is_archived
    hands.press(Qt.Key.Key_F2)
    hands.press(Qt.Key.Key_A, CTRL)
    hands.type("钥匙被改写了。")
    hands.press(Qt.Key.Key_S, CTRL)
    assert memory.events.fetch(chat, [first.pk])[first.pk].summary == "钥匙被改写了。"


def test_everything_is_reached_by_palette_switcher_and_search(hands, desktop):
    window = desktop.window
    hands.press(Qt.Key.Key_P, CTRL)
    hands.type("Graph")
    hands.press(Qt.Key.Key_Return)
    assert window.page == "graph"
    hands.press(Qt.Key.Key_K, CTRL)
    hands.type("爱丽丝 type:entity")
    hands.press(Qt.Key.Key_Return)
    entity = window.models.entity.entity
    assert entity is not None
    assert entity.name == "爱丽丝"
    hands.press(Qt.Key.Key_K, CTRL)
    hands.press(Qt.Key.Key_Escape)
    hands.press(Qt.Key.Key_O, CTRL)
    hands.type("凯尔")
    hands.press(Qt.Key.Key_Return)
    entity = window.models.entity.entity
    assert entity is not None
    assert entity.name == "凯尔"


def test_memory_is_tidied_and_that_is_taken_back(hands, desktop, memory):
    line = desktop.workspace.line
    waiting = memory.events.counts(line).buffer
    assert waiting
    hands.press(Qt.Key.Key_P, CTRL)
    hands.type("Consolidate")
    hands.press(Qt.Key.Key_Return)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.activateWindow()
    hands.press(Qt.Key.Key_Return)
    assert memory.events.counts(line).buffer < waiting
    hands.come_back()
    hands.press(Qt.Key.Key_Z, CTRL)
    assert memory.events.counts(line).buffer == waiting


def test_every_button_of_the_tool_lines_is_reached_by_tab(hands, desktop):
    """From the list on, Tab comes round to where it began and has been at every push button."""
    window = desktop.window
    hands.press(Qt.Key.Key_1, CTRL)
    seen = set()
    for _time in range(120):
        hands._bot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        seen.add(QApplication.focusWidget())
    buttons = {
        button
        for button in window.event_page.findChildren(QAbstractButton)
        if button.isVisible() and button.isEnabled() and not isinstance(button.parent(), QLineEdit)
    }
    assert len(buttons) > 3
    assert {button.accessibleName() or button.text() for button in buttons - seen} == set()
