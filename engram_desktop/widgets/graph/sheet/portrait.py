"""The face of an entity: the picture of its card, else a letter in the colour of its type."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.widgets.graph.drawing.nodes import TYPE_ROLES, blend
from engram_desktop.widgets.parts.look.look import Look

ROUNDING = 0.22  # of the side, at the corners
GROUND = 0.18  # share of the type's colour behind a letter


class Portrait(QWidget):
    def __init__(self, look: Look, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._entity: EntityNode | None = None
        self._face: QImage | None = None
        self.setFixedSize(side, side)
        look.changed.connect(self.update)

    @property
    def has_face(self) -> bool:
        """Whether a picture is shown, and no letter."""
        return self._face is not None

    def show_entity(self, entity: EntityNode) -> None:
        """Show somebody; the face of somebody else is gone."""
        if self._entity is None or self._entity.id != entity.id:
            self._face = None
        self._entity = entity
        self.setAccessibleName(self.tr("Picture of {name}").format(name=entity.name))
        self.update()

    def show_face(self, face: QImage | None) -> None:
        self._face = face
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._entity is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        corner = box.width() * ROUNDING
        shape = QPainterPath()
        shape.addRoundedRect(box, corner, corner)
        if self._face is not None:
            painter.setClipPath(shape)
            side = min(self._face.width(), self._face.height())
            square = QRect((self._face.width() - side) // 2, 0, side, side)  # a face is at the top
            painter.drawImage(box, self._face, QRectF(square))
            painter.setClipping(False)
        else:
            colour = self._look.color(TYPE_ROLES[self._entity.type])
            painter.fillPath(shape, blend(colour, self._look.color("panel"), GROUND))
            font = QFont(self.font())
            font.setPixelSize(round(box.height() * 0.46))
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(self._look.color("ink"))
            letter = self._entity.name.strip()[:1].upper()
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
        painter.setPen(QPen(self._look.color("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        painter.end()
