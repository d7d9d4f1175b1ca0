"""What is only drawn is also said: every button, field and list has a name."""

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
)

from tests.gui.waiting import settle

PARTS = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QPlainTextEdit, QSlider)


def named(widget):
    text = getattr(widget, "text", str)()
    return bool(widget.accessibleName() or text)


@pytest.mark.parametrize("language", ["zh_CN", "en"])
def test_everything_that_takes_input_has_a_name(qtbot, open_desktop, memory, language):
    desktop = open_desktop(memory, language=language)
    window = desktop.window
    window.event_page.view.show_row(0)
    for page in ("events", "graph", "recall"):
        window.show_page(page)
        settle(qtbot, desktop)
        nameless = [
            widget
            for kind in PARTS
            for widget in window.findChildren(kind)
            if widget.isVisible() and not named(widget) and not inner(widget)
        ]
        nameless += [
            field
            for field in window.findChildren(QLineEdit)
            if field.isVisible()
            and not (field.accessibleName() or field.placeholderText())
            and not inner(field)
        ]
        assert nameless == [], page


def inner(widget):
    """Parts Qt makes inside other parts carry the outer one's name."""
    return widget.objectName().startswith("qt_") or isinstance(
        widget.parent(), (QAbstractSpinBox, QLineEdit)
    )


def test_icon_only_buttons_explain_themselves_on_hover(desktop):
    for button in desktop.window.findChildren(QAbstractButton):
        if button.isVisible() and not button.text() and not inner(button):
            assert button.toolTip(), button.accessibleName()


def test_tab_reaches_the_parts_of_the_event_page(qtbot, desktop):
    window = desktop.window
    seen = set()
    widget = window.sidebar.search
    for _ in range(200):
        seen.add(widget)
        widget = widget.nextInFocusChain()
    assert {window.event_page.search, window.event_page.view, window.editor.lamp_button} <= seen
