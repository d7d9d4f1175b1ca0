"""Dialogs of events: add, bin, duplicates, sources, split."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QDateTime, QLocale, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engram_desktop.domain.memory.edits import DuplicateGroup
from engram_desktop.domain.memory.event import EventNode, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.viewmodels.events.event_edits import EventBinList, EventDuplicates, Group
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.prompts import ScriptList
from engram_desktop.viewmodels.reading.reading_chat import MessageReader
from engram_desktop.viewmodels.reading.text_marks import Passage
from engram_desktop.viewmodels.workspace.choice_texts import floors_text, floors_words, lamp_words
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.mixed_fields import FloorRange, NumberField
from engram_desktop.widgets.parts.fields.text_fields import SearchField, TextField, WordChips
from engram_desktop.widgets.parts.layouts import add_row, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import kind_button, label, text_button

# Write a memory by hand: an event, or a lasting fact.


class AddDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        save: Callable[[PlotExtraction, SourceRange], object],
        floors: int,
        parent: QWidget | None = None,
        *,
        passage: Passage | None = None,
    ) -> None:
        """``passage``: the words of a message with which the summary is filled."""
        super().__init__(parent, width=520)
        self._save_it = save
        self._speaker = passage.speaker if passage is not None else ""
        self.set_title(self.tr("Write a memory"))
        self._make_kinds()
        self.text = TextField(self.tr("Memory"))
        self.text.setFixedHeight(110)
        self.text.textChanged.connect(self._update_texts)
        self.body.addWidget(self.text)
        self.keywords = WordChips(look, self.tr("Keywords"))
        add_row(self.body, self.tr("Keywords"), self.keywords)
        self.names = WordChips(look, self.tr("Entities"))
        add_row(self.body, self.tr("Entities"), self.names)
        last = max(0, floors - 1)
        self.floors = FloorRange(last)
        self.floors.show_span(SourceRange(last, last))
        add_row(self.body, self.tr("Floors it covers"), self.floors)
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        self.typed = {
            "text": self.text,
            "keywords": self.keywords,
            "names": self.names,
            "fact": self.fact_button,
        }
        if passage is not None:
            self._begin_with(passage)
        self._update_texts()
        self.text.setFocus()

    def _begin_with(self, passage: Passage) -> None:
        is_said = bool(passage.speaker) and not passage.is_fact
        said = self.tr("{name}: “{words}”").format(name=passage.speaker, words=passage.words)
        self.text.setPlainText(said if is_said else passage.words)
        self.fact_button.setChecked(passage.is_fact)
        self.names.show_words([passage.speaker] if passage.speaker else [])
        self.floors.show_span(SourceRange(passage.floor, passage.floor))

    def _make_kinds(self) -> None:
        line = QHBoxLayout()
        self._kinds = QButtonGroup(self)
        self.event_button = kind_button("chip", self.tr("Event: it happened"))
        self.fact_button = kind_button("chip", self.tr("Fact: it holds"))
        for button in (self.event_button, self.fact_button):
            self._kinds.addButton(button)
            line.addWidget(button)
        line.addStretch(1)
        self.body.addLayout(line)
        self._hint = label("", "quiet", wrap=True)
        self.body.addWidget(self._hint)
        self.event_button.setChecked(True)
        self._kinds.buttonToggled.connect(lambda *_: self._update_texts())

    def _update_texts(self) -> None:
        is_fact = self.fact_button.isChecked()
        self._hint.setText(
            self.tr("A fact is locked in context until you let it go: a rule, an origin, a trait.")
            if is_fact
            else self.tr("An event joins the buffer and is archived with the others.")
        )
        self.text.setPlaceholderText(
            self.tr("For example: silver burns Lin Wan’s skin.")
            if is_fact
            else self.tr("For example: Lin Wan gave the copper key to the traveller.")
        )
        self.save_button.setEnabled(bool(self.text.toPlainText().strip()))

    def _save(self) -> None:
        data = PlotExtraction(
            self.text.toPlainText(),
            self.keywords.words,
            entities=tuple(
                ExtractedEntity(name, "char" if name == self._speaker else "unknown")
                for name in self.names.words
            ),
            kind="fact" if self.fact_button.isChecked() else "event",
        )
        self._save_it(data, self.floors.span)
        self.close()


# Deleted events of the chat shown: each can be restored.


_KEY = Qt.ItemDataRole.UserRole


class BinDialog(FramedDialog):
    def __init__(self, look: Look, events: EventBinList, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=640)
        self._bin = events
        self.set_title(self.tr("Deleted events"))
        hint = self.tr("They stay here after they can no longer be undone. Outlines are left out.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.search = SearchField(look, self.tr("Search deleted events"))
        self.search.textChanged.connect(lambda _text: self._filter())
        self.body.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Deleted events"))
        self.list.setMinimumHeight(260)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.itemSelectionChanged.connect(self._update_button)
        self.body.addWidget(self.list, 1)
        self._state = label("", "quiet", wrap=True)
        self.body.addWidget(self._state)
        self.add_close(self.tr("Close"))
        self.restore_button = self.add_button(self.tr("Bring back"), "main")
        self.restore_button.clicked.connect(lambda: self._bin.bring_back(self._chosen()))
        self._update_button()
        events.listed.connect(self._show)
        self.finished.connect(lambda _code: events.watch(wanted=False))
        events.watch(wanted=True)

    @Slot(object)
    def _show(self, events: list[EventNode]) -> None:
        self.list.clear()
        for event in events:
            moment = QDateTime.fromMSecsSinceEpoch(event.updated_at)
            when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
            item = QListWidgetItem(f"{event.summary}\n{floors_text(event)} · {when}")
            item.setData(_KEY, event.pk)
            self.list.addItem(item)
        text = self.tr("%n deleted event(s)", "", len(events))
        self._state.setText(text if events else self.tr("No event was deleted."))
        self._filter()

    def _filter(self) -> None:
        wanted = self.search.text().strip().casefold()
        for row in range(self.list.count()):
            item = self.list.item(row)
            is_hidden = wanted not in item.text().casefold()
            item.setHidden(is_hidden)
            if is_hidden:
                item.setSelected(False)

    def _chosen(self) -> list[int]:
        return [int(item.data(_KEY)) for item in self.list.selectedItems()]

    @Slot()
    def _update_button(self) -> None:
        self.restore_button.setEnabled(bool(self._chosen()))


# Groups of events with the same content, with the reason: keep one, join them, or keep all.
#
# The main window stays usable; each action is one undo step.


_GROUP = Qt.ItemDataRole.UserRole
_DUPLICATE_KEY = Qt.ItemDataRole.UserRole + 1


class DuplicatesDialog(FramedDialog):
    def __init__(self, model: EventDuplicates, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=720)
        self._model = model
        model.setParent(self)  # the model is freed with the dialog
        self.set_title(self.tr("Events that say the same"))
        hint = self.tr(
            "Found by their words and floors; no model is asked."
            " Everything done here can be undone."
        )
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(self.tr("Events that say the same"))
        self.tree.setHeaderHidden(True)
        self.tree.setMinimumHeight(280)
        self.tree.setWordWrap(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.currentItemChanged.connect(self._update_buttons)
        self.body.addWidget(self.tree, 1)
        self._state = label(self.tr("Comparing…"), "quiet", wrap=True)
        self.body.addWidget(self._state)
        line = QHBoxLayout()
        self.keep_button = text_button(self.tr("Keep this one, delete the others"), "danger")
        self.keep_button.clicked.connect(self._keep)
        self.join_button = text_button(self.tr("Join into one"))
        self.join_button.clicked.connect(self._join)
        self.apart_button = text_button(self.tr("Not the same"))
        self.apart_button.clicked.connect(self._keep_apart)
        for button in (self.keep_button, self.join_button, self.apart_button):
            line.addWidget(button)
        line.addStretch(1)
        self.body.addLayout(line)
        self.add_close(self.tr("Close"))
        model.listed.connect(self._show)
        model.busy_changed.connect(self._on_busy)
        self._update_buttons()
        model.read()

    @Slot(object, int)
    def _show(self, groups: list[Group], count: int) -> None:
        row = max(0, self._group_row())
        self.tree.clear()
        for group, events in groups:
            head = QTreeWidgetItem([self._why(group)])
            head.setData(0, _GROUP, group)
            for event in events:
                text = f"{floors_text(event)} · {' '.join(event.summary.split())}"
                item = QTreeWidgetItem([text])
                item.setData(0, _GROUP, group)
                item.setData(0, _DUPLICATE_KEY, event.pk)
                item.setToolTip(0, floors_text(event))
                head.addChild(item)
            self.tree.addTopLevelItem(head)
            head.setExpanded(True)
        chosen = self.tree.topLevelItem(min(row, len(groups) - 1))
        if chosen is not None:
            self.tree.setCurrentItem(chosen)
        if count > len(groups):
            text = self.tr("%n group(s); the surest are shown.", "", count)
        elif count:
            text = self.tr("%n group(s)", "", count)
        else:
            text = self.tr("No two events say the same.")
        self._state.setText(text)
        self._update_buttons()

    def _why(self, group: DuplicateGroup) -> str:
        """Return the reason why these events count as duplicates."""
        pair = group.pairs[0]
        events = self.tr("%n event(s)", "", len(group.pks))
        if pair.is_same_text:
            return self.tr("{events} · the same words").format(events=events)
        share = round(pair.share * 100)
        return self.tr("{events} · floors overlap, {share} % of the words are alike").format(
            events=events, share=share
        )

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:  # noqa: FBT001 - Qt's signal
        if busy:
            self._state.setText(self.tr("Comparing…"))

    @Slot()
    def _update_buttons(self) -> None:
        item = self.tree.currentItem()
        self.keep_button.setEnabled(item is not None and item.data(0, _DUPLICATE_KEY) is not None)
        self.join_button.setEnabled(item is not None)
        self.apart_button.setEnabled(item is not None)

    def _group_row(self) -> int:
        item = self.tree.currentItem()
        while item is not None and item.data(0, _DUPLICATE_KEY) is not None:
            item = item.parent()
        return self.tree.indexOfTopLevelItem(item) if item is not None else 0

    def _chosen(self) -> DuplicateGroup | None:
        item = self.tree.currentItem()
        group = item.data(0, _GROUP) if item is not None else None
        return group if isinstance(group, DuplicateGroup) else None

    def _keep(self) -> None:
        group, item = self._chosen(), self.tree.currentItem()
        if group is not None and item is not None:
            self._model.keep_only(group, int(item.data(0, _DUPLICATE_KEY)))

    def _join(self) -> None:
        if (group := self._chosen()) is not None:
            self._model.join(group.pks)

    def _keep_apart(self) -> None:
        if (group := self._chosen()) is not None:
            self._model.keep_apart(group)


# The source messages of some memory, in their original text, and the way back to the memory.
#
# Plain text only.


class SourceDialog(FramedDialog):
    def __init__(
        self,
        reader: MessageReader,
        scripts: ScriptList,
        first: int,
        last: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=620)
        self.set_title(floors_words(first, last))
        scroll = QScrollArea()
        scroll.setAccessibleName(floors_words(first, last))
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._lines = column(body, 0, 10)
        self._lines.addWidget(label(self.tr("Reading…"), "quiet"))
        scroll.setWidget(body)
        scroll.setMinimumHeight(420)
        self.body.addWidget(scroll, 1)
        self._reader = reader
        self._scripts = scripts
        self._events_head = label(self.tr("Remembered of these floors"), "section")
        self.events = QListWidget()
        self.events.setAccessibleName(self.tr("Remembered of these floors"))
        self.events.setMaximumHeight(120)
        self.events.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.events.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.events.itemActivated.connect(self._open)
        self.events.itemClicked.connect(self._open)
        for part in (self._events_head, self.events):
            self.body.addWidget(part)
            part.hide()
        self.add_close(self.tr("Close"))
        reader.read.connect(self._on_read)
        reader.remembered.connect(self._on_remembered)
        reader.ask(first, last)

    @Slot(object)
    def _on_read(self, messages: list[Message]) -> None:
        clear_layout(self._lines)
        for message in messages:
            head = self.tr("{name} · floor {floor}").format(name=message.name, floor=message.seq)
            line = QHBoxLayout()
            line.addWidget(label(head, "section"), 1)
            line.addWidget(self._steps_button(message.seq))
            who = text_button(self.tr("Who knows this…"), "link")
            who.clicked.connect(partial(self._reader.ask_who, message))
            line.addWidget(who)
            self._lines.addLayout(line)
            self._lines.addWidget(label(message.text, wrap=True))
        self._lines.addStretch(1)

    def _steps_button(self, floor: int) -> QPushButton:
        button = text_button(self.tr("As a model reads it"), "link")
        button.setAccessibleName(self.tr("Floor {floor} as a model reads it").format(floor=floor))
        button.clicked.connect(lambda: self._scripts.steps_wanted.emit(floor))
        return button

    @Slot(object)
    def _on_remembered(self, events: list[EventNode]) -> None:
        self.events.clear()
        for event in events:
            item = QListWidgetItem(f"{floors_text(event)} · {event.summary}")
            item.setData(Qt.ItemDataRole.UserRole, event.pk)
            item.setToolTip(lamp_words(event))
            self.events.addItem(item)
        for part in (self._events_head, self.events):
            part.setVisible(bool(events))

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem) -> None:
        key = int(item.data(Qt.ItemDataRole.UserRole))
        self.close()
        self._reader.show_event(key)


# Split one event in two: the floor where the second begins, and the text of each.


class SplitDialog(FramedDialog):
    def __init__(self, events: EventList, event: EventNode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._events = events
        self._event = event
        self.set_title(self.tr("Split the event"))
        span = event.source_range
        self.body.addWidget(label(self.tr("The second part begins at floor"), "section"))
        self.floor = NumberField(span.start_index + 1, span.end_index)
        self.floor.setAccessibleName(self.tr("The second part begins at floor"))
        self.floor.setValue((span.start_index + span.end_index + 1) // 2)
        self.body.addWidget(self.floor)
        self.first = self._text(self.tr("Summary of the first part"))
        self.second = self._text(self.tr("Summary of the second part"))
        self.typed = {"first": self.first, "second": self.second}
        self.add_close(self.tr("Cancel"))
        self.split_button = self.add_button(self.tr("Split"), "main")
        self.split_button.clicked.connect(self._split)
        for field in (self.first, self.second):
            field.textChanged.connect(self._update)
        self._divided = self._texts()
        self._divide()
        self.floor.changed.connect(lambda *_: self._divide())

    def _divide(self) -> None:
        """Propose the sentences before and from the floor, unless something else was typed."""
        if self._texts() != self._divided:
            return
        text, span = self._event.summary, self._event.source_range
        told = split_sentences(text)
        share = (self.floor.value() - span.start_index) / (span.end_index + 1 - span.start_index)
        number = min(max(1, round(share * len(told))), len(told) - 1)
        at = text.find(told[number]) if len(told) > 1 else -1
        if at > 0:
            self.first.setPlainText(text[:at].strip())
            self.second.setPlainText(text[at:].strip())
        self._divided = self._texts()
        self._update()

    def _text(self, name: str) -> TextField:
        self.body.addWidget(label(name, "section"))
        field = TextField(name)
        field.setPlainText(self._event.summary)
        field.setFixedHeight(96)
        self.body.addWidget(field)
        return field

    def _texts(self) -> tuple[str, str]:
        return self.first.toPlainText().strip(), self.second.toPlainText().strip()

    def _update(self) -> None:
        first, second = self._texts()
        self.split_button.setEnabled(bool(first and second) and first != second)

    def _split(self) -> None:
        self._events.split(self._event.pk, self.floor.value(), self._texts())
        self.close()
