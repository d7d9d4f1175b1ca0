"""The list beside the graph: the same content, for keyboards and screen readers."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QTreeView, QWidget

from engram_desktop.viewmodels.graph.drawn_graph import Mask
from engram_desktop.viewmodels.graph.graph_rows import GraphRows, IdRole
from engram_desktop.viewmodels.graph.graph_view import PlacedGraph


class GraphList(QTreeView):
    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("entities")
        self.setHeaderHidden(True)
        self.setAccessibleName(self.tr("Entities and their relations"))
        self.setUniformRowHeights(True)
        self.setMinimumWidth(140)
        self.rows = GraphRows(self)
        self.setModel(self.rows)
        self.setExpandsOnDoubleClick(False)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    def show_graph(self, graph: PlacedGraph, shown: Mask) -> None:
        """Show the entities of a picture that are drawn."""
        with QSignalBlocker(self.selectionModel()):
            self.rows.show(graph.view, graph.drawn, shown)

    def choose(self, entity_id: str | None) -> None:
        """Mark an entity."""
        index = self.rows.index_of(entity_id or "")
        if index.isValid():
            with QSignalBlocker(self):
                flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
                self._is_told = True
                self.selectionModel().setCurrentIndex(index, flag)
                self._is_told = False

    _is_told = False  # what is chosen was chosen elsewhere

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._is_told:
            self.chosen.emit(index.data(IdRole))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(IdRole))
