"""What a turn recorded as an event: its words, corrected in place, or that it was none."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.play.pieces import RecordedEvent
from engram_desktop.domain.play.turn import TurnNote
from engram_desktop.domain.worldbooks.worldbook import split_keys
from engram_desktop.viewmodels.play.turn_view import TurnView
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, add_row, column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.fields.kept_typing import Field, KeptTyping
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField

SUMMARY_HEIGHT = 72  # three lines, as a summary has


class EventForm(QWidget):
    def __init__(self, turn: TurnView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turn = turn
        self._event: RecordedEvent | None = None
        rows = column(self, 0, 4)
        self.summary = TextField(self.tr("What happened"))
        self.summary.setFixedHeight(SUMMARY_HEIGHT)
        self.summary.setPlaceholderText(
            self.tr("No event was recorded. Write what happened to record one.")
        )
        rows.addWidget(self.summary)
        self.who, self.where, self.kind = LineField(), LineField(), LineField()
        fields = ((self.tr("Who took part"), self.who), (self.tr("Where"), self.where))
        for name, field in (*fields, (self.tr("Kind"), self.kind)):
            field.setAccessibleName(name)
            add_row(rows, name, field)
            field.submitted.connect(self._save)
            field.textChanged.connect(self._update_buttons)
        self.summary.textChanged.connect(self._update_buttons)
        buttons = QWidget()
        line = FlowLayout(buttons)
        self.save_button = text_button(self.tr("Save the event"))
        self.save_button.clicked.connect(self._save)
        line.addWidget(self.save_button)
        self.none_button = text_button(self.tr("It was no event"))
        self.none_button.clicked.connect(self._remove)
        line.addWidget(self.none_button)
        self.show_button = text_button(self.tr("Show it"), "link")
        self.show_button.clicked.connect(turn.show_event)
        line.addWidget(self.show_button)
        rows.addWidget(buttons)
        kept: dict[str, Field] = {"summary": self.summary, "who": self.who}
        kept |= {"where": self.where, "kind": self.kind}
        self._typing = KeptTyping(turn.unsaved, kept, self)
        rows.addWidget(self._typing.hint)
        self._flags = label("", "quiet", wrap=True)
        rows.addWidget(self._flags)

    def show_event(self, note: TurnNote) -> None:
        """Show what a turn recorded, without disturbing who is correcting it."""
        self._event = note.event
        event = note.event or RecordedEvent("")
        place = self._turn.place("event")
        stored = {
            "summary": event.summary,
            "who": ", ".join(event.participants),
            "where": event.location,
            "kind": event.kind,
        }
        if not any(self._typing.holds(place, name) for name in stored):
            self.summary.setPlainText(stored["summary"])
            self.who.setText(stored["who"])
            self.where.setText(stored["where"])
            self.kind.setText(stored["kind"])
        self._typing.show(place, stored)
        self.show_button.setVisible(note.event_pk is not None)
        flags = ", ".join(note.flags[:12])
        self._flags.setText(self.tr("Flags set: {flags}").format(flags=flags))
        self._flags.setVisible(bool(flags))
        self._update_buttons()

    def _typed(self) -> RecordedEvent:
        return replace(
            self._event or RecordedEvent(""),
            summary=self.summary.toPlainText().strip(),
            participants=tuple(split_keys(self.who.text())),
            location=self.where.text().strip(),
            kind=self.kind.text().strip(),
        )

    @Slot()
    def _update_buttons(self) -> None:
        typed = self._typed()
        self.save_button.setEnabled(bool(typed.summary) and typed != self._event)
        self.none_button.setEnabled(self._event is not None)

    @Slot()
    def _save(self) -> None:
        if self.save_button.isEnabled():
            self._typing.drop()
            self._turn.correct_event(self._typed())

    @Slot()
    def _remove(self) -> None:
        self._typing.drop()
        self._turn.correct_event(None)
