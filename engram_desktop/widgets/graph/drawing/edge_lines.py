"""Where the lines between nodes run on a screen: from rim to rim, those of a pair side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from engram_desktop.viewmodels.graph.drawn_graph import DrawnGraph, Numbers

LANE_STEP = 26.0  # pixels between the middles of two lines of a pair
GAP = 3.0  # pixels between a line and the rim of its node
ARROW_LENGTH, ARROW_WIDTH = 8.0, 3.6  # pixels

Points = NDArray[np.float64]


class EdgeLines:
    """The lines of some lanes, as arrays: begin, bend (where pulled to), end."""

    def __init__(self, graph: DrawnGraph, lanes: Numbers, at: Points, disc_scale: float) -> None:
        """``at`` are the places of all nodes on the screen."""
        self.lanes = lanes
        src, dst = graph.src[lanes], graph.dst[lanes]
        self._from, self._to = at[src], at[dst]
        low = np.where((src < dst)[:, None], self._from, self._to)
        high = np.where((src < dst)[:, None], self._to, self._from)
        across = _unit(high - low)[:, ::-1] * np.array([-1.0, 1.0])
        side = np.where(src < dst, graph.bends[lanes], -graph.bends[lanes])
        middle = (low + high) / 2
        self.pulls = middle + across * (side * LANE_STEP * 2 * min(1.0, disc_scale))[:, None]
        self.is_straight = graph.bends[lanes] == 0
        begin_way, end_way = _unit(self.pulls - self._from), _unit(self._to - self.pulls)
        self.begins = self._from + begin_way * (graph.radii[src] * disc_scale + GAP)[:, None]
        self.ends = self._to - end_way * (graph.radii[dst] * disc_scale + GAP)[:, None]
        self._ways = end_way
        self._box: tuple[Points, Points] | None = None  # around each, made when it is asked for

    def lines(self, which: Numbers) -> list[QLineF]:
        """Straight lines from rim to rim."""
        rows = np.hstack([self.begins[which], self.ends[which]]).tolist()
        return [QLineF(*row) for row in rows]

    def curves(self, which: Numbers) -> QPainterPath:
        path = QPainterPath()
        rows = np.hstack([self.begins[which], self.pulls[which], self.ends[which]]).tolist()
        for x, y, pull_x, pull_y, end_x, end_y in rows:
            path.moveTo(x, y)
            path.quadTo(pull_x, pull_y, end_x, end_y)
        return path

    def arrows(self, which: Numbers) -> list[QPolygonF]:
        """Heads whose tips touch the nodes that lines lead to."""
        tips, ways = self.ends[which], self._ways[which]
        across = ways[:, ::-1] * np.array([-1.0, 1.0])
        feet = tips - ways * ARROW_LENGTH
        corners = np.hstack([tips, feet + across * ARROW_WIDTH, feet - across * ARROW_WIDTH])
        return [
            QPolygonF([QPointF(a, b), QPointF(c, d), QPointF(e, f)])
            for a, b, c, d, e, f in corners.tolist()
        ]

    def point(self, number: int, share: float) -> QPointF:
        """Return the point that is so far along a line."""
        rest = 1 - share
        begin, pull, end = self.begins[number], self.pulls[number], self.ends[number]
        x, y = rest * rest * begin + 2 * rest * share * pull + share * share * end
        return QPointF(float(x), float(y))

    def nearest(self, x: float, y: float, reach: float) -> int | None:
        """Return the lane that runs past a point, if one does within ``reach`` pixels."""
        if not len(self.lanes):
            return None
        here = np.array([x, y])
        if self._box is None:
            low = np.minimum(np.minimum(self.begins, self.ends), self.pulls)
            high = np.maximum(np.maximum(self.begins, self.ends), self.pulls)
            self._box = low, high
        low, high = self._box[0] - reach, self._box[1] + reach
        near = np.flatnonzero(((low <= here) & (here <= high)).all(axis=1))
        if not len(near):
            return None
        shares = np.linspace(0.0, 1.0, 13)[:, None, None]
        curve = (
            (1 - shares) ** 2 * self.begins[near]
            + 2 * (1 - shares) * shares * self.pulls[near]
            + shares**2 * self.ends[near]
        )
        first, step = curve[:-1], np.diff(curve, axis=0)
        length = np.maximum((step**2).sum(axis=2), 1e-9)
        along = np.clip(((here - first) * step).sum(axis=2) / length, 0, 1)
        gaps = np.sqrt(((first + step * along[:, :, None] - here) ** 2).sum(axis=2)).min(axis=0)
        best = int(gaps.argmin())
        return int(self.lanes[near[best]]) if gaps[best] <= reach else None


def _unit(ways: Points) -> Points:
    lengths = np.sqrt((ways**2).sum(axis=1))
    unit: Points = ways / np.maximum(lengths, 1e-9)[:, None]
    return unit
