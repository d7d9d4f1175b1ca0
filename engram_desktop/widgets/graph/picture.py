"""The picture of a graph: nodes and edges, and the camera: visible part of the plane and scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityType
from engram_desktop.domain.values import dataclass
from engram_desktop.viewmodels.graph.drawn_graph import DrawnGraph, Mask, Numbers, drawn
from engram_desktop.viewmodels.graph.graph_view import NOTHING
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.motion import Motion

LEAST_SCALE, MOST_SCALE = 0.02, 4.0
MARGIN = 48.0  # pixels left free around the fitted nodes
CLOSEST_FIT = 1.35  # two nodes alone do not fill the page


@dataclass(frozen=True, slots=True)
class Camera:
    """A view of the plane: point ``x``, ``y`` is in the middle of a screen of ``size``."""

    size: QSizeF
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    @property
    def disc_scale(self) -> float:
        """Return the scale of discs: they grow less than the zoom."""
        return float(min(1.5, max(0.1, self.scale**0.75)))

    def to_screen(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        middle = (self.size.width() / 2, self.size.height() / 2)
        seen: NDArray[np.float64] = (places - (self.x, self.y)) * self.scale + middle
        return seen

    def to_plane(self, point: QPointF) -> tuple[float, float]:
        return (
            (point.x() - self.size.width() / 2) / self.scale + self.x,
            (point.y() - self.size.height() / 2) / self.scale + self.y,
        )

    def moved(self, dx: float, dy: float) -> Camera:
        """Return the camera moved by the pixels of a drag."""
        return Camera(self.size, self.x - dx / self.scale, self.y - dy / self.scale, self.scale)

    def zoomed(self, factor: float, around: QPointF) -> Camera:
        """Return the camera zoomed about a point of the screen, which stays in place."""
        scale = min(MOST_SCALE, max(LEAST_SCALE, self.scale * factor))
        x, y = self.to_plane(around)
        dx, dy = around.x() - self.size.width() / 2, around.y() - self.size.height() / 2
        return Camera(self.size, x - dx / scale, y - dy / scale, scale)

    def towards(self, other: Camera, share: float) -> Camera:
        """Return a camera between this one and another; its scale changes by equal factors."""
        if share >= 1:
            return other
        scale = self.scale * (other.scale / self.scale) ** share
        x = self.x + (other.x - self.x) * share
        return Camera(other.size, x, self.y + (other.y - self.y) * share, scale)

    def resized(self, size: QSizeF) -> Camera:
        return Camera(size, self.x, self.y, self.scale)

    def grown(self, share: float) -> Camera:
        """Return a camera with a margin around the edges, at the same scale."""
        size = QSizeF(self.size.width() * (1 + share), self.size.height() * (1 + share))
        return self.resized(size)

    def fitted(self, box: QRectF, closest: float = CLOSEST_FIT) -> Camera:
        """Return a camera that shows all of a part of the plane."""
        width = max(40.0, self.size.width() - 2 * MARGIN)
        height = max(40.0, self.size.height() - 2 * MARGIN)
        scale = min(width / max(box.width(), 1.0), height / max(box.height(), 1.0), closest)
        middle = box.center()
        return Camera(self.size, middle.x(), middle.y(), max(LEAST_SCALE, scale))

    def seen_from(self, other: Camera) -> QRectF:
        """Return the rectangle on the screen of ``other`` that shows this camera's picture."""
        left, top = self.to_plane(QPointF(0, 0))
        corner = other.to_screen(np.array([[left, top]]))[0]
        ratio = other.scale / self.scale
        return QRectF(
            float(corner[0]),
            float(corner[1]),
            self.size.width() * ratio,
            self.size.height() * ratio,
        )


# Animates a move of the camera, if animations are on.


class CameraGlide:
    """An animation of the camera; a new one starts where the previous one is."""

    def __init__(self, motion: Motion, canvas: QWidget, see: Callable[[Camera], object]) -> None:
        self._motion = motion
        self._canvas = canvas
        self._see = see
        self._end: Callable[[], None] | None = None

    def go(self, start: Camera, target: Camera) -> None:
        self.stop()
        if not self._canvas.isVisible():
            self._see(target)
            return
        self._end = self._motion.glide(
            self._canvas, lambda done: self._see(start.towards(target, done))
        )

    def stop(self) -> None:
        """Stop at the current position."""
        end, self._end = self._end, None
        if end is not None:
            end()


# The mark of a node: colour and shape both show the type, so that colour alone is not needed.
#
# Marks are drawn once for each size and then stamped: 2,000 in 1 ms instead of 10.


TYPE_ROLES: dict[EntityType, str] = {
    "char": "accent",
    "loc": "green",
    "item": "gold",
    "concept": "grey",
    "unknown": "grey",
}
EDGE = 1.5  # pixels of background around a mark that separate it from the lines below


def blend(front: QColor, back: QColor, share: float) -> QColor:
    """Mix two colours into an opaque one."""
    return QColor(
        *(round(a * share + b * (1 - share)) for a, b in zip(_rgb(front), _rgb(back), strict=True))
    )


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return (colour.red(), colour.green(), colour.blue())


def draw_mark(
    painter: QPainter, kind: EntityType, middle: QPointF, radius: float, colour: QColor
) -> None:
    """Draw a mark with the painter's pen; a mark of unknown type is a ring."""
    painter.setBrush(colour)
    match kind:
        case "char":
            painter.drawEllipse(middle, radius, radius)
        case "loc":
            side = radius * 0.88
            box = QRectF(middle.x() - side, middle.y() - side, 2 * side, 2 * side)
            painter.drawRoundedRect(box, side * 0.35, side * 0.35)
        case "item":
            painter.drawPolygon(_corners(middle, radius * 1.1, 4))
        case "concept":
            painter.drawPolygon(_corners(middle, radius * 1.04, 6))
        case "unknown":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            width = max(1.5, radius * 0.4)
            painter.save()
            painter.setPen(QPen(colour, width))
            painter.drawEllipse(middle, radius - width / 2, radius - width / 2)
            painter.restore()


def _corners(middle: QPointF, radius: float, count: int) -> QPolygonF:
    angles = [2 * math.pi * n / count - math.pi / 2 for n in range(count)]
    return QPolygonF([middle + QPointF(radius * math.cos(a), radius * math.sin(a)) for a in angles])


class Marks:
    """Stamps of marks, by type and size."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._drawn: dict[tuple[int, int, float], QPixmap] = {}

    def forget(self) -> None:
        """Discard the stamps, so that they are drawn again: the theme has changed."""
        self._drawn.clear()

    def colour(self, kind: int) -> QColor:
        return self._look.color(TYPE_ROLES[ENTITY_TYPES[kind]])

    def stamp(self, kind: int, radius: float, ratio: float) -> tuple[QPixmap, float]:
        """Return the mark as a picture, and how far its corner is from its middle."""
        key = (kind, round(radius * 2), ratio)
        half = math.ceil(key[1] / 2 * 1.1 + EDGE + 1)
        pixmap = self._drawn.get(key)
        if pixmap is None:
            pixmap = QPixmap(round(2 * half * ratio), round(2 * half * ratio))
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._look.color("bg"), EDGE))
            middle = QPointF(half, half)
            draw_mark(painter, ENTITY_TYPES[kind], middle, key[1] / 2, self.colour(kind))
            painter.end()
            self._drawn[key] = pixmap
        return pixmap, float(half)


def mark_icon(look: Look, kind: EntityType) -> QIcon:
    """Return the mark as an icon for the legend."""
    pixmap = QPixmap(28, 28)
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    draw_mark(painter, kind, QPointF(7, 7), 5, look.color(TYPE_ROLES[kind]))
    painter.end()
    return QIcon(pixmap)


# Lines between nodes on a screen: from rim to rim, those of a pair side by side.


LANE_STEP = 26.0  # pixels between the middles of two lines of a pair
GAP = 3.0  # pixels between a line and the rim of its node
ARROW_LENGTH, ARROW_WIDTH = 8.0, 3.6  # pixels

Points = NDArray[np.float64]


class EdgeLines:
    """The lines of some lanes, as arrays: begin, bend (where pulled to), end."""

    def __init__(self, graph: DrawnGraph, lanes: Numbers, at: Points, disc_scale: float) -> None:
        """``at`` are the positions of all nodes on the screen."""
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
        self._box: tuple[Points, Points] | None = None  # around each line, made when needed

    def lines(self, which: Numbers) -> list[QLineF]:
        """Return straight lines from rim to rim."""
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
        """Return arrow heads whose tips touch the nodes that lines lead to."""
        tips, ways = self.ends[which], self._ways[which]
        across = ways[:, ::-1] * np.array([-1.0, 1.0])
        feet = tips - ways * ARROW_LENGTH
        corners = np.hstack([tips, feet + across * ARROW_WIDTH, feet - across * ARROW_WIDTH])
        return [
            QPolygonF([QPointF(a, b), QPointF(c, d), QPointF(e, f)])
            for a, b, c, d, e, f in corners.tolist()
        ]

    def points(self, share: float) -> Points:
        """Return for each line the point at this share of its length."""
        rest = 1 - share
        along: Points = (
            rest * rest * self.begins + 2 * rest * share * self.pulls + share * share * self.ends
        )
        return along

    def cross(self, boxes: Points) -> Mask:
        """Return for each box (left, top, width, height) whether any of the lines crosses it."""
        bent = ~self.is_straight  # a bent line is nearly two straight ones
        turns = np.where(bent[:, None], self.points(0.5), self.ends)
        begins = np.vstack([self.begins, turns[bent]])[None]
        ways = np.vstack([turns, self.ends[bent]])[None] - begins
        ways = np.where(ways == 0, 1e-9, ways)
        low = boxes[:, None, :2]
        one, other = (low - begins) / ways, (low + boxes[:, None, 2:] - begins) / ways
        enters = np.minimum(one, other).max(axis=2).clip(min=0)
        leaves = np.maximum(one, other).min(axis=2).clip(max=1)
        crossed: Mask = (enters < leaves).any(axis=1)
        return crossed

    def nearest(self, x: float, y: float, reach: float) -> int | None:
        """Return the lane that passes within ``reach`` pixels of a point, else None."""
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


# A graph drawn for a camera: lines beneath, marks above, in pieces of a few milliseconds each.
#
# How finely lines are drawn depends on how many are seen: smooth and curved with arrow heads,
# smooth and straight, or plain. (6,000 smooth lines take 68 ms, plain ones 11.)


FINE_LINES = 1_200  # seen at once that are drawn with curves and arrow heads
SMOOTH_LINES = 3_000  # that are drawn smoothly
MOST_LINES = 12_000  # that are drawn at most: more would be one grey surface
LINES_AT_ONCE = 150  # drawn before other work may run
MARKS_AT_ONCE = 600
FEW_LINES = 40  # highlighted lines that have arrow heads at every scale
ARROW_FROM = 0.35  # scale below which arrow heads would be as large as their nodes
PAST_SHARE = 0.55  # opacity of a line whose relation has ended


class Picture:
    """The content and the style of a drawing; uses no widget, so files are drawn the same way."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self.marks = Marks(look)
        self.graph = drawn(NOTHING.view, {})
        self.nodes: Mask = np.zeros(0, dtype=np.bool_)  # that are shown
        self.lanes: Mask = np.zeros(0, dtype=np.bool_)
        self._lines: tuple[Camera, EdgeLines | None] | None = None  # beneath a hand that moves

    def show(self, graph: DrawnGraph, nodes: Mask, lanes: Mask) -> None:
        self.graph, self.nodes, self.lanes = graph, nodes, lanes
        self._lines = None

    def forget_lines(self) -> None:
        """Discard the lines, as nodes have moved."""
        self._lines = None

    def content(self, among: Mask | None = None) -> QRectF:
        """Return the rectangle around the nodes shown, or around those in ``among``."""
        which = self.nodes if among is None else self.nodes & among
        if not which.any():
            return QRectF()
        low = (self.graph.places - self.graph.radii[:, None])[which].min(axis=0)
        high = (self.graph.places + self.graph.radii[:, None])[which].max(axis=0)
        return QRectF(float(low[0]), float(low[1]), *(float(x) for x in high - low))

    def seen_nodes(self, at: Points, size: QSizeF) -> Numbers:
        """Return the visible nodes, the most important first."""
        reach = 40.0
        is_seen = (
            self.nodes
            & (at[:, 0] > -reach)
            & (at[:, 1] > -reach)
            & (at[:, 0] < size.width() + reach)
            & (at[:, 1] < size.height() + reach)
        )
        order = self.graph.order
        return order[is_seen[order]]

    def seen_lanes(self, at: Points, size: QSizeF) -> Numbers:
        """Return the lanes whose ends are placed such that they may cross the screen."""
        lanes = np.flatnonzero(self.lanes)
        a, b = at[self.graph.src[lanes]], at[self.graph.dst[lanes]]
        low, high = np.minimum(a, b), np.maximum(a, b)
        is_seen = (high > 0).all(axis=1) & (low < (size.width(), size.height())).all(axis=1)
        return lanes[is_seen]

    def node_at(self, camera: Camera, point: QPointF) -> int | None:
        """Return the node whose mark is under a point, or None."""
        if not self.nodes.any():
            return None
        at = camera.to_screen(self.graph.places)
        gaps = np.hypot(at[:, 0] - point.x(), at[:, 1] - point.y())
        inside = gaps - np.maximum(self.graph.radii * camera.disc_scale, 4.0)
        inside[~self.nodes] = np.inf
        best = int(inside.argmin())
        return best if inside[best] <= 4.0 else None

    def lane_at(self, camera: Camera, point: QPointF) -> int | None:
        if self._lines is None or self._lines[0] != camera:  # they stay while a hand looks
            at = camera.to_screen(self.graph.places)
            lanes = self.seen_lanes(at, camera.size)
            is_crowd = len(lanes) > MOST_LINES
            lines = None if is_crowd else EdgeLines(self.graph, lanes, at, camera.disc_scale)
            self._lines = (camera, lines)
        lines = self._lines[1]
        return None if lines is None else lines.nearest(point.x(), point.y(), 5.0)

    def pieces(
        self, painter: QPainter, camera: Camera, *, are_stamped: bool = True
    ) -> Iterator[None]:
        """Draw lines and marks in steps; yields between them, so that other work may run.

        For a file, ``are_stamped`` is False: each mark is drawn, not copied from a stamp.
        """
        at = camera.to_screen(self.graph.places)
        lanes = self.seen_lanes(at, camera.size)
        if len(lanes) > MOST_LINES:
            weight = self.graph.degrees[self.graph.src[lanes]]
            weight = np.minimum(weight, self.graph.degrees[self.graph.dst[lanes]])
            lanes = lanes[np.argsort(-weight, kind="stable")[:MOST_LINES]]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(lanes) <= SMOOTH_LINES)
        lines = EdgeLines(self.graph, lanes, at, camera.disc_scale)
        is_fine = len(lanes) <= FINE_LINES
        strong = self._look.color("line_strong")
        for style, colour, which in self._groups(lines, strong):
            width = 1.2 if is_fine else 1.0 if len(lanes) <= SMOOTH_LINES else 0.0
            pen = QPen(colour, width, style if is_fine else Qt.PenStyle.SolidLine)
            yield from self._draw_lines(painter, lines, which, pen, is_fine=is_fine)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_fine and camera.scale >= ARROW_FROM:
            yield from self._draw_arrows(painter, lines, strong)
        nodes = self.seen_nodes(at, camera.size)[::-1]  # the important ones are on top
        draw = self._stamp if are_stamped else self._draw_marks
        for start in range(0, len(nodes), MARKS_AT_ONCE):
            draw(painter, camera, at, nodes[start : start + MARKS_AT_ONCE])
            yield

    def draw_lit(
        self, painter: QPainter, camera: Camera, nodes: Numbers, lanes: Numbers, *, bold: bool
    ) -> EdgeLines:
        """Draw some lines and marks again, over the faded rest."""
        at = camera.to_screen(self.graph.places)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lines = EdgeLines(self.graph, lanes, at, camera.disc_scale)
        accent = self._look.color("accent")
        colour = accent if bold else blend(accent, self._look.color("bg"), 0.6)
        for style, shade, which in self._groups(lines, colour):
            pen = QPen(shade, 1.9 if bold else 1.5, style)
            for _piece in self._draw_lines(painter, lines, which, pen, is_fine=True):
                pass
        if camera.scale >= ARROW_FROM or len(lanes) <= FEW_LINES:
            for _piece in self._draw_arrows(painter, lines, colour):
                pass
        self._stamp(painter, camera, at, nodes[self.nodes[nodes]])
        return lines

    def _groups(
        self, lines: EdgeLines, colour: QColor
    ) -> Iterator[tuple[Qt.PenStyle, QColor, Numbers]]:
        """Yield style, colour and indices of lines: co-occurrences, ended and current relations."""
        is_past, is_met = self.graph.is_past[lines.lanes], self.graph.is_met[lines.lanes]
        faint = blend(colour, self._look.color("bg"), PAST_SHARE)
        yield Qt.PenStyle.DotLine, faint, np.flatnonzero(is_met & ~is_past)
        yield Qt.PenStyle.DashLine, faint, np.flatnonzero(is_past)
        yield Qt.PenStyle.SolidLine, colour, np.flatnonzero(~is_past & ~is_met)

    @staticmethod
    def _draw_lines(
        painter: QPainter, lines: EdgeLines, which: Numbers, pen: QPen, *, is_fine: bool
    ) -> Iterator[None]:
        for start in range(0, len(which), LINES_AT_ONCE):
            part = which[start : start + LINES_AT_ONCE]
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            straight = part[lines.is_straight[part]] if is_fine else part
            painter.drawLines(lines.lines(straight))
            if is_fine:
                painter.drawPath(lines.curves(part[~lines.is_straight[part]]))
            yield

    def _draw_arrows(self, painter: QPainter, lines: EdgeLines, colour: QColor) -> Iterator[None]:
        which = np.flatnonzero(~self.graph.is_met[lines.lanes])
        for start in range(0, len(which), LINES_AT_ONCE):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            for head in lines.arrows(which[start : start + LINES_AT_ONCE]):
                painter.drawConvexPolygon(head)
            yield

    def _draw_marks(self, painter: QPainter, camera: Camera, at: Points, nodes: Numbers) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        for node in nodes.tolist():
            kind = int(self.graph.kinds[node])
            radius = max(2.0, float(self.graph.radii[node]) * camera.disc_scale)
            middle = QPointF(*at[node].tolist())
            draw_mark(painter, ENTITY_TYPES[kind], middle, radius, self.marks.colour(kind))

    def _stamp(self, painter: QPainter, camera: Camera, at: Points, nodes: Numbers) -> None:
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        radii = np.maximum(self.graph.radii * camera.disc_scale, 2.0)
        for node in nodes.tolist():
            stamp, half = self.marks.stamp(int(self.graph.kinds[node]), float(radii[node]), ratio)
            x, y = at[node]
            painter.drawPixmap(QPointF(float(x) - half, float(y) - half), stamp)
