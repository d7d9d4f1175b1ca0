"""The right side of the graph page: one entity's profile, relations and evidence."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QStackedWidget, QWidget

from engram_desktop.domain.entity import EntityNode
from engram_desktop.domain.event import EventNode
from engram_desktop.viewmodels.event_list import floors_text
from engram_desktop.viewmodels.graph_view import GraphPageModel, type_noun
from engram_desktop.widgets.look import Look
from engram_desktop.widgets.parts import EmptyState, LiveCard, clear_layout, column, label

MAX_EVIDENCE = 40
MAX_SHOWN = 90


class EntityPanel(QFrame):
    def __init__(self, look: Look, model: GraphPageModel, parent: QWidget | None = None) -> None:
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
        self._name = label("", "title", wrap=True)
        self._kind = label("", "quiet", wrap=True)
        self._layout.addWidget(self._name)
        self._layout.addWidget(self._kind)
        self._profile = self._section(self.tr("Profile"))
        self._relations = self._section(self.tr("Relations"))
        self._evidence = self._section(self.tr("Evidence"))
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

    def _section(self, title: str) -> QGridLayout:
        caption = label(title, "section")
        caption.setContentsMargins(0, 10, 0, 0)
        self._layout.addWidget(caption)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        self._layout.addLayout(grid)
        return grid

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        self._stack.setCurrentIndex(0 if entity is None else 1)
        if entity is None:
            return
        self._name.setText(entity.name)
        parts = [type_noun(entity.type)]
        if entity.aliases:
            parts.append(self.tr("also {names}").format(names="、".join(entity.aliases)))
        parts.append(self.tr("%n event(s)", "", entity.event_count))
        self._kind.setText(" · ".join(parts))
        self._fill_profile(entity)
        self._fill_relations(entity)
        clear_layout(self._evidence)

    def _fill_profile(self, entity: EntityNode) -> None:
        clear_layout(self._profile)
        for row, (key, value) in enumerate(entity.profile.items()):
            self._add(self._profile, row, key, _readable(value))
        if not entity.profile:
            text = entity.description or self.tr("Nothing is written down yet.")
            self._profile.addWidget(label(text, "quiet", wrap=True), 0, 0, 1, 2)

    def _fill_relations(self, entity: EntityNode) -> None:
        clear_layout(self._relations)
        names = {e.id: e.name for e in self._model.graph.view.entities}
        row = 0
        for relation in self._model.graph.view.relations:
            predicate = relation.predicate or self.tr("seen with")
            if relation.src == entity.id:
                self._add(self._relations, row, predicate, names.get(relation.dst, ""))
            elif relation.dst == entity.id:
                other = names.get(relation.src, "")
                told = self.tr("from {name}").format(name=other) if relation.predicate else other
                self._add(self._relations, row, predicate, told)
            else:
                continue
            row += 1
        if row == 0:
            self._relations.addWidget(label(self.tr("None"), "quiet"), 0, 0, 1, 2)

    @Slot(object)
    def _on_events_read(self, events: list[EventNode]) -> None:
        clear_layout(self._evidence)
        for row, event in enumerate(events[:MAX_EVIDENCE]):
            text = event.summary
            text = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
            head = " · ".join(p for p in (event.raw_data.timestamp, floors_text(event)) if p)
            card = EvidenceCard(head, text)
            card.opened.connect(lambda key=event.pk: self._model.show_event(key))
            self._evidence.addWidget(card, row, 0, 1, 2)
        if len(events) > MAX_EVIDENCE:
            more = self.tr("and %n more", "", len(events) - MAX_EVIDENCE)
            self._evidence.addWidget(label(more, "quiet"), MAX_EVIDENCE, 0, 1, 2)

    @staticmethod
    def _add(grid: QGridLayout, row: int, key: str, value: str) -> None:
        caption = label(key, "quiet", wrap=True)
        caption.setAlignment(Qt.AlignmentFlag.AlignTop)
        caption.setMinimumWidth(54)
        grid.addWidget(caption, row, 0)
        grid.addWidget(label(value, wrap=True), row, 1)


class EvidenceCard(LiveCard):
    """One event that tells of the entity."""

    def __init__(self, head: str, text: str) -> None:
        super().__init__()
        inner = column(self, 10, 2)
        inner.addWidget(label(head, "hint"))
        inner.addWidget(label(text, wrap=True))
        self.setAccessibleName(f"{head}. {text}")


def _readable(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "、".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
