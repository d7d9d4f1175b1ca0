"""Worldbooks: entries sorted and merged; dates, files and chats lined up."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.chats import ENDLESS, FloorMap, Run, Saying, align, renamed_speakers
from engram_desktop.domain.pipeline.prompt_template import (
    CARDS,
    CardFields,
    StoryRenderer,
    read_card,
)
from engram_desktop.domain.worldbooks.listed import applied, by_sort, moved
from engram_desktop.domain.worldbooks.merging import Uid, changes_between, mark_of
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Entry
from tests.factories import make_extraction

# The orders that make SillyTavern see entries as a list shows them.


def by_order(entries):
    return by_sort(entries, "order", {}, is_reversed=False)


def test_every_sort_keeps_all_entries_and_can_be_turned_round():
    entries = [Entry(2, comment="b", order=1, depth=9), Entry(0, comment="a"), Entry(1, depth=1)]
    tokens: dict[int | str, int] = {2: 5, 0: 1, 1: 9}
    assert [e.uid for e in by_sort(entries, "title", tokens, is_reversed=False)] == [1, 0, 2]
    assert [e.uid for e in by_sort(entries, "tokens", tokens, is_reversed=False)] == [1, 2, 0]
    assert [e.uid for e in by_sort(entries, "depth", tokens, is_reversed=False)] == [1, 0, 2]
    assert [e.uid for e in by_sort(entries, "uid", tokens, is_reversed=True)] == [2, 1, 0]
    assert [e.uid for e in by_sort(entries, "file", tokens, is_reversed=False)] == [2, 0, 1]
    assert [e.uid for e in by_order(entries)] == [0, 1, 2]


def test_applying_a_sort_names_only_what_differs():
    entries = [Entry(0, order=100), Entry(1, order=100), Entry(2, order=98)]
    assert applied(entries, 100) == {1: 99}


def test_what_is_moved_stands_there_when_sorted_again():
    random = Random(7)
    for _ in range(300):
        entries = [Entry(n, order=random.randint(95, 103)) for n in range(random.randint(2, 9))]
        entries = by_order(entries)
        taken = random.sample([e.uid for e in entries], random.randint(1, len(entries) - 1))
        rest = [e.uid for e in entries if e.uid not in taken]
        before = random.choice([*rest, None])
        at = rest.index(before) if before is not None else len(rest)
        wanted = rest[:at] + [e.uid for e in entries if e.uid in taken] + rest[at:]
        orders = moved(entries, taken, before)
        after = [replace(e, order=orders.get(e.uid, e.order)) for e in entries]
        assert [e.uid for e in by_order(after)] == wanted


def test_a_move_between_distant_orders_changes_only_what_moves():
    entries = [Entry(0, order=300), Entry(1, order=200), Entry(2, order=100)]
    assert moved(entries, [2], 1) == {2: 201}
    assert moved(entries, [0], None) == {0: 99}
    assert moved(entries, [], 1) == {}


# Which entries of a kept worldbook are a question, and what a card says that somebody edited.

BASE = Entry(3, keys=("灯塔",), comment="灯塔", content="灯塔亮着。")
THERE = replace(BASE, content="灯塔灭了。")
HERE = replace(BASE, content="灯塔很远。")
MARKS = {"3": mark_of(BASE)}


def worldbook_of(entry: Entry | None) -> dict[Uid, Entry]:
    return {3: entry} if entry else {}


@pytest.mark.parametrize(
    ("here", "there", "marks", "told"),
    [
        (BASE, BASE, MARKS, None),
        (HERE, BASE, MARKS, None),  # an older copy
        (None, BASE, MARKS, None),  # removed here
        (HERE, None, {"4": "x"}, None),  # new here
        (BASE, THERE, MARKS, ("edited", "there", False)),
        (HERE, THERE, MARKS, ("edited", "there", True)),
        (BASE, None, MARKS, ("removed", "there", False)),
        (HERE, None, MARKS, ("removed", "here", True)),
        (None, THERE, MARKS, ("edited", "there", True)),
        (None, THERE, {"4": "x"}, ("added", "there", False)),
        (HERE, THERE, {}, ("edited", "there", False)),
        (HERE, None, {}, ("removed", "here", False)),
        (None, THERE, {}, ("added", "there", False)),
    ],
)
def test_only_what_was_changed_there_is_a_question(here, there, marks, told):
    found = changes_between(worldbook_of(here), worldbook_of(there), marks)
    assert [(e.happened, e.suggested, e.is_both) for e in found] == ([told] if told else [])


def test_a_number_that_was_given_twice_is_not_the_same_entry():
    (found,) = changes_between({3: HERE}, {3: THERE}, {"4": "x"})
    assert (found.happened, found.here) == ("added", None)


def test_an_empty_filter_that_sillytavern_adds_is_no_change():
    assert mark_of(replace(BASE, character_filter=CharacterFilter())) == mark_of(BASE)
    assert mark_of(replace(BASE, character_filter=CharacterFilter(("Mira",)))) != mark_of(BASE)


@pytest.mark.parametrize("template", CARDS.values())
def test_a_card_is_read_as_it_was_rendered(template):
    data = make_extraction(details="一行。\n又一行。")
    assert read_card(StoryRenderer(template).render(data)) == CardFields(
        data.summary, data.timestamp, data.location, data.keywords, data.details
    )


def test_a_card_of_ones_own_template_and_a_plain_text_are_read():
    own = "# Was\n{{summary}}\nWo: {{location}}"
    fields = CardFields("Es regnet.\nNoch.", location="Harrow")
    assert read_card("# Was\nEs regnet.\nNoch.\nWo: Harrow", own) == fields
    assert read_card("Nur ein Satz.") == CardFields("Nur ein Satz.")


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


# What a newer telling moved, and whom it calls otherwise.


def relocated(old, new, when=None):
    moments = when or (range(len(old)), [old.index(key) for key in new if key in old])
    return align(old, new, "x" * len(old), "x" * len(new), moments)


def test_two_that_changed_places_are_one_that_moved():
    script = relocated("abcd", "acbd")
    assert (len(script.moved), script.edited) == (1, frozenset())
    assert sorted(script.staying) == [(0, 0), (1, 2), (2, 1), (3, 3)]


def test_what_was_said_at_another_moment_was_not_moved():
    script = relocated("abcd", "bcda", ([0, 1, 2, 3], [1, 2, 3, 9]))
    assert script.moved == ()
    assert script.pairs == ((1, 0), (2, 1), (3, 2))


def test_without_moments_nothing_is_moved():
    assert align("abcd", "acbd", "xxxx", "xxxx").moved == ()


@given(st.permutations(list("abcdefgh")))
def test_any_order_of_the_same_messages_keeps_every_one(order):
    script = relocated(list("abcdefgh"), order)
    assert sorted(i for i, _j in script.staying) == list(range(8))
    assert all("abcdefgh"[i] == order[j] for i, j in script.staying)
    assert not script.edited


@given(
    st.lists(st.integers(0, 30), unique=True).map(sorted), st.integers(0, 30), st.integers(0, 30)
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
