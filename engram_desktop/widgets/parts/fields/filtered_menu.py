"""A list below a button that narrows to what is typed: a menu that may be long.

Nothing is chosen by typing alone: a click or Enter picks a row, whatever keys are held with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.fields.text_fields import LineField

WIDTH = 260  # pixels: a name and its count
ROWS_SEEN = 11  # the others scroll
ROW_HEIGHT = 30  # pixels
FILTERED_FROM = 9  # rows: fewer are seen at a glance
_HELD = Qt.ItemDataRole.UserRole


class _MenuField(LineField):
    """The arrows go to the list below."""

    passed_on = Signal(object)  # QKeyEvent

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.passed_on.emit(event)
            event.accept()
        else:
            super().keyPressEvent(event)


class FilteredMenu(QFrame):
    picked = Signal(object)  # what the row holds
    menu_wanted = Signal(object, QPoint)  # what the row holds; where, in the screen's terms

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("card")
        self.setAccessibleName(name)
        rows = column(self, 6, 6)
        self.field = _MenuField(self.tr("Filter"), self)
        self.field.setAccessibleName(self.tr("Filter"))
        self.list = QListWidget(self)
        self.list.setObjectName("completions")
        self.list.setAccessibleName(name)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        rows.addWidget(self.field)
        rows.addWidget(self.list)
        self.field.textChanged.connect(self._narrow)
        self.field.passed_on.connect(self._take_key)
        self.field.submitted.connect(self._take_current)
        self.list.itemClicked.connect(self._take)
        self.list.customContextMenuRequested.connect(self._ask_menu)

    def offer(self, rows: Sequence[tuple[str, Any]], current: Any = None) -> None:
        """Fill the list with texts and what they stand for; None stands for a heading."""
        self.list.clear()
        for text, held in rows:
            item = QListWidgetItem(text, self.list)
            item.setData(_HELD, held)
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            if held is None:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            elif held == current:
                self.list.setCurrentItem(item)
        self._narrow(self.field.text())
        if self.isVisible():
            self._fit()

    @property
    def texts(self) -> list[str]:
        """What is seen of the rows, in order."""
        items = (self.list.item(n) for n in range(self.list.count()))
        return [item.text() for item in items if not item.isHidden()]

    def open_below(self, button: QWidget) -> None:
        self.field.clear()
        self._fit()
        at = button.mapToGlobal(QPoint(0, button.height() + 2))
        room = button.screen().availableGeometry()
        x = max(room.left(), min(at.x(), room.right() - self.width()))
        y = at.y() if at.y() + self.height() <= room.bottom() else at.y() - self.height()
        self.move(x, max(room.top(), y))
        self.show()
        (self.list if self.field.isHidden() else self.field).setFocus()

    def _fit(self) -> None:
        count = self.list.count()
        self.field.setVisible(count >= FILTERED_FROM)
        self.list.setFixedHeight(ROW_HEIGHT * max(1, min(count, ROWS_SEEN)) + 4)
        self.setFixedWidth(WIDTH)
        self.adjustSize()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.hide()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._take_current()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    @Slot(object)
    def _take_key(self, event: QKeyEvent) -> None:
        self.list.setFocus()
        self.list.keyPressEvent(event)

    @Slot(str)
    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        first: QListWidgetItem | None = None
        for n in range(self.list.count()):
            item = self.list.item(n)
            is_heading = item.data(_HELD) is None
            told = item.text().casefold()
            is_seen = not words or (not is_heading and all(word in told for word in words))
            item.setHidden(not is_seen)
            if is_seen and not is_heading and first is None:
                first = item
        current = self.list.currentItem()
        if first is not None and (current is None or current.isHidden()):
            self.list.setCurrentItem(first)

    @Slot()
    def _take_current(self) -> None:
        item = self.list.currentItem()
        if item is not None and not item.isHidden():
            self._take(item)

    def _take(self, item: QListWidgetItem) -> None:
        held = item.data(_HELD)
        if held is not None:
            self.hide()
            self.picked.emit(held)

    @Slot(QPoint)
    def _ask_menu(self, at: QPoint) -> None:
        item = self.list.itemAt(at) or self.list.currentItem()
        held = item.data(_HELD) if item is not None else None
        if held is not None:
            self.menu_wanted.emit(held, self.list.viewport().mapToGlobal(at))
