"""A number of the story's state over its floors: a line of steps, and the events beside it."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.look import Look

MARGIN = 8
MOST_DOTS = 60


class StateCurve(QWidget):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._points: tuple[tuple[int, float], ...] = ()
        self._events: frozenset[int] = frozenset()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("How the value changed"))
        look.changed.connect(self.update)

    def show_points(
        self, points: Sequence[tuple[int, float]], events: Collection[int] = ()
    ) -> None:
        """Show (floor, number), oldest first; the last holds until its floor.

        ``events`` are floors on which something happened that is remembered.
        """
        self._points, self._events = tuple(points), frozenset(events)
        self.setVisible(len(self._points) > 1)
        if self._points:
            values = [value for _floor, value in self._points]
            words = self.tr("from {first} to {last}, lowest {low}, highest {high}").format(
                first=f"{values[0]:g}",
                last=f"{values[-1]:g}",
                low=f"{min(values):g}",
                high=f"{max(values):g}",
            )
            self.setAccessibleDescription(words)
            self.setToolTip(words)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(240, 120)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if len(self._points) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        values = [value for _floor, value in self._points]
        low, high = min(values), max(values)
        texts = (f"{high:g}", f"{low:g}")
        metrics = self.fontMetrics()
        left = MARGIN + max(map(metrics.horizontalAdvance, texts))
        painter.setPen(QPen(self._look.color("line"), 1))
        top, bottom = MARGIN + 4.0, self.height() - MARGIN - metrics.height() - 2.0
        for y in (top, bottom):
            painter.drawLine(QLineF(left, y, self.width() - MARGIN, y))
        painter.setPen(self._look.color("ink3"))
        for y, text in zip((top, bottom), texts, strict=True):
            painter.drawText(QPointF(0, y + metrics.ascent() / 2 - 1), text)
        first, last = self._points[0][0], self._points[-1][0]
        below = self.height() - MARGIN / 2
        painter.drawText(QPointF(left, below), str(first))
        end = str(last)
        painter.drawText(
            QPointF(self.width() - MARGIN - metrics.horizontalAdvance(end), below), end
        )

        def place(floor: int, value: float) -> QPointF:
            x = left + (self.width() - MARGIN - left) * (floor - first) / max(1, last - first)
            middle = (top + bottom) / 2
            y = bottom - (bottom - top) * (value - low) / (high - low) if high > low else middle
            return QPointF(x, y)

        painter.setPen(QPen(self._look.color("gold"), 1, Qt.PenStyle.DashLine))
        for floor in sorted(self._events):
            if first <= floor <= last:
                x = place(floor, low).x()
                painter.drawLine(QLineF(x, top, x, bottom))
        painter.setPen(QPen(self._look.color("accent"), 2))
        spots = [place(*point) for point in self._points]
        for here, there in itertools.pairwise(spots):
            corner = QPointF(there.x(), here.y())
            painter.drawLine(QLineF(here, corner))
            painter.drawLine(QLineF(corner, there))
        if len(spots) <= MOST_DOTS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("accent"))
            for spot in spots[:-1]:
                painter.drawEllipse(spot, 3, 3)
