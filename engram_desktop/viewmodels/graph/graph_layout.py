"""Place the nodes of a small graph: springs along edges, everything else pushes apart.

Pure NumPy, no Qt: it runs in a job. Nodes that already have a place keep it, so that a map the
reader knows does not move under her; the result is the same for the same input.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

SPACING = 90.0  # length an edge tends to, in scene units
STEPS = 220
CLEARING_STEPS = 40
CLEARANCE = 58.0  # nodes nearer than this hide each other's names

Places = dict[str, tuple[float, float]]


def lay_out(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    fixed: Mapping[str, tuple[float, float]],
    check: Callable[[], None] = lambda: None,
) -> Places:
    """Return a place for every node. ``check`` may raise to stop."""
    if not nodes:
        return {}
    number = {node: n for n, node in enumerate(nodes)}
    places = _start(nodes, edges, fixed)
    is_free = np.array([node not in fixed for node in nodes])
    if is_free.any():
        pairs = np.array(
            [(number[a], number[b]) for a, b in edges if a in number and b in number and a != b],
            dtype=np.int64,
        ).reshape(-1, 2)
        degrees = np.maximum(np.bincount(pairs.ravel(), minlength=len(nodes)), 1)
        # in a dense part every edge pulls less, else it becomes a knot
        pulls = 1.6 / np.sqrt(degrees[pairs[:, 0]] * degrees[pairs[:, 1]])
        for step in range(STEPS):
            check()
            heat = SPACING * 0.5 * (1.0 - step / STEPS) ** 1.5 + 0.5
            places += _moves(places, pairs, pulls, heat) * is_free[:, None]
        for _ in range(CLEARING_STEPS):
            places += _clearings(places) * is_free[:, None]
    return {node: (float(places[n, 0]), float(places[n, 1])) for node, n in number.items()}


def _start(
    nodes: Sequence[str],
    edges: Sequence[tuple[str, str]],
    fixed: Mapping[str, tuple[float, float]],
) -> NDArray[np.float64]:
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


def _moves(
    places: NDArray[np.float64],
    pairs: NDArray[np.int64],
    pulls: NDArray[np.float64],
    heat: float,
) -> NDArray[np.float64]:
    """One step of Fruchterman and Reingold, no longer than ``heat`` for any node."""
    offsets = places[:, None, :] - places[None, :, :]
    squared_distances = np.maximum((offsets**2).sum(axis=2), 1.0)
    force = (offsets * (SPACING**2 / squared_distances)[:, :, None]).sum(axis=1)
    if len(pairs):
        spans = places[pairs[:, 0]] - places[pairs[:, 1]]
        pull = spans * (pulls * np.sqrt((spans**2).sum(axis=1)) / SPACING)[:, None]
        np.add.at(force, pairs[:, 0], -pull)
        np.add.at(force, pairs[:, 1], pull)
    force -= places * 0.8  # keeps separate parts together
    length = np.maximum(np.sqrt((force**2).sum(axis=1)), 1e-9)
    moves: NDArray[np.float64] = force * (np.minimum(length, heat) / length)[:, None]
    return moves


def _clearings(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Push nodes apart that are too near each other."""
    offsets = places[:, None, :] - places[None, :, :]
    distances = np.sqrt((offsets**2).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    overlaps = np.maximum(CLEARANCE - distances, 0.0)
    moves: NDArray[np.float64] = (
        offsets * (overlaps / np.maximum(distances, 1.0) / 2)[:, :, None]
    ).sum(axis=1)
    return moves
