"""Fields for floors."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QSpinBox, QWidget

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.viewmodels.pipeline.commands import Floors
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.pieces import label

# Two fields for a range of floors: the last is never before the first.


MOST_FLOORS = 10_000_000


class FloorRange(QWidget):
    changed = Signal()
    left = Signal()  # a field was left, or Enter pressed in it

    def __init__(self, last: int = MOST_FLOORS, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        self.first, self.last = QSpinBox(), QSpinBox()
        for box, name in ((self.first, self.tr("First floor")), (self.last, self.tr("Last floor"))):
            box.setRange(0, last)
            box.setAccessibleName(name)
            box.setKeyboardTracking(False)
        self.first.valueChanged.connect(self.last.setMinimum)
        for box in (self.first, self.last):
            box.valueChanged.connect(lambda _n: self.changed.emit())
            box.editingFinished.connect(self.left)
        line.addWidget(self.first)
        line.addWidget(label("–"))
        line.addWidget(self.last)
        line.addStretch(1)

    @property
    def span(self) -> SourceRange:
        return SourceRange(self.first.value(), self.last.value())

    def show_span(self, span: SourceRange) -> None:
        """Show ``span``; that is no change of the user's."""
        blockers = [QSignalBlocker(self.first), QSignalBlocker(self.last)]
        self.last.setMinimum(0)
        self.first.setValue(span.start_index)
        self.last.setMinimum(span.start_index)
        self.last.setValue(span.end_index)
        for blocker in blockers:
            blocker.unblock()


# A choice between what is due anyway and a range of floors.


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
