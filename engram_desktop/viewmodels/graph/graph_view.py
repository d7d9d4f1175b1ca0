"""The neighbourhood of an entity with places for its nodes, and the commands of the graph page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal, Slot

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.graph.entity import EntityNode, EntityType, GraphView
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.graph import graph_layout
from engram_desktop.viewmodels.graph.drawn_graph import DrawnGraph, drawn
from engram_desktop.viewmodels.workspace.live_query import TYPING_PAUSE_MS, LiveQuery
from engram_desktop.viewmodels.workspace.newest_answer import NewestAnswer
from engram_desktop.viewmodels.workspace.workspace import Workspace

MAX_NODES = 150


def type_name(kind: EntityType) -> str:
    """Name an entity type for the reader."""
    words = {
        "char": QCoreApplication.translate("Graph", "Characters"),
        "loc": QCoreApplication.translate("Graph", "Places"),
        "item": QCoreApplication.translate("Graph", "Items"),
        "concept": QCoreApplication.translate("Graph", "Concepts"),
        "unknown": QCoreApplication.translate("Graph", "Other"),
    }
    return words[kind]


def type_noun(kind: EntityType) -> str:
    """Name the type of one entity."""
    words = {
        "char": QCoreApplication.translate("Graph", "Character"),
        "loc": QCoreApplication.translate("Graph", "Place"),
        "item": QCoreApplication.translate("Graph", "Item"),
        "concept": QCoreApplication.translate("Graph", "Concept"),
        "unknown": QCoreApplication.translate("Graph", "Other thing"),
    }
    return words[kind]


@dataclass(frozen=True, slots=True)
class PlacedGraph:
    """What the page draws. ``total`` counts the entities of the whole chat."""

    view: GraphView
    places: graph_layout.Places
    total: int
    drawn: DrawnGraph

    @property
    def type_counts(self) -> Counter[EntityType]:
        return Counter(entity.type for entity in self.view.entities)


NOTHING = PlacedGraph(GraphView(None, (), ()), {}, 0, drawn(GraphView(None, (), ()), {}))


def _read(
    ctx: JobContext,
    memory: Memory,
    line: Line,
    around: tuple[str | None, int],
    names: tuple[str, ...],
) -> PlacedGraph:
    center, hops = around
    actors = memory.knowledge.askers(ctx, line, names)
    view = memory.graph.neighbourhood(line, center, hops, MAX_NODES, actors)
    fixed = {
        e.id: (e.layout_x, e.layout_y)
        for e in view.entities
        if e.layout_x is not None and e.layout_y is not None
    }
    edges = [(r.src, r.dst) for r in view.relations]
    places = graph_layout.lay_out([e.id for e in view.entities], edges, fixed, ctx.check)
    if view.entities:
        total = len(view.entities)
        if view.is_truncated or center is not None:
            total = max(total, len(memory.graph.find_entities(line, "", 100_000, actors)))
    else:
        total = 0
    return PlacedGraph(view, places, total, drawn(view, places))


class GraphPageModel(QObject):
    graph_changed = Signal(object)  # PlacedGraph
    selected = Signal(object)  # EntityNode or None
    events_read = Signal(object)  # list[EventNode]
    matches_found = Signal(object)  # list[EntityNode]

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._space = workspace
        self._text = ""
        self.center: str | None = None
        self.hops = 2
        self.graph = NOTHING
        self.entity: EntityNode | None = None
        self._wanted_id: str | None = None  # to be selected in the answer that is awaited
        self._query = LiveQuery(
            workspace,
            "graph",
            self._ask,
            self._show,
            concerns=self._concerns,
            forget=self._forget,
            parent=self,
        )
        self._query.set_active(False)
        self._matches = NewestAnswer(workspace.jobs, self)
        self._matches.answered.connect(self.matches_found)
        self._events = NewestAnswer(workspace.jobs, self)
        self._events.answered.connect(self.events_read)
        for query in (self._matches, self._events):
            query.failed.connect(workspace.messages.show_error)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._find)

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        """Only a page that is shown reads anything."""
        self._query.set_active(active)

    def load(self) -> None:
        self._query.read()

    def recenter(self, entity_id: str | None) -> None:
        self.center = entity_id
        self.load()

    def show_survivor(self, gone: str, survivor: str) -> None:
        """Show the survivor where an entity that was merged into it was shown."""
        if self.center == gone:
            self.center = survivor
        if self.entity is not None and self.entity.id == gone:
            self.entity = None
            self.selected.emit(None)  # nothing of it can be edited any more
        self._wanted_id = survivor
        self.load()

    def show_entity(self, entity_id: str) -> None:
        """Select an entity; where it is not drawn it becomes the centre."""
        if any(e.id == entity_id for e in self.graph.view.entities):
            self.select(entity_id)
        else:
            self._wanted_id = entity_id
            self.recenter(entity_id)

    def set_hops(self, hops: int) -> None:
        if hops != self.hops:
            self.hops = hops
            self.load()

    def select(self, entity_id: str | None) -> None:
        entity = next((e for e in self.graph.view.entities if e.id == entity_id), None)
        self.entity = entity
        self.selected.emit(entity)
        if entity is not None:
            line, memory, key = self._space.line, self._space.memory, entity.id
            names = self._space.actors
            self._events.ask(
                lambda ctx: memory.graph.entity_events(
                    line, key, memory.knowledge.askers(ctx, line, names)
                )
            )

    def search(self, text: str) -> None:
        self._text = text.strip()
        self._typing.start()

    def move(self, places: graph_layout.Places) -> None:
        """Keep where the reader put these nodes."""
        chat, memory = self._space.chat_id, self._space.memory
        self.graph.places.update(places)
        self._space.change(
            self.tr("Saving the layout"),
            lambda _ctx: memory.graph.save_layout(chat, places),
            initiator=self,
        )

    def show_event(self, key: int) -> None:
        self._space.event_wanted.emit(key)

    @Slot()
    def _find(self) -> None:
        line, memory, text = self._space.line, self._space.memory, self._text
        if not line.chat_id or not text:
            self._matches.drop()
            self.matches_found.emit([])
            return
        names = self._space.actors
        self._matches.ask(
            lambda ctx: memory.graph.find_entities(
                line, text, 50, memory.knowledge.askers(ctx, line, names)
            )
        )

    def _ask(self) -> Callable[[JobContext], PlacedGraph] | None:
        memory, center, hops = self._space.memory, self.center, self.hops
        line, names = self._space.line, self._space.actors
        if not line.chat_id:
            return None
        return lambda ctx: _read(ctx, memory, line, (center, hops), names)

    def _show(self, graph: PlacedGraph) -> None:
        self.graph = graph
        self.graph_changed.emit(graph)
        here = {e.id for e in graph.view.entities}
        candidates = (self._wanted_id, self.entity.id if self.entity else None)
        self._wanted_id = None
        entity_id = next((i for i in candidates if i in here), None)
        best = max(graph.view.entities, key=lambda e: e.degree, default=None)
        self.select(entity_id or graph.view.center_id or (best.id if best else None))

    def _forget(self) -> None:
        self._matches.drop()
        self._events.drop()
        self.center = None
        self.entity = None
        if not self._space.chat_id:
            self._show(NOTHING)

    def _concerns(self, changes: Changes) -> bool:
        """Whether the graph changed, or the events of the entity selected."""
        is_touched = changes.entities or changes.graph or changes.rows or changes.texts
        return changes.chat_id == self._space.chat_id and bool(is_touched)
