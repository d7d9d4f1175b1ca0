"""What is only drawn is also said: every button, field and list has a name."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
)

from tests.gui.places import places

PARTS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QPlainTextEdit, QSlider)


def named(widget):
    text = getattr(widget, "text", str)()
    return bool(spoken(widget) or text)


@pytest.mark.parametrize("language", ["zh_CN", "en"])
def test_everything_that_takes_input_has_a_name(qtbot, open_desktop, memory, language):
    desktop = open_desktop(memory, language=language)
    for place, top in places(qtbot, desktop):
        nameless = [
            widget
            for kind in PARTS
            for widget in top.findChildren(kind)
            if widget.isVisible() and not named(widget) and not inner(widget)
        ]
        nameless += [
            field
            for field in top.findChildren(QLineEdit)
            if field.isVisible()
            and not (spoken(field) or field.placeholderText())
            and not inner(field)
        ]
        assert nameless == [], (place, [type(one.parent()).__name__ for one in nameless])


def spoken(widget):
    """The name that a screen reader is given: its own, or that of the label beside it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def inner(widget):
    """Parts Qt makes inside other parts carry the outer one's name."""
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget, QHeaderView)
        or isinstance(widget.parent(), (QAbstractSpinBox, QComboBox, QLineEdit))
    )


def test_icon_only_buttons_explain_themselves_on_hover(qtbot, desktop):
    for place, top in places(qtbot, desktop):
        for button in top.findChildren(QAbstractButton):
            if button.isVisible() and not button.text() and not inner(button):
                assert button.toolTip(), (place, button.accessibleName())


def test_tab_reaches_the_parts_of_the_event_page(qtbot, desktop):
    window = desktop.window
    seen = set()
    widget = window.sidebar.search
    for _ in range(200):
        seen.add(widget)
        widget = widget.nextInFocusChain()
    assert {window.event_page.search, window.event_page.view, window.editor.lamp_button} <= seen
