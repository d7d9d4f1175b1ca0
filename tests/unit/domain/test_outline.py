"""An outline of events reads as a story, and so does an outline of outlines."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.pipeline.outline import condense
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.text.tokens import estimate_tokens

PEOPLE = (ExtractedEntity("白露", "char"), ExtractedEntity("阿衡", "char"))


def part(summary, time="", place="", weight=0.5, keywords=(), people=PEOPLE):
    return PlotExtraction(summary, tuple(keywords), time, place, people, significance_score=weight)


def days(count, first=1):
    """A story of ``count`` days: what is done on each is its own."""
    return [
        part(
            f"白露在渡口捡到第{n}块木牌。阿衡把第{n}块木牌上的字抄了下来。白露还说，第{n}个字很旧。",
            f"第{n}天 清晨",
            "望江渡" if n % 5 else "听雨楼",
            0.9 if n % 7 == 0 else 0.4,
            (f"第{n}块木牌",),
        )
        for n in range(first, first + count)
    ]


def sentences_of(text):
    return [re.sub(r"^[^：]{1,30}：", "", s).rstrip("。") for s in split_sentences(text)]


def test_an_outline_names_time_and_place_once_and_tells_whole_sentences():
    told = condense(
        [
            part("白露推开听雨楼的门。", "第12天 清晨", "听雨楼"),
            part("阿衡把铜铃交给白露。白露把铜铃藏进袖子。", "第12天 清晨", "听雨楼"),
            part("白露在桥上丢了铜铃。", "第13天", "断桥"),
        ],
        200,
    )
    assert told.summary == (
        "第12天 清晨：白露推开听雨楼的门。阿衡把铜铃交给白露。白露把铜铃藏进袖子。"
        "第13天，断桥：白露在桥上丢了铜铃。"
    )
    assert told.timestamp == "第12天 清晨 – 第13天"


@pytest.mark.parametrize("limit", [24, 60, 120, 240])
def test_an_outline_keeps_its_limit_its_order_and_its_ends(limit):
    parts = days(10)
    summary = condense(parts, limit).summary
    assert estimate_tokens(summary) <= limit
    everything = "".join(p.summary for p in parts).replace("还", "")
    for sentence in sentences_of(summary):
        assert all(piece in everything for piece in sentence.replace("还", "").split("；"))
    numbers = [int(n) for n in re.findall(r"第(\d+)[块个]", summary)]
    assert numbers == sorted(numbers)
    if limit >= 60:
        assert numbers[0] == 1
        assert numbers[-1] == 10
    if limit >= 120:
        assert 7 in numbers  # the day that mattered


def test_the_middle_is_told_though_nothing_in_it_matters_more():
    parts = [part(f"白露走过第{n}座桥。", weight=0.5) for n in range(1, 41)]
    summary = condense(parts, 120).summary
    numbers = [int(n) for n in re.findall(r"第(\d+)座", summary)]
    gaps = [b - a for a, b in pairwise(numbers)]
    assert numbers[0] == 1
    assert numbers[-1] == 40
    assert max(gaps) <= 3 * (40 / len(numbers))


def test_outlines_of_outlines_read_as_well_three_levels_deep():
    level = days(60)
    everything = "".join(p.summary for p in level).replace("还", "")
    for _deep in range(3):
        level = [condense(level[n : n + 10], 160) for n in range(0, len(level), 10)]
        if len(level) == 1:
            break
    (top,) = level if len(level) == 1 else [condense(level, 160)]
    assert estimate_tokens(top.summary) <= 160
    assert top.timestamp == "第1天 清晨 – 第60天 清晨"
    for sentence in sentences_of(top.summary):
        assert all(piece in everything for piece in sentence.replace("还", "").split("；"))
    heads = re.findall(r"(?:^|。)([^：。]{1,30})：", top.summary)
    assert len(heads) == len(set(heads))
    assert all(re.fullmatch(r"第\d+天 清晨(，(?:望江渡|听雨楼))?", head) for head in heads)
    numbers = [int(n) for n in re.findall(r"第(\d+)[块个]", top.summary)]
    assert numbers == sorted(numbers)
    assert numbers[0] <= 10
    assert numbers[-1] >= 51


def test_an_outline_of_one_outline_is_that_outline():
    once = condense(days(10), 160)
    assert condense([once], 200).summary == once.summary


def test_who_goes_on_speaking_only_goes_on_where_the_beginning_is_told():
    parts = [
        part("白露告诉阿衡，门开着。", weight=0.9),
        part("阿衡笑了起来，一整夜都没有停下，直到天亮才肯说话。阿衡还说桥塌了。", weight=0.9),
    ]
    assert "还说" not in condense(parts, 24).summary
    english = [part("Mira says the door is open."), part("Tobin nods. Wren also says it rains.")]
    assert "also" not in condense(english, 100).summary


def test_quotations_of_older_events_give_way_to_what_is_told():
    old = part("白露说：“我一口都碰不得。你吃没关系。”“真的？”白露把烤饼推给阿衡。")
    assert condense([old], 24).summary == "白露把烤饼推给阿衡。"


def test_nothing_is_cut_in_the_middle_of_a_word_where_a_clause_ends():
    long = part("白露走进听雨楼，" + "上了一层又一层，" * 30 + "终于看见了阿衡。")
    summary = condense([long], 30).summary
    assert estimate_tokens(summary) <= 30
    assert summary.startswith("白露走进听雨楼，上了一层又一层")
    assert summary.endswith("层。")


def test_an_english_outline():
    people = (ExtractedEntity("Mira", "char"), ExtractedEntity("Wren", "char"))
    told = condense(
        [
            part("Mira gives Wren the key.", "Day 3, evening", "the Gilded Heron", people=people),
            part("Wren opens the chapel. Mira finds the map.", "Day 4", "", people=people),
        ],
        100,
    )
    assert told.summary == (
        "Day 3, evening, the Gilded Heron: Mira gives Wren the key. "
        "Day 4: Wren opens the chapel. Mira finds the map."
    )
    assert condense([told], 100).summary == told.summary


def test_words_before_a_colon_are_no_heading_if_somebody_says_them():
    summary = "白露：我来了。阿衡问白露：桥还在吗？"
    assert condense([part(summary)], 100).summary == summary


def test_what_plays_nowhere_said_never_seems_to_play_at_the_place_before():
    parts = [
        part("白露推开窗。", "第1天", "听雨楼"),
        part("阿衡在睡觉。", "第1天", ""),
        part("白露上了船。", "第1天", "望江渡"),
    ]
    told = condense(parts, 100)
    assert told.summary == ("第1天，听雨楼：白露推开窗。第1天：阿衡在睡觉。望江渡：白露上了船。")
    assert condense([told], 100).summary == told.summary
    without_days = [part("白露推开窗。", "", "听雨楼"), part("阿衡在睡觉。")]
    assert condense(without_days, 100).summary == "白露推开窗。阿衡在睡觉。"
