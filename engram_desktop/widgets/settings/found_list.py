"""The settings a search found: each with the page it stands on and the text that was found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from engram_desktop.viewmodels.settings.settings_search import FoundSetting
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label

ROW_HEIGHT = 54  # two lines of text
FOUND = Qt.ItemDataRole.UserRole
MOST_OF_WHY = 90  # characters of the text that was found: the row elides the rest


class FoundList(QWidget):
    chosen = Signal(str, str)  # page, key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        rows = column(self, 0, 8)
        self.hint = label("", "quiet", wrap=True)
        rows.addWidget(self.hint)
        self.list = QListWidget()
        self.list.setObjectName("bare")
        self.list.setAccessibleName(self.tr("Settings found"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._open)
        self.list.itemActivated.connect(self._open)
        rows.addWidget(self.list, 1)

    def show_found(self, found: Sequence[FoundSetting], text: str) -> None:
        self.list.clear()
        for one in found:
            where = " · ".join(filter(None, (one.where, one.why[:MOST_OF_WHY] or one.key)))
            item = QListWidgetItem(f"{one.title}\n{where}")
            item.setSizeHint(QSize(0, ROW_HEIGHT))
            item.setData(FOUND, (one.page, one.key))
            self.list.addItem(item)
        none = self.tr("No setting says “{text}”.").format(text=text.strip())
        self.hint.setText(self.tr("%n setting(s)", "", len(found)) if found else none)
        self.list.setVisible(bool(found))

    def open_first(self) -> None:
        """Open what is chosen, or the first."""
        if self.list.count():
            self._open(self.list.item(max(0, self.list.currentRow())))

    def _open(self, item: QListWidgetItem) -> None:
        page, key = item.data(FOUND)
        self.chosen.emit(page, key)
