"""A card of told events: the story so far, or its key moments."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.overview.overview import OverviewModel
from engram_desktop.widgets.overview.told_row import ToldRow
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.basics.skeleton import Skeleton
from engram_desktop.widgets.parts.look.look import Look

SKELETON_LINES = 8  # about what a story of one screen takes


class ToldCard(QFrame):
    """Grey lines stand in it until something was read; ``nothing`` is said where nothing is."""

    def __init__(self, look: Look, model: OverviewModel, words: tuple[str, str], most: int) -> None:
        """``words`` are its title and what it says of nothing; ``most`` characters of each."""
        super().__init__()
        self.setObjectName("card")
        self._look = look
        self._model = model
        self._most = most
        self.rows: list[ToldRow] = []
        title, nothing = words
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 12, 8, 10)
        self._column.setSpacing(2)
        self.setAccessibleName(title)
        head = label(title, "heading")
        head.setContentsMargins(12, 0, 12, 4)
        self._column.addWidget(head)
        self.skeleton = _inset(Skeleton(look, SKELETON_LINES))
        self.nothing = label(nothing, "quiet", wrap=True)
        self.nothing.setContentsMargins(12, 4, 12, 8)
        self._column.addWidget(self.skeleton)
        self._column.addWidget(self.nothing)
        self.show_events(None)

    def show_events(self, events: Sequence[EventNode] | None) -> None:
        """Show these; None: they are still being read."""
        self.skeleton.setVisible(events is None)
        self.nothing.setVisible(events is not None and not events)
        shown = events or ()
        while len(self.rows) < len(shown):
            row = ToldRow(self._look, self._most, self)
            row.event_opened.connect(self._model.show_event)
            row.lines_wanted.connect(self._model.read_lines)
            self._column.addWidget(row)
            self.rows.append(row)
        for row, event in zip(self.rows, shown, strict=False):
            row.show_event(event)
        for number, row in enumerate(self.rows):
            row.setVisible(number < len(shown))


def _inset(part: QWidget) -> QWidget:
    outer = QWidget()
    inner = QVBoxLayout(outer)
    inner.setContentsMargins(12, 4, 12, 8)
    inner.addWidget(part)
    return outer
