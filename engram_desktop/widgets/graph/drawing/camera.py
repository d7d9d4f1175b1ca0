"""Which part of the plane is seen, and how large: plane to screen and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtWidgets import QWidget

from engram_desktop.domain.values import dataclass
from engram_desktop.widgets.parts.look import Motion

LEAST_SCALE, MOST_SCALE = 0.02, 4.0
MARGIN = 48.0  # pixels left free around what is fitted
CLOSEST_FIT = 1.35  # two nodes do not fill the page


@dataclass(frozen=True, slots=True)
class Camera:
    """The point ``x``, ``y`` of the plane is in the middle of a screen of ``size``."""

    size: QSizeF
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0

    @property
    def disc_scale(self) -> float:
        """How large discs are: they follow the zoom only so far, as names do not at all."""
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
        """Follow a hand that draws the plane by so many pixels."""
        return Camera(self.size, self.x - dx / self.scale, self.y - dy / self.scale, self.scale)

    def zoomed(self, factor: float, around: QPointF) -> Camera:
        """Zoom; what lies at a point of the screen stays there."""
        scale = min(MOST_SCALE, max(LEAST_SCALE, self.scale * factor))
        x, y = self.to_plane(around)
        dx, dy = around.x() - self.size.width() / 2, around.y() - self.size.height() / 2
        return Camera(self.size, x - dx / scale, y - dy / scale, scale)

    def towards(self, other: Camera, share: float) -> Camera:
        """Return a camera on the way to another: its scale grows evenly, as an eye sees it."""
        if share >= 1:
            return other
        scale = self.scale * (other.scale / self.scale) ** share
        x = self.x + (other.x - self.x) * share
        return Camera(other.size, x, self.y + (other.y - self.y) * share, scale)

    def resized(self, size: QSizeF) -> Camera:
        return Camera(size, self.x, self.y, self.scale)

    def grown(self, share: float) -> Camera:
        """See more around the edges, at the same scale."""
        size = QSizeF(self.size.width() * (1 + share), self.size.height() * (1 + share))
        return self.resized(size)

    def fitted(self, box: QRectF, closest: float = CLOSEST_FIT) -> Camera:
        """See all of a part of the plane."""
        width = max(40.0, self.size.width() - 2 * MARGIN)
        height = max(40.0, self.size.height() - 2 * MARGIN)
        scale = min(width / max(box.width(), 1.0), height / max(box.height(), 1.0), closest)
        middle = box.center()
        return Camera(self.size, middle.x(), middle.y(), max(LEAST_SCALE, scale))

    def seen_from(self, other: Camera) -> QRectF:
        """Where on the screen of ``other`` the picture of this one belongs."""
        left, top = self.to_plane(QPointF(0, 0))
        corner = other.to_screen(np.array([[left, top]]))[0]
        ratio = other.scale / self.scale
        return QRectF(
            float(corner[0]),
            float(corner[1]),
            self.size.width() * ratio,
            self.size.height() * ratio,
        )


# How the picture of a graph comes to another place: a glide, where things are to move.


class CameraGlide:
    """One at a time: the next takes over from where the last one is."""

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
        """Stay where it is."""
        end, self._end = self._end, None
        if end is not None:
            end()
