"""How much of what an injection may hold, and the known facts that it may name. Pure values."""

from __future__ import annotations

from typing import Literal

from engram_desktop.domain.graph.entity import EntityNode
from engram_desktop.domain.values import dataclass

Part = Literal["always", "recalled", "snippets", "entities", "relations"]
InjectionOrder = Literal["stable", "story"]

# Of the budget, first; what one part leaves, the others may use, in this order. The story so far is
# made to fit its share, so that all of it is told whatever else is found.
SHARES: dict[Part, float] = {
    "always": 0.70,
    "recalled": 0.13,
    "snippets": 0.10,
    "entities": 0.04,
    "relations": 0.03,
}


@dataclass(frozen=True, slots=True)
class Allowance:
    """``tokens`` for the whole text; of snippets, entities and relations at most so many.

    A short snippet is quoted with ``neighbours`` messages before and after it.

    ``order`` stable: what is always visible comes before what was recalled; story: both in one
    line. ``visible_from`` is the first floor the prompt still holds as it was written; None: none.
    """

    tokens: int = 6000
    snippets: int = 6
    entities: int = 6
    relations: int = 8
    neighbours: int = 0
    order: InjectionOrder = "stable"
    visible_from: int | None = None


@dataclass(frozen=True, slots=True)
class KnownRelation:
    """An edge by its names, with the floors that say so last; ``until`` where it holds no more.

    ``floors`` is None for what a user wrote by hand.
    """

    src: str
    predicate: str
    dst: str
    floors: tuple[int, int] | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """Entities and relations worth naming, the most telling first."""

    entities: tuple[EntityNode, ...] = ()
    relations: tuple[KnownRelation, ...] = ()


NO_FACTS = Facts()
