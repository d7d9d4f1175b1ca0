"""The events of a chat: search, filters, coverage, the cards, and commands on those selected."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.confidence import Confidence
from engram_desktop.domain.memory.event import EventCounts, EventQuery
from engram_desktop.domain.memory.extraction import EventKind
from engram_desktop.viewmodels.events.event_list import (
    EventList,
    confidence_names,
    kind_names,
    sort_names,
)
from engram_desktop.viewmodels.pipeline.automation import Automation
from engram_desktop.widgets.events.coverage_bar import CoverageBar
from engram_desktop.widgets.events.event_view import EventView
from engram_desktop.widgets.events.nothing_listed import NothingListed
from engram_desktop.widgets.events.selection_bar import SelectionBar
from engram_desktop.widgets.parts.basics.layouts import FlowLayout, column
from engram_desktop.widgets.parts.basics.pieces import (
    icon_button,
    kind_button,
    label,
    literal,
)
from engram_desktop.widgets.parts.fields.text_fields import SearchField
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.page import Page, PageParts

CHIPS: tuple[tuple[str, EventQuery], ...] = (
    ("total", EventQuery()),
    ("buffer", EventQuery(status="buffer")),
    ("archived", EventQuery(status="archived")),
    ("outlines", EventQuery(level=1)),
    ("stale", EventQuery(only_stale=True)),
)


class EventPage(Page):
    summarise_wanted = Signal(object)  # (first, last) or None for all
    redo_wanted = Signal(object)  # (first, last): floors that have been summarised
    edit_wanted = Signal()
    add_wanted = Signal()
    bin_wanted = Signal()
    replace_wanted = Signal()
    duplicates_wanted = Signal()
    split_wanted = Signal(object)  # EventNode
    review_wanted = Signal()
    key_shown = Signal(object)  # key of the one selected event, or None
    keys_chosen = Signal(object)  # keys of all selected events

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._events = events
        self.view = EventView(look, events)
        self.coverage = CoverageBar(look)
        self.search = SearchField(look, self.tr("Search events"))
        self._entity_menu = QMenu(self)
        outer = column(self, 0, 8)
        outer.setContentsMargins(24, 16, 16, 0)
        outer.addLayout(self._make_tools())
        outer.addLayout(self._make_coverage())
        self._stack = QStackedLayout()
        outer.addLayout(self._stack, 1)  # before its pages: without a parent the first is a window
        self._empty = NothingListed(look, events)
        self._empty.show_all_wanted.connect(self._show_all)
        self._empty.review_wanted.connect(self.review_wanted)
        self._empty.summarise_wanted.connect(lambda: self.summarise_wanted.emit(None))
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        self.selection_bar = self._make_selection_bar()
        outer.addWidget(self.selection_bar)
        self._connect()
        self._show_query(events.query)
        self._show_counts(events.found_counts)
        self._on_found(events.model.rowCount())

    def _make_tools(self) -> QGridLayout:
        self._tools = QGridLayout()
        self._tools.setSpacing(8)
        self.search.setMinimumWidth(150)
        self.search.setMaximumWidth(280)
        self._tools.addWidget(self.search, 0, 0)
        self._filters = QWidget()
        flow = FlowLayout(self._filters)
        self.chips: dict[str, QToolButton] = {}
        for name, query in CHIPS:
            chip = kind_button("chip", "")
            chip.clicked.connect(lambda _checked=False, q=query: self._filter(q))
            self.chips[name] = chip
            flow.addWidget(chip)
        self.entity_chip = kind_button("chip", self.tr("Any entity"))
        self.entity_chip.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.entity_chip.setMenu(self._entity_menu)
        self._look.dress(self.entity_chip, "down")
        self.entity_chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        flow.addWidget(self.entity_chip)
        flow.addWidget(self._make_origin_chip())
        self.sort_button = kind_button("plain", "", checkable=False)
        self.sort_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sort_button.setAccessibleName(self.tr("Sort order"))
        self._look.dress(self.sort_button, "down")
        self.sort_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._sort_menu = QMenu(self)
        for order, text in sort_names().items():
            self._sort_menu.addAction(text).triggered.connect(
                lambda _checked=False, o=order: self._events.sort(o)
            )
        self.sort_button.setMenu(self._sort_menu)
        self._tools.addWidget(self.sort_button, 0, 2)
        self._add_tools()
        self._tools.setColumnStretch(0, 1)
        self._place_filters()
        return self._tools

    def _add_tools(self) -> None:
        """Put what opens a dialog at the right."""
        self.add_button = icon_button(self._look, "plus", self.tr("Write an event or a fact…"))
        self.add_button.clicked.connect(self.add_wanted)
        self._tools.addWidget(self.add_button, 0, 3)
        self.more_button = icon_button(self._look, "more", self.tr("More about these events"))
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.replace_action, self.same_action, self.bin_action = (
            menu.addAction(self._look.icon(icon), name, wanted)
            for icon, name, wanted in (
                ("replace", self.tr("Find and replace…"), self.replace_wanted.emit),
                ("copy", self.tr("Events that tell the same…"), self.duplicates_wanted.emit),
                ("trash", self.tr("Deleted events…"), self.bin_wanted.emit),
            )
        )
        self.more_button.setMenu(menu)
        self._tools.addWidget(self.more_button, 0, 4)

    def _place_filters(self) -> None:
        """Put the filters beside the search field, or below it where there is no room."""
        chips = [*self.chips.values(), self.entity_chip, self.origin_chip]
        room = sum(c.sizeHint().width() + 6 for c in chips if not c.isHidden())
        others = (self.search.minimumWidth(), self.sort_button.sizeHint().width(), 100)
        is_narrow = self.width() < room + sum(others)
        self._filters.setMinimumWidth(0 if is_narrow else room)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._tools.addWidget(self._filters, *((1, 0, 1, 5) if is_narrow else (0, 1)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_filters()

    _is_narrow: bool | None = None

    def _make_origin_chip(self) -> QToolButton:
        self.origin_chip = kind_button("chip", "")
        self.origin_chip.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._look.dress(self.origin_chip, "down")
        self.origin_chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        menu = QMenu(self)
        menu.addAction(self.tr("Any kind")).triggered.connect(
            lambda _checked=False: self._filter_origin()
        )
        menu.addSeparator()
        for kind, text in kind_names().items():
            menu.addAction(text).triggered.connect(
                lambda _checked=False, k=kind: self._filter_origin(kind=k)
            )
        menu.addSeparator()
        for confidence, text in confidence_names().items():
            menu.addAction(text).triggered.connect(
                lambda _checked=False, c=confidence: self._filter_origin(confidence=c)
            )
        self.origin_chip.setMenu(menu)
        return self.origin_chip

    def _make_coverage(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 8, 0)
        line.addWidget(label(self.tr("Coverage"), "hint"))
        line.addWidget(self.coverage, 1)
        return line

    def _make_selection_bar(self) -> SelectionBar:
        bar = SelectionBar(self._look, self.view)
        for button, slot in (
            (bar.archive_button, lambda: self._archive(archived=True)),
            (bar.restore_button, lambda: self._archive(archived=False)),
            (bar.confirm_button, lambda: self._confirm(confirmed=True)),
            (bar.lock_button, lambda: self._lock(locked=True)),
            (bar.unlock_button, lambda: self._lock(locked=False)),
            (bar.delete_button, self._delete),
        ):
            button.clicked.connect(slot)
        return bar

    def _connect(self) -> None:
        events, view = self._events, self.view
        self.search.textChanged.connect(events.search)
        self.search.submitted.connect(view.setFocus)
        events.query_changed.connect(self._show_query)
        events.found_counts_changed.connect(self._show_counts)
        events.coverage_changed.connect(self.coverage.show_runs)
        events.coverage_changed.connect(self._empty.tell)
        events.found.connect(self._on_found)
        self.coverage.range_chosen.connect(self._on_range_chosen)
        view.chosen.connect(self._on_chosen)
        view.edit_wanted.connect(self.edit_wanted)
        view.delete_wanted.connect(self._delete)
        view.toggle_wanted.connect(self._toggle)
        view.customContextMenuRequested.connect(self._open_menu)
        invert = QShortcut(QKeySequence("Ctrl+I"), self)
        invert.setObjectName("events.invert")
        invert.setWhatsThis(self.tr("Invert selection"))
        invert.activated.connect(view.invert_selection)
        replacing = QShortcut(QKeySequence("Ctrl+Shift+H"), self)
        replacing.setObjectName("events.replace")
        replacing.setWhatsThis(self.tr("Find and replace…"))
        replacing.activated.connect(self.replace_wanted)

    @override
    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @override
    def set_active(self, active: bool) -> None:
        self._events.set_active(active)

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
        """Fill the entity filter with the best connected ones."""
        self._entity_menu.clear()
        self._entity_menu.addAction(self.tr("Any entity")).triggered.connect(
            lambda _checked=False: self._filter_entity(None)
        )
        self._entity_menu.addSeparator()
        for entity in entities:
            self._entity_menu.addAction(literal(entity.name)).triggered.connect(
                lambda _checked=False, e=entity: self._filter_entity(e)
            )

    def _filter(self, query: EventQuery) -> None:
        self._events.filter(
            replace(
                self._events.query,
                status=query.status,
                level=query.level,
                only_stale=query.only_stale,
            )
        )
        self._show_query(self._events.query)

    def _filter_origin(
        self, *, kind: EventKind | None = None, confidence: Confidence | None = None
    ) -> None:
        self._events.filter(replace(self._events.query, kind=kind, confidence=confidence))

    def _filter_entity(self, entity: EntityNode | None) -> None:
        self.entity_chip.setText(literal(entity.name) if entity else self.tr("Any entity"))
        query = replace(self._events.query, entity_id=entity.id if entity else None)
        self._events.filter(query)

    def _archive(self, *, archived: bool) -> None:
        self._events.set_archived(self.view.selected_keys(), archived=archived)

    def _confirm(self, *, confirmed: bool) -> None:
        self._events.set_confirmed(self.view.selected_keys(), confirmed=confirmed)

    def _lock(self, *, locked: bool) -> None:
        self._events.set_locked(self.view.selected_keys(), locked=locked)

    def _delete(self) -> None:
        self._events.delete(self.view.selected_keys())

    def _toggle(self) -> None:
        """Space: the row with the focus decides which way all selected lamps go."""
        index = self.view.currentIndex()
        row = self._events.model.row_at(index.row()) if index.isValid() else None
        if row is not None:
            keys = self.view.selected_keys()
            self._events.set_archived(keys or [row.pk], archived=not row.is_archived)

    def _open_menu(self, at: QPoint) -> None:
        count = self.view.selected_count()
        if not count:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for icon, text, slot in (
            ("archive", self.tr("Archive"), lambda: self._archive(archived=True)),
            ("undo", self.tr("Move back to the buffer"), lambda: self._archive(archived=False)),
            ("check", self.tr("Confirm: this is right"), lambda: self._confirm(confirmed=True)),
            ("close", self.tr("No longer confirmed"), lambda: self._confirm(confirmed=False)),
            ("lock", self.tr("Lock"), lambda: self._lock(locked=True)),
            ("unlock", self.tr("Unlock"), lambda: self._lock(locked=False)),
            ("edit", self.tr("Edit"), self.edit_wanted.emit),
            ("books", self.tr("Read its messages"), self._read_floors),
            ("eye", self.tr("Who knows this…"), self._ask_who),
            ("summarise", self.tr("Summarise these floors again…"), self._redo_floors),
            ("trash", self.tr("Delete"), self._delete),
        ):
            action = menu.addAction(self._look.icon(icon), text)
            action.triggered.connect(lambda _checked=False, call=slot: call())
        if count > 1:
            action = menu.addAction(self._look.icon("link"), self.tr("Join into one"))
            action.triggered.connect(lambda _checked=False: self._join())
        row = self._events.model.row_at(self.view.currentIndex().row())
        if count == 1 and row is not None and not row.level and not row.is_locked:
            span = row.source_range
            action = menu.addAction(self._look.icon("branch"), self.tr("Split in two…"))
            action.setEnabled(span.start_index < span.end_index)
            action.triggered.connect(lambda _checked=False: self.split_wanted.emit(row))
        if count == 1 and row is not None and row.level:
            action = menu.addAction(self._look.icon("trim"), self.tr("Take the outline apart"))
            action.triggered.connect(lambda _checked=False: self._events.take_apart(row.pk))
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _join(self) -> None:
        self._events.join(self.view.selected_keys())

    def _ask_who(self) -> None:
        self._events.ask_who(self.view.selected_keys())

    def _read_floors(self) -> None:
        row = self._events.model.row_at(self.view.currentIndex().row())
        if row is not None:
            self._events.read_messages(row)

    def _redo_floors(self) -> None:
        """Offer another summary of all floors the selected events tell of."""
        span = self._events.span_of(self.view.selected_keys())
        if span is not None:
            self.redo_wanted.emit(span)

    def _on_range_chosen(self, first: int, last: int) -> None:
        signal = self.summarise_wanted if self.coverage.has_gap(first, last) else self.redo_wanted
        signal.emit((first, last))

    def _show_query(self, query: EventQuery) -> None:
        self._is_new_search |= query.text != self._searched
        self._searched = query.text
        self.view.mark_words(self._events.searched_words)
        for name, chip_query in CHIPS:
            self.chips[name].setChecked(
                (query.status, query.level, query.only_stale)
                == (chip_query.status, chip_query.level, chip_query.only_stale)
            )
        self.entity_chip.setChecked(query.entity_id is not None)
        if query.entity_id is None:
            self.entity_chip.setText(self.tr("Any entity"))
        self.origin_chip.setChecked(bool(query.kind or query.confidence))
        if query.kind:
            self.origin_chip.setText(kind_names()[query.kind])
        elif query.confidence:
            self.origin_chip.setText(confidence_names()[query.confidence])
        else:
            self.origin_chip.setText(self.tr("Any kind"))
        self.sort_button.setText(sort_names()[query.sort])
        if not query.text and self.search.text().strip():
            self.search.clear()

    def _show_counts(self, counts: EventCounts) -> None:
        texts = {
            "total": self.tr("All {n}").format(n=counts.total),
            "buffer": self.tr("Buffer {n}").format(n=counts.buffer),
            "archived": self.tr("Archived {n}").format(n=counts.archived),
            "outlines": self.tr("Outlines {n}").format(n=counts.outlines),
            "stale": self.tr("Stale {n}").format(n=counts.stale),
        }
        for name, text in texts.items():
            self.chips[name].setText(text)
        self.chips["stale"].setVisible(counts.stale > 0 or self._events.query.only_stale)
        self.chips["outlines"].setVisible(counts.outlines > 0 or bool(self._events.query.level))
        self._place_filters()

    def _on_found(self, count: int) -> None:
        key = None
        if self._events.is_loaded:  # else: of another chat, of which nobody knows what it holds
            key, self._wanted_key = self._wanted_key, None
        if key is not None and not self.view.show_key(key) and self._events.is_filtered:
            self._show_unfiltered(key)
        if self._is_new_search and key is None and count:
            self._is_new_search = False
            self.view.show_from_the_top(is_search=bool(self._searched))
        self._stack.setCurrentWidget(self._empty if count == 0 else self.view)
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
    page = EventPage(parts.look, parts.models.events, parent)
    page.summarise_wanted.connect(parts.doors.open_summarise)
    page.redo_wanted.connect(parts.doors.open_redo)
    page.add_wanted.connect(parts.doors.open_add)
    page.bin_wanted.connect(parts.doors.open_bin)
    page.split_wanted.connect(parts.doors.open_split)
    page.replace_wanted.connect(parts.doors.open_replace)
    page.duplicates_wanted.connect(parts.doors.open_duplicates)
    automation = parts.models.automation
    page.review_wanted.connect(automation.review_wanted)
    page.follow(automation)
    page.key_shown.connect(parts.models.editor.show_event)
    page.keys_chosen.connect(parts.models.event_many.show_keys)
    parts.models.entities_read.connect(page.show_entities)
    return page
