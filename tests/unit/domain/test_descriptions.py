"""Sentences that say who or what somebody or something is."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.claim import Claim, Finding, Quote
from engram_desktop.domain.claims.descriptions import MOST, descriptions


def sentence(text, speaker="季泽", floor=0, **over):
    return Claim(
        floor,
        "said" if speaker else "narrated",
        speaker,
        "",
        "other",
        "",
        text,
        0,
        len(text),
        **over,
    )


def told(names, *sentences, facts=(), findings=()):
    return [d.text for d in descriptions(names, facts, sentences, findings)]


@pytest.mark.parametrize(
    "text",
    [
        "没错，我叫陆泽，是一个普通大学生",
        "我是一名歌手。",
        "我今年18岁，已经成年了。",
        "我的生日是三月五日。",
        "我最讨厌下雨天。",
        "I'm a nurse at St. Mary's.",
        "Well, I grew up in Leeds.",
        "My sister Ada is a baker.",
    ],
)
def test_what_speakers_say_of_themselves(text):
    assert told({"季泽"}, sentence(text)) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "我是说，我们走吧。",
        "我叫飞机来接我们了",
        "我有一个问题想问你",
        "我喜欢你。",
        "我是谁？",
        "I'm a bit tired.",
        "My sister and I were near the ocean.",
    ],
)
def test_what_says_nothing_of_them(text):
    assert told({"季泽"}, sentence(text)) == []


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ({"琳夜"}, "我知道，琳夜，21岁，是个作家"),
        ({"苏茜"}, "她叫苏茜，曾经是一个非常优秀的舞者。"),
        ({"Daisy"}, "One of them, Daisy, is a Labrador."),
        ({"Oscar"}, "And yup, I do - Oscar, my guinea pig."),
        ({"Josh"}, "We met my friend Josh."),
    ],
)
def test_what_is_said_of_who_is_named(names, text):
    assert told(names, sentence(text)) == [text]


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ({"青岛"}, "青岛还是海南"),
        ({"琳夜"}, "琳夜是不是走了"),
        ({"Jon"}, "Hey Jon, my shop is open."),
        ({"Tanya"}, "Celebrating with Tanya is a joy."),
        ({"Tokyo"}, "That show in Tokyo was awesome!"),
    ],
)
def test_a_name_in_a_sentence_describes_nobody(names, text):
    assert told(names, sentence(text)) == []


def test_questions_vows_and_words_out_of_character_describe_nothing():
    for over in ({"sign": "asked"}, {"sign": "vow"}, {"depth": 1}):
        assert told({"季泽"}, sentence("我是一名歌手。", **over)) == []


def test_what_is_over_or_a_lie_says_so():
    rows = [sentence("我是一名歌手。", floor=1), sentence("我叫陆泽。", floor=2)]
    over = Finding(
        "superseded", "over", ("季泽",), "季泽", "work", (Quote(1, "我是一名歌手。"), Quote(9, "…"))
    )
    lie = Finding("lie", "told", ("季泽",), "季泽", "name", (Quote(2, "我叫陆泽。"),))
    first, second = descriptions({"季泽"}, (), rows, (over, lie))
    assert (first.until, first.is_untrue) == (9, False)
    assert (second.until, second.is_untrue) == (None, True)


def test_what_a_model_read_is_of_any_language_and_facet():
    fact = Claim(
        3, "narrated", "", "カイト", "home", "港", "カイトは港に住んでいる。", 0, 12, is_model=True
    )
    assert told({"カイト"}, facts=(fact,)) == ["カイトは港に住んでいる。"]


def test_a_fact_that_was_whispered_first_is_told_from_where_it_was_heard():
    facts = [
        Claim(n, "said", "季泽", "季泽", "age", "23", f"{who}，我都二十三岁了。", 0, 10)
        for n, who in ((1, "琳夜"), (5, "大家"))
    ]
    found = descriptions({"季泽"}, facts, (), is_known=lambda claim: claim.floor > 1)
    assert [d.floor for d in found] == [5]
    assert [d.floor for d in descriptions({"季泽"}, facts, ())] == [1]


def test_of_many_the_first_and_the_newest_are_told_and_nothing_twice():
    rows = [sentence(f"我是第{n}号歌手。", floor=n) for n in range(20)]
    found = told({"季泽"}, *rows, rows[0])
    assert len(found) == MOST
    assert found[0] == "我是第0号歌手。"
    assert found[-1] == "我是第19号歌手。"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["我" * 150, "是" * 150, "my " * 50, "I'm a " * 25, ", " * 70])
def test_endless_sentences_take_no_endless_time(text):
    for names in ({"我"}, {"a" * 100}, {"季泽", "("}):
        told(names, sentence(text), sentence(text, "旁人"))
