"""What of a screen is taken: words are placed where there is room, or not at all."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QRectF, QSizeF

CELL = 3.0  # pixels: finer is slower and shows no difference


class FreeSpace:
    """A screen in small cells; what lies half outside of it counts as taken."""

    def __init__(self, size: QSizeF) -> None:
        self._across = max(1, math.ceil(size.width() / CELL))
        self._down = max(1, math.ceil(size.height() / CELL))
        self._taken = np.zeros((self._down, self._across), dtype=np.bool_)

    def take(self, box: QRectF) -> None:
        left, top, right, bottom = self._cells(box)
        self._taken[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = True

    def has_room(self, box: QRectF) -> bool:
        left, top, right, bottom = self._cells(box)
        if left < 0 or top < 0 or right > self._across or bottom > self._down:
            return False
        return not self._taken[top:bottom, left:right].any()

    def take_first(self, boxes: list[QRectF]) -> QRectF | None:
        """Take the first of these places that is free."""
        for box in boxes:
            if self.has_room(box):
                self.take(box)
                return box
        return None

    def _cells(self, box: QRectF) -> tuple[int, int, int, int]:
        return (
            int(box.left() // CELL),
            int(box.top() // CELL),
            math.ceil(box.right() / CELL),
            math.ceil(box.bottom() / CELL),
        )
