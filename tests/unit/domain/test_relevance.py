"""Nothing is told where nothing fits: the floor, and the evidence it stands on."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engram_desktop.domain.relevance import (
    FLOOR,
    Evidence,
    is_known,
    is_phatic,
    joint_evidence,
    names_of,
    own_rarity,
    rarities,
    relevance,
)

GOOD = Evidence(12.0, 14.0, 16.0, 0.6, 0.1, 40.0, 5, items=1000)


@pytest.mark.parametrize(
    "text",
    ["hi", "你好呀！", "好的，继续", "谢谢你～", "haha ok", "How are you?", "……", "晚安💤", ""],
)
def test_greetings_thanks_and_laughter_say_nothing(text):
    assert is_phatic(text)


@pytest.mark.parametrize(
    "text",
    ["银铃在哪里？", "Where is the key?", "你好，铜钥匙交给谁了", "继续找钥匙吧", "井边", "Kyle"],
)
def test_whatever_else_is_said_counts(text):
    assert not is_phatic(text)


def test_good_evidence_is_above_the_floor_and_each_lack_of_it_lowers_it():
    best = relevance(GOOD)
    assert best > FLOOR
    for worse in (
        replace(GOOD, top=3.0),
        replace(GOOD, unknown=0.9),
        replace(GOOD, joint=0.0),
        replace(GOOD, names_unknown=True),
        replace(GOOD, is_phatic=True),
    ):
        assert relevance(worse) < best
    assert relevance(replace(GOOD, names_known=True)) > best
    assert relevance(Evidence(is_phatic=True)) == -math.inf


def test_a_person_the_chat_never_names_is_asked_about_elsewhere():
    asked = replace(GOOD, top=7.0, joint=12.0)
    assert relevance(asked) > FLOOR
    assert relevance(replace(asked, names_unknown=True)) < FLOOR
    assert relevance(replace(asked, names_unknown=True, names_known=True)) > FLOOR


def test_in_a_few_messages_half_of_the_question_in_one_of_them_is_enough():
    few = Evidence(2.0, 3.0, 3.0, 0.6, 0.4, 4.0, 2, items=120)
    assert relevance(few) > FLOOR
    assert relevance(replace(few, share=0.2)) < FLOOR
    assert relevance(replace(few, items=5_000)) < FLOOR
    assert relevance(replace(few, share=0.2, items=12)) > FLOOR
    assert relevance(replace(few, share=0.0, items=12)) < FLOOR


def test_what_nobody_says_is_rarest_and_what_everybody_says_is_worth_nothing():
    rare = rarities(["钥匙", "的", "龙"], {"钥匙": 4, "的": 1000}, 1000)
    assert rare["龙"] > rare["钥匙"] > rare["的"] == 0.0
    assert own_rarity(rare, {"钥匙", "酒馆"}) == rare["钥匙"]


def test_words_and_meaning_must_meet_in_one_item():
    assert joint_evidence([10.0, 0.0], [0.0, 4.0]) == 0.0
    assert joint_evidence([10.0, 0.0], [3.0, 4.0]) == 30.0
    assert joint_evidence([99.0], [2.0]) == 24.0
    assert joint_evidence([], []) == 0.0


def test_names_are_capitals_inside_a_sentence_and_family_names_before_given_ones():
    assert names_of("What did Caroline's friend say in May to Mel?", []) == ["Caroline", "Mel"]
    tagged = [("陈静雯", "nr"), ("明媚", "nr"), ("王", "nr"), ("公园", "n")]
    assert names_of("陈静雯在公园吗", tagged) == ["陈静雯"]


def test_a_name_is_known_by_any_part_of_it():
    assert is_known("陈静雯", {"静雯": 3})
    assert not is_known("陈静雯", {"公园": 3})
