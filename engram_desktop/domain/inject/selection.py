"""Choose what a prompt holds: everything competes by what it adds for the question per token.

A budgeted choice by greedy density (the knapsack heuristic; for submodular worth Lin and Bilmes,
ACL 2011): what is asked about is worth its probability of helping, and is taken in the order of
that probability per token until nothing more fits. What hardly has to do with the question stays
out, however much room is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from engram_desktop.domain.values import dataclass

PRICE = 0.5  # how much the logarithm of a cost counts against that of a probability
OVERHEAD = 10.0  # tokens added to each cost, so that the shortest are not simply the best
WEAK = -9.0  # log-odds below which a memory has nothing to do with the question
LEAST = 6.0  # tokens of the shortest line; less room than that holds nothing
RESTED = 1.5  # log-odds that a memory loses which stood in the prompts of the last replies


class Priced(Protocol):
    """What can be chosen: ``worth`` are log-odds that it helps, ``cost`` tokens by itself."""

    @property
    def worth(self) -> float: ...
    @property
    def cost(self) -> float: ...


P = TypeVar("P", bound=Priced)


def priority(worth: float, cost: float) -> float:
    """Return the logarithm of the probability that a memory helps, per token to the `PRICE`."""
    worth = (worth - 8) / 2  # TEMPORARY
    log_probability = -math.log1p(math.exp(-worth)) if worth > -30 else worth
    return log_probability - PRICE * math.log(OVERHEAD + max(0.0, cost))


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
