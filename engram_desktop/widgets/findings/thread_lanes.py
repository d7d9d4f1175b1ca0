"""Promises and other threads as lanes over the floors: from where each began to its end, or now.

The end says what became of it, in shape and in colour: an arrow is open, a dot kept, a cross
broken, a bar given up.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.findings import FindingRow, status_names
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label

LANE = 26  # pixels, of one lane
AXIS = 20  # of the floors below them
NAMES = 0.34  # of the width, for whose promise it is
ROLES = {"open": "accent", "kept": "green", "broken": "red", "given_up": "grey"}


class LaneView(QWidget):
    """The lanes. Arrows, J and K go from one to the next; Enter reads where it began."""

    chosen = Signal(object)  # key of a finding: of 48 bits, too many for a signal of int
    opened = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._rows: Sequence[FindingRow] = ()
        self._now = 0
        self._current = self._under = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Threads over the floors"))
        look.changed.connect(self.update)

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def current_key(self) -> int | None:
        return self._rows[self._current].key if self._current >= 0 else None

    @property
    def current_middle(self) -> int:
        return self._current * LANE + LANE // 2

    def show_rows(self, rows: Sequence[FindingRow], now: int, key: int | None) -> None:
        """Show promises up to floor ``now``; ``key`` is the one that is chosen."""
        self._rows, self._now, self._under = rows, max(1, now), -1
        self.setFixedHeight(LANE * max(1, len(rows)))
        self.show_key(key)

    def show_key(self, key: int | None) -> None:
        self._current = next((n for n, row in enumerate(self._rows) if row.key == key), -1)
        words = self._words(self._current) if self._current >= 0 else ""
        self.setAccessibleDescription(words)
        self.update()

    def lane_at(self, y: float) -> int:
        """Return the number of the lane at a height, -1 for none."""
        number = int(y // LANE)
        return number if 0 <= number < len(self._rows) else -1

    def _words(self, number: int) -> str:
        row = self._rows[number]
        finding = row.finding
        text = self.tr("{who}: {text} ({status}, floors {floors})")
        return text.format(
            who=row.heading,
            text=finding.quotes[0].text,
            status=status_names()[finding.status],
            floors=row.floors_text,
        )

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self._rows):
            self.show_key(self._rows[number].key)
            self.chosen.emit(self._rows[number].key)

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, LANE * max(1, len(self._rows)))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_J:
                self._choose(min(self._current + 1, len(self._rows) - 1))
            case Qt.Key.Key_Up | Qt.Key.Key_K:
                self._choose(max(self._current - 1, 0))
            case Qt.Key.Key_Home:
                self._choose(0)
            case Qt.Key.Key_End:
                self._choose(len(self._rows) - 1)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._current >= 0:
                self.opened.emit()
            case _:
                super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._choose(self.lane_at(event.position().y()))

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.lane_at(event.position().y()) >= 0:
            self.opened.emit()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.lane_at(event.position().y()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)

    def _hover(self, number: int) -> None:
        if number != self._under:
            self._under = number
            self.update()

    def tip_at(self, at: QPoint) -> str:
        number = self.lane_at(at.y())
        return self._words(number) if number >= 0 else ""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = event.rect().top() // LANE
        last = min(len(self._rows) - 1, event.rect().bottom() // LANE)
        for number in range(first, last + 1):
            self._paint_lane(painter, number)
        painter.end()

    def _paint_lane(self, painter: QPainter, number: int) -> None:
        box = QRectF(0, number * LANE, self.width(), LANE)
        row = self._rows[number]
        if number in (self._current, self._under):
            painter.setPen(
                QPen(self._look.color("accent"), 1.4)
                if number == self._current and self.hasFocus()
                else Qt.PenStyle.NoPen
            )
            role = "selection" if number == self._current else "hover"
            painter.setBrush(self._look.color(role))
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 6, 6)
        left = names_width(self.width())
        x = self._paint_words(painter, QRectF(8, box.top(), left * 0.6, LANE), row.heading, "ink")
        room = QRectF(x + 8, box.top(), left - x - 16, LANE)
        self._paint_words(painter, room, " ".join(row.finding.quotes[0].text.split()), "ink2")
        self._paint_line(painter, row, box.center().y())

    def _paint_words(self, painter: QPainter, box: QRectF, text: str, role: str) -> float:
        """Draw what fits of a text; return where it ends."""
        metrics = QFontMetricsF(self.font())
        seen = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.setPen(self._look.color(role))
        place = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(box.adjusted(0, 0, 1, 0), place, seen)
        return box.left() + metrics.horizontalAdvance(seen)

    def _paint_line(self, painter: QPainter, row: FindingRow, y: float) -> None:
        finding = row.finding
        color = self._look.color(ROLES.get(finding.status, "grey"))
        is_open = finding.status == "open"
        end = self._now if is_open else max(finding.floors)
        x, to = self._place(finding.floors[0]), self._place(end)
        painter.setPen(QPen(self._look.color("line"), 1))
        painter.drawLine(QLineF(names_width(self.width()), y, self._place(self._now), y))
        painter.setPen(QPen(color, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QLineF(x, y, to, y))
        painter.drawLine(QLineF(x, y - 4, x, y + 4))
        match finding.status:
            case "broken":
                painter.setPen(QPen(color, 2.4))
                painter.drawLine(QLineF(to - 4, y - 5, to + 4, y + 5))
                painter.drawLine(QLineF(to - 4, y + 5, to + 4, y - 5))
            case "given_up":
                painter.drawLine(QLineF(to, y - 6, to, y + 6))
            case "open":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color)
                points = (QPointF(to + 7, y), QPointF(to - 1, y - 5), QPointF(to - 1, y + 5))
                painter.drawPolygon(QPolygonF(points))
            case _:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color)
                painter.drawEllipse(QPointF(to, y), 5, 5)

    def _place(self, floor: int) -> float:
        return floor_place(floor, self._now, self.width())


def names_width(width: int) -> float:
    return width * NAMES


def floor_place(floor: int, last: int, width: int) -> float:
    """Return where a floor stands on the axis, in pixels."""
    left = names_width(width) + 10
    return left + (width - 20 - left) * floor / max(1, last)


class _Axis(QWidget):
    """Floors below the lanes."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._last = 1
        self.setFixedHeight(AXIS)
        look.changed.connect(self.update)

    def show_last(self, last: int) -> None:
        self._last = max(1, last)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._look.color("ink2"))
        for floor in sorted({0, self._last // 4, self._last // 2, self._last * 3 // 4, self._last}):
            x = floor_place(floor, self._last, self.width())
            box = QRectF(x - 40, 0, 80, AXIS)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(floor))
        painter.end()


class ThreadLanes(QFrame):
    """The lanes with their title and the floors; hidden where there is no thread."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._most = 1
        rows = self._lines = column(self, 8, 2)
        self._title = label("", "quiet")
        rows.addWidget(self._title)
        self.view = LaneView(look)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.view)
        rows.addWidget(self._scroll)
        self._axis = _Axis(look)
        rows.addWidget(self._axis)

    def show_rows(self, rows: Sequence[FindingRow], now: int, key: int | None) -> None:
        threads = [row for row in rows if row.finding.kind == "promise"]
        self.setVisible(bool(threads))
        count = sum(row.finding.status == "open" for row in threads)
        self._title.setText(self.tr("%n thread(s) open", "", count))
        self.view.show_rows(threads, now, key)
        self._axis.show_last(now)
        self._fit()

    def show_most(self, count: int) -> None:
        """Show up to ``count`` lanes at once; more of them scroll."""
        self._most = count
        self._fit()

    def _fit(self) -> None:
        self._scroll.setFixedHeight(LANE * max(1, min(self.view.count, self._most)))
        self.setFixedHeight(self._lines.totalMinimumSize().height())

    def show_key(self, key: int | None) -> None:
        self.view.show_key(key)
        if self.view.current_key is not None:
            self._scroll.ensureVisible(0, self.view.current_middle, 0, LANE // 2)
