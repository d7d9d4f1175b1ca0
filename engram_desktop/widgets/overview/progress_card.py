"""How far the memory is and what it cost: figures, and the floors as one line."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from engram_desktop.domain.overview.overview import Overview, Progress, Spent
from engram_desktop.widgets.parts.basics.pieces import label, set_tone
from engram_desktop.widgets.parts.basics.skeleton import Skeleton
from engram_desktop.widgets.parts.look.look import Look

COLUMNS = 4
HEIGHT = 8  # pixels of the line of floors
ROLES = {
    "archived": "green",
    "buffer": "accent",
    "stale": "red",
    "done": "line_strong",
    "drafted": "gold",
    "failed": "ink2",
}


class FloorLine(QWidget):
    """All floors of a chat from left to right, each in the colour of its state."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._runs: tuple[tuple[int, int, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def show_runs(self, runs: tuple[tuple[int, int, str], ...]) -> None:
        if runs != self._runs:
            self._runs = runs
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(QRectF(0, 0, self.width(), HEIGHT), 4, 4)
        floors = self._runs[-1][1] + 1 if self._runs else 1
        scale = self.width() / floors
        for first, last, state in self._runs:
            if state in ROLES:
                painter.setBrush(self._look.color(ROLES[state]))
                left, width = first * scale, max(1.5, (last - first + 1) * scale)
                painter.drawRoundedRect(QRectF(left, 0, width, HEIGHT), 1.5, 1.5)


class Figure(QWidget):
    """A number and what it counts."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self._name = name
        self.value = label("", "figure")
        inner.addWidget(self.value)
        inner.addWidget(label(name, "hint", wrap=True))

    def show_value(self, text: str, tone: str = "figure") -> None:
        self.value.setText(text)
        set_tone(self.value, tone)
        self.setAccessibleName(f"{self._name}: {text}")


class ProgressCard(QFrame):
    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        inner = QVBoxLayout(self)
        inner.setContentsMargins(18, 12, 18, 14)
        inner.setSpacing(10)
        inner.addWidget(label(self.tr("Memory"), "heading"))
        self.skeleton = Skeleton(look, 6)
        inner.addWidget(self.skeleton)
        self._body = QWidget()
        inner.addWidget(self._body)
        rows = QVBoxLayout(self._body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        self._covered = label("", "quiet", wrap=True)
        rows.addWidget(self._covered)
        self.floors = FloorLine(look)
        rows.addWidget(self.floors)
        grid = QGridLayout()
        grid.setSpacing(12)
        self.figures = self._make_figures(grid)
        rows.addLayout(grid)
        self._here, self._library = label("", "quiet", wrap=True), label("", "quiet", wrap=True)
        rows.addWidget(self._here)
        rows.addWidget(self._library)

    def _make_figures(self, grid: QGridLayout) -> dict[str, Figure]:
        names = {
            "buffer": self.tr("always visible"),
            "archived": self.tr("archived"),
            "outlines": self.tr("outlines"),
            "untold": self.tr("floors not read yet"),
            "stale": self.tr("stale"),
            "failed": self.tr("failed"),
            "waiting": self.tr("wait for review"),
        }
        figures = {}
        for number, (key, name) in enumerate(names.items()):
            figures[key] = Figure(name)
            row, place = divmod(number, COLUMNS)
            grid.addWidget(figures[key], row, place, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(place, 1)
        return figures

    def show_overview(self, overview: Overview | None) -> None:
        """Show how far it is; None: that is still being read."""
        self.skeleton.setVisible(overview is None)
        self._body.setVisible(overview is not None)
        if overview is None:
            return
        progress = overview.progress
        self._show_floors(progress)
        events = progress.events
        values = {
            "buffer": (events.buffer, "figure"),
            "archived": (events.archived, "figure"),
            "outlines": (events.outlines, "figure"),
            "untold": (progress.untold, "figure"),
            "stale": (events.stale, "figure_bad"),
            "failed": (progress.failed, "figure_bad"),
            "waiting": (progress.waiting, "figure_warn"),
        }
        for key, (count, tone) in values.items():
            self.figures[key].show_value(f"{count:,}", tone if count else "figure_none")
        for part, text, spent in (
            (self._here, self.tr("This chat: {spent}"), overview.here),
            (self._library, self.tr("Whole library: {spent}"), overview.library),
        ):
            part.setText(text.format(spent=self._spent_words(spent, overview.currency)))

    def _show_floors(self, progress: Progress) -> None:
        text = self.tr("{done} of {all} floors have become memory").format(
            done=f"{progress.remembered:,}", all=f"{progress.floors:,}"
        )
        self._covered.setText(text)
        self.floors.show_runs(progress.runs)
        self.floors.setToolTip(text)
        self.floors.setAccessibleName(text)

    def _spent_words(self, spent: Spent, currency: str) -> str:
        if not spent.calls:
            return self.tr("no model was asked")
        text = self.tr("{tokens} tokens").format(tokens=f"{spent.tokens:,}")
        return text if spent.cost is None else f"{text} ≈ {currency}{spent.cost:,.2f}"
