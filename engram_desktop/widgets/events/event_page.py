"""The events of a chat: search, filters, coverage, the cards, and commands on those selected."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.events.outline_tree import OutlineTree
from engram_desktop.viewmodels.pipeline.automation import Automation
from engram_desktop.viewmodels.search.remembered import Remembered
from engram_desktop.widgets.events.coverage_bar import CoverageBar
from engram_desktop.widgets.events.event_commands import EventCommands
from engram_desktop.widgets.events.event_tools import EventTools
from engram_desktop.widgets.events.event_view import EventView
from engram_desktop.widgets.events.nothing_listed import NothingListed
from engram_desktop.widgets.events.selection_bar import SelectionBar
from engram_desktop.widgets.events.views.event_table import EventTable
from engram_desktop.widgets.events.views.shapes import EventShapes
from engram_desktop.widgets.parts.basics.layouts import column
from engram_desktop.widgets.parts.basics.pieces import label
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.page import Page, PageParts


class EventPage(Page):
    summarise_wanted = Signal(object)  # (first, last) or None for all
    redo_wanted = Signal(object)  # (first, last): floors that have been summarised
    edit_wanted = Signal()
    split_wanted = Signal(object)  # EventNode
    review_wanted = Signal()
    key_shown = Signal(object)  # key of the one selected event, or None
    keys_chosen = Signal(object)  # keys of all selected events

    def __init__(
        self,
        look: Look,
        events: EventList,
        tree: Callable[[], OutlineTree],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._events = events
        self.shapes = EventShapes(look, events, tree, self)
        self.coverage = CoverageBar(look)
        self.commands = EventCommands(look, events, self)
        self.commands.view = self.view
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 0)
        self.tools = EventTools(look, events, self)
        self.search = self.tools.search
        outer.addWidget(self.tools)
        outer.addLayout(self._make_coverage())
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)  # before its pages: without a parent the first is a window
        self._empty = NothingListed(look, events)
        self._empty.show_all_wanted.connect(self._show_all)
        self._empty.review_wanted.connect(self.review_wanted)
        self._empty.summarise_wanted.connect(lambda: self.summarise_wanted.emit(None))
        self._stack.addWidget(self.shapes)
        self._stack.addWidget(self._empty)
        self.selection_bar = self._make_selection_bar()
        outer.addWidget(self.selection_bar)
        self._connect()
        self._show_query(events.query)
        self._on_found(events.model.rowCount())

    def _make_coverage(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 8, 0)
        line.addWidget(label(self.tr("Coverage"), "hint"))
        line.addWidget(self.coverage, 1)
        return line

    def _make_selection_bar(self) -> SelectionBar:
        bar, do = SelectionBar(self._look, self.shapes), self.commands
        for button, slot in (
            (bar.archive_button, lambda: do.archive(archived=True)),
            (bar.restore_button, lambda: do.archive(archived=False)),
            (bar.confirm_button, lambda: do.confirm(confirmed=True)),
            (bar.lock_button, lambda: do.lock(locked=True)),
            (bar.unlock_button, lambda: do.lock(locked=False)),
            (bar.delete_button, do.delete),
        ):
            button.clicked.connect(slot)
        return bar

    def _connect(self) -> None:
        events, view = self._events, self.shapes
        self.search.textChanged.connect(events.search)
        self.search.submitted.connect(view.focus_list)
        events.query_changed.connect(self._show_query)
        events.coverage_changed.connect(self.coverage.show_runs)
        events.coverage_changed.connect(self._empty.tell)
        events.found.connect(self._on_found)
        self.coverage.range_chosen.connect(self._on_range_chosen)
        do = self.commands
        do.edit_wanted.connect(self.edit_wanted)
        do.redo_wanted.connect(self.redo_wanted)
        do.split_wanted.connect(self.split_wanted)
        view.chosen.connect(self._on_chosen)
        view.edit_wanted.connect(self.edit_wanted)
        view.delete_wanted.connect(self.commands.delete)
        view.toggle_wanted.connect(self.commands.toggle)
        view.menu_wanted.connect(self.commands.open_menu)
        invert = QShortcut(QKeySequence("Ctrl+I"), self)
        invert.setObjectName("events.invert")
        invert.setWhatsThis(self.tr("Invert selection"))
        invert.activated.connect(view.invert_selection)
        view.shape_changed.connect(self._on_shape)
        self.tools.shape_wanted.connect(view.show_shape)
        replacing = QShortcut(QKeySequence("Ctrl+Shift+H"), self)
        replacing.setObjectName("events.replace")
        replacing.setWhatsThis(self.tr("Find and replace…"))
        replacing.activated.connect(self.tools.replace_wanted)

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._events.set_active(active)
        self.shapes.set_active(active)

    @property
    def view(self) -> EventView | EventTable:
        """The list in the shape that is shown."""
        return self.shapes.current

    def remember_in(self, remembered: Remembered) -> None:
        """Show events as they were shown last, and remember how they are."""
        self.shapes.remember_in(remembered)

    @Slot(str)
    def _on_shape(self, shape: str) -> None:
        self.commands.view = self.view
        self.tools.show_shape(shape)

    def show_event(self, key: int) -> None:
        """Show ``key``; if a filter hides it, the filter goes."""
        if self._events.is_reading:  # what stands there may go in a moment
            self._wanted_key = key
        elif not self.view.show_key(key):
            self._show_unfiltered(key)
        self.view.setFocus()

    def _show_unfiltered(self, key: int) -> None:
        self._wanted_key = key
        self.search.clear()
        self._events.clear_filters()

    _wanted_key: int | None = None
    _searched = ""
    _is_new_search = False

    def show_entities(self, entities: list[EntityNode]) -> None:
        """Offer these in the filter, the best connected first."""
        self.tools.facets.offer_entities(entities)

    def _on_range_chosen(self, first: int, last: int) -> None:
        signal = self.summarise_wanted if self.coverage.has_gap(first, last) else self.redo_wanted
        signal.emit((first, last))

    def _show_query(self, query: EventQuery) -> None:
        self._is_new_search |= query.text != self._searched
        self._searched = query.text
        self.view.mark_words(self._events.searched_words)

    def _on_found(self, count: int) -> None:
        key = None
        if self._events.is_loaded:  # else: of another chat, of which nobody knows what it holds
            key, self._wanted_key = self._wanted_key, None
        if key is not None and not self.view.show_key(key) and self._events.is_filtered:
            self._show_unfiltered(key)
        if self._is_new_search and key is None and count:
            self._is_new_search = False
            self.view.show_from_the_top(is_search=bool(self._searched))
        self._stack.setCurrentWidget(self._empty if count == 0 else self.shapes)
        if not count:
            self._empty.tell()

    def follow(self, automation: Automation) -> None:
        self._empty.follow(automation)

    def _show_all(self) -> None:
        self.search.clear()
        self._events.clear_filters()

    def _on_chosen(self, count: int) -> None:
        self.selection_bar.show_count(count)
        keys = self.view.selected_keys()
        self.key_shown.emit(keys[0] if count == 1 else None)
        self.keys_chosen.emit(keys)


def make(parts: PageParts, parent: QWidget) -> EventPage:
    page = EventPage(parts.look, parts.models.events, lambda: parts.models.outline_tree, parent)
    page.summarise_wanted.connect(parts.doors.open_summarise)
    page.redo_wanted.connect(parts.doors.open_redo)
    page.tools.add_wanted.connect(parts.doors.open_add)
    page.tools.bin_wanted.connect(parts.doors.open_bin)
    page.split_wanted.connect(parts.doors.open_split)
    page.tools.replace_wanted.connect(parts.doors.open_replace)
    page.tools.duplicates_wanted.connect(parts.doors.open_duplicates)
    automation = parts.models.automation
    page.review_wanted.connect(automation.review_wanted)
    page.follow(automation)
    page.key_shown.connect(parts.models.editor.show_event)
    page.keys_chosen.connect(parts.models.event_many.show_keys)
    parts.models.entities_read.connect(page.show_entities)
    return page
