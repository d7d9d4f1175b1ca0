"""What stands around a message: the best score within a few turns is evidence for each of them."""

from __future__ import annotations

import numpy as np

from engram_desktop.domain.recall.ranking import REACH, Rows, Scores
from engram_desktop.services.recall.legs.fuse import Tally
from engram_desktop.services.recall.view import View

# What a message says; who sent it and when is told of each by itself.
_SAID = ("lexical", "vector")


def best_beside(view: View, tally: Tally) -> tuple[Scores, Rows]:
    """Return the best score by `_SAID` within `REACH` turns of each row, and whose it is.

    A row is no neighbour of itself. The second is a position in ``tally.rows``; the score is 0, and
    the position -1, where no neighbour has more.
    """
    places = view.places(tally.rows)
    position = np.full(view.turns.size + 2 * REACH, -1, dtype=np.intp)  # with nobody at both ends
    is_turn = places >= 0
    position[places[is_turn] + REACH] = np.flatnonzero(is_turn)
    nobody = np.zeros(tally.rows.size)
    said = sum((tally.legs.get(leg, nobody) for leg in _SAID), nobody)
    total = np.append(said, 0.0)  # the last is nobody's: position -1
    scores = np.zeros(tally.rows.size)
    whose: Rows = np.full(tally.rows.size, -1, dtype=np.intp)
    for step in (s for s in range(-REACH, REACH + 1) if s):
        beside = np.where(is_turn, position[places + REACH + step], -1)
        better = total[beside] > scores
        scores = np.where(better, total[beside], scores)
        whose = np.where(better, beside, whose)
    return scores, whose


def add_as_told(tally: Tally, weight: float, whose: Rows) -> None:
    """Add ``weight`` x the scores of ``whose``, leg by leg; -1 is nobody."""
    if not weight:
        return
    for leg in _SAID:
        if leg in tally.legs:
            tally.add(leg, weight, np.where(whose >= 0, tally.legs[leg][whose], 0.0))
