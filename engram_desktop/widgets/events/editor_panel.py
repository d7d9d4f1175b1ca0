"""The panel of one event (card, fields, JSON, sources, history) and the view of its history.

The panel is beside the list of events and never modal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.text import tokens
from engram_desktop.viewmodels.events.event_editor import EventEditor, EventHistory
from engram_desktop.viewmodels.events.event_edits import EventMany
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.private_note import PrivateNoteModel
from engram_desktop.viewmodels.workspace.choice_texts import (
    confidence_names,
    floors_text,
    lamp_tip,
)
from engram_desktop.widgets.events import event_card
from engram_desktop.widgets.events.event_fields import EventFields, ManyPanel
from engram_desktop.widgets.parts.fields.text_fields import (
    ConditionField,
    NoteField,
    TextField,
    UnsavedFields,
)
from engram_desktop.widgets.parts.layouts import TabRow, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts
from engram_desktop.widgets.parts.pieces import (
    ElidedLabel,
    diff_format,
    icon_button,
    kind_button,
    label,
    named_frame,
    set_tone,
    text_button,
)

if TYPE_CHECKING:
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.reports import EventVersion
    from engram_desktop.domain.text.words import DiffPiece


class EventHistoryView(QWidget):
    """The history of an event; it reads only while it is visible."""

    def __init__(self, look: Look, history: EventHistory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._history = history
        layout = column(self, 0, 8)
        layout.setContentsMargins(20, 14, 20, 12)
        layout.addWidget(label(self.tr("What this event was, newest first"), "section"))
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("event history")
        parts.setChildrenCollapsible(False)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Versions"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._show_change)
        parts.addWidget(self.list)
        self.change = QPlainTextEdit()
        self.change.setReadOnly(True)
        self.change.setAccessibleName(self.tr("What changed"))
        parts.addWidget(self.change)
        layout.addWidget(parts, 1)
        self._hint = label("", "hint", wrap=True)
        layout.addWidget(self._hint)
        self.restore_button = text_button(self.tr("Go back to this version"))
        self.restore_button.clicked.connect(self._restore)
        layout.addWidget(self.restore_button)
        history.read.connect(self._show)
        look.changed.connect(self._redraw)
        self._show([])

    def watch(self, *, wanted: bool) -> None:
        self._history.watch(wanted=wanted)

    @Slot(object)
    def _show(self, versions: Sequence[EventVersion]) -> None:
        row = self.list.currentRow()
        with QSignalBlocker(self.list):  # while it is filled, its rows belong to another event
            self.list.clear()
            for number in range(len(versions)):
                self.list.addItem(QListWidgetItem(self._history.title(number)))
            self.list.setCurrentRow(min(max(row, 0), len(versions) - 1))
        if self._history.is_hidden:
            self._hint.setText(self.tr("What an event was is shown to you, not to a character."))
        elif versions and versions[-1].label is None:
            self._hint.setText(self.tr("Older steps are no longer kept."))
        else:
            self._hint.setText("")
        self._hint.setVisible(bool(self._hint.text()))
        self._show_change(self.list.currentRow())

    @Slot()
    def _redraw(self) -> None:
        self._show_change(self.list.currentRow())

    @Slot(int)
    def _show_change(self, number: int) -> None:
        self.change.clear()
        self.restore_button.setEnabled(number >= 0 and self._history.can_restore(number))
        if number < 0:
            return
        cursor = self.change.textCursor()
        for name, pieces in self._history.pieces(number):
            self._write(cursor, name, pieces)
        self.change.moveCursor(QTextCursor.MoveOperation.Start)

    def _write(self, cursor: QTextCursor, name: str, pieces: Sequence[DiffPiece]) -> None:
        """Write a field's name and its words: removed ones struck through, new ones underlined."""
        head = QTextCharFormat()
        head.setForeground(self._look.color("ink2"))
        cursor.insertText(name, head)
        cursor.insertText("\n")
        is_other = [piece.kind for piece in pieces] == ["gone", "new"]
        for number, piece in enumerate(pieces):
            if is_other and number:  # all of it was replaced: the words would run together
                cursor.insertText(" → ", head)
            cursor.insertText(piece.text, diff_format(self._look, piece))
        cursor.insertText("\n\n", QTextCharFormat())

    @Slot()
    def _restore(self) -> None:
        self._history.restore(self.list.currentRow())


CHECK_PAUSE_MS = 400


class EditorPanel(QFrame):
    def __init__(
        self,
        look: Look,
        editor: EventEditor,
        events: EventList,
        history: EventHistory,
        many: EventMany,
        note: PrivateNoteModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._editor = editor
        self._events = events
        self._empty = EmptyState(look, "edit")
        self._empty.say(
            self.tr("Nothing selected"),
            self.tr("Select an event to read and correct it. Click its lamp to archive it."),
        )
        self._body = QWidget()
        layout = column(self._body, 0, 0)
        layout.addLayout(self._make_head())
        layout.addWidget(self._make_tabs())
        self._pages = QStackedWidget()
        guard = ConditionField()
        self.fields = EventFields(look, editor, guard)
        editor.condition_checked.connect(guard.show_verdict)
        self._note = note
        self.note = NoteField(look, note)
        self.fields.add_below(self.note)
        self.history = EventHistoryView(look, history)
        for page in (
            self._make_card(),
            self.fields,
            self._make_json(),
            self._make_source(),
            self.history,
        ):
            self._pages.addWidget(page)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._make_foot())
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._body)
        self.many = ManyPanel(look, many)
        self._many = many
        self._stack.addWidget(self.many)
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        editor.shown.connect(self._on_shown)
        many.chosen.connect(self._show_part)
        editor.draft_changed.connect(self._on_draft_changed)
        editor.saved.connect(self._on_saved)
        editor.source_read.connect(self._on_source_read)
        look.changed.connect(self._redraw)
        self.show_tab(1)
        self._on_shown(None)

    def _make_head(self) -> QVBoxLayout:
        head = QVBoxLayout()
        head.setContentsMargins(20, 14, 12, 4)
        head.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(2)
        self.lamp_button = kind_button("chip", "", checkable=False)
        self.lamp_button.clicked.connect(self._on_lamp_clicked)
        self.confirm_button = icon_button(self._look, "check", self.tr("Confirm"))
        self.confirm_button.clicked.connect(self._on_confirm_clicked)
        self.lock_button = icon_button(self._look, "unlock", self.tr("Lock"))
        self.lock_button.clicked.connect(self._on_lock_clicked)
        self.lines_button = icon_button(self._look, "text", self.tr("Show its lines in the text"))
        self.lines_button.clicked.connect(self._on_lines_clicked)
        self.delete_button = icon_button(self._look, "trash", self.tr("Delete this event"))
        self.delete_button.clicked.connect(self._on_delete_clicked)
        self._title = label("", "heading", wrap=True)
        head.addWidget(self._title)
        self._where = label("", "hint", wrap=True)
        head.addWidget(self._where)
        head.addLayout(line)
        line.addWidget(self.lamp_button)
        line.addStretch(1)
        line.addWidget(self.confirm_button)
        line.addWidget(self.lock_button)
        line.addWidget(self.lines_button)
        line.addWidget(self.delete_button)
        return head

    def _make_tabs(self) -> QWidget:
        tabs = TabRow(12)
        self._tabs = QButtonGroup(self)
        for number, text in enumerate(
            (
                self.tr("Card"),
                self.tr("Fields"),
                self.tr("JSON"),
                self.tr("Source"),
                self.tr("History"),
            )
        ):
            tab = kind_button("tab", text)
            self._tabs.addButton(tab, number)
            tabs.add(tab)
        self._tabs.idClicked.connect(self.show_tab)
        return tabs

    def _make_card(self) -> QWidget:
        page = QWidget()
        layout = column(page, 0, 8)
        layout.setContentsMargins(20, 14, 20, 12)
        layout.addWidget(label(self.tr("As a model reads it"), "section"))
        self._card = TextField(self.tr("Card"))
        self._card.setReadOnly(True)
        layout.addWidget(self._card, 1)
        return page

    def _make_json(self) -> QWidget:
        page = QWidget()
        layout = column(page, 0, 8)
        layout.setContentsMargins(20, 14, 20, 12)
        self.json = TextField(self.tr("Raw JSON"))
        self.json.setTabChangesFocus(False)
        self._faults = label("", "bad", wrap=True)
        self.apply_button = text_button(self.tr("Apply"))
        self.apply_button.clicked.connect(self._apply_json)
        self._typing = UnsavedFields(self._editor.unsaved, {"json": self.json}, self)
        layout.addWidget(self._typing.hint)
        layout.addWidget(self.json, 1)
        layout.addWidget(self._faults)
        layout.addWidget(self.apply_button)
        self._check = QTimer(self, singleShot=True, interval=CHECK_PAUSE_MS)
        self._check.timeout.connect(self._check_json)
        self.json.textChanged.connect(self._check.start)
        return page

    def _make_source(self) -> QWidget:
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Source"))
        scroll.setWidgetResizable(True)
        body = QWidget()
        self._source = column(body, 0, 10)
        self._source.setContentsMargins(20, 14, 16, 16)
        scroll.setWidget(body)
        return scroll

    def _make_foot(self) -> QFrame:
        foot = named_frame("well")
        line = QHBoxLayout(foot)
        line.setContentsMargins(12, 8, 12, 8)
        self._cost = ElidedLabel("quiet")
        self._state = label("", "quiet")
        line.addWidget(self._cost, 1)
        line.addWidget(self._state)
        holder = QFrame()
        around = column(holder, 0, 0)
        around.setContentsMargins(20, 6, 20, 14)
        around.addWidget(foot)
        return holder

    @Slot(int)
    def show_tab(self, number: int) -> None:
        self._editor.save()
        self._typing.drop()  # leaving the tab discards what was not applied
        self._pages.setCurrentIndex(number)
        button = self._tabs.button(number)
        if isinstance(button, QToolButton):
            button.setChecked(True)
        self.history.watch(wanted=self._pages.currentWidget() is self.history)
        self._fill_tab()

    def edit_summary(self) -> None:
        """Focus the summary (F2)."""
        if self._editor.current is not None:
            self.show_tab(1)
            self.fields.focus_summary()

    @Slot()
    def _redraw(self) -> None:
        self._on_shown(self._editor.current)

    @Slot(object)
    def _on_shown(self, event: EventNode | None) -> None:
        self._show_part()
        if event is None:
            self._note.leave()
            return
        self._note.show("event", event.id)
        self._show_head(event)
        self.fields.show_event(event)
        self._editor.check_condition()
        self._state.setText("")
        cost = self.tr("%n token(s) in a prompt", "", tokens.estimate_tokens(event.display_text))
        self._cost.set_text(f"{cost} · {confidence_names()[event.confidence]}")
        self._fill_tab()

    @Slot()
    def _show_part(self) -> None:
        """Show the one event, the fields that several share, or a hint that nothing is selected."""
        if len(self._many.keys) > 1:
            self._stack.setCurrentWidget(self.many)
        else:
            self._stack.setCurrentWidget(
                self._empty if self._editor.current is None else self._body
            )

    def _show_head(self, event: EventNode) -> None:
        if event.kind == "fact":
            title = self.tr("Fact")
        elif event.level >= 1:
            title = self.tr("Outline {level}").format(level=event.level)
        elif event.is_archived:
            title = self.tr("Archived event")
        else:
            title = self.tr("Buffered event")
        self._title.setText(title)
        self._where.setText(" · ".join(filter(None, (floors_text(event), event.origin))))
        self._where.setToolTip(event.id)
        icon = "archive" if event.is_archived else "lamp"
        self.lamp_button.setIcon(self._look.icon(icon, event_card.lamp_role(event)))
        self.lamp_button.setText(self.tr("Green") if event.is_archived else self.tr("Blue"))
        self.lamp_button.setToolTip(lamp_tip(event))
        self.lamp_button.setAccessibleName(lamp_tip(event).replace("\n", ". "))
        self.lamp_button.setVisible(event.level == 0)
        is_confirmed = event.confidence == "confirmed"
        self._look.set_icon(self.confirm_button, "check", "green" if is_confirmed else "ink2")
        words = (
            self.tr("Confirmed by you. Click to take that back")
            if is_confirmed
            else self.tr("Confirm: this memory is right")
        )
        self.confirm_button.setToolTip(words)
        self.confirm_button.setAccessibleName(words)
        lock, words = (
            ("lock", self.tr("Unlock: automation may change it again"))
            if event.is_locked
            else ("unlock", self.tr("Lock: no automation may change it"))
        )
        self._look.set_icon(self.lock_button, lock, "accent" if event.is_locked else "ink2")
        self.lock_button.setToolTip(words)
        self.lock_button.setAccessibleName(words)

    def _fill_tab(self) -> None:
        if self._editor.current is None:
            return
        match self._pages.currentIndex():
            case 0:
                self._card.setPlainText(self._editor.card())
            case 2:
                self._fill_json()
            case 3:
                self._editor.read_source()

    def _fill_json(self) -> None:
        self._typing.flush()  # it may still show another event
        place, stored = self._editor.place, self._editor.raw_json()
        if not self._typing.holds(place, "json"):
            self.json.setPlainText(stored)
        self._typing.show(place, {"json": stored})
        self._check_json()

    @Slot()
    def _on_draft_changed(self) -> None:
        self._state.setText(self.tr("Not saved yet") if self._editor.is_dirty else "")

    @Slot()
    def _on_saved(self) -> None:
        self._state.setText(self.tr("Saved"))

    @Slot(object)
    def _on_source_read(self, messages: Sequence[Message]) -> None:
        clear_layout(self._source)
        for message in messages:
            head = self.tr("{name} · floor {floor}").format(name=message.name, floor=message.seq)
            self._source.addWidget(label(head, "section"))
            self._source.addWidget(label(message.text, wrap=True))
        if not messages:
            self._source.addWidget(label(self.tr("Its messages are gone."), "quiet"))
        self._source.addStretch(1)

    def _on_lamp_clicked(self) -> None:
        event = self._editor.current
        if event is not None:
            self._editor.save()
            self._events.set_archived([event.pk], archived=not event.is_archived)

    def _on_confirm_clicked(self) -> None:
        event = self._editor.current
        if event is not None:
            self._editor.save()
            self._events.set_confirmed([event.pk], confirmed=event.confidence != "confirmed")

    def _on_lock_clicked(self) -> None:
        event = self._editor.current
        if event is not None:
            self._editor.save()
            self._events.set_locked([event.pk], locked=not event.is_locked)

    def _on_lines_clicked(self) -> None:
        event = self._editor.current
        if event is not None:
            self._events.read_messages(event)

    def _on_delete_clicked(self) -> None:
        event = self._editor.current
        if event is not None:
            self._editor.discard()
            self._events.delete([event.pk])

    def _check_json(self) -> bool:
        faults = self._editor.check_json(self.json.toPlainText())
        self._faults.setText("\n".join(str(fault) for fault in faults))
        self._faults.setVisible(bool(faults))
        self.json.setProperty("bad", bool(faults))
        set_tone(self._faults, "bad")
        self.json.style().unpolish(self.json)
        self.json.style().polish(self.json)
        self.apply_button.setEnabled(
            not faults and self.json.toPlainText() != self._editor.raw_json()
        )
        return not faults

    def _apply_json(self) -> None:
        if self._check_json():
            self._typing.drop()
            self._editor.edit_json(self.json.toPlainText())
            self._editor.save()


def make_panel(parts: PageParts, parent: QWidget) -> EditorPanel:
    models = parts.models
    return EditorPanel(
        parts.look,
        models.editor,
        models.events,
        models.event_history,
        models.event_many,
        models.new_note(),
        parent,
    )
