"""The relations of one entity: those that hold, then, folded away, those that ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from engram_desktop.domain.graph.supersession import STILL_TRUE
from engram_desktop.viewmodels.graph.entity_editor import EntityEditor, RelationRow
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import icon_button, kind_button, label, text_button
from engram_desktop.widgets.parts.cards.card_column import CardColumn
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look


class RelationList(QWidget):
    add_wanted = Signal()
    reword_wanted = Signal(object)  # RelationRow
    end_wanted = Signal(object)

    def __init__(self, look: Look, editor: EntityEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._editor = editor
        layout = column(self, 0, 6)
        self._now_column = CardColumn()
        self._now = self._now_column.cards
        layout.addWidget(self._now_column)
        self._none = label(self.tr("None"), "quiet")
        layout.addWidget(self._none)
        self.add_button = text_button(self.tr("Add a relation…"))
        self.add_button.clicked.connect(self.add_wanted)
        layout.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.before_button = kind_button("chip", "")
        self.before_button.toggled.connect(self._on_fold)
        layout.addWidget(self.before_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._past = CardColumn()
        self._before = self._past.cards
        layout.addWidget(self._past)
        self._folded: tuple[list[RelationRow], dict[str, RelationRow]] = ([], {})
        self.show_rows([])
        editor.relations_read.connect(self.show_rows)

    def show_rows(self, rows: Sequence[RelationRow]) -> None:
        """Show relations anew; the fold stays as it is."""
        current = [row for row in rows if row.relation.is_current]
        past = [row for row in rows if not row.relation.is_current]
        names = {row.relation.id: row for row in rows}
        self._fill(self._now_column, current, names)
        self._none.setVisible(not current)
        self._folded = (past, names)
        self._fill(self._past, past if self.before_button.isChecked() else [], names)
        self.before_button.setText(self.tr("Before ({count})").format(count=len(past)))
        self.before_button.setVisible(bool(past))
        self._past.setVisible(bool(past) and self.before_button.isChecked())

    def _fill(
        self, cards: CardColumn, rows: Sequence[RelationRow], names: dict[str, RelationRow]
    ) -> None:
        def card_of(row: RelationRow) -> QWidget:
            card = RelationCard(self._look, row, names.get(row.relation.superseded_by or ""))
            card.opened.connect(lambda other=row.other_id: self._editor.open_other(other))
            card.fill_menu.connect(self._fill_menu)
            return card

        cards.show_cards([partial(card_of, row) for row in rows])

    def _fill_menu(self, row: RelationRow, menu: QMenu) -> None:
        menu.clear()
        editor, relation = self._editor, row.relation
        reword = menu.addAction(self.tr("Reword…"))
        reword.triggered.connect(lambda: self.reword_wanted.emit(row))
        if relation.is_current:
            end = menu.addAction(self.tr("It ended…"))
            end.triggered.connect(lambda: self.end_wanted.emit(row))
        else:
            still_true = menu.addAction(self.tr("Still true"))
            still_true.triggered.connect(lambda: editor.end_relation(relation.id, STILL_TRUE))
        by_story = menu.addAction(self.tr("As the story tells"))
        by_story.triggered.connect(lambda: editor.end_relation(relation.id, None))
        menu.addSeparator()
        delete = menu.addAction(self.tr("Delete"))
        delete.triggered.connect(lambda: editor.delete_relation(relation.id))

    def _on_fold(self, is_open: bool) -> None:  # noqa: FBT001 - a Qt slot
        past, names = self._folded  # made when they are asked for: each takes a millisecond
        self._fill(self._past, past if is_open else [], names)
        self._past.setVisible(is_open)


class RelationCard(LiveCard):
    """One relation; a click goes to the entity at its other end."""

    fill_menu = Signal(object, object)  # RelationRow, QMenu

    def __init__(self, look: Look, row: RelationRow, ended_by: RelationRow | None) -> None:
        super().__init__()
        self._row = row
        inner = QHBoxLayout(self)
        inner.setContentsMargins(10, 6, 4, 6)
        inner.setSpacing(4)
        words = QVBoxLayout()
        words.setSpacing(1)
        predicate = row.relation.predicate
        text = f"{predicate} → {row.other}" if row.is_outgoing else f"← {predicate} · {row.other}"
        is_current = row.relation.is_current
        fact = label(text, "" if is_current else "quiet", wrap=True)
        font = fact.font()
        font.setStrikeOut(not is_current)
        fact.setFont(font)
        words.addWidget(fact)
        when = self._when(ended_by)
        if when:
            words.addWidget(label(when, "hint", wrap=True))
        inner.addLayout(words, 1)
        self.more = icon_button(look, "more", self.tr("Change this relation"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self.fill_menu.emit(row, menu))
        self.more.setMenu(menu)
        inner.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(f"{text}. {when}")

    def _when(self, ended_by: RelationRow | None) -> str:
        relation = self._row.relation
        parts = []
        if relation.is_by_hand and not relation.event_ids:
            parts.append(self.tr("by hand"))
        if relation.valid_from is not None and relation.is_current:
            parts.append(self.tr("since floor {floor}").format(floor=relation.valid_from))
        elif relation.valid_from is not None and relation.valid_to is not None:
            parts.append(
                self.tr("floors {first}–{last}").format(
                    first=relation.valid_from, last=relation.valid_to
                )
            )
        elif relation.valid_to is not None:
            parts.append(self.tr("until floor {floor}").format(floor=relation.valid_to))
        if len(relation.event_ids) > 1:
            parts.append(self.tr("told in %n event(s)", "", len(relation.event_ids)))
        if ended_by is not None:
            fact = f"{ended_by.relation.predicate} {ended_by.other}"
            parts.append(self.tr("then: {fact}").format(fact=fact))
        return " · ".join(parts)
