"""The inbox of entities that may be one: side by side, with reasons; the user decides."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from engram_desktop.domain.graph.entity import EntityNode, Suggestion
from engram_desktop.viewmodels.graph.graph_view import type_noun
from engram_desktop.viewmodels.graph.same_inbox import SameInbox
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.widgets.parts.basics.layouts import clear_layout, column
from engram_desktop.widgets.parts.basics.pieces import label, literal, text_button
from engram_desktop.widgets.parts.cards.live_card import LiveCard
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState

MOST_SHOWN = 30
ABOUT_CHARS = 120


class SamePage(QWidget):
    entity_wanted = Signal(str)

    def __init__(self, look: Look, inbox: SameInbox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inbox = inbox
        self._put_off: list[str] = []  # "later": behind the others, until the page is made anew
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
        """Show the suggestions anew, those put off last."""
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
    """Two entities; choosing a name merges them under it."""

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
            names = self.tr("also {names}").format(names="、".join(entity.aliases))
            inner.addWidget(label(names, "hint", wrap=True))
        about = " ".join(entity.description.split())
        if about:
            about = about if len(about) <= ABOUT_CHARS else f"{about[:ABOUT_CHARS]}…"
            inner.addWidget(label(about, "quiet", wrap=True))
        inner.addStretch(1)
        card.setAccessibleName(f"{entity.name}. {' · '.join(parts)}")
        card.opened.connect(lambda: self.entity_wanted.emit(entity.id))
        return card
