"""The drawn graph as arrays, its layout, and the time bar that plays it floor by floor.

The arrays are made in a job, so that the window does not wait; positions may be moved, everything
else stays as it was read. The layout pulls along edges and pushes all other nodes apart: pure
NumPy, no Qt, the same result for the same input. Nodes with a place keep it. In a small graph every
pair is compared; in a large one the push is read from a grid, and only near pairs are compared. The
time bar takes the next step when the last one is shown.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityNode, GraphView, Relation
from engram_desktop.domain.graph.relations import predicate_alone
from engram_desktop.domain.values import dataclass

MOST_LANES = 5  # lines between two nodes; further relations of the pair join the last line
LEAST_RADIUS = 7.0  # scene units; radius of a node without edges
RADIUS_GROWTH = 3.0  # a node's area grows with its degree
MOST_COUNTED = 80  # degree from which on a node grows no further

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnGraph:
    """Nodes by number. A lane is one line between two nodes, with its text."""

    entities: tuple[EntityNode, ...]
    index: dict[str, int]
    places: Array  # x and y of each node
    radii: Array
    kinds: Numbers  # index of the type in `ENTITY_TYPES`
    degrees: Numbers
    order: Numbers  # nodes, the most important first
    src: Numbers
    dst: Numbers
    bends: Array  # of each lane: steps of curvature away from the straight line
    is_past: Mask
    is_met: Mask  # mentioned together, without a stated relation
    lanes: tuple[tuple[Relation, ...], ...]
    listed: Numbers  # nodes, the best connected first, then by name
    loops: Mask  # of each node: whether it has a relation to itself
    said: Mapping[str, Numbers]  # lanes by predicate, the most frequent predicate first

    def move(self, places: Mapping[str, tuple[float, float]]) -> None:
        """Move nodes to other positions."""
        for entity_id, place in places.items():
            number = self.index.get(entity_id)
            if number is not None:
                self.places[number] = place

    def touching(self, node: int) -> Numbers:
        """Return the lanes that begin or end at a node."""
        return np.flatnonzero((self.src == node) | (self.dst == node))

    def words(self, lane: int) -> str:
        """Return the text of a lane."""
        words = (predicate_alone(r.predicate) for r in self.lanes[lane] if r.predicate)
        return " · ".join(dict.fromkeys(words))


def drawn(view: GraphView, places: Mapping[str, tuple[float, float]]) -> DrawnGraph:
    """Build the arrays of a graph."""
    entities = view.entities
    index = {entity.id: number for number, entity in enumerate(entities)}
    degrees = np.array([entity.degree for entity in entities], dtype=np.int64)
    points = np.array([places[entity.id] for entity in entities], dtype=np.float64)
    numbers = {kind: number for number, kind in enumerate(ENTITY_TYPES)}
    kinds = np.array([numbers[entity.type] for entity in entities], dtype=np.int64)
    counted = np.minimum(degrees, MOST_COUNTED).astype(np.float64)
    rank = degrees + 1e6 * np.array([entity.id == view.center_id for entity in entities])
    lanes, ends, bends = _lanes(view.relations, index)
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    listed = sorted(range(len(entities)), key=lambda n: (-entities[n].degree, entities[n].name))
    loops = np.zeros(len(entities), dtype=np.bool_)
    loops[[index[r.src] for r in view.relations if r.src == r.dst and r.src in index]] = True
    return DrawnGraph(
        entities,
        index,
        points.reshape(-1, 2),
        LEAST_RADIUS + RADIUS_GROWTH * np.sqrt(counted),
        kinds,
        degrees,
        np.argsort(-rank, kind="stable"),
        pairs[:, 0],
        pairs[:, 1],
        np.array(bends, dtype=np.float64),
        np.array([not lane[0].is_current for lane in lanes], dtype=np.bool_),
        np.array([not lane[0].predicate for lane in lanes], dtype=np.bool_),
        tuple(lanes),
        np.array(listed, dtype=np.int64),
        loops,
        _said(lanes),
    )


def _said(lanes: Sequence[tuple[Relation, ...]]) -> dict[str, Numbers]:
    """Return the lanes by predicate."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, lane in enumerate(lanes):
        for relation in lane:
            if relation.predicate:
                found[relation.predicate].append(number)
    words = sorted(found, key=lambda word: (-len(found[word]), word))
    return {word: np.array(found[word], dtype=np.int64) for word in words}


def _lanes(
    relations: Sequence[Relation], index: Mapping[str, int]
) -> tuple[list[tuple[Relation, ...]], list[tuple[int, int]], list[float]]:
    """Give each relation of a pair its own lane, up to `MOST_LANES`."""
    pairs: dict[tuple[int, int], list[Relation]] = defaultdict(list)
    for relation in relations:
        a, b = index.get(relation.src), index.get(relation.dst)
        if a is not None and b is not None and a != b:
            pairs[min(a, b), max(a, b)].append(relation)
    lanes: list[tuple[Relation, ...]] = []
    ends: list[tuple[int, int]] = []
    bends: list[float] = []
    for (low, _high), told in pairs.items():
        current = [r for r in told if r.is_current]
        groups: list[tuple[Relation, ...]] = [(r,) for r in current[: MOST_LANES - 1]]
        if len(current) > MOST_LANES - 1:
            groups.append(tuple(current[MOST_LANES - 1 :]))
        if not groups:
            groups = [tuple(told)]
        for number, group in enumerate(groups):
            a, b = index[group[0].src], index[group[0].dst]
            lanes.append(group)
            ends.append((a, b))
            side = number - (len(groups) - 1) / 2
            bends.append(side if a == low else -side)
    return lanes, ends, bends


def fact_words(subject: str, predicate: str, other: str) -> str:
    """Return a relation in words: `Ilse — talks with → Marrow`.

    A predicate is free text, a verb or a noun (父亲是, 对话); the arrow says its direction.
    """
    return (
        f"{subject} — {predicate_alone(predicate)} → {other}"
        if predicate
        else f"{subject} — {other}"
    )


def shown_nodes(
    graph: DrawnGraph,
    hidden: frozenset[str],
    least_degree: int,
    among: Collection[str] | None = None,
) -> Mask:
    """Return for each node whether to draw it; with ``among``, only these entities are drawn."""
    numbers = [number for number, kind in enumerate(ENTITY_TYPES) if kind in hidden]
    kinds = np.array(numbers, graph.kinds.dtype)  # of another type, numpy reads numpy.ma: 20 ms
    is_shown: Mask = ~np.isin(graph.kinds, kinds) & (graph.degrees >= least_degree)
    if among is not None:
        is_asked = np.zeros(len(is_shown), dtype=np.bool_)
        is_asked[[graph.index[i] for i in among if i in graph.index]] = True
        is_shown = is_shown & is_asked
    return is_shown


def shown_lanes(graph: DrawnGraph, nodes: Mask, predicate: str, of_node: int | None = None) -> Mask:
    """Return for each lane whether to draw it; with a predicate, only lanes of that predicate.

    With ``of_node``, only lanes that begin or end there.
    """
    is_shown: Mask = nodes[graph.src] & nodes[graph.dst]
    if predicate:
        says = np.zeros(len(is_shown), dtype=np.bool_)
        says[graph.said.get(predicate, [])] = True
        is_shown = is_shown & says
    if of_node is not None:
        is_shown = is_shown & ((graph.src == of_node) | (graph.dst == of_node))
    return is_shown


SPACING = 90.0  # length an edge tends to, in scene units
LAYOUT_STEPS = 220
LARGE_STEPS = 150  # steps of the layout of a large graph
CLEARING_STEPS = 40
CLEARANCE = 58.0  # scene units; names of nodes nearer than this overlap
LARGE = 400  # number of nodes from which comparing all pairs takes too long
GRID = 128  # cells per side of the grid that gives the push of a large graph
NEAR = 5  # following nodes in grid order that are compared as near

Places = dict[str, tuple[float, float]]


class SteppedLayout:
    """A layout that can be stopped after every step, and continued."""

    def __init__(
        self,
        nodes: Sequence[str],
        edges: Sequence[tuple[str, str]],
        fixed: Mapping[str, tuple[float, float]],
    ) -> None:
        self._number = {node: n for n, node in enumerate(nodes)}
        self._spots = _start(nodes, edges, fixed)
        self._is_free = np.array([node not in fixed for node in nodes])
        self._is_large = len(nodes) > LARGE
        self._steps = LARGE_STEPS if self._is_large else LAYOUT_STEPS
        self._heat = SPACING * 0.5 * max(1.0, math.sqrt(len(nodes) / LARGE))
        number = self._number
        self._pairs = np.array(
            [(number[a], number[b]) for a, b in edges if a in number and b in number and a != b],
            dtype=np.int64,
        ).reshape(-1, 2)
        degrees = np.maximum(np.bincount(self._pairs.ravel(), minlength=len(nodes)), 1)
        # in a dense part every edge pulls less, else it becomes a knot
        self._pulls = 1.6 / np.sqrt(degrees[self._pairs[:, 0]] * degrees[self._pairs[:, 1]])
        self.done = 0

    @classmethod
    def from_places(cls, places: Places, edges: Sequence[tuple[str, str]]) -> SteppedLayout:
        """Start a layout in which all nodes move, from their current places."""
        layout = cls(list(places), edges, places)
        layout._is_free[:] = True
        return layout

    @property
    def is_finished(self) -> bool:
        return self.done >= self._steps + CLEARING_STEPS or not self._is_free.any()

    def step(self) -> None:
        if self.done < self._steps:
            heat = self._heat * (1.0 - self.done / self._steps) ** 1.5 + 0.5
            self._spots += self._moves(heat) * self._is_free[:, None]
        else:
            push = _near_clearings if self._is_large else _clearings
            self._spots += push(self._spots) * self._is_free[:, None]
        self.done += 1

    def places(self) -> Places:
        rows = self._spots.tolist()
        return {node: (rows[n][0], rows[n][1]) for node, n in self._number.items()}

    def _moves(self, heat: float) -> Array:
        """Return one step of Fruchterman and Reingold; no node moves farther than ``heat``."""
        push = _grid_push if self._is_large else _push
        force = push(self._spots)
        pairs = self._pairs
        if len(pairs):
            spans = self._spots[pairs[:, 0]] - self._spots[pairs[:, 1]]
            lengths = np.sqrt((spans**2).sum(axis=1))
            pull = spans * (self._pulls * lengths / SPACING)[:, None]
            np.add.at(force, pairs[:, 0], -pull)
            np.add.at(force, pairs[:, 1], pull)
        force -= self._spots * 0.8  # keeps separate parts together
        length = np.maximum(np.sqrt((force**2).sum(axis=1)), 1e-9)
        moves: Array = force * (np.minimum(length, heat) / length)[:, None]
        return moves


def lay_out(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    fixed: Mapping[str, tuple[float, float]],
    check: Callable[[], None] = lambda: None,
) -> Places:
    """Return a place for every node. ``check`` may raise to stop."""
    if not nodes:
        return {}
    layout = SteppedLayout(nodes, edges, fixed)
    while not layout.is_finished:
        check()
        layout.step()
    return layout.places()


def _start(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    fixed: Mapping[str, tuple[float, float]],
) -> Array:
    """Return start places: fixed nodes stay, others are near a fixed neighbour or on a spiral."""
    near: dict[str, tuple[float, float]] = {}
    for a, b in edges:
        for one, other in ((a, b), (b, a)):
            if one in fixed and other not in fixed:
                near.setdefault(other, fixed[one])
    places = np.zeros((len(nodes), 2))
    for n, node in enumerate(nodes):
        angle, radius = n * 2.399963, SPACING * 0.6 * math.sqrt(n + 0.5)  # the golden angle
        if node in fixed:
            places[n] = fixed[node]
        elif node in near:
            x, y = near[node]
            places[n] = (x + SPACING * math.cos(angle), y + SPACING * math.sin(angle))
        else:
            places[n] = (radius * math.cos(angle), radius * math.sin(angle))
    return places


def _push(places: Array) -> Array:
    """Return the push of all other nodes on each node."""
    offsets = places[:, None, :] - places[None, :, :]
    squared_distances = np.maximum((offsets**2).sum(axis=2), 1.0)
    force: Array = (offsets * (SPACING**2 / squared_distances)[:, :, None]).sum(axis=1)
    return force


def _grid_push(places: Array) -> Array:
    """Return the same, from a grid: nodes are counted by cell, and cells repel each other."""
    low = places.min(axis=0)
    cell = float(max((places.max(axis=0) - low).max() / (GRID - 1), 1.0))
    at = ((places - low) / cell).round().astype(np.int64)
    counts = np.zeros((GRID, GRID))
    np.add.at(counts, (at[:, 0], at[:, 1]), 1.0)
    line = np.arange(-GRID, GRID) * cell
    x, y = np.meshgrid(line, line, indexing="ij")
    squared = np.maximum(x**2 + y**2, cell**2)
    known = np.fft.rfft2(counts, (2 * GRID, 2 * GRID))
    force = np.empty_like(places)
    for axis, way in enumerate((x, y)):
        reach = np.fft.rfft2(np.fft.ifftshift(way / squared))
        field = np.fft.irfft2(known * reach, (2 * GRID, 2 * GRID))[:GRID, :GRID]
        force[:, axis] = field[at[:, 0], at[:, 1]] * SPACING**2
    return force + _near_clearings(places) * (SPACING / CLEARANCE) * 4


def _clearings(places: Array) -> Array:
    """Return moves that separate nodes nearer than `CLEARANCE`."""
    offsets = places[:, None, :] - places[None, :, :]
    distances = np.sqrt((offsets**2).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    overlaps = np.maximum(CLEARANCE - distances, 0.0)
    moves: Array = (offsets * (overlaps / np.maximum(distances, 1.0) / 2)[:, :, None]).sum(axis=1)
    return moves


def _near_clearings(places: Array) -> Array:
    """Return the same for neighbours in the order of a grid's rows, in two overlapping grids."""
    moves = np.zeros_like(places)
    for shift in (0.0, CLEARANCE / 2):
        for across, along in ((0, 1), (1, 0)):
            rows = np.floor((places[:, across] + shift) / CLEARANCE)
            order = np.lexsort((places[:, along], rows))
            for step in range(1, min(NEAR + 1, len(places))):
                one, other = order[:-step], order[step:]
                offsets = places[one] - places[other]
                distances = np.sqrt((offsets**2).sum(axis=1))
                overlaps = np.maximum(CLEARANCE - distances, 0.0)
                push = offsets * (overlaps / np.maximum(distances, 1.0) / 8)[:, None]
                moves[one] += push
                moves[other] -= push
    return moves


STEP_MS = 350  # milliseconds; the shortest time a picture is shown
TIME_STEPS = 60  # steps in which a whole story is played


class GraphTime(QObject):
    asked = Signal()  # another floor is wanted
    changed = Signal()  # the bar has to be drawn again

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last = 0  # the newest floor
        self.at: int | None = None  # None: everything, as it is now
        self.is_playing = False
        self._next = QTimer(self, singleShot=True, interval=STEP_MS)
        self._next.timeout.connect(self._step)

    @property
    def floor(self) -> int:
        """Return the shown floor."""
        return self.last if self.at is None else self.at

    def show(self, floor: int) -> None:
        """Show the graph as of a floor; the newest floor shows it as it is now."""
        at = None if floor >= self.last else max(0, floor)
        if at != self.at:
            self.at = at
            self.changed.emit()
            self.asked.emit()

    def go_to(self, floor: int) -> None:
        """Show a floor that the user chose, and stop playing."""
        self.pause()
        self.show(floor)

    def play(self) -> None:
        """Play on; restart from the beginning at the end."""
        if self.last == 0:
            return
        self.is_playing = True
        if self.at is None:
            self.show(0)
        else:
            self._next.start()
        self.changed.emit()

    @Slot()
    def pause(self) -> None:
        self._next.stop()
        if self.is_playing:
            self.is_playing = False
            self.changed.emit()

    def forget(self, at: int | None = None) -> None:
        """Reset: another story is shown, as of floor ``at``."""
        self.pause()
        self.at = at
        self.last = 0
        self.changed.emit()

    def on_shown(self, last: int) -> None:
        """Note that a picture is shown, and the last floor of the story."""
        if last != self.last:
            self.last = last
        if self.at is not None and self.at >= last:
            self.at = None
        self.changed.emit()
        if self.is_playing and self.at is None:
            self.pause()
        elif self.is_playing:
            self._next.start()

    @Slot()
    def _step(self) -> None:
        self.show(self.floor + max(1, math.ceil(self.last / TIME_STEPS)))
