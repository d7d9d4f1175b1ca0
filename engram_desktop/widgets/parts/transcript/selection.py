"""What a reader has marked of a chat: from one place in a row to another, across rows."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[int, int]  # row, position in its text
END = 2**31  # behind the end of every text


@dataclass(slots=True)
class Marked:
    """Marked text; nothing is while both ends are the same place."""

    start: Place = (0, 0)
    end: Place = (0, 0)

    @property
    def is_empty(self) -> bool:
        return self.start == self.end

    @property
    def ordered(self) -> tuple[Place, Place]:
        return (self.start, self.end) if self.start <= self.end else (self.end, self.start)

    def in_row(self, row: int) -> tuple[int, int] | None:
        """Return the first and last position marked in a row; None if nothing is."""
        first, last = self.ordered
        if self.is_empty or not first[0] <= row <= last[0]:
            return None
        return (first[1] if row == first[0] else 0, last[1] if row == last[0] else END)


def word_around(text: str, position: int) -> tuple[int, int]:
    """Return where the word at a position begins and ends."""
    first = last = min(position, len(text))
    while first > 0 and text[first - 1].isalnum():
        first -= 1
    while last < len(text) and text[last].isalnum():
        last += 1
    return first, last if last > first else min(len(text), first + 1)
