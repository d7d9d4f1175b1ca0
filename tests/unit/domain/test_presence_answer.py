"""What a model's answer says of who perceives which floors, in any shape it may have."""

from __future__ import annotations

import pytest

from engram_desktop.domain.knowledge.knowing import (
    Perceiver,
    Perception,
    PresenceSpan,
    PrivatePart,
    parse_presence,
    perceived,
)

ALL = ("爱丽丝", "鲍勃", "卡萝")
WHISPER = PrivatePart("whisper", 3, 9, (Perceiver("爱丽丝"), Perceiver("鲍勃")))
THOUGHT = PrivatePart("thought", 10, 15, (Perceiver("爱丽丝"),))


def names(people):
    return [person.name for person in people]


@pytest.mark.parametrize(
    ("rows", "spans"),
    [
        ([{"from": 3, "to": 5, "present": ["甲", "乙"]}], [(3, 5, ("甲", "乙"))]),
        ([{"from": "3", "to": 5.0, "present": "甲、乙"}], [(3, 5, ("甲", "乙"))]),
        ([{"from": 0, "to": 99, "present": ["甲"]}], [(2, 8, ("甲",))]),
        ([{"from": 4, "present": ["甲", "甲", " "]}], [(4, 4, ("甲",))]),
        ([{"from": 4, "to": 4, "present": []}], [(4, 4, ())]),
        ([{"from": 4, "to": 4, "present": ["所有人"]}], []),
        ([{"from": 4, "to": 4, "present": ["大家", "甲"]}], [(4, 4, ("甲",))]),
        ([{"from": 6, "to": 4, "present": ["甲"]}, 7, None, {"present": ["甲"]}], []),
        ([{"from": 10**400, "to": 4, "present": ["甲"]}], [(4, 4, ("甲",))]),
        ([{"from": 4, "to": 4, "present": {"甲": 1}}], []),
        ("甲", []),
    ],
)
def test_spans_are_read_tolerantly(rows, spans):
    read = parse_presence({"presence": rows}, 2, 8)
    assert [(s.first, s.last, s.names) for s in read] == spans


def test_no_span_says_nothing():
    assert perceived([], Perception()) is None
    assert parse_presence([], 0, 9) == parse_presence({}, 0, 9) == ()


def test_the_scene_is_the_span_around_the_others():
    scene = PresenceSpan(0, 9, ALL)
    told = perceived([scene, PresenceSpan(4, 4, ("爱丽丝", "鲍勃"))], Perception((), (WHISPER,)))
    assert told is not None
    assert names(told.audience) == list(ALL)
    assert names(told.parts[0].audience) == ["爱丽丝", "鲍勃"]


def test_what_cannot_be_pointed_at_keeps_the_whole_message():
    scene, inner = PresenceSpan(0, 9, ALL), PresenceSpan(4, 6, ("爱丽丝", "鲍勃"))
    for parts in ((), (THOUGHT,), (WHISPER,)):  # of some floors: no part of one message
        told = perceived([scene, inner], Perception((), parts))
        assert told is not None
        assert names(told.audience) == ["爱丽丝", "鲍勃"]


def test_who_joins_inside_a_scene_is_there():
    told = perceived([PresenceSpan(0, 9, ALL), PresenceSpan(4, 6, (*ALL, "多萝"))], Perception())
    assert told is not None
    assert names(told.audience) == [*ALL, "多萝"]


def test_a_thought_and_a_whisper_of_one_message_are_told_apart():
    spans = [
        PresenceSpan(0, 9, ALL),
        PresenceSpan(4, 4, ("爱丽丝",)),
        PresenceSpan(4, 4, ("爱丽丝", "鲍勃")),
    ]
    told = perceived(spans, Perception((), (WHISPER, THOUGHT)))
    assert told is not None
    assert names(told.audience) == list(ALL)
    assert [names(part.audience) for part in told.parts] == [["爱丽丝", "鲍勃"], ["爱丽丝"]]


@pytest.mark.parametrize("caller", [("爱丽丝", "多萝"), ("爱丽丝", "多萝", "艾达")])
def test_who_is_called_from_a_scene_hears_the_call_alone(caller):
    scene = PresenceSpan(4, 4, ALL)
    told = perceived([scene, PresenceSpan(4, 4, caller)], Perception((), (WHISPER,)))
    assert told is not None
    if len(caller) == 2:
        assert (names(told.audience), names(told.parts[0].audience)) == (list(ALL), list(caller))
    whole = perceived([scene, PresenceSpan(4, 4, caller)], Perception())
    assert whole is not None
    assert names(whole.audience) == list(caller)
    assert "卡萝" not in names(whole.audience)


def test_scenes_that_follow_each_other_are_both_there_where_they_meet():
    told = perceived([PresenceSpan(0, 5, ALL[:2]), PresenceSpan(5, 9, ALL[1:])], Perception())
    assert told is not None
    assert set(names(told.audience)) == set(ALL)
