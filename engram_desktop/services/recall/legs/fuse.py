"""Add up the scores of the legs, each in its own units, and keep each leg's share."""

from __future__ import annotations

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

    def add(self, leg: str, weight: float, values: Scores) -> None:
        """Add ``weight`` × ``values``, which are one number for each of the rows."""
        if not weight or not values.any():  # most questions name no day and nobody
            return
        contribution = weight * values
        self.legs[leg] = self.legs[leg] + contribution if leg in self.legs else contribution

    @property
    def total(self) -> Scores:
        total: Scores = sum(self.legs.values(), np.zeros(self.rows.size))
        return total

    def narrowed(self, keep: Rows) -> Tally:
        """Return the tally of the rows at positions ``keep``, in that order."""
        legs = {leg: values[keep] for leg, values in self.legs.items()}
        features = {name: values[keep] for name, values in self.features.items()}
        likeness = None if self.likeness is None else self.likeness[keep]
        return Tally(self.rows[keep], legs, likeness, features)

    def places(self) -> list[dict[str, int]]:
        """Return for every row its place by each leg that speaks for it, alone, from 1."""
        places: list[dict[str, int]] = [{} for _ in range(self.rows.size)]
        for leg, values in self.legs.items():
            order = np.argsort(-values, kind="stable")
            for place, position in enumerate(order[: int((values > 0).sum())].tolist(), start=1):
                places[position][leg] = place
        return places

    def whys(self) -> list[dict[str, float]]:
        """Return what each leg gave to every row; none for 0."""
        whys: list[dict[str, float]] = [{} for _ in range(self.rows.size)]
        for leg, values in self.legs.items():
            shares = np.round(values, 3)
            for position in np.flatnonzero(shares).tolist():
                whys[position][leg] = float(shares[position])
        return whys
