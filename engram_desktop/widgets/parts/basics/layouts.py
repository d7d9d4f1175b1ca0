"""Layouts: columns, rows with a caption, widgets in lines like words, and how they are emptied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayout, QLayoutItem, QVBoxLayout, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.basics.pieces import label


def column(parent: QWidget, margin: int = 0, spacing: int = 8) -> QVBoxLayout:
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(spacing)
    return layout


def add_row(rows: QVBoxLayout, name: str, field: QWidget | QLayout) -> None:
    """Add a field below its caption; a form's own captions would guess at rich text."""
    if name:
        caption = label(name)
        caption.setContentsMargins(0, 6, 0, 0)
        rows.addWidget(caption)
        if isinstance(field, QWidget):
            caption.setBuddy(field)
    if isinstance(field, QWidget):
        rows.addWidget(field)
    else:
        rows.addLayout(field)


class FlowLayout(QLayout):
    """Lays widgets out in lines, like words.

    Where all fit into one line, those after `push` stand at its end.
    """

    def __init__(self, parent: QWidget | None = None, spacing: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._pushed: QLayoutItem | None = None
        self._is_pushing = False
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        if self._is_pushing:
            self._pushed, self._is_pushing = item, False

    def push(self) -> None:
        """Put what is added from now on at the end of the line."""
        self._is_pushing = True

    @override
    def count(self) -> int:
        return len(self._items)

    @override
    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    @override
    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    @override
    def sizeHint(self) -> QSize:
        return self.minimumSize()

    @override
    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y = rect.x(), rect.y()
        line: list[tuple[QLayoutItem, QRect]] = []
        shown = [item for item in self._items if not item.isEmpty()]  # the others are hidden
        widths = [item.sizeHint().width() for item in shown]
        room = rect.width() - sum(widths) - self.spacing() * (len(shown) - 1)
        for item in shown:
            size = item.sizeHint()
            size.setWidth(min(size.width(), max(rect.width(), item.minimumSize().width())))
            if item is self._pushed and room > 0:
                x += room
            if x > rect.x() and x + size.width() > rect.right() + 1:
                x, y = rect.x(), y + _end_line(line, move=move) + self.spacing()
                line = []
            line.append((item, QRect(QPoint(x, y), size)))
            x += size.width() + self.spacing()
        return y + _end_line(line, move=move) - rect.y()


def _end_line(line: Sequence[tuple[QLayoutItem, QRect]], *, move: bool) -> int:
    """Return the height of a line; what is lower than it stands in its middle."""
    height = max((area.height() for _item, area in line), default=0)
    for item, area in line:
        if move:
            item.setGeometry(area.translated(0, (height - area.height()) // 2))
    return height


def clear_layout(layout: QLayout) -> None:
    """Take everything out and free it."""
    while layout.count():
        item = layout.takeAt(0)
        if item is None:
            return
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            clear_layout(inner)
        if widget is not None:
            widget.hide()
            widget.deleteLater()
