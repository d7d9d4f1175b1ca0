"""Fusion: add up the scores of the legs, and demote hits that repeat better ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall import ranking
from engram_desktop.domain.recall.ranking import Rows, Scores
from engram_desktop.domain.values import dataclass


@dataclass(slots=True, eq=False)
class Tally:
    """Contributions of each leg, in its own units, for a set of rows.

    A row's score is their sum.
    """

    rows: Rows
    legs: dict[str, Scores] = field(default_factory=dict)
    likeness: Scores | None = None  # standard scores of similarity, not in the sum
    features: dict[str, Scores] = field(default_factory=dict)  # of corrections, not in the sum
    held: tuple[tuple[float, Rows], ...] = ()  # words of the question: idf, and rows of the view
    held_of: int = 0  # number of rows of the view

    def add(self, leg: str, weight: float, values: Scores) -> None:
        """Add ``weight`` × ``values``, one value for each row."""
        if not weight or not values.any():  # most questions name no day and no person
            return
        contribution = weight * values
        self.legs[leg] = self.legs[leg] + contribution if leg in self.legs else contribution

    def scale(self, factors: Mapping[str, float]) -> None:
        """Multiply the contributions of legs by ``factors``."""
        for leg, factor in factors.items():
            if leg in self.legs:
                self.legs[leg] = factor * self.legs[leg]

    @property
    def total(self) -> Scores:
        total: Scores = sum(self.legs.values(), np.zeros(self.rows.size))
        return total

    def best_outside(self, in_prompt: NDArray[np.bool_], count: int, listed: int) -> ranking.Rows:
        """Return the ``count`` best positions outside the prompt, and ``listed`` inside it.

        A prompt may hold more than ``count`` messages; they do not use up the places of the others.
        """
        total = self.total
        if not in_prompt.any():
            return ranking.best(total, count)
        outside, inside = np.flatnonzero(~in_prompt), np.flatnonzero(in_prompt)
        others = outside[ranking.best(total[outside], count)] if outside.size else outside
        return np.concatenate((others, inside[ranking.best(total[inside], listed)]))

    def narrowed(self, keep: Rows) -> Tally:
        """Return the tally of the rows at positions ``keep``, in that order."""
        legs = {leg: values[keep] for leg, values in self.legs.items()}
        features = {name: values[keep] for name, values in self.features.items()}
        likeness = None if self.likeness is None else self.likeness[keep]
        return Tally(self.rows[keep], legs, likeness, features, self.held, self.held_of)

    def places(self, positions: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return, for these positions, the rank by each leg with a positive value alone, from 1."""
        places: dict[int, dict[str, int]] = {position: {} for position in positions}
        asked = np.array(positions, dtype=np.intp)
        for leg, values in self.legs.items():
            place = np.empty(values.size, dtype=np.intp)
            place[np.argsort(-values, kind="stable")] = np.arange(1, values.size + 1)
            speaking = asked[values[asked] > 0] if asked.size else asked
            for position, rank in zip(speaking.tolist(), place[speaking].tolist(), strict=True):
                places[position][leg] = rank
        return places

    def whys(self) -> list[dict[str, float]]:
        """Return each row's contributions by leg, without zeros."""
        whys: list[dict[str, float]] = [{} for _ in range(self.rows.size)]
        for leg, values in self.legs.items():
            shares = np.round(values, 3)
            speaking = np.flatnonzero(shares)
            for position, share in zip(speaking.tolist(), shares[speaking].tolist(), strict=True):
                whys[position][leg] = share
        return whys


# In notes, what better hits say already counts less, so that a prompt has room for several answers.
# Notes repeat themselves, and a question has parts: for “how many come to A? And when is B?” the
# first thirty hits may all be about A. So a word of the question is worth less to a message for
# each better one that holds it (covered aspects, as in xQuAD: Santos et al., WWW 2010; here an
# aspect is a word). In notes a prompt of 500 tokens holds .06 more of the evidence, one of 1,000
# tokens .02; in conversations and pages it makes no difference (-.01 to .01).


# Share of a word's worth that remains for each better message with the word. From .8 to .97 the
# figures differ by a point or two.
KEPT = 0.9
_LEAST = 0.1  # share of a positive score that stays: a repetition is not weak for that reason alone


def repetition(tally: Tally, lexical: float) -> Scores:
    """Return what each row loses; ``lexical`` is the worth of one unit of idf."""
    total = tally.total
    if not lexical or not tally.held or not total.size:
        return np.zeros(total.size)
    order = ranking.best(total, total.size)
    rows = tally.rows[order]
    seen = np.zeros(tally.held_of, np.bool_)
    lost = np.zeros(total.size)
    for weight, holders in tally.held:
        seen[holders] = True
        holds = seen[rows]
        seen[holders] = False
        before = np.cumsum(holds) - 1
        lost += weight * holds * (1.0 - KEPT ** np.maximum(before, 0))
    loss = np.zeros(total.size)
    loss[order] = lexical * lost
    return np.minimum(loss, (1 - _LEAST) * np.maximum(total, 0.0))
