"""The most important events of a line: few, and of its whole length."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence


def best_spread(keys: Sequence[int], score: Callable[[int], float], most: int) -> list[int]:
    """Choose ``most`` of ``keys``, which are ordered by falling score and then by the story.

    Of those that are equally important and do not all fit, some of the whole story are chosen, not
    the earliest. Few scores are asked for, however many keys there are.
    """
    if len(keys) <= most:
        return list(keys)
    edge = score(keys[most - 1])
    first = bisect_left(keys, -edge, key=lambda key: -score(key))
    end = bisect_right(keys, -edge, key=lambda key: -score(key))
    room = most - first
    alike = keys[first:end]
    chosen = [alike[(2 * n + 1) * len(alike) // (2 * room)] for n in range(room)]
    return [*keys[:first], *chosen]
