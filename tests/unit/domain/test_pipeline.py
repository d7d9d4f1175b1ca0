"""The pipeline: what is extracted, on what evidence, and how it is written down."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
import rjieba
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.memory.extraction import (
    MAX_ENTITIES,
    MAX_EVENTS,
    MAX_KEYWORDS,
    MAX_NAME,
    MAX_RELATIONS,
    MAX_SUMMARY,
    MAX_TEXT,
    ExtractedEntity,
    PlotExtraction,
    StructuredKv,
    clean_text,
    json_schema,
    parse_extraction,
)
from engram_desktop.domain.pipeline.draft import LINES, evidence
from engram_desktop.domain.pipeline.outline import (
    by_coverage,
    condense,
    cost_of,
    story_so_far,
    telling_words,
)
from engram_desktop.domain.pipeline.patches import MAX_KEYS, parse_patches, patched_profile
from engram_desktop.domain.pipeline.prompt_template import (
    CARD_EN,
    CARD_ZH,
    StoryRenderer,
    relabelled,
    renderer_like,
)
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.relevance import question_words
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.domain.text.tokens import estimate_tokens
from tests.factories import make_event, make_extraction

# What the parser makes of a model's answer: every limit, every fault with its path.


def one(**fields):
    """Parse a single event; returns (event, {path: message})."""
    parsed = parse_extraction({"events": [{"summary": "他们见面了。", **fields}]})
    assert len(parsed.events) == 1
    return parsed.events[0], {fault.path: fault.message for fault in parsed.faults}


@pytest.mark.parametrize(
    "answer",
    [{"events": [{"summary": "甲"}], "note": "ignored"}, [{"summary": "甲"}], {"summary": "甲"}],
)
def test_an_object_a_list_and_a_bare_event_are_all_read(answer):
    parsed = parse_extraction(answer)
    assert [event.summary for event in parsed.events] == ["甲"]
    assert parsed.faults == ()


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (None, "$"),
        ("prose", "$"),
        (3, "$"),
        (True, "$"),
        ({}, "events"),
        ({"events": {"summary": "甲"}}, "events"),
        ({"events": ["甲"]}, "events[0]"),
        ({"events": [{}]}, "events[0].summary"),
        ({"events": [{"summary": " \x00 "}]}, "events[0].summary"),
        ({"summary": ""}, "event[0].summary"),
    ],
)
def test_an_answer_without_an_event_says_where_it_went_wrong(answer, path):
    parsed = parse_extraction(answer)
    assert parsed.events == ()
    assert path in [fault.path for fault in parsed.faults]
    assert all(str(fault).startswith(fault.path) for fault in parsed.faults)


def test_a_bad_event_does_not_cost_the_good_ones():
    parsed = parse_extraction({"events": [{"summary": "甲"}, 7, {"summary": "乙"}]})
    assert [event.summary for event in parsed.events] == ["甲", "乙"]
    assert [str(fault) for fault in parsed.faults] == ["events[1]: must be an object, not a number"]


@pytest.mark.parametrize(
    ("field", "limit"),
    [
        ("summary", MAX_SUMMARY),
        ("timestamp", MAX_NAME),
        ("location", MAX_NAME),
        ("details", MAX_TEXT),
    ],
)
def test_a_long_text_is_cut_and_said_so(field, limit):
    event, faults = one(**{field: "长" * limit})
    assert len(getattr(event, field)) == limit
    assert not faults
    event, faults = one(**{field: "长" * (limit + 1)})
    assert getattr(event, field) == "长" * limit
    assert str(limit) in faults[f"events[0].{field}"]


@pytest.mark.parametrize(
    ("field", "limit", "row"),
    [
        ("keywords", MAX_KEYWORDS, lambda n: f"词{n}"),
        ("entities", MAX_ENTITIES, lambda n: {"name": f"人{n}", "type": "char"}),
        (
            "relations",
            MAX_RELATIONS,
            lambda n: {"subject": f"人{n}", "predicate": "见", "object": "乙"},
        ),
    ],
)
def test_a_long_list_is_cut_and_said_so(field, limit, row):
    event, faults = one(**{field: [row(n) for n in range(limit)]})
    assert (len(getattr(event, field)), faults) == (limit, {})
    event, faults = one(**{field: [row(n) for n in range(10_000)]})
    assert len(getattr(event, field)) == limit
    assert faults == {f"events[0].{field}": f"10000 are too many; at most {limit} are kept"}


def test_too_many_events_and_too_many_faults_are_bounded():
    parsed = parse_extraction([{"summary": f"第{n}件"} for n in range(MAX_EVENTS + 1)])
    assert len(parsed.events) == MAX_EVENTS
    assert "too many" in parsed.faults[0].message
    broken = {"summary": "甲", "entities": [None] * MAX_ENTITIES, "relations": [0] * MAX_RELATIONS}
    assert len(parse_extraction([broken] * MAX_EVENTS).faults) == 100


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        (0.7, 0.7),
        ("0.7", 0.7),
        (" 0.25 ", 0.25),
        (1, 1.0),
        (8, 0.8),
        ("8", 0.8),
        (10, 1.0),
        (11, 1.0),
        (-3, 0.0),
        (math.inf, 1.0),
        (None, 0.5),
    ],
)
def test_significance_is_a_share_of_one_even_on_a_scale_of_ten(told, kept):
    event, faults = one(significance_score=told)
    assert event.significance_score == pytest.approx(kept)
    assert not faults


@pytest.mark.parametrize("told", [math.nan, "nan", "high", [], {}])
def test_a_significance_that_is_no_number_is_a_fault(told):
    event, faults = one(significance_score=told)
    assert event.significance_score == 0.5
    assert list(faults) == ["events[0].significance_score"]


def test_a_number_where_text_is_wanted_is_text_but_a_truth_value_is_not():
    event, faults = one(timestamp=1204, location=True, details=["甲"])
    assert (event.timestamp, event.location, event.details) == ("1204", "", "")
    assert set(faults) == {"events[0].location", "events[0].details"}


@pytest.mark.parametrize("number", [10**400, -(10**400), math.nan, math.inf], ids=str)
def test_a_number_that_is_no_text_is_a_fault_and_no_crash(number):
    event, faults = one(timestamp=number, keywords=[number])
    assert (event.timestamp, event.keywords) == ("", ())
    assert set(faults) == {"events[0].timestamp", "events[0].keywords[0]"}


def test_a_significance_of_400_digits_is_a_fault():
    _event, faults = one(significance_score=10**400)
    assert list(faults) == ["events[0].significance_score"]


def test_keywords_as_one_text_are_split_at_every_kind_of_comma():
    event, faults = one(keywords="铜钥匙、座钟，暗格, 父亲")
    assert event.keywords == ("铜钥匙", "座钟", "暗格", "父亲")
    assert not faults


def test_what_is_said_twice_is_kept_once():
    event, faults = one(
        keywords=["钥匙", "钥匙"],
        entities=["爱丽丝", {"name": "爱丽丝", "type": "person"}, {"name": "爱丽丝"}],
        relations=[{"subject": "甲", "predicate": "见", "object": "乙"}] * 2,
    )
    assert event.keywords == ("钥匙",)
    assert [(e.name, e.type) for e in event.entities] == [("爱丽丝", "unknown"), ("爱丽丝", "char")]
    assert len(event.relations) == 1
    assert not faults


def test_a_part_that_is_missing_names_its_place():
    _event, faults = one(
        entities=[{"type": "char"}, 5],
        relations=[{"subject": "甲", "object": "乙"}, "甲见乙"],
        keywords=5,
        structured_kv=[],
    )
    assert set(faults) == {
        "events[0].entities[0].name",
        "events[0].entities[1]",
        "events[0].relations[0]",
        "events[0].relations[1]",
        "events[0].keywords",
        "events[0].structured_kv",
    }


def test_time_and_place_fall_back_to_the_machine_half():
    event, _faults = one(
        structured_kv={"time_anchor": "第3天", "location": "酒馆", "role": "甲、乙"}
    )
    assert (event.timestamp, event.location) == ("第3天", "酒馆")
    assert event.structured_kv.role == ("甲", "乙")


def test_text_no_database_takes_is_cleaned():
    assert clean_text(" a\x00b\ud800 ", 10) == "ab?"
    assert clean_text("abc", 2) == "ab"


def test_the_schema_names_every_field_the_parser_reads():
    event = json_schema()["properties"]["events"]["items"]
    assert set(event["properties"]) == set(PlotExtraction("x").to_json())
    assert event["required"] == list(event["properties"])
    kv = event["properties"]["structured_kv"]
    assert set(kv["properties"]) == set(StructuredKv().to_json())


# A sentence is found in the lines it was made of, and nowhere else.

CHINESE = [
    "爱丽丝 今天的雨下得真大，你从哪里来？",
    "旅人 我从北方的港口来，走了三天。",
    "爱丽丝 先喝碗热汤吧，二楼的房间空着。",
    "旅人 这把铜钥匙是在沉船里找到的，送给你。",
    "爱丽丝 钥匙上刻着灯塔的图案，谢谢。",
]
ENGLISH = [
    "Mara: The bridge was burnt by the raiders last night.",
    "Tobin: Then we have to cross the river by boat.",
    "Mara: My brother owns a ferry in Larkspur.",
    "Tobin: I'll pay him with the silver ring.",
    "Mara: He prefers wine to silver.",
]


def look_up(sentence, lines):
    words = question_words(sentence, rjieba.cut, rjieba.suggest_freq)
    return evidence(sentence, words, [frozenset(index_tokens(line)) for line in lines])


@pytest.mark.parametrize(
    ("sentence", "lines", "floor"),
    [
        ("旅人把沉船里找到的铜钥匙送给爱丽丝。", CHINESE, 3),
        ("旅人来自北方的港口。", CHINESE, 1),
        ("Raiders burnt the bridge.", ENGLISH, 0),
        ("Mara's brother has a ferry in Larkspur.", ENGLISH, 2),
    ],
)
def test_the_line_it_comes_from_is_the_first(sentence, lines, floor):
    found = look_up(sentence, lines)
    assert found.lines[0] == floor
    assert found.is_borne_out


def test_a_sentence_of_two_lines_has_both():
    found = look_up("爱丽丝请旅人喝热汤，旅人送她沉船里的铜钥匙。", CHINESE)
    assert {2, 3} <= set(found.lines)
    assert len(found.lines) <= LINES


@pytest.mark.parametrize(
    ("sentence", "lines", "word"),
    [
        ("国王在宫殿里宣布战争开始。", CHINESE, "宫殿"),
        ("The queen married a merchant in Carthage.", ENGLISH, "carthage"),
    ],
)
def test_an_invented_sentence_is_not_borne_out_and_its_words_are_named(sentence, lines, word):
    found = look_up(sentence, lines)
    assert not found.is_borne_out
    assert word in found.missing


def test_a_wrong_name_in_a_true_sentence_is_named():
    found = look_up("Mara's brother has a ferry in Ravensburg.", ENGLISH)
    assert found.is_borne_out
    assert found.missing == ("ravensburg",)


def test_the_names_of_who_speaks_prove_nothing():
    assert not look_up("爱丽丝与旅人在宫殿跳舞。", CHINESE).is_borne_out


def test_what_says_nothing_is_neither_marked_nor_found():
    found = look_up("他笑了。", CHINESE)
    assert (found.lines, found.missing) == ((), ())
    assert found.is_borne_out


def test_without_lines_nothing_is_borne_out():
    assert not look_up("旅人来自北方的港口。", []).is_borne_out


# Whatever a model answers about profiles is read as far as it makes sense.

OPERATIONS = [
    {"op": "test", "path": "/住处", "value": "钟楼"},
    {"op": "replace", "path": "/伤势", "value": "左臂骨折"},
    {"op": "remove", "path": "/住处"},
]
PATCH = {"伤势": "左臂骨折", "住处": None}


@pytest.mark.parametrize(
    "answer",
    [
        {"profiles": [{"name": "凯尔", "set": PATCH}]},
        {"profiles": {"凯尔": PATCH}},
        {"entities": [{"name": "凯尔", "profile": PATCH}]},
        {"凯尔": {"set": PATCH}},
        [{"name": "凯尔", **PATCH, "type": "char"}],
        {"name": "凯尔", "changes": PATCH},
        {"profiles": [{"name": "凯尔", "patch": OPERATIONS}]},
        {"凯尔": OPERATIONS},
        [{**operation, "path": f"/凯尔{operation['path']}"} for operation in OPERATIONS],
    ],
)
def test_common_shapes_are_read(answer):
    assert parse_patches(answer).by_name == {"凯尔": PATCH}


def test_what_cannot_be_used_is_named():
    found = parse_patches({"profiles": [{"set": {}}, {"name": "甲", "set": {"a": {"b": 1}}}]})
    assert found.by_name == {}
    assert [f.path for f in found.faults] == ["profiles[0]", "profiles[1].a"]
    flood = {"甲": {f"k{n}": "v" for n in range(99)}}
    assert len(parse_patches(flood).by_name["甲"]) == MAX_KEYS


def test_a_patch_sets_and_drops():
    before = {"身份": "队长", "住处": "钟楼"}
    assert patched_profile(before, PATCH) == {"身份": "队长", "伤势": "左臂骨折"}
    assert patched_profile({}, {"a": None, "b": 1}) == {"b": 1}


def test_a_patch_that_empties_a_profile_is_refused():
    profile = {str(n): "x" for n in range(6)}
    assert patched_profile(profile, dict.fromkeys("0123")) is None
    assert patched_profile(profile, dict.fromkeys("01")) is not None


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_any_answer_is_read_without_raising(value):
    for facts in parse_patches({"profiles": value}).by_name.values():
        assert facts


def test_a_json_patch_may_grow_a_list_and_name_the_profile():
    answer = {"凯尔": [
        {"op": "add", "path": "/profile/爱好/-", "value": "垂钓"},
        {"op": "add", "path": "/爱好/-", "value": "下棋"},
        {"op": "add", "path": "/a~1b", "value": 3},
    ]}  # fmt: skip
    assert parse_patches(answer).by_name == {"凯尔": {"爱好": ["垂钓", "下棋"], "a/b": 3}}


@pytest.mark.parametrize(
    "operation", [{"op": "move", "path": "/a", "from": "/b"}, "x", {"op": "add", "path": 3}]
)
def test_what_is_no_operation_is_reported_and_changes_nothing(operation):
    found = parse_patches({"凯尔": [{"op": "add", "path": "/a", "value": 1}, operation]})
    assert found.by_name == {}
    assert found.faults


# An outline of events reads as a story, and so does an outline of outlines.

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


def test_a_time_that_a_sentence_says_itself_is_not_told_twice():
    parts = [part("第12天清晨，白露推开听雨楼的门。", "第12天 清晨", "听雨楼")]
    assert condense(parts, 200).summary == parts[0].summary


def test_a_sentence_that_names_its_own_hour_needs_the_day_only():
    parts = [part("午后，白露推开听雨楼的门。", "第12天 清晨", "听雨楼")]
    assert condense(parts, 200).summary == "第12天：午后，白露推开听雨楼的门。"


@pytest.mark.parametrize("limit", [24, 60, 120, 240])
def test_an_outline_keeps_its_limit_and_its_order_and_is_spread(limit):
    parts = days(10)
    summary = condense(parts, limit).summary
    assert estimate_tokens(summary) <= limit
    everything = "".join(p.summary for p in parts).replace("还", "")
    for sentence in sentences_of(summary):
        assert all(piece in everything for piece in sentence.replace("还", "").split("；"))
    numbers = [int(n) for n in re.findall(r"第(\d+)[块个]", summary)]
    assert numbers == sorted(numbers)
    assert 7 in numbers  # the day that mattered
    if limit >= 120:
        assert numbers[0] == 1
        assert numbers[-1] == 10


def test_the_middle_is_told_though_nothing_in_it_matters_more():
    parts = [part(f"白露走过第{n}座桥。", weight=0.5) for n in range(1, 41)]
    summary = condense(parts, 120).summary
    numbers = [int(n) for n in re.findall(r"第(\d+)座", summary)]
    gaps = [b - a for a, b in pairwise(numbers)]
    assert numbers[0] == 1
    assert numbers[-1] == 40
    assert max(gaps) <= 3 * (40 / len(numbers))


@pytest.mark.parametrize(
    ("dull", "telling"),
    [
        ("阿衡说谢谢夸奖。", "阿衡说铜铃藏在桥下。"),
        ("阿衡问白露：怎么突然变成小鹌鹑了？", "阿衡说铜铃藏在桥下。"),
        ("白露微微一笑，看着铜铃。", "白露把铜铃埋在桥下。"),
        ("薄雾漫过水面，屋顶冒着白汽。", "白露把铜铃埋在桥下。"),
        ("Aheng says thanks, that was lovely.", "Aheng says the bell lies under the bridge."),
        ("白露把铜铃埋在她的桥下。", "白露把铜铃埋在阿衡的桥下。"),  # whose is not said
        ("The bell lies under his old bridge.", "Aheng hides the bell under his old bridge."),
    ],
)
def test_an_outline_tells_what_happened_before_thanks_smiles_weather_and_pronouns(dull, telling):
    people = (*PEOPLE, ExtractedEntity("Aheng", "char"))
    for parts in ([dull, telling], [telling, dull]):
        limit = max(map(estimate_tokens, parts))  # of one
        told = condense([part(text, people=people) for text in parts], limit)
        assert told.summary == telling


def test_what_is_told_of_again_and_again_comes_first():
    parts = [
        part("白露买下磨坊。阿衡吃了烤饼。"),
        part("白露修好磨坊的水轮。阿衡折断竹竿。"),
        part("白露在磨坊里点灯。阿衡数着星星。"),
    ]
    assert "磨坊" in condense(parts, 16).summary


def test_the_time_and_place_of_one_part_are_not_those_of_all():
    parts = [part(f"白露走过第{n}座桥。") for n in range(9)]
    told = condense([part("白露醒来。", "第2天 早上", "听雨楼"), *parts], 60)
    assert (told.timestamp, told.location) == ("", "")


def test_words_that_are_told_count_little_again():
    texts = [telling_words(t) for t in ("铜铃和磨坊", "铜铃和磨坊旁", "烤饼")]
    assert list(by_coverage(texts, lambda _n: 1.0)) == [1, 2, 0]


@pytest.mark.parametrize("limit", [60, 150, 300, 600, 1200])
def test_the_story_so_far_uses_its_room_covers_every_floor_and_keeps_the_newest(limit):
    events = [
        make_event(data.summary, 10 * n, 10 * n + 9, raw_data=data)
        for n, data in enumerate(days(60))
    ]
    story = story_so_far(events, lambda _id: [], limit, newest=3)
    assert cost_of(story) <= limit
    assert cost_of(story) >= 0.7 * limit
    spans = [(e.source_range.start_index, e.source_range.end_index) for e in story]
    assert spans[0][0] == 0
    assert spans[-1][1] == 599
    assert all(before[1] + 1 == after[0] for before, after in pairwise(spans))
    if limit >= 600:
        assert [e.id for e in story[-3:]] == [e.id for e in events[-3:]]


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


# Cards are labelled in the language of their chat, and only built-in ones are relabelled.

DATA = make_extraction("爱丽丝关了门。", details="门外有人。")


@pytest.mark.parametrize(("old", "new"), [(CARD_EN, CARD_ZH), (CARD_ZH, CARD_EN)])
def test_a_built_in_card_gets_the_other_labels(old, new):
    card = StoryRenderer(old).render(DATA)
    assert relabelled(card, DATA, new) == StoryRenderer(new).render(DATA)
    assert relabelled(card, DATA, old) == card


def test_a_card_that_no_built_in_template_made_stays():
    own = StoryRenderer(CARD_EN).render(DATA) + "\nP.S."
    assert relabelled(own, DATA, CARD_ZH) == own


@pytest.mark.parametrize("template", [CARD_EN, CARD_ZH])
def test_a_card_is_made_again_with_the_labels_it_had(template):
    assert renderer_like(StoryRenderer(template).render(DATA)).template == template
