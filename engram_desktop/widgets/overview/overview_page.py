"""A chat as a whole: what is next, the story so far, key moments, the cast, how far memory is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.overview.overview import OverviewModel, Portrayed
from engram_desktop.widgets.overview.cast_card import CastCard
from engram_desktop.widgets.overview.progress_card import ProgressCard
from engram_desktop.widgets.overview.step_strip import StepStrip
from engram_desktop.widgets.overview.told_card import ToldCard
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.page import Page, PageParts

WIDEST = 1180  # pixels: a longer line is hard to follow
TWO_COLUMNS = 800  # pixels of the page from which the cast stands beside the story
STORY_CHARS, MOMENT_CHARS = 420, 84  # of one event: an outline takes some lines, a moment two


class OverviewPage(Page):
    def __init__(self, look: Look, model: OverviewModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._model = model
        self._is_wide: bool | None = None
        self._fills: list[Callable[[], object]] = []
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._fill_next)
        self.step = StepStrip(look, model)
        self.story = ToldCard(
            look,
            model,
            (self.tr("The story so far"), self.tr("It is told here as memory is made.")),
            STORY_CHARS,
        )
        self.moments = ToldCard(
            look,
            model,
            (self.tr("Key moments"), self.tr("The most important events are listed here.")),
            MOMENT_CHARS,
        )
        self.cast = CastCard(look, model)
        self.progress = ProgressCard(look)
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
        for parts, stretch in (((self.story, self.moments), 3), ((self.progress, self.cast), 2)):
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
        """Nothing is searched here: the page itself is gone to, to be scrolled with keys."""
        self.area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @override
    def set_active(self, active: bool) -> None:
        self._model.set_active(active)

    @Slot(object)
    def _on_shown(self, portrayed: Portrayed | None) -> None:
        overview = portrayed.overview if portrayed is not None else None
        self._fills = [
            self.step.tell,
            partial(self.story.show_events, overview.story if overview is not None else None),
            partial(self.moments.show_events, overview.moments if overview is not None else None),
            partial(self.cast.show_cast, portrayed),
            partial(self.progress.show_overview, overview),
        ]
        while self._fills and portrayed is None:
            self._fills.pop(0)()  # little work, and nothing of another chat may stay
        if self._fills:
            self._fill_next()

    @Slot()
    def _fill_next(self) -> None:
        """Fill one card a turn: all at once are too much for one."""
        if self._fills:
            self._fills.pop(0)()
            self._turn.start()


def make(parts: PageParts, parent: QWidget) -> OverviewPage:
    page = OverviewPage(parts.look, parts.models.overview, parent)
    page.step.summarise_wanted.connect(parts.doors.open_summarise)
    page.step.consolidate_wanted.connect(parts.doors.open_consolidate)
    page.step.connect_wanted.connect(lambda: parts.doors.open_settings("llm"))
    return page
