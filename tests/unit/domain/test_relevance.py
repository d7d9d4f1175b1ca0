"""Nothing is told where nothing fits: the floor, and the evidence it stands on."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engram_desktop.domain.recall.relevance import (
    FLOOR,
    Evidence,
    is_known,
    is_phatic,
    joint_evidence,
    names_of,
    question_words,
    relevance,
    said_rarity,
    wants_new,
)

GOOD = Evidence(joint=40.0, share=0.6, unknown=0.1, items=1000)


@pytest.mark.parametrize(
    "text",
    [
        "hi",
        "你好呀！",
        "好的，继续",
        "好的呢",
        "谢谢你～",
        "haha ok",
        "How are you?",
        "……",
        "晚安💤",
        "",
    ],
)
def test_greetings_thanks_and_laughter_say_nothing(text):
    assert is_phatic(text)


@pytest.mark.parametrize(
    "text",
    [
        "银铃在哪里？",
        "Where is the key?",
        "你好，铜钥匙交给谁了",
        "继续找钥匙吧",
        "井边",
        "剑",
        "行李",
        "感谢信",
        "好友",
        "Kyle",
    ],
)
def test_whatever_else_is_said_counts(text):
    assert not is_phatic(text)


@pytest.mark.parametrize(
    "text",
    ["讲个笑话吧", "推荐一部电影", "给我唱首歌", "tell me a joke", "Recommend me a good book"],
)
def test_what_is_to_be_made_up_stands_nowhere(text):
    assert wants_new(text)


@pytest.mark.parametrize(
    "text",
    [
        "讲讲银铃的事",
        "讲个关于我们第一次见面的故事",
        "她推荐的是哪部电影？",
        "tell me about Anna",
        "tell me a story about the day we met",
        "What joke did he tell me?",
    ],
)
def test_what_was_said_is_no_wish_for_something_new(text):
    assert not wants_new(text)


def test_good_evidence_is_above_the_floor_and_each_lack_of_it_lowers_it():
    best = relevance(GOOD)
    assert best > FLOOR
    for worse in (
        replace(GOOD, unknown=0.9),
        replace(GOOD, joint=0.0),
        replace(GOOD, names_unknown=True),
    ):
        assert relevance(worse) < best
    assert relevance(replace(GOOD, names_speaker=True)) > best
    assert relevance(replace(GOOD, date=5.0)) > best
    assert relevance(replace(GOOD, is_idle=True)) == -math.inf


def test_a_person_the_chat_never_names_is_asked_about_elsewhere():
    asked = replace(GOOD, joint=10.0, unknown=0.3)
    assert relevance(asked) > FLOOR
    assert relevance(replace(asked, names_unknown=True)) < FLOOR
    assert relevance(replace(asked, names_unknown=True, names_speaker=True)) > FLOOR


def test_in_a_few_messages_half_of_the_question_in_one_of_them_is_enough():
    few = Evidence(joint=0.0, share=0.6, unknown=0.4, items=120)
    assert relevance(few) > FLOOR
    assert relevance(replace(few, share=0.2)) < FLOOR
    assert relevance(replace(few, items=5_000)) < FLOOR
    assert relevance(replace(few, share=0.2, items=12)) > FLOOR
    assert relevance(replace(few, share=0.0, items=12)) < FLOOR


def test_words_and_meaning_must_meet_in_one_item():
    assert joint_evidence([10.0, 0.0], [0.0, 4.0]) == 0.0
    assert joint_evidence([10.0, 0.0], [3.0, 4.0]) == 30.0
    assert joint_evidence([99.0], [2.0]) == 30.0
    assert joint_evidence([], []) == 0.0


def test_what_is_rare_in_one_item_counts_for_what_it_says():
    words = question_words("陶罐 罐子", str.split, {"陶罐": 1, "罐子": 60_000}.__getitem__)
    clay, pot = words
    assert clay.rarity > pot.rarity
    assert said_rarity(words, {"陶罐"}) == clay.rarity


def test_names_are_capitals_inside_a_sentence_and_family_names_before_given_ones():
    def is_word(word: str) -> bool:
        return word == "马拉松"

    question = "What did Caroline's friend say in May to Mel?"
    assert names_of(question, [], is_word) == ["Caroline", "Mel"]
    tagged = [("陈静雯", "nr"), ("明媚", "nr"), ("王", "nr"), ("公园", "n"), ("马拉松", "nr")]
    assert names_of("陈静雯在公园吗", tagged, is_word) == ["陈静雯"]


def test_a_name_is_known_by_any_part_of_it():
    assert is_known("陈静雯", {"静雯"})
    assert not is_known("陈静雯", {"公园"})
