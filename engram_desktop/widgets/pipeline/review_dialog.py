"""The review of drafts before they are saved: every field can be corrected. Never modal.

A redone block is shown beside the current events; a current event is deleted only if it is ticked
and the new block is saved. Each sentence of a draft is shown with its source lines; a sentence
without a source is marked. Events of other models for the same messages can be ticked to be saved
too.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.pipeline.draft import Draft, SentenceSource
from engram_desktop.viewmodels.pipeline.review import DraftFields, DraftView, Review
from engram_desktop.viewmodels.workspace.choice_texts import floors_text, floors_words, listed
from engram_desktop.widgets.events.event_fields import EventFields
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import label, text_button

_NUMBER = Qt.ItemDataRole.UserRole  # index of the event among all that are offered


class OtherAnswers(QWidget):
    """A further model to ask, and its events."""

    chosen = Signal(int)  # index of the event whose fields are to be shown

    def __init__(self, review: Review, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review = review
        self._draft: Draft | None = None
        self._view: DraftView | None = None
        inner = column(self, 0, 6)
        inner.addWidget(label(self.tr("What another model makes of it"), "section"))
        strip = QHBoxLayout()
        strip.setSpacing(6)
        self.model = QComboBox()
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.model.setMinimumContentsLength(8)  # characters; longer names are cut in the field
        if (edit := self.model.lineEdit()) is not None:
            edit.setPlaceholderText(self.tr("Model"))
        strip.addWidget(self.model, 1)
        self.ask_button = text_button(self.tr("Ask"))
        self.ask_button.clicked.connect(self._ask)
        strip.addWidget(self.ask_button)
        inner.addLayout(strip)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("What another model makes of it"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemChanged.connect(self._on_ticked)
        self.list.currentItemChanged.connect(self._on_chosen)
        inner.addWidget(self.list, 1)
        self.model.currentTextChanged.connect(self._show_button)
        review.models_read.connect(self._on_models)
        review.asking_changed.connect(self._show_button)
        self._show_button()

    def show_view(self, view: DraftView | None) -> None:
        """Show the further information beside a draft."""
        self._view = view
        self._draft = view.comparison.draft if view is not None else None
        with QSignalBlocker(self.list):
            self.list.clear()
            if view is not None:
                self._fill(view)
        is_any = self.list.count() > 0
        self.list.setVisible(is_any)
        grows = QSizePolicy.Policy.Expanding if is_any else QSizePolicy.Policy.Maximum
        self.setSizePolicy(QSizePolicy.Policy.Preferred, grows)
        self._show_button()

    def show_summary(self, number: int) -> None:
        """Show the edited summary of an event."""
        for at in range(self.list.count()):
            item = self.list.item(at)
            if item.data(_NUMBER) == number and self._view is not None:
                with QSignalBlocker(self.list):
                    item.setText(self._view.nodes[number].summary)

    def forget_choice(self) -> None:
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(-1)

    def _fill(self, view: DraftView) -> None:
        number = view.own_count
        for other in view.comparison.others:
            head = QListWidgetItem(self.tr("{model} answered:").format(model=other.model))
            head.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(head)
            for _node in other.drafted:
                item = QListWidgetItem(view.nodes[number].summary)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                is_on = number not in view.dropped
                item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
                item.setData(_NUMBER, number)
                self.list.addItem(item)
                number += 1

    @Slot(QListWidgetItem)
    def _on_ticked(self, item: QListWidgetItem) -> None:
        number = item.data(_NUMBER)
        if self._view is None or number is None:
            return
        if item.checkState() == Qt.CheckState.Checked:
            self._view.dropped.discard(number)
        else:
            self._view.dropped.add(number)

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        number = item.data(_NUMBER) if item is not None else None
        if number is not None:
            self.chosen.emit(number)

    @Slot(object)
    def _on_models(self, models: list[str]) -> None:
        typed = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems(models)
            self.model.setEditText(typed)
        self._show_button()

    @Slot()
    def _show_button(self) -> None:
        is_sound = self._draft is not None and not self._draft.is_outdated
        has_model = bool(self.model.currentText().strip())
        self.ask_button.setEnabled(is_sound and has_model and not self._review.is_asking)
        self.ask_button.setText(self.tr("Asking…") if self._review.is_asking else self.tr("Ask"))

    @Slot()
    def _ask(self) -> None:
        if self._draft is not None:
            self._review.ask_other(self._draft, self.model.currentText().strip())


_FLOOR = Qt.ItemDataRole.UserRole
_ICON = Qt.ItemDataRole.UserRole + 1  # name of the icon, for another theme
_INKS = {"check": "green_ink", "warning": "red_ink"}
_INDENT = " " * 8  # of the items below a sentence


class SourceList(QListWidget):
    """The source lines: Enter, or a double click, on a line shows it in the chat."""

    floor_wanted = Signal(int, int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setAccessibleName(self.tr("Where it comes from"))
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(self._on_activated)
        look.changed.connect(self._color)

    def show_sources(self, sources: Sequence[SentenceSource]) -> None:
        self.clear()
        for source in sources:
            evidence = source.evidence
            if evidence.is_borne_out:
                self._add_sentence(evidence.sentence, "check")
            else:
                text = self.tr("No line bears this out:")
                self._add_sentence(f"{text} {evidence.sentence}", "warning")
            if evidence.missing:
                words = listed(evidence.missing)
                self.addItem(_INDENT + self.tr("said by no line: {words}").format(words=words))
            for line in source.lines:
                name = f"{line.name}: " if line.name else ""
                item = QListWidgetItem(f"{_INDENT}#{line.floor} {name}{line.text}")
                item.setData(_FLOOR, line.floor)
                item.setToolTip(self.tr("Read it in the chat"))
                self.addItem(item)

    def _add_sentence(self, text: str, icon: str) -> None:
        item = QListWidgetItem(text)
        font = item.font()
        font.setBold(True)
        item.setFont(font)
        item.setData(_ICON, icon)
        self._apply_look(item)
        self.addItem(item)

    @Slot()
    def _color(self) -> None:
        for row in range(self.count()):
            self._apply_look(self.item(row))

    def _apply_look(self, item: QListWidgetItem) -> None:
        icon = item.data(_ICON)
        if icon is not None:
            item.setIcon(self._look.icon(icon, _INKS[icon]))

    @Slot(QListWidgetItem)
    def _on_activated(self, item: QListWidgetItem) -> None:
        floor = item.data(_FLOOR)
        if floor is not None:
            self.floor_wanted.emit(floor, floor)


ID_ROLE = Qt.ItemDataRole.UserRole


class ReviewDialog(FramedDialog):
    def __init__(self, look: Look, review: Review, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=1020)
        self.set_title(self.tr("Review before saving"))
        self.setMinimumHeight(680)
        self._review = review
        self._view: DraftView | None = None
        self._number = -1  # index of the event shown, among all that are offered
        self._is_filling = False
        self.draft_fields = DraftFields(self)
        self.draft_fields.edited.connect(self._on_edited)
        self._hint = label("", "quiet", wrap=True)
        self.body.addWidget(self._hint)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("review")
        split.addWidget(self._make_blocks())
        split.addWidget(self._make_events())
        split.addWidget(self._make_event_parts(look))
        split.setSizes([170, 380, 430])
        split.setChildrenCollapsible(False)
        self.body.addWidget(split, 1)
        self._trouble = label("", "bad", wrap=True)
        self._trouble.hide()
        self.body.addWidget(self._trouble)
        self._make_foot()
        review.listed.connect(self._on_listed)
        review.shown.connect(self._on_shown)
        self._on_listed()
        review.read()
        review.list_models()

    def _make_blocks(self) -> QListWidget:
        self.blocks = QListWidget()
        self.blocks.setAccessibleName(self.tr("Blocks"))
        self.blocks.currentItemChanged.connect(self._on_block_chosen)
        return self.blocks

    def _make_events(self) -> QWidget:
        side = QWidget()
        inner = column(side, 0, 6)
        inner.setContentsMargins(8, 0, 8, 0)
        self._new_head = label(self.tr("To be saved"), "section")
        inner.addWidget(self._new_head)
        self.events = QListWidget()
        self.events.setAccessibleName(self.tr("To be saved"))
        self.events.setWordWrap(True)
        self.events.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.events.currentRowChanged.connect(self._on_event_chosen)
        self.events.itemChanged.connect(self._on_event_ticked)
        inner.addWidget(self.events, 3)
        self._old_head = label(self.tr("There now; what is ticked will be replaced"), "section")
        inner.addWidget(self._old_head)
        self.present = QListWidget()
        self.present.setAccessibleName(self.tr("There now; what is ticked will be replaced"))
        self.present.setWordWrap(True)
        self.present.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.present.itemChanged.connect(self._on_present_ticked)
        inner.addWidget(self.present, 2)
        self.others = OtherAnswers(self._review)
        self.others.chosen.connect(self._on_other_chosen)
        inner.addWidget(self.others, 3)
        return side

    def _make_event_parts(self, look: Look) -> QWidget:
        """Make the fields of an event above its source lines."""
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("review event")
        parts.setChildrenCollapsible(False)
        self.fields = EventFields(look, self.draft_fields)
        parts.addWidget(self.fields)
        below = QWidget()
        inner = column(below, 0, 6)
        inner.setContentsMargins(20, 0, 0, 0)
        inner.addWidget(label(self.tr("Where it comes from"), "section"))
        self.sources = SourceList(look)
        self.sources.floor_wanted.connect(self._review.read_floors)
        inner.addWidget(self.sources, 1)
        self._review.sources.found.connect(self.sources.show_sources)
        parts.addWidget(below)
        parts.setSizes([320, 260])
        return parts

    def _make_foot(self) -> None:
        self.always_box = QCheckBox(self.tr("Save without asking from now on"))
        self.body.addWidget(self.always_box)
        self.discard_button = self.add_button(self.tr("Discard"), "danger", left=True)
        self.discard_button.clicked.connect(self._discard)
        self.again_button = self.add_button(self.tr("Ask again"), left=True)
        self.again_button.clicked.connect(self._ask_again)
        self.source_button = self.add_button(self.tr("Read its messages"), left=True)
        self.source_button.clicked.connect(self._read_messages)
        self.add_close(self.tr("Close"))
        self.all_button = self.add_button("")
        self.all_button.clicked.connect(self._save_all)
        self.save_button = self.add_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)

    @Slot()
    def _on_listed(self) -> None:
        chosen = self._draft()
        self._is_filling = True
        self.blocks.clear()
        for draft in self._review.waiting:
            item = QListWidgetItem(self._block_text(draft))
            item.setData(ID_ROLE, draft.id)
            self.blocks.addItem(item)
        self._is_filling = False
        ids = [draft.id for draft in self._review.waiting]
        self._hint.setText(
            self.tr("Correct what is wrong; leave out what is not worth keeping.")
            if ids
            else self.tr("Nothing waits: what a model writes comes here before it is saved.")
        )
        row = ids.index(chosen.id) if chosen is not None and chosen.id in ids else 0
        wanted = self._review.take_wanted(self._review.waiting)
        row = row if wanted is None else wanted
        if ids:
            self.blocks.setCurrentRow(row)
            self._on_block_chosen(self.blocks.currentItem())
        else:
            self._on_shown(None)
        self._show_buttons()

    def _block_text(self, draft: Draft) -> str:
        events = self.tr("%n event(s)", "", len(draft.events))
        lines = [floors_words(*draft.floors), events]
        if draft.purpose == "redo":
            lines.append(self.tr("redone"))
        if draft.is_outdated:
            lines.append(self.tr("outdated: the messages have changed"))
        return "\n".join(lines)

    @Slot(object)
    def _on_block_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._is_filling:
            self._review.choose(str(item.data(ID_ROLE)))

    @Slot(object)
    def _on_shown(self, view: DraftView | None) -> None:
        self._view = view
        self._is_filling = True
        row = max(0, self.events.currentRow())
        self.events.clear()
        self.present.clear()
        if view is not None:
            for number, node in enumerate(view.nodes[: view.own_count]):
                self.events.addItem(_tick_item(node.summary, on=number not in view.dropped))
            for event in view.comparison.present:
                text = self._present_text(event)
                item = _tick_item(text, on=event.pk in view.replaced)
                item.setData(ID_ROLE, event.pk)
                self.present.addItem(item)
        self.others.show_view(view)
        self._new_head.setText(self._saved_head(view))
        is_redo = view is not None and view.comparison.draft.purpose == "redo"
        self._old_head.setVisible(is_redo)
        self.present.setVisible(is_redo)
        self._is_filling = False
        count = self.events.count()
        self._is_filling = True
        self.events.setCurrentRow(min(row, count - 1) if count else -1)
        self._is_filling = False
        self._on_event_chosen(self.events.currentRow())
        self._show_buttons()

    def _saved_head(self, view: DraftView | None) -> str:
        model = view.comparison.draft.model if view is not None else ""
        head = self.tr("To be saved")
        return f"{head} · {model}" if model else head

    def _present_text(self, event: EventNode) -> str:
        marks = [floors_text(event)]
        if event.is_locked:
            marks.append(self.tr("locked"))
        if event.extractor == "manual":
            marks.append(self.tr("written by hand"))
        return f"{' · '.join(marks)}\n{event.summary}"

    @Slot(int)
    def _on_event_chosen(self, row: int) -> None:
        if self._is_filling:
            return
        self.others.forget_choice()
        self._show_event(row)

    @Slot(int)
    def _on_other_chosen(self, number: int) -> None:
        self._is_filling = True
        self.events.setCurrentRow(-1)
        self._is_filling = False
        self._show_event(number)

    def _show_event(self, number: int) -> None:
        """Show the fields and the source lines of one of the proposed events."""
        self._number = number
        nodes = self._view.nodes if self._view is not None else []
        node = nodes[number] if 0 <= number < len(nodes) else None
        self.draft_fields.show(node)
        self.fields.setVisible(node is not None)
        if node is not None:
            self.fields.show_event(node)
        self._review.sources.show(self._draft(), node)
        self._show_trouble()

    @Slot(QListWidgetItem)
    def _on_event_ticked(self, item: QListWidgetItem) -> None:
        if self._view is None or self._is_filling:
            return
        row = self.events.row(item)
        if item.checkState() == Qt.CheckState.Checked:
            self._view.dropped.discard(row)
        else:
            self._view.dropped.add(row)

    @Slot(QListWidgetItem)
    def _on_present_ticked(self, item: QListWidgetItem) -> None:
        if self._view is None or self._is_filling:
            return
        key = int(item.data(ID_ROLE))
        if item.checkState() == Qt.CheckState.Checked:
            self._view.replaced.add(key)
        else:
            self._view.replaced.discard(key)

    @Slot()
    def _on_edited(self) -> None:
        number, node = self._number, self.draft_fields.current
        draft, view = self._draft(), self._view
        if draft is None or view is None or node is None or not 0 <= number < len(view.nodes):
            return
        view.nodes[number] = node
        self._review.on_corrected()
        self._is_filling = True
        if number < view.own_count:
            self.events.item(number).setText(node.summary)
        else:
            self.others.show_summary(number)
        self._is_filling = False
        self._review.sources.edit(draft, node)
        self._show_trouble()

    def _show_trouble(self) -> None:
        self._trouble.setText(self.draft_fields.trouble)
        self._trouble.setVisible(bool(self.draft_fields.trouble))
        self._show_buttons()

    def _show_buttons(self) -> None:
        draft, is_sound = self._draft(), not self.draft_fields.trouble
        current = [d for d in self._review.waiting if not d.is_outdated]
        can_save = draft is not None and not draft.is_outdated and self._view is not None
        self.save_button.setEnabled(can_save and is_sound)
        self.all_button.setEnabled(bool(current) and is_sound)
        self.all_button.setText(self.tr("Save all %n block(s)", "", len(current)))
        self.all_button.setVisible(len(current) > 1)
        is_any_new = any(d.purpose == "new" for d in self._review.waiting)
        self.always_box.setVisible(is_any_new)  # a redo always waits
        self.discard_button.setEnabled(draft is not None)
        self.again_button.setEnabled(draft is not None)
        self.source_button.setEnabled(draft is not None)

    def _draft(self) -> Draft | None:
        item = self.blocks.currentItem()
        draft_id = item.data(ID_ROLE) if item is not None else None
        return next((d for d in self._review.waiting if d.id == draft_id), None)

    def _save(self) -> None:
        draft = self._draft()
        if draft is not None:
            self._save_these([draft.id])

    def _save_all(self) -> None:
        self._save_these([d.id for d in self._review.waiting if not d.is_outdated])

    def _save_these(self, ids: list[str]) -> None:
        if self.always_box.isChecked():
            self._review.save_without_asking()
        is_last = len(ids) == len(self._review.waiting)
        self._review.save(ids)
        if is_last:
            self.close()

    def _discard(self) -> None:
        draft = self._draft()
        if draft is not None:
            self._review.discard([draft.id])

    def _read_messages(self) -> None:
        draft = self._draft()
        if draft is not None:
            self._review.read_messages(draft)

    def _ask_again(self) -> None:
        draft = self._draft()
        if draft is not None:
            self._review.ask_again(draft)


def _tick_item(text: str, *, on: bool) -> QListWidgetItem:
    item = QListWidgetItem(text)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
    return item
