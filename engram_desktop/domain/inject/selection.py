"""Choose what a prompt holds: everything competes by what it adds for the question per token.

A greedy choice under a budget (the knapsack heuristic; Lin and Bilmes, ACL 2011): offers are taken
in the order of the evidence that speaks for them, dearer ones a little later, until nothing more
fits. Evidence is logarithmic (`domain/recall/ranking.py`), and so is the price. What hardly has to
do with the question stays out, however much room is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from engram_desktop.domain.values import dataclass

# What the logarithm of a cost weighs against a unit of evidence, measured between 0 and .8: less
# loses Chinese one-liners, more loses pages and what several messages answer together.
PRICE = 0.3
OVERHEAD = 10.0  # tokens added to each cost, so that the shortest are not simply the best
WEAK = 0.0  # evidence below which nothing speaks for a memory: of what is asked for 1 % lies there
LEAST = 6.0  # tokens of the shortest line; less room than that holds nothing
RESTED = 1.5  # evidence that a memory loses which stood in the prompts of the last replies


class Priced(Protocol):
    """What can be chosen: ``worth`` in the units of a recall's score, ``cost`` in tokens."""

    @property
    def worth(self) -> float: ...
    @property
    def cost(self) -> float: ...


P = TypeVar("P", bound=Priced)


def priority(worth: float, cost: float) -> float:
    """Return what orders the offers: worth, less the `PRICE` of its tokens."""
    return worth - PRICE * math.log(OVERHEAD + max(0.0, cost))


@dataclass(slots=True)
class Selection(Generic[P]):
    """What was taken, in the order it was; what was passed over for want of room, and as weak."""

    taken: list[P]
    passed: list[P]
    weak: list[P]


def select(offers: Sequence[P], room: float, take: Callable[[P, float], float]) -> Selection[P]:
    """Take offers, the most telling per token first, while ``take`` says that they fit.

    ``take(offer, room)`` adds an offer and returns what it cost, or returns -1 where it costs more
    than ``room`` tokens. The order is total: of two alike the earlier offer goes first.
    """
    chosen: Selection[P] = Selection([], [], [])
    for offer in sorted(offers, key=lambda o: -priority(o.worth, o.cost)):
        if offer.worth < WEAK:
            chosen.weak.append(offer)
            continue
        cost = take(offer, room) if room > LEAST else -1.0
        if cost < 0:
            chosen.passed.append(offer)
            continue
        room -= cost
        chosen.taken.append(offer)
    return chosen
