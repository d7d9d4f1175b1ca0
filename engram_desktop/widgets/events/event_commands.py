"""The right-click menu of selected events: the same in every shape of the list."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from engram_desktop.domain.memory.event import EventNode
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.widgets.parts.cards.card_table import CardTable
from engram_desktop.widgets.parts.look.look import Look


class EventCommands(QWidget):
    """What is done with the events selected in ``view``. Never seen itself."""

    redo_wanted = Signal(object)  # (first, last)
    edit_wanted = Signal()
    split_wanted = Signal(object)  # EventNode

    def __init__(self, look: Look, events: EventList, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._look = look
        self._events = events
        self.view: CardTable | None = None

    def _keys(self) -> list[int]:
        return list(self.view.selected_keys()) if self.view is not None else []

    def _current(self) -> EventNode | None:
        key = self.view.current_key() if self.view is not None else None
        return None if key is None else self._events.told(key)

    def archive(self, *, archived: bool) -> None:
        self._events.set_archived(self._keys(), archived=archived)

    def confirm(self, *, confirmed: bool) -> None:
        self._events.set_confirmed(self._keys(), confirmed=confirmed)

    def lock(self, *, locked: bool) -> None:
        self._events.set_locked(self._keys(), locked=locked)

    def delete(self) -> None:
        self._events.delete(self._keys())

    def toggle(self) -> None:
        """Space: the row with the focus decides which way all selected lamps go."""
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

        tr = self.tr
        add("archive", tr("Archive"), lambda: self.archive(archived=True))
        add("undo", tr("Move back to the buffer"), lambda: self.archive(archived=False))
        add("check", tr("Confirm: this is right"), lambda: self.confirm(confirmed=True))
        add("close", tr("No longer confirmed"), lambda: self.confirm(confirmed=False))
        add("lock", tr("Lock"), lambda: self.lock(locked=True))
        add("unlock", tr("Unlock"), lambda: self.lock(locked=False))
        add("edit", tr("Edit"), self.edit_wanted.emit)
        add("books", tr("Read its messages"), self._read_floors)
        add("eye", tr("Who knows this…"), lambda: self._events.ask_who(self._keys()))
        add("summarise", tr("Summarise these floors again…"), self._redo_floors)
        add("trash", tr("Delete"), self.delete)
        if count > 1:
            add("link", tr("Join into one"), lambda: self._events.join(self._keys()))
        row = self._current()
        if count == 1 and row is not None and not row.level and not row.is_locked:
            span = row.source_range
            is_long = span.start_index < span.end_index
            split = self.split_wanted
            add("branch", tr("Split in two…"), lambda: split.emit(row), enabled=is_long)
        if count == 1 and row is not None and row.level:
            take_apart = self._events.take_apart
            add("trim", tr("Take the outline apart"), lambda: take_apart(row.pk))
        menu.popup(self.view.viewport().mapToGlobal(at))

    def _read_floors(self) -> None:
        row = self._current()
        if row is not None:
            self._events.read_messages(row)

    def _redo_floors(self) -> None:
        """Offer another summary of all floors the selected events tell of."""
        span = self._events.span_of(self._keys())
        if span is not None:
            self.redo_wanted.emit(span)
