"""Status lines at an end of a reply, in no tag and no fence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.text.scene_heading import status_lines

TEXT = "爱丽丝把银铃挂在门后，对旅人说：“第5天再来。”\n\n旅人点头。"


@pytest.mark.parametrize(
    ("form", "labels", "scene"),
    [
        ("HP: 80/100 | 好感度: 35 | 位置: 酒馆\n{}", "hp 好感度 位置", ("酒馆",)),
        (
            "{}\n\n---\n【状态栏】\n时间：第1天 傍晚\n地点：酒馆\n好感度：1",
            "时间 地点 好感度", ("第1天 傍晚", "酒馆"),
        ),
        ("{}\n❤️ 好感度：35\n😊 心情：平静", "好感度 心情", ()),
        ("**Mood:** calm\n**Affection:** 35/100\n\n{}", "mood affection", ()),
        (
            "{}\n\n[Status]\n[HP: 80/100][Day: 3]\n[Location: the docks]",
            "hp day location", ("day 3", "the docks"),
        ),
        ("[HP: 80] [MP: 3] [Gold: 5]\n---\n{}", "hp mp gold", ()),
        ("{}\n| HP: 80 | MP: 20 | Gold: 5 |", "hp mp gold", ()),
        (
            "{}\n好感度：35\n当前时间：19:30\n衣着：围裙\n口头禅：嗯",
            "好感度 当前时间 衣着 口头禅", ("19:30",),
        ),
        ("{}\n場所：灯台\n時間：夜\n気分：穏やか", "場所 時間 気分", ("灯台", "夜")),
    ],
)  # fmt: skip
def test_status_lines_are_known_by_their_labels(form, labels, scene):
    found = status_lines(form.format(TEXT))
    assert found is not None
    assert (found.rest, set(found.labels), found.scene) == (TEXT, set(labels.split()), scene)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"{TEXT}\n好感度：35",
        f"{TEXT}\nHP: 80/100 | 好感度: 35",
        "Alice: Hello\nBob: Hi",
        "爱丽丝：早\n旅人：早",
        "Alice: 5 coins\nBob: no, 6",
        f"{TEXT}\n“好感度：35”\n“心情：平静”",
        f"{TEXT}\n心情：她笑了，很久没有这样开心。\n状态：她坐着没有动。",
        "启程的安排：\n时间：3点\n地点：码头",
        f"{TEXT}\n安排如下：\n\n时间：3点\n地点：码头",
        "Date: 3 March\nTo: Alice\nDear Alice,\nthe sea is calm.",
        "Name: Alice\nAge: 20\nTime: now",
        "To do: sweep\nNext: cook\nLast: sleep",
        "床前明月光\n疑是地上霜\n心情：无\n",
        "```\nhp: 80\nmp: 3\n```",
        "int hp: 80;\nreturn mp;",
        "1. 体力：跑步\n2. 精神：读书\n3. 睡觉",
        "好感度：35\n心情：平静\n",
        "",
    ],
)
def test_what_is_told_said_or_listed_is_no_panel(text):
    found = status_lines(text)
    assert found is None or not found.rest


@given(st.text(max_size=200) | st.text("HPMP好感度：: 3|[]\n—-【状态】。", max_size=120))
def test_the_rest_is_an_end_of_the_message(text):
    found = status_lines(text)
    if found is not None:
        assert text.strip().startswith(found.rest) or text.strip().endswith(found.rest)
        assert all(part.split()[-1] in text for part in found.scene)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["HP: 1 | ", "HP: 1\n", "—", "【", "状态", "a: ", "\n"])
def test_endless_lines_take_no_endless_time(piece):
    status_lines(piece * 50_000)
