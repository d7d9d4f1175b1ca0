"""Pages behind a row of tabs that look like the rest of the window."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QToolButton, QWidget

from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import kind_button


class Tabs(QWidget):
    changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(self, 0, 8)
        self.row = QHBoxLayout()
        self.row.setSpacing(4)
        self.row.addStretch(1)
        layout.addLayout(self.row)
        self.pages = QStackedWidget()
        layout.addWidget(self.pages, 1)
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self.show_page)

    def add(self, name: str, page: QWidget) -> QToolButton:
        """Add a page at the end; returns its tab."""
        tab = kind_button("tab", name)
        number = self.pages.addWidget(page)
        self._group.addButton(tab, number)
        self.row.insertWidget(number, tab)
        tab.setChecked(number == 0)
        return tab

    def show_page(self, number: int) -> None:
        self._group.button(number).setChecked(True)
        self.pages.setCurrentIndex(number)
        self.changed.emit(number)
