"""Which rows of a chat are on the screen, and where: from an anchor, so that nothing jumps.

The anchor is a row and how far its top is above the edge. Rows are measured when they are placed,
and what is measured above the anchor moves the scroll bar, never the text that is read.
"""

from __future__ import annotations

from collections.abc import Callable

from engram_desktop.widgets.parts.transcript.row_heights import RowHeights

Measure = Callable[[int], int]  # the height of a row, laid out


class Placing:
    """``placed`` are rows with the y of their tops. ``follows_end``: what comes is scrolled to."""

    def __init__(self, heights: RowHeights, measure: Measure) -> None:
        self._heights = heights
        self._measure_row = measure
        self.placed: list[tuple[int, int]] = []
        self.first = 0
        self.offset = 0
        self.follows_end = True

    @property
    def value(self) -> int:
        """How far the view is scrolled, as the scroll bar counts."""
        return self._heights.top(self.first) + self.offset if self._heights.count else 0

    def go_to(self, row: int, offset: int = 0) -> None:
        self.first, self.offset = row, offset
        self.follows_end = False

    def scroll_by(self, distance: int) -> None:
        self.offset += distance
        self.follows_end = False

    def scroll_to(self, value: int) -> None:
        self.first, self.offset = self._heights.row_at(value)
        self.follows_end = False

    def place(self, room: int) -> None:
        """Find the rows of a view that is ``room`` high."""
        count = self._heights.count
        if not count:
            self.placed, self.first, self.offset = [], 0, 0
            return
        self.first = min(self.first, count - 1)
        if self.follows_end:
            self._place_from_end(room)
            return
        self._settle_anchor()
        if not self._place_down(room):
            self._place_from_end(room)
            self.follows_end = True

    def _height(self, row: int) -> int:
        height = self._measure_row(row)
        if height != self._heights.height(row):
            self._heights.measure(row, height)
        return height

    def _settle_anchor(self) -> None:
        """Let the anchor be the row at the upper edge, by measured heights."""
        while self.offset < 0 and self.first > 0:
            self.first -= 1
            self.offset += self._height(self.first)
        self.offset = max(0, self.offset)
        while self.first < self._heights.count - 1:
            height = self._height(self.first)
            if self.offset < height:
                break
            self.offset -= height
            self.first += 1

    def _place_down(self, room: int) -> bool:
        """Place rows from the anchor on; False if they end above the lower edge."""
        self.placed = []
        row, y = self.first, -self.offset
        while row < self._heights.count and y < room:
            self.placed.append((row, y))
            y += self._height(row)
            row += 1
        return y > room or (row < self._heights.count)

    def _place_from_end(self, room: int) -> None:
        row, y = self._heights.count, room
        while row > 0 and y > 0:
            row -= 1
            y -= self._height(row)
        self.first, self.offset = row, max(0, -y)
        self._place_down(room)
