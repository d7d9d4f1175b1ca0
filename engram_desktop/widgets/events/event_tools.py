"""The line of tools above the events: search, facets, sort order, and what opens a dialog."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QMenu, QToolButton, QWidget
from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.event_words import sort_names
from engram_desktop.viewmodels.search.library_finder import SavedFilters, query_of
from engram_desktop.widgets.events.facet_bar import FacetBar, FacetStrip
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import icon_button, kind_button, literal

TIGHT = 460  # pixels: below it the order is an arrow, and its tooltip has the words


ICONS = {
    "cards": "events",
    "table": "table",
    "outlines": "outline",
    "people": "people",
    "days": "calendar",
}


class EventSearch(SearchField):
    """Backspace in an empty field takes the last facet out."""

    erased = Signal()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace and not self.text() and not self.is_composing:
            self.erased.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


class EventTools(QWidget):
    add_wanted = Signal()
    bin_wanted = Signal()
    replace_wanted = Signal()
    duplicates_wanted = Signal()
    shape_wanted = Signal(str)

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._events = events
        self._is_narrow: bool | None = None
        self._filters: SavedFilters | None = None
        self.search = EventSearch(look, self.tr("Search events"))
        self.search.setMinimumWidth(150)
        self.search.setMaximumWidth(280)
        self.facets = FacetBar(look, events, self)
        self.strip = FacetStrip(look, events, self)
        self.search.erased.connect(self.strip.remove_last)
        self.strip.left.connect(self.search.setFocus)
        self._line = QGridLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(8)
        self._line.setColumnStretch(0, 1)
        self._line.addWidget(self.search, 0, 0)
        self._line.addWidget(self.strip, 2, 0, 1, 6)
        self._make_sort()
        self.view_button = icon_button(look, "events", self.tr("How events are shown"))
        self.view_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._make_shapes()
        self._line.addWidget(self.view_button, 0, 3)
        self._add_tools()
        self.facets.resized.connect(self._place)
        events.query_changed.connect(self._show_query)
        self._show_query(events.query)
        self._place()

    def _make_sort(self) -> None:
        self.sort_button = kind_button("plain", "", checkable=False)
        self.sort_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sort_button.setAccessibleName(self.tr("Sort order"))
        self._look.dress(self.sort_button, "down")
        self.sort_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        menu = QMenu(self)
        for order, text in sort_names().items():
            menu.addAction(text).triggered.connect(
                lambda _checked=False, o=order: self._events.sort(o)
            )
        menu.addSeparator()
        self.reverse_action = menu.addAction(self.tr("The other way round"))
        self.reverse_action.setCheckable(True)
        self.reverse_action.triggered.connect(self._reverse)
        self.sort_button.setMenu(menu)
        self._line.addWidget(self.sort_button, 0, 2)

    def _make_shapes(self) -> None:
        menu = QMenu(self)
        group = QActionGroup(menu)
        self.shape_actions = {}
        for shape, text in (
            ("cards", self.tr("Cards")),
            ("table", self.tr("Table")),
            ("outlines", self.tr("Outlines and their parts")),
            ("people", self.tr("Who was there")),
            ("days", self.tr("Days of the story")),
        ):
            action = menu.addAction(self._look.icon(ICONS[shape]), text)
            action.setCheckable(True)
            action.setChecked(shape == "cards")
            action.triggered.connect(lambda _checked=False, s=shape: self.shape_wanted.emit(s))
            group.addAction(action)
            self.shape_actions[shape] = action
        self.view_button.setMenu(menu)

    def show_shape(self, shape: str) -> None:
        """Say which shape is shown."""
        self.shape_actions[shape].setChecked(True)
        self._look.dress(self.view_button, ICONS[shape])

    def _add_tools(self) -> None:
        """Put what opens a dialog at the right."""
        self.add_button = icon_button(self._look, "plus", self.tr("Write an event or a fact…"))
        self.add_button.clicked.connect(self.add_wanted)
        self._line.addWidget(self.add_button, 0, 4)
        self.more_button = icon_button(self._look, "more", self.tr("More about these events"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more_menu = QMenu(self)
        self.replace_action, self.same_action, self.bin_action = (
            self.more_menu.addAction(self._look.icon(icon), name, wanted)
            for icon, name, wanted in (
                ("replace", self.tr("Find and replace…"), self.replace_wanted.emit),
                ("copy", self.tr("Events that tell the same…"), self.duplicates_wanted.emit),
                ("trash", self.tr("Deleted events…"), self.bin_wanted.emit),
            )
        )
        self.more_button.setMenu(self.more_menu)
        self._line.addWidget(self.more_button, 0, 5)

    def take_filters(self, filters: SavedFilters) -> None:
        """Let what is filtered and sorted be kept, and opened again from the menu."""
        self._filters = filters
        self.more_menu.addSeparator()
        self.save_action = self.more_menu.addAction(
            self._look.icon("bookmark"), self.tr("Keep this filter in the sidebar")
        )
        self.save_action.triggered.connect(self._save_filter)
        self.filter_menu = QMenu(self.tr("Kept filters"), self)
        self.more_menu.addMenu(self.filter_menu)
        self.strip.save_wanted.connect(self._save_filter)
        self.more_menu.aboutToShow.connect(self._fill_filters)
        self._fill_filters()

    @Slot()
    def _save_filter(self) -> None:
        if self._filters is not None:
            self._filters.save(self._events.query)

    @Slot()
    def _fill_filters(self) -> None:
        saved = self._filters.saved if self._filters is not None else []
        self.filter_menu.clear()
        for text, name in saved:
            self.filter_menu.addAction(literal(name)).triggered.connect(
                lambda _checked=False, t=text: self.open_filter(t)
            )
        self.filter_menu.setEnabled(bool(saved))

    def open_filter(self, text: str) -> None:
        """Filter and sort as it was kept."""
        query = query_of(text)
        self.search.setText(query.text)
        self._events.open(query)

    @Slot()
    def _reverse(self) -> None:
        query = self._events.query
        self._events.sort(query.sort, is_reversed=not query.is_reversed)

    @Slot(object)
    def _show_query(self, query: EventQuery) -> None:
        arrow = " ↑" if query.is_reversed else ""
        self.sort_button.setText(sort_names()[query.sort] + arrow)
        self.sort_button.setToolTip(self.sort_button.text())
        self.reverse_action.setChecked(query.is_reversed)
        if not query.text and self.search.text().strip():
            self.search.clear()

    @Slot()
    def _place(self) -> None:
        """Put the facets beside the search field, or below it where there is no room."""
        is_tight = self.width() < TIGHT
        style = Qt.ToolButtonStyle
        self.sort_button.setToolButtonStyle(
            style.ToolButtonIconOnly if is_tight else style.ToolButtonTextBesideIcon
        )
        room = self.facets.room
        others = (self.search.minimumWidth(), self.sort_button.sizeHint().width(), 140)
        is_narrow = self.width() < room + sum(others)
        self.facets.setMinimumWidth(0 if is_narrow else room)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._line.addWidget(self.facets, *((1, 0, 1, 6) if is_narrow else (0, 1)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
