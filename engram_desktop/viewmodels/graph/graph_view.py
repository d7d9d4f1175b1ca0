"""The graph page: the neighbourhood of an entity with node positions, commands, and exports.

The layout moves visibly; the user can pause and continue it. It runs in short jobs, one after the
other, so that a pause takes effect at once; when it ends or is paused its positions are kept.
Entities are also offered as rows of a tree; the rows below an entity are made when they are shown.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QIcon
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.graph.entity import Around, EntityNode, EntityType, GraphView, Relation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.graph import drawn_graph
from engram_desktop.viewmodels.graph.drawn_graph import (
    DrawnGraph,
    GraphTime,
    Mask,
    Places,
    SteppedLayout,
    drawn,
    fact_words,
)
from engram_desktop.viewmodels.private_note import NoteMarks, note_words
from engram_desktop.viewmodels.workspace.live_query import TYPING_PAUSE_MS, LiveQuery, newest_answer
from engram_desktop.viewmodels.workspace.workspace import Workspace, WorkspaceModel

TURN_SECONDS = 0.12  # seconds that one job works before the picture is updated


class LayoutRun(QObject):
    moved = Signal(object)  # Places: current positions of the nodes
    rested = Signal(object)  # Places: final positions of the nodes
    changed = Signal()  # the layout was started, stopped or dropped

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._layout: SteppedLayout | None = None
        self.is_running = False
        self._turn = newest_answer(workspace, self._on_turned, self)

    @property
    def is_paused(self) -> bool:
        """Return whether the layout was stopped before its end."""
        return self._layout is not None and not self.is_running and not self._layout.is_finished

    def start(self, places: Places, edges: list[tuple[str, str]]) -> None:
        """Start a new layout of these nodes."""
        if places:
            self._layout = SteppedLayout.from_places(places, edges)
            self.go_on()

    def go_on(self) -> None:
        if self._layout is not None and not self.is_running:
            self.is_running = True
            self.changed.emit()
            self._ask()

    def stop(self) -> None:
        """Stop the layout and keep the positions."""
        if self.is_running and self._layout is not None:
            self.is_running = False
            self._turn.drop()
            self.rested.emit(self._layout.places())
            self.changed.emit()

    def forget(self) -> None:
        """Drop the layout without keeping its positions: other nodes are shown."""
        self._turn.drop()
        self._layout = None
        if self.is_running:
            self.is_running = False
        self.changed.emit()

    def _ask(self) -> None:
        layout = self._layout
        if layout is None:
            return

        def work(ctx: JobContext) -> Places:
            until = time.monotonic() + TURN_SECONDS
            while not layout.is_finished and time.monotonic() < until:
                ctx.check()
                layout.step()
            return layout.places()

        self._turn.ask(work)

    @Slot(object)
    def _on_turned(self, places: Places) -> None:
        if not self.is_running or self._layout is None:
            return
        self.moved.emit(places)
        if not self._layout.is_finished:
            self._ask()
            return
        self.is_running = False
        self.rested.emit(places)
        self.changed.emit()


MAX_NODES = 150
LIMITS = (150, 500, 2_000, 10_000)  # entities shown at most; the choices offered to the user


def type_name(kind: EntityType) -> str:
    """Return the display name of an entity type."""
    words = {
        "char": QCoreApplication.translate("Graph", "Characters"),
        "loc": QCoreApplication.translate("Graph", "Places"),
        "item": QCoreApplication.translate("Graph", "Items"),
        "concept": QCoreApplication.translate("Graph", "Concepts"),
        "unknown": QCoreApplication.translate("Graph", "Other"),
    }
    return words[kind]


def type_noun(kind: EntityType) -> str:
    """Return the display name of the type of one entity."""
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
    places: drawn_graph.Places
    total: int
    drawn: DrawnGraph
    last_floor: int = 0

    @property
    def type_counts(self) -> Counter[EntityType]:
        return Counter(entity.type for entity in self.view.entities)


NOTHING = PlacedGraph(GraphView(None, (), ()), {}, 0, drawn(GraphView(None, (), ()), {}))


def _read(
    ctx: JobContext, memory: Memory, line: Line, around: Around, known: ShownGraph
) -> PlacedGraph:
    actors = memory.knowledge.askers(ctx, line, known.names)
    view = memory.graph.picture(line, around, actors)
    here = {e.id for e in view.entities}
    places = {**known.places, **memory.graph.places(line.chat_id)}
    fixed = {i: place for i, place in places.items() if i in here}
    edges = [(r.src, r.dst) for r in view.relations]
    places = drawn_graph.lay_out([e.id for e in view.entities], edges, fixed, ctx.check)
    if view.entities:
        total = len(view.entities)
        if view.is_truncated or around.center_id is not None:
            total = max(total, len(memory.graph.find_entities(line, "", 100_000, actors)))
    else:
        total = 0
    last = memory.graph.last_floor(line)
    return PlacedGraph(view, places, total, drawn(view, places), last)


@dataclass(frozen=True, slots=True)
class ShownGraph:
    """As which character the graph is seen, and the positions of nodes shown before."""

    names: tuple[str, ...]
    places: drawn_graph.Places


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path between two entities; ``relations`` is None if they are not connected."""

    ends: tuple[str, str]
    names: dict[str, str]
    relations: tuple[Relation, ...] | None

    @property
    def stations(self) -> list[str]:
        """Return the entities of the path, in order."""
        stations = [self.ends[0]]
        for relation in self.relations or ():
            stations.append(relation.dst if relation.src == stations[-1] else relation.src)
        return stations

    @property
    def text(self) -> str:
        """Return the path in words."""
        if self.relations is None:
            return ""
        parts = [self.names.get(self.ends[0], "")]
        here = self.ends[0]
        for relation in self.relations:
            is_onward = relation.src == here
            here = relation.dst if is_onward else relation.src
            word = f" {relation.predicate} " if relation.predicate else ""
            parts.append(f"—{word}→" if is_onward and word else f"←{word}—" if word else "—")
            parts.append(self.names.get(here, ""))
        return " ".join(parts)


class GraphPageModel(WorkspaceModel):
    graph_changed = Signal(object)  # PlacedGraph
    selected = Signal(object)  # EntityNode or None
    forgotten = Signal()  # another chat will be shown
    matches_found = Signal(object)  # list[EntityNode]
    places_changed = Signal()  # nodes of the shown graph were moved
    path_changed = Signal(object)  # FoundPath, or None: no path is shown

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(workspace, parent)
        self._text = ""
        self.center: str | None = None
        self.hops = 2
        self.limit = MAX_NODES
        self.path: FoundPath | None = None
        self.time = GraphTime(self)
        self.time.at = workspace.at
        self.time.asked.connect(self.load)
        self.layout = LayoutRun(workspace, self)
        self.layout.moved.connect(self._on_moved)
        self.layout.rested.connect(self._on_rested)
        self._before_layout: drawn_graph.Places = {}  # positions when the layout began
        self._placed_for: object = None  # key of the graph that the positions belong to
        self._places: drawn_graph.Places = {}  # positions, also of nodes shown at other floors only
        self.graph = NOTHING
        self.entity: EntityNode | None = None
        self._also: tuple[str, ...] = ()  # ids drawn in addition to the neighbourhood
        self._wanted_id: str | None = None  # to be selected when the running read ends
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
        self._matches = newest_answer(workspace, self.matches_found, self)
        self._paths = newest_answer(workspace, self._on_path, self)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_PAUSE_MS)
        self._telling = QTimer(self, singleShot=True, interval=0)
        self._telling.timeout.connect(lambda: self.selected.emit(self.entity))
        self._typing.timeout.connect(self._find)

    @property
    def is_loaded(self) -> bool:
        """Return whether the graph of the shown chat has been read."""
        return not self._space.chat_id or self._query.has_answer

    def set_active(self, active: bool) -> None:  # noqa: FBT001 - a page is shown or not
        """Start or stop reading; the page reads only while it is shown."""
        self._query.set_active(active)

    @Slot()
    def load(self) -> None:
        self._query.read()

    def recenter(self, entity_id: str | None) -> None:
        self.center = entity_id
        self.load()

    def show_survivor(self, gone: str, survivor: str) -> None:
        """Show the surviving entity if the merged one was shown."""
        if self.center == gone:
            self.center = survivor
        if self.entity is not None and self.entity.id == gone:
            self.entity = None
            self.selected.emit(None)  # the merged entity cannot be edited any more
        self._wanted_id = survivor
        self.load()

    def show_entity(self, entity_id: str) -> None:
        """Select an entity; if it is not drawn it becomes the centre of the graph."""
        if any(e.id == entity_id for e in self.graph.view.entities):
            self.select(entity_id)
        else:
            self._wanted_id = entity_id
            self.recenter(entity_id)

    def set_hops(self, hops: int) -> None:
        if hops != self.hops:
            self.hops = hops
            self.load()

    def set_limit(self, limit: int) -> None:
        """Set how many entities are shown at most."""
        if limit != self.limit:
            self.limit = limit
            self.load()

    def show_also(self, ids: Sequence[str]) -> None:
        """Draw these entities too, as far as the limit allows."""
        also = tuple(ids[: self.limit])
        if also != self._also:
            self._also = also
            if not {e.id for e in self.graph.view.entities}.issuperset(also):
                self.load()

    def find_path(self, start: str, goal: str) -> None:
        """Search the shortest path between two entities; emits `path_changed`."""
        line, memory, at = self._space.line, self._space.memory, self.time.at
        names = self._space.actors

        def work(ctx: JobContext) -> FoundPath:
            actors = memory.knowledge.askers(ctx, line, names)
            way = memory.graph.path(line, (start, goal), actors, at)
            ends = {end for r in way or () for end in (r.src, r.dst)} | {start, goal}
            called = memory.graph.entity_names(line.chat_id, ends)
            return FoundPath((start, goal), called, None if way is None else tuple(way))

        self._paths.ask(work)

    def clear_path(self) -> None:
        self._paths.drop()
        if self.path is not None:
            self.path = None
            self.path_changed.emit(None)

    def arrange(self) -> None:
        """Pause or continue the layout, or start a new one of everything shown."""
        if self.layout.is_running:
            self.layout.stop()
        elif self.layout.is_paused:
            self.layout.go_on()
        else:
            edges = [(r.src, r.dst) for r in self.graph.view.relations]
            self._before_layout = dict(self.graph.places)
            self.layout.start(dict(self.graph.places), edges)

    def select(self, entity_id: str | None) -> None:
        self.entity = self._found(entity_id)
        self.selected.emit(self.entity)

    def _found(self, entity_id: str | None) -> EntityNode | None:
        return next((e for e in self.graph.view.entities if e.id == entity_id), None)

    def search(self, text: str) -> None:
        self._text = text.strip()
        self._typing.start()

    def move(self, places: drawn_graph.Places) -> None:
        """Store the positions to which the user moved these nodes."""
        here = self.graph.places
        self._keep(places, {i: here[i] for i in places if i in here})

    def _keep(self, places: drawn_graph.Places, before: drawn_graph.Places) -> None:
        chat, memory = self._space.chat_id, self._space.memory
        self.graph.places.update(places)
        self._space.change(
            self.tr("Saving the layout"),
            lambda _ctx: memory.graph.save_layout(chat, places, before),
            initiator=self,
        )

    def show_floors(self, first: int, last: int) -> None:
        self._space.floor_wanted.emit(first, last)

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
        memory, line = self._space.memory, self._space.line
        if not line.chat_id:
            return None
        also = self._also + (tuple(self.path.stations) if self.path is not None else ())
        around = Around(self.center, self.hops, self.limit, self.time.at, also)
        is_same = self._placed_for == self._place
        self._placed_for = self._place
        self._places = {**self._places, **self.graph.places} if is_same else {}
        known = ShownGraph(self._space.actors, self._places)
        return lambda ctx: _read(ctx, memory, line, around, known)

    @property
    def _place(self) -> object:
        """Return a key of what is shown: while it is equal, nodes keep their positions."""
        return (self._space.line, self.center, self.hops, self.limit)

    def _show(self, graph: PlacedGraph) -> None:
        """Show the graph; what shows the selected entity is filled in the next turn."""
        self.graph = graph
        self.layout.forget()
        here = {e.id for e in graph.view.entities}
        candidates = (self._wanted_id, self.entity.id if self.entity else None)
        self._wanted_id = None
        entity_id = next((i for i in candidates if i in here), None)
        best = max(graph.view.entities, key=lambda e: e.degree, default=None)
        self.entity = self._found(entity_id or graph.view.center_id or (best.id if best else None))
        self.graph_changed.emit(graph)
        self._telling.start()
        self.time.on_shown(graph.last_floor)
        if self.path is not None:
            self.path_changed.emit(self.path)

    @Slot(object)
    def _on_path(self, path: FoundPath) -> None:
        self.path = path
        here = {e.id for e in self.graph.view.entities}
        if path.relations is None or here.issuperset(path.stations):
            self.path_changed.emit(path)
        else:
            self.load()

    @Slot(object)
    def _on_moved(self, places: drawn_graph.Places) -> None:
        self.graph.places.update(places)
        self.graph.drawn.move(places)
        self.places_changed.emit()

    @Slot(object)
    def _on_rested(self, places: drawn_graph.Places) -> None:
        self._on_moved(places)
        self._keep(places, self._before_layout)

    def _forget(self) -> None:
        self._also = ()
        self._matches.drop()
        self.clear_path()
        self.layout.forget()
        self.time.forget(self._space.at)
        self._placed_for = None
        self.center = None
        self.entity = None
        if not self._space.chat_id:
            self._show(NOTHING)
            self.select(None)
        self.forgotten.emit()

    def _concerns(self, changes: Changes) -> bool:
        """Return whether the graph or the events of the selected entity changed."""
        is_touched = changes.entities or changes.graph or changes.rows or changes.texts
        return changes.chat_id == self._space.chat_id and bool(is_touched)


IdRole = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
_ROW = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


class Link(NamedTuple):
    """A relation as a row below one of its ends; ``other`` is the other end."""

    text: str
    is_past: bool
    other: str


class GraphRows(QAbstractItemModel):
    """Tree model of the entities, the best connected first, with their relations as children.

    The index of a child holds the row of its entity + 1. ``noted``: which entities have a private
    note; ``icon`` returns the mark of a kind of entity, or of a note (None). Rows are no items of
    their own: a tree's ten thousand items take a third of a second to free.
    """

    def __init__(
        self,
        noted: NoteMarks,
        icon: Callable[[EntityType | None], QIcon],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._noted = noted
        self._icon = icon
        self._view: GraphView = NOTHING.view
        self._graph: DrawnGraph = NOTHING.drawn
        self._shown: Mask = np.zeros(0, dtype=np.bool_)
        self._nodes: list[int] = []
        self._is_linked: list[bool] = []
        self._row_of: dict[int, int] = {}
        self._links: dict[int, list[Link]] = {}

    def show(self, view: GraphView, graph: DrawnGraph, shown: Mask) -> None:
        """Show the entities of a graph that are drawn."""
        self.beginResetModel()
        self._view, self._graph, self._shown = view, graph, shown
        listed = graph.listed[shown[graph.listed]]
        both = shown[graph.src] & shown[graph.dst]
        linked = graph.loops.copy()
        linked[graph.src[both]] = linked[graph.dst[both]] = True
        self._nodes = listed.tolist()
        self._is_linked = linked[listed].tolist()
        self._row_of = {}
        self._links = {}
        self.endResetModel()

    def index_of(self, entity_id: str) -> QModelIndex:
        """Return the index of an entity; an invalid index if it is not shown."""
        if not self._row_of:
            self._row_of = {node: row for row, node in enumerate(self._nodes)}
        row = self._row_of.get(self._graph.index.get(entity_id, -1))
        return _NO_INDEX if row is None else self.createIndex(row, 0, 0)

    @override
    def index(self, row: int, column: int, parent: Index = _NO_INDEX) -> QModelIndex:
        if not parent.isValid():
            return self.createIndex(row, column, 0)
        return self.createIndex(row, column, parent.row() + 1)

    @override
    def parent(self, child: Index = _NO_INDEX) -> QModelIndex:  # type: ignore[override]
        above = child.internalId()
        return self.createIndex(above - 1, 0, 0) if above else _NO_INDEX

    @override
    def rowCount(self, parent: Index = _NO_INDEX) -> int:
        if not parent.isValid():
            return len(self._nodes)
        return 0 if parent.internalId() else len(self._links_of(parent.row()))

    @override
    def columnCount(self, parent: Index = _NO_INDEX) -> int:
        return 1

    @override
    def hasChildren(self, parent: Index = _NO_INDEX) -> bool:
        if not parent.isValid():
            return bool(self._nodes)
        return not parent.internalId() and self._is_linked[parent.row()]

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        return _ROW

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        above = index.internalId()
        if above:
            return self._of_link(self._links_of(above - 1)[index.row()], role)
        entity = self._graph.entities[self._nodes[index.row()]]
        if role == IdRole:
            return entity.id
        return self._of_entity(entity, role)

    def _of_entity(self, entity: EntityNode, role: int) -> Any:
        """Return a name with the mark of its kind, or of its private note; both are told."""
        is_noted = self._noted.has_entity(entity.id)
        if role == Qt.ItemDataRole.DisplayRole:
            return entity.name
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(None if is_noted else entity.type)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            words = f"{entity.name}, {type_noun(entity.type)}"
            return f"{words}. {note_words()}" if is_noted else words
        return None

    def _of_link(self, link: Link, role: int) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return link.text
        if role == IdRole:
            return link.other
        if role == Qt.ItemDataRole.FontRole and link.is_past:
            font = QFont()
            font.setStrikeOut(True)
            return font
        if role == Qt.ItemDataRole.ToolTipRole and link.is_past:
            return self.tr("This was so before")
        return None

    def _links_of(self, row: int) -> list[Link]:
        """Return the relations of an entity, read on demand: all of a large graph take 3 s."""
        made = self._links.get(row)
        if made is not None:
            return made
        graph = self._graph
        here = graph.entities[self._nodes[row]].id
        made = []
        for relation in self._view.relations:
            if here not in (relation.src, relation.dst):
                continue
            a, b = graph.index.get(relation.src), graph.index.get(relation.dst)
            if a is None or b is None or not (self._shown[a] and self._shown[b]):
                continue
            text = fact_words(graph.entities[a].name, relation.predicate, graph.entities[b].name)
            other = relation.dst if relation.src == here else relation.src
            made.append(Link(text, not relation.is_current, other))
        self._links[row] = made
        return made


_CANNOT_BE_WRITTEN = QT_TRANSLATE_NOOP("reports", "{path} cannot be written: {detail}.")
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')


class GraphFiles(WorkspaceModel):
    @property
    def title(self) -> str:
        """Return the title of an exported graph."""
        chat = self._space.chat_id
        name = self._space.memory.chats.name(chat) if chat else ""
        clean = _NOT_IN_NAMES.sub(" ", name).strip()
        return clean or "graph"

    def write(self, file: Path, save: Callable[[Path], object]) -> None:
        """Write a file atomically with ``save``, which returns False on failure, as Qt does."""

        def work(_ctx: JobContext, part: Path) -> None:
            part.touch()  # touching the file gives the system's reason
            if save(part) is False:
                raise OSError(5, "the picture was not written")

        self._run(work, file)

    def write_graphml(self, file: Path) -> None:
        """Write the whole graph as GraphML, as seen now."""
        memory, line, names = self._space.memory, self._space.line, self._space.actors

        def work(ctx: JobContext, part: Path) -> None:
            actors = memory.knowledge.askers(ctx, line, names)
            part.write_text(memory.graph.graphml(line, actors), "utf-8")

        self._run(work, file)

    def _run(self, work: Callable[[JobContext, Path], object], file: Path) -> None:
        """Write a file with ``work``, then move it to ``file``; the job raises StorageError."""
        part = file.with_name(f".{file.stem}.part{file.suffix}")  # the suffix gives the format

        def whole(ctx: JobContext) -> str:
            try:
                work(ctx, part)
                part.replace(file)
            except OSError as e:
                part.unlink(missing_ok=True)
                why = Phrase(_CANNOT_BE_WRITTEN, path=file, detail=e.strerror or str(e))
                raise StorageError(why) from e
            return file.name

        job = self._space.run(self.tr("Exporting"), whole, lane="network")
        job.succeeded.connect(self._on_written)

    def _on_written(self, name: str) -> None:
        text = self.tr("“{name}” was written").format(name=name)
        self._space.messages.tell(text, kind="success")
