"""Texts that are cut by the box they stand in, and parts that stick out of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QTextEdit,
    QWidget,
)

from engram_desktop.widgets.parts.fields.filtered import ElidedBox
from engram_desktop.widgets.parts.pieces import ElidedLabel

PASSES = 4  # of laying out: what is in a part that scrolls asks for room after it
SLACK = 1  # pixels: sizes are rounded
LEAST_READ = 3  # letters that are left of an elided choice: its ends and the dots


def is_cut(widget: QWidget) -> bool:
    match widget:
        case ElidedLabel():
            return False  # it says so with “…”, and its tooltip has all of it
        case QLabel():
            return is_label_cut(widget)
        case QAbstractButton():
            return bool(widget.text()) and widget.sizeHint().width() > widget.width() + SLACK
        case ElidedBox():
            return bool(widget.currentText()) and len(widget.shown_text) < LEAST_READ
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
        scrolls = area.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        is_page = isinstance(area, QScrollArea) and area.widget() is widget
        return is_page and not scrolls and widget.width() > parent.width() + SLACK
    return not parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(widget.geometry())


def scrolls_sideways(widget: QWidget) -> bool:
    """Has a text that wraps a bar below it all the same? It hides a line."""
    return (
        isinstance(widget, QPlainTextEdit | QTextEdit)
        and widget.lineWrapMode() != type(widget).LineWrapMode.NoWrap
        and widget.horizontalScrollBar().isVisible()
    )


def cut_headings(header: QHeaderView) -> Iterator[str]:
    """The titles of columns that are narrower than these; the last may lie outside the view."""
    model = header.model()
    for section in range(header.count()) if model is not None else ():
        title = model.headerData(section, header.orientation())
        room = header.sectionSize(section)
        if title and 0 < room < header.sectionSizeFromContents(section).width() - SLACK:
            yield str(title)


def faults(place: str, top: QWidget) -> Iterator[tuple[str, str, str, str]]:
    for _pass in range(PASSES):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    for widget in top.findChildren(QWidget):
        if not widget.isVisible() or widget.visibleRegion().isEmpty():
            continue
        text = getattr(widget, "text", None) or getattr(widget, "currentText", None)
        told = str(text())[:50] if callable(text) else ""
        owner = type(widget.parentWidget()).__name__
        if isinstance(widget, QHeaderView):
            for title in cut_headings(widget):
                yield (place, owner, type(widget).__name__, f"cut: {title}")
        if scrolls_sideways(widget):
            yield (place, owner, type(widget).__name__, f"scrolls sideways: {told}")
        if is_cut(widget):
            yield (place, owner, type(widget).__name__, f"cut: {told}")
        elif is_outside(widget):
            yield (place, owner, type(widget).__name__, f"sticks out: {told}")
