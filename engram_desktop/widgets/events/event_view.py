"""The list of event cards: Space toggles lamps, a click on a lamp toggles that one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget
from typing_extensions import override

from engram_desktop.viewmodels.events.event_list import EventList, EventListModel
from engram_desktop.viewmodels.workspace.paged_list import RowRole
from engram_desktop.widgets.events.event_card import EventCard
from engram_desktop.widgets.parts.cards.card_table import CardTable
from engram_desktop.widgets.parts.look.look import Look


class EventView(CardTable):
    toggle_wanted = Signal()

    def __init__(
        self,
        look: Look,
        events: EventList,
        parent: QWidget | None = None,
        *,
        rows: EventListModel | None = None,
    ) -> None:
        super().__init__(look, events.model if rows is None else rows, parent)
        self.setAccessibleName(self.tr("Events"))
        self.card = EventCard(look, self)
        self.card.lamp_clicked.connect(events.toggle_lamp)
        self.setItemDelegate(self.card)

    def mark_words(self, words: Sequence[str]) -> None:
        """Mark these wherever they stand on the cards."""
        if tuple(words) != self.card.marked:
            self.card.marked = tuple(words)
            self.viewport().update()

    def show_from_the_top(self, *, is_search: bool) -> None:
        """Begin what was found at its first card; without a search, where the reader was."""
        current = self.currentIndex()
        if is_search or not current.isValid():
            self.scrollToTop()
        else:
            self.scrollTo(current, QAbstractItemView.ScrollHint.PositionAtCenter)

    def tip_at(self, at: QPoint) -> str:
        index = self.indexAt(at)
        event = index.data(RowRole) if index.isValid() else None
        return self.card.tip(self.visualRect(index), at, event) if event is not None else ""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.toggle_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)
