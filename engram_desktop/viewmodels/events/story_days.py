"""The events of the list by the days of the story on which they happen."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, Signal, Slot

from engram_desktop.domain.recall.relative_time import StoryDay
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.events import outline_tree, witness_grid
from engram_desktop.viewmodels.events.event_list import EventList, EventListModel
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.workspace import Workspace

Days = dict[StoryDay | None, "array[int]"]  # None: nothing says on which day


def day_words(day: StoryDay | None) -> str:
    """Say which day it is, in the window's language."""
    if day is None:
        return QCoreApplication.translate("StoryCalendar", "No date")
    if day.number is not None:
        return QCoreApplication.translate("StoryCalendar", "Day {number}").format(number=day.number)
    if day.year is None:
        date = QDate(2000, day.month, day.day)  # a leap year: 29 February is a day too
        form = QCoreApplication.translate("StoryCalendar", "d MMMM", "a date without its year")
        return QLocale().toString(date, form)
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


class StoryCalendar(QObject):
    """Follows the list; reads while it is seen. ``model`` has the events of the day chosen."""

    changed = Signal()  # which days there are, or which is chosen

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._events = events
        self.model = EventListModel(events.fetch, self)
        self.model.noted = events.noted
        self.days: Days = {}
        self.current: StoryDay | None = None
        self._is_chosen = False
        self._reading = LiveQuery(
            workspace,
            "days of the story",
            self._ask,
            self._show,
            concerns=lambda c: c.chat_id == workspace.chat_id and (c.texts or c.messages),
            forget=self._forget,
            parent=self,
        )
        self._reading.set_active(False)
        events.found.connect(self._on_found)
        events.model.dataChanged.connect(self._on_other_content)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - shown or not
        self._reading.set_active(active)

    def choose(self, day: StoryDay | None) -> None:
        """List the events of a day; None: those without a date."""
        if day in self.days:
            self._is_chosen = True
            self.current = day
            self.model.set_keys(self.days[day][:])
            self.changed.emit()

    def reveal(self, key: int) -> None:
        """Choose the day of an event."""
        day = next((d for d, keys in self.days.items() if key in keys), self.current)
        if day != self.current or not self._is_chosen:
            self.choose(day)

    def _ask(self) -> Callable[[JobContext], Days] | None:
        line, memory = self._space.line, self._space.memory
        keys, by_headings = self._events.model.keys(), not self._space.actor
        if not line.chat_id:
            return None
        return lambda _ctx: memory.events.by_day(line, keys, by_headings=by_headings)

    def _show(self, days: Days) -> None:
        self.days = days
        if not self._is_chosen or self.current not in days:
            self.current = next(iter(days), None)
        self.model.set_keys(days.get(self.current, array("q"))[:])
        self.changed.emit()

    def _forget(self) -> None:
        self._is_chosen = False
        self._show({})

    @Slot(int)
    def _on_found(self, _count: int) -> None:
        self._reading.refresh()

    @Slot()
    def _on_other_content(self) -> None:
        self.model.refresh()


class EventViews(QObject):
    """What the list of events is shown as beside cards, each made when it is first asked for."""

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._events = events

    @cached_property
    def tree(self) -> outline_tree.OutlineTree:
        return outline_tree.OutlineTree(self._space, self._events, self)

    @cached_property
    def grid(self) -> witness_grid.WitnessGrid:
        return witness_grid.WitnessGrid(self._space, self._events, self)

    @cached_property
    def days(self) -> StoryCalendar:
        return StoryCalendar(self._space, self._events, self)
