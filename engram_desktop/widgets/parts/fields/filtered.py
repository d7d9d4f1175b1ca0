"""Choices that are filtered by typing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)
from typing_extensions import override

from engram_desktop.widgets.parts.fields.text_fields import LineField, completions
from engram_desktop.widgets.parts.layouts import column

# A drop-down list filtered by typed text, for long lists.
#
# Typed text is only a filter, unless ``is_free``: if it is left unfinished, the choice stays as it
# was.


class _FilterLine(LineField):
    """The line for the filter. The first click selects all text, so that typing replaces it."""

    given_up = Signal()

    def __init__(self, parent: QWidget, *, is_free: bool) -> None:
        super().__init__("", parent)
        self._is_free = is_free
        self._is_first_click = False

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_first_click = event.reason() == Qt.FocusReason.MouseFocusReason

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._is_first_click and not self.hasSelectedText():
            self.selectAll()
        self._is_first_click = False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self._is_free or not self.isModified():
                event.ignore()  # the dialog around it closes
            else:
                self.given_up.emit()
                event.accept()
            return
        super().keyPressEvent(event)


FREE = 3  # pixels that Qt leaves free at each side of a text


class ElidedBox(QComboBox):
    """A drop-down whose choices are elided in the middle; the tooltip has the whole text.

    Qt cuts the end, and two choices may differ only there.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentTextChanged.connect(self.setToolTip)

    @property
    def shown_text(self) -> str:
        """Return the visible text of the choice."""
        return self._option().currentText

    def _option(self) -> QStyleOptionComboBox:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = option.fontMetrics.elidedText(
            option.currentText, Qt.TextElideMode.ElideMiddle, field.width() - 2 * FREE
        )
        return option

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), self._option()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class FilteredBox(QComboBox):
    """Filled like any other drop-down; `activated` is emitted when a row is chosen."""

    def __init__(self, parent: QWidget | None = None, *, is_free: bool = False) -> None:
        super().__init__(parent)
        self._is_free = is_free
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.line = _FilterLine(self, is_free=is_free)
        self.setLineEdit(self.line)
        self.offers = completions(self.model(), self)
        self.setCompleter(self.offers)
        self.line.given_up.connect(self._show_choice)
        self.line.cursorPositionChanged.connect(self._show_beginning)
        if not is_free:
            self.line.submitted.connect(self._take)
            self.line.left.connect(self._on_left)

    @override
    def sizeHint(self) -> QSize:
        """Add the room that the inner field needs beside its text, which Qt omits."""
        return super().sizeHint() + QSize(2 * FREE, 0)

    @Slot()
    def _show_beginning(self) -> None:
        """Show the beginning of a text longer than the field, unless it is being typed."""
        if not self.line.hasFocus():
            self.line.home(False)

    @property
    def is_typing(self) -> bool:
        """Return whether the text is an unfinished filter, which must not be replaced."""
        return not self._is_free and self.line.hasFocus() and self.line.isModified()

    @override
    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.line.setAccessibleName(name)

    @override
    def showPopup(self) -> None:
        """Show all rows in the filtered list instead of Qt's own popup."""
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)
        self.line.selectAll()
        self.offers.setCompletionPrefix("")
        self.offers.complete()
        self.offers.list.scrollTo(self.offers.completionModel().index(self.currentIndex(), 0))

    @override
    def hidePopup(self) -> None:
        self.offers.list.hide()
        super().hidePopup()

    @property
    def _match(self) -> int:
        """Return the row with exactly the typed text, or the only row that contains it; else -1."""
        typed = self.line.text().strip().casefold()
        rows = [self.itemText(row).casefold() for row in range(self.count())]
        if typed in rows:
            return rows.index(typed)
        holding = [number for number, text in enumerate(rows) if typed and typed in text]
        return holding[0] if len(holding) == 1 else -1

    def _take(self) -> None:
        row = self._match if self.line.isModified() else -1
        if row >= 0:
            self.setCurrentIndex(row)
            self.activated.emit(row)
        self._show_choice()

    def _on_left(self) -> None:
        if self.line.isModified() and not self.offers.list.isVisible():
            self._take()

    def _show_choice(self) -> None:
        """Show the chosen row's text again."""
        self.setEditText(self.itemText(self.currentIndex()))
        self.line.setModified(False)
        self.line.setCursorPosition(0)


# A list below a button, filtered by typed text: for long menus.
#
# Typing alone chooses nothing: a click or Enter chooses a row, whatever modifier keys are held.


WIDTH = 260  # pixels: a name and its count
ROWS_SEEN = 11  # further rows scroll
ROW_HEIGHT = 30  # pixels
FILTERED_FROM = 9  # rows: a shorter list has no filter
_HELD = Qt.ItemDataRole.UserRole


class _MenuField(LineField):
    """The filter field: arrow keys go to the list below."""

    passed_on = Signal(object)  # QKeyEvent

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.passed_on.emit(event)
            event.accept()
        else:
            super().keyPressEvent(event)


class FilteredMenu(QFrame):
    picked = Signal(object)  # the value of the row
    menu_wanted = Signal(object, QPoint)  # the value of the row; the position on the screen

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
        """Fill the list with texts and their values; a row with value None is a heading."""
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
        """Return the texts of the visible rows, in order."""
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
