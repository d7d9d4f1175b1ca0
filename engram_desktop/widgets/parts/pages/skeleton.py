"""Soft grey blocks where rows are about to stand: something is being read, and nothing is said.

They appear only when it takes long enough to be noticed, so that a quick page does not flash, and
they stand still: a shimmer costs frames while the machine has other work.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.look.look import Look

PATIENCE_MS = 120  # before anything is shown: most pages are there by then
ROW_HEIGHT, GAP, MARGIN = 88, 8, 4  # pixels: about a card of the lists
BARS = (0.34, 0.86, 0.62)  # widths of the lines in a block, of its own


class Skeleton(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Reading…"))
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._timer.timeout.connect(self.update)
        look.changed.connect(self.update)

    @property
    def is_drawn(self) -> bool:
        """Whether it has been waited long enough."""
        return self.isVisible() and not self._timer.isActive()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_drawn:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        top = MARGIN
        while top < self.height():
            box = QRectF(MARGIN, top, self.width() - 2 * MARGIN, ROW_HEIGHT)
            painter.setOpacity(max(0.15, 1 - top / max(1, self.height())))
            painter.setBrush(self._look.color("panel"))
            painter.drawRoundedRect(box, 10, 10)
            painter.setBrush(self._look.color("hover"))
            for number, share in enumerate(BARS):
                line = QRectF(box.left() + 20, box.top() + 16 + 22 * number, 0, 10)
                line.setWidth((box.width() - 40) * share)
                painter.drawRoundedRect(line, 5, 5)
            top += ROW_HEIGHT + GAP
        painter.end()
