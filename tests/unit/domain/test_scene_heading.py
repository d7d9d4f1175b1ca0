"""When and where a scene plays, as headings and status bars of messages say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.text.scene_heading import (
    NONE,
    SceneHeading,
    scene_heading,
    without_heading,
)

TEXT = "爱丽丝把银铃挂在门后，对旅人说：“第5天再来，晚上，在灯塔。”"


@pytest.mark.parametrize(
    ("form", "when", "day", "where"),
    [
        (
            "【2024年3月5日 星期二 19:30 月光酒馆】\n{}",
            "2024年3月5日 星期二 19:30", "2024年3月5日", "月光酒馆",
        ),
        ("📅 3月5日 ⏰ 19:30 📍 月光酒馆\n{}", "3月5日 19:30", "3月5日", "月光酒馆"),
        ("🗓️ 第3天 傍晚 | 📍月光酒馆 | 🌤 晴\n{}", "第3天 傍晚", "第3天", "月光酒馆"),
        ("[时间：第3天 夜][地点：月光酒馆]\n{}", "第3天 夜", "第3天", "月光酒馆"),
        (
            "时间：永安三年五月初三·申时\n地点：月光酒馆\n{}",
            "永安三年五月初三·申时", "永安三年五月初三", "月光酒馆",
        ),
        ("『第3天 | 傍晚 | 月光酒馆』\n{}", "第3天 傍晚", "第3天", "月光酒馆"),
        (
            "{}\n<status>\n📅日期：第3天\n⏰时间：19:30\n📍地点：月光酒馆\n</status>",
            "第3天 19:30", "第3天", "月光酒馆",
        ),
        (
            "{}\n<details><summary>状态</summary>\n时间：3日 傍晚\n地点：酒馆\n</details>",
            "3日 傍晚", "3日", "酒馆",
        ),
        ("<think>时间：第9天</think>\n时间：第3天\n{}", "第3天", "第3天", ""),
        (
            "**Date:** March 5th, 1023 | **Time:** 7:30 PM | **Location:** the docks\n{}",
            "March 5th, 1023 7:30 PM", "March 5th, 1023", "the docks",
        ),
        ("**Day 3, 7:30 PM — Moonlight Tavern**\n{}", "Day 3 7:30 PM", "Day 3", "Moonlight Tavern"),
        ("[2024-03-05 19:30, the docks]\n{}", "2024-03-05 19:30", "2024-03-05", "the docks"),
        ("[19:30 | Kitchen]\n{}", "19:30", "", "Kitchen"),
        ("时间：夜\n{}", "夜", "", ""),
        ("Day 3, 7:30 PM — the harbour\n\n{}", "Day 3 7:30 PM", "Day 3", "the harbour"),
        ("第三天 傍晚 · 码头\n{}", "第三天 傍晚", "第三天", "码头"),
        ("### 2024/3/5 19:30 | 码头\n{}", "2024/3/5 19:30", "2024/3/5", "码头"),
        ("第三天 傍晚\n{}", "第三天 傍晚", "第三天", ""),
        ("【下午三点半 · 月光酒馆】\n{}", "下午三点半", "", "月光酒馆"),
        ("（傍晚，灯塔）\n{}", "傍晚", "", "灯塔"),
        ("**Day 3, Fridays from 6 PM to 8 PM**\n{}", "Day 3 Fridays 6 PM 8 PM", "Day 3", ""),
    ],
)  # fmt: skip
def test_a_heading_or_a_status_bar_says_when_and_where(form, when, day, where):
    assert scene_heading(form.format(TEXT)) == SceneHeading(when, day, where)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        "（她想起第3天的事，眼泪掉了下来，谁也没有说话）\n好。",
        "“时间：到了。”",
        "【系统提示：第三天】",
        "【任务】去酒馆",
        "*第37天，清晨的北门集市。*",
        "《三月七日》是一本书。",
        "(看着熟睡中的琳夜)(露出微笑)",
        "He said: the time is 3pm.",
        "第三天 傍晚 · 码头",
        "第三天傍晚——他终于到了码头\n雨停了。",
        "第三天傍晚，码头上起雾\n雨停了。",
        "第三天 傍晚 码头上起雾\n雨停了。",
        "Day 3 — the harbour\nIt rained.",
        "Day 3 was an evening — for the harbour\nIt rained.",
        "March 5th, evening — she slept\nIt rained.",
        "Day 3, evening,\nthe harbour slept.",
        "“第三天 傍晚 · 码头”\n他念道。",
        "（爱丽丝姐姐下午好）",
        "（晚上见）\n走吧。",
        "(晚上回酒馆吃饭)\n好。",
        "",
    ],
)
def test_what_is_told_or_said_is_no_heading(text):
    assert scene_heading(text) == NONE


PLAN = "好，我来安排。\n\n### 会议\n- **日期**: 3月5日\n- **时间**: 10:00\n- **地点**: 会议室\n\n"


def test_the_date_of_a_meeting_amid_a_page_is_none_of_the_scene():
    assert scene_heading(PLAN + "请准时参加，并提前准备好材料。") == NONE
    assert scene_heading(PLAN) == SceneHeading("3月5日 10:00", "3月5日", "会议室")
    bar = "- 时间：第3天 夜\n- 地点：灯塔\n\n" + TEXT
    assert scene_heading(bar) == SceneHeading("第3天 夜", "第3天", "灯塔")
    assert scene_heading("Location: [Insert location]\nSee you.") == NONE


@given(st.text(max_size=200) | st.text("【】[]()时间地点：:第3天月日📅📍|\n< >", max_size=120))
def test_any_text_is_read(text):
    found = scene_heading(text)
    assert len(found.when) <= 82
    assert found.day in found.when


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ["【", "📅", "时间：", "\n- 时间：好。\n好。", "第", "1", "一", "[19:30 ", "| ", "**", "年月"],
)
def test_endless_marks_take_no_endless_time(piece):
    scene_heading(piece * 50_000)


DAY = "第3天"


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("【第3天 周二 19:30 月光酒馆】\n{}", ("周二", "19:30", "月光酒馆")),
        ("『第3天 | 傍晚 | 月光酒馆』\n\n{}", ("傍晚", "月光酒馆")),
        ("日期：第3天\n{}", ()),
        ("📅 第3天 ⏰ 19:30 📍 月光酒馆\n{}", ("19:30", "月光酒馆")),
        ("[时间：第3天 夜][地点：月光酒馆]\n{}", ("夜", "月光酒馆")),
        ("时间：第3天·申时\n地点：月光酒馆\n---\n{}", ("申时", "月光酒馆")),
        ("```\n🗓️ 第3天 傍晚 | 📍月光酒馆 | 🌤 晴\n```\n{}", ("傍晚", "月光酒馆", "🌤 晴")),
        (
            "时间：第3天 傍晚 | 地点：月光酒馆 | 天气：小雨\n{}",
            ("傍晚", "月光酒馆", "天气：小雨"),
        ),
        (
            "**Date:** 第3天 | **Time:** 7:30 PM | **Location:** the docks\n{}",
            ("7:30 PM", "the docks"),
        ),
        ("{}\n\n📅 第3天 ⏰ 19:30\n📍 月光酒馆", ("19:30", "月光酒馆")),
        ("{}\n---\n时间：第3天 夜", ("夜",)),
        ("第3天 傍晚 · 码头\n\n{}", ("傍晚", "码头")),
        ("## 第3天，19:30 — the harbour\n{}", ("19:30", "the harbour")),
    ],
)  # fmt: skip
def test_a_message_without_its_heading_has_all_its_words(form, told):
    assert without_heading(form.format(TEXT), DAY) == (TEXT, told)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"【第4天 周二 19:30 月光酒馆】\n{TEXT}",
        "【第3天 周二 19:30 月光酒馆】",
        "时间：第3天\n地点：月光酒馆\n",
        f"(清晨的酒馆)\n{TEXT}",
        f"【任务】去酒馆\n{TEXT}",
        f"时间：到了。\n{TEXT}",
        f"（地点：码头）爱丽丝笑了\n{TEXT}",
        f"Alice (Location: docks) smiled\n{TEXT}",
        f"HP: 80/100 | 好感度: 35 | 位置: 酒馆\n{TEXT}",
        "启程的安排：\n日期：第3天\n地点：码头",
        "第3天，清晨。\n爱丽丝把银铃挂在门后。",
        f"第4天 傍晚 · 码头\n{TEXT}",
        f"{TEXT}\n第3天 傍晚 · 码头",
        "",
    ],
)
def test_what_is_told_or_said_stays_in_a_message(text):
    assert without_heading(text, DAY) == (text, ())


@given(
    st.text(max_size=200)
    | st.text("【】[]()时间地点：:第3天月日📅📍|\n< >周二1晴🌤夜·#", max_size=120)
)
def test_no_letter_of_a_message_is_lost_but_of_labels_and_the_day(text):
    rest, told = without_heading(text, DAY)
    assert rest in text
    assert rest.strip() or rest == text
    labels = "日期时间时刻地点位置场景所在地当前现在故事DateTimeLocationPlaceCurrent" + DAY
    kept = {letter for letter in text if letter.isalnum()} - set(labels)
    assert kept <= set(rest + "".join(told))
