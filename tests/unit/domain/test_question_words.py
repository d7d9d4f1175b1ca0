"""The words a question is told by, and what each is worth."""

from __future__ import annotations

import rjieba

from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.relevance import QuestionWord, question_words


def _words(question: str) -> dict[str, QuestionWord]:
    found = question_words(question, rjieba.cut, rjieba.suggest_freq)
    return {"".join(sorted(word.tokens)): word for word in found}


def test_what_asks_and_points_is_left_out_in_both_languages():
    assert list(_words("她最喜欢的甜品是什么？")) == ["喜欢", "甜品"]
    assert list(_words("What don't you like about Caroline's pottery?")) == [
        "lik",
        "carolin",
        "pottery",
    ]


def test_a_word_few_people_write_is_worth_more_than_a_common_one():
    zh = _words("甜品的工作，苏尹")
    assert zh["苏尹"].rarity > zh["甜品"].rarity > zh["工作"].rarity > 0.0
    en = _words("the pottery food")
    assert en["pottery"].rarity > en["food"].rarity > 0.0
    assert _words("18582020972")["18582020972"].rarity > _words("4")["4"].rarity


def test_pairs_that_straddle_two_words_are_no_words():
    assert "我喜" not in _words("我喜欢看电影")
    assert set(_words("我喜欢看电影")) >= {"喜欢", "电影"}


def test_the_same_word_counts_once():
    assert len(question_words("钥匙和钥匙", rjieba.cut, rjieba.suggest_freq)) == 1


def test_a_chinese_word_is_said_in_part_by_its_characters():
    supper = _words("宵夜")["宵夜"]
    assert supper.said_in(set(index_tokens("去吃宵夜"))) == 1.0
    assert 0.0 < supper.said_in(set(index_tokens("去吃夜宵"))) < 1.0
    assert supper.said_in(set(index_tokens("去喝酒"))) == 0.0
    assert _words("pottery")["pottery"].said_in({"pot"}) == 0.0


def test_kana_and_hangul_are_told_by_their_pairs():
    assert list(_words("どこ")) == ["どこ"]
    assert list(_words("열쇠는")) == ["열쇠", "쇠는"]
