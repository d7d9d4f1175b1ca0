"""A text is found wherever it stands, in either case, and counted floor by floor."""

from __future__ import annotations

from engram_desktop.domain.text.words import SearchedText, TextHits


def test_letters_of_any_script_are_found_in_either_case():
    assert SearchedText("Key").spans("the KEY, a key") == [(4, 7), (11, 14)]
    assert SearchedText("钥").spans("铜钥匙和银钥匙") == [(1, 2), (5, 6)]
    assert SearchedText("ÜB").spans("über") == [(0, 2)]
    assert SearchedText("a.b").spans("axb a.b") == [(4, 7)], "what is searched is no pattern"


def test_nothing_is_found_of_nothing():
    assert SearchedText("  ").spans("a  b") == []
    assert SearchedText("").count("abc") == 0


def test_hits_are_numbered_through_the_floors():
    hits = TextHits.of([(0, 0), (3, 2), (4, 0), (7, 1)])
    assert hits.total == 3
    assert [hits.place(n) for n in range(3)] == [(3, 0), (3, 1), (7, 0)]
    assert [hits.from_floor(n) for n in (0, 3, 4, 7, 8)] == [0, 0, 2, 2, 0]
    assert [hits.first_on(n) for n in (0, 3, 5, 7, 9)] == [None, 0, None, 2, None]
