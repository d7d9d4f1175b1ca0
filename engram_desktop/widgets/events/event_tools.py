"""The tools above the list of events: search, filters, sort order, and buttons for dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QActionGroup, QContextMenuEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QMenu, QToolButton, QWidget
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.facets import (
    OUTLINE,
    WITH_FINDING,
    YES,
    Combining,
    Facet,
    FacetCube,
    FacetField,
    Facets,
)
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.search.library_finder import SavedFilters, query_of
from engram_desktop.viewmodels.workspace.choice_texts import (
    combining_help,
    combining_names,
    facet_value,
    facet_words,
    field_names,
    sort_names,
    strip_words,
)
from engram_desktop.widgets.parts.fields.filtered import FilteredMenu
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.layouts import FlowLayout, clear_layout
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pieces import icon_button, kind_button, label, literal

# How a click on a facet combines it with others: by the modifier keys, or from a menu.


_KEYS: tuple[tuple[Qt.KeyboardModifier, Combining], ...] = (
    (Qt.KeyboardModifier.AltModifier, "not"),
    (Qt.KeyboardModifier.ShiftModifier, "or"),
    (Qt.KeyboardModifier.ControlModifier, "and"),
)


def combining_held() -> Combining:
    """Return how the modifier keys held now combine a facet with others."""
    held = QApplication.keyboardModifiers()
    return next((how for key, how in _KEYS if held & key), "alone")


def open_combining(parent: QWidget, at: QPoint, choose: Callable[[Combining], object]) -> None:
    """Open the menu of ways to combine a facet, for use without modifier keys."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for how, text in combining_names().items():
        menu.addAction(text).triggered.connect(lambda _checked=False, h=how: choose(h))
    menu.popup(at)


# The facets of events to click on: chips with counts, and menus for the kinds with many facets.


CHIPS: dict[str, Facet] = {
    "buffer": Facet("status", "buffer"),
    "archived": Facet("status", "archived"),
    "outlines": Facet("level", OUTLINE),
    "stale": Facet("stale", YES),
    "locked": Facet("locked", YES),
}
OFTEN_NONE = ("outlines", "stale", "locked")  # chips that are shown only if such events exist
COLUMNS: tuple[FacetField, ...] = ("kind", "confidence", "extractor", "level")


class FacetChip(QToolButton):
    """One facet. A click combines it by the modifier keys held; a right click opens a menu."""

    chosen = Signal(object, str)  # Facet, Combining

    def __init__(self, facet: Facet) -> None:
        super().__init__()
        self.facet = facet
        self.setProperty("kind", "chip")
        self.setCheckable(True)
        self.setMinimumHeight(kind_button("chip", "").minimumHeight())
        self.setToolTip(combining_help())
        self.clicked.connect(lambda: self.chosen.emit(self.facet, combining_held()))

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.globalPos()
        open_combining(self, at, lambda how: self.chosen.emit(self.facet, how))
        event.accept()


class FacetBar(QWidget):
    """The chips of facets: checked if set, with the counts of the events listed."""

    resized = Signal()  # its chips need other room

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._events = events
        self._entities: list[EntityNode] = []
        flow = FlowLayout(self)
        self.all_chip = kind_button("chip", "")
        self.all_chip.clicked.connect(self._clear)
        flow.addWidget(self.all_chip)
        self.chips: dict[str, QToolButton] = {"total": self.all_chip}
        for name, facet in CHIPS.items():
            chip = FacetChip(facet)
            chip.chosen.connect(events.choose)
            self.chips[name] = chip
            flow.addWidget(chip)
        self.entity_chip, self.entity_menu = self._menu_chip(self.tr("Entity"))
        self.more_chip, self.more_menu = self._menu_chip(self.tr("More filters"))
        flow.addWidget(self.entity_chip)
        flow.addWidget(self.more_chip)
        self.entity_chip.clicked.connect(self._open_entities)
        self.more_chip.clicked.connect(self._open_more)
        events.query_changed.connect(self._show_set)
        events.cube_changed.connect(self._show_counts)
        self._show_counts(events.cube)
        self._show_set()

    @property
    def room(self) -> int:
        """Return its width in one line, in pixels."""
        chips = [*self.chips.values(), self.entity_chip, self.more_chip]
        return sum(chip.sizeHint().width() + 6 for chip in chips if not chip.isHidden())

    def _menu_chip(self, text: str) -> tuple[QToolButton, FilteredMenu]:
        chip = kind_button("chip", text)
        self._look.set_icon(chip, "down")
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        chip.setToolTip(combining_help())
        menu = FilteredMenu(text, self)
        menu.picked.connect(self._choose)
        menu.menu_wanted.connect(self._ask)
        return chip, menu

    def offer_entities(self, entities: Sequence[EntityNode]) -> None:
        """Offer these in the menu of entities, the best connected first."""
        self._entities = list(entities)

    @Slot()
    def _clear(self) -> None:
        self._events.clear_filters_but_text()
        self._show_set()

    @Slot(object)
    def _choose(self, facet: Facet) -> None:
        self._events.choose(facet, combining_held())

    @Slot(object, QPoint)
    def _ask(self, facet: Facet, at: QPoint) -> None:
        menu = self.sender()

        def choose(how: str) -> None:
            if isinstance(menu, FilteredMenu):
                menu.hide()
            self._events.choose(facet, how)  # type: ignore[arg-type]  # from our own menu

        open_combining(self, at, choose)

    @Slot()
    def _open_entities(self) -> None:
        self._show_set()  # a click has checked the chip
        rows: list[tuple[str, Facet | None]] = []
        for entity in self._entities:
            facet = Facet("entity", entity.name)
            rows.append((f"{'✓ ' if self._is_set(facet) else ''}{entity.name}", facet))
        self.entity_menu.offer(rows or [(self.tr("No entity yet"), None)])
        self.entity_menu.open_below(self.entity_chip)

    @Slot()
    def _open_more(self) -> None:
        self._show_set()
        rows: list[tuple[str, Facet | None]] = []
        cube, names = self._events.cube, field_names()
        for field in COLUMNS:
            values = [v for v in cube.values(field) if (field, v) != ("level", "0")]
            if values:
                rows.append((names[field], None))
            for value in values:
                facet = Facet(field, value)
                mark = "✓ " if self._is_set(facet) else ""
                rows.append((f"{mark}{facet_value(facet)}  {cube.count(facet)}", facet))
        if rows:
            mark = "✓ " if self._is_set(WITH_FINDING) else ""
            rows.append((names["finding"], None))
            rows.append((f"{mark}{facet_value(WITH_FINDING)}", WITH_FINDING))
        words = self._events.words_at_top()
        if words:
            rows.append((names["keyword"], None))
        for word in words:
            facet = Facet("keyword", word)
            rows.append((f"{'✓ ' if self._is_set(facet) else ''}{word}", facet))
        self.more_menu.offer(rows or [(self.tr("No events yet"), None)])
        self.more_menu.open_below(self.more_chip)

    def _is_set(self, facet: Facet) -> bool:
        return facet in self._events.query.facets.wanted

    @Slot()
    def _show_set(self) -> None:
        facets: Facets = self._events.query.facets
        self.all_chip.setChecked(not facets)
        for name, facet in CHIPS.items():
            self.chips[name].setChecked(facet in facets.wanted)
        every = (*facets.wanted, *facets.excluded)
        self.entity_chip.setChecked(any(f.field == "entity" for f in every))
        others = (*COLUMNS, "keyword", "finding")
        self.more_chip.setChecked(any(f.field in others and f.value != OUTLINE for f in every))
        self._hide_none()

    @Slot(object)
    def _show_counts(self, cube: FacetCube) -> None:
        texts = {
            "total": self.tr("All {n}").format(n=cube.every),
            "buffer": self.tr("Buffer {n}").format(n=cube.count(CHIPS["buffer"])),
            "archived": self.tr("Archived {n}").format(n=cube.count(CHIPS["archived"])),
            "outlines": self.tr("Outlines {n}").format(n=cube.count(CHIPS["outlines"])),
            "stale": self.tr("Stale {n}").format(n=cube.count(CHIPS["stale"])),
            "locked": self.tr("Locked {n}").format(n=cube.count(CHIPS["locked"])),
        }
        for name, text in texts.items():
            self.chips[name].setText(text)
        for name, facet in CHIPS.items():
            self.chips[name].setAccessibleName(f"{texts[name]}. {facet_words(facet)}")
        self._hide_none()

    def _hide_none(self) -> None:
        facets, cube = self._events.query.facets, self._events.cube
        for name in OFTEN_NONE:
            facet = CHIPS[name]
            is_set = facet in facets.wanted or facet in facets.excluded
            self.chips[name].setVisible(is_set or cube.total(Facets(((facet,),))) > 0)
        self.resized.emit()


# The facets that are set, in words, one chip each: Backspace or a click removes one.


LONGEST = 40  # characters of a chip; its tooltip has the whole text


class SetFacet(QToolButton):
    """One facet that is set. A right click offers other ways to combine it."""

    removed = Signal(object)  # Facet
    combined = Signal(object, str)  # Facet, Combining

    def __init__(self, look: Look, facet: Facet) -> None:
        super().__init__()
        self.facet = facet
        words = facet_words(facet)
        self.setProperty("kind", "chip")
        self.setText(literal(words if len(words) <= LONGEST else words[:LONGEST] + "…"))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.setIcon(look.icon("close", "ink3"))
        self.setToolTip(words)
        self.setAccessibleName(self.tr("Remove {word}").format(word=words))
        self.clicked.connect(lambda: self.removed.emit(self.facet))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.facet)
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        at = event.globalPos()
        open_combining(self, at, lambda how: self.combined.emit(self.facet, how))
        event.accept()


class FacetStrip(QWidget):
    """The chips of the facets that are set; hidden without any."""

    left = Signal()  # the last chip was removed
    save_wanted = Signal()

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._events = events
        self._flow = FlowLayout(self)
        self.setAccessibleName(self.tr("Filters that are set"))
        self.chips: list[SetFacet] = []
        self.clear_button = kind_button("chip", self.tr("Clear"), checkable=False)
        self.clear_button.clicked.connect(self._clear)
        self.save_button = icon_button(look, "bookmark", self.tr("Keep this filter in the sidebar"))
        self.save_button.clicked.connect(self.save_wanted)
        events.query_changed.connect(self._show)
        look.changed.connect(self._show)
        self._shown: object = None
        self._show()

    @property
    def words(self) -> str:
        """Return the texts of all facets that are set, from left to right."""
        facets = self._events.query.facets
        return " ".join(
            part for joined, f in strip_words(facets) for part in (joined, facet_words(f)) if part
        )

    @Slot()
    def remove_last(self) -> None:
        if self.chips:
            self._remove(self.chips[-1].facet)

    @Slot()
    def _clear(self) -> None:
        self._events.clear_filters_but_text()
        self.left.emit()

    @Slot()
    def _show(self) -> None:
        facets = self._events.query.facets
        seen = (facets, self._look.theme.name)
        if seen == self._shown:
            return
        self._shown = seen
        for kept in (self.clear_button, self.save_button):
            self._flow.removeWidget(kept)
        clear_layout(self._flow)
        self.chips = []
        for joined, facet in strip_words(facets):
            if joined:
                word = label(joined, "hint")
                word.setMinimumHeight(self.clear_button.minimumHeight())
                self._flow.addWidget(word)
            chip = SetFacet(self._look, facet)
            chip.setMinimumHeight(self.clear_button.minimumHeight())
            chip.removed.connect(self._remove)
            chip.combined.connect(self._combine)
            self.chips.append(chip)
            self._flow.addWidget(chip)
        self._flow.addWidget(self.clear_button)
        self._flow.addWidget(self.save_button)
        self.setVisible(bool(facets))

    @Slot(object)
    def _remove(self, facet: Facet) -> None:
        had_focus = any(chip.hasFocus() for chip in self.chips)
        at = next((n for n, chip in enumerate(self.chips) if chip.facet == facet), 0)
        self._events.set_facets(self._events.query.facets.without(facet))
        if not self.chips:
            self.left.emit()
        elif had_focus:
            self.chips[min(at, len(self.chips) - 1)].setFocus()

    @Slot(object, str)
    def _combine(self, facet: Facet, how: Combining) -> None:
        facets = self._events.query.facets
        rest = facets if how in {"alone", "not"} else facets.without(facet)
        self._events.set_facets(rest.combined(facet, how))


TIGHT = 460  # pixels: on a narrower page the order is an arrow, and its tooltip has the words


ICONS = {
    "cards": "events",
    "table": "table",
    "outlines": "outline",
    "people": "people",
    "days": "calendar",
}


class EventSearch(SearchField):
    """The search field: Backspace in an empty field removes the last facet."""

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
        self.search.setToolTip(
            self.tr("Also: entity:name, is:stale, is:locked, -word, “exact words”, one OR another")
        )
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
        self._look.set_icon(self.sort_button, "down")
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
        """Check the button of the shape shown."""
        self.shape_actions[shape].setChecked(True)
        self._look.set_icon(self.view_button, ICONS[shape])

    def _add_tools(self) -> None:
        """Add the buttons that open dialogs, at the right."""
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
                ("copy", self.tr("Events that say the same…"), self.duplicates_wanted.emit),
                ("trash", self.tr("Deleted events…"), self.bin_wanted.emit),
            )
        )
        self.more_button.setMenu(self.more_menu)
        self._line.addWidget(self.more_button, 0, 5)

    def take_filters(self, filters: SavedFilters) -> None:
        """Save filters and sort order under names from now on, and offer them in the menu."""
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
        """Set saved filters and sort order."""
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
        """Put the facets beside the search field, or below it if the line is too narrow."""
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
