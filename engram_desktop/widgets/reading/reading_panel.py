"""Beside the text: what is remembered of the floors that are selected."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.viewmodels.events.event_words import floors_text, floors_words
from engram_desktop.viewmodels.reading.memory_marks import MemoryMarks, state_words
from engram_desktop.viewmodels.reading.reading_chat import ReadingChat
from engram_desktop.viewmodels.reading.remembering import Remembering
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.page import PageParts
from engram_desktop.widgets.reading.remember_form import RememberForm

MOST_LISTED = 60  # events: of more floors than that tell, the events page lists them
LIST_HEIGHT = 120  # pixels of the list of events at least, and while a memory is written below it
HIGHEST = 16_777_215  # pixels: as high as a widget can be
KeyRole = Qt.ItemDataRole.UserRole
LAMPS = {"buffer": "lamp", "archived": "archive", "stale": "warning"}
ROLES = {"buffer": "accent", "archived": "green", "stale": "red"}


class ReadingPanel(QFrame):
    def __init__(
        self,
        look: Look,
        chat: ReadingChat,
        marks: MemoryMarks,
        remembering: Remembering,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._chat = chat
        self._marks = marks
        self._remembering = remembering
        self._listed: list[tuple[int, str, str]] = []
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column(self, 0, 0).addWidget(scroll)
        body = QWidget()
        rows = column(body, 0, 6)
        rows.setContentsMargins(20, 14, 16, 16)
        scroll.setWidget(body)
        self._title = label("", "heading", wrap=True)
        rows.addWidget(self._title)
        self._add_events(rows)
        self.remember_button = text_button(self.tr("Remember this…"), "main")
        self.remember_button.clicked.connect(lambda: remembering.begin(*chat.chosen))
        rows.addWidget(self.remember_button)
        self.form = RememberForm(look, remembering, self)
        rows.addWidget(self.form)
        self._rest = QWidget()
        rows.addWidget(self._rest, 1)
        remembering.begun.connect(self._show_events)
        chat.chosen_changed.connect(self._show_chosen)
        marks.changed.connect(self._show_events)
        marks.words_changed.connect(self._show_events)
        look.changed.connect(self._show_again)
        self._show_chosen(*chat.chosen)

    def _add_events(self, rows: QVBoxLayout) -> None:
        rows.addWidget(label(self.tr("Remembered of these floors"), "section"))
        self._nothing = label("", "quiet", wrap=True)
        rows.addWidget(self._nothing)
        self.events = QListWidget()
        self.events.setAccessibleName(self.tr("Remembered of these floors"))
        self.events.setWordWrap(True)
        self.events.setMinimumHeight(LIST_HEIGHT)
        self.events.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.events.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.events.itemActivated.connect(self._open)
        self.events.currentItemChanged.connect(lambda *_: self._update_button())
        rows.addWidget(self.events, 1)
        self.open_button = text_button(self.tr("Open on the events page"))
        self.open_button.clicked.connect(self._open_current)
        rows.addWidget(self.open_button)

    @Slot(int, int)
    def _show_chosen(self, first: int, last: int) -> None:
        self._title.setText(floors_words(first, last) if first >= 0 else self.tr("No floor chosen"))
        self._show_events()

    @Slot()
    def _show_again(self) -> None:
        self._listed = []
        self._show_events()

    @Slot()
    def _show_events(self) -> None:
        first, last = self._chat.chosen
        spans = self._marks.spans.between(first, last)[:MOST_LISTED] if first >= 0 else []
        wanted = []
        for span in spans:
            event = self._marks.event_of(span.key)
            text = f"{floors_text(event)} · {event.summary[:300]}" if event is not None else "…"
            wanted.append((span.key, span.state, text))
        if first < 0:
            self._nothing.setText(self.tr("Press a message to see what is remembered of it."))
        else:
            self._nothing.setText(state_words("none"))
        self._nothing.setVisible(not wanted)
        for part in (self.events, self.open_button):
            part.setVisible(bool(wanted))
        self._rest.setVisible(not wanted)
        is_writing = self._remembering.span is not None
        self.events.setMaximumHeight(LIST_HEIGHT if is_writing else HIGHEST)
        self.remember_button.setVisible(first >= 0 and not is_writing and not self._chat.actor)
        if wanted != self._listed:
            self._listed = wanted
            self._fill(wanted)

    def _fill(self, wanted: list[tuple[int, str, str]]) -> None:
        self.events.clear()
        for key, state, text in wanted:
            item = QListWidgetItem(self._look.icon(LAMPS[state], ROLES[state]), text)
            item.setData(KeyRole, key)
            item.setToolTip(state_words(state))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{state_words(state)}. {text}")
            self.events.addItem(item)
        if wanted:
            self.events.setCurrentRow(len(wanted) - 1)
        self._update_button()

    @Slot()
    def _update_button(self) -> None:
        self.open_button.setEnabled(self.events.currentItem() is not None)

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem) -> None:
        self._chat.show_event(int(item.data(KeyRole)))

    @Slot()
    def _open_current(self) -> None:
        item = self.events.currentItem()
        if item is not None:
            self._open(item)


def make(parts: PageParts, parent: QWidget) -> ReadingPanel:
    models = parts.models
    return ReadingPanel(parts.look, models.reading, models.marks, models.remembering, parent)
