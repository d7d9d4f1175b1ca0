"""The text of a chat with marks in its margin: what became memory, what was gone to, what is found.

A mark is a thread along the floors that one event tells of, with a shape on each that is larger
where it begins: a disc for blue, a square for green, a triangle for stale; a ring where nothing is
remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.viewmodels.reading.memory_marks import MemoryMarks, state_words
from engram_desktop.viewmodels.workspace.transcript import Transcript
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.transcript.chat_view import ChatView
from engram_desktop.widgets.parts.transcript.row_box import AVATAR, PAD, RowBox
from engram_desktop.widgets.parts.transcript.row_text import Found

LANE = 22  # pixels left of the faces that the marks take
SHAPE, SMALL_SHAPE = 14, 10  # width and height of a mark where an event begins, and after it
THREAD = 3  # width of the line along the floors of an event
ROLES = {"buffer": "accent", "archived": "green", "stale": "red"}


class TextView(ChatView):
    mark_pressed = Signal(int)  # floor
    chosen_changed = Signal(int, int)  # first and last floor of what is selected

    def __init__(
        self,
        look: Look,
        rows: Transcript,
        face: Callable[[str], QImage | None],
        marks: MemoryMarks,
        parent: QWidget | None = None,
    ) -> None:
        self._marks = marks
        self._lit: tuple[int, int] | None = None
        self._find: Callable[[int, str], Sequence[Found]] | None = None
        self._chosen = (-1, -1)
        super().__init__(look, rows, face, parent)
        marks.changed.connect(self.viewport().update)
        self.current_changed.connect(self._tell_chosen)

    def light(self, span: tuple[int, int] | None) -> None:
        """Mark floors that were gone to; None takes the mark away."""
        self._lit = span
        self.viewport().update()

    def find_with(self, find: Callable[[int, str], Sequence[Found]] | None) -> None:
        """Mark what ``find`` finds in the text of a floor."""
        self._find = find
        self.viewport().update()

    @property
    def place(self) -> tuple[int, int] | None:
        """The floor at the upper edge and how far it is above it; None at the end of the chat."""
        placing = self._placing
        return None if placing.follows_end else (placing.first, placing.offset)

    def show_at_top(self, floor: int, offset: int = 0) -> None:
        """Bring a floor to the upper edge and make it the current one."""
        self._set_current(max(0, min(floor, self._heights.count - 1)))
        self._placing.go_to(self.current, offset)
        self._arrange()

    def show_text(self, floor: int, position: int) -> None:
        """Bring the line of a character of a message into view."""
        self.show_floor(floor)
        top = next((y for row, y in self._placing.placed if row == self.current), 0)
        box = self._box(self.current)
        line = top + box.text_at.y() + box.text.line_at(position)
        room = self.viewport().height()
        if not 0 <= line <= room - 40:
            self._placing.scroll_by(int(line) - room // 3)
            self._arrange()

    @property
    def chosen(self) -> tuple[int, int]:
        """First and last floor of what is selected, else the current one."""
        if self._marked.is_empty:
            return (self.current, self.current)
        (first, _), (last, _) = self._marked.ordered
        return (first, min(last, self._heights.count - 1))

    def chosen_with(self, floor: int) -> tuple[int, int]:
        """Return the selected floors if this is one of them, else this one alone."""
        first, last = self.chosen
        return (first, last) if first <= floor <= last else (floor, floor)

    def choose(self, first: int, last: int) -> None:
        """Select whole messages."""
        self._marked.start, self._marked.end = (first, 0), (last, 2**31)
        self.viewport().update()
        self._tell_chosen()

    @override
    def _set_current(self, row: int) -> None:
        """Say the mark beside a message with it: a screen reader sees no colour."""
        is_other = row != self.current
        super()._set_current(row)
        if is_other and row >= 0:
            mark = state_words(self._marks.state_at(row))
            self.setAccessibleDescription(f"{self.accessibleDescription()}. {mark}")

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        placed = self._placing.placed
        for row, y in placed:
            box = self._box(row)
            self._paint_mark(painter, row, y, box)
            if self._lit is not None and self._lit[0] <= row <= self._lit[1]:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._look.color("gold"), 2.0))
                painter.drawRoundedRect(box.bubble.translated(0, y).adjusted(-2, -2, 2, 2), 12, 12)
        painter.end()

    def _paint_mark(self, painter: QPainter, row: int, y: int, box: RowBox) -> None:
        spans = self._marks.spans.at(row)
        centre = QPointF(box.left - LANE / 2, y + PAD + AVATAR / 2)
        if not spans:
            if self._marks.is_loaded:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self._look.color("line_strong"), 1.5))
                painter.drawEllipse(centre, 3, 3)
            return
        top = spans[-1]
        color = self._look.color(ROLES[top.state])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        begin = centre.y() if row == top.first else y
        end = y + box.height - (PAD if row == top.last else 0)
        painter.drawRect(QRectF(centre.x() - THREAD / 2, begin, THREAD, max(0.0, end - begin)))
        is_first = row == top.first or len(spans) > 1
        self._paint_shape(painter, top.state, centre, SHAPE if is_first else SMALL_SHAPE)

    def _paint_shape(self, painter: QPainter, state: str, centre: QPointF, size: int) -> None:
        half = size / 2
        painter.setPen(QPen(self._look.color("bg"), 2.0))
        if state == "buffer":
            painter.drawEllipse(centre, half + 1, half + 1)
        elif state == "archived":
            painter.drawRect(QRectF(centre.x() - half, centre.y() - half, size, size))
        else:
            x, y = centre.x(), centre.y()
            up = [QPointF(x, y - half - 1), QPointF(x + half + 2, y + half)]
            painter.drawPolygon(QPolygonF([*up, QPointF(x - half - 2, y + half)]))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._mark_at(event.position())
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._set_current(row)
            self.mark_pressed.emit(row)
            return
        super().mousePressEvent(event)
        self._tell_chosen()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not self._is_marking and self._mark_at(event.position()) >= 0:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._tell_chosen()

    def _mark_at(self, at: QPointF) -> int:
        """Return the floor whose mark is at a place; -1 for none."""
        row, _top = self._row_at(at.y())
        if row < 0 or self._heights.count == 0:
            return -1
        left = self._box(row).left
        return row if left - LANE - 4 <= at.x() < left - 2 else -1

    @override
    def _tip_at(self, at: QPoint) -> str:
        row = self._mark_at(QPointF(at))
        return self._marks.tip(row) if row >= 0 else super()._tip_at(at)

    @override
    def _found_in(self, row: int) -> Sequence[Found]:
        return self._find(row, self._box(row).text.text) if self._find is not None else ()

    @Slot()
    def _tell_chosen(self) -> None:
        chosen = self.chosen
        if chosen != self._chosen:
            self._chosen = chosen
            self.chosen_changed.emit(*chosen)
