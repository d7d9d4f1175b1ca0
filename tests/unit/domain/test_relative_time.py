"""Words for a time, as seen from Wednesday, 17 July 2024, and numbered days of a story."""

from __future__ import annotations

from datetime import date

import pytest

from engram_desktop.domain.recall.relative_time import (
    days_back,
    opening_day,
    relative_spans,
    story_days,
)

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
