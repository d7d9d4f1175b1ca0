"""The face of somebody: a round picture, or the first letter of the name where there is none."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.widgets.parts.look.look import Look

TINTS = ("accent", "green", "gold", "red")
_LETTER = 0.4  # of the face: the height of its letter


def tint_of(name: str) -> str:
    """Return the colour that stands for a name, always the same."""
    return TINTS[sum(map(ord, name)) % len(TINTS)]


def paint_face(
    painter: QPainter, look: Look, box: QRectF, name: str, tint: str, image: QImage | None = None
) -> None:
    """Draw a face into ``box``; the letter in the font the painter has."""
    if image is not None:
        path = QPainterPath()
        path.addEllipse(box)
        side = min(image.width(), image.height())
        top = QRectF((image.width() - side) / 2, 0, side, side)  # a face is at the top
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setClipPath(path)
        painter.drawImage(box, image, top)
        painter.restore()
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.color(f"{tint}_soft"))
    painter.drawEllipse(box)
    painter.setPen(look.color(f"{tint}_ink"))
    initial = name.strip()[:1].upper() or "?"
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, initial)


class FaceView(QWidget):
    """A face of one size. It says nothing to a screen reader: the name stands beside it."""

    def __init__(self, look: Look, size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._name = ""
        self._tint = TINTS[0]
        self._image: QImage | None = None
        self.setFixedSize(QSize(size, size))
        look.changed.connect(self.update)

    def show_face(self, name: str, image: QImage | None, *, is_plain: bool = False) -> None:
        """Show somebody; ``is_plain`` is for the player, who has no colour."""
        self._name, self._image = name, image
        self._tint = "grey" if is_plain else tint_of(name)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPixelSize(round(self.height() * _LETTER))
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        box = QRectF(0.5, 0.5, self.width() - 1, self.height() - 1)
        paint_face(painter, self._look, box, self._name, self._tint, self._image)
