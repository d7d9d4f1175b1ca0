"""What the parser makes of a model's answer: every limit, every fault with its path."""

from __future__ import annotations

import math

import pytest

from engram_desktop.domain.memory.extraction import (
    MAX_ENTITIES,
    MAX_EVENTS,
    MAX_KEYWORDS,
    MAX_NAME,
    MAX_RELATIONS,
    MAX_SUMMARY,
    MAX_TEXT,
    PlotExtraction,
    StructuredKv,
    clean_text,
    json_schema,
    parse_extraction,
)


def one(**fields):
    """Parse a single event; returns (event, {path: message})."""
    parsed = parse_extraction({"events": [{"summary": "他们见面了。", **fields}]})
    assert len(parsed.events) == 1
    return parsed.events[0], {fault.path: fault.message for fault in parsed.faults}


@pytest.mark.parametrize(
    "answer",
    [
        {"events": [{"summary": "甲"}], "note": "ignored"},
        [{"summary": "甲"}],
        {"summary": "甲"},
    ],
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
