"""Add up the scores of the legs, each in its own units, and keep each leg's share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from engram_desktop.domain.recall.ranking import Rows, Scores
from engram_desktop.domain.values import dataclass


@dataclass(slots=True, eq=False)
class Tally:
    """Contributions by leg for a set of rows. The score of a row is their sum."""

    rows: Rows
    legs: dict[str, Scores] = field(default_factory=dict)
    likeness: Scores | None = None  # standard scores of similarity, part of no sum
    features: dict[str, Scores] = field(default_factory=dict)  # of corrections, part of no sum
    held: tuple[tuple[float, Rows], ...] = ()  # words of the question: idf, and the view's rows
    held_of: int = 0  # rows of the view

    def add(self, leg: str, weight: float, values: Scores) -> None:
        """Add ``weight`` × ``values``, which are one number for each of the rows."""
        if not weight or not values.any():  # most questions name no day and nobody
            return
        contribution = weight * values
        self.legs[leg] = self.legs[leg] + contribution if leg in self.legs else contribution

    def scale(self, factors: Mapping[str, float]) -> None:
        """Let legs count so many times what they did."""
        for leg, factor in factors.items():
            if leg in self.legs:
                self.legs[leg] = factor * self.legs[leg]

    @property
    def total(self) -> Scores:
        total: Scores = sum(self.legs.values(), np.zeros(self.rows.size))
        return total

    def narrowed(self, keep: Rows) -> Tally:
        """Return the tally of the rows at positions ``keep``, in that order."""
        legs = {leg: values[keep] for leg, values in self.legs.items()}
        features = {name: values[keep] for name, values in self.features.items()}
        likeness = None if self.likeness is None else self.likeness[keep]
        return Tally(self.rows[keep], legs, likeness, features, self.held, self.held_of)

    def places(self, positions: Sequence[int]) -> dict[int, dict[str, int]]:
        """Return for these rows their place by each leg that speaks for them, alone, from 1."""
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
        """Return what each leg gave to every row; none for 0."""
        whys: list[dict[str, float]] = [{} for _ in range(self.rows.size)]
        for leg, values in self.legs.items():
            shares = np.round(values, 3)
            speaking = np.flatnonzero(shares)
            for position, share in zip(speaking.tolist(), shares[speaking].tolist(), strict=True):
                whys[position][leg] = share
        return whys
