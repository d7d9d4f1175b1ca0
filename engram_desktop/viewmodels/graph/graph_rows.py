"""The entities of a picture as rows, and beneath each what links it, made when it is seen.

Ten thousand rows of a tree's own items take a third of a second to throw away; these take none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from typing_extensions import override

from engram_desktop.domain.graph.entity import GraphView
from engram_desktop.viewmodels.graph.drawn_graph import DrawnGraph, Mask
from engram_desktop.viewmodels.graph.graph_view import NOTHING, type_noun

IdRole = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ROW = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class Link(NamedTuple):
    """A relation as a row beneath one of its ends; ``other`` is the other."""

    text: str
    is_past: bool
    other: str


class GraphRows(QAbstractItemModel):
    """Top rows are entities, the best connected first; an index within one bears its row + 1."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view: GraphView = NOTHING.view
        self._graph: DrawnGraph = NOTHING.drawn
        self._shown: Mask = np.zeros(0, dtype=np.bool_)
        self._nodes: list[int] = []
        self._is_linked: list[bool] = []
        self._row_of: dict[int, int] = {}
        self._links: dict[int, list[Link]] = {}

    def show(self, view: GraphView, graph: DrawnGraph, shown: Mask) -> None:
        """Show the entities of a picture that are drawn."""
        self.beginResetModel()
        self._view, self._graph, self._shown = view, graph, shown
        listed = graph.listed[shown[graph.listed]]
        both = shown[graph.src] & shown[graph.dst]
        linked = graph.loops.copy()
        linked[graph.src[both]] = linked[graph.dst[both]] = True
        self._nodes = listed.tolist()
        self._is_linked = linked[listed].tolist()
        self._row_of = {}
        self._links = {}
        self.endResetModel()

    def index_of(self, entity_id: str) -> QModelIndex:
        """Return where an entity stands; an invalid index if it is not shown."""
        if not self._row_of:
            self._row_of = {node: row for row, node in enumerate(self._nodes)}
        row = self._row_of.get(self._graph.index.get(entity_id, -1))
        return _NO_INDEX if row is None else self.createIndex(row, 0, 0)

    @override
    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        if not parent.isValid():
            return self.createIndex(row, column, 0)
        return self.createIndex(row, column, parent.row() + 1)

    @override
    def parent(self, child: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        above = child.internalId()
        return self.createIndex(above - 1, 0, 0) if above else _NO_INDEX

    @override
    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        if not parent.isValid():
            return len(self._nodes)
        return 0 if parent.internalId() else len(self._links_of(parent.row()))

    @override
    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 1

    @override
    def hasChildren(self, parent: Index = _NO_INDEX) -> bool:
        if not parent.isValid():
            return bool(self._nodes)
        return not parent.internalId() and self._is_linked[parent.row()]

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        return _ROW

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        above = index.internalId()
        if above:
            return self._of_link(self._links_of(above - 1)[index.row()], role)
        entity = self._graph.entities[self._nodes[index.row()]]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{entity.name}  ·  {type_noun(entity.type)}"
        return entity.id if role == IdRole else None

    def _of_link(self, link: Link, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return link.text
        if role == IdRole:
            return link.other
        if role == Qt.ItemDataRole.FontRole and link.is_past:
            font = QFont()
            font.setStrikeOut(True)
            return font
        if role == Qt.ItemDataRole.ToolTipRole and link.is_past:
            return self.tr("This was so before")
        return None

    def _links_of(self, row: int) -> list[Link]:
        """Read what links an entity when it is asked for: all of a large graph take 3 s."""
        made = self._links.get(row)
        if made is not None:
            return made
        graph = self._graph
        here = graph.entities[self._nodes[row]].id
        made = []
        for relation in self._view.relations:
            if here not in (relation.src, relation.dst):
                continue
            a, b = graph.index.get(relation.src), graph.index.get(relation.dst)
            if a is None or b is None or not (self._shown[a] and self._shown[b]):
                continue
            arrow = f" — {relation.predicate} → " if relation.predicate else " — "
            text = arrow.join((graph.entities[a].name, graph.entities[b].name))
            other = relation.dst if relation.src == here else relation.src
            made.append(Link(text, not relation.is_current, other))
        self._links[row] = made
        return made
