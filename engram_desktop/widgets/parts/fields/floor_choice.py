"""A choice between what is due anyway and a range of floors."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QWidget

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.fields.floor_range import FloorRange


class FloorChoice(QWidget):
    changed = Signal()

    def __init__(
        self, due: str, messages: int, floors: Floors = None, parent: QWidget | None = None
    ) -> None:
        """Offer ``due`` and the floors of a chat; ``floors`` are chosen from the start."""
        super().__init__(parent)
        rows = column(self, 0, 6)
        group = QButtonGroup(self)
        self.due_button = QRadioButton(due)
        self.range_button = QRadioButton(self.tr("These floors"))
        group.addButton(self.due_button)
        group.addButton(self.range_button)
        last = max(0, messages - 1)
        self.range = FloorRange(last)
        self.range.show_span(SourceRange(*(floors or (0, last))))
        self.range.setEnabled(floors is not None)
        rows.addWidget(self.due_button)
        line = QHBoxLayout()
        line.addWidget(self.range_button)
        line.addWidget(self.range, 1)
        rows.addLayout(line)
        (self.range_button if floors else self.due_button).setChecked(True)
        self.range_button.toggled.connect(self.range.setEnabled)
        self.range_button.toggled.connect(lambda _on: self.changed.emit())
        self.range.changed.connect(self.changed)

    @property
    def floors(self) -> Floors:
        """The range that was chosen, or None for what is due."""
        if self.due_button.isChecked():
            return None
        span = self.range.span
        return span.start_index, span.end_index
