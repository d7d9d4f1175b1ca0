"""The learned corrections, feature by feature: `FEATURES` says what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from engram_desktop.domain.recall import ranking
from engram_desktop.domain.recall.cues import asks_number
from engram_desktop.domain.recall.lexemes import query_tokens, rough_tokens
from engram_desktop.domain.recall.query import MemoryItem
from engram_desktop.domain.recall.ranking import REACH, Rows, Scores
from engram_desktop.domain.recall.weights import DEFAULT, FEATURES, Weights, read_corrections
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.index import ReadIndex
from engram_desktop.services.recall.legs.fuse import Tally
from engram_desktop.services.recall.legs.habits import Habits
from engram_desktop.services.recall.legs.second_round import FIRST, second_round
from engram_desktop.services.recall.legs.wording import text_of
from engram_desktop.services.recall.view import View
from engram_desktop.shipped import resource

FILE = "recall/fusion.json"
# What a message says; who sent it and when is told of each by itself.
_SAID = ("lexical", "vector")
OWN, SHARE = "own", "share"  # noted for the corrections: idf in the item itself, and its share


@dataclass(frozen=True, slots=True)
class Training:
    """``worth``: the weight of each feature, those shipped if None.

    ``on_weighed`` is given every short list as it was weighed, with its features.
    """

    worth: Mapping[str, float] | None = None
    on_weighed: Callable[[Tally], None] = lambda _tally: None


SHIPPED = Training()


def shipped_corrections() -> dict[str, float]:
    return read_corrections(resource(FILE).read_text("utf-8"))


class LearnedCorrections:
    """Adds to a tally what each feature of a message is worth, and notes the feature there.

    A leg that is left out takes its corrections with it.
    """

    def __init__(self, worth: Mapping[str, float], weights: Weights) -> None:
        scale = {
            "": 1.0,
            "lexical": weights.lexical / DEFAULT.lexical,
            "moment": weights.moment / DEFAULT.moment,
        }
        self._worth = {
            name: weights.learned * worth[name] * scale[leg] for name, leg in FEATURES.items()
        }

    def add_neighbours(self, view: View, tally: Tally, habits: Habits) -> None:
        """Correct all rows of ``tally`` by what stands beside them."""
        scores, whose = best_beside(view, tally)
        tally.features["around"] = habits.nearness * scores
        add_as_told(tally, self._worth["around"] * habits.nearness, whose)

    def add_texts(
        self,
        question: str,
        tally: Tally,
        items: Sequence[MemoryItem],
        habits: Habits,
    ) -> None:
        """Correct the rows of ``tally``, whose items are ``items``, by their texts."""
        is_turn = np.array([item.kind == "turn" for item in items], dtype=np.float64)
        number = np.zeros(len(items))
        if asks_number(question):
            number[:] = [any(c.isdigit() for c in text_of(item)) for item in items]
        self._add(tally, "number", is_turn * number)
        notes = habits.notes * is_turn
        density = np.ones(len(items))
        if habits.notes:
            sizes = [rough_tokens(item.content) for item in items]
            density[:] = [ranking.by_length(size, habits.usual) for size in sizes]
        self._add(tally, "notes_words", notes * tally.features[OWN] * density)
        self._add(tally, "notes_share", notes * tally.features[SHARE])

    def add_second_round(
        self,
        question: str,
        index: ReadIndex,
        view: View,
        tally: Tally,
        items: Sequence[MemoryItem],
        habits: Habits,
    ) -> None:
        """Correct the same rows by the words of the messages that are first so far."""
        is_turn = np.array([item.kind == "turn" for item in items], dtype=np.float64)
        first = [
            (int(tally.rows[n]), text_of(items[n]), float(tally.total[n]))
            for n in ranking.best(np.where(is_turn > 0, tally.total, -np.inf), FIRST)
            if is_turn[n]
        ]
        second = second_round(index, view, query_tokens(question), first, tally.rows)
        self._add(tally, "second", habits.nearness * is_turn * second)
        self._add(tally, "notes_second", habits.notes * is_turn * second)

    def _add(self, tally: Tally, name: str, values: Scores) -> None:
        tally.features[name] = values
        tally.add(FEATURES[name], self._worth[name], values)


def long_pages(items: Sequence[MemoryItem]) -> Scores:
    """Return for each message the logarithm by which it is a page; 0 for other kinds."""
    return np.array(
        [
            ranking.longness(rough_tokens(item.content)) if item.kind == "turn" else 0.0
            for item in items
        ]
    )


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
