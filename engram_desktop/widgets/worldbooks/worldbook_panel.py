"""The panel of the page of worldbooks: one entry or several, saved when a field loses the focus.

Fields whose values differ among several entries are blank, and only an edited field is changed, in
all of them. Entries of the worldbook made by the chat's memory are read only. The form of options
holds the position of an entry, its trigger and its characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.tavern.folder import name_of_tag, tag_of_name
from engram_desktop.domain.text.tokens import count_words, estimate_tokens
from engram_desktop.domain.worldbooks.worldbook import (
    CARD_FIELDS,
    TRIGGERS,
    CardField,
    CharacterFilter,
    Entry,
    Logic,
    Position,
    Trigger,
    mode_flags,
)
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.worldbooks.entry_table import mode_names
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import (
    ChoiceField,
    NumberField,
    TextLine,
    TickField,
)
from engram_desktop.widgets.parts.fields.text_fields import (
    KeyChips,
    LineField,
    TextField,
    WordChips,
)
from engram_desktop.widgets.parts.layouts import Fold, add_row, column, tall_area
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts
from engram_desktop.widgets.parts.pieces import label, text_button

MOST = 1_000_000


class EntryForm(QWidget):
    edited = Signal(object)  # dict: fields of `Entry` and their values

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._fields: dict[str, NumberField | ChoiceField | TickField | TextLine] = {}
        self._matches: dict[CardField, TickField] = {}
        self._triggers: dict[Trigger, TickField] = {}
        self._entries: Sequence[Entry] = ()
        self._tag_names: Mapping[str, str] = {}
        rows = column(self, 0, 2)
        self._place(self._section(rows, self.tr("Place in the prompt"), is_open=True))
        self._chance(self._section(rows, self.tr("Chance and time")))
        self._scan(self._section(rows, self.tr("What is scanned")))
        self._recursion(self._section(rows, self.tr("Entries that mention others")))
        self._group(self._section(rows, self.tr("Inclusion group")))
        self._whom = self._section(rows, self.tr("For whom and for which replies"))
        self._filters(self._whom)

    def set_names(self, tags: Mapping[str, str], cards: Sequence[str]) -> None:
        """Set the names of tags by id, and the names of the card files."""
        self._tag_names = tags
        self.tags.suggest(sorted({*tags.values()}))
        self.names.suggest(cards)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these entries, at least one."""
        self._entries = entries
        for name, field in self._fields.items():
            field.show_values({getattr(entry, name) for entry in entries})
        for text, tick in self._matches.items():
            tick.show_values({text in entry.matches for entry in entries})
        for trigger, tick in self._triggers.items():
            tick.show_values({trigger in entry.triggers for entry in entries})
        filters = {entry.character_filter or CharacterFilter() for entry in entries}
        is_same = len(filters) == 1 and len({entry.triggers for entry in entries}) == 1
        self._whom.setVisible(is_same)  # lists have no blank state for differing values
        character_filter = next(iter(filters))
        self.names.show_words(character_filter.names)
        self.tags.show_words(
            dict.fromkeys(name_of_tag(self._tag_names, t) for t in character_filter.tags)
        )
        self.excludes.show_values({character_filter.is_exclude})
        self._show_fields_of_position()

    def save(self) -> None:
        """Save pending text."""
        for field in self._fields.values():
            if isinstance(field, TextLine):
                field.save()

    def _section(self, rows: QVBoxLayout, name: str, *, is_open: bool = False) -> Fold:
        fold = Fold(self._look, name, is_open=is_open)
        rows.addWidget(fold)
        return fold

    @staticmethod
    def _form(fold: Fold) -> tuple[QVBoxLayout, QFormLayout]:
        rows = column(fold.inner, 0, 6)
        rows.setContentsMargins(8, 0, 0, 8)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows.addLayout(form)
        return rows, form

    def _place(self, fold: Fold) -> None:
        rows, self._place_form = self._form(fold)
        form = self._place_form
        self._choice(form, "position", self.tr("Position"), self._positions())
        self._number(form, "depth", self.tr("Depth, in messages"), 0, MOST)
        roles = {0: self.tr("System"), 1: self.tr("User"), 2: self.tr("Character")}
        self._choice(form, "role", self.tr("Spoken by, at a depth"), roles)
        self._line(form, "outlet_name", self.tr("Name of the outlet"))
        self._number(form, "order", self.tr("Order"), -MOST, MOST)
        self._tick(rows, "ignore_budget", self.tr("Not limited by the budget"))

    def _chance(self, fold: Fold) -> None:
        rows, form = self._form(fold)
        self._number(form, "probability", self.tr("Probability, in percent"), 0, 100)
        for name, text in (
            ("sticky", self.tr("Sticky, for messages")),
            ("cooldown", self.tr("Cooldown, in messages")),
            ("delay", self.tr("Delay, in messages")),
        ):
            self._number(form, name, text, 0, MOST)
        self._tick(rows, "use_probability", self.tr("Probability counts"))

    def _scan(self, fold: Fold) -> None:
        rows, form = self._form(fold)
        own = self.tr("As in the settings")
        choices = {None: own, True: self.tr("Yes"), False: self.tr("No")}
        self._number(form, "scan_depth", self.tr("Messages scanned"), 0, 1000, own)
        self._choice(form, "case_sensitive", self.tr("Case-sensitive"), choices)
        self._choice(form, "match_whole_words", self.tr("Whole words only"), choices)
        self._choice(form, "logic", self.tr("Secondary keywords"), self._logics())
        self._tick(rows, "is_selective", self.tr("Secondary keywords count"))
        rows.addWidget(label(self.tr("Look for its keywords here, too:"), "quiet", wrap=True))
        names = self._card_fields()
        for text in CARD_FIELDS:
            tick = TickField(names[text])
            tick.changed.connect(lambda on, t=text: self.edited.emit({"matches": {t: on}}))
            self._matches[text] = tick
            rows.addWidget(tick)

    def _recursion(self, fold: Fold) -> None:
        rows, form = self._form(fold)
        level = self.tr("Waits for round of scanning")
        self._number(form, "delay_until_recursion", level, 0, MOST)
        for name, text in (
            ("exclude_recursion", self.tr("Other entries cannot set it off")),
            ("prevent_recursion", self.tr("It sets off no other entries")),
        ):
            self._tick(rows, name, text)

    def _group(self, fold: Fold) -> None:
        rows, form = self._form(fold)
        own = self.tr("As in the settings")
        choices = {None: own, True: self.tr("Yes"), False: self.tr("No")}
        self._line(form, "group", self.tr("Names, with commas"))
        self._number(form, "group_weight", self.tr("Weight in the group"), 0, MOST)
        scoring = self.tr("Most keywords win")
        self._choice(form, "use_group_scoring", scoring, choices)
        self._tick(rows, "group_override", self.tr("Goes first in its group"))

    def _filters(self, fold: Fold) -> None:
        rows, form = self._form(fold)
        self._line(form, "automation_id", self.tr("Automation ID"))
        self._fields["automation_id"].setToolTip(
            self.tr("SillyTavern runs its quick reply of this ID when the entry fires.")
        )
        names = self.tr("Characters, by card file")
        self.names = WordChips(self._look, names)
        self.names.changed.connect(lambda words: self._save_filter(names=words))
        add_row(rows, names, self.names)
        tags = self.tr("Tags")
        self.tags = WordChips(self._look, tags)
        self.tags.changed.connect(lambda words: self._save_filter(tags=self._ids_of(words)))
        add_row(rows, tags, self.tags)
        self.excludes = TickField(self.tr("For all but these"))
        self.excludes.changed.connect(lambda on: self._save_filter(is_exclude=on))
        rows.addWidget(self.excludes)
        rows.addWidget(label(self.tr("Only for these replies; none ticked is all:"), "quiet"))
        for trigger, text in self._trigger_names().items():
            tick = TickField(text)
            tick.changed.connect(lambda on, t=trigger: self._save_trigger(t, is_on=on))
            self._triggers[trigger] = tick
            rows.addWidget(tick)

    def _number(
        self, form: QFormLayout, name: str, text: str, low: int, high: int, none_text: str = ""
    ) -> None:
        self._add(form, name, text, field := NumberField(low, high, none_text))
        field.changed.connect(lambda value: self.edited.emit({name: value}))

    def _choice(self, form: QFormLayout, name: str, text: str, choices: Mapping[Any, str]) -> None:
        self._add(form, name, text, field := ChoiceField(choices))
        field.chosen.connect(lambda value: self.edited.emit({name: value}))
        if name == "position":
            field.chosen.connect(lambda _value: self._show_fields_of_position())

    def _line(self, form: QFormLayout, name: str, text: str) -> None:
        self._add(form, name, text, field := TextLine(text, self.tr("They differ")))
        field.changed.connect(lambda value: self.edited.emit({name: value}))

    def _add(
        self, form: QFormLayout, name: str, text: str, field: NumberField | ChoiceField | TextLine
    ) -> None:
        field.setAccessibleName(text)
        self._fields[name] = field
        caption = label(text)  # a form would interpret its own captions as rich text
        caption.setBuddy(field)
        form.addRow(caption, field)

    def _tick(self, rows: QVBoxLayout, name: str, text: str) -> None:
        field = self._fields[name] = TickField(text)
        field.changed.connect(lambda on: self.edited.emit({name: on}))
        rows.addWidget(field)

    def _show_fields_of_position(self) -> None:
        """Show only the fields that a position uses."""
        box = self._fields["position"]
        position = box.currentData() if isinstance(box, ChoiceField) else None
        at_depth = position in (Position.AT_DEPTH, None)
        for name, is_wanted in (
            ("depth", at_depth),
            ("role", at_depth),
            ("outlet_name", position in (Position.OUTLET, None)),
        ):
            self._place_form.setRowVisible(self._fields[name], is_wanted)

    def _save_filter(self, **fields: Any) -> None:
        """Save the filter with other fields; chips and the check box show the rest of it."""
        values: dict[str, Any] = {
            "names": self.names.words,
            "tags": self._ids_of(self.tags.words),
            "is_exclude": self.excludes.isChecked(),
        }
        character_filter = CharacterFilter(**(values | fields))
        had_one = any(entry.character_filter is not None for entry in self._entries)
        if character_filter != CharacterFilter() or had_one:
            self.edited.emit({"character_filter": character_filter})

    def _ids_of(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the ids for tags of these names; a tag already in an entry keeps its id."""
        ids = [tag for e in self._entries if e.character_filter for tag in e.character_filter.tags]
        return tuple(tag_of_name(self._tag_names, ids, name) for name in names)

    def _save_trigger(self, trigger: Trigger, *, is_on: bool) -> None:
        on = {name for name, tick in self._triggers.items() if tick.isChecked()} - {trigger}
        triggers = on | {trigger} if is_on else on
        self.edited.emit({"triggers": tuple(t for t in TRIGGERS if t in triggers)})

    def _positions(self) -> dict[Position, str]:
        return {
            Position.BEFORE_CHARACTER: self.tr("Before the character"),
            Position.AFTER_CHARACTER: self.tr("After the character"),
            Position.EXAMPLES_TOP: self.tr("Before the example messages"),
            Position.EXAMPLES_BOTTOM: self.tr("After the example messages"),
            Position.NOTE_TOP: self.tr("Before the author's note"),
            Position.NOTE_BOTTOM: self.tr("After the author's note"),
            Position.AT_DEPTH: self.tr("Among the messages, at a depth"),
            Position.OUTLET: self.tr("Outlet: where {{outlet::name}} stands"),
        }

    def _logics(self) -> dict[Logic, str]:
        return {
            Logic.AND_ANY: self.tr("and any of the secondary ones"),
            Logic.AND_ALL: self.tr("and all of the secondary ones"),
            Logic.NOT_ANY: self.tr("and none of the secondary ones"),
            Logic.NOT_ALL: self.tr("and not all of the secondary ones"),
        }

    def _card_fields(self) -> dict[CardField, str]:
        return {
            "persona_description": self.tr("Who the player is"),
            "character_description": self.tr("The character's description"),
            "character_personality": self.tr("The character's personality"),
            "character_depth_prompt": self.tr("The character's note"),
            "scenario": self.tr("The scenario"),
            "creator_notes": self.tr("The creator's notes"),
        }

    def _trigger_names(self) -> dict[Trigger, str]:
        return {
            "normal": self.tr("An ordinary reply"),
            "continue": self.tr("One that is continued"),
            "impersonate": self.tr("One written for the player"),
            "swipe": self.tr("Another swipe"),
            "regenerate": self.tr("One made again"),
            "quiet": self.tr("A quiet request"),
        }


class MemoryEntry(QWidget):
    def __init__(self, worldbooks: WorldbookList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worldbooks = worldbooks
        self._entry: Entry | None = None
        rows = column(self, 0, 8)
        rows.setContentsMargins(20, 14, 16, 16)
        self._why = label("", "quiet", wrap=True)
        self._title = label("", "heading", wrap=True)
        self._facts = label("", "quiet", wrap=True)
        self._keys = label("", wrap=True)
        for part in (self._title, self._why, self._facts, self._keys):
            rows.addWidget(part)
        self.content = TextField(self.tr("Content"))
        self.content.setReadOnly(True)
        rows.addWidget(self.content, 1)
        self._note = label("", "quiet", wrap=True)
        rows.addWidget(self._note)
        self.event_button = text_button(self.tr("Show the event"))
        self.event_button.clicked.connect(self._show_event)
        rows.addWidget(self.event_button)

    def show_entry(self, entry: Entry) -> None:
        self._entry = entry
        self._title.setText(entry.title)
        self._why.setText(self._worldbooks.entries.why(entry))
        facts = self.tr("{mode} · order {order} · about {count} tokens")
        self._facts.setText(
            facts.format(
                mode=mode_names()[entry.mode], order=f"{entry.order:g}", count=f"{entry.tokens:,}"
            )
        )
        self._keys.setText(self.tr("Keywords: {keys}").format(keys=", ".join(entry.keys)))
        self._keys.setVisible(bool(entry.keys))
        if self.content.toPlainText() != entry.content:
            self.content.setPlainText(entry.content)
        has_event = self._worldbooks.event_of(entry) is not None
        self.event_button.setVisible(has_event)
        self._note.setText(
            self.tr("Made from an event: change it there, and this follows.")
            if has_event
            else self.tr("Made from this chat's memory; it follows whenever that changes.")
        )

    @Slot()
    def _show_event(self) -> None:
        if self._entry is not None:
            self._worldbooks.show_event(self._entry)


SHOWN_MACROS = 12  # unknown macros shown: a text may have very many


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
        scroll = tall_area()
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
        # text being typed stays, unless it was typed into another entry
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
        names = listed(f"{{{{{name}}}}}" for name in unknown)
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
        self.large_button.setFocus()  # text typed there will be shown here
        self.large_wanted.emit()

    @Slot()
    def edit_title(self) -> None:
        """Focus the field of the title."""
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
            return  # the fields still have another entry's text
        self.form.save()
        self._worldbooks.edit_one(comment=self.title.text(), content=self.content.toPlainText())


def make_panel(parts: PageParts, parent: QWidget) -> WorldbookPanel:
    panel = WorldbookPanel(parts.look, parts.models.worldbooks, parent)
    panel.large_wanted.connect(parts.doors.books.open_large_entry)
    return panel


# An entry's text in a large window: saved while it is typed, as in the panel.


SIZE = (980, 720)  # pixels, if the screen is large enough


class LargeEditor(FramedDialog):
    """Edits the entry it was opened on, whatever is selected later."""

    def __init__(
        self, worldbooks: WorldbookList, entry: Entry, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=560)
        room = self.screen().availableSize()
        self.resize(min(SIZE[0], room.width() - 40), min(SIZE[1], room.height() - 60))
        self._worldbooks = worldbooks
        self._uid = entry.uid
        self._worldbook_id = worldbooks.open_id
        self.set_title(self.tr("Edit the entry"))
        self.title = LineField()
        self.title.setAccessibleName(self.tr("Title"))
        self.title.setText(entry.comment)
        add_row(self.body, self.tr("Title"), self.title)
        self.content = TextField(self.tr("Content"))
        self.content.setPlainText(entry.content)
        self.content.textChanged.connect(self._count)
        add_row(self.body, self.tr("Content"), self.content)
        self.body.setStretchFactor(self.content, 1)
        self.counts = label("", "quiet", wrap=True)
        self.body.addWidget(self.counts)
        self.title.submitted.connect(self.save)
        for field in (self.title, self.content):
            field.left.connect(self.save)
            field.rested.connect(self.save)
        self.finished.connect(lambda _result: self.save())
        self.add_close(self.tr("Close"))
        self._count()
        self.content.setFocus()

    @Slot()
    def save(self) -> None:
        """Save both texts if they have changed."""
        if self._worldbooks.open_id == self._worldbook_id:
            self._worldbooks.edit_one(
                self._uid, comment=self.title.text(), content=self.content.toPlainText()
            )

    @Slot()
    def _count(self) -> None:
        text = self.content.toPlainText()
        words = self.tr("{words} words · {characters} characters · about {tokens} tokens").format(
            words=f"{count_words(text):,}",
            characters=f"{len(text):,}",
            tokens=f"{estimate_tokens(text):,}",
        )
        budget = self._worldbooks.budget
        if budget is not None:
            share = 100 * estimate_tokens(text) / budget.size
            words += " · " + self.tr("{share} % of the budget").format(share=f"{share:.1f}")
        self.counts.setText(words)
