"""What stands in place of the list of events while it is empty: why, and the next step."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.pipeline.automation import Automation
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.parts.pages.empty_state import EmptyState


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
        """Offer the review where blocks wait for it and there is nothing else to see."""
        self._automation = automation
        automation.changed.connect(self._on_automation)
        self._on_automation()

    def show_waiting(self, blocks: int) -> None:
        """Say how many blocks wait for review: where there is no event, that is the next step."""
        if blocks != self._waiting:
            self._waiting = blocks
            self.tell()

    @Slot()
    def tell(self) -> None:
        """Say why nothing is listed, as it is now."""
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
                self.tr("What they told becomes events once you have looked through it."),
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
            self.show_waiting(self._automation.drafts.waiting)

    @Slot()
    def _on_acted(self) -> None:
        if self._events.is_filtered:
            self.show_all_wanted.emit()
        elif self._waiting:
            self.review_wanted.emit()
        else:
            self.summarise_wanted.emit()
