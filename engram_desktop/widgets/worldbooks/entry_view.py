"""The table of a worldbook's entries: keys, moving by drag, headings that fold."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)
from typing_extensions import override

from engram_desktop.viewmodels.worldbooks.entry_rows import HeadingRow
from engram_desktop.viewmodels.worldbooks.entry_table import EntryTable, HeadingRole
from engram_desktop.widgets.parts.look.look import Look


class EntryView(QTreeView):
    delete_wanted = Signal()
    fold_wanted = Signal(str)  # heading
    step_wanted = Signal(int)  # what is selected one place up (-1) or down (1)
    dropped = Signal(int)  # what is selected before this row

    def __init__(self, look: Look, table: EntryTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._scrolled = 0
        self._heading = ""  # the current row's, while rows are made anew
        self.setObjectName("rows")
        self.setModel(table)
        self.setItemDelegateForColumn(0, _TitleDelegate(look, self))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.clicked.connect(self._on_clicked)
        table.modelAboutToBeReset.connect(self._keep_place)
        table.modelReset.connect(self._restore_place)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, is_alt = event.key(), event.modifiers() == Qt.KeyboardModifier.AltModifier
        heading = self._table.heading_at(self.currentIndex().row())
        match key:
            case Qt.Key.Key_Delete:
                self.delete_wanted.emit()
            case Qt.Key.Key_Up | Qt.Key.Key_Down if is_alt:
                self.step_wanted.emit(-1 if key == Qt.Key.Key_Up else 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space if heading is not None:
                self.fold_wanted.emit(heading.name)
            case Qt.Key.Key_Left | Qt.Key.Key_Right if heading is not None:
                if heading.is_open == (key == Qt.Key.Key_Left):
                    self.fold_wanted.emit(heading.name)
            case _:
                super().keyPressEvent(event)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        """Say where what is dragged was let go; the list is changed by what is saved of that."""
        row = self.row_below(event.position().toPoint().y())
        event.setDropAction(Qt.DropAction.IgnoreAction)  # nothing is taken out here by Qt itself
        event.accept()
        self.dropped.emit(row)

    def select_entries(self, uids: Sequence[int | str]) -> None:
        """Select these, as far as they are listed; with none of them nothing is changed."""
        selection = QItemSelection()
        for row in map(self._table.row_of, uids):
            if row is not None:
                index = self._table.index(row, 0)
                selection.select(index, index)
        if not selection.isEmpty():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)

    def row_below(self, y: int) -> int:
        """Return the row that something let go at ``y`` stands before; a heading takes it in."""
        index = self.indexAt(QPoint(4, y))
        if not index.isValid():
            return self._table.rowCount()
        if self._table.heading_at(index.row()) is not None:
            return index.row() + 1
        return index.row() + (y > self.visualRect(index).center().y())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        heading = self._table.heading_at(index.row())
        if heading is not None:
            self.fold_wanted.emit(heading.name)

    @Slot()
    def _keep_place(self) -> None:
        self._scrolled = self.verticalScrollBar().value()
        heading = self._table.heading_at(self.currentIndex().row())
        self._heading = heading.name if heading is not None else ""

    @Slot()
    def _restore_place(self) -> None:
        """Nothing that is read again scrolls the list away; headings take a whole row."""
        for row in range(self._table.rowCount()):
            heading = self._table.heading_at(row)
            if heading is None:
                continue
            if heading.name == self._heading:
                no_change = QItemSelectionModel.SelectionFlag.NoUpdate
                self.selectionModel().setCurrentIndex(self._table.index(row, 0), no_change)
            self.setFirstColumnSpanned(row, QModelIndex(), True)
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(self._scrolled)


class _TitleDelegate(QStyledItemDelegate):
    """Draws headings: an arrow that says whether they are folded, and a bold line."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look

    @override
    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        heading = index.data(HeadingRole)
        if isinstance(heading, HeadingRow):
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            option.icon = self._look.icon("down" if heading.is_open else "right")
            option.font.setBold(True)
