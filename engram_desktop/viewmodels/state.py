"""The state of a story on one line: the tree as of a floor, each value and its history."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import (
    Leaf,
    StateEntry,
    StateHistory,
    StatePath,
    Step,
    Teller,
    join_path,
    leaves,
    points_of,
    split_path,
    steps_of,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, PageModel
from engram_desktop.viewmodels.workspace.workspace import TypingPlace, Workspace

_EVENTS_OF = 500  # newest changes that are shown with their events: as many as are listed


def teller_names() -> dict[Teller, str]:
    """Return the display names of the sources of a change."""
    return {
        "begin": QCoreApplication.translate("StateView", "the beginning"),
        "reply": QCoreApplication.translate("StateView", "the reply"),
        "variables": QCoreApplication.translate("StateView", "SillyTavern's variables"),
        "reflection": QCoreApplication.translate("StateView", "looking back"),
        "user": QCoreApplication.translate("StateView", "you"),
    }


def parse_typed(text: str, old: object) -> Any:
    """Return the typed value: a text if ``old`` is one, else parsed as JSON, else a text."""
    if isinstance(old, str):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


@dataclass(frozen=True, slots=True)
class ChosenValue:
    """One value with its steps, oldest first; ``points`` are (floor, number) for a curve.

    ``events`` are the events of the floors that changed it, where there are any.
    """

    path: StatePath
    value: Any
    meaning: str
    steps: tuple[Step, ...]
    points: tuple[tuple[int, float], ...]
    events: Mapping[int, str]


_Answer = tuple[int, StateHistory, Mapping[int, str]]


class StateView(PageModel):
    """State and commands of the state page. It reads only while active (`set_active`)."""

    shown = Signal(object)  # StateHistory
    chosen = Signal(object)  # ChosenValue or None: all values

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self.history = StateHistory(-1, {})
        self.events: Mapping[int, str] = {}  # events by floor, for floors that changed a value
        self.path: StatePath | None = None
        self.last = -1  # last floor of the line
        self._at = workspace.at
        self._query = LiveQuery(
            workspace,
            "state",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.forgets_once = True
        self._query.set_active(False)

    def show_at(self, floor: int) -> None:
        """Show the state as of ``floor``, shortly after the last call."""
        self._at = None if floor >= self.last else floor
        self._query.read_soon()

    def place(self, path: StatePath) -> TypingPlace:
        """Return the typing place of the value at ``path``."""
        line = self._space.line
        return TypingPlace(f"state {line.branch_id} {join_path(path)}", line.chat_id)

    @property
    def is_now(self) -> bool:
        return self._at is None

    def choose(self, path: StatePath | None) -> None:
        """Show one value with its history; None shows every change."""
        self.path = path
        self.chosen.emit(self._value(path) if path is not None else None)

    def set_value(self, path: StatePath, text: str) -> None:
        """Set the value at ``path`` to the typed text, from the newest floor on."""
        leaf = self._leaf(path)
        old = leaf.value if leaf is not None else None
        value = parse_typed(text, old)
        if old is not None and value == old:
            return
        line, memory = self._space.line, self._space.memory
        self._at = None  # show the present, where the change applies
        self._space.change(
            self.tr("Changing the state"), lambda _ctx: memory.state.set(line, path, value)
        )

    def add(self, name: str, text: str) -> None:
        """Add a value at a path written as `a.b.c`."""
        self.set_value(split_path(name), text)

    def remove(self, path: StatePath) -> None:
        line, memory = self._space.line, self._space.memory
        self._at = None
        self._space.change(
            self.tr("Changing the state"), lambda _ctx: memory.state.remove(line, path)
        )

    def read_source(self, floor: int) -> None:
        """Show the message that caused a change."""
        self._space.floor_wanted.emit(floor, floor)

    def _leaf(self, path: StatePath) -> Leaf | None:
        return next((leaf for leaf in leaves(self.history.tree) if leaf.path == path), None)

    def _value(self, path: StatePath) -> ChosenValue | None:
        leaf = self._leaf(path)
        if leaf is None:
            return None
        steps = tuple(steps_of(self.history.entries, path))
        points = points_of(steps, leaf.value, self.history.floor)
        events = {s.floor: self.events[s.floor] for s in steps if s.floor in self.events}
        return ChosenValue(path, leaf.value, leaf.meaning, steps, points, events)

    def _ask(self) -> Callable[[JobContext], _Answer] | None:
        line = self._space.line
        memory, at, names = self._space.memory, self._at, self._space.actors

        def work(ctx: JobContext) -> _Answer:
            last = memory.messages.count(line) - 1
            floor = None if at is None or at >= last else at
            history = memory.knowledge.state(ctx, line, names, floor)
            return last, history, _events_of(ctx, memory, line, history, names)

        return work if line.chat_id else None

    def _show(self, answer: _Answer) -> None:
        self.last, self.history, self.events = answer
        self.shown.emit(self.history)
        self.choose(self.path)

    def _forget(self) -> None:
        self._at, self.path, self.last = self._space.at, None, -1
        self.history, self.events = StateHistory(-1, {}), {}
        self.shown.emit(self.history)
        self.chosen.emit(None)

    def _concerns(self, changes: Changes) -> bool:
        is_ours = changes.chat_id == self._space.chat_id
        is_told = changes.rows or changes.texts or changes.knowledge
        return is_ours and (changes.state or changes.messages or is_told)


def _events_of(
    ctx: JobContext, memory: Memory, line: Line, history: StateHistory, names: Sequence[str]
) -> Mapping[int, str]:
    """Return event summaries by floor, for the floors of the newest changes.

    If a floor has several events, the one with the fewest floors is used; as a character, only
    events that the character knows.
    """
    floors = sorted({entry.floor for entry in history.entries[-_EVENTS_OF:]})
    if not floors:
        return {}
    events = [e for e in memory.events.at_floors(line, floors[0], floors[-1]) if e.level == 0]
    if names:
        askers = memory.knowledge.askers(ctx, line, names)
        query = EventQuery(branch_id=line.branch_id, level=0, actors=askers)
        known = set(memory.events.find(line.chat_id, query))
        events = [event for event in events if event.pk in known]
    summaries: dict[int, str] = {}
    widths: dict[int, int] = {}
    for event in events:
        first, last = event.source_range.start_index, event.source_range.end_index
        for floor in floors[bisect_left(floors, first) : bisect_right(floors, last)]:
            if floor not in widths or last - first < widths[floor]:
                summaries[floor], widths[floor] = event.summary, last - first
    return summaries


def faults_in(entries: tuple[StateEntry, ...]) -> int:
    """Return how many updates could not be parsed or applied."""
    return sum(len(e.faults) + sum(c.fault is not None for c in e.changes) for e in entries)
