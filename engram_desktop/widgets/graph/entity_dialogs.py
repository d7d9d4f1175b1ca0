"""Small dialogs about an entity: merge it, link it, end a relation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from engram_desktop.domain.graph.entity import EntityNode, Suggestion
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor, RelationRow
from engram_desktop.viewmodels.graph.gap_finder import SameInbox
from engram_desktop.viewmodels.graph.graph_view import type_noun
from engram_desktop.viewmodels.reading.text_marks import RelationPassage
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.fields.filtered import ElidedBox
from engram_desktop.widgets.parts.fields.text_fields import LineField, completions
from engram_desktop.widgets.parts.layouts import add_row, clear_layout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState
from engram_desktop.widgets.parts.pieces import label, literal, text_button


class EntityField(LineField):
    """A field for the name of another entity, with completion."""

    def __init__(self, editor: EntityEditor, placeholder: str, *, is_any: bool = False) -> None:
        """``is_any``: the entity shown may be chosen too."""
        super().__init__(placeholder)
        self._editor = editor
        self._is_any = is_any
        self.setAccessibleName(placeholder)
        editor.names_read.connect(self._on_names)
        editor.read_names()

    @property
    def entity_id(self) -> str | None:
        find = self._editor.find_any_id if self._is_any else self._editor.find_id
        return find(self.text())

    @Slot(object)
    def _on_names(self, names: list[str]) -> None:
        if self._is_any:
            names = [*self._editor.shown_names, *names]
        self.setCompleter(completions(QStringListModel(names, self), self))
        self.textChanged.emit(self.text())  # what is typed may now be a name


class MergeDialog(FramedDialog):
    def __init__(self, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=460)
        self._editor = editor
        name = editor.entity.name if editor.entity else ""
        self.set_title(self.tr("Merge “{name}” into…").format(name=name))
        hint = self.tr("Its names, events and relations move over. Undo takes it back.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.field = EntityField(editor, self.tr("The entity it is"))
        self.body.addWidget(self.field)
        self.add_close(self.tr("Cancel"))
        self.merge_button = self.add_button(self.tr("Merge"), "main")
        self.merge_button.clicked.connect(self._merge)
        self.field.textChanged.connect(self._update_buttons)
        self.field.submitted.connect(self._merge)
        self._update_buttons()
        self.field.setFocus()

    def _update_buttons(self) -> None:
        self.merge_button.setEnabled(self.field.entity_id is not None)

    def _merge(self) -> None:
        target = self.field.entity_id
        if target is not None:
            self._editor.merge_into(target)
            self.close()


class AddRelationDialog(FramedDialog):
    def __init__(self, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=460)
        self._editor = editor
        name = editor.entity.name if editor.entity else ""
        self.set_title(self.tr("Add a relation of “{name}”").format(name=name))
        self.direction = ElidedBox()
        self.direction.addItem(self.tr("{name} → the other").format(name=name))
        self.direction.addItem(self.tr("The other → {name}").format(name=name))
        add_row(self.body, self.tr("Direction"), self.direction)
        self.words = LineField(self.tr("For example: trusts, lives in, friend"))
        self.words.setAccessibleName(self.tr("Words"))
        add_row(self.body, self.tr("Words"), self.words)
        self.other = EntityField(editor, self.tr("The other entity"))
        add_row(self.body, self.tr("The other entity"), self.other)
        hint = self.tr("It holds from the newest floor on, until the story says otherwise.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.add_close(self.tr("Cancel"))
        self.add_it = self.add_button(self.tr("Add"), "main")
        self.add_it.clicked.connect(self._add)
        self.words.textChanged.connect(self._update_buttons)
        self.other.textChanged.connect(self._update_buttons)
        self.other.submitted.connect(self._add)
        self.typed = {"words": self.words, "other": self.other}
        self._update_buttons()
        self.words.setFocus()

    def _update_buttons(self) -> None:
        self.add_it.setEnabled(bool(self.words.text().strip()) and self.other.entity_id is not None)

    def _add(self) -> None:
        other = self.other.entity_id
        if other is not None and self.words.text().strip():
            is_outgoing = self.direction.currentIndex() == 0
            self._editor.add_relation(self.words.text(), other, is_outgoing=is_outgoing)
            self.close()


class PassageRelationDialog(FramedDialog):
    """Dialog for a relation from words of a message: both ends are filled in from the words."""

    def __init__(
        self,
        editor: EntityEditor,
        passage: RelationPassage,
        relate: Callable[[str, str, str], object],
        parent: QWidget | None = None,
    ) -> None:
        """``relate`` is called with the ids of both entities, and between them the predicate."""
        super().__init__(parent, width=460)
        self._relate = relate
        self.set_title(self.tr("Make a relation of these words"))
        quote = " ".join(passage.words.split())
        shown = quote if len(quote) <= ABOUT_CHARS else f"{quote[:ABOUT_CHARS]}…"
        source = self.tr("Floor {floor}: “{words}”").format(floor=passage.floor, words=shown)
        self.source = label(literal(source), "quiet", wrap=True)
        self.source.setToolTip(literal(quote))
        self.body.addWidget(self.source)
        self.one = EntityField(editor, self.tr("Who or what"), is_any=True)
        self.words = LineField(self.tr("For example: trusts, lives in, friend"))
        self.words.setAccessibleName(self.tr("Words"))
        self.other = EntityField(editor, self.tr("The other entity"), is_any=True)
        add_row(self.body, self.tr("Who or what"), self.one)
        add_row(self.body, self.tr("Words"), self.words)
        add_row(self.body, self.tr("The other entity"), self.other)
        for field, name in zip((self.one, self.other), passage.names, strict=False):
            field.setText(name)
        self.swap_button = text_button(self.tr("Swap the two"))
        self.swap_button.clicked.connect(self._swap)
        self.body.addWidget(self.swap_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.hint = label("", "quiet", wrap=True)
        self.body.addWidget(self.hint)
        self.add_close(self.tr("Cancel"))
        self.add_it = self.add_button(self.tr("Add"), "main")
        self.add_it.clicked.connect(self._add)
        self._floor = passage.floor
        fields: tuple[LineField, ...] = (self.one, self.words, self.other)
        for line in fields:
            line.textChanged.connect(self._update_buttons)
            line.submitted.connect(self._add)
        self.typed = {"one": self.one, "words": self.words, "other": self.other}
        self._update_buttons()
        next((line for line in fields if not line.text()), self.words).setFocus()

    @property
    def _ends(self) -> tuple[str, str] | None:
        one, other = self.one.entity_id, self.other.entity_id
        return None if one is None or other is None or one == other else (one, other)

    @Slot()
    def _update_buttons(self) -> None:
        self.add_it.setEnabled(bool(self.words.text().strip()) and self._ends is not None)
        unknown = [
            field.text().strip()
            for field in (self.one, self.other)
            if field.text().strip() and field.entity_id is None
        ]
        if unknown:
            text = self.tr("Not in the graph: {names}. Select the name in the text and press N.")
            self.hint.setText(literal(text.format(names=listed(unknown))))
        else:
            text = self.tr("It holds from floor {floor} on, until the story says otherwise.")
            self.hint.setText(text.format(floor=self._floor))

    @Slot()
    def _swap(self) -> None:
        one, other = self.one.text(), self.other.text()
        self.one.setText(other)
        self.other.setText(one)

    @Slot()
    def _add(self) -> None:
        words = self.words.text().strip()
        if words and self._ends is not None:
            one, other = self._ends
            self._relate(one, words, other)
            self.close()


class RewordDialog(FramedDialog):
    def __init__(
        self, editor: EntityEditor, row: RelationRow, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, width=420)
        self._editor = editor
        self._row = row
        self.set_title(self.tr("Reword the relation"))
        self.fact = label(row.fact, wrap=True)
        self.body.addWidget(self.fact)
        self.words = LineField()
        self.words.setAccessibleName(self.tr("Words"))
        self.words.setText(row.relation.predicate)
        self.words.selectAll()
        self.body.addWidget(self.words)
        self.add_close(self.tr("Cancel"))
        self.save_button = self.add_button(self.tr("Save"), "main")
        self.save_button.clicked.connect(self._save)
        self.words.submitted.connect(self._save)
        self.typed = {"words": self.words}
        self.words.setFocus()

    def _save(self) -> None:
        words = self.words.text().strip()
        if words:
            if words != self._row.relation.predicate:
                self._editor.reword(self._row.relation.id, words)
            self.close()


class EndDialog(FramedDialog):
    def __init__(
        self,
        editor: EntityEditor,
        row: RelationRow,
        floors: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=420)
        self._editor = editor
        self._row = row
        self.set_title(self.tr("At which floor did this end?"))
        self.fact = label(row.fact, wrap=True)
        self.body.addWidget(self.fact)
        self.floor = QSpinBox()
        self.floor.setRange(row.relation.valid_from or 0, max(row.relation.valid_from or 0, floors))
        self.floor.setValue(floors)
        self.floor.setAccessibleName(self.tr("Floor"))
        add_row(self.body, self.tr("Floor"), self.floor)
        hint = self.tr("It stays visible as what was before.")
        self.body.addWidget(label(hint, "quiet", wrap=True))
        self.add_close(self.tr("Cancel"))
        self.end_button = self.add_button(self.tr("It ended here"), "main")
        self.end_button.clicked.connect(self._end)
        self.floor.setFocus()

    def _end(self) -> None:
        self._editor.end_relation(self._row.relation.id, self.floor.value())
        self.close()


# Suggestions that two entities are the same: side by side, with reasons; the user decides.


MOST_SHOWN = 30
ABOUT_CHARS = 120


class SamePage(QWidget):
    entity_wanted = Signal(str)

    def __init__(self, look: Look, inbox: SameInbox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inbox = inbox
        self._put_off: list[str] = []  # "later": listed last, until the page is made again
        self._stack = QStackedLayout(self)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        self.cards = column(body, 0, 12)
        self.cards.setContentsMargins(0, 4, 10, 12)
        scroll.setWidget(body)
        self.empty = EmptyState(look, "check")
        self.empty.say(
            self.tr("No two entities look like one"),
            self.tr("Names that resemble each other are asked about when memory is consolidated."),
            self.tr("Look through the whole graph"),
        )
        self.empty.acted.connect(inbox.look_again)
        self._stack.addWidget(scroll)
        self._stack.addWidget(self.empty)
        inbox.changed.connect(self.show_waiting)
        self.show_waiting(inbox.waiting)

    def show_waiting(self, waiting: Sequence[Suggestion]) -> None:
        """Show the current suggestions, postponed ones last."""
        clear_layout(self.cards)
        ordered = sorted(waiting, key=lambda s: s.id in self._put_off)
        for suggestion in ordered[:MOST_SHOWN]:
            card = SuggestionCard(suggestion)
            card.merge_wanted.connect(self._inbox.accept)
            card.apart_wanted.connect(self._inbox.dismiss)
            card.later_wanted.connect(self._put_it_off)
            card.entity_wanted.connect(self.entity_wanted)
            self.cards.addWidget(card)
        if len(waiting) > MOST_SHOWN:
            rest = self.tr("and %n more", "", len(waiting) - MOST_SHOWN)
            self.cards.addWidget(label(rest, "quiet"))
        self.cards.addStretch(1)
        self._stack.setCurrentIndex(0 if waiting else 1)

    def _put_it_off(self, suggestion: Suggestion) -> None:
        self._put_off.append(suggestion.id)
        self.show_waiting(self._inbox.waiting)


class SuggestionCard(QFrame):
    """Two entities; choosing a name merges both under it."""

    merge_wanted = Signal(object, object)  # Suggestion, EntityNode whose name stays
    apart_wanted = Signal(object)
    later_wanted = Signal(object)
    entity_wanted = Signal(str)

    def __init__(self, suggestion: Suggestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        layout = column(self, 14, 10)
        pair = QHBoxLayout()
        pair.setSpacing(12)
        both = (suggestion.one, suggestion.other)
        for entity in both:
            pair.addWidget(self._side(entity), 1)
        layout.addLayout(pair)
        for reason in suggestion.reasons:
            layout.addWidget(label(f"· {translated(reason)}", "quiet", wrap=True))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        self.merge_buttons = []
        for number, entity in enumerate(both):
            text = self.tr("Merge as “{name}”").format(name=literal(entity.name))
            button = text_button(text, "main" if number == 0 else "")
            button.clicked.connect(
                lambda _checked=False, survivor=entity: self.merge_wanted.emit(suggestion, survivor)
            )
            self.merge_buttons.append(button)
            foot.addWidget(button)
        foot.addStretch(1)
        self.later_button = text_button(self.tr("Later"))
        self.later_button.clicked.connect(lambda: self.later_wanted.emit(suggestion))
        self.apart_button = text_button(self.tr("Not the same"))
        self.apart_button.clicked.connect(lambda: self.apart_wanted.emit(suggestion))
        foot.addWidget(self.later_button)
        foot.addWidget(self.apart_button)
        layout.addLayout(foot)

    def _side(self, entity: EntityNode) -> QWidget:
        card = LiveCard()
        inner: QVBoxLayout = column(card, 10, 3)
        inner.addWidget(label(entity.name, "heading", wrap=True))
        parts = [type_noun(entity.type), self.tr("%n event(s)", "", entity.event_count)]
        inner.addWidget(label(" · ".join(parts), "hint"))
        if entity.aliases:
            names = self.tr("also {names}").format(names=listed(entity.aliases))
            inner.addWidget(label(names, "hint", wrap=True))
        about = " ".join(entity.description.split())
        if about:
            about = about if len(about) <= ABOUT_CHARS else f"{about[:ABOUT_CHARS]}…"
            inner.addWidget(label(about, "quiet", wrap=True))
        inner.addStretch(1)
        card.setAccessibleName(f"{entity.name}. {' · '.join(parts)}")
        card.opened.connect(lambda: self.entity_wanted.emit(entity.id))
        return card
