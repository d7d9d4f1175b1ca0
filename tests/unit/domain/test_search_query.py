"""What may be typed into the search, and what it means."""

from __future__ import annotations

import pytest

from engram_desktop.domain.search import (
    PASSAGE,
    Clause,
    Filter,
    SearchWord,
    holds,
    is_settled,
    parse,
    passage_of,
    spans,
)


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
    assert clause.words == (SearchWord("钥匙"),)
    assert clause.without == (SearchWord("酒馆"), SearchWord("old key", is_quoted=True))
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
    shown = [text[start:end] for start, end in spans(parse(typed).words, text)]
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
