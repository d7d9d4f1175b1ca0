"""Pack ranked texts into a token budget."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def pack(ranked: Iterable[tuple[T, int]], budget: int) -> list[T]:
    """Take (thing, cost) in rank order while they fit; what does not fit is skipped, not split.

    The sum of costs taken never exceeds ``budget``, and nothing is taken in place of a
    higher-ranked thing of the same or a smaller cost.
    """
    things: list[T] = []
    left = budget
    for thing, cost in ranked:
        if 0 <= cost <= left:
            things.append(thing)
            left -= cost
    return things
