"""A list of cards. A table with one column: a QListView lays out every row, at 170 ms a time.

(Measured at 100,000 rows: first layout 170 ms against 1 ms, Ctrl+A 82 ms against none.)
"""

from __future__ import annotations

from array import array
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.workspace.paged_list import PagedListModel
from engram_desktop.widgets.parts.look.look import Look

MAX_KEPT = 5000  # a selection up to this size survives a new answer


class CardTable(QTableView):
    """The selection is given and kept by keys; subclasses set the delegate that draws a card."""

    chosen = Signal(int)  # how many are selected
    edit_wanted = Signal()
    delete_wanted = Signal()

    def __init__(
        self,
        look: Look,
        model: PagedListModel[Any],
        parent: QWidget | None = None,
        *,
        columns: QAbstractItemModel | None = None,
    ) -> None:
        """``columns`` shows the rows of ``model`` with more columns than one."""
        super().__init__(parent)
        self._rows = model
        self._kept: tuple[int | None, array[int], int] = (None, array("q"), 0)
        self.setModel(model if columns is None else columns)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._look = look
        self.update_density()
        look.changed.connect(self.update_density)
        self.model().modelAboutToBeReset.connect(self._keep)
        self.model().modelReset.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)

    def update_density(self) -> None:
        if self.verticalHeader().defaultSectionSize() != self._look.card_height:
            self.verticalHeader().setDefaultSectionSize(self._look.card_height)
        self.verticalScrollBar().setSingleStep(self._look.card_height // 2)
        self.viewport().update()

    def selected_keys(self) -> array[int]:
        """Return what is selected, by ranges: selectedRows() takes seconds at 100,000 rows."""
        keys = array("q")
        for span in self._spans():
            keys += self._rows.keys(span.top(), span.bottom())
        return keys

    def selected_count(self) -> int:
        return sum(span.height() for span in self._spans())

    def current_key(self) -> int | None:
        row = self.currentIndex().row()
        return self._rows.keys(row, row)[0] if row >= 0 else None

    def show_key(self, key: int) -> bool:
        """Select and show ``key``. False if it is not in the list."""
        row = self._rows.row_of(key)
        if row is None:
            return False
        self.show_row(row)
        self.scrollTo(self.model().index(row, 0), QAbstractItemView.ScrollHint.PositionAtCenter)
        return True

    def show_row(self, row: int) -> None:
        """Select this row alone, whatever modifier keys are held."""
        index = self.model().index(row, 0)
        if index.isValid():
            self.selectionModel().setCurrentIndex(
                index, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    def invert_selection(self) -> None:
        last = self.model().rowCount() - 1
        if last >= 0:
            span = QItemSelection(self.model().index(0, 0), self.model().index(last, 0))
            self.selectionModel().select(span, QItemSelectionModel.SelectionFlag.Toggle)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Delete:
                self.delete_wanted.emit()
            case Qt.Key.Key_F2 | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.edit_wanted.emit()
            case Qt.Key.Key_Escape if self.selected_count() > 1:
                self.show_row(self.currentIndex().row())
            case Qt.Key.Key_Home:
                self.show_row(0)
            case Qt.Key.Key_End:
                self.show_row(self.model().rowCount() - 1)
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def _spans(self) -> list[QItemSelectionRange]:
        selection = self.selectionModel().selection()
        return [selection.at(n) for n in range(selection.count())]

    def _keep(self) -> None:
        """Note what the reader looks at, before an answer replaces the rows."""
        count = self.selected_count()
        keys = self.selected_keys() if count <= MAX_KEPT else array("q")
        self._kept = (self.current_key(), keys, self.verticalScrollBar().value())

    def _restore(self) -> None:
        current, keys, scroll = self._kept
        model = self._rows
        selection = QItemSelection()
        for row in (model.row_of(key) for key in keys):
            if row is not None:
                index = self.model().index(row, 0)
                selection.select(index, index)
        row = model.row_of(current) if current is not None else None
        self.verticalScrollBar().setValue(scroll)
        if row is not None:
            index = self.model().index(row, 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if not selection.isEmpty():
            self.selectionModel().select(
                selection, QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
        self.chosen.emit(self.selected_count())

    def _on_selection_changed(self, _selected: QModelIndex, _deselected: QModelIndex) -> None:
        self.chosen.emit(self.selected_count())
