"""The wheel scrolls the page; it changes a value only where the field has the focus."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QWidget,
)

from tests.gui.places import places
from tests.gui.waiting import settle

TURNED = (QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)


def turn(widget, steps=-1):
    """Turn the wheel over the middle of a widget; True if anybody took it."""
    at = widget.rect().center()
    event = QWheelEvent(
        QPointF(at),
        QPointF(widget.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def value(widget):
    for name in ("value", "currentIndex", "text"):
        if hasattr(widget, name):
            return getattr(widget, name)()
    return None


def test_the_wheel_changes_no_field_that_is_not_in_use(qtbot, desktop):
    turned = 0
    for name, place in places(qtbot, desktop):
        place.setFocus()
        fields = [w for w in place.findChildren(QWidget) if isinstance(w, TURNED)]
        for field in fields:
            if isinstance(field, QScrollBar) or not field.isVisible():
                continue
            assert field.focusPolicy() != Qt.FocusPolicy.WheelFocus, (name, field)
            if field.hasFocus():
                field.clearFocus()
            before = value(field)
            for steps in (-1, 1, 1):
                turn(field, steps)
                assert value(field) == before, (name, field.accessibleName())
            turned += 1
    assert turned > 30


def test_the_page_around_the_field_scrolls_instead(qtbot, desktop):
    window = desktop.window
    window.dialogs.open_settings()
    (dialog,) = window.dialogs.shown
    for number in range(dialog.pages.count()):
        dialog.pages.setCurrentRow(number)
        settle(qtbot, desktop)
        area = dialog._stack.currentWidget()
        if isinstance(area, QScrollArea) and area.verticalScrollBar().maximum() > 0:
            break
    else:
        pytest.fail("no page of the settings is longer than its dialog")
    fields = [w for w in area.findChildren(QWidget) if isinstance(w, TURNED) and w.isVisible()]
    field = next(w for w in fields if not isinstance(w, QScrollBar))
    before, scrolled = value(field), area.verticalScrollBar().value()
    field.clearFocus()
    at = QPointF(field.mapTo(dialog, field.rect().center()))
    QTest.wheelEvent(dialog.windowHandle(), at, QPoint(0, -120))  # as it comes from a mouse
    assert value(field) == before
    assert area.verticalScrollBar().value() > scrolled


def test_a_field_in_use_still_turns(qtbot, desktop):
    window = desktop.window
    window.event_page.view.show_row(0)
    window.editor.show_tab(1)
    settle(qtbot, desktop)
    slider = window.editor.fields.significance
    window.activateWindow()
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    before = slider.value()
    turn(slider, -1 if before else 1)
    assert slider.value() != before
