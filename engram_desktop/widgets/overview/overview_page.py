"""The overview of a chat: the next step, the story so far, key moments, and further cards."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.overview import MemoryProgress, NextStep
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.overview import OverviewModel, Portrayed
from engram_desktop.viewmodels.private_note import PrivateNoteModel
from engram_desktop.viewmodels.workspace.choice_texts import floors_words
from engram_desktop.widgets.overview.overview_cards import (
    ROWS_A_TURN,
    CastCard,
    Fill,
    ProgressCard,
    WaitingCard,
)
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.fields.text_fields import NoteField
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import Page, PageParts
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    ProgressBar,
    SkeletonLines,
    icon_button,
    label,
    text_button,
)

# A chat as a whole: the next step, the story so far, key moments, the cast, the progress.
#
# One event on the page: time and place, its summary, and a link to its lines.
#
# A card of events: the story so far, or its key moments.
#
# At the top of the page: the one next step, with its button.


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    hint: str
    button: str
    icon: str


class StepStrip(QFrame):
    summarise_wanted = Signal()
    consolidate_wanted = Signal()
    connect_wanted = Signal()

    def __init__(self, look: Look, model: OverviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._look = look
        self._model = model
        self._icon = "info"
        line = QHBoxLayout(self)
        line.setContentsMargins(16, 12, 12, 12)
        line.setSpacing(14)
        self._picture = label()
        line.addWidget(self._picture)
        words = QVBoxLayout()
        words.setSpacing(3)
        self.title = label("", "heading", wrap=True)
        self.hint = label("", "quiet", wrap=True)
        self._bar = ProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName(self.tr("How far the memory is"))
        self.skeleton = SkeletonLines(look, 2)
        for part in (self.title, self.hint, self._bar, self.skeleton):
            words.addWidget(part)
        line.addLayout(words, 1)
        self.button = text_button("", "main")
        self.button.clicked.connect(self._act)
        line.addWidget(self.button)
        model.step_changed.connect(self.tell)
        look.changed.connect(self._draw)
        self.tell()

    @Slot()
    def tell(self) -> None:
        """Show the current next step."""
        current = self._model.current
        is_read = current is not None
        is_running = is_read and self._model.is_running
        self.skeleton.setVisible(not is_read)
        for part in (self._picture, self.title, self.hint, self.button):
            part.setVisible(is_read)
        self._bar.setVisible(is_running)
        if current is None:
            return
        progress = current.overview.progress
        words = self._words(progress)
        self._bar.setRange(0, max(1, progress.floors))
        self._bar.setValue(progress.remembered)
        self.title.setText(self.tr("Memory is being made…") if is_running else words.title)
        self.hint.setText(words.hint)
        self.hint.setVisible(bool(words.hint))
        self.button.setText(words.button)
        self._icon = "refresh" if is_running else words.icon
        self._draw()

    @Slot()
    def _draw(self) -> None:
        self._picture.setPixmap(self._look.pixmap(self._icon, "accent", 24))

    def _words(self, progress: MemoryProgress) -> _Words:
        tokens = self._model.current.overview.model_tokens if self._model.current else 0
        unread = self.tr("%n floor(s) are not in memory yet", "", progress.untold)
        words: Mapping[NextStep, _Words] = {
            "review": _Words(
                self.tr("%n block(s) wait for your review", "", progress.waiting),
                self.tr("What was made of them becomes events once you have looked through it."),
                self.tr("Review…"),
                "eye",
            ),
            "retry": _Words(
                self.tr("%n block(s) could not be read", "", progress.failed),
                self.tr("The answers were kept: mend them, or ask again."),
                self.tr("Look at them…"),
                "warning",
            ),
            "agree": _Words(
                self._model.question, self._model.automation_text, self.tr("Decide…"), "summarise"
            ),
            "summarise": _Words(
                unread,
                self.tr("A summary turns them into events you can read, correct and recall."),
                self.tr("Summarise…"),
                "summarise",
            ),
            "consolidate": _Words(
                self.tr("The buffer is full: %n event(s)", "", progress.events.buffer),
                self.tr("Consolidated, they are recalled when the story needs them."),
                self.tr("Consolidate…"),
                "archive",
            ),
            "connect": _Words(
                self.tr("Made without a model, on this computer"),
                self.tr(
                    "With a model, the story, the people and what binds them get richer: about "
                    "{tokens} tokens for these %n floor(s).",
                    "",
                    progress.floors,
                ).format(tokens=f"{tokens:,}"),
                self.tr("Connect a model…"),
                "plug",
            ),
            "none": _Words(
                self.tr("Memory is up to date"),
                self._model.automation_text,
                self.tr("Play on"),
                "check",
            ),
        }
        return words[self._model.step]

    @Slot()
    def _act(self) -> None:
        model = self._model
        slots: Mapping[NextStep, Fill] = {
            "review": model.review,
            "retry": model.retry,
            "agree": model.decide,
            "summarise": self.summarise_wanted.emit,
            "consolidate": self.consolidate_wanted.emit,
            "connect": self.connect_wanted.emit,
            "none": lambda: model.show_page("play"),
        }
        slots[model.step]()


SKELETON_LINES = 8  # about the length of a story that fills one screen


class EventsCard(QFrame):
    """A card of events: grey lines while it is read; the text ``nothing`` if it is empty."""

    def __init__(self, look: Look, model: OverviewModel, words: tuple[str, str], most: int) -> None:
        """``words``: title, and text if empty; ``most`` characters of each event are shown."""
        super().__init__()
        self.setObjectName("card")
        self._look = look
        self._model = model
        self._most = most
        self.rows: list[EventsRow] = []
        title, nothing = words
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 12, 8, 10)
        self._column.setSpacing(2)
        self.setAccessibleName(title)
        head = label(title, "heading")
        head.setContentsMargins(12, 0, 12, 4)
        self._column.addWidget(head)
        self.skeleton = _inset(SkeletonLines(look, SKELETON_LINES))
        self.nothing = label(nothing, "quiet", wrap=True)
        self.nothing.setContentsMargins(12, 4, 12, 8)
        self._column.addWidget(self.skeleton)
        self._column.addWidget(self.nothing)
        self._begin(None)

    def fills(self, events: Sequence[EventNode] | None) -> Iterator[Fill]:
        """Return the functions that fill the card, a few rows a call; None: still being read."""
        yield partial(self._begin, events)
        for first in range(0, len(events or ()), ROWS_A_TURN):
            yield partial(self._show, events or (), first)

    def _begin(self, events: Sequence[EventNode] | None) -> None:
        self.skeleton.setVisible(events is None)
        self.nothing.setVisible(events is not None and not events)
        for row in self.rows[len(events or ()) :]:
            row.hide()

    def _show(self, events: Sequence[EventNode], first: int) -> None:
        for number, event in enumerate(events[first : first + ROWS_A_TURN], first):
            if number == len(self.rows):
                row = EventsRow(self._look, self._most, self)
                row.event_opened.connect(self._model.show_event)
                row.lines_wanted.connect(self._model.read_lines)
                self._column.addWidget(row)
                self.rows.append(row)
            self.rows[number].show_event(event)
            self.rows[number].show()


def _inset(part: QWidget) -> QWidget:
    outer = QWidget()
    inner = QVBoxLayout(outer)
    inner.setContentsMargins(12, 4, 12, 8)
    inner.addWidget(part)
    return outer


class EventsRow(LiveCard):
    """A row for an event: click or Enter opens it. Rows are refilled, not made again."""

    event_opened = Signal(object)  # EventNode
    lines_wanted = Signal(object)  # EventNode

    def __init__(self, look: Look, most: int, parent: QWidget | None = None) -> None:
        """``most`` characters of the summary are shown."""
        super().__init__(parent)
        self.setObjectName("told")
        self._most = most
        self._event: EventNode | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 6, 8)
        line.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(3)
        self._where = ElidedLabel("hint")
        self._text = label("", wrap=True)
        words.addWidget(self._where)
        words.addWidget(self._text)
        line.addLayout(words, 1)
        self.lines_button = icon_button(look, "text", self.tr("Show its lines in the text"))
        self.lines_button.clicked.connect(self._on_lines)
        line.addWidget(self.lines_button, 0, Qt.AlignmentFlag.AlignTop)
        self.opened.connect(self._on_opened)

    def show_event(self, event: EventNode) -> None:
        if event == self._event:
            return
        self._event = event
        span, data = event.source_range, event.raw_data
        parts = [data.timestamp, data.location, floors_words(span.start_index, span.end_index)]
        self._where.set_text(" · ".join(" ".join(part.split()) for part in parts if part))
        text = " ".join(event.summary.split())
        self._text.setText(text if len(text) <= self._most else f"{text[: self._most]}…")
        self.setAccessibleName(text[:120])

    @Slot()
    def _on_opened(self) -> None:
        self.event_opened.emit(self._event)

    @Slot()
    def _on_lines(self) -> None:
        self.lines_wanted.emit(self._event)


WIDEST = 1180  # pixels: a longer line is hard to follow
TWO_COLUMNS = 800  # pixels: on a wider page the cast is beside the story
STORY_CHARS, MOMENT_CHARS = 420, 84  # of one event: an outline has some lines, a moment two


class OverviewPage(Page):
    def __init__(
        self,
        look: Look,
        model: OverviewModel,
        note: PrivateNoteModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._model = model
        self._is_wide: bool | None = None
        self._fills: deque[Fill] = deque()
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._fill_next)
        self.step = StepStrip(look, model)
        self.story = EventsCard(
            look,
            model,
            (self.tr("The story so far"), self.tr("It appears here as memory is made.")),
            STORY_CHARS,
        )
        self.moments = EventsCard(
            look,
            model,
            (self.tr("Key moments"), self.tr("The most important events are listed here.")),
            MOMENT_CHARS,
        )
        self.cast = CastCard(look, model)
        self.progress = ProgressCard(look)
        self.waiting = WaitingCard(look, model)
        self._note = note
        self.note = NoteField(look, note)
        outer = column(self)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(self.tr("The chat as a whole"))
        outer.addWidget(self.area)
        self.area.setWidget(self._make_body())
        model.shown.connect(self._on_shown)
        self._on_shown(model.current)

    def _make_body(self) -> QWidget:
        body = QWidget()
        line = QHBoxLayout(body)
        line.setContentsMargins(24, 16, 24, 16)
        inner = QWidget()
        inner.setMaximumWidth(WIDEST)
        line.addWidget(inner, 1, Qt.AlignmentFlag.AlignTop)
        rows = QVBoxLayout(inner)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(12)
        rows.addWidget(self.step)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(12)
        rows.addLayout(self._columns)
        rows.addStretch(1)
        for parts, stretch in (
            ((self.story, self.moments), 3),
            ((self.progress, self.waiting, self.note, self.cast), 2),
        ):
            side = QVBoxLayout()
            side.setSpacing(12)
            for part in parts:
                side.addWidget(part)
            side.addStretch(1)
            self._columns.addLayout(side, stretch)
        return body

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= TWO_COLUMNS
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            ways = QBoxLayout.Direction
            self._columns.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)

    @override
    def focus_search(self) -> None:
        """Focus the page for scrolling by keys, as it has no search."""
        self.area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        self._model.set_active(active)

    @Slot(object)
    def _on_shown(self, portrayed: Portrayed | None) -> None:
        overview = portrayed.overview if portrayed is not None else None
        # the next step does not depend on the floor or character of the viewpoint
        self.step.setVisible(self._model.is_whole)
        if portrayed is None:
            self._note.leave()
        else:
            self._note.show("chat", "")
        self._fills = deque(
            (
                self.step.tell,
                *self.story.fills(overview.story if overview is not None else None),
                *self.moments.fills(overview.moments if overview is not None else None),
                *self.cast.fills(portrayed),
                partial(self.progress.show_overview, overview),
            )
        )
        while self._fills and portrayed is None:
            self._fills.popleft()()  # little work, and nothing of another chat may stay visible
        if self._fills:
            self._fill_next()

    @Slot()
    def _fill_next(self) -> None:
        """Fill a few rows in one turn of the event loop: a whole card takes too long."""
        if self._fills:
            self._fills.popleft()()
            self._turn.start()


def make(parts: PageParts, parent: QWidget) -> OverviewPage:
    page = OverviewPage(parts.look, parts.models.overview, parts.models.new_note(), parent)
    page.step.summarise_wanted.connect(parts.doors.open_summarise)
    page.step.consolidate_wanted.connect(parts.doors.open_consolidate)
    page.step.connect_wanted.connect(lambda: parts.doors.open_settings("llm"))
    return page
