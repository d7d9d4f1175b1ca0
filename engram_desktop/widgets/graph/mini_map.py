"""The whole graph in a corner, and a frame around the visible part."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.domain.graph.entity import ENTITY_TYPES
from engram_desktop.widgets.graph.picture import Camera, Picture
from engram_desktop.widgets.parts.look import Look

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
