"""Other views of the event list: a calendar of story days, and a tree of outlines.

The tree is a flat list of keys with depths: folded rows are not in it, so that 100,000 events cost
only what is on screen. An event whose outline is not listed stays at its own place.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, Qt, Signal, Slot
from typing_extensions import override

from engram_desktop.domain.recall.relative_time import StoryDay
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.viewmodels.events import witness_grid
from engram_desktop.viewmodels.events.event_list import EventList, EventListModel
from engram_desktop.viewmodels.workspace.live_query import AnyIndex, LiveQuery, RowRole
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

Days = dict[StoryDay | None, "array[int]"]  # None: the story day is unknown


def day_words(day: StoryDay | None) -> str:
    """Return a story day in words, in the window's language."""
    if day is None:
        return QCoreApplication.translate("StoryCalendar", "No date")
    if day.number is not None:
        return QCoreApplication.translate("StoryCalendar", "Day {number}").format(number=day.number)
    if day.year is None:
        date = QDate(2000, day.month, day.day)  # a leap year: 29 February is a day too
        form = QCoreApplication.translate("StoryCalendar", "d MMMM", "a date without its year")
        return QLocale().toString(date, form)
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


class StoryCalendar(WorkspaceModel):
    """Events by story day; reads while shown. ``model`` holds the events of the chosen day."""

    changed = Signal()  # the days, or the chosen day

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
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
        """List the events of a day; None lists those without a date."""
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


class EventViews(WorkspaceModel):
    """The views of the event list other than cards, each made when first asked for."""

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._events = events

    @cached_property
    def tree(self) -> OutlineTree:
        return OutlineTree(self._space, self._events, self)

    @cached_property
    def grid(self) -> witness_grid.WitnessGrid:
        return witness_grid.WitnessGrid(self._space, self._events, self)

    @cached_property
    def days(self) -> StoryCalendar:
        return StoryCalendar(self._space, self._events, self)


DepthRole = RowRole + 1
FoldRole = RowRole + 2  # True: unfolded, False: folded, None: has no children
DEEPEST = 20  # levels followed: real outlines never nest as deep


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of keys: the top keys, and the children of each key, in the order of the list."""

    roots: array[int]
    parts: Mapping[int, array[int]]
    parents: Mapping[int, int]

    def flat(self, keys: array[int], depth: int, unfolded: set[int]) -> tuple[Any, Any]:
        """Return the visible rows of ``keys`` and of unfolded keys below them: keys and depths."""
        if unfolded.isdisjoint(self.parts):
            return keys[:], array("b", [depth]) * len(keys)
        rows, depths = array("q"), array("b")
        for key in keys:
            rows.append(key)
            depths.append(depth)
            if key in unfolded and key in self.parts and depth < DEEPEST:
                more, deeper = self.flat(self.parts[key], depth + 1, unfolded)
                rows += more
                depths += deeper
        return rows, depths


def tree_of(keys: array[int], parents: Mapping[int, int]) -> Tree:
    """Arrange keys below those of their outlines that are also in ``keys``."""
    there = set(keys)
    known = {
        key: parent
        for key, parent in parents.items()
        if key in there and parent in there and parent != key
    }
    roots = array("q", (key for key in keys if key not in known))
    parts: dict[int, array[int]] = {}
    for key in keys if known else ():
        if key in known:
            parts.setdefault(known[key], array("q")).append(key)
    return Tree(roots, parts, known)


class OutlineModel(EventListModel):
    depths: array[int]
    tree = Tree(array("q"), {}, {})

    def __init__(self, tree: OutlineTree, fetch: Callable[..., Any]) -> None:
        super().__init__(fetch, tree)
        self.depths = array("b")
        self.unfolded: set[int] = set()

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role == DepthRole:
            return self.depths[index.row()]
        if index.isValid() and role == FoldRole:
            (key,) = self.keys(index.row(), index.row())
            return key in self.unfolded if key in self.tree.parts else None
        if index.isValid() and role == Qt.ItemDataRole.AccessibleTextRole:
            level = self.tr("Level {level}").format(level=self.depths[index.row()] + 1)
            return f"{super().data(index, role)}. {level}"
        return super().data(index, role)


class OutlineTree(WorkspaceModel):
    """Tree of the listed events and outlines; follows the list and reads while shown."""

    def __init__(
        self, workspace: Workspace, events: EventList, parent: QObject | None = None
    ) -> None:
        super().__init__(workspace, parent)
        self._events = events
        self.model = OutlineModel(self, events.fetch)
        self.model.noted = events.noted
        self._reading = LiveQuery(
            workspace,
            "outline tree",
            self._ask,
            self._show,
            concerns=lambda _changes: False,
            forget=self._forget,
            parent=self,
        )
        self._reading.set_active(False)
        events.found.connect(self._on_found)
        events.model.dataChanged.connect(self._on_other_content)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - shown or not
        self._reading.set_active(active)

    def toggle(self, row: int) -> None:
        """Fold or unfold the children of a row."""
        model = self.model
        keys, depths = model.keys(), model.depths
        if not 0 <= row < len(keys) or keys[row] not in model.tree.parts:
            return
        key, depth = keys[row], depths[row]
        if key in model.unfolded:
            model.unfolded.discard(key)
            end = row + 1
            while end < len(keys) and depths[end] > depth:
                end += 1
            self._set(keys[: row + 1] + keys[end:], depths[: row + 1] + depths[end:])
            return
        model.unfolded.add(key)
        more, deeper = model.tree.flat(model.tree.parts[key], depth + 1, model.unfolded)
        self._set(
            keys[: row + 1] + more + keys[row + 1 :],
            depths[: row + 1] + deeper + depths[row + 1 :],
        )

    def reveal(self, key: int) -> None:
        """Unfold every outline above ``key``."""
        above: list[int] = []
        parents = self.model.tree.parents
        while key in parents and len(above) < DEEPEST:
            key = parents[key]
            above.append(key)
        for outline in reversed(above):
            row = self.model.row_of(outline)
            if row is not None and outline not in self.model.unfolded:
                self.toggle(row)

    def parent_row(self, row: int) -> int | None:
        (key,) = self.model.keys(row, row)
        parent = self.model.tree.parents.get(key)
        return None if parent is None else self.model.row_of(parent)

    def _set(self, keys: array[int], depths: array[int]) -> None:
        self.model.depths = depths
        self.model.set_keys(keys)

    def _ask(self) -> Callable[[JobContext], tuple[Tree, Any, Any]] | None:
        line, memory = self._space.line, self._space.memory
        keys, unfolded = self._events.model.keys(), set(self.model.unfolded)
        if not line.chat_id:
            return None

        def read(_ctx: JobContext) -> tuple[Tree, Any, Any]:
            tree = tree_of(keys, memory.events.parents(line.chat_id))
            return tree, *tree.flat(tree.roots, 0, unfolded)

        return read

    def _show(self, answer: tuple[Tree, Any, Any]) -> None:
        self.model.tree, keys, depths = answer
        self._set(keys, depths)

    def _forget(self) -> None:
        self.model.unfolded = set()
        self.model.tree = Tree(array("q"), {}, {})
        self._set(array("q"), array("b"))

    @Slot(int)
    def _on_found(self, _count: int) -> None:
        self._reading.refresh()

    @Slot()
    def _on_other_content(self) -> None:
        self.model.refresh()
