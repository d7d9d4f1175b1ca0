"""The right side of the page of worldbooks: one entry or several, saved when a field is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from engram_desktop.domain.worldbooks.worldbook import Entry, mode_flags
from engram_desktop.viewmodels.worldbooks.entry_table import mode_names
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.basics.layouts import add_row, column
from engram_desktop.widgets.parts.basics.pieces import label, text_button
from engram_desktop.widgets.parts.fields.chips import KeyChips
from engram_desktop.widgets.parts.fields.mixed_fields import ChoiceField
from engram_desktop.widgets.parts.fields.text_fields import LineField, TextField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState
from engram_desktop.widgets.parts.pages.page import PageParts
from engram_desktop.widgets.worldbooks.entry_form import EntryForm
from engram_desktop.widgets.worldbooks.memory_entry import MemoryEntry

SHOWN_MACROS = 12  # of those that mean nothing: a text may be full of them


class WorldbookPanel(QFrame):
    large_wanted = Signal()  # to edit the entry in a large window

    def __init__(
        self, look: Look, worldbooks: WorldbookList, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._look = look
        self._worldbooks = worldbooks
        self._key: tuple[str, int | str] | None = None
        empty = EmptyState(look, "books")
        empty.say(
            self.tr("No entry selected"),
            self.tr("Select an entry to read and change it, and to see why it fires or not."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(empty)
        self._stack.addWidget(self._make_body())
        self.read_only = MemoryEntry(worldbooks)
        self._stack.addWidget(self.read_only)
        around = column(self, 0, 0)
        around.setContentsMargins(1, 0, 0, 0)  # leaves the edge to the panel's own line
        around.addWidget(self._stack)
        worldbooks.listed.connect(lambda shelf: self.form.set_names(shelf.tags, shelf.cards))
        self.form.set_names(worldbooks.shelf.tags, worldbooks.shelf.cards)
        worldbooks.shown.connect(self._on_shown)
        worldbooks.chosen_changed.connect(self._on_chosen_changed)
        worldbooks.leaving.connect(self._save_texts)
        worldbooks.title_wanted.connect(self.edit_title)
        self._on_shown(worldbooks.current)

    def _make_body(self) -> QWidget:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        rows = column(body, 0, 6)
        rows.setContentsMargins(20, 14, 16, 16)
        self._why = label("", "quiet", wrap=True)
        rows.addWidget(self._why)
        self.mode = ChoiceField(mode_names())
        self.mode.setAccessibleName(self.tr("Mode"))
        self.mode.chosen.connect(lambda mode: self._worldbooks.edit(**mode_flags(mode)))
        add_row(rows, self.tr("Mode"), self.mode)
        rows.addWidget(self._make_words())
        self.form = EntryForm(self._look)
        self.form.edited.connect(self._on_edited)
        rows.addWidget(self.form)
        rows.addStretch(1)
        scroll.setWidget(body)
        return scroll

    def _make_words(self) -> QWidget:
        """Make the fields that are hidden while several entries are selected."""
        self._words = QWidget()
        rows = column(self._words, 0, 6)
        self.title = LineField()
        self.title.setAccessibleName(self.tr("Title"))
        self.title.left.connect(self._save_texts)
        self.title.rested.connect(self._save_texts)
        self.title.submitted.connect(self._save_texts)
        add_row(rows, self.tr("Title"), self.title)
        self.keys = KeyChips(self._look, self.tr("Keywords"))
        self.keys.changed.connect(lambda words: self._worldbooks.edit(keys=tuple(words)))
        add_row(rows, self.tr("Keywords"), self.keys)
        self.secondary = KeyChips(self._look, self.tr("Secondary keywords"))
        self.secondary.changed.connect(
            lambda words: self._worldbooks.edit(secondary_keys=tuple(words))
        )
        add_row(rows, self.tr("Secondary keywords"), self.secondary)
        self.content = TextField(self.tr("Content"))
        self.content.setMinimumHeight(170)
        self.content.left.connect(self._save_texts)
        self.content.rested.connect(self._save_texts)
        add_row(rows, self.tr("Content"), self.content)
        self._tokens = label("", "quiet", wrap=True)
        self.large_button = text_button(self.tr("Large editor…"))
        self.large_button.clicked.connect(self._open_large)
        foot = QHBoxLayout()
        foot.addWidget(self._tokens, 1)
        foot.addWidget(self.large_button)
        rows.addLayout(foot)
        self.unknown = label("", "bad", wrap=True)
        rows.addWidget(self.unknown)
        return self._words

    @Slot(object)
    def _on_shown(self, entry: Entry | None) -> None:
        if entry is None:
            self._stack.setCurrentIndex(0)
            return
        self._stack.setCurrentIndex(2 if self._worldbooks.is_memory else 1)
        if self._worldbooks.is_memory:
            self.read_only.show_entry(entry)
            return
        # what is being typed stays, unless it was typed into another entry
        key = (self._worldbooks.open_id, entry.uid)
        is_other, self._key = key != self._key, key
        if is_other or not self.title.hasFocus():
            self.title.setText(entry.comment)
        can_fill = is_other or not self.content.hasFocus()
        if can_fill and self.content.toPlainText() != entry.content:
            self.content.setPlainText(entry.content)
        self.keys.show_words(entry.keys)
        self.secondary.show_words(entry.secondary_keys)
        words = self.tr("about {count} tokens").format(count=f"{entry.tokens:,}")
        if (budget := self._worldbooks.budget) is not None:
            share = f"{100 * entry.tokens / budget.size:.1f}"
            words += " · " + self.tr("{share} % of the budget").format(share=share)
        self._tokens.setText(words)
        unknown = self._worldbooks.unknown_in(entry)[:SHOWN_MACROS]
        names = "、".join(f"{{{{{name}}}}}" for name in unknown)
        text = self.tr("Nothing is known of {names}: it is sent as it stands.")
        self.unknown.setText(text.format(names=names) if names else "")
        self.unknown.setVisible(bool(names))
        self._on_chosen_changed(self._worldbooks.chosen)

    @Slot(object)
    def _on_chosen_changed(self, chosen: Sequence[Entry]) -> None:
        entry = self._worldbooks.current
        if entry is None or self._worldbooks.is_memory:
            return
        entries = chosen if len(chosen) > 1 else (entry,)
        is_one = len(entries) == 1
        self._words.setVisible(is_one)
        text = self._worldbooks.entries.why(entry)
        if not is_one:
            text = self.tr(
                "%n entry(ies) selected. What you change here changes in all of them; "
                "a blank field means that they differ.",
                "",
                len(entries),
            )
        self._why.setText(text)
        self._why.setVisible(bool(text))
        self.mode.show_values({one.mode for one in entries})
        self.form.show_entries(entries)

    @Slot()
    def _open_large(self) -> None:
        self.large_button.setFocus()  # what is typed there shall be shown here
        self.large_wanted.emit()

    @Slot()
    def edit_title(self) -> None:
        """Let the title be typed in."""
        self.title.setFocus()
        self.title.selectAll()

    @Slot(object)
    def _on_edited(self, fields: dict[str, Any]) -> None:
        self._worldbooks.edit(**fields)

    @Slot()
    def _save_texts(self) -> None:
        entry = self._worldbooks.current
        is_shown = entry is not None and self._key == (self._worldbooks.open_id, entry.uid)
        if self._worldbooks.is_memory or not is_shown:
            return  # the fields still hold another entry's words
        self.form.save()
        self._worldbooks.edit_one(comment=self.title.text(), content=self.content.toPlainText())


def make(parts: PageParts, parent: QWidget) -> WorldbookPanel:
    panel = WorldbookPanel(parts.look, parts.models.worldbooks, parent)
    panel.large_wanted.connect(parts.doors.open_large_entry)
    return panel
