"""A part of a form that folds away under its name."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import kind_button
from engram_desktop.widgets.parts.look.look import Look


class Fold(QWidget):
    """``inner`` takes the fields; ``head`` is the button that shows and hides them."""

    def __init__(
        self, look: Look, name: str, parent: QWidget | None = None, *, is_open: bool = False
    ) -> None:
        super().__init__(parent)
        self._look = look
        rows = column(self, 0, 4)
        self.head = kind_button("plain", name, checkable=False)
        self.head.setAccessibleName(name)
        rows.addWidget(self.head)
        self.inner = QWidget()
        rows.addWidget(self.inner)
        self.head.clicked.connect(self.toggle)
        self.set_open(is_open=is_open)

    def set_open(self, *, is_open: bool) -> None:
        self._is_open = is_open
        self.inner.setVisible(is_open)
        self._look.dress(self.head, "down" if is_open else "right")

    @Slot()
    def toggle(self) -> None:
        self.set_open(is_open=not self._is_open)
