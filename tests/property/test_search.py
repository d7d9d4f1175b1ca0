"""Search and ranking over random texts."""

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
from engram_desktop.domain.search import (
    MAX_WORDS,
    PASSAGE,
    Clause,
    expression,
    folded,
    holds,
    parse,
    passage_of,
    spans,
)
from tests.property.test_access import _table

# Whatever is typed is a valid query, and what is marked is what was looked for.

_TYPED = st.lists(
    st.one_of(
        st.sampled_from(list("月光酒馆ab :：-－\"“”「」|()*^%'\\\0\u3000,，")),
        st.sampled_from(["type:", "is：", "实体:", "event", "蓝", "chat:", "-type:log", " OR "]),
        st.sampled_from(["\ud800", "\u0301", "㎏", "İ"]),
        st.characters(),
    ),
    max_size=40,
).map("".join)


@given(_TYPED)
def test_whatever_is_typed_is_a_query(typed):
    query = parse(typed)
    for clause in query.clauses:
        assert 0 < len(clause.words + clause.without + clause.filters) <= MAX_WORDS
        assert clause.words or clause.without or clause.filters
    db = _table()
    for word in query.words:
        word.text.encode()
        if asked := expression(word):
            db.execute("SELECT rowid FROM lexicon WHERE lexicon MATCH ?", (asked,)).fetchall()


@given(_TYPED, _TYPED)
def test_marks_lie_in_the_text_in_order(typed, text):
    words = parse(typed).words
    passage = passage_of(text, words)
    last = 0
    for start, end in passage.marks:
        assert last <= start < end <= len(passage.text)
        last = end
    assert len(passage.text) <= PASSAGE + 2


@given(_TYPED)
def test_a_word_stands_in_itself(typed):
    for word in parse(typed).words:
        assert spans([word], word.text)
        assert holds(Clause((word,)), ["另一个", word.text])
        assert not holds(Clause(without=(word,)), ["另一个", word.text])


@given(_TYPED)
def test_folding_leads_back_to_the_text(text):
    side = folded(text)
    for at in range(len(side.text)):
        start, end = side.original(at, at + 1)
        assert 0 <= start < end <= len(text)


# Ranking: order is total, sums are sums, and nobody is lost.

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
