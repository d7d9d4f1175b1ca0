"""The dialogs of the events page: how each is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from engram_desktop.viewmodels.events.event_duplicates import EventDuplicates
from engram_desktop.viewmodels.events.event_replace import EventReplace
from engram_desktop.widgets.events.dialogs import (
    add_dialog,
    bin_dialog,
    duplicates_dialog,
    replace_dialog,
    split_dialog,
)
from engram_desktop.widgets.window.opening import Opening

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.viewmodels.pages import Pages
    from engram_desktop.widgets.parts.look.look import Look


class EventOpening(Opening):
    """A part of `Dialogs`, which sets what the dialogs are made of."""

    _look: Look
    _models: Pages

    @Slot()
    def open_add(self) -> None:
        floors = self._models.status.floors
        events = self._models.events
        self._show(
            "add",
            lambda: add_dialog.AddDialog(self._look, events, floors, self._window),
            place="event",
        )

    @Slot()
    def open_bin(self) -> None:
        events = self._models.event_bin
        self._show("bin", lambda: bin_dialog.BinDialog(self._look, events, self._window))

    @Slot()
    def open_replace(self) -> None:
        """Find and replace in the events selected, or listed; the list beside it stays usable."""
        events, chosen = self._models.events, self._models.event_many.keys
        self._close("replace")  # it shows another selection
        self._show(
            "replace",
            lambda: replace_dialog.ReplaceDialog(
                self._look, EventReplace(self._space, events, chosen), self._window
            ),
            modal=False,
        )

    @Slot()
    def open_duplicates(self) -> None:
        """Show which events tell the same; the list beside it stays usable."""
        self._show(
            "duplicates",
            lambda: duplicates_dialog.DuplicatesDialog(EventDuplicates(self._space), self._window),
            modal=False,
        )

    @Slot(object)
    def open_split(self, event: EventNode) -> None:
        """Ask where an event is cut in two, and what each part tells."""
        events = self._models.events
        self._show(
            "split",
            lambda: split_dialog.SplitDialog(events, event, self._window),
            place=f"split {event.id}",
        )
