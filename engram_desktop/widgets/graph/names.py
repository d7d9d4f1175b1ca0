"""Names and words of lines in the graph, in one size at every zoom, placed without overlaps.

The most important come first; those without room are not shown. The module also holds the index of
free screen space, and the export of the graph as a picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import numpy as np
from PySide6.QtCore import QBuffer, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QPaintDevice,
    QPainter,
    QStaticText,
)
from PySide6.QtSvg import QSvgGenerator

from engram_desktop.viewmodels.graph.drawn_graph import Numbers
from engram_desktop.widgets.graph.picture import MARGIN, Camera, EdgeLines, Picture, Points
from engram_desktop.widgets.parts.look import Look

CELL = 3.0  # pixels: finer is slower and shows no difference

Box = tuple[float, float, float, float]  # left, top, width, height


class FreeSpace:
    """A screen in small cells; what lies half outside of it counts as taken.

    A row of cells is one whole number, a bit for each: a box is looked up in half a microsecond
    where an array takes three.
    """

    def __init__(self, size: QSizeF) -> None:
        self._across = max(1, math.ceil(size.width() / CELL))
        self._down = max(1, math.ceil(size.height() / CELL))
        self._rows = [0] * self._down

    def take(self, box: Box) -> None:
        left, right = max(0, int(box[0] // CELL)), max(0, math.ceil((box[0] + box[2]) / CELL))
        top, bottom = max(0, int(box[1] // CELL)), math.ceil((box[1] + box[3]) / CELL)
        if right <= left:
            return
        bits = ((1 << (right - left)) - 1) << left
        rows = self._rows
        for y in range(top, min(bottom, self._down)):
            rows[y] |= bits

    def has_room(self, box: Box) -> bool:
        left, right = int(box[0] // CELL), math.ceil((box[0] + box[2]) / CELL)
        top, bottom = int(box[1] // CELL), math.ceil((box[1] + box[3]) / CELL)
        if left < 0 or top < 0 or right > self._across or bottom > self._down:
            return False
        bits = ((1 << (right - left)) - 1) << left
        return not any(row & bits for row in self._rows[top:bottom])

    def take_first(self, boxes: Iterable[Box]) -> Box | None:
        """Take the first of these boxes that is free; None if none is."""
        for box in boxes:
            if self.has_room(box):
                self.take(box)
                return box
        return None


NAME_SIZE, WORD_SIZE = 12, 11  # pixels
MOST_LETTERS = 24  # of a name
WIDEST_WORDS = 150.0  # pixels that the words of a line may take
MOST_TRIED = 420  # names that are tried
MOST_NAMES = 220  # shown at once: more are a page of text
MOST_NAMES_MOVING = 110  # while the picture moves: a frame is short
MOST_WORDS = 120  # of lines shown at once
MOST_AVOIDED = 400  # marks that names do not cover
CROWD = 400  # visible marks from which on names may cover the small ones, else no name would fit
MOST_AVOIDED_IN_CROWD = 60
MOST_WORDS_TRIED = 160  # lines whose words are tried
SHARES = (0.5, 0.62, 0.38, 0.74, 0.26)  # positions along a line at which its words may be placed
# Names that are kept off the lines of relations, and lines that they are kept off: testing 60 names
# against 60 lines takes 2 ms of a frame.
MOST_NAMES_APART = 60
MOST_LINES_APART = 60
GROUND = 0.75  # opacity behind a name: lines show through it, but do not cut it
GAP = 4.0  # pixels between a mark and its name


class NodeLabels:
    """Positions of names and words on the screen, and how they are drawn."""

    def __init__(self, look: Look, picture: Picture) -> None:
        self._look = look
        self._picture = picture
        self._font = QFont()
        self._font.setPixelSize(NAME_SIZE)
        self._font.setWeight(QFont.Weight.Medium)
        self._word_font = QFont()
        self._word_font.setPixelSize(WORD_SIZE)
        self._metrics = QFontMetricsF(self._font)
        self._word_metrics = QFontMetricsF(self._word_font)
        self._texts: dict[int, tuple[QStaticText, float]] = {}
        self.boxes: dict[int, QRectF] = {}  # of the names shown, by node
        self.words: list[tuple[str, QRectF]] = []  # of the lines with words
        self._crossed: dict[int, list[bool]] = {}  # by node: which of its positions lines cross

    def forget(self) -> None:
        """Measure again: other nodes are drawn."""
        self._texts.clear()
        self.boxes.clear()
        self.words.clear()

    def place(
        self, camera: Camera, first: Sequence[int], then: Sequence[int] = (), *, is_moving: bool
    ) -> FreeSpace:
        """Place names; those in ``first`` are placed before all others, also over marks."""
        at = camera.to_screen(self._picture.graph.places)
        seen = self._picture.seen_nodes(at, camera.size)
        space = FreeSpace(camera.size)
        radii = np.maximum(self._picture.graph.radii * camera.disc_scale, 2.0)
        here = set(seen.tolist())
        self.boxes, before = {}, list(self.boxes)
        self._crossed = {}
        meant = [node for node in first if node in here]
        tried = [n for n in before if n in here] if is_moving else seen[:MOST_TRIED].tolist()
        then = [n for n in then if n in here]
        if not is_moving:
            self._keep_apart([*meant, *then, *tried], at, radii, camera)
        self._find_rooms(meant, at, radii, space)
        most = MOST_AVOIDED if len(seen) <= CROWD else MOST_AVOIDED_IN_CROWD
        for node in seen[:most].tolist():
            x, y, r = float(at[node, 0]), float(at[node, 1]), float(radii[node]) * 0.85
            space.take((x - r, y - r, 2 * r, 2 * r))
        left = (MOST_NAMES_MOVING if is_moving else MOST_NAMES) - len(self.boxes)
        self._find_rooms([*then, *tried], at, radii, space, left)
        return space

    def _keep_apart(self, nodes: Sequence[int], at: Points, radii: Points, camera: Camera) -> None:
        """Find the positions of names that the line of a relation crosses: they are taken last.

        A name on a line reads as the word of that line. Lines without words are not avoided.
        """
        graph = self._picture.graph
        lanes = self._picture.seen_lanes(at, camera.size)
        lanes = lanes[~graph.is_met[lanes]]
        if not 0 < len(lanes) <= MOST_LINES_APART:
            return
        lines = EdgeLines(graph, lanes, at, camera.disc_scale)
        apart = list(dict.fromkeys(nodes))[:MOST_NAMES_APART]
        boxes = [
            list(self._rooms(n, float(at[n, 0]), float(at[n, 1]), float(radii[n]))) for n in apart
        ]
        crossed = lines.cross(np.array(boxes, dtype=np.float64).reshape(-1, 4))
        self._crossed = dict(zip(apart, crossed.reshape(len(apart), -1).tolist(), strict=True))

    def _find_rooms(
        self,
        nodes: Sequence[int],
        at: Points,
        radii: Points,
        space: FreeSpace,
        most: int = MOST_NAMES,
    ) -> None:
        """Place names in this order, until there are enough."""
        for node in dict.fromkeys(nodes):
            if most <= 0:
                return
            if node in self.boxes:
                continue
            x, y = at[node].tolist()
            rooms: Iterable[Box] = self._rooms(node, x, y, float(radii[node]))
            if node in self._crossed:
                marked = zip(self._crossed[node], rooms, strict=True)
                rooms = [room for _is_crossed, room in sorted(marked, key=itemgetter(0))]
            box = space.take_first(rooms)
            if box is not None:
                self.boxes[node] = QRectF(*box)
                most -= 1

    def place_words(self, lines: EdgeLines | None, space: FreeSpace) -> None:
        """Place the words of lines, in the room that the names leave."""
        graph = self._picture.graph
        self.words = []
        if lines is None:
            return
        spots = [lines.points(share)[:MOST_WORDS_TRIED].tolist() for share in SHARES]
        for number, lane in enumerate(lines.lanes[:MOST_WORDS_TRIED].tolist()):
            if len(self.words) >= MOST_WORDS:
                break
            text = graph.words(lane)
            if not text:
                continue
            text = self._word_metrics.elidedText(text, Qt.TextElideMode.ElideRight, WIDEST_WORDS)
            width = self._word_metrics.horizontalAdvance(text) + 10
            found = space.take_first(_along((way[number] for way in spots), width))
            if found is not None:
                self.words.append((text, QRectF(*found)))

    def draw(self, painter: QPainter, lit: Numbers | None, strong: int | None) -> None:
        """Draw the names; if some are ``lit`` the others are faded."""
        bright = None if lit is None else set(lit.tolist())
        ink, quiet = self._look.color("ink"), self._look.color("ink3")
        painter.setFont(self._font)
        ground = self._look.color("bg")
        ground.setAlphaF(GROUND)
        for node, box in self.boxes.items():
            is_lit = bright is None or node in bright
            painter.fillRect(box.adjusted(2, 2, -2, -2), ground)
            painter.setPen(ink if is_lit else quiet)
            if node == strong:
                bold = QFont(self._font)
                bold.setWeight(QFont.Weight.Bold)
                painter.setFont(bold)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._name(node))
                painter.setFont(self._font)
            else:
                painter.drawStaticText(box.topLeft() + QPointF(4, 1), self._text(node)[0])

    def draw_words(self, painter: QPainter) -> None:
        painter.setFont(self._word_font)
        back, ink = self._look.color("bg"), self._look.color("accent_ink")
        for text, box in self.words:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(back)
            painter.drawRoundedRect(box, 5, 5)
            painter.setPen(ink)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _name(self, node: int) -> str:
        name = " ".join(self._picture.graph.entities[node].name.split())
        return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"

    def _text(self, node: int) -> tuple[QStaticText, float]:
        made = self._texts.get(node)
        if made is None:
            name = self._name(node)
            text = QStaticText(name)
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            made = self._texts[node] = (text, self._metrics.horizontalAdvance(name))
        return made

    def _rooms(self, node: int, x: float, y: float, radius: float) -> Iterator[Box]:
        """Return the candidate positions of a name: below the mark, beside it, above it."""
        width, height = self._text(node)[1] + 8, float(NAME_SIZE + 6)
        half, away = width / 2, radius + GAP
        yield x - half, y + away - 1, width, height
        yield x + away, y - height / 2, width, height
        yield x - away - width, y - height / 2, width, height
        yield x - half, y - away - height + 1, width, height


def _along(spots: Iterable[Sequence[float]], width: float) -> Iterator[Box]:
    """Yield boxes for words at these points of a line."""
    height = WORD_SIZE + 6
    for x, y in spots:
        yield x - width / 2, y - height / 2, width, height


# The graph as a picture in a file: the whole graph with its names, at the highest resolution.


LARGEST = 2_400.0  # pixels along a side, before `SHARPNESS`
SMALLEST = 400.0
SHARPNESS = 2  # device pixels for each pixel of the page


def whole(picture: Picture) -> Camera:
    """Return the camera for a whole picture at its own scale, or at the largest allowed size."""
    box = picture.content()
    scale = min(1.0, LARGEST / max(box.width(), box.height(), 1.0))
    size = QSizeF(
        max(SMALLEST, box.width() * scale + 2 * MARGIN),
        max(SMALLEST, box.height() * scale + 2 * MARGIN),
    )
    middle = box.center()
    return Camera(size, middle.x(), middle.y(), scale)


def image_for(camera: Camera) -> QImage:
    """Return an empty image in the size of a camera's view."""
    image = QImage(camera.size.toSize() * SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(SHARPNESS)
    return image


def sheet_for(camera: Camera, written: QBuffer, title: str) -> QSvgGenerator:
    """Return an empty SVG in the size of a camera's view; drawings are written to ``written``."""
    size = camera.size.toSize()
    sheet = QSvgGenerator()
    sheet.setOutputDevice(written)
    sheet.setSize(size)
    sheet.setViewBox(QRect(0, 0, size.width(), size.height()))
    sheet.setTitle(title)
    return sheet


def drawing(look: Look, picture: Picture, camera: Camera, device: QPaintDevice) -> Iterator[None]:
    """Draw the whole picture in steps, so that the window can process events in between."""
    painter = QPainter(device)
    try:
        painter.fillRect(QRect(0, 0, *camera.size.toSize().toTuple()), look.color("bg"))
        yield from picture.pieces(painter, camera, are_stamped=False)
        names = NodeLabels(look, picture)
        names.place(camera, (), is_moving=False)
        names.draw(painter, None, None)
    finally:
        painter.end()
