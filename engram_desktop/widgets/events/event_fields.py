"""The fields of one event. Edits go to the draft, which is saved when a field loses the focus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.memory import extraction
from engram_desktop.domain.memory.edits import SharedFields, SharedPatch
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_edits import EventMany
from engram_desktop.viewmodels.workspace.choice_texts import kind_names
from engram_desktop.widgets.parts.fields.mixed_fields import ChoiceField, TextLine, TickField
from engram_desktop.widgets.parts.fields.text_fields import (
    ConditionField,
    LineField,
    TextField,
    WordChip,
    WordChips,
    fill,
)
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import chip, kind_button, label, literal

TYPE_TINTS = {"char": "accent", "loc": "green", "item": "gold"}


class FieldsModel(Protocol):
    """Interface of a model whose event is edited: a stored event or a draft."""

    current: EventNode | None

    def edit(self, **values: Any) -> None: ...
    def save(self) -> None: ...


class EventFields(QScrollArea):
    def __init__(
        self,
        look: Look,
        editor: FieldsModel,
        guard: ConditionField | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """``guard`` is the field for the condition of the event; drafts have none."""
        super().__init__(parent)
        self._look = look
        self._editor = editor
        self.guard = guard
        self._is_filling = False
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its children take the focus
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._form = column(body, 0, 6)
        self._form.setContentsMargins(20, 12, 16, 20)
        self.setWidget(body)
        self._make_story_fields()
        self._make_entities()
        self._make_structured_fields()
        self._form.addStretch(1)

    def _make_story_fields(self) -> None:
        self.summary = self._text(self.tr("Summary"), 118, "summary")
        pair = QHBoxLayout()
        pair.setSpacing(12)
        self.time = self._line(self.tr("Story time"), "time_anchor", pair)
        self.place = self._line(self.tr("Place"), "location", pair)
        self._form.addLayout(pair)
        self._caption(self.tr("Keywords"))
        self.keywords = WordChips(self._look, self.tr("Keywords"))
        self.keywords.changed.connect(lambda words: self._edit_now(keywords=words))
        self._form.addWidget(self.keywords)
        self.details = self._text(self.tr("Details"), 74, "details")
        self._make_significance()
        if self.guard is not None:
            self._caption(self.tr("Only while this holds")).setBuddy(self.guard.line)
            self._form.addWidget(self.guard)
            self.guard.line.textEdited.connect(lambda text: self._edit(condition=text.strip()))
            self.guard.line.submitted.connect(self._editor.save)
            self.guard.line.left.connect(self._editor.save)

    def _make_significance(self) -> None:
        self._caption(self.tr("Significance"))
        line = QHBoxLayout()
        self.significance = QSlider(Qt.Orientation.Horizontal)
        self.significance.setRange(0, 100)
        self.significance.setPageStep(10)
        self.significance.setAccessibleName(self.tr("Significance"))
        self._significance_text = label("", "quiet")
        self._significance_text.setFixedWidth(40)
        line.addWidget(self.significance, 1)
        line.addWidget(self._significance_text)
        self._form.addLayout(line)
        self.significance.valueChanged.connect(self._on_significance)
        self.significance.sliderReleased.connect(self._editor.save)

    def _make_entities(self) -> None:
        self._caption(self.tr("Entities and relations"))
        self._entities = QWidget()
        self._entity_flow = FlowLayout(self._entities)
        self._form.addWidget(self._entities)
        self._relations = QWidget()
        self._relation_lines = column(self._relations, 0, 4)
        self._form.addWidget(self._relations)

    def _make_structured_fields(self) -> None:
        self.structured_button = kind_button("plain", self.tr("Structured fields"))
        self._look.set_icon(self.structured_button, "right")
        self.structured_button.setCheckable(True)
        self._form.addWidget(self.structured_button)
        self._structured = QWidget()
        outer, self._form = self._form, column(self._structured, 0, 6)
        self.role = self._kv_words(self.tr("Roles"), "role")
        self.kv_event = self._kv_text(self.tr("Event"), "event")
        self.logic = self._kv_words(self.tr("Logic"), "logic")
        self.causality = self._kv_text(self.tr("Causality"), "causality")
        self._form = outer
        self._form.addWidget(self._structured)
        self._structured.hide()
        self.structured_button.toggled.connect(self._on_structured_toggled)

    def _caption(self, text: str, layout: QVBoxLayout | None = None) -> QLabel:
        caption = label(text, "section")
        caption.setContentsMargins(0, 8, 0, 0)
        (layout or self._form).addWidget(caption)
        return caption

    def _text(self, name: str, height: int, field: str) -> TextField:
        caption = self._caption(name)
        field_widget = TextField(name)
        caption.setBuddy(field_widget)
        field_widget.setFixedHeight(height)
        field_widget.textChanged.connect(lambda: self._edit(**{field: field_widget.toPlainText()}))
        field_widget.left.connect(self._editor.save)
        self._form.addWidget(field_widget)
        return field_widget

    def _line(self, name: str, field: str, row: QHBoxLayout) -> LineField:
        cell = QVBoxLayout()
        cell.setSpacing(4)
        caption = self._caption(name, cell)
        field_widget = LineField()
        field_widget.setAccessibleName(name)
        caption.setBuddy(field_widget)
        field_widget.textEdited.connect(lambda text: self._edit(**{field: text}))
        field_widget.submitted.connect(self._editor.save)
        field_widget.left.connect(self._editor.save)
        cell.addWidget(field_widget)
        row.addLayout(cell, 1)
        return field_widget

    def _kv_text(self, name: str, field: str) -> TextField:
        self._caption(name)
        field_widget = TextField(name)
        field_widget.setFixedHeight(56)
        field_widget.textChanged.connect(
            lambda: self._edit_kv(**{field: field_widget.toPlainText()})
        )
        field_widget.left.connect(self._editor.save)
        self._form.addWidget(field_widget)
        return field_widget

    def _kv_words(self, name: str, field: str) -> WordChips:
        self._caption(name)
        chips = WordChips(self._look, name)

        def take(words: tuple[str, ...]) -> None:
            self._edit_kv(**{field: words})
            self._editor.save()

        chips.changed.connect(take)
        self._form.addWidget(chips)
        return chips

    def show_event(self, event: EventNode) -> None:
        self._is_filling = True
        data, kv = event.raw_data, event.structured_kv
        fill(self.summary, event.summary)
        fill(self.details, data.details)
        fill(self.kv_event, kv.event)
        fill(self.causality, kv.causality)
        fill(self.time, data.timestamp)
        fill(self.place, data.location)
        self.keywords.show_words(data.keywords)
        self.role.show_words(kv.role)
        self.logic.show_words(kv.logic)
        self.significance.setValue(round(event.significance_score * 100))
        self._significance_text.setText(f"{event.significance_score:.2f}")
        if self.guard is not None:
            self.guard.show_condition(event.condition)
        self._show_entities(event)
        self._is_filling = False

    def add_below(self, part: QWidget) -> None:
        """Add a widget below the fields."""
        self._form.insertWidget(self._form.count() - 1, part)  # above the stretch

    def focus_summary(self) -> None:
        self.summary.setFocus()
        self.summary.selectAll()

    def _show_entities(self, event: EventNode) -> None:
        clear_layout(self._entity_flow)
        clear_layout(self._relation_lines)
        types = {e.name: e.type for e in event.raw_data.entities}
        for name, kind in types.items():
            self._entity_flow.addWidget(chip(self._look, name, TYPE_TINTS.get(kind, "grey")))
        if not types:
            self._entity_flow.addWidget(label(self.tr("None named"), "quiet"))
        for relation in event.raw_data.relations:
            line = QWidget()
            words = FlowLayout(line)
            for text, tint in (
                (relation.subject, TYPE_TINTS.get(types.get(relation.subject, ""), "grey")),
                (relation.predicate, ""),
                (relation.object, TYPE_TINTS.get(types.get(relation.object, ""), "grey")),
            ):
                words.addWidget(chip(self._look, text, tint) if tint else label(text, "quiet"))
            self._relation_lines.addWidget(line)

    def _edit(self, **values: object) -> None:
        if not self._is_filling:
            self._editor.edit(**values)

    def _edit_now(self, **values: object) -> None:
        self._edit(**values)
        self._editor.save()

    def _edit_kv(self, **values: object) -> None:
        if not self._is_filling and self._editor.current is not None:
            self._editor.edit(structured_kv=replace(self._draft_kv(), **values))  # type: ignore[arg-type]  # fields of StructuredKv

    def _draft_kv(self) -> extraction.StructuredKv:
        event = self._editor.current
        return extraction.StructuredKv(
            time_anchor=event.structured_kv.time_anchor if event else "",
            location=event.structured_kv.location if event else "",
            role=self.role.words,
            event=self.kv_event.toPlainText(),
            logic=self.logic.words,
            causality=self.causality.toPlainText(),
        )

    def _on_significance(self, value: int) -> None:
        self._significance_text.setText(f"{value / 100:.2f}")
        self._edit(significance_score=value / 100)

    def _on_structured_toggled(self, shown: bool) -> None:  # noqa: FBT001 - Qt's signal
        self._structured.setVisible(shown)
        self._look.set_icon(self.structured_button, "down" if shown else "right")


# Several events selected: the count, and the fields they share. Differing values are "mixed".
#
# A field changes all of them when it loses the focus or Enter is pressed: each change is one step
# undo.


class ManyPanel(QScrollArea):
    def __init__(self, look: Look, many: EventMany, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._many = many
        self._shared = SharedFields()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its children take the focus
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self._form = column(body, 0, 6)
        self._form.setContentsMargins(20, 14, 16, 20)
        self.setWidget(body)
        self.title = label("", "heading")
        self._form.addWidget(self.title)
        hint = self.tr("What you change here changes in all of them, as one step.")
        self._form.addWidget(label(hint, "quiet", wrap=True))
        self._fields = QWidget()
        self._form.addWidget(self._fields)
        outer, self._form = self._form, column(self._fields, 0, 6)
        self._make_marks()
        self._make_story()
        self._make_keywords()
        self._form = outer
        self._form.addStretch(1)
        many.chosen.connect(self._on_chosen)
        many.read.connect(self._show)
        self._on_chosen(len(many.keys))

    def _make_marks(self) -> None:
        self.archived = TickField(self.tr("Archived (green lamp)"))
        self.archived.changed.connect(lambda on: self._many.set_archived(archived=on))
        self.confirmed = TickField(self.tr("Confirmed by you"))
        self.confirmed.changed.connect(lambda on: self._many.set_confirmed(confirmed=on))
        self.locked = TickField(self.tr("Locked"))
        self.locked.changed.connect(lambda on: self._many.set_locked(locked=on))
        for tick in (self.archived, self.confirmed, self.locked):
            self._form.addWidget(tick)
        self._locked_hint = label("", "quiet", wrap=True)
        self._form.addWidget(self._locked_hint)

    def _make_story(self) -> None:
        self._story = QWidget()
        self._form.addWidget(self._story)
        grid = QGridLayout(self._story)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        mixed = self.tr("Mixed: what is typed replaces it in all")
        self.time = self._line(self.tr("Story time"), mixed)
        self.time.changed.connect(lambda text: self._many.edit(SharedPatch(time_anchor=text)))
        self.place = self._line(self.tr("Place"), mixed)
        self.place.changed.connect(lambda text: self._many.edit(SharedPatch(location=text)))
        self.kind = ChoiceField(kind_names())
        self.kind.setAccessibleName(self.tr("Kind"))
        self.kind.setPlaceholderText(self.tr("Mixed"))
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kind.chosen.connect(lambda kind: self._many.edit(SharedPatch(kind=kind)))
        cells: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Story time"), self.time),
            (self.tr("Place"), self.place),
            (self.tr("Kind"), self.kind),
            (self.tr("Significance"), self._make_significance()),
        )
        for row, (name, field) in enumerate(cells):
            caption = label(name, "section")
            caption.setBuddy(field)
            grid.addWidget(caption, 2 * row, 0)
            grid.addWidget(field, 2 * row + 1, 0)

    def _line(self, name: str, mixed: str) -> TextLine:
        """Make a line that is saved when it loses the focus: half a word is not put into many."""
        field = TextLine(name, mixed)
        field.rested.disconnect(field.save)
        return field

    def _make_significance(self) -> QWidget:
        cell = QWidget()
        line = column(cell, 0, 2)
        self.significance = QSlider(Qt.Orientation.Horizontal)
        self.significance.setRange(0, 100)
        self.significance.setPageStep(10)
        self.significance.setTracking(False)  # a drag is one change, made on release
        self.significance.setAccessibleName(self.tr("Significance"))
        self.significance.valueChanged.connect(
            lambda value: self._many.edit(SharedPatch(significance_score=value / 100))
        )
        self.significance.sliderMoved.connect(lambda value: self._say_score(f"{value / 100:.2f}"))
        self._score = label("", "quiet")
        line.addWidget(self.significance)
        line.addWidget(self._score)
        return cell

    def _make_keywords(self) -> None:
        self._keywords = QWidget()
        self._form.addWidget(self._keywords)
        rows: QVBoxLayout = column(self._keywords, 0, 6)
        rows.addWidget(label(self.tr("Keywords"), "section"))
        chips = QWidget()
        self._chips = FlowLayout(chips)
        rows.addWidget(chips)
        self.keyword = LineField(self.tr("Add a keyword to all"))
        self.keyword.setAccessibleName(self.tr("Add a keyword to all"))
        self.keyword.submitted.connect(self._add_keywords)
        self.keyword.left.connect(self._add_keywords)
        rows.addWidget(self.keyword)

    @Slot(int)
    def _on_chosen(self, count: int) -> None:
        self.title.setText(self.tr("%n event(s) selected", "", count))
        self._fields.setEnabled(False)  # disabled until the shared values are read

    @Slot(object)
    def _show(self, shared: SharedFields) -> None:
        self._shared = shared
        self._fields.setEnabled(shared.count > 0)
        if not shared.count:
            return
        self._show_mark(self.archived, self.tr("Archived (green lamp)"), shared.archived)
        self.archived.setEnabled(shared.outlines < shared.count)
        self._show_mark(self.confirmed, self.tr("Confirmed by you"), shared.confirmed)
        self._show_mark(self.locked, self.tr("Locked"), shared.locked)
        locked = self.tr("%n of them are locked: what they say stays.", "", shared.locked)
        self._locked_hint.setText(locked)
        self._locked_hint.setVisible(shared.locked > 0)
        for part in (self._story, self._keywords):
            part.setEnabled(shared.locked < shared.count)
        self.time.show_values(shared.times)
        self.place.show_values(shared.places)
        self.kind.show_values(shared.kinds)
        self._show_score(shared.scores)
        self._show_keywords(shared)

    def _show_mark(self, tick: TickField, name: str, count: int) -> None:
        """Show a mark; if only some events have it, its label has the count."""
        of = self._shared.count
        tick.show_values({is_on for is_on, n in ((True, count), (False, of - count)) if n})
        some = self.tr("{mark} · {n} of {all}").format(mark=name, n=count, all=of)
        tick.setText(some if 0 < count < of else name)

    def _show_score(self, scores: tuple[float, ...]) -> None:
        with QSignalBlocker(self.significance):
            self.significance.setValue(round(sum(scores) / len(scores) * 100))
        low, high = min(scores), max(scores)
        mixed = self.tr("Mixed: {low} to {high}").format(low=f"{low:.2f}", high=f"{high:.2f}")
        self._say_score(f"{low:.2f}" if len(scores) == 1 else mixed)

    def _say_score(self, text: str) -> None:
        self._score.setText(text)

    def _show_keywords(self, shared: SharedFields) -> None:
        clear_layout(self._chips)
        for word, count in shared.keywords:
            chip = WordChip(self._look, word)
            if count < shared.count:  # not all events have it
                chip.setText(literal(f"{word} {count}/{shared.count}"))
            chip.setToolTip(self.tr("Remove this keyword from all of them"))
            chip.removed.connect(self._remove_keyword)
            self._chips.addWidget(chip)
        if not shared.keywords:
            self._chips.addWidget(label(self.tr("None"), "quiet"))

    @Slot()
    def _add_keywords(self) -> None:
        text = self.keyword.text().replace("，", ",").replace("、", ",")
        words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
        if words:
            self.keyword.clear()
            self._many.edit(SharedPatch(add_keywords=words))

    @Slot(str)
    def _remove_keyword(self, word: str) -> None:
        self.keyword.setFocus()
        self._many.edit(SharedPatch(remove_keywords=(word,)))
