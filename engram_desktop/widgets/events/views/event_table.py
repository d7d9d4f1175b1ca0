"""Events as a table: columns to sort by, widths that are kept, the summary edited in its cell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.event_table import COLUMNS, SORTS, SUMMARY, EventTableModel
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.viewmodels.workspace.paged_list import RowRole
from engram_desktop.widgets.events.event_card import lamp_role
from engram_desktop.widgets.parts.cards.card_table import CardTable
from engram_desktop.widgets.parts.look.look import Look

ROW_HEIGHT = 32  # pixels
REST_MS = 500  # after the last drag of a column's edge its width is kept
WIDTHS = {
    "status": 104,
    "time": 120,
    "floors": 84,
    "summary": 320,
    "entities": 160,
    "significance": 92,
    "tokens": 76,
    "updated": 140,
}
LEAST, MOST = 40, 2_000  # pixels of a column that a foreign file may ask for
KEPT = "widths of the table of events"


class _Cell(QStyledItemDelegate):
    """Puts the lamp before the state; its words stand beside it."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    @override
    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        event = index.data(RowRole)
        if event is not None:
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            option.icon = self._look.icon("lamp", lamp_role(event))


class EventTable(CardTable):
    toggle_wanted = Signal()

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        self._events = events
        self._kept_in: Remembered | None = None
        columns = EventTableModel(events)
        super().__init__(look, events.model, parent, columns=columns)
        columns.setParent(self)
        self.setAccessibleName(self.tr("Events"))
        self.setItemDelegateForColumn(0, _Cell(look, self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setCornerWidget(QWidget(self))  # what the style draws there looks like a fault
        header = self.horizontalHeader()
        header.show()
        header.setAccessibleName(self.tr("Columns"))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(LEAST)
        header.setSortIndicatorShown(True)
        for number, name in enumerate(COLUMNS):
            header.resizeSection(number, WIDTHS[name])
        header.sectionClicked.connect(self._sort)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._keep_widths)
        header.sectionResized.connect(lambda *_: self._rest.start())
        events.query_changed.connect(self._show_order)
        self._show_order()

    @override
    def update_density(self) -> None:
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT)
        self.viewport().update()

    def remember_in(self, remembered: Remembered) -> None:
        """Take the widths that are kept, and keep them from now on."""
        self._kept_in = remembered
        widths = remembered.table(KEPT)
        for number, name in enumerate(COLUMNS):
            told = widths.get(name, "")
            if told.isdecimal() and LEAST <= int(told[:5]) <= MOST:
                self.horizontalHeader().resizeSection(number, int(told[:5]))
        self._rest.stop()

    @Slot()
    def _keep_widths(self) -> None:
        if self._kept_in is not None:
            widths = {name: str(self.columnWidth(n)) for n, name in enumerate(COLUMNS)}
            self._kept_in.set_table(KEPT, widths)

    @Slot(int)
    def _sort(self, column: int) -> None:
        query, order = self._events.query, SORTS.get(COLUMNS[column])
        if order is not None:
            is_same = query.sort == order
            self._events.sort(order, is_reversed=is_same and not query.is_reversed)
        self._show_order()

    @Slot()
    def _show_order(self) -> None:
        query = self._events.query
        names = [name for name, order in SORTS.items() if order == query.sort]
        header = self.horizontalHeader()
        number = COLUMNS.index(names[-1]) if names else -1
        is_rising = (query.sort in {"story", "summary", "status"}) is not query.is_reversed
        order = Qt.SortOrder.AscendingOrder if is_rising else Qt.SortOrder.DescendingOrder
        header.setSortIndicator(number, order)

    def mark_words(self, _words: Sequence[str]) -> None:
        """Words of a search are marked on cards only."""

    def show_from_the_top(self, *, is_search: bool) -> None:
        """Begin what was found at its first row; without a search, where the reader was."""
        current = self.currentIndex()
        if is_search or not current.isValid():
            self.scrollToTop()
        else:
            self.scrollTo(current, self.ScrollHint.PositionAtCenter)

    @override
    def event(self, event: QEvent) -> bool:
        is_asked = event.type() == QEvent.Type.ShortcutOverride
        if is_asked and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F2:
            event.accept()  # the cell is edited, not the panel
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case _ if self.state() == self.State.EditingState:
                pass  # keys that the cell's editor has let through
            case Qt.Key.Key_F2 if self.currentIndex().isValid():
                self.edit(self.model().index(self.currentIndex().row(), SUMMARY))
            case Qt.Key.Key_Space:
                self.toggle_wanted.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()
