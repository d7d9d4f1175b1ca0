"""The right side of the graph page: one entity's profile, relations and evidence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QStackedWidget, QWidget

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_list import floors_text
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.widgets.graph.entity_fields import EntityFields
from engram_desktop.widgets.graph.relation_list import RelationList
from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import PageParts

MAX_EVIDENCE = 40
MAX_SHOWN = 90


class EntityPanel(QFrame):
    def __init__(
        self,
        look: Look,
        model: GraphPageModel,
        editor: EntityEditor,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._model = model
        empty = EmptyState(look, "graph")
        empty.say(
            self.tr("No entity selected"),
            self.tr("Click a node to see what is known of it. Double-click puts it in the centre."),
        )
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._layout = column(body, 0, 8)
        self._layout.setContentsMargins(20, 16, 16, 16)
        self.fields = EntityFields(look, editor)
        self._layout.addWidget(self.fields)
        self._caption(self.tr("Relations"))
        self.relations = RelationList(look, editor)
        self._layout.addWidget(self.relations)
        self._caption(self.tr("Evidence"))
        self._evidence = QGridLayout()
        self._evidence.setVerticalSpacing(6)
        self._layout.addLayout(self._evidence)
        self._layout.addStretch(1)
        scroll.setWidget(body)
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(scroll)
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        model.selected.connect(self._on_selected)
        model.events_read.connect(self._on_events_read)
        editor.reshown.connect(self.fields.show_entity)

    def _caption(self, title: str) -> None:
        caption = label(title, "section")
        caption.setContentsMargins(0, 10, 0, 0)
        self._layout.addWidget(caption)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        self._stack.setCurrentIndex(0 if entity is None else 1)
        if entity is not None:
            self.fields.show_entity(entity)
            clear_layout(self._evidence)

    @Slot(object)
    def _on_events_read(self, events: list[EventNode]) -> None:
        clear_layout(self._evidence)
        for row, event in enumerate(events[:MAX_EVIDENCE]):
            text = event.summary
            text = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
            head = " · ".join(p for p in (event.raw_data.timestamp, floors_text(event)) if p)
            card = EvidenceCard(head, text)
            card.opened.connect(lambda key=event.pk: self._model.show_event(key))
            self._evidence.addWidget(card, row, 0)
        if len(events) > MAX_EVIDENCE:
            more = self.tr("and %n more", "", len(events) - MAX_EVIDENCE)
            self._evidence.addWidget(label(more, "quiet"), MAX_EVIDENCE, 0)


class EvidenceCard(LiveCard):
    """One event that tells of the entity."""

    def __init__(self, head: str, text: str) -> None:
        super().__init__()
        inner = column(self, 10, 2)
        inner.addWidget(label(head, "hint"))
        inner.addWidget(label(text, wrap=True))
        self.setAccessibleName(f"{head}. {text}")


def make(parts: PageParts, parent: QWidget) -> EntityPanel:
    panel = EntityPanel(parts.look, parts.models.graph, parts.models.entity, parent)
    panel.fields.merge_wanted.connect(parts.doors.open_merge)
    panel.relations.add_wanted.connect(parts.doors.open_add_relation)
    panel.relations.reword_wanted.connect(parts.doors.open_reword)
    panel.relations.end_wanted.connect(parts.doors.open_end)
    return panel
