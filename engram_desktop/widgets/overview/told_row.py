"""One event as the page tells it: when and where, its words, and the way to its lines."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_words import floors_words
from engram_desktop.widgets.parts.basics.elided_label import ElidedLabel
from engram_desktop.widgets.parts.basics.pieces import icon_button, label
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look


class ToldRow(LiveCard):
    """Click or Enter opens the event. It is filled again rather than made again."""

    event_opened = Signal(object)  # EventNode
    lines_wanted = Signal(object)  # EventNode

    def __init__(self, look: Look, most: int, parent: QWidget | None = None) -> None:
        """``most`` characters of the summary are shown; its event has all of it."""
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
