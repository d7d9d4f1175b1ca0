"""The page of an entity, large: all there is of whom the graph has selected, and it follows."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor
from engram_desktop.viewmodels.graph.entity_sheet import EntitySheet, EntitySheets
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel, type_noun
from engram_desktop.widgets.graph.relation_list import RelationList
from engram_desktop.widgets.graph.sheet.fact_table import FactTable
from engram_desktop.widgets.graph.sheet.portrait import Portrait
from engram_desktop.widgets.graph.sheet.sheet_parts import SheetParts, caption
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.look.look import Look

WIDTH, HEIGHT = 760, 520  # pixels at which a window of 900 x 600 holds it
FACE = 88  # pixels


class SheetDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        graph: GraphPageModel,
        editor: EntityEditor,
        sheets: EntitySheets,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=WIDTH)
        self._graph = graph
        self.portrait = Portrait(look, FACE)
        self.facts = FactTable()
        self.facts.opened.connect(sheets.show_event)
        self.relations = RelationList(look, editor)
        self.parts = SheetParts(look, sheets, self)
        self._place_parts()
        self.add_close(self.tr("Close"))
        centre = self.add_button(self.tr("Put in the centre"), left=True)
        centre.clicked.connect(sheets.put_in_centre)
        graph.selected.connect(self._on_selected)
        sheets.read.connect(self._on_read)
        self.resize(WIDTH, HEIGHT)
        self._on_selected(graph.entity)
        editor.read_relations()
        if sheets.sheet is not None:
            self.parts.show_sheet(sheets.sheet)
            self._on_read(sheets.sheet)

    def _place_parts(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(self.portrait, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(4)
        self._kind = label("", "quiet", wrap=True)
        self._names = label("", wrap=True)
        words.addWidget(self._kind)
        words.addWidget(self._names)
        words.addStretch(1)
        head.addLayout(words, 1)
        self.body.addLayout(head)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        sides = QHBoxLayout(inner)
        sides.setContentsMargins(0, 0, 10, 0)
        sides.setSpacing(24)
        left, right = QWidget(), QWidget()
        near, far = column(left, 0, 6), column(right, 0, 6)
        self._profile = caption(self.tr("Profile"))
        self._no_facts = label(
            self.tr("Nothing is written in the profile yet."), "quiet", wrap=True
        )
        for part in (self._profile, self.facts, self._no_facts, self.parts.curve):
            near.addWidget(part)
        near.addWidget(self.parts.promises)
        near.addWidget(caption(self.tr("Relations")))
        near.addWidget(self.relations)
        near.addStretch(1)
        far.addWidget(self.parts.evidence)
        far.addStretch(1)
        sides.addWidget(left, 1)
        sides.addWidget(right, 1)
        scroll.setWidget(inner)
        self.body.addWidget(scroll, 1)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        if entity is None:
            return
        self.set_title(entity.name)
        self.portrait.show_entity(entity)
        counts = (
            self.tr("%n event(s)", "", entity.event_count),
            self.tr("%n relation(s)", "", entity.degree),
        )
        self._kind.setText(" · ".join((type_noun(entity.type), *counts)))
        self._names.setText(" · ".join(entity.aliases))
        self._names.setVisible(bool(entity.aliases))

    @Slot(object)
    def _on_read(self, sheet: EntitySheet | None) -> None:
        if sheet is None:
            return
        self.portrait.show_face(sheet.face)
        self.facts.show_facts(sheet.facts)
        self.facts.setVisible(bool(sheet.facts))
        self._no_facts.setVisible(not sheet.facts)
