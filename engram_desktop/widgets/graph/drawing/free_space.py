"""What of a screen is taken: words are placed where there is room, or not at all."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QSizeF

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
        """Take the first of these places that is free."""
        for box in boxes:
            if self.has_room(box):
                self.take(box)
                return box
        return None
