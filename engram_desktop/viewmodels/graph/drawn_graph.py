"""A graph as arrays, ready to be drawn: made in a job, so that the window does not wait for it.

Positions may be moved; everything else stays as it was read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityNode, GraphView, Relation
from engram_desktop.domain.values import dataclass

MOST_LANES = 5  # lines between two nodes; what else is told of the pair joins the last of them
LEAST_RADIUS = 7.0  # of a node nothing is linked to, in scene units
RADIUS_GROWTH = 3.0  # a node's area grows with its degree
MOST_COUNTED = 80  # degree from which on a node grows no further

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnGraph:
    """Nodes by number; a lane is one line between two of them, with what it says."""

    entities: tuple[EntityNode, ...]
    index: dict[str, int]
    places: Array  # x and y of each node
    radii: Array
    kinds: Numbers  # place of the type in `ENTITY_TYPES`
    degrees: Numbers
    order: Numbers  # nodes, the most important first
    src: Numbers
    dst: Numbers
    bends: Array  # of each lane: how many steps it keeps from the straight line
    is_past: Mask
    is_met: Mask  # told of together, and nothing is said of how they are related
    lanes: tuple[tuple[Relation, ...], ...]
    listed: Numbers  # nodes, the best connected first, then by name
    loops: Mask  # of each node: whether something links it to itself
    said: Mapping[str, Numbers]  # lanes that say so, by what they say, the most frequent first

    def move(self, places: Mapping[str, tuple[float, float]]) -> None:
        """Put nodes elsewhere."""
        for entity_id, place in places.items():
            number = self.index.get(entity_id)
            if number is not None:
                self.places[number] = place

    def touching(self, node: int) -> Numbers:
        """Lanes that begin or end at a node."""
        return np.flatnonzero((self.src == node) | (self.dst == node))

    def words(self, lane: int) -> str:
        """Return what a lane says."""
        return " · ".join(dict.fromkeys(r.predicate for r in self.lanes[lane] if r.predicate))


def drawn(view: GraphView, places: Mapping[str, tuple[float, float]]) -> DrawnGraph:
    """Make the arrays of a picture."""
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
    """Return by predicate the lanes that say so."""
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
    """Give each relation of a pair a line of its own, as far as there is room."""
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


def shown_nodes(graph: DrawnGraph, hidden: frozenset[str], least_degree: int) -> Mask:
    """Say of each node whether it is to be drawn."""
    kinds = [number for number, kind in enumerate(ENTITY_TYPES) if kind in hidden]
    is_shown: Mask = ~np.isin(graph.kinds, kinds) & (graph.degrees >= least_degree)
    return is_shown


def shown_lanes(graph: DrawnGraph, nodes: Mask, predicate: str, of_node: int | None = None) -> Mask:
    """Say of each lane whether it is to be drawn; with a predicate only those that say so.

    With ``of_node`` only those that begin or end there.
    """
    is_shown: Mask = nodes[graph.src] & nodes[graph.dst]
    if predicate:
        says = np.zeros(len(is_shown), dtype=np.bool_)
        says[graph.said.get(predicate, [])] = True
        is_shown = is_shown & says
    if of_node is not None:
        is_shown = is_shown & ((graph.src == of_node) | (graph.dst == of_node))
    return is_shown
