from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.text.words import DiffPiece, word_diff


def test_words_and_chinese_characters_are_told_apart():
    assert word_diff("Alice takes the key.", "Alice hides the key.") == (
        DiffPiece("same", "Alice "),
        DiffPiece("gone", "takes"),
        DiffPiece("new", "hides"),
        DiffPiece("same", " the key."),
    )
    assert [p.text for p in word_diff("爱丽丝拾到钥匙", "爱丽丝藏起钥匙") if p.kind != "same"] == [
        "拾到",
        "藏起",
    ]
    assert word_diff("", "") == ()
    assert word_diff("a", "a") == (DiffPiece("same", "a"),)


@given(st.text(max_size=80), st.text(max_size=80))
def test_both_texts_can_be_read_out_of_it(before, after):
    pieces = word_diff(before, after)
    assert "".join(p.text for p in pieces if p.kind != "new") == before
    assert "".join(p.text for p in pieces if p.kind != "gone") == after


def test_very_long_texts_differ_whole():
    assert [p.kind for p in word_diff("x y " * 5_000, "z")] == ["gone", "new"]
