"""Names that words of a text may be."""

from __future__ import annotations

from collections import Counter

import pytest

from engram_desktop.services.extractive.names import english_kind, persons
from engram_desktop.services.extractive.words import Cutter


def test_the_first_half_of_a_place_hides_no_name_behind_it():
    words = Cutter().words("王立图书馆里，艾琳笑了。")
    assert list(persons(words, {"艾琳", "王立"})) == [("艾琳", True)]


@pytest.mark.parametrize(
    ("name", "contexts", "kind"),
    [
        ("Mira", {("", "said"): 1, ("", "and"): 2}, "char"),  # a third of the times is enough
        ("Mira", {("", "said"): 1, ("", "and"): 3}, ""),
        ("Mira", {("", "said"): 1}, ""),  # once is chance
        ("Ardel", {("in", ""): 2, ("", "said"): 1}, ""),
        ("Ardel", {("in", ""): 3, ("", "said"): 1}, "loc"),
        ("Silver Key", {("the", ""): 2}, "item"),
        ("Captain Ruo", {("", ""): 1}, "char"),
    ],
)
def test_what_an_english_name_names_is_told_by_what_is_around_it(name, contexts, kind):
    assert english_kind(name, Counter(contexts)) == kind
