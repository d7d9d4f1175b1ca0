"""When a fact was true, from who told it on which floors."""

from __future__ import annotations

import pytest

from engram_desktop.domain.graph.relations import (
    STILL_TRUE,
    DatedRelation,
    Telling,
    Validity,
    facet,
    spans,
)


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
