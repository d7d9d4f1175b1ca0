"""A drop-down that narrows to what is typed: for lists that may be long.

What is typed is only a filter, unless ``is_free``: left unfinished, the choice stays what it was.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QComboBox, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.fields.completions import completions
from engram_desktop.widgets.parts.fields.text_fields import LineField


class _FilterLine(LineField):
    """Where the filter is typed. The first click chooses all of it, so that typing replaces it."""

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


class FilteredBox(QComboBox):
    """Filled like any other drop-down; `activated` says that something was chosen."""

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
        if not is_free:
            self.line.submitted.connect(self._take)
            self.line.left.connect(self._on_left)

    @property
    def is_typing(self) -> bool:
        """Whether a filter stands there that is no choice yet: leave it alone."""
        return not self._is_free and self.line.hasFocus() and self.line.isModified()

    @override
    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.line.setAccessibleName(name)

    @property
    def _match(self) -> int:
        """The row that was typed: as it stands there, or the only one that holds it."""
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
        """Show what is chosen again."""
        self.setEditText(self.itemText(self.currentIndex()))
        self.line.setModified(False)
        self.line.setCursorPosition(0)
