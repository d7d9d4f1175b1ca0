"""Searches that were saved, beside the chats: a click searches, a right click renames or unpins."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QMenu, QWidget

from engram_desktop.viewmodels.search.saved_searches import SavedSearches
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.look.look import Look

MOST_SEEN = 4  # rows; the others scroll
ROW_HEIGHT = 32  # pixels, with the padding of the style sheet
TEXT = Qt.ItemDataRole.UserRole


class PinnedSearches(QWidget):
    """Hidden while no search is pinned."""

    opened = Signal(str)  # the text to be searched

    def __init__(
        self,
        look: Look,
        searches: SavedSearches,
        parent: QWidget | None = None,
        *,
        title: str = "",
        icon: str = "search",
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        title = title or self.tr("Saved searches")
        self._look = look
        self._searches = searches
        rows = column(self, 0, 2)
        rows.setContentsMargins(12, 4, 12, 4)
        heading = label(title, "section")
        heading.setContentsMargins(8, 0, 0, 0)
        rows.addWidget(heading)
        self.list = QListWidget(self)
        self.list.setObjectName("bare")
        self.list.setAccessibleName(title)
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.itemClicked.connect(self._open)
        self.list.itemChanged.connect(self._on_renamed)
        rows.addWidget(self.list)
        searches.changed.connect(self._show)
        look.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        blocker = QSignalBlocker(self.list)
        self.list.clear()
        for text, name in self._searches.pinned:
            item = QListWidgetItem(self._look.icon(self._icon), name)
            item.setData(TEXT, text)
            item.setToolTip(self._searches.words(text))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
        blocker.unblock()
        count = self.list.count()
        self.list.setMinimumHeight(ROW_HEIGHT + 8)  # in a low window one is seen, and scrolls
        self.list.setMaximumHeight(ROW_HEIGHT * min(count, MOST_SEEN) + 8)
        self.setVisible(count > 0)

    def _open(self, item: QListWidgetItem) -> None:
        self.opened.emit(item.data(TEXT))

    def _on_renamed(self, item: QListWidgetItem) -> None:
        self._searches.rename(item.data(TEXT), item.text())

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        item = self.list.itemAt(at)
        if item is None:
            return
        text = item.data(TEXT)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for icon, words, call in (
            (self._icon, self.tr("Open"), lambda: self.opened.emit(text)),
            ("edit", self.tr("Rename"), lambda: self.list.editItem(item)),
            ("close", self.tr("Unpin"), lambda: self._searches.unpin(text)),
            ("trash", self.tr("Delete"), lambda: self._searches.delete(text)),
        ):
            action = menu.addAction(self._look.icon(icon), words)
            action.triggered.connect(lambda _checked=False, do=call: do())
        menu.popup(self.list.viewport().mapToGlobal(at))
