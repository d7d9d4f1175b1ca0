from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.chats import ENDLESS, FloorMap, Run, align


def script(old, new):
    return align(list(old), list(new), ["x"] * len(old), ["x"] * len(new))


def test_an_edited_message_stays_where_it_was():
    found = script("abcde", "abXde")
    assert found.edited == {2}
    assert len(found.pairs) == 5


def test_inserted_and_removed_messages_move_the_others():
    assert script("abcde", "acde").pairs == ((0, 0), (2, 1), (3, 2), (4, 3))
    assert script("abcde", "abXcde").pairs == ((0, 0), (1, 1), (2, 3), (3, 4), (4, 5))
    assert not script("abcde", "acde").edited


def test_the_speaker_says_which_of_several_was_edited():
    found = align(["a", "b", "c", "z"], ["a", "C", "z"], list("uaua"), list("uua"))
    assert found.edited == {2}
    assert found.pairs == ((0, 0), (2, 1), (3, 2))


@given(st.text("abcd", max_size=14), st.text("abcd", max_size=14))
def test_a_script_is_in_order_and_true(old, new):
    found = script(old, new)
    for (i, j), (k, m) in zip(found.pairs, found.pairs[1:], strict=False):
        assert i < k
        assert j < m
    for i, j in found.pairs:
        assert (old[i] == new[j]) or i in found.edited
    assert (not found.edited and len(found.pairs) == len(old) == len(new)) == (old == new)


def test_a_hundred_thousand_messages_with_many_changes_are_aligned():
    pick = random.Random(5)
    old = [f"m{n % 90_000}" for n in range(100_000)]
    new = [f"e{n}" if pick.random() < 0.01 else m for n, m in enumerate(old)]
    new = [m for m in new if pick.random() > 0.01]
    found = align(old, new, ["x"] * len(old), ["x"] * len(new))
    assert len(found.pairs) > 98_000  # quadratic work would not get here before the timeout


def test_floors_move_with_their_messages():
    moved = FloorMap.of_pairs(script("abcde", "aXcde").pairs, 5, 5)
    assert moved.is_identity
    moved = FloorMap.of_pairs(script("abcdef", "acXdef").pairs, 6, 6)
    assert moved.runs == (Run(0, 0, 0), Run(2, 2, -1), Run(3, ENDLESS, 0))
    assert [moved.last_up_to(n) for n in range(7)] == [0, 0, 1, 3, 4, 5, 6]
    assert moved.first_moved == 1


def test_a_branch_moves_with_what_it_sees():
    moved = FloorMap.of_pairs(script("abcdef", "bcef").pairs, 6, 4)
    assert moved.up_to(2).runs == (Run(1, ENDLESS, -1),)
    assert moved.up_to(0).runs == (Run(1, ENDLESS, -1),)
    assert moved.up_to(3).runs == (Run(1, 2, -1), Run(4, ENDLESS, -2))


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12),
    st.integers(0, 30),
    st.integers(0, 30),
    st.integers(0, 40),
)
def test_what_is_left_of_a_stretch_are_stretches_that_do_not_end_before_they_begin(
    pairs, first, length, limit
):
    olds = sorted({old for old, _new in pairs})
    news = sorted({new for _old, new in pairs})
    floors = FloorMap.of_pairs(zip(olds, news, strict=False), 31, 31)
    for some in (floors, floors.up_to(limit)):
        runs = some.image(first, first + length)
        assert all(begin <= end for begin, end in runs)
        assert all(one[1] < other[0] for one, other in pairwise(runs))
