"""Events as a tree: outlines with their parts below them, as cards."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.outline_tree import DepthRole, FoldRole, OutlineTree
from engram_desktop.widgets.events.event_card import EventCard
from engram_desktop.widgets.events.event_view import EventView
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
