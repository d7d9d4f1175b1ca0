"""Recall: what a question asks for, when, and what supersedes what."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import pytest
import rjieba

from engram_desktop.domain.graph.relations import (
    STILL_TRUE,
    DatedRelation,
    Telling,
    Validity,
    facet,
    spans,
)
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.relative_time import (
    days_back,
    opening_day,
    relative_spans,
    story_days,
)
from engram_desktop.domain.recall.relevance import (
    FLOOR,
    Evidence,
    QuestionWord,
    is_known,
    is_phatic,
    joint_evidence,
    names_of,
    question_words,
    relevance,
    said_rarity,
    wants_new,
)
from engram_desktop.domain.search import (
    PASSAGE,
    Clause,
    Filter,
    holds,
    is_settled,
    parse,
    passage_of,
)
from engram_desktop.domain.search import SearchWord as QueryWord
from engram_desktop.domain.search import spans as word_spans

# Nothing is told where nothing fits: the floor, and the evidence it stands on.

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
        "然后呢？",
        "好，接下来呢",
        "继续刚才的话题吧",
        "今天是几号？",
        "And then?",
        "What happens next?",
        "What day is it today?",
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
        "继续上次的话题",
        "后来他去了哪里",
        "几号出发？",
        "What happens to Kyle next?",
        "What day is the wedding?",
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
    apart = joint_evidence([10.0, 0.0], [0.0, 4.0])
    assert apart < joint_evidence([10.0, 0.0], [3.0, 4.0]) / 4
    assert joint_evidence([99.0], [2.0]) == 30.0
    assert joint_evidence([], []) == 0.0


def test_what_says_a_question_in_other_words_counts_for_a_little():
    assert 0.0 < joint_evidence([0.0], [4.0]) < joint_evidence([3.0], [4.0])
    assert joint_evidence([0.0], [-1.0]) == 0.0


def test_what_asks_nothing_has_to_prove_more_the_more_sentences_it_has():
    told = [relevance(replace(GOOD, stated=sentences)) for sentences in range(4)]
    assert told == sorted(told, reverse=True)
    assert told[0] - told[1] > told[2] - told[3] > 0.0


def test_the_words_of_a_choice_are_not_what_is_asked_about():
    asked = question_words(
        "对于我使用的家电，以下哪个是最可能的描述？", rjieba.cut, rjieba.suggest_freq
    )
    assert {word.text for word in asked} == {"使用", "家电"}


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("你还记得我们坐潜水艇那天发生的事吗？", {"坐", "潜水艇", "发生", "事"}),
        ("我爷爷的木偶戏，你忘了吗？", {"爷爷", "木偶戏"}),
        ("木偶戏你还有印象吗", {"木偶戏"}),
        ("Do you still remember the submarine?", {"submarine"}),
        ("Remember when the elephant escaped?", {"elephant", "escaped"}),
        ("You haven't forgotten the elephant, have you?", {"elephant"}),
        ("Remember when you told me about that car?", {"car"}),
        ("You mentioned an umbrella once.", {"umbrella"}),
        ("你上次跟我提过的那个咖啡厅叫什么？", {"咖啡厅"}),
        # where it is what is asked about
        ("我跟你说过吗？", set()),
        ("她跟凯尔提过钥匙吗？", {"跟", "凯尔", "提", "钥匙"}),
        ("她忘了什么？", {"忘"}),
        ("What did Bell remember in the harbour?", {"bell", "remember", "harbour"}),
    ],
)
def test_that_it_is_to_be_remembered_or_was_told_says_nothing_of_what(question, left):
    words = question_words(question, rjieba.cut, rjieba.suggest_freq)
    assert {word.text for word in words} == left


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


# The words a question is told by, and what each is worth.


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


# Words for a time, as seen from Wednesday, 17 July 2024, and numbered days of a story.

WEDNESDAY = date(2024, 7, 17)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("昨天你说了什么", "2024-07-16", "2024-07-16"),
        ("昨晚谁来过", "2024-07-16", "2024-07-16"),
        ("前天的晚饭", "2024-07-15", "2024-07-15"),
        ("大前天呢", "2024-07-14", "2024-07-14"),
        ("三天前我们去了哪", "2024-07-14", "2024-07-14"),
        ("10天之前", "2024-07-07", "2024-07-07"),
        ("两周前", "2024-06-30", "2024-07-06"),
        ("三个月前", "2024-04-01", "2024-04-30"),
        ("五年前", "2019-01-01", "2019-12-31"),
        ("上周去了哪", "2024-07-08", "2024-07-14"),
        ("上上个星期", "2024-07-01", "2024-07-07"),
        ("上周三", "2024-07-10", "2024-07-10"),
        ("上个礼拜天", "2024-07-14", "2024-07-14"),
        ("上周末", "2024-07-13", "2024-07-14"),
        ("上个月", "2024-06-01", "2024-06-30"),
        ("去年", "2023-01-01", "2023-12-31"),
        ("去年夏天在海边", "2023-06-01", "2023-08-31"),
        ("去年的冬天", "2023-12-01", "2024-02-29"),
        ("前年五月", "2022-05-01", "2022-05-31"),
        ("What did I say yesterday?", "2024-07-16", "2024-07-16"),
        ("the day before yesterday", "2024-07-15", "2024-07-15"),
        ("three days ago", "2024-07-14", "2024-07-14"),
        ("a week ago", "2024-07-07", "2024-07-13"),
        ("2 months ago", "2024-05-01", "2024-05-31"),
        ("last week", "2024-07-08", "2024-07-14"),
        ("last weekend", "2024-07-13", "2024-07-14"),
        ("last month", "2024-06-01", "2024-06-30"),
        ("last year", "2023-01-01", "2023-12-31"),
        ("last summer", "2023-06-01", "2023-08-31"),
        ("last spring", "2024-03-01", "2024-05-31"),
        ("last winter", "2023-12-01", "2024-02-29"),
        ("last Friday", "2024-07-12", "2024-07-12"),
        ("last Wednesday", "2024-07-10", "2024-07-10"),
        ("last December", "2023-12-01", "2023-12-31"),
        ("last July", "2023-07-01", "2023-07-31"),
    ],
)
def test_a_word_for_a_time_names_days(text, first, last):
    (span,) = relative_spans(text, WEDNESDAY)
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


def test_in_january_last_winter_is_not_the_one_that_goes_on():
    (span,) = relative_spans("What did she say last winter?", date(2024, 1, 10))
    assert (span.first, span.last) == (date(2022, 12, 1), date(2023, 2, 28))


@pytest.mark.parametrize(
    "text",
    [
        "今天好吗",
        "at last",
        "the last message",
        "从前有座山",
        "上个路口",
        "两千九百年前",
        "9999999 days ago",
    ],
)
def test_what_names_no_day_is_left_alone(text):
    assert relative_spans(text, WEDNESDAY) == ()


def test_a_day_tells_more_than_a_week_and_a_week_more_than_a_season():
    day, week, season = (
        relative_spans(text, WEDNESDAY)[0] for text in ("yesterday", "last week", "last summer")
    )
    assert day.nearness(date(2024, 7, 16)) > week.nearness(date(2024, 7, 10))
    assert week.nearness(date(2024, 7, 10)) > season.nearness(date(2023, 7, 1)) > 0
    assert day.nearness(date(2024, 7, 15)) == 0.6
    assert day.nearness(date(2024, 7, 12)) == week.nearness(date(2024, 7, 16)) == 0


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("第42天 深夜", (42,)),
        ("第四十二天", (42,)),
        ("第一百零五日清晨", (105,)),
        ("从第３天到第十天", (3, 10)),
        ("Day 42, evening", (42,)),
        ("on the 12th day", (12,)),
        ("第二天他走了", ()),
        ("一天天过去", ()),
    ],
)
def test_numbered_days_of_a_story(text, days):
    assert story_days(text) == days


def test_a_question_may_mean_the_first_days():
    assert story_days("第二天发生了什么", is_question=True) == (2,)


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("昨天", 1),
        ("三天前", 3),
        ("four days ago", 4),
        ("上周", None),
        ("两周前", None),
        ("", None),
    ],
)
def test_days_counted_back(text, back):
    assert days_back(text) == back


@pytest.mark.parametrize(
    ("text", "asked", "first", "last"),
    [
        # a day, a month or a season that is still going on is not the last one
        ("last Wednesday", "2024-07-17", "2024-07-10", "2024-07-10"),
        ("last Thursday", "2024-07-17", "2024-07-11", "2024-07-11"),
        ("last July", "2024-07-17", "2023-07-01", "2023-07-31"),
        ("last June", "2024-07-17", "2024-06-01", "2024-06-30"),
        ("last summer", "2024-08-31", "2023-06-01", "2023-08-31"),
        ("last summer", "2024-09-01", "2024-06-01", "2024-08-31"),
    ],
)
def test_last_is_what_has_ended(text, asked, first, last):
    (span,) = relative_spans(text, date.fromisoformat(asked))
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("旁白: 第36天，上午。雨停了。", 36),
        ("爱丽丝: *她抬起头。*\n\n“回来啦？第35天的傍晚，比你说的早。”", 35),
        ("旁白: *清晨，第36天。*", 36),
        ("旁白: 今天是第42天。", 42),
        ("Narrator: **Day 12** The rain had stopped.", 12),
        ("Narrator: It was the 12th day of the siege.", 12),
        ("爱丽丝: *她拉出细绳。*“昨天夜里，第34天的夜里，我撕开了封条。”", None),
        ("旅人: “今年的冬至前夜……就是第41天。”", None),
        ("Anna: I still think of day 3, when we met.", None),
        ("旁白: 第二天，他们又来了。", None),
    ],
)
def test_a_day_that_is_only_remembered_is_not_the_day_of_a_message(
    text: str, day: int | None
) -> None:
    assert opening_day(text) == day


# When a fact was true, from who told it on which floors.


def told(key, src, predicate, dst, *floors, **over):
    tellings = tuple(Telling(f, f + 4, f, f"e{f}") for f in floors)
    return DatedRelation(key, src, predicate, dst, tellings=tellings, **over)


def test_who_is_somewhere_else_is_there_no_more():
    tavern = told("t", "爱丽丝", "位于", "酒馆", 10, 50)
    market = told("m", "爱丽丝", "在", "集市", 30)
    found = spans([tavern, market])
    assert found["t"] == (Validity(10, 30, "m"), Validity(50))
    assert found["m"] == (Validity(30, 50, "t"),)
    assert spans([tavern, market], at=40)["m"] == (Validity(30),)
    assert "m" not in spans([tavern, market], at=20)


def test_where_one_lives_is_not_where_one_is():
    found = spans([told("h", "爱", "住在", "王都", 1), told("t", "爱", "在", "酒馆", 9)])
    assert {key: s[-1].last for key, s in found.items()} == {"h": None, "t": None}


def test_a_place_and_what_it_lies_in_are_both_true():
    rows = [
        told("in", "酒馆", "位于", "王都", 0, src_type="loc", dst_type="loc"),
        told("a", "爱", "在", "酒馆", 5),
        told("b", "爱", "在", "王都", 20),
        told("c", "爱", "在", "海港", 40),
    ]
    assert all(s[-1].last is None for s in spans(rows[:3]).values())
    found = spans(rows)
    assert (found["a"][-1].last, found["b"][-1].last) == (40, 40)
    assert found["in"] == (Validity(0),)


def test_houses_do_not_move():
    rows = [
        told("a", "酒馆", "位于", "旧城", 0, src_type="loc"),
        told("b", "酒馆", "位于", "王都", 9, src_type="loc"),
    ]
    assert all(s[-1].last is None for s in spans(rows).values())


def test_leaving_ends_being_there_and_nothing_else():
    rows = [told("t", "爱", "在", "酒馆", 5), told("l", "爱", "离开", "酒馆", 9)]
    assert spans(rows)["t"] == (Validity(5, 9, "l"),)
    other = [told("t", "爱", "在", "酒馆", 5), told("l", "爱", "离开", "集市", 9)]
    assert spans(other)["t"] == (Validity(5),)


def test_a_pair_has_one_stage_whoever_is_named_first():
    rows = [
        told("s", "甲", "陌生人", "乙", 0),
        told("f", "乙", "成为朋友", "甲", 10),
        told("l", "甲", "恋人", "乙", 20),
        told("w", "甲", "是妻子", "乙", 30),
        told("h", "乙", "丈夫", "甲", 40),
        told("x", "甲", "朋友", "丙", 35),
        told("k", "甲", "信任", "乙", 3),
    ]
    last = {key: s[-1] for key, s in spans(rows).items()}
    assert last["s"] == Validity(0, 10, "f")
    assert last["f"] == Validity(10, 20, "l")
    assert last["l"] == Validity(20, 30, "w")
    assert [last[k].last for k in "whxk"] == [None] * 4  # wife and husband say the same


def test_what_one_event_tells_does_not_contradict_itself():
    rows = [told("a", "爱", "在", "酒馆", 5), told("b", "爱", "在", "王都", 5)]
    assert all(s == (Validity(5),) for s in spans(rows).values())


def test_what_the_user_says_is_heard():
    ended = told("t", "爱", "信任", "凯", 5, ended_at=12)
    assert spans([ended])["t"] == (Validity(5, 12),)
    assert spans([ended], at=11)["t"] == (Validity(5),)
    again = told("t", "爱", "信任", "凯", 5, 30, ended_at=12)
    assert spans([again])["t"] == (Validity(5, 12), Validity(30))
    kept = told("t", "爱", "在", "酒馆", 5, ended_at=STILL_TRUE)
    found = spans([kept, told("m", "爱", "在", "集市", 9)])
    assert found["t"] == (Validity(5),)


def test_a_relation_nobody_tells_of_holds_always_until_another_is_told():
    assert spans([told("t", "爱", "在", "酒馆")]) == {"t": (Validity(None),)}
    found = spans([told("t", "爱", "在", "酒馆"), told("m", "爱", "在", "集市", 9)])
    assert found["t"] == (Validity(None, 9, "m"),)


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("成为了恋人", ("stage", "lover")),
        ("结为夫妻", ("stage", "spouse")),
        ("恋人关系", ("stage", "lover")),
        ("is married to", ("stage", "spouse")),
        ("Became friends with", ("stage", "friend")),
        ("is now at", ("presence", "there")),
        ("lives in", ("residence", "")),
        ("处于", ("status", "")),
        ("喜欢", None),
        ("是", None),
        ("在意", None),
        ("talks with", None),
        ("", None),
    ],
)
def test_only_plain_words_end_other_facts(predicate, expected):
    assert facet(predicate) == expected


def test_an_end_on_the_floor_it_was_told_on_is_an_end():
    found = spans([told("t", "爱", "信任", "凯", 5, ended_at=5)])
    assert found["t"] == (Validity(5, 5),)


# What may be typed into the search, and what it means.


def words(text: str) -> list[list[str]]:
    return [[word.text for word in clause.words] for clause in parse(text).clauses]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("铜钥匙 酒馆", [["铜钥匙", "酒馆"]]),
        ("铜钥匙\u3000酒馆", [["铜钥匙", "酒馆"]]),
        ('"old  key" door', [["old  key", "door"]]),
        ("“铜 钥匙”", [["铜 钥匙"]]),
        ("「铜 钥匙」", [["铜 钥匙"]]),
        ('"never closed', [["never closed"]]),
        ("rain OR snow fall", [["rain"], ["snow", "fall"]]),
        ("雨 | 雪", [["雨"], ["雪"]]),
        ("OR", []),
        ("OR OR 雨 OR", [["雨"]]),
        ('"OR"', [["OR"]]),
        ("or", [["or"]]),
        ("12:30 http://x", [["12:30", "http://x"]]),
        ("- 雨", [["-", "雨"]]),
        ("", []),
        ("   ", []),
        ("type:", []),
        ('""', []),
    ],
)
def test_words(typed, read):
    assert words(typed) == read


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("type:event", Filter("type", ("event",))),
        ("TYPE：事件", Filter("type", ("event",))),
        ("类型:事件，日志", Filter("type", ("event", "log"))),
        ("-type:log", Filter("type", ("log",), is_excluded=True)),
        ("－type:log", Filter("type", ("log",), is_excluded=True)),
        ("实体：爱丽丝", Filter("entity", ("爱丽丝",))),
        ('entity:"old king"', Filter("entity", ("old king",))),
        ("聊天:“月光 酒馆”", Filter("chat", ("月光 酒馆",))),
        ("is:蓝", Filter("is", ("blue",))),
        ("is:GREEN", Filter("is", ("green",))),
        ("is:locked", Filter("is", ("locked",))),
    ],
)
def test_filters(typed, expected):
    assert parse(typed).clauses == (Clause(filters=(expected,)),)


def test_what_is_no_filter_is_a_word_and_said():
    query = parse("is:purple 钥匙")
    assert [w.text for w in query.words] == ["is:purple", "钥匙"]
    assert query.unknown == ("is:purple",)
    assert parse("type:event,dragon").unknown == ("type:event,dragon",)
    assert parse("type:event,dragon").for_kind("event")


def test_words_that_must_not_stand():
    (clause,) = parse('钥匙 -酒馆 -"old key"').clauses
    assert clause.words == (QueryWord("钥匙"),)
    assert clause.without == (QueryWord("酒馆"), QueryWord("old key", is_quoted=True))
    assert holds(clause, ["钥匙在门上"])
    assert not holds(clause, ["钥匙在酒馆"])


def test_kinds_are_alternatives_and_exclusions():
    query = parse("type:event type:log 雨")
    assert [k for k in ("event", "log", "message") if query.for_kind(k)] == ["event", "log"]
    assert not parse("-type:book 雨").for_kind("book")
    assert parse("-type:book 雨").for_kind("chat")


@pytest.mark.parametrize(
    ("typed", "text", "marked"),
    [
        ("月", "月光与明月", ["月", "月"]),
        ("酒馆", "月光酒馆", ["酒馆"]),
        ("KEY", "the Key and keys", ["Key", "keys"]),
        ("walk", "he walked; a walkway", ["walked", "walk"]),
        ('"old key"', "an Old key, old  key", ["Old key"]),
        ("ｆｕｌｌ", "full FULL", ["full", "FULL"]),
        ("kg", "重３㎏的铁", ["㎏"]),
        ("café", "cafe\u0301!", ["cafe\u0301"]),
        ("12", "12 2012 12", ["12", "12"]),
        ("🔥", "a🔥b", ["🔥"]),
        ("a", "bab a", ["a"]),
    ],
)
def test_marks(typed, text, marked):
    shown = [text[start:end] for start, end in word_spans(parse(typed).words, text)]
    assert shown == marked


def test_a_passage_shows_where_the_words_stand_together():
    text = "钥匙" + "，风很大" * 100 + "。\n爱丽丝把钥匙放进座钟。" + "雨" * 200
    passage = passage_of(text, parse("钥匙 座钟").words)
    assert [passage.text[a:b] for a, b in passage.marks] == ["钥匙", "座钟"]
    assert "\n" not in passage.text
    assert len(passage.text) <= PASSAGE + 2
    assert passage.text.startswith("…")
    assert passage.text.endswith("…")


def test_a_short_text_is_its_own_passage():
    assert passage_of("雨停了", parse("没有").words).text == "雨停了"


@pytest.mark.parametrize(
    ("typed", "settled"),
    [
        ("钥", True),
        ("钥匙", True),
        ("铜钥匙", False),
        ("key", True),
        ('"key"', False),
        ("12", True),
    ],
)
def test_what_the_index_settles_alone(typed, settled):
    (word,) = parse(typed).words
    assert is_settled(word) is settled
