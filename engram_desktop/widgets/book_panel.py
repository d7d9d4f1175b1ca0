"""The right side of the page of world books: one entry, saved when a field is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.worldbook import Entry, Logic, Position, mode_flags
from engram_desktop.viewmodels.book_list import BookList
from engram_desktop.viewmodels.entry_table import mode_names
from engram_desktop.widgets.chips import WordChips
from engram_desktop.widgets.look import Look
from engram_desktop.widgets.memory_entry import MemoryEntry
from engram_desktop.widgets.parts import EmptyState, LineField, TextField, add_row, column, label

MOST = 1_000_000


class BookPanel(QFrame):
    def __init__(self, look: Look, books: BookList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._books = books
        self._choices: dict[str, QComboBox] = {}
        self._numbers: dict[str, QSpinBox] = {}
        self._ticks: dict[str, QCheckBox] = {}
        self._key: tuple[str, int | str] | None = None
        empty = EmptyState(look, "books")
        empty.say(
            self.tr("No entry selected"),
            self.tr("Select an entry to read and change it, and to see why it fires or not."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(self._make_body())
        self.read_only = MemoryEntry(books)
        self._stack.addWidget(self.read_only)
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        books.shown.connect(self._on_shown)
        books.leaving.connect(self._save_texts)
        self._on_shown(books.current)

    # --- building ---

    def _make_body(self) -> QWidget:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        rows = column(body, 0, 6)
        rows.setContentsMargins(20, 14, 16, 16)
        self._why = label("", "quiet", wrap=True)
        rows.addWidget(self._why)
        self.title = LineField()
        self.title.setAccessibleName(self.tr("Title"))
        self.title.left.connect(self._save_texts)
        self.title.submitted.connect(self._save_texts)
        add_row(rows, self.tr("Title"), self.title)
        add_row(rows, self.tr("Mode"), self._choice("mode", self.tr("Mode"), mode_names()))
        self.keys = WordChips(self._look, self.tr("Keywords"))
        self.keys.changed.connect(lambda words: self._books.edit(keys=tuple(words)))
        add_row(rows, self.tr("Keywords"), self.keys)
        self.secondary = WordChips(self._look, self.tr("Secondary keywords"))
        self.secondary.changed.connect(lambda words: self._books.edit(secondary_keys=tuple(words)))
        add_row(rows, self.tr("Secondary keywords"), self.secondary)
        rows.addWidget(self._choice("logic", self.tr("Secondary keywords"), self._logics()))
        self.content = TextField(self.tr("Content"))
        self.content.setMinimumHeight(170)
        self.content.left.connect(self._save_texts)
        add_row(rows, self.tr("Content"), self.content)
        self._tokens = label("", "quiet")
        rows.addWidget(self._tokens)
        self._add_details(rows)
        rows.addStretch(1)
        scroll.setWidget(body)
        return scroll

    def _add_details(self, rows: QVBoxLayout) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._add_choice(form, "position", self.tr("Place in the prompt"), self._positions())
        roles = {0: self.tr("System"), 1: self.tr("User"), 2: self.tr("Character")}
        self._add_choice(form, "role", self.tr("Spoken by, at a depth"), roles)
        for name, text, most in (
            ("depth", self.tr("Depth, in messages"), MOST),
            ("order", self.tr("Order"), MOST),
            ("probability", self.tr("Probability, in percent"), 100),
            ("sticky", self.tr("Stays for messages"), MOST),
            ("cooldown", self.tr("Rests for messages"), MOST),
            ("delay", self.tr("Waits for messages"), MOST),
        ):
            form.addRow(text, self._number(name, text, most))
        self.group = LineField()
        self.group.setAccessibleName(self.tr("Inclusion group"))
        self.group.left.connect(self._save_texts)
        self.group.submitted.connect(self._save_texts)
        form.addRow(self.tr("Inclusion group"), self.group)
        weight = self.tr("Weight in the group")
        form.addRow(weight, self._number("group_weight", weight, MOST))
        own = self.tr("As in the settings")
        yes, no = self.tr("Yes"), self.tr("No")
        open_choice = {None: own, True: yes, False: no}
        form.addRow(self.tr("Messages scanned"), self._make_scan_depth())
        self._add_choice(form, "case_sensitive", self.tr("Capitals matter"), open_choice)
        self._add_choice(form, "match_whole_words", self.tr("Whole words only"), open_choice)
        rows.addSpacing(8)
        rows.addLayout(form)
        for name, text in (
            ("is_selective", self.tr("Secondary keywords count")),
            ("use_probability", self.tr("Probability counts")),
            ("exclude_recursion", self.tr("Other entries cannot set it off")),
            ("prevent_recursion", self.tr("It sets off no other entries")),
            ("ignore_budget", self.tr("Not limited by the budget")),
            ("group_override", self.tr("Goes first in its group")),
        ):
            rows.addWidget(self._tick(name, text))

    def _make_scan_depth(self) -> QSpinBox:
        self.scan_depth = QSpinBox()
        self.scan_depth.setAccessibleName(self.tr("Messages scanned"))
        self.scan_depth.setRange(-1, 1000)
        self.scan_depth.setSpecialValueText(self.tr("As in the settings"))
        self.scan_depth.setKeyboardTracking(False)
        self.scan_depth.valueChanged.connect(
            lambda value: self._books.edit(scan_depth=None if value < 0 else value)
        )
        return self.scan_depth

    def _add_choice(
        self, form: QFormLayout, name: str, text: str, choices: Mapping[Any, str]
    ) -> None:
        form.addRow(text, self._choice(name, text, choices))

    def _choice(self, name: str, text: str, choices: Mapping[Any, str]) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName(text)
        for value, shown in choices.items():
            made.addItem(shown, value)
        made.activated.connect(lambda _n: self._on_chosen(name, made.currentData()))
        self._choices[name] = made
        return made

    def _number(self, name: str, text: str, most: int) -> QSpinBox:
        made = QSpinBox()
        made.setAccessibleName(text)
        made.setRange(-most if name == "order" else 0, most)
        made.setKeyboardTracking(False)
        made.valueChanged.connect(lambda value: self._books.edit(**{name: value}))
        self._numbers[name] = made
        return made

    def _tick(self, name: str, text: str) -> QCheckBox:
        made = QCheckBox(text)
        made.toggled.connect(lambda on: self._books.edit(**{name: on}))
        self._ticks[name] = made
        return made

    def _logics(self) -> dict[Logic, str]:
        return {
            Logic.AND_ANY: self.tr("and any of the secondary ones"),
            Logic.AND_ALL: self.tr("and all of the secondary ones"),
            Logic.NOT_ANY: self.tr("and none of the secondary ones"),
            Logic.NOT_ALL: self.tr("and not all of the secondary ones"),
        }

    def _positions(self) -> dict[Position, str]:
        return {
            Position.BEFORE_CHARACTER: self.tr("Before the character"),
            Position.AFTER_CHARACTER: self.tr("After the character"),
            Position.EXAMPLES_TOP: self.tr("Before the example messages"),
            Position.EXAMPLES_BOTTOM: self.tr("After the example messages"),
            Position.NOTE_TOP: self.tr("Before the author's note"),
            Position.NOTE_BOTTOM: self.tr("After the author's note"),
            Position.AT_DEPTH: self.tr("Among the messages, at a depth"),
            Position.OUTLET: self.tr("Outlet"),
        }

    # --- following ---

    @Slot(object)
    def _on_shown(self, entry: Entry | None) -> None:
        if entry is None:
            self._stack.setCurrentIndex(0)
            return
        self._stack.setCurrentIndex(2 if self._books.is_memory else 1)
        if self._books.is_memory:
            self.read_only.show_entry(entry)
            return
        self._why.setText(self._books.entries.why(entry))
        self._why.setVisible(bool(self._why.text()))
        # what is being typed stays, unless it was typed into another entry
        key = (self._books.row.id if self._books.row else "", entry.uid)
        is_other, self._key = key != self._key, key
        for field, text in ((self.title, entry.comment), (self.group, entry.group)):
            if is_other or not field.hasFocus():
                field.setText(text)
        can_fill = is_other or not self.content.hasFocus()
        if can_fill and self.content.toPlainText() != entry.content:
            self.content.setPlainText(entry.content)
        self.keys.show_words(entry.keys)
        self.secondary.show_words(entry.secondary_keys)
        self._tokens.setText(self.tr("about {count} tokens").format(count=f"{entry.tokens:,}"))
        for name, box in self._choices.items():
            blocker = QSignalBlocker(box)
            box.setCurrentIndex(box.findData(getattr(entry, name)))
            blocker.unblock()
        for name, number in self._numbers.items():
            blocker = QSignalBlocker(number)
            number.setValue(int(getattr(entry, name)))
            blocker.unblock()
        blocker = QSignalBlocker(self.scan_depth)
        self.scan_depth.setValue(-1 if entry.scan_depth is None else entry.scan_depth)
        blocker.unblock()
        for name, tick in self._ticks.items():
            blocker = QSignalBlocker(tick)
            tick.setChecked(getattr(entry, name))
            blocker.unblock()

    # --- commands ---

    def _on_chosen(self, name: str, value: Any) -> None:
        self._books.edit(**(mode_flags(value) if name == "mode" else {name: value}))

    @Slot()
    def _save_texts(self) -> None:
        if self._books.is_memory:
            return
        self._books.edit(
            comment=self.title.text(),
            content=self.content.toPlainText(),
            group=self.group.text().strip(),
        )
