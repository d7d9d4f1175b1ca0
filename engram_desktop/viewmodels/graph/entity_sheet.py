"""All there is of the entity shown: its face, facts, values, promises and every event of it.

Read in one job for each entity that is shown; what the page draws is made of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QImage

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.graph.entity import EntityNode, norm_name
from engram_desktop.domain.memory.event import EventNode
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.promises import Promise, promises
from engram_desktop.domain.state.log import StateHistory, points_of, steps_of
from engram_desktop.domain.state.tree import Leaf, StatePath, join_path, leaves
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.workspace.faces import face_of
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.value_words import value_words
from engram_desktop.viewmodels.workspace.workspace import Workspace

FACE_SIDE = 192  # pixels: sharp at twice the size it is shown
LEAST_VALUE = 2  # characters of a fact that can be looked for in events: one is in all of them
MOST_FACTS = 60
# Words of values that say how somebody stands to another: such a curve is shown first.
_FEELINGS = (
    "好感 亲密 信任 爱意 爱情 友情 羁绊 恋 敌意 依赖 affinity affection trust love intimacy bond"
    " relationship favor favour 好感度"
).split()


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a profile, and the first event that tells of it, where one does."""

    name: str
    value: str
    event: EventNode | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """A number of the state that is about somebody, over the floors that moved it."""

    path: StatePath
    name: str
    points: tuple[tuple[int, float], ...]
    reasons: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class EntitySheet:
    """``events`` are all that tell of it, the newest first; ``face`` is a card's picture."""

    entity: EntityNode
    face: QImage | None = None
    facts: tuple[Fact, ...] = ()
    curves: tuple[Curve, ...] = ()
    promises: tuple[Promise, ...] = ()
    events: tuple[EventNode, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """Which line, as whom, as of which floor."""

    line: Line
    names: tuple[str, ...]
    at: int | None


class EntitySheets(QObject):
    """Reads the sheet of what the graph page has selected, for whoever shows it."""

    read = Signal(object)  # EntitySheet, or None: nothing is selected

    def __init__(
        self, workspace: Workspace, graph: GraphPageModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._space = workspace
        self._graph = graph
        self.sheet: EntitySheet | None = None
        self._reading = NewestAnswer(workspace.jobs, self)
        self._reading.answered.connect(self._show)
        self._reading.failed.connect(workspace.messages.show_error)
        graph.selected.connect(self._on_selected)
        workspace.hub.changed.connect(self._on_changed)

    def show_event(self, event: EventNode) -> None:
        self._space.event_wanted.emit(event.pk)

    def show_lines(self, event: EventNode) -> None:
        """Show the messages an event tells of."""
        span = event.source_range
        self._space.floor_wanted.emit(span.start_index, span.end_index)

    def show_floor(self, floor: int) -> None:
        self._space.floor_wanted.emit(floor, floor)

    def put_in_centre(self) -> None:
        if self._graph.entity is not None:
            self._graph.recenter(self._graph.entity.id)

    @Slot(object)
    def _on_selected(self, entity: EntityNode | None) -> None:
        if entity is None:
            self._reading.drop()
            self._show(None)
            return
        memory = self._space.memory
        seen = _Seen(self._space.line, self._space.actors, self._graph.time.at)
        self._reading.ask(lambda ctx: _sheet(ctx, memory, seen, entity))

    @Slot(object)
    def _show(self, sheet: EntitySheet | None) -> None:
        self.sheet = sheet
        self.read.emit(sheet)

    @Slot(object, object)
    def _on_changed(self, changes: Changes, _initiator: object) -> None:
        """Read again what the graph itself does not follow."""
        is_state = changes.chat_id == self._space.chat_id and (changes.state or changes.messages)
        if (is_state or changes.worldbooks) and self.sheet is not None:
            self._on_selected(self._graph.entity)


def _sheet(ctx: JobContext, memory: Memory, seen: _Seen, entity: EntityNode) -> EntitySheet:
    line = seen.line
    actors = memory.knowledge.askers(ctx, line, seen.names)
    events = memory.graph.entity_events(line, entity.id, actors, seen.at)
    events.sort(key=lambda e: (e.source_range.end_index, e.order_key), reverse=True)
    relations = memory.graph.relations_of(line, entity.id, actors, seen.at)
    ended = [r for r in relations if not r.is_current and r.superseded_by is None]
    over = {event_id for relation in ended for event_id in relation.event_ids}
    ctx.check()
    names = (entity.name, *entity.aliases)
    norms = frozenset(map(norm_name, names))
    return EntitySheet(
        entity,
        _face(memory, line.chat_id, norms) if entity.type in ("char", "unknown") else None,
        tuple(_facts(entity, events)),
        tuple(_curves(ctx, memory, seen, norms)),
        tuple(promises(events, names, over)),
        tuple(events),
    )


def _face(memory: Memory, chat_id: str, norms: Collection[str]) -> QImage | None:
    """Return the picture of the card that goes by one of the names: one of this chat first."""
    rows = [*memory.characters.all(chat_id), *memory.characters.all()]
    for row in rows:
        if {norm_name(row.name), norm_name(row.nickname)} & set(norms):
            try:
                face = face_of(memory.characters.picture(row.id), FACE_SIDE)
            except KnownError:
                continue  # a card whose picture cannot be had
            if not face.isNull():
                return face
    return None


def _facts(entity: EntityNode, events: Sequence[EventNode]) -> list[Fact]:
    """Put a profile into lines. The data does not say where one is from: its words do."""
    told = [(event, norm_name(f"{event.summary} {event.raw_data.details}")) for event in events]
    facts = []
    for name, value in _lines_of(entity.profile)[:MOST_FACTS]:
        wanted = norm_name(value)
        first = None
        if len(wanted) >= LEAST_VALUE:
            first = next((event for event, text in reversed(told) if wanted in text), None)
        facts.append(Fact(name, value, first))
    return facts


def _lines_of(profile: object, above: str = "") -> list[tuple[str, str]]:
    if not isinstance(profile, dict):
        return [(above, value_words(profile))]
    lines = []
    for name, value in profile.items():
        lines += _lines_of(value, f"{above} · {name}" if above else str(name))
    return lines


def _curves(ctx: JobContext, memory: Memory, seen: _Seen, norms: frozenset[str]) -> list[Curve]:
    """Return the numbers that are about somebody, how they stand to others first."""
    history = memory.knowledge.state(ctx, seen.line, seen.names, seen.at)
    found = [leaf for leaf in leaves(history.tree) if _is_about(leaf.path, norms)]
    if not found:
        members = memory.play.scene(seen.line).members
        if len(members) == 1 and norm_name(members[0].name) in norms:  # the only one there is
            found = [leaf for leaf in leaves(history.tree) if _is_feeling(leaf)]
    curves = [curve for leaf in found if (curve := _curve(history, leaf, norms)) is not None]
    return sorted(curves, key=lambda c: not any(w in c.name.casefold() for w in _FEELINGS))


def _curve(history: StateHistory, leaf: Leaf, norms: Collection[str]) -> Curve | None:
    steps = tuple(steps_of(history.entries, leaf.path))
    points = points_of(steps, leaf.value, history.floor)
    if len(points) < 2:
        return None
    rest = tuple(part for part in leaf.path if norm_name(part) not in norms)
    reasons = tuple((step.floor, step.reason) for step in steps if step.reason)
    return Curve(leaf.path, join_path(rest or leaf.path), points, reasons)


def _is_about(path: StatePath, norms: Collection[str]) -> bool:
    parts = [norm_name(part) for part in path]
    return any(
        part == name or (len(name) >= LEAST_VALUE and name in part)
        for part in parts
        for name in norms
    )


def _is_feeling(leaf: Leaf) -> bool:
    text = join_path(leaf.path).casefold()
    return any(word in text for word in _FEELINGS)
