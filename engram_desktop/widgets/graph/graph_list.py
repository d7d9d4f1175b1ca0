"""The list beside the graph: the same content, for keyboards and screen readers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from engram_desktop.domain.graph.entity import EntityNode, GraphView, Relation
from engram_desktop.viewmodels.graph.graph_view import NOTHING, type_noun

IdRole = Qt.ItemDataRole.UserRole
AT_ONCE = 300  # rows made in one turn: 10,000 of them would take a fifth of a second


class GraphList(QTreeWidget):
    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setAccessibleName(self.tr("Entities and their relations"))
        self.setUniformRowHeights(True)
        self.setMinimumWidth(140)
        self._view: GraphView = NOTHING.view
        self._relations: dict[str, list[Relation]] = defaultdict(list)
        self._rows: dict[str, QTreeWidgetItem] = {}
        self._wanted: str | None = None
        self._waiting: Iterator[EntityNode] = iter(())
        self._more = QTimer(self, singleShot=True, interval=0)
        self._more.timeout.connect(self._add_some)
        self.currentItemChanged.connect(self._on_current)
        self.itemExpanded.connect(self._on_expanded)
        self.itemActivated.connect(lambda item, _column: self.opened.emit(item.data(0, IdRole)))

    def show_graph(self, view: GraphView, shown: Sequence[bool]) -> None:
        """Show the entities of a picture that are drawn."""
        self._view = view
        self._relations.clear()
        self._rows.clear()
        here = {e.id for e, is_shown in zip(view.entities, shown, strict=True) if is_shown}
        for relation in view.relations:
            if relation.src in here and relation.dst in here:
                for end in {relation.src, relation.dst}:
                    self._relations[end].append(relation)
        self.blockSignals(True)
        self.clear()
        self.blockSignals(False)
        entities = [e for e in view.entities if e.id in here]
        self._waiting = iter(sorted(entities, key=lambda e: (-e.degree, e.name)))
        self._add_some()

    def choose(self, entity_id: str | None) -> None:
        """Mark an entity, now or when its row is made."""
        self._wanted = entity_id
        row = self._rows.get(entity_id or "")
        if row is not None:
            self.blockSignals(True)
            self.setCurrentItem(row)
            self.blockSignals(False)

    @Slot()
    def _add_some(self) -> None:
        rows = []
        for entity in self._waiting:
            row = QTreeWidgetItem([f"{entity.name}  ·  {type_noun(entity.type)}"])
            row.setData(0, IdRole, entity.id)
            if self._relations[entity.id]:
                row.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self._rows[entity.id] = row
            rows.append(row)
            if len(rows) >= AT_ONCE:
                self._more.start()
                break
        self.blockSignals(True)
        self.addTopLevelItems(rows)
        self.blockSignals(False)
        if self._wanted in self._rows:
            self.choose(self._wanted)

    @Slot(QTreeWidgetItem)
    def _on_expanded(self, row: QTreeWidgetItem) -> None:
        """Fill in an entity's relations when they are asked for: all of a large graph take 3 s."""
        if row.parent() is not None or row.childCount():
            return
        entity_id = row.data(0, IdRole)
        names = {e.id: e.name for e in self._view.entities}
        for relation in self._relations[entity_id]:
            ends = (names.get(relation.src, ""), names.get(relation.dst, ""))
            arrow = f" — {relation.predicate} → " if relation.predicate else " — "
            child = QTreeWidgetItem(row, [arrow.join(ends)])
            if not relation.is_current:
                font = child.font(0)
                font.setStrikeOut(True)
                child.setFont(0, font)
                child.setToolTip(0, self.tr("This was so before"))
            other = relation.dst if relation.src == entity_id else relation.src
            child.setData(0, IdRole, other)

    def _on_current(self, row: QTreeWidgetItem | None, _before: object) -> None:
        if row is not None:
            self.chosen.emit(row.data(0, IdRole))
