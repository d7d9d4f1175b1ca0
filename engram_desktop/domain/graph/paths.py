"""The shortest way from one entity to another, along what links them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

from engram_desktop.domain.graph.entity import Relation


def shortest(relations: Iterable[Relation], start: str, goal: str) -> list[Relation] | None:
    """Return the fewest relations that lead there, read in either direction; None: none do."""
    around: dict[str, list[tuple[str, Relation]]] = defaultdict(list)
    for relation in relations:
        around[relation.src].append((relation.dst, relation))
        around[relation.dst].append((relation.src, relation))
    came: dict[str, tuple[str, Relation] | None] = {start: None}
    waiting = deque([start])
    while waiting and goal not in came:
        here = waiting.popleft()
        for there, relation in around[here]:
            if there not in came:
                came[there] = (here, relation)
                waiting.append(there)
    if goal not in came:
        return None
    way: list[Relation] = []
    step = came[goal]
    while step is not None:
        here, relation = step
        way.append(relation)
        step = came[here]
    return way[::-1]
