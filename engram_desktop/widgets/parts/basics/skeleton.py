"""Soft grey lines in the place of a text that is still being read: never a false "nothing yet"."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.look.look import Look

LINE, GAP = 12, 10  # pixels: a line of grey and the space below it
_WIDTHS = (0.94, 0.82, 0.9, 0.55)  # of the room, so that it looks like a paragraph


class Skeleton(QWidget):
    """So many lines. It does not move: nothing is to draw the eye to what is not there."""

    def __init__(self, look: Look, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._lines = lines
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Reading…"))
        look.changed.connect(self.update)

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self._lines * (LINE + GAP) - GAP)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("hover"))
        for number in range(self._lines):
            width = self.width() * _WIDTHS[number % len(_WIDTHS)]
            painter.drawRoundedRect(QRectF(0, number * (LINE + GAP), width, LINE), 6, 6)
