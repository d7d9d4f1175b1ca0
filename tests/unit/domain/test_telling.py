"""Nothing is told twice, no sentence is cut without a mark, and no half of a quotation is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.inject import PromptSentences, cut_short, sentences


@given(st.text(alphabet='天地人。！？!?.…“”’")\n a1<>'))
def test_sentences_joined_are_the_text(text):
    assert "".join(sentences(text)) == text


def test_a_full_stop_inside_a_number_ends_nothing():
    assert sentences("He paid 3.5 dollars. She left.") == ["He paid 3.5 dollars. ", "She left."]


def test_what_was_told_is_left_out_however_it_is_quoted():
    told = PromptSentences(["季泽说：“目前正在筹备新专辑。”然后走了。"])
    assert told.new_of("季泽: 目前正在筹备新专辑。你要来吗？一起吧。") == "季泽: 你要来吗？一起吧。"
    assert told.new_of("季泽: 目前正在筹备新专辑。") == ""
    assert told.new_of("旅人: 好。") == "旅人: 好。"  # too short to be known again


def test_no_half_of_a_quotation_is_left():
    told = PromptSentences(["她想起了那个下雨的夜晚。"])
    assert told.new_of("他说：“她想起了那个下雨的夜晚。我也记得那一天。”") == "我也记得那一天。"


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("一二三。四五六七八。", 20, "一二三。四五六七八。"),
        ("一二三。四五六七八。", 6, "一二三。…"),
        ("一二三四五六七八九十", 4, "一二三四…"),
    ],
)
def test_a_cut_is_marked_and_at_a_sentence_where_there_is_one(text, limit, short):
    assert cut_short(text, limit) == short
