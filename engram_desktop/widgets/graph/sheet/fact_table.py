"""The profile of an entity as a table: what is known, and where the story says so first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_words import floors_text
from engram_desktop.viewmodels.graph.entity_sheet import Fact
from engram_desktop.widgets.parts.basics.layouts import clear_layout
from engram_desktop.widgets.parts.basics.pieces import kind_button, label, literal

MOST_LETTERS = 240  # of one value
NAME_WIDTH = 76  # pixels at most of the names: values have the rest


def when_of(event: EventNode) -> str:
    """Say when an event was, in the story and in the text."""
    return " · ".join(part for part in (event.raw_data.timestamp, floors_text(event)) if part)


class FactTable(QWidget):
    opened = Signal(object)  # EventNode that says so

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.facts: Sequence[Fact] = ()

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show these in place of what there was; without any, nothing."""
        if facts == self.facts:
            return
        self.facts = facts
        clear_layout(self._grid)
        top = Qt.AlignmentFlag.AlignTop
        for row, fact in enumerate(facts):
            line = QVBoxLayout()
            line.setSpacing(1)
            name = label(fact.name, "quiet", wrap=True)
            name.setFixedWidth(NAME_WIDTH)
            self._grid.addWidget(name, row, 0, top)
            text = fact.value
            text = text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"
            value = label(text, wrap=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            line.addWidget(value)
            if fact.event is not None:
                where = kind_button("where", literal(when_of(fact.event)), checkable=False)
                where.setToolTip(self.tr("The first event that says so"))
                where.clicked.connect(
                    lambda _checked=False, event=fact.event: self.opened.emit(event)
                )
                line.addWidget(where, 0, Qt.AlignmentFlag.AlignLeft)
            self._grid.addLayout(line, row, 1)
        self.setVisible(bool(facts))
