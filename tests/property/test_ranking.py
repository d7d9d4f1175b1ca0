"""Ranking: order is total, sums are sums, and nobody is lost."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engram_desktop.domain.recall.ranking import (
    NEAR,
    REACH,
    add_spread,
    best,
    confidence,
    distinct_first,
    inverse_frequency,
    standard_scores,
)

_SCORES = arrays(np.float64, st.integers(1, 60), elements=st.integers(-3, 3).map(float))


@given(_SCORES, st.integers(1, 80))
def test_best_is_the_start_of_the_whole_stable_order(scores: np.ndarray, count: int):
    whole = sorted(range(scores.size), key=lambda row: (-scores[row], row))
    assert best(scores, count).tolist() == whole[:count]


@given(_SCORES, st.integers(1, 30), st.randoms())
def test_permuting_rows_keeps_the_scores_chosen(scores: np.ndarray, count: int, random):
    order = list(range(scores.size))
    random.shuffle(order)
    shuffled = scores[order]
    chosen = sorted(scores[best(scores, count)].tolist())
    assert sorted(shuffled[best(shuffled, count)].tolist()) == chosen


@given(st.sets(st.integers(0, 39)), st.floats(0.1, 9))
def test_spread_gives_whole_to_places_and_part_once_to_neighbours(places: set[int], weight: float):
    scores = np.zeros(40)
    add_spread(scores, np.array(sorted(places), dtype=np.intp), weight)
    for row in range(40):
        distance = min((abs(row - place) for place in places), default=99)
        share = 1.0 if distance == 0 else NEAR if distance <= REACH else 0.0
        assert np.isclose(scores[row], weight * share)


@given(st.integers(1, 10**6), st.data())
def test_a_rarer_word_never_weighs_less(total: int, data: st.DataObject):
    few, many = sorted(data.draw(st.tuples(st.integers(1, total), st.integers(1, total))))
    assert inverse_frequency(few, total) >= inverse_frequency(many, total) >= 0
    assert inverse_frequency(0, total) == inverse_frequency(total, total) == 0


@given(_SCORES, st.floats(0.5, 20), st.floats(-9, 9))
def test_standard_scores_do_not_depend_on_the_models_scale(
    scores: np.ndarray, scale: float, shift: float
):
    moved = scores * scale + shift
    assert np.allclose(standard_scores(scores, scores), standard_scores(moved, moved), atol=1e-6)


def test_what_has_no_vector_is_neither_near_nor_far():
    values = np.array([1.0, np.nan, 3.0])
    assert standard_scores(values, values).tolist() == [-1.0, 0.0, 1.0]
    assert standard_scores(values, np.array([np.nan])).tolist() == [0.0, 0.0, 0.0]


@given(_SCORES)
def test_confidence_stays_near_one(scores: np.ndarray):
    assert 0.5 <= confidence(scores) <= 1.5


@given(st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=20), st.integers(1, 25))
def test_distinct_first_loses_and_repeats_nobody(ranked: list[frozenset[str]], wanted: int):
    chosen = distinct_first(len(ranked), wanted, ranked.__getitem__)
    assert len(chosen) == len(set(chosen)) == min(wanted, len(ranked))
    if ranked:
        assert chosen[0] == 0


def test_a_repetition_comes_only_where_nothing_else_is_left():
    ranked = [frozenset("abcde"), frozenset("abcde"), frozenset("xyz")]
    assert distinct_first(3, 2, ranked.__getitem__) == [0, 2]
    assert distinct_first(3, 3, ranked.__getitem__) == [0, 2, 1]
    assert distinct_first(2, 2, [frozenset(), frozenset()].__getitem__) == [0, 1]
