"""The list of events in the shape that is chosen: cards, a table, or a tree of outlines.

Events as a tree: outlines with their parts below them, as cards.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QPoint,
    QPointF,
    QRect,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStackedWidget, QStyleOptionViewItem, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.outline_tree import DepthRole, FoldRole, OutlineTree
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.widgets.events.event_card import EventCard
from engram_desktop.widgets.events.event_view import EventView
from engram_desktop.widgets.events.views.event_table import EventTable
from engram_desktop.widgets.parts.cards.card_delegate import GAP, AnyIndex
from engram_desktop.widgets.parts.look.look import Look

STEP = 24  # pixels a level is set in
ARROW = 22  # width of the button that folds
DEEPEST = 5  # levels set in; deeper ones stand there


class OutlineCard(EventCard):
    fold_clicked = Signal(int)  # row

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        unfolded = index.data(FoldRole)
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
            if index.data(FoldRole) is not None and self.arrow_rect(option.rect, index).contains(
                at
            ):
                if event.type() == QEvent.Type.MouseButtonRelease:
                    self.fold_clicked.emit(index.row())
                return True
        shifted = QStyleOptionViewItem(option)
        shifted.rect = self.card_rect(option.rect, index)
        return super().editorEvent(event, model, shifted, index)

    @staticmethod
    def arrow_rect(row: QRect, index: AnyIndex) -> QRect:
        left = row.left() + STEP * min(index.data(DepthRole) or 0, DEEPEST)
        return QRect(left, row.top(), ARROW, row.height() - GAP)

    @classmethod
    def card_rect(cls, row: QRect, index: AnyIndex) -> QRect:
        return row.adjusted(cls.arrow_rect(row, index).right() - row.left() + 1, 0, 0, 0)


class OutlineView(EventView):
    """Right unfolds a row, Left folds it or goes to its outline."""

    def __init__(
        self, look: Look, events: EventList, tree: OutlineTree, parent: QWidget | None = None
    ) -> None:
        super().__init__(look, events, parent, rows=tree.model)
        self.setAccessibleName(self.tr("Outlines"))
        self._tree = tree
        self.card = OutlineCard(look, self)
        self.card.lamp_clicked.connect(events.toggle_lamp)
        self.card.fold_clicked.connect(tree.toggle)
        self.setItemDelegate(self.card)

    @override
    def show_key(self, key: int) -> bool:
        self._tree.reveal(key)
        return super().show_key(key)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        unfolded = index.data(FoldRole) if index.isValid() else None
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


SHAPES: tuple[str, ...] = ("cards", "table", "outlines")
KEPT = "shape of the list of events"


class EventShapes(QStackedWidget):
    """Makes a shape when it is first seen. What is selected goes along."""

    chosen = Signal(int)  # how many are selected
    edit_wanted = Signal()
    delete_wanted = Signal()
    toggle_wanted = Signal()
    menu_wanted = Signal(QPoint)
    shape_changed = Signal(str)

    def __init__(
        self,
        look: Look,
        events: EventList,
        tree: Callable[[], OutlineTree],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._events = events
        self._tree = tree
        self._kept_in: Remembered | None = None
        self._is_active = False
        self.shape = "cards"
        self.views: dict[str, EventView | EventTable] = {}
        self.setCurrentWidget(self._view("cards"))

    @property
    def current(self) -> EventView | EventTable:
        return self.views[self.shape]

    def remember_in(self, remembered: Remembered) -> None:
        """Show the shape that is kept, and keep what is chosen from now on."""
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
        self.setCurrentWidget(view)
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
            self._tree().set_active(active and self.shape == "outlines")

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

    def _view(self, shape: str) -> EventView | EventTable:
        view = self.views.get(shape)
        if view is None:
            view = self.views[shape] = self._make(shape)
            self.addWidget(view)
            view.chosen.connect(lambda count: self._pass_on(shape, count))
            view.edit_wanted.connect(self.edit_wanted)
            view.delete_wanted.connect(self.delete_wanted)
            view.toggle_wanted.connect(self.toggle_wanted)
            view.customContextMenuRequested.connect(self.menu_wanted)
        return view

    def _make(self, shape: str) -> EventView | EventTable:
        look, events = self._look, self._events
        if shape == "outlines":
            return OutlineView(look, events, self._tree(), self)
        if shape == "cards":
            return EventView(look, events, self)
        table = EventTable(look, events, self)
        if self._kept_in is not None:
            table.remember_in(self._kept_in)
        return table

    def _pass_on(self, shape: str, count: int) -> None:
        if shape == self.shape:
            self.chosen.emit(count)
