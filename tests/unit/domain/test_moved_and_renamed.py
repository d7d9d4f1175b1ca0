"""What a newer telling moved, and whom it calls otherwise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.chats import FloorMap, Saying, align, renamed_speakers


def moved(old, new, when=None):
    moments = when or (range(len(old)), [old.index(key) for key in new if key in old])
    return align(old, new, "x" * len(old), "x" * len(new), moments)


def test_two_that_changed_places_are_one_that_moved():
    script = moved("abcd", "acbd")
    assert (len(script.moved), script.edited) == (1, frozenset())
    assert sorted(script.staying) == [(0, 0), (1, 2), (2, 1), (3, 3)]


def test_what_was_said_at_another_moment_was_not_moved():
    script = moved("abcd", "bcda", ([0, 1, 2, 3], [1, 2, 3, 9]))
    assert script.moved == ()
    assert script.pairs == ((1, 0), (2, 1), (3, 2))


def test_without_moments_nothing_is_moved():
    assert align("abcd", "acbd", "xxxx", "xxxx").moved == ()


@given(st.permutations(list("abcdefgh")))
def test_any_order_of_the_same_messages_keeps_every_one(order):
    script = moved(list("abcdefgh"), order)
    assert sorted(i for i, _j in script.staying) == list(range(8))
    assert all("abcdefgh"[i] == order[j] for i, j in script.staying)
    assert not script.edited


@given(
    st.lists(st.integers(0, 30), unique=True).map(sorted),
    st.integers(0, 30),
    st.integers(0, 30),
)
def test_the_image_of_a_range_is_where_its_floors_are(left, first, last):
    floors = FloorMap.of_pairs([(old, new) for new, old in enumerate(left)], 31, len(left))
    image = [n for a, b in floors.image(first, last) for n in range(a, b + 1)]
    assert image == [new for new, old in enumerate(left) if first <= old <= last]


def said(*rows):
    return [Saying(name, "assistant", text) for name, text in rows]


def test_a_name_is_another_where_most_of_its_words_are_said_under_it():
    old = said(("Mira", "a"), ("Mira", "b"), ("Tobin", "c"), ("Mira", "d"))
    new = said(("Mirabel", "a"), ("Mirabel", "b"), ("Tobin", "c"), ("Keeper", "d"))
    assert renamed_speakers(old, new) == {"Mira": "Mirabel"}


def test_words_that_are_said_twice_tell_nothing_of_names():
    old = said(("Mira", "yes"), ("Mira", "yes"))
    new = said(("Tobin", "yes"), ("Tobin", "yes"))
    assert renamed_speakers(old, new) == {}
