"""Shows the last picture of the graph, moved and scaled, until the next one is drawn.

A large graph takes longer to draw than a frame lasts. It is drawn in steps of a few milliseconds,
with a margin around the visible part, so that moving it stays at sixty frames a second.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.domain.graph.entity import ENTITY_TYPES
from engram_desktop.widgets.graph.picture import Camera, Picture
from engram_desktop.widgets.parts.look import Look

AROUND = 0.5  # of the screen, drawn in addition, so that moving shows no empty edge
TURN_SECONDS = 0.005  # of drawing before the next frame may be shown: a third of a frame
PAUSE_MS = 8  # between two turns
REST_MS = 110  # without a movement, after which the graph is drawn again
SMALL = 500  # nodes and lines together that are drawn within one frame


class Backdrop(QObject):
    ready = Signal()

    def __init__(self, look: Look, picture: Picture, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._picture = picture
        self._front: tuple[QPixmap, Camera] | None = None
        self._making: tuple[QPixmap, Camera, QPainter, Iterator[None]] | None = None
        self._wanted: tuple[Camera, float] | None = None
        self._turn = QTimer(self, interval=PAUSE_MS)
        self._turn.timeout.connect(self._take_turn)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._begin)

    @property
    def is_small(self) -> bool:
        return int(self._picture.nodes.sum()) + int(self._picture.lanes.sum()) <= SMALL

    @property
    def is_moving(self) -> bool:
        """Return whether it still waits for the movement to end."""
        return self._rest.isActive()

    def forget(self) -> None:
        """Discard the picture, so that the next paint draws at once: another graph is shown."""
        self._stop()
        self._front = None

    def redraw(self) -> None:
        """Draw again; the old picture is shown until that is done."""
        self._stop()
        if self._wanted is not None:
            self._begin()

    def draw(self, painter: QPainter, camera: Camera, ratio: float) -> None:
        """Paint the current picture, and start drawing the wanted one if it differs."""
        if self.is_small:
            self._rest.stop()
            for _piece in self._picture.pieces(painter, camera):
                pass
            return
        is_new = self._wanted is None or self._wanted[0] != camera
        self._wanted = (camera, ratio)
        if self._front is None:
            self._begin()
            self._take_turn()
        if self._front is not None:
            pixmap, drawn_for = self._front
            target = drawn_for.seen_from(camera)
            painter.drawPixmap(target, pixmap, QRectF(pixmap.rect()))
        if is_new:
            if self._making is None and self._is_leaving(camera):
                self._begin()
            self._rest.start()

    def _is_leaving(self, camera: Camera) -> bool:
        """Return whether the edge of the picture comes near."""
        if self._front is None:
            return False
        target = self._front[1].seen_from(camera)
        width, height = camera.size.width(), camera.size.height()
        reach = 0.1  # of the screen
        inner = target.adjusted(width * reach, height * reach, -width * reach, -height * reach)
        return not inner.contains(QRectF(0, 0, width, height))

    def _begin(self) -> None:
        if self._wanted is None:
            return
        self._stop()
        camera, ratio = self._wanted
        large = camera.grown(AROUND)
        size = QSize(round(large.size.width() * ratio), round(large.size.height() * ratio))
        pixmap = QPixmap(size)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self._look.color("bg"))
        painter = QPainter(pixmap)
        self._making = (pixmap, large, painter, self._picture.pieces(painter, large))
        self._turn.start()

    def _stop(self) -> None:
        self._turn.stop()
        self._rest.stop()
        if self._making is not None:
            self._making[2].end()
            self._making = None

    def _take_turn(self) -> None:
        if self._making is None:
            self._turn.stop()
            return
        pixmap, camera, painter, pieces = self._making
        until = time.perf_counter() + TURN_SECONDS
        for _piece in pieces:
            if time.perf_counter() > until:
                return
        painter.end()
        self._making = None
        self._turn.stop()
        self._front = (pixmap, camera)
        self.ready.emit()


# The whole graph in a corner, and a frame around the visible part.


WIDTH, HEIGHT = 150, 104  # pixels
DOT = 2.4  # pixels across
RATIO = 2  # device pixels drawn for each: sharp on every screen


class MiniMap(QWidget):
    wanted = Signal(float, float)  # a point of the plane to look at

    def __init__(self, look: Look, picture: Picture, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        self._picture = picture
        self._camera = Camera(QSizeF(WIDTH, HEIGHT))
        self._seen: Camera | None = None
        self._dots: QPixmap | None = None
        self.setFixedSize(WIDTH, HEIGHT)
        self.setAccessibleName(self.tr("Overview: click to go there"))
        self._later = QTimer(self, singleShot=True, interval=60)
        self._later.timeout.connect(self._draw_dots)
        look.changed.connect(self.renew)

    def renew(self) -> None:
        """Draw the nodes at their current positions, soon."""
        self._later.start()

    def show_seen(self, camera: Camera) -> None:
        """Show the frame of what a camera sees."""
        self._seen = camera
        self.update()

    def _draw_dots(self) -> None:
        box = self._picture.content()
        if box.isEmpty():
            self._dots = None
            self.update()
            return
        grown = box.adjusted(-box.width() * 0.1, -box.height() * 0.1, 0, 0)
        grown.setWidth(box.width() * 1.2)
        grown.setHeight(box.height() * 1.2)
        scale = min(WIDTH / grown.width(), HEIGHT / grown.height())
        middle = box.center()
        self._camera = Camera(QSizeF(WIDTH, HEIGHT), middle.x(), middle.y(), scale)
        at = self._camera.to_screen(self._picture.graph.places)
        dots = QPixmap(WIDTH * RATIO, HEIGHT * RATIO)
        dots.setDevicePixelRatio(RATIO)
        dots.fill(Qt.GlobalColor.transparent)
        painter = QPainter(dots)
        for kind in range(len(ENTITY_TYPES)):
            which = self._picture.nodes & (self._picture.graph.kinds == kind)
            pen = QPen(self._picture.marks.colour(kind), DOT)
            pen.setCapStyle(Qt.PenCapStyle.SquareCap)
            painter.setPen(pen)
            painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in at[which].tolist()]))
        painter.end()
        self._dots = dots
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QPen(self._look.color("line"), 1))
        painter.setBrush(self._look.color("panel"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        if self._dots is not None:
            painter.drawPixmap(0, 0, self._dots)
        if self._seen is not None and self._dots is not None:
            frame = self._seen.seen_from(self._camera).intersected(QRectF(self.rect()))
            ground = QColor(self._look.color("accent"))
            ground.setAlpha(28)
            painter.setPen(QPen(self._look.color("accent"), 1))
            painter.setBrush(ground)
            painter.drawRect(frame.adjusted(1, 1, -1, -1))
        painter.end()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.wanted.emit(*self._camera.to_plane(event.position()))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.wanted.emit(*self._camera.to_plane(event.position()))
