"""The list beside the graph: the same content, for keyboards and screen readers."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSignalBlocker, QTimer, Signal, Slot
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
        self._wanted = ""
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._mark)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    def show_graph(self, graph: PlacedGraph, shown: Mask) -> None:
        """Show the entities of a picture that are drawn."""
        with QSignalBlocker(self.selectionModel()):
            self.rows.show(graph.view, graph.drawn, shown)

    def choose(self, entity_id: str | None) -> None:
        """Mark an entity, in a turn of its own: 10,000 rows are laid out before one is found."""
        self._wanted = entity_id or ""
        self._later.start()

    @Slot()
    def _mark(self) -> None:
        index = self.rows.index_of(self._wanted)
        if index.isValid() and index != self.currentIndex():
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
