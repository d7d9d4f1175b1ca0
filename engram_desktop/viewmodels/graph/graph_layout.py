"""Place the nodes of a graph: springs along edges, everything else pushes apart.

Pure NumPy, no Qt: it runs in a job. Nodes that already have a place keep it, so that a map the
reader knows does not move under her; the result is the same for the same input. In a small graph
every pair is looked at; in a large one the push is read from a grid, and only near pairs are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SPACING = 90.0  # length an edge tends to, in scene units
STEPS = 220
LARGE_STEPS = 150  # of a large graph
CLEARING_STEPS = 40
CLEARANCE = 58.0  # nodes nearer than this hide each other's names
LARGE = 400  # nodes from which on looking at all pairs takes too long
GRID = 128  # cells along a side of the grid on which a large graph's push is worked out
NEAR = 5  # nodes that follow in the order of a grid and are looked at as near

Places = dict[str, tuple[float, float]]
Array = NDArray[np.float64]


class Layout:
    """A layout on its way: it can be stopped after every step, and continued."""

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
        self._steps = LARGE_STEPS if self._is_large else STEPS
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
    def anew(cls, places: Places, edges: Sequence[tuple[str, str]]) -> Layout:
        """Lay out nodes that have places: from there, all of them free."""
        layout = cls(list(places), edges, places)
        layout._is_free[:] = True
        return layout

    @property
    def is_finished(self) -> bool:
        return self.done >= self._steps + CLEARING_STEPS or not self._is_free.any()

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        return self.done / (self._steps + CLEARING_STEPS)

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
        """One step of Fruchterman and Reingold, no longer than ``heat`` for any node."""
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
    layout = Layout(nodes, edges, fixed)
    while not layout.is_finished:
        check()
        layout.step()
    return layout.places()


def _start(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    fixed: Mapping[str, tuple[float, float]],
) -> Array:
    """Fixed nodes where they are, the others beside a placed neighbour or on a spiral."""
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
    """How all others push each node away."""
    offsets = places[:, None, :] - places[None, :, :]
    squared_distances = np.maximum((offsets**2).sum(axis=2), 1.0)
    force: Array = (offsets * (SPACING**2 / squared_distances)[:, :, None]).sum(axis=1)
    return force


def _grid_push(places: Array) -> Array:
    """The same, read from a grid: nodes are counted by cell, and cells push each other."""
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
    """Push nodes apart that are too near each other."""
    offsets = places[:, None, :] - places[None, :, :]
    distances = np.sqrt((offsets**2).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    overlaps = np.maximum(CLEARANCE - distances, 0.0)
    moves: Array = (offsets * (overlaps / np.maximum(distances, 1.0) / 2)[:, :, None]).sum(axis=1)
    return moves


def _near_clearings(places: Array) -> Array:
    """The same for the nodes of one cell and those that follow it, in two grids that overlap."""
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
