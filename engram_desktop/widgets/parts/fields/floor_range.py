"""Two fields for a range of floors: the last is never before the first."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.widgets.parts.basics.pieces import label

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
