"""The graph as a picture in a file: all of it, with its names, as sharp as the file allows."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QSizeF
from PySide6.QtGui import QImage, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator

from engram_desktop.widgets.graph.drawing.camera import MARGIN, Camera
from engram_desktop.widgets.graph.drawing.names import Names
from engram_desktop.widgets.graph.drawing.picture import Picture
from engram_desktop.widgets.parts.look.look import Look

LARGEST = 2_400.0  # pixels along a side, before `SHARPNESS`
SMALLEST = 400.0
SHARPNESS = 2  # device pixels for each pixel of the page


def whole(picture: Picture) -> Camera:
    """Return what sees all of a picture at its own scale, or as large as is allowed."""
    box = picture.content()
    scale = min(1.0, LARGEST / max(box.width(), box.height(), 1.0))
    size = QSizeF(
        max(SMALLEST, box.width() * scale + 2 * MARGIN),
        max(SMALLEST, box.height() * scale + 2 * MARGIN),
    )
    middle = box.center()
    return Camera(size, middle.x(), middle.y(), scale)


def image_for(camera: Camera) -> QImage:
    """Return an empty image of what a camera sees."""
    image = QImage(camera.size.toSize() * SHARPNESS, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(SHARPNESS)
    return image


def sheet_for(camera: Camera, file: str, title: str) -> QSvgGenerator:
    """Return an empty SVG file of what a camera sees."""
    size = camera.size.toSize()
    sheet = QSvgGenerator()
    sheet.setFileName(file)
    sheet.setSize(size)
    sheet.setViewBox(QRect(0, 0, size.width(), size.height()))
    sheet.setTitle(title)
    return sheet


def drawing(look: Look, picture: Picture, camera: Camera, device: QPaintDevice) -> Iterator[None]:
    """Draw all of it; between pieces the window has its turn."""
    painter = QPainter(device)
    try:
        painter.fillRect(QRect(0, 0, *camera.size.toSize().toTuple()), look.color("bg"))
        yield from picture.pieces(painter, camera, are_stamped=False)
        names = Names(look, picture)
        names.place(camera, (), is_moving=False)
        names.draw(painter, None, None)
    finally:
        painter.end()
