"""The right side of the graph page: one entity's face, profile, values, relations and evidence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.viewmodels.graph.entity_sheet import EntitySheet
from engram_desktop.widgets.graph.entity_fields import EntityFields
from engram_desktop.widgets.graph.relation_list import RelationList
from engram_desktop.widgets.graph.sheet.sheet_parts import SheetParts, caption
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import PageParts


class EntityPanel(QFrame):
    def __init__(self, parts: PageParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        look, model, editor = parts.look, parts.models.graph, parts.models.entity
        sheets = parts.models.sheets
        empty = EmptyState(look, "graph")
        empty.say(
            self.tr("No entity selected"),
            self.tr("Click a node to see what is known of it. Double-click shows it large."),
        )
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        layout = column(body, 0, 8)
        layout.setContentsMargins(20, 16, 16, 16)
        self.fields = EntityFields(look, editor)
        self.fields.facts.opened.connect(sheets.show_event)
        layout.addWidget(self.fields)
        self.parts = SheetParts(look, sheets, self)
        layout.addWidget(self.parts.curve)
        layout.addWidget(self.parts.promises)
        layout.addWidget(caption(self.tr("Relations")))
        self.relations = RelationList(look, editor)
        layout.addWidget(self.relations)
        layout.addWidget(self.parts.evidence)
        layout.addStretch(1)
        scroll.setWidget(body)
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(scroll)
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        model.selected.connect(self._on_selected)
        sheets.read.connect(self._on_read)
        editor.reshown.connect(self.fields.show_entity)

    def edit_by_key(self) -> None:
        """Let another name of the entity be typed."""
        if self._stack.currentIndex() == 1:
            self.fields.name.setFocus()
            self.fields.name.selectAll()

    @property
    def _evidence(self) -> QVBoxLayout:
        return self.parts.evidence.cards

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        self._stack.setCurrentIndex(0 if entity is None else 1)
        if entity is not None:
            self.fields.show_entity(entity)

    @Slot(object)
    def _on_read(self, sheet: EntitySheet | None) -> None:
        if sheet is not None:
            self.fields.show_sheet(sheet)


def make(parts: PageParts, parent: QWidget) -> EntityPanel:
    panel = EntityPanel(parts, parent)
    panel.fields.merge_wanted.connect(parts.doors.open_merge)
    panel.fields.open_wanted.connect(parts.doors.open_entity)
    panel.relations.add_wanted.connect(parts.doors.open_add_relation)
    panel.relations.reword_wanted.connect(parts.doors.open_reword)
    panel.relations.end_wanted.connect(parts.doors.open_end)
    return panel
