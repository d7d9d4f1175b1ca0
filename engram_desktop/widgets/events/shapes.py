"""The event list in its shapes: cards, table, outline, and a grid of witnesses."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHeaderView,
    QStackedWidget,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.events import event_shapes
from engram_desktop.viewmodels.events.event_list import (
    COLUMNS,
    SORTS,
    SUMMARY,
    EventList,
    EventTableModel,
)
from engram_desktop.viewmodels.events.event_shapes import EventViews
from engram_desktop.viewmodels.private_note import NoteMarks
from engram_desktop.viewmodels.search.finders import Remembered
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.events import day_view
from engram_desktop.widgets.events.event_card import EventCard, EventView, lamp_role
from engram_desktop.widgets.events.witness_table import WitnessPage, WitnessTable
from engram_desktop.widgets.parts.cards import GAP, AnyIndex, CardTable, IconDelegate
from engram_desktop.widgets.parts.look import Look

# Events as a table: sortable columns, stored widths, the summary edited in its cell.


ROW_HEIGHT = 32  # pixels
REST_MS = 500  # after the last drag of a column's edge, before its width is stored
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
LEAST, MOST = 40, 2_000  # pixels: bounds for a column width read from a file
TABLE_KEPT = "widths of the table of events"


class _Cell(IconDelegate):
    """Draws the lamp before the words of the state."""

    @override
    def icon_of(self, index: AnyIndex) -> tuple[str, str] | None:
        event = index.data(RowRole)
        return None if event is None else ("lamp", lamp_role(event))


class _Summary(IconDelegate):
    """Draws the mark of a private note before the summary."""

    def __init__(self, look: Look, noted: NoteMarks, parent: QWidget) -> None:
        super().__init__(look, parent)
        self._noted = noted

    @override
    def icon_of(self, index: AnyIndex) -> tuple[str, str] | None:
        event = index.data(RowRole)
        return ("note", "gold") if event is not None and self._noted.has_event(event.id) else None


class EventTable(CardTable):
    toggle_wanted = Signal()

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        self._events = events
        self._kept_in: Remembered | None = None
        columns = EventTableModel(events)
        super().__init__(look, events.model, parent, columns=columns)
        columns.setParent(self)
        self.setObjectName("table")
        self.setAccessibleName(self.tr("Events"))
        self.setItemDelegateForColumn(0, _Cell(look, self))
        self.setItemDelegateForColumn(SUMMARY, _Summary(look, events.noted, self))
        events.noted.changed.connect(self.viewport().update)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setCornerWidget(QWidget(self))  # what the style draws in the corner looks like a fault
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
        """Restore the column widths stored in this memo, and store changes from now on."""
        self._kept_in = remembered
        widths = remembered.table(TABLE_KEPT)
        for number, name in enumerate(COLUMNS):
            told = widths.get(name, "")
            if told.isdecimal() and LEAST <= int(told[:5]) <= MOST:
                self.horizontalHeader().resizeSection(number, int(told[:5]))
        self._rest.stop()

    @Slot()
    def _keep_widths(self) -> None:
        if self._kept_in is not None:
            widths = {name: str(self.columnWidth(n)) for n, name in enumerate(COLUMNS)}
            self._kept_in.set_table(TABLE_KEPT, widths)

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
                pass  # keys that the cell's editor has not handled
            case Qt.Key.Key_F2 if self.currentIndex().isValid():
                self.edit(self.model().index(self.currentIndex().row(), SUMMARY))
            case Qt.Key.Key_Space:
                self.toggle_wanted.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()


# The list of events in the chosen shape: cards, a table, or a tree of outlines.
#
# Events as a tree: outlines with their parts below them, as cards.


STEP = 24  # pixels of indentation per level
ARROW = 22  # pixels: width of the button that folds
DEEPEST = 5  # indented levels; deeper ones have the same indent


class OutlineCard(EventCard):
    fold_clicked = Signal(int)  # row

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        unfolded = index.data(event_shapes.FoldRole)
        row = QRect(option.rect)
        if unfolded is not None:
            arrow = self.arrow_rect(row, index)
            picture = self._look.pixmap("down" if unfolded else "right", "ink2", 16)
            at = QPointF(arrow.left() + 2, arrow.top() + 13)
            painter.drawPixmap(at, picture)
        shifted = QStyleOptionViewItem(option)
        shifted.rect = self.card_rect(row, index)
        super().paint(painter, shifted, index)

    @override
    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: AnyIndex,
    ) -> bool:
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            at = event.position().toPoint()
            if index.data(event_shapes.FoldRole) is not None and self.arrow_rect(
                option.rect, index
            ).contains(at):
                if event.type() == QEvent.Type.MouseButtonRelease:
                    self.fold_clicked.emit(index.row())
                return True
        shifted = QStyleOptionViewItem(option)
        shifted.rect = self.card_rect(option.rect, index)
        return super().editorEvent(event, model, shifted, index)

    @staticmethod
    def arrow_rect(row: QRect, index: AnyIndex) -> QRect:
        left = row.left() + STEP * min(index.data(event_shapes.DepthRole) or 0, DEEPEST)
        return QRect(left, row.top(), ARROW, row.height() - GAP)

    @classmethod
    def card_rect(cls, row: QRect, index: AnyIndex) -> QRect:
        return row.adjusted(cls.arrow_rect(row, index).right() - row.left() + 1, 0, 0, 0)


class OutlineView(EventView):
    """The outline of events: Right unfolds a row, Left folds it or goes to its outline."""

    def __init__(
        self,
        look: Look,
        events: EventList,
        tree: event_shapes.OutlineTree,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(look, events, parent, rows=tree.model)
        self.setAccessibleName(self.tr("Outlines"))
        self._tree = tree
        card = OutlineCard(look, self)
        card.fold_clicked.connect(tree.toggle)
        self.draw_with(card)

    @override
    def show_key(self, key: int) -> bool:
        self._tree.reveal(key)
        return super().show_key(key)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        unfolded = index.data(event_shapes.FoldRole) if index.isValid() else None
        match event.key():
            case Qt.Key.Key_Right if unfolded is False:
                self._tree.toggle(index.row())
            case Qt.Key.Key_Left if unfolded:
                self._tree.toggle(index.row())
            case Qt.Key.Key_Left if index.isValid():
                row = self._tree.parent_row(index.row())
                if row is not None:
                    self.show_row(row)
            case _:
                super().keyPressEvent(event)
                return
        event.accept()


SHAPES: tuple[str, ...] = ("cards", "table", "outlines", "people", "days")
KEPT = "shape of the list of events"


ShapeView = EventView | EventTable | WitnessTable


class EventShapes(QStackedWidget):
    """The shapes of the list, each made when first shown. They share the selection."""

    chosen = Signal(int)  # number of selected events
    edit_wanted = Signal()
    delete_wanted = Signal()
    copy_wanted = Signal()
    toggle_wanted = Signal()
    menu_wanted = Signal(QPoint)
    shape_changed = Signal(str)

    def __init__(
        self,
        look: Look,
        events: EventList,
        views: EventViews,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._events = events
        self._beside = views
        self._kept_in: Remembered | None = None
        self._is_active = False
        self.shape = "cards"
        self.views: dict[str, ShapeView] = {}
        self.frames: dict[str, QWidget] = {}  # what is shown of each: its view or a frame
        self._view("cards")
        self.setCurrentWidget(self.frames["cards"])

    @property
    def current(self) -> ShapeView:
        return self.views[self.shape]

    def remember_in(self, remembered: Remembered) -> None:
        """Restore the shape stored in this memo, and store the chosen one from now on."""
        self._kept_in = remembered
        kept = next(iter(remembered.texts(KEPT)), "cards")
        if kept in SHAPES and kept != self.shape:
            self.show_shape(kept)

    @Slot(str)
    def show_shape(self, shape: str) -> None:
        if shape == self.shape:
            return
        before = self.current
        keys, key = before.selected_keys(), before.current_key()
        self.shape = shape
        view = self._view(shape)
        self.setCurrentWidget(self.frames[shape])
        self.set_active(self._is_active)
        view.mark_words(self._events.searched_words)
        view.clearSelection()
        if key is not None and key in keys:
            view.show_key(key)
        view.chosen.emit(view.selected_count())
        if self._kept_in is not None:
            self._kept_in.add(KEPT, shape, 1)
        self.shape_changed.emit(shape)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - seen or not
        self._is_active = active
        if "outlines" in self.views:
            self._beside.tree.set_active(active and self.shape == "outlines")
        if "people" in self.views:
            self._beside.grid.set_active(active and self.shape == "people")
        if "days" in self.views:
            self._beside.days.set_active(active and self.shape == "days")

    @Slot()
    def focus_list(self) -> None:
        self.current.setFocus()

    @Slot()
    def select_all(self) -> None:
        self.current.selectAll()

    @Slot()
    def invert_selection(self) -> None:
        self.current.invert_selection()

    @Slot()
    def clear_selection(self) -> None:
        self.current.clearSelection()

    def _view(self, shape: str) -> ShapeView:
        view = self.views.get(shape)
        if view is None:
            view, frame = self._make(shape)
            self.views[shape], self.frames[shape] = view, frame
            self.addWidget(frame)
            view.chosen.connect(lambda count: self._pass_on(shape, count))
            view.edit_wanted.connect(self.edit_wanted)
            view.delete_wanted.connect(self.delete_wanted)
            view.installEventFilter(self)
            view.toggle_wanted.connect(self.toggle_wanted)
            if isinstance(view, WitnessTable):
                view.customContextMenuRequested.connect(view.open_menu)
            else:
                view.customContextMenuRequested.connect(self.menu_wanted)
        return view

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle Ctrl+C in a list; an edited cell has the focus and its own handling."""
        is_copy = (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Copy)
        )
        if is_copy:
            self.copy_wanted.emit()
            return True
        return super().eventFilter(watched, event)

    def _make(self, shape: str) -> tuple[ShapeView, QWidget]:
        look, events = self._look, self._events
        if shape == "people":
            grid = self._beside.grid
            people = WitnessTable(look, events, grid)
            return people, WitnessPage(look, grid, people, self)
        if shape == "days":
            days = self._beside.days
            of_day = day_view.DayEvents(look, events, days)
            return of_day, day_view.DayPage(look, days, of_day, self)
        if shape == "outlines":
            outlines = OutlineView(look, events, self._beside.tree, self)
            return outlines, outlines
        if shape == "cards":
            cards = EventView(look, events, self)
            return cards, cards
        table = EventTable(look, events, self)
        if self._kept_in is not None:
            table.remember_in(self._kept_in)
        return table, table

    def _pass_on(self, shape: str, count: int) -> None:
        if shape == self.shape:
            self.chosen.emit(count)
