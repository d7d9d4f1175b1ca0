"""What the wording of questions and answers gives away."""

from __future__ import annotations

from datetime import date

import pytest

from engram_desktop.domain.recall import cues
from engram_desktop.domain.recall.embedding import passage, query_texts, without_names
from engram_desktop.domain.recall.relative_time import NamedDate, named_dates, nearness


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("你给了我什么建议？", "you"),
        ("我给你的剑在哪里？", "me"),
        ("你还记得我送的礼物吗？", "me"),
        ("我向你请教过放松的方法，你推荐了什么？", "you"),
        ("I once told you about a film. What was its name?", "me"),
        ("Can you tell me which city you recommended?", "you"),
        ("告诉我，旅人住在哪里", None),
        ("你推荐过哪些书？", "you"),
        ("我的生日是几号", "me"),
        ("Which books did you recommend?", "you"),
        ("What is my favourite song?", "me"),
        ("Where does Anna live?", None),
        ("Miami", None),
    ],
)
def test_voice_follows_the_pronouns(question: str, expected: str | None):
    assert cues.voice(question) == expected


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("你喜欢什么？", 1.0),
        ("我喜欢猫。", 0.0),
        ("", 0.0),
        ("(歪头)真的吗？", 0.666),
        ("Nice! How was the trip?", 0.75),
    ],
)
def test_asking_share_measures_questions(text: str, share: float):
    assert cues.asking_share(text) == pytest.approx(share, abs=0.05)


def test_moments_are_asked_for_and_named():
    assert cues.asks_when("When did she leave?")
    assert cues.asks_when("她什么时候走的")
    assert not cues.asks_when("她为什么走")
    assert cues.names_moment("We met last week")
    assert cues.names_moment("昨晚下雨了")
    assert not cues.names_moment("she smiled")


def test_speakers_are_named_by_name_first_name_or_alias():
    names = ("John Smith", "爱丽丝", "我", "Ann")
    assert cues.named_speakers("what did john say", names) == {"John Smith"}
    assert cues.named_speakers("爱丽丝说过什么", names) == {"爱丽丝"}
    assert cues.named_speakers("我说过什么", names) == frozenset()
    assert cues.named_speakers("the annual fair", names) == frozenset()
    aliases = {"小爱": "e1", "爱丽丝": "e1", "村长": "e2"}
    assert cues.named_speakers("小爱喜欢什么", names, aliases) == {"爱丽丝"}
    assert cues.named_speakers("村长喜欢什么", names, aliases) == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 7 May 2023", (NamedDate(5, 7, 2023),)),
        ("the 1st of September, 2023?", (NamedDate(9, 1, 2023),)),
        (
            "October 13, 2023 and October 14, 2023",
            (NamedDate(10, 13, 2023), NamedDate(10, 14, 2023)),
        ),
        ("in June 2022", (NamedDate(6, None, 2022),)),
        ("5月4号不是我的生日", (NamedDate(5, 4),)),
        ("2023年5月4日", (NamedDate(5, 4, 2023),)),
        ("2023-05-04", (NamedDate(5, 4, 2023),)),
        ("三月", ()),
        ("13月40日", ()),
        ("you may 4 times", (NamedDate(5, 4),)),
        ("yesterday", ()),
        ("1.2.3", ()),
    ],
)
def test_dates_written_out_are_read(text: str, expected: tuple[NamedDate, ...]):
    assert named_dates(text) == expected


def test_nearness_falls_with_days_and_knows_leap_days():
    named = NamedDate(5, 7, 2023)
    assert [nearness(named, date(2023, 5, d)) for d in (7, 8, 9, 11)] == [1.0, 0.6, 0.3, 0.0]
    assert nearness(NamedDate(5, 7), date(1999, 5, 6)) == 0.6
    assert nearness(NamedDate(5, None, 2023), date(2023, 5, 30)) == 0.5
    assert nearness(NamedDate(5, None, 2023), date(2022, 5, 30)) == 0.0
    assert nearness(NamedDate(2, 29), date(2023, 2, 28)) == 0.0
    assert nearness(NamedDate(2, 30, 2024), date(2024, 2, 28)) == 0.0


def test_speakers_names_are_not_embedded():
    names = ("爱丽丝", "Bob", "我")
    assert passage("爱丽丝: 我把钥匙给Bob了", names).joined == "我把钥匙给 了"
    assert without_names("Bob's key, bobbing", names) == "key, bobbing"
    assert passage("Bob: yes", names, "爱丽丝: 你拿了钥匙吗？").joined == "你拿了钥匙吗？ yes"
    assert passage("Bob: ", names).joined == ""


def test_the_turn_before_is_kept_by_its_end():
    text = passage("b: 好", ("a", "b"), "aa: " + "前" * 900 + "钥匙呢？").joined
    assert text.endswith("钥匙呢？ b: 好")
    assert len(text) < 300


def test_a_question_is_compared_by_clauses():
    names = ("小林",)
    assert query_texts("今天天气真好。对了，小林的钥匙放在哪里了？", names) == [
        "今天天气真好。",
        "对了， 的钥匙放在哪里了？",
    ]
    assert query_texts("小林", names) == ["小林"]
    assert query_texts("  ", names) == []
    assert len(query_texts("第一句话。第二句话。第三句话。第四句话。第五句话。", names)) == 4


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("你还记得我们第一次对话的时候，聊了什么话题吗？", True),
        ("还记得我们第一次见面吗", True),
        ("Do you remember what we talked about during our first conversation?", True),
        ("How did we meet?", True),
        ("那是他第一次喝酒", False),
        ("What was the first game I bought?", False),
    ],
)
def test_questions_about_how_it_began(question, expected):
    assert cues.asks_for_beginning(question) == expected
