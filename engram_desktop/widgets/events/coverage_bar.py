"""One line that shows which floors have become memory. Drag over it to summarise a range."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.events.event_list import Coverage
from engram_desktop.widgets.parts.look.look import Look

ROLES = {
    "archived": "green",
    "buffer": "accent",
    "stale": "red",
    "done": "line_strong",
    "drafted": "gold",
    "failed": "ink2",
}
STATES = ("archived", "buffer", "done", "drafted", "stale", "failed", "empty")
NOT_DONE = {"empty", "stale", "drafted", "failed"}


class CoverageBar(QWidget):
    range_chosen = Signal(int, int)  # first and last floor, 0-based

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._runs: Coverage = []
        self._drag: tuple[float, float] | None = None
        self.setAccessibleName(self.tr("Coverage: which floors have become memory"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.CrossCursor)
        look.changed.connect(self.update)

    def show_runs(self, runs: Coverage) -> None:
        self._runs = runs
        self.setAccessibleDescription(self.words())
        self.update()

    def has_gap(self, first: int, last: int) -> bool:
        """Whether any of these floors has not been summarised yet."""
        gaps = [(a, b) for a, b, state in self._runs if state in {"empty", "failed"}]
        return any(a <= last and b >= first for a, b in gaps)

    def legend(self) -> str:
        """Say in words how many floors are in which state, one state a line."""
        counts: dict[str, int] = {}
        for first, last, state in self._runs:
            counts[state] = counts.get(state, 0) + last - first + 1
        lines = [
            self.tr("{count} × {state}").format(count=counts[state], state=self._state_words(state))
            for state in STATES
            if state in counts
        ]
        return "\n".join(lines)

    def words(self) -> str:
        """Say in words what the colours show."""
        count = sum(b - a + 1 for a, b, state in self._runs if state not in NOT_DONE)
        return self.tr("{done} of {all} floors have become memory").format(
            done=count, all=self._floors
        )

    @property
    def _floors(self) -> int:
        return self._runs[-1][1] + 1 if self._runs else 0

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, 16)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(0, 5, self.width(), 6)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(groove, 3, 3)
        for first, last, state in self._runs:
            if state == "empty":
                continue
            left, right = self._x(first), max(self._x(last + 1), self._x(first) + 1.5)
            painter.setBrush(self._look.color(ROLES.get(state, "grey")))
            painter.drawRoundedRect(QRectF(left, 5, right - left, 6), 1.5, 1.5)
        if self._drag is not None:
            left, right = sorted(self._drag)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._look.color("ink"))
            painter.drawRoundedRect(QRectF(left, 1.5, right - left, 13), 3, 3)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._floors:
            self._drag = (event.position().x(), event.position().x())
            self.update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            x = min(max(event.position().x(), 0.0), float(self.width()))
            self._drag = (self._drag[0], x)
            self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is None:
            return
        left, right = sorted(self._drag)
        self._drag = None
        self.update()
        if right - left >= 4:
            self.range_chosen.emit(self._floor(left), self._floor(right))

    def tip_at(self, at: QPoint) -> str:
        if not self._floors:
            return ""
        floor = self._floor(float(at.x()))
        state = next((s for a, b, s in self._runs if a <= floor <= b), "empty")
        text = self.tr("Floor {floor}: {state}").format(floor=floor, state=self._state_words(state))
        hint = self.tr("Drag over floors to summarise them, or to make them again.")
        return f"{text}\n\n{self.legend()}\n\n{hint}"

    def _state_words(self, state: str) -> str:
        words = {
            "archived": self.tr("archived"),
            "buffer": self.tr("in the buffer"),
            "stale": self.tr("stale: its messages were changed"),
            "done": self.tr("summarised, nothing worth an event"),
            "drafted": self.tr("waiting for your review"),
            "failed": self.tr("failed: the answer could not be read"),
            "empty": self.tr("not yet summarised"),
        }
        return words.get(state, state)

    def _x(self, floor: int) -> float:
        return self.width() * floor / max(1, self._floors)

    def _floor(self, x: float) -> int:
        return min(self._floors - 1, max(0, int(x / max(1, self.width()) * self._floors)))
