"""Add up what the legs say, each in its own units, and remember who said what."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engram_desktop.domain.ranking import Rows, Scores


@dataclass(slots=True, eq=False)
class Tally:
    """Contributions by leg for a set of rows. The score of a row is their sum."""

    rows: Rows
    legs: dict[str, Scores] = field(default_factory=dict)

    def add(self, leg: str, weight: float, values: Scores) -> None:
        """Add ``weight`` × ``values``, which are one number for each of the rows."""
        said = weight * values
        self.legs[leg] = self.legs[leg] + said if leg in self.legs else said

    @property
    def total(self) -> Scores:
        total: Scores = sum(self.legs.values(), np.zeros(self.rows.size))
        return total

    def narrowed(self, keep: Rows) -> Tally:
        """Return the tally of the rows at positions ``keep``, in that order."""
        return Tally(self.rows[keep], {leg: said[keep] for leg, said in self.legs.items()})

    def places(self) -> dict[str, Rows]:
        """Return for each leg the place of every row by that leg alone, from 1; 0 for no share."""
        found = {}
        for leg, said in self.legs.items():
            order = np.argsort(-said, kind="stable")
            place = np.empty(order.size, dtype=np.intp)
            place[order] = np.arange(1, order.size + 1)
            found[leg] = np.where(said > 0, place, 0)
        return found

    def why(self, position: int) -> dict[str, float]:
        """Return what each leg gave to the row at ``position``; none for 0."""
        shares = {leg: round(float(said[position]), 3) for leg, said in self.legs.items()}
        return {leg: share for leg, share in shares.items() if share}
