"""No text is cut by the box it stands in, in any language, in the smallest window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QWidget,
)

from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.window.page_list import PAGES
from tests.gui.places import places
from tests.gui.waiting import settle

pytestmark = pytest.mark.timeout(300)
SMALLEST = (900, 600)
SLACK = 1  # pixels: sizes are rounded
LAYERS = 4  # what a part asks for when it was laid out, that around it answers: areas in areas


def is_cut(widget: QWidget) -> bool:
    match widget:
        case ElidedLabel():
            return False  # it says so with “…”, and its tooltip has all of it
        case QLabel():
            return is_label_cut(widget)
        case QAbstractButton():
            return bool(widget.text()) and widget.sizeHint().width() > widget.width() + SLACK
        case QComboBox():
            room = widget.width() - 34  # the arrow and the frame
            text = widget.currentText()
            return not widget.isEditable() and widget.fontMetrics().horizontalAdvance(text) > room
    return False


def is_label_cut(label: QLabel) -> bool:
    if not label.text() or not label.pixmap().isNull():
        return False
    room = label.contentsRect()
    if label.wordWrap():
        return label.heightForWidth(label.width()) > label.height() + SLACK
    if label.textFormat() == Qt.TextFormat.RichText:
        document = QTextDocument()
        document.setHtml(label.text())
        return document.idealWidth() > room.width() + SLACK
    size = label.fontMetrics().size(0, label.text())
    return size.width() > room.width() + SLACK or size.height() > label.height() + SLACK + 2


def is_outside(widget: QWidget) -> bool:
    """Does it stick out of what it lies in, where nothing scrolls?"""
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or isinstance(parent, QAbstractScrollArea):
        return False
    area = parent.parentWidget()
    if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
        return False
    return not parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(widget.geometry())


def faults(place: str, top: QWidget) -> Iterator[tuple[str, str, str, str]]:
    for widget in [top, *top.findChildren(QWidget)] * LAYERS:
        QApplication.sendPostedEvents(widget, QEvent.Type.LayoutRequest.value)
    for widget in top.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        text = getattr(widget, "text", None) or getattr(widget, "currentText", None)
        told = str(text())[:50] if callable(text) else ""
        owner = type(widget.parentWidget()).__name__
        if is_cut(widget):
            yield (place, owner, type(widget).__name__, f"cut: {told}")
        elif is_outside(widget):
            yield (place, owner, type(widget).__name__, f"sticks out: {told}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_cut_in_the_smallest_window(qtbot, open_desktop, memory, language):
    desktop = open_desktop(memory, language=language)
    window = desktop.window
    window.resize(*SMALLEST)
    settle(qtbot, desktop)
    found = set()
    for spec in PAGES:
        window.show_page(spec.name)
        settle(qtbot, desktop)
        found |= set(faults(spec.name, window))
    for place, top in places(qtbot, desktop):
        found |= set(faults(place, top))
    assert not found, "\n" + "\n".join(" | ".join(fault) for fault in sorted(found))
