"""The page of a chat's events: search, filters, coverage, cards, and commands on the selection.

It also holds the bar and the context menu of the selection, the empty state, and the line of
coverage, on which a drag selects floors to summarise.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.memory.event import EventNode, EventQuery
from engram_desktop.viewmodels.events.event_list import Coverage, EventList
from engram_desktop.viewmodels.events.event_shapes import EventViews
from engram_desktop.viewmodels.pipeline.commands import Automation
from engram_desktop.viewmodels.search.finders import Remembered
from engram_desktop.widgets.events.event_tools import EventTools
from engram_desktop.widgets.events.shapes import EventShapes, ShapeView
from engram_desktop.widgets.parts.cards import CardTable
from engram_desktop.widgets.parts.layouts import FlowLayout, column
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.pages import EmptyState, PageParts, SearchedPage
from engram_desktop.widgets.parts.pieces import icon_button, label, text_button

ROLES = {
    "archived": "green",
    "buffer": "accent",
    "stale": "red",
    "done": "line_strong",
    "drafted": "gold",
    "failed": "ink2",
}
STATES = ("archived", "buffer", "done", "drafted", "stale", "failed", "empty")
NOT_DONE = {"empty", "stale", "drafted", "failed"}


class CoverageBar(QWidget):
    range_chosen = Signal(int, int)  # first and last floor, 0-based

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._runs: Coverage = []
        self._drag: tuple[float, float] | None = None
        self.setAccessibleName(self.tr("Coverage: which floors have become memory"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.CrossCursor)
        look.changed.connect(self.update)

    def show_runs(self, runs: Coverage) -> None:
        self._runs = runs
        self.setAccessibleDescription(self.words())
        self.update()

    def has_gap(self, first: int, last: int) -> bool:
        """Return whether any of these floors has no summary yet."""
        gaps = [(a, b) for a, b, state in self._runs if state in {"empty", "failed"}]
        return any(a <= last and b >= first for a, b in gaps)

    def legend(self) -> str:
        """Return how many floors are in each state, one state a line."""
        counts: dict[str, int] = {}
        for first, last, state in self._runs:
            counts[state] = counts.get(state, 0) + last - first + 1
        lines = [
            self.tr("{count} × {state}").format(count=counts[state], state=self._state_words(state))
            for state in STATES
            if state in counts
        ]
        return "\n".join(lines)

    def words(self) -> str:
        """Return the meaning of the colours in words."""
        count = sum(b - a + 1 for a, b, state in self._runs if state not in NOT_DONE)
        return self.tr("{done} of {all} floors have become memory").format(
            done=count, all=self._floors
        )

    @property
    def _floors(self) -> int:
        return self._runs[-1][1] + 1 if self._runs else 0

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, 16)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(0, 5, self.width(), 6)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(groove, 3, 3)
        for first, last, state in self._runs:
            if state == "empty":
                continue
            left, right = self._x(first), max(self._x(last + 1), self._x(first) + 1.5)
            painter.setBrush(self._look.color(ROLES.get(state, "grey")))
            painter.drawRoundedRect(QRectF(left, 5, right - left, 6), 1.5, 1.5)
        if self._drag is not None:
            left, right = sorted(self._drag)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(self._look.color("ink"))
            painter.drawRoundedRect(QRectF(left, 1.5, right - left, 13), 3, 3)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._floors:
            self._drag = (event.position().x(), event.position().x())
            self.update()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            x = min(max(event.position().x(), 0.0), float(self.width()))
            self._drag = (self._drag[0], x)
            self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is None:
            return
        left, right = sorted(self._drag)
        self._drag = None
        self.update()
        if right - left >= 4:
            self.range_chosen.emit(self._floor(left), self._floor(right))

    def tip_at(self, at: QPoint) -> str:
        if not self._floors:
            return ""
        floor = self._floor(float(at.x()))
        state = next((s for a, b, s in self._runs if a <= floor <= b), "empty")
        text = self.tr("Floor {floor}: {state}").format(floor=floor, state=self._state_words(state))
        hint = self.tr("Drag over floors to summarise them, or to make them again.")
        return f"{text}\n\n{self.legend()}\n\n{hint}"

    def _state_words(self, state: str) -> str:
        words = {
            "archived": self.tr("archived"),
            "buffer": self.tr("in the buffer"),
            "stale": self.tr("stale: its messages were changed"),
            "done": self.tr("summarised, nothing worth an event"),
            "drafted": self.tr("waiting for your review"),
            "failed": self.tr("failed: the answer could not be read"),
            "empty": self.tr("not yet summarised"),
        }
        return words.get(state, state)

    def _x(self, floor: int) -> float:
        return self.width() * floor / max(1, self._floors)

    def _floor(self, x: float) -> int:
        return min(self._floors - 1, max(0, int(x / max(1, self.width()) * self._floors)))


class EventCommands(QWidget):
    """Commands on the events selected in ``view``. The widget itself is never shown."""

    redo_wanted = Signal(object)  # (first, last)
    edit_wanted = Signal()
    split_wanted = Signal(object)  # EventNode

    def __init__(self, look: Look, events: EventList, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._look = look
        self._events = events
        self.view: CardTable | None = None
        events.copied.connect(self._on_copied)

    def _keys(self) -> list[int]:
        return list(self.view.selected_keys()) if self.view is not None else []

    def _current(self) -> EventNode | None:
        key = self.view.current_key() if self.view is not None else None
        return None if key is None else self._events.event_by_key(key)

    def archive(self, *, archived: bool) -> None:
        self._events.set_archived(self._keys(), archived=archived)

    def confirm(self, *, confirmed: bool) -> None:
        self._events.set_confirmed(self._keys(), confirmed=confirmed)

    def lock(self, *, locked: bool) -> None:
        self._events.set_locked(self._keys(), locked=locked)

    def delete(self) -> None:
        if self.view is not None:
            self.view.follow_leaving()
        self._events.delete(self._keys())

    def copy(self) -> None:
        self._events.copy(self._keys())

    @Slot(object)
    def _on_copied(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def toggle(self) -> None:
        """Toggle the lamps of the selection (Space): the focused row determines the new state."""
        row = self._current()
        if row is not None:
            self._events.set_archived(self._keys() or [row.pk], archived=not row.is_archived)

    def open_menu(self, at: QPoint) -> None:
        """Open the menu at a point of the view."""
        if self.view is None or not (count := self.view.selected_count()):
            return
        menu = QMenu(self.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def add(icon: str, text: str, slot: Callable[[], object], *, enabled: bool = True) -> None:
            action = menu.addAction(self._look.icon(icon), text)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _checked=False: slot())

        add("archive", self.tr("Archive"), lambda: self.archive(archived=True))
        add("undo", self.tr("Move back to the buffer"), lambda: self.archive(archived=False))
        add("check", self.tr("Confirm: this is right"), lambda: self.confirm(confirmed=True))
        add("close", self.tr("No longer confirmed"), lambda: self.confirm(confirmed=False))
        add("lock", self.tr("Lock"), lambda: self.lock(locked=True))
        add("unlock", self.tr("Unlock"), lambda: self.lock(locked=False))
        add("edit", self.tr("Edit"), self.edit_wanted.emit)
        add("books", self.tr("Read its messages"), self._read_floors)
        add("eye", self.tr("Who knows this…"), lambda: self._events.ask_who(self._keys()))
        add("summarise", self.tr("Summarise these floors again…"), self._redo_floors)
        add("copy", self.tr("Copy"), self.copy)
        add("trash", self.tr("Delete"), self.delete)
        if count > 1:
            add("link", self.tr("Join into one"), lambda: self._events.join(self._keys()))
        row = self._current()
        if count == 1 and row is not None and not row.level and not row.is_locked:
            span = row.source_range
            is_long = span.start_index < span.end_index
            split = self.split_wanted
            add("branch", self.tr("Split in two…"), lambda: split.emit(row), enabled=is_long)
        if count == 1 and row is not None and row.level:
            split_outline = self._events.split_outline
            add("trim", self.tr("Take the outline apart"), lambda: split_outline(row.pk))
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _read_floors(self) -> None:
        row = self._current()
        if row is not None:
            self._events.read_messages(row)

    def _redo_floors(self) -> None:
        """Offer another summary of all source floors of the selected events."""
        span = self._events.span_of(self._keys())
        if span is not None:
            self.redo_wanted.emit(span)


class NothingListed(EmptyState):
    show_all_wanted = Signal()
    review_wanted = Signal()
    summarise_wanted = Signal()

    def __init__(self, look: Look, events: EventList, parent: QWidget | None = None) -> None:
        super().__init__(look, "events", parent)
        self._events = events
        self._automation: Automation | None = None
        self._waiting = 0  # blocks that wait for review
        self.acted.connect(self._on_acted)

    def follow(self, automation: Automation) -> None:
        """Offer a review if blocks wait for it and the list of events is empty."""
        self._automation = automation
        automation.changed.connect(self._on_automation)
        self._on_automation()

    def show_waiting(self, blocks: int) -> None:
        """Show how many blocks wait for review: with an empty list, the review is the next step."""
        if blocks != self._waiting:
            self._waiting = blocks
            self.tell()

    @Slot()
    def tell(self) -> None:
        """Show why the list is empty, from the current counts."""
        if not self._events.is_loaded:
            self.wait()
        elif self._events.is_filtered:
            self.say(
                self.tr("No event matches"),
                self.tr("Try fewer words, or show all events again."),
                self.tr("Show all"),
            )
        elif self._waiting:
            self.say(
                self.tr("%n block(s) wait for your review", "", self._waiting),
                self.tr("What was made of them becomes events once you have looked through it."),
                self.tr("Review…"),
            )
        else:
            self.say(
                self.tr("No events yet"),
                self.tr(
                    "%n floor(s) are waiting. A summary turns them into events you can read, "
                    "correct and recall.",
                    "",
                    self._events.floors,
                ),
                self.tr("Summarise…"),
            )

    @Slot()
    def _on_automation(self) -> None:
        if self._automation is not None:
            counts = self._automation.drafts
            self.show_waiting(counts.waiting if counts is not None else 0)

    @Slot()
    def _on_acted(self) -> None:
        if self._events.is_filtered:
            self.show_all_wanted.emit()
        elif self._waiting:
            self.review_wanted.emit()
        else:
            self.summarise_wanted.emit()


class SelectionBar(QFrame):
    def __init__(self, look: Look, shapes: EventShapes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        rows = column(self, 0, 0)
        rows.setContentsMargins(12, 6, 8, 6)
        line = FlowLayout()
        rows.addLayout(line)
        self._text = label("", "quiet")
        line.addWidget(self._text)
        line.push()
        self.archive_button = text_button(self.tr("Archive"))
        self.restore_button = text_button(self.tr("To buffer"))
        self.confirm_button = text_button(self.tr("Confirm"))
        self.lock_button = text_button(self.tr("Lock"))
        self.unlock_button = text_button(self.tr("Unlock"))
        self.delete_button = text_button(self.tr("Delete"), "danger")
        for button in (
            self.archive_button,
            self.restore_button,
            self.confirm_button,
            self.lock_button,
            self.unlock_button,
            self.delete_button,
        ):
            line.addWidget(button)
        tools = QWidget()  # in one widget, so that no button wraps alone
        line.addWidget(tools)
        side_by_side = QHBoxLayout(tools)
        side_by_side.setContentsMargins(0, 0, 0, 0)
        side_by_side.setSpacing(0)
        for icon, name, slot in (
            ("select", self.tr("Select all"), shapes.select_all),
            ("invert", self.tr("Invert selection"), shapes.invert_selection),
            ("close", self.tr("Clear selection"), shapes.clear_selection),
        ):
            tool = icon_button(look, icon, name)
            tool.clicked.connect(slot)
            side_by_side.addWidget(tool)
        self.hide()

    def show_count(self, count: int) -> None:
        """Show how many events are selected; hide the bar for one."""
        self.setVisible(count > 1)
        self._text.setText(self.tr("%n event(s) selected", "", count))


class EventPage(SearchedPage):
    summarise_wanted = Signal(object)  # (first, last); None for all floors
    redo_wanted = Signal(object)  # (first, last): floors that already have a summary
    edit_wanted = Signal()
    split_wanted = Signal(object)  # EventNode
    review_wanted = Signal()
    key_shown = Signal(object)  # key of the selected event; None unless exactly one is selected
    keys_chosen = Signal(object)  # keys of all selected events

    def __init__(
        self,
        look: Look,
        events: EventList,
        views: EventViews,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._look = look
        self._events = events
        self.shapes = EventShapes(look, events, views, self)
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
        outer.addLayout(self._stack, 1)  # before its pages: a widget without a parent is a window
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
        self.made_how = label(self.tr("Made without a model"), "hint")
        self.made_how.setToolTip(
            self.tr(
                "Key sentences, names and places were picked on this computer. Once a model is set "
                "up, “Summarise these floors again” lets it summarise them."
            )
        )
        line.addWidget(self.made_how)
        self._events.usual_changed.connect(self.made_how.setVisible)
        if not self._events.is_extracted:
            self.made_how.hide()
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
        view.copy_wanted.connect(self.commands.copy)
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
    def set_active(self, active: bool) -> None:
        self._events.set_active(active)
        self.shapes.set_active(active)

    @property
    def view(self) -> ShapeView:
        """Return the list in the current shape."""
        return self.shapes.current

    def remember_in(self, remembered: Remembered) -> None:
        """Show events as stored in this memo, and store changes from now on."""
        self.shapes.remember_in(remembered)

    @Slot(str)
    def _on_shape(self, shape: str) -> None:
        self.commands.view = self.view
        self.tools.show_shape(shape)

    def show_event(self, key: int) -> None:
        """Select event ``key``; clear the filters if they hide it."""
        if self._events.is_reading:  # the rows shown may be replaced in a moment
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
        """Offer these entities in the filter, the best connected first."""
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
        if self._events.is_loaded:  # else the list is of another chat, whose content is unknown
            key, self._wanted_key = self._wanted_key, None
            decided = self._events.decided
            if decided.wanted is not None and self.view.show_key(decided.wanted):
                decided.wanted = None  # an undo restored it
        if key is not None and not self.view.show_key(key) and self._events.is_filtered:
            self._show_unfiltered(key)
        if self._is_new_search and key is None and count:
            self._is_new_search = False
            self.view.show_from_the_top(is_search=bool(self._searched))
        if not count:
            self._empty.tell()  # before it is shown: shown parts are laid out one by one
        self._stack.setCurrentWidget(self._empty if count == 0 else self.shapes)

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
    models = parts.models
    page = EventPage(parts.look, models.events, models.event_views, parent)
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
