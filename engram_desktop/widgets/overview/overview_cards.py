"""Cards of the overview: the cast, the progress of the memory, findings that need an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.claims.claim import FindingKind, WaitingFindings
from engram_desktop.domain.overview import CastMember, MemoryProgress, Overview, Spent
from engram_desktop.viewmodels.overview import OverviewModel, Portrayed
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    FaceView,
    SkeletonLines,
    label,
    set_tone,
)

# The cast: for each the face, a description, and how often it appears.


FACE = 40
ROWS_A_TURN = 3  # of a card's, made and shown: 2 to 3 ms each, of the 16 that a frame has
Fill = Callable[[], object]  # fills a part of a card
CAST_SKELETON_LINES = 5  # about three people


class MemberRow(LiveCard):
    """A row of the cast: click or Enter opens the graph. Rows are refilled, not made again."""

    member_opened = Signal(object)  # CastMember

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("told")
        self._member: CastMember | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 6, 12, 6)
        line.setSpacing(12)
        self.face = FaceView(look, FACE)
        line.addWidget(self.face)
        words = QVBoxLayout()
        words.setSpacing(1)
        head = QHBoxLayout()
        head.setSpacing(8)
        self._name = ElidedLabel("heading")
        self._count = label("", "hint")
        head.addWidget(self._name, 1)
        head.addStretch(1)
        head.addWidget(self._count, 0, Qt.AlignmentFlag.AlignVCenter)
        words.addLayout(head)
        self._about = ElidedLabel("quiet")
        words.addWidget(self._about)
        line.addLayout(words, 1)
        self.opened.connect(self._on_opened)

    def show_member(self, member: CastMember, image: QImage | None) -> None:
        self._member = member
        self.face.show_face(member.name, image, is_plain=member.is_user)
        self._name.set_text(" ".join(member.name.split()))
        counts = (
            self.tr("%n event(s)", "", member.events)
            if member.events
            else self.tr("%n message(s)", "", member.messages)
        )
        self._count.setText(counts)
        self._about.set_text(" ".join(member.about.split()))
        self._about.setVisible(bool(member.about))
        self.setAccessibleName(member.name)
        self.setAccessibleDescription(f"{counts}. {member.about}")

    @Slot()
    def _on_opened(self) -> None:
        self.member_opened.emit(self._member)


class CastCard(QFrame):
    def __init__(self, look: Look, model: OverviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._model = model
        self.rows: list[MemberRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 12, 8, 10)
        self._column.setSpacing(2)
        head = label(self.tr("Cast"), "heading")
        head.setContentsMargins(10, 0, 10, 4)
        self._column.addWidget(head)
        self.skeleton = SkeletonLines(look, CAST_SKELETON_LINES)
        self.skeleton.setContentsMargins(10, 0, 10, 0)
        self.nothing = label(self.tr("Nobody has spoken yet."), "quiet", wrap=True)
        self.nothing.setContentsMargins(10, 4, 10, 8)
        self._column.addWidget(self.skeleton)
        self._column.addWidget(self.nothing)

    def fills(self, portrayed: Portrayed | None) -> Iterator[Fill]:
        """Return the functions that fill the card, a few rows a call; None: still being read."""
        yield partial(self._begin, portrayed)
        if portrayed is not None:
            for first in range(0, len(portrayed.overview.cast), ROWS_A_TURN):
                yield partial(self._show, portrayed, first)

    def _begin(self, portrayed: Portrayed | None) -> None:
        cast = portrayed.overview.cast if portrayed is not None else ()
        self.skeleton.setVisible(portrayed is None)
        self.nothing.setVisible(portrayed is not None and not cast)
        for row in self.rows[len(cast) :]:
            row.hide()

    def _show(self, portrayed: Portrayed, first: int) -> None:
        cast = portrayed.overview.cast[first : first + ROWS_A_TURN]
        for number, member in enumerate(cast, first):
            if number == len(self.rows):
                row = MemberRow(self._look, self)
                row.member_opened.connect(self._model.show_member)
                self._column.addWidget(row)
                self.rows.append(row)
            self.rows[number].show_member(member, portrayed.faces.get(member.card_id))
            self.rows[number].show()


# Progress and cost of the memory: figures, and the floors as one line.


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
    """A number and its unit."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self._name = name
        self.value = label("", "figure")
        inner.addWidget(self.value)
        inner.addWidget(label(name, "hint", wrap=True))

    def show_value(self, text: str, tone: str) -> None:
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
        self.skeleton = SkeletonLines(look, 6)
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
        self._now = label(
            self.tr(
                "Events, floors and cast are as seen from here. What waits, what failed and what it"
                " cost are as they are now."
            ),
            "quiet",
            wrap=True,
        )
        rows.addWidget(self._now)
        rows.addWidget(self._here)
        rows.addWidget(self._library)

    def _make_figures(self, grid: QGridLayout) -> dict[str, Figure]:
        names = {
            "buffer": self.tr("buffer"),
            "archived": self.tr("archived"),
            "outlines": self.tr("outlines"),
            "untold": self.tr("floors unread"),
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
        """Show the progress; None: still being read."""
        self.skeleton.setVisible(overview is None)
        self._body.setVisible(overview is not None)
        if overview is None:
            return
        self._now.setVisible(not overview.is_whole)
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

    def _show_floors(self, progress: MemoryProgress) -> None:
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


# Findings of the story that need an answer.


class WaitingCard(QFrame):
    """Findings that need an answer, with a button to open them. Hidden if there are none."""

    def __init__(self, look: Look, model: OverviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(8, 12, 8, 10)
        rows.setSpacing(2)
        head = label(self.tr("Findings"), "heading")
        head.setContentsMargins(10, 0, 10, 4)
        rows.addWidget(head)
        self.contradictions = self._make_row(look, "warning", model, "contradiction")
        self.promises = self._make_row(look, "clock", model, "promise")
        rows.addWidget(self.contradictions)
        rows.addWidget(self.promises)
        model.findings_read.connect(self.show_waiting)
        self.show_waiting(model.waiting)

    def _make_row(self, look: Look, icon: str, model: OverviewModel, kind: FindingKind) -> LinkRow:
        row = LinkRow(look, icon, self)
        row.opened.connect(lambda: model.show_findings(kind))
        return row

    @Slot(object)
    def show_waiting(self, waiting: WaitingFindings | None) -> None:
        """Show the counts; None: still being read."""
        self.setVisible(bool(waiting))
        if waiting is None:
            return
        count = len(waiting.contradictions)
        self.contradictions.setVisible(count > 0)
        self.contradictions.show_text(self.tr("%n contradiction(s) without an answer", "", count))
        count = len(waiting.promises)
        self.promises.setVisible(count > 0)
        text = self.tr("%n promise(s) open", "", count)
        if waiting.due:
            due = self.tr("%n of them due", "", len(waiting.due))
            text = f"{text} · {due}"
        self.promises.show_text(text)


class LinkRow(LiveCard):
    """A line that opens a page: click or Enter."""

    def __init__(self, look: Look, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("told")
        self._look = look
        self._icon = icon
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 8, 12, 8)
        line.setSpacing(12)
        self._picture = label()
        line.addWidget(self._picture)
        self.words = label("", wrap=True)
        line.addWidget(self.words, 1)
        look.changed.connect(self._draw)
        self._draw()

    def show_text(self, text: str) -> None:
        self.words.setText(text)
        self.setAccessibleName(text)

    @Slot()
    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "accent", 18))
