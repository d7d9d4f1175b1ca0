"""Heights of the rows of a long list: guessed until they are measured. No Qt.

Nothing here takes longer for 100,000 rows than for a hundred, but for one sum over blocks of rows.
"""

from __future__ import annotations

from array import array

BLOCK = 256  # rows that share a sum: as many as blocks, at the 100,000 rows this is made for


class RowHeights:
    """Where each row begins, in pixels. Measuring a row moves what is below it, nothing else."""

    def __init__(self, guess: int) -> None:
        self._guess = guess
        self._known: dict[int, int] = {}
        self._extra = array("q")  # by how much the known rows of a block exceed the guess
        self.count = 0

    @property
    def total(self) -> int:
        return self.count * self._guess + sum(self._extra)

    def set_count(self, count: int) -> None:
        """Make the list longer or shorter at its end; what was measured of the rest stays."""
        for row in [row for row in self._known if row >= count] if count < self.count else []:
            self.forget(row)
        self.count = count
        blocks = -(-count // BLOCK)
        if blocks > len(self._extra):
            self._extra.extend([0] * (blocks - len(self._extra)))
        else:
            del self._extra[blocks:]

    def forget_all(self) -> None:
        """Guess every row again: the width is another."""
        self._known.clear()
        self._extra = array("q", [0] * len(self._extra))

    def forget(self, row: int) -> None:
        height = self._known.pop(row, None)
        if height is not None:
            self._extra[row // BLOCK] -= height - self._guess

    def measure(self, row: int, height: int) -> None:
        self.forget(row)
        self._known[row] = height
        self._extra[row // BLOCK] += height - self._guess

    def height(self, row: int) -> int:
        return self._known.get(row, self._guess)

    def top(self, row: int) -> int:
        block = row // BLOCK
        above = block * BLOCK * self._guess + sum(self._extra[:block])
        return above + sum(map(self.height, range(block * BLOCK, row)))

    def row_at(self, y: int) -> tuple[int, int]:
        """Return the row that is ``y`` pixels below the top, and how far into it that is."""
        if not self.count:
            return 0, 0
        y = max(0, min(y, self.total - 1))
        block = 0
        for extra in self._extra[:-1]:
            height = BLOCK * self._guess + extra
            if y < height:
                break
            y -= height
            block += 1
        row = block * BLOCK
        while row < self.count - 1 and y >= self.height(row):
            y -= self.height(row)
            row += 1
        return row, y
