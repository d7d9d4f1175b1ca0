"""Where floors go when messages before them are removed or inserted.

A map is a list of runs: stretches of old floors that moved together. Floors in no run are gone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Self

from engram_desktop.domain.values import dataclass

ENDLESS = 2**62  # beyond any floor


@dataclass(frozen=True, slots=True)
class Run:
    """Old floors ``first``..``last``, both included, are ``delta`` further on now."""

    first: int
    last: int
    delta: int


@dataclass(frozen=True, slots=True)
class FloorMap:
    """Old floors to new ones. The last run reaches beyond any floor."""

    runs: tuple[Run, ...]

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[int, int]], old: int, new: int) -> Self:
        """Make the map of (old, new) floors; ``old`` and ``new`` count the messages."""
        runs: list[Run] = []
        for before, after in [*pairs, (old, new)]:
            end = ENDLESS if before == old else before
            if runs and runs[-1].last == before - 1 and runs[-1].delta == after - before:
                runs[-1] = Run(runs[-1].first, end, after - before)
            else:
                runs.append(Run(before, end, after - before))
        return cls(tuple(runs))

    @property
    def is_identity(self) -> bool:
        return self.runs == (Run(0, ENDLESS, 0),)

    @property
    def first_moved(self) -> int:
        """The first floor that is gone or elsewhere."""
        head = self.runs[0]
        return head.last + 1 if head.first == 0 and head.delta == 0 else 0

    def last_up_to(self, floor: int) -> int:
        """New floor of the last message that is left up to ``floor``, -1 if there is none."""
        n = bisect_right(self.runs, floor, key=lambda run: run.first) - 1
        return min(floor, self.runs[n].last) + self.runs[n].delta if n >= 0 else -1

    def image(self, first: int, last: int) -> list[tuple[int, int]]:
        """New stretches (first, last) of the floors of an old one that are left, in order."""
        begin = bisect_left(self.runs, first, key=lambda run: run.last)
        end = bisect_right(self.runs, last, key=lambda run: run.first)
        return [
            (max(first, r.first) + r.delta, min(last, r.last) + r.delta)
            for r in self.runs[begin:end]
        ]

    def up_to(self, limit: int) -> Self:
        """Return the map for a branch forked after floor ``limit``: what is behind is its own."""
        runs = [Run(r.first, min(r.last, limit), r.delta) for r in self.runs if r.first <= limit]
        delta = self.last_up_to(limit) - limit
        if runs and runs[-1].last == limit and runs[-1].delta == delta:
            runs[-1] = Run(runs[-1].first, ENDLESS, delta)
        else:
            runs.append(Run(limit + 1, ENDLESS, delta))
        return type(self)(tuple(runs))
