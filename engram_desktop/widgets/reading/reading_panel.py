"""The panel of the page 原文: the memories of the selected floors, and the form of a new event."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.viewmodels.private_note import PrivateNoteModel
from engram_desktop.viewmodels.reading.reading_chat import ReadingChat
from engram_desktop.viewmodels.reading.text_marks import (
    MemoryMarks,
    Proposal,
    Remembering,
    state_words,
)
from engram_desktop.viewmodels.workspace.choice_texts import floors_text, floors_words
from engram_desktop.widgets.parts.fields.text_fields import (
    NoteField,
    TextField,
    UnsavedFields,
    WordChips,
)
from engram_desktop.widgets.parts.layouts import FlowLayout, add_row, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.parts.pieces import label, text_button

SUMMARY_HEIGHT = 170  # eight lines, as a long summary has


class RememberForm(QWidget):
    """The form of a new event; hidden while none is being written."""

    def __init__(self, look: Look, model: Remembering, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        rows = column(self, 0, 6)
        self._title = label("", "section", wrap=True)
        rows.addWidget(self._title)
        self.summary = TextField(self.tr("What happened"))
        self.summary.setFixedHeight(SUMMARY_HEIGHT)
        self.summary.textChanged.connect(self._update_button)
        rows.addWidget(self.summary)
        self._hint = label("", "hint", wrap=True)
        rows.addWidget(self._hint)
        self.keywords = WordChips(look, self.tr("Keywords"))
        add_row(rows, self.tr("Keywords"), self.keywords)
        self._typing = UnsavedFields(
            model.unsaved, {"summary": self.summary, "keywords": self.keywords}, self
        )
        rows.addWidget(self._typing.hint)
        self.model_button = text_button(self.tr("Let the model write it"))
        self.model_button.clicked.connect(self._ask_model)
        self.cancel_button = text_button(self.tr("Cancel"))
        self.cancel_button.clicked.connect(self._leave)
        self.save_button = text_button(self.tr("Remember"), "main")
        self.save_button.clicked.connect(self._save)
        buttons = QWidget()
        flow = FlowLayout(buttons)
        for button in (self.save_button, self.model_button, self.cancel_button):
            flow.addWidget(button)
        rows.addWidget(buttons)
        model.begun.connect(self._on_begun)
        model.proposed.connect(self._on_proposed)
        model.busy_changed.connect(self._show_busy)
        self._on_begun(model.span)

    @Slot(object)
    def _on_begun(self, span: SourceRange | None) -> None:
        self.setVisible(span is not None)
        if span is None:
            return
        floors = floors_words(span.start_index, span.end_index)
        self._title.setText(self.tr("Remember: {floors}").format(floors=floors))
        self.summary.setPlainText("")
        self.keywords.show_words(())
        self.model_button.hide()
        self._typing.show(self._model.place)
        self.summary.setFocus()
        self._update_button()

    @Slot(object)
    def _on_proposed(self, proposal: Proposal) -> None:
        """Fill in the proposed words, unless the user has begun to write."""
        self.model_button.setVisible(proposal.has_model)
        data = proposal.data
        place = self._model.place
        is_typed = self._typing.holds(place, "summary") or self._typing.holds(place, "keywords")
        if data is not None and not is_typed:
            self.summary.replace_text(data.summary)
            self.keywords.show_words(data.keywords)
            self._typing.show(place)
        self._show_busy(is_busy=False)

    @Slot(bool)
    def _show_busy(self, is_busy: bool) -> None:  # noqa: FBT001 - a Qt slot
        self.model_button.setEnabled(not is_busy)
        self._hint.setText(
            self.tr("Reading the floors…")
            if is_busy
            else self.tr("It joins the buffer, blue, and is archived with the others.")
        )

    def _ask_model(self) -> None:
        self._typing.drop()  # the text shown is about to be replaced
        self._model.ask_model()

    def _save(self) -> None:
        self._typing.drop()
        self._model.save(self.summary.toPlainText().strip(), self.keywords.words)

    def _leave(self) -> None:
        self._typing.drop()
        self._model.leave()

    @Slot()
    def _update_button(self) -> None:
        self.save_button.setEnabled(bool(self.summary.toPlainText().strip()))


MOST_LETTERS = 300  # of the summary of an event
MOST_LISTED = 60  # events: for more, the events page has the whole list
LIST_HEIGHT = 120  # pixels of the list: at least, and while a memory is written
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
        note: PrivateNoteModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._chat = chat
        self._marks = marks
        self._remembering = remembering
        self._listed: list[tuple[int, str, str]] = []
        scroll = tall_area()
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
        self._note = note
        self.note = NoteField(look, note)
        rows.addWidget(self.note)
        self._rest = QWidget()
        rows.addWidget(self._rest, 1)
        remembering.begun.connect(self._show_events)
        chat.chosen_changed.connect(self._show_chosen)
        marks.changed.connect(self._show_events)
        marks.words_changed.connect(self._show_events)
        look.changed.connect(self._show_again)
        self._show_chosen(*chat.chosen)

    def _add_events(self, rows: QVBoxLayout) -> None:
        self._events_head = label(self.tr("Remembered of these floors"), "section")
        rows.addWidget(self._events_head)
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
        if 0 <= first == last:
            self._note.show_floor(first)
        else:
            self._note.leave()  # a note belongs to one message
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
            text = _line_of(event) if event is not None else "…"
            wanted.append((span.key, span.state, text))
        if first < 0:
            self._nothing.setText(self.tr("Click a message to see what is remembered of it."))
        else:
            self._nothing.setText(state_words("none"))
        self._events_head.setVisible(first >= 0)
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


def _line_of(event: EventNode) -> str:
    summary = event.summary
    cut = summary if len(summary) <= MOST_LETTERS else f"{summary[: MOST_LETTERS - 1]}…"
    return f"{floors_text(event)} · {cut}"


def make_panel(parts: PageParts, parent: QWidget) -> ReadingPanel:
    models = parts.models
    return ReadingPanel(
        parts.look, models.reading, models.marks, models.remembering, models.new_note(), parent
    )
