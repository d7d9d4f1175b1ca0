"""Where a searched text stands in another: any letters, of any script, in either case.

A text of one Chinese character is found like any other: nothing is cut into words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import field

from engram_desktop.domain.values import dataclass


class Needle:
    """What is searched. An empty one is found nowhere."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._pattern = re.compile(re.escape(self.text), re.IGNORECASE) if self.text else None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where it begins and ends, each time."""
        return [m.span() for m in self._pattern.finditer(text)] if self._pattern else []

    def count(self, text: str) -> int:
        return sum(1 for _ in self._pattern.finditer(text)) if self._pattern else 0


@dataclass(frozen=True, slots=True)
class TextHits:
    """On which floors something stands, in order. ``before``: how often on the floors above."""

    floors: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    total: int = 0

    @classmethod
    def of(cls, counts: Iterable[tuple[int, int]]) -> TextHits:
        """Put together floors and how often it stands there, in order; noughts are left out."""
        floors, before, total = [], [], 0
        for floor, count in counts:
            if count:
                floors.append(floor)
                before.append(total)
                total += count
        return cls(floors, before, total)

    def place(self, number: int) -> tuple[int, int]:
        """Return the floor of the hit with a number, and which of that floor's hits it is."""
        at = bisect_left(self.before, number + 1) - 1
        return self.floors[at], number - self.before[at]

    def from_floor(self, floor: int) -> int:
        """Return the number of the first hit on a floor or after it; the first of all at last."""
        at = bisect_left(self.floors, floor)
        return self.before[at] if at < len(self.floors) else 0

    def first_on(self, floor: int) -> int | None:
        """Return the number of the first hit on a floor; None if there is none on it."""
        at = bisect_left(self.floors, floor)
        is_there = at < len(self.floors) and self.floors[at] == floor
        return self.before[at] if is_there else None
