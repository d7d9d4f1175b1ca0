"""The panel of the play page: one turn, its level and its effects, which can be corrected.

It includes the form of the event that a turn recorded, if any.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.play import Recalled, RecordedEvent, TurnNote
from engram_desktop.domain.recall.query import LEVELS, Level
from engram_desktop.domain.state.tree import StateChange, join_path
from engram_desktop.domain.worldbooks.worldbook import split_keys
from engram_desktop.viewmodels.play import level_names, level_tips, short, who_said
from engram_desktop.viewmodels.turn_view import TurnView
from engram_desktop.viewmodels.workspace.choice_texts import listed, value_text
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.fields.text_fields import (
    Field,
    LineField,
    TextField,
    UnsavedFields,
)
from engram_desktop.widgets.parts.layouts import FlowLayout, Fold, add_row, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import PageParts
from engram_desktop.widgets.parts.pieces import kind_button, label, text_button

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
        self._typing = UnsavedFields(turn.unsaved, kept, self)
        rows.addWidget(self._typing.hint)
        self._flags = label("", "quiet", wrap=True)
        rows.addWidget(self._flags)

    def show_event(self, note: TurnNote) -> None:
        """Show the event recorded for a turn; text that is being corrected is not replaced."""
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
        flags = listed(note.flags[:12])
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


RECALLED_HEIGHT, CHANGES_HEIGHT = 150, 120  # of the lists: five and four lines
MOST_THOUGHT = 4_000  # characters of a thought that a label lays out


class TurnPanel(QFrame):
    def __init__(self, look: Look, turn: TurnView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._turn = turn
        outer = column(self, 0, 0)
        scroll = tall_area()
        outer.addWidget(scroll)
        body = QWidget()
        rows = column(body, 0, 6)
        rows.setContentsMargins(20, 14, 16, 16)
        scroll.setWidget(body)
        self._title = label("", "heading", wrap=True)
        rows.addWidget(self._title)
        self._nothing = label("", "quiet", wrap=True)
        rows.addWidget(self._nothing)
        self._parts = QWidget()
        inner = column(self._parts, 0, 6)
        rows.addWidget(self._parts)
        rows.addStretch(1)
        self._add_level(inner)
        self._add_recalled(inner)
        self._add_state(inner)
        self._event = EventForm(turn)
        inner.addWidget(label(self.tr("Event recorded"), "section"))
        inner.addWidget(self._event)
        self._add_thought(inner)
        turn.shown.connect(self._on_shown)
        self._on_shown(turn.note)

    def _add_level(self, rows: QVBoxLayout) -> None:
        rows.addWidget(label(self.tr("Taken for"), "section"))
        line = QHBoxLayout()
        self._levels = QButtonGroup(self)
        self.level_buttons: dict[Level, QToolButton] = {}
        names, tips = level_names(), level_tips()
        for level in LEVELS:
            button = kind_button("chip", names[level])
            button.setToolTip(tips[level])
            button.clicked.connect(
                lambda _checked=False, value=level: self._turn.correct_level(value)
            )
            self._levels.addButton(button)
            self.level_buttons[level] = button
            line.addWidget(button)
        line.addStretch(1)
        rows.addLayout(line)
        self._why = label("", "hint", wrap=True)
        rows.addWidget(self._why)

    def _add_recalled(self, rows: QVBoxLayout) -> None:
        self._recalled_head = label("", "section")
        rows.addWidget(self._recalled_head)
        self.recalled = _list(self.tr("What was recalled"), RECALLED_HEIGHT)
        self.recalled.setToolTip(self.tr("Double click reads the messages it came from."))
        self.recalled.itemActivated.connect(self._on_recalled)
        rows.addWidget(self.recalled)

    def _add_state(self, rows: QVBoxLayout) -> None:
        rows.addWidget(label(self.tr("Changed in the state"), "section"))
        self._no_change = label(self.tr("Nothing"), "quiet")
        rows.addWidget(self._no_change)
        self.changes = _list(self.tr("Changed in the state"), CHANGES_HEIGHT)
        self.changes.currentRowChanged.connect(self._on_change_chosen)
        rows.addWidget(self.changes)
        self._change = QWidget()
        inner = column(self._change, 0, 6)
        self.value = LineField()
        self.value.setAccessibleName(self.tr("What it came to"))
        self.value.submitted.connect(self._save_value)
        inner.addWidget(self.value)
        line = QHBoxLayout()
        inner.addLayout(line)
        self.set_button = text_button(self.tr("Correct"))
        self.set_button.clicked.connect(self._save_value)
        line.addWidget(self.set_button)
        self.back_button = text_button(self.tr("It did not"))
        self.back_button.setToolTip(self.tr("This turn did not change the value"))
        self.back_button.clicked.connect(self._take_back)
        line.addWidget(self.back_button)
        line.addStretch(1)
        rows.addWidget(self._change)
        self._typing = UnsavedFields(self._turn.unsaved, {"value": self.value}, self)
        rows.addWidget(self._typing.hint)
        self._faults = label("", "bad", wrap=True)
        rows.addWidget(self._faults)
        self.state_button = text_button(self.tr("Curves are on the page State"), "link")
        self.state_button.clicked.connect(self._turn.show_state)
        rows.addWidget(self.state_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_thought(self, rows: QVBoxLayout) -> None:
        self._fold = Fold(self._look, self.tr("Only thought"))
        self._thought = label("", "quiet", wrap=True)
        self._thought.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column(self._fold.inner, 4, 0).addWidget(self._thought)
        rows.addWidget(self._fold)
        self._cost = label("", "hint", wrap=True)
        rows.addWidget(self._cost)

    @Slot(object)
    def _on_shown(self, note: TurnNote | None) -> None:
        floor = self._turn.floor
        title = self.tr("Floor {floor}").format(floor=floor) if floor >= 0 else ""
        speaker = note.speaker if note is not None else ""
        self._title.setText(f"{title} · {speaker}" if speaker else title)
        self._title.setVisible(bool(title))
        self._parts.setVisible(note is not None)
        self._nothing.setVisible(note is None)
        if self._turn.actor:
            self._nothing.setText(self.tr("What a turn left is yours to see, and nobody else's."))
        else:
            nothing = self.tr("Nothing is noted of this message: it was not said on this page.")
            self._nothing.setText(nothing)
        if note is None:
            return
        self.level_buttons[note.level].setChecked(True)
        why = [who_said(note.level_by), short(note.level_why, 300), short(note.intent, 80)]
        self._why.setText(" · ".join(filter(None, why)))
        self._show_recalled(note)
        self._show_changes(note)
        self._event.show_event(note)
        self._thought.setText(note.thought[:MOST_THOUGHT])
        self._fold.setVisible(bool(note.thought))
        cost = self.tr("{model}: {prompt} + {completion} tokens").format(
            model=note.model, prompt=note.prompt_tokens, completion=note.completion_tokens
        )
        self._cost.setText(cost if note.model else "")

    def _show_recalled(self, note: TurnNote) -> None:
        head = self.tr("Recalled for {name}").format(name=note.speaker)
        self._recalled_head.setText(head)
        self.recalled.clear()
        for recalled in note.recalled:
            item = QListWidgetItem(short(recalled.text, 200))
            item.setData(Qt.ItemDataRole.UserRole, recalled)
            self.recalled.addItem(item)
        for part in (self._recalled_head, self.recalled):
            part.setVisible(bool(note.recalled))

    def _show_changes(self, note: TurnNote) -> None:
        row = self.changes.currentRow()
        done = [change for change in note.state if change.fault is None]
        self.changes.blockSignals(True)
        self.changes.clear()
        for change in done:
            item = QListWidgetItem(_moved(change))
            item.setData(Qt.ItemDataRole.UserRole, change)
            item.setToolTip(change.reason[:400])
            self.changes.addItem(item)
        self.changes.blockSignals(False)
        self.changes.setVisible(bool(done))
        self._no_change.setVisible(not done)
        faults = [translated(c.fault) for c in note.state if c.fault is not None]
        faults += map(translated, note.notices)
        self._faults.setText("\n".join(faults[:12]))
        self._faults.setVisible(bool(faults))
        self.changes.setCurrentRow(min(max(row, 0), len(done) - 1))
        self._on_change_chosen(self.changes.currentRow())

    @Slot(int)
    def _on_change_chosen(self, row: int) -> None:
        self._change.setVisible(row >= 0)
        if row < 0:
            return
        change: StateChange = self.changes.item(row).data(Qt.ItemDataRole.UserRole)
        place, stored = self._turn.place(f"value {join_path(change.path)}"), value_text(change.new)
        if not self._typing.holds(place, "value"):
            self.value.setText(stored)
        self._typing.show(place, {"value": stored})

    @Slot()
    def _save_value(self) -> None:
        row = self.changes.currentRow()
        if row >= 0:
            self._typing.drop()
            self._turn.correct_value(row, self.value.text())

    @Slot()
    def _take_back(self) -> None:
        self._typing.drop()
        self._turn.take_back(self.changes.currentRow())

    @Slot(object)
    def _on_recalled(self, item: QListWidgetItem) -> None:
        recalled: Recalled = item.data(Qt.ItemDataRole.UserRole)
        self._turn.read_recalled(recalled)


def _list(name: str, height: int) -> QListWidget:
    widget = QListWidget()
    widget.setAccessibleName(name)
    widget.setWordWrap(True)
    widget.setMaximumHeight(height)
    widget.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return widget


def _moved(change: StateChange) -> str:
    old, new = short(value_text(change.old) or "–", 60), short(value_text(change.new) or "–", 60)
    return f"{join_path(change.path)}: {old} → {new}"


def make_panel(parts: PageParts, parent: QWidget) -> TurnPanel:
    return TurnPanel(parts.look, parts.models.turn, parent)
