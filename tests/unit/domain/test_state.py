"""The state of a story: its tree, its rules and its log."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.pipeline.reflection import MoodShift, parse_shifts, shift_op
from engram_desktop.domain.state.rules import Bounds, StateRule, rule_fields, rule_of, rules_in
from engram_desktop.domain.state.tree import (
    StateEntry,
    StateOp,
    apply,
    compared,
    get,
    join_path,
    leaves,
    number,
    pointer,
    split_path,
    steps_of,
)

# The state of a story: values keep their meaning, and what cannot be done changes nothing.

STATE = {
    "爱丽丝": {"好感度": [50, "对旅人的喜爱"], "心情": "平静", "金币": "20"},
    "物品": ["钥匙", "花", "伞"],
    "$meta": {"version": 1},
}


def after(*ops):
    state = copy.deepcopy(STATE)
    for op in ops:
        apply(state, op)
    return state


@pytest.mark.parametrize(
    ("op", "path", "value", "expected"),
    [
        ("set", "爱丽丝.好感度", 60, [60, "对旅人的喜爱"]),
        ("set", "爱丽丝.好感度", [60, "信任"], [60, "信任"]),
        ("set", "爱丽丝.好感度[0]", 60, [60, "对旅人的喜爱"]),
        ("set", "凯尔.好感度", 5, 5),
        ("add", "爱丽丝.好感度", 1, [51, "对旅人的喜爱"]),
        ("add", "爱丽丝.好感度", "+15", [65, "对旅人的喜爱"]),
        ("add", "爱丽丝.好感度", -0.1, [49.9, "对旅人的喜爱"]),
        ("add", "爱丽丝.金币", -5, 15),
        ("add", "凯尔.好感度", 3, 3),
        ("add", "物品", "信", ["钥匙", "花", "伞", "信"]),
        ("insert", "物品.1", "信", ["钥匙", "信", "花", "伞"]),
        ("insert", "物品.-", "信", ["钥匙", "花", "伞", "信"]),
        ("insert", "背包.-", "信", ["信"]),
        ("remove", "物品.0", None, ["花", "伞"]),
    ],
)
def test_an_operation_changes_the_value_and_keeps_what_it_means(op, path, value, expected):
    state = after(StateOp(op, split_path(path), value))
    where = split_path(path)
    where = where[:-1] if where[-1] in ("0", "1", "-") else where
    assert get(state, where) == expected


@pytest.mark.parametrize(
    ("op", "path", "value", "why"),
    [
        ("add", "爱丽丝.心情", 1, "number"),
        ("remove", "凯尔", None, "nothing at this place"),
        ("remove", "物品.7", None, "nothing at this place"),
        ("set", "爱丽丝.心情.深处", 1, "plain value"),
        ("insert", "物品.9", 1, "nothing at this place"),
        ("insert", "爱丽丝.-", 1, "no list"),
        ("set", "", 1, "plain value"),
        ("set", ".".join("a" * 50), 1, "too deep"),
    ],
)
def test_what_cannot_be_done_says_why_and_changes_nothing(op, path, value, why):
    state = copy.deepcopy(STATE)
    change = apply(state, StateOp(op, split_path(path), value))
    assert change.fault is not None
    assert why in change.fault
    assert state == STATE


def test_values_move_with_what_they_mean():
    state = after(StateOp("move", ("凯尔", "好感度"), origin=("爱丽丝", "好感度")))
    assert get(state, ("凯尔", "好感度")) == [50, "对旅人的喜爱"]
    assert "好感度" not in state["爱丽丝"]
    assert apply(state, StateOp("copy", ("x",), origin=("谁",))).fault


def test_two_texts_in_a_list_may_be_a_value_with_its_meaning_or_a_list():
    two = {"心情": ["平静", "此刻的心情"], "物品": ["钥匙", "花"]}
    assert [leaf.meaning for leaf in leaves(two)] == ["此刻的心情", "花"]
    assert apply(two, StateOp("set", ("心情",), "开心")).new == "开心"
    assert apply(two, StateOp("add", ("心情",), 1)).fault
    assert apply(two, StateOp("add", ("物品",), "信")).new == ["钥匙", "花", "信"]


def test_leaves_leave_out_what_is_a_tools_own():
    told = {join_path(leaf.path): (leaf.value, leaf.meaning) for leaf in leaves(STATE)}
    assert told == {
        "爱丽丝.好感度": (50, "对旅人的喜爱"),
        "爱丽丝.心情": ("平静", ""),
        "爱丽丝.金币": ("20", ""),
        "物品": (["钥匙", "花", "伞"], ""),
    }


def test_what_is_compared_is_not_changed_by_what_comes_later():
    state = copy.deepcopy(STATE)
    (change,) = [c for c in compared({}, state) if c.path == ("物品",)]
    apply(state, StateOp("add", ("物品",), "信"))
    assert change.new == ["钥匙", "花", "伞"]
    assert [c.path for c in compared(STATE, state)] == [("物品",)]
    assert compared(state, {}) != []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a.b[0].c", ("a", "b", "0", "c")),
        ("/a/b~1c/~0/0", ("a", "b/c", "~", "0")),
        ("""角色['好 感'].["x.y"]""", ("角色", "好 感", "x.y")),
        ("", ()),
        ("[-1]", ("-1",)),
    ],
)
def test_paths_are_read_in_both_ways(text, path):
    assert split_path(text) == path


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5).map(tuple))
def test_a_pointer_is_exact(path):
    assert split_path(pointer(path)) == path


@pytest.mark.parametrize(
    ("value", "expected"),
    [("+15", 15), ("-2.5", -2.5), (True, None), ("15岁", None), ([7, "x"], 7), (None, None)],
)
def test_numbers_are_read_from_texts_too(value, expected):
    assert number(value) == expected


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)
PATHS = st.lists(st.sampled_from(["a", "b", "0", "1", "-", ""]), max_size=4).map(tuple)
OPS = st.builds(
    StateOp,
    st.sampled_from(["set", "add", "insert", "remove", "move", "copy"]),
    PATHS,
    VALUES,
    st.just(""),
    PATHS,
)


@given(st.dictionaries(st.sampled_from("ab"), VALUES), st.lists(OPS, max_size=12))
def test_no_operation_fails_and_a_fault_changes_nothing(start, ops):
    state = copy.deepcopy(start)
    for op in ops:
        before = json.dumps(state)
        change = apply(state, op)
        assert isinstance(state, dict)
        if change.fault is not None:
            assert json.dumps(state) == before


@pytest.mark.parametrize(
    ("meaning", "bounds"),
    [
        ("好感度 [0,100]", (0, 100)),
        ("好感度，范围：-50~50", (-50, 50)),
        ("取值 0 到 100 之间", (0, 100)),
        ("trust, 0-100", (0, 100)),
        ("between 0 and 100", (0, 100)),
        ("（0～100）越高越亲近", (0, 100)),
        ("High affection, in love", None),
        ("since 2023-12-25", None),
        ("[100,0]", None),
        ("at most 100", None),
    ],
)
def test_a_range_in_a_meaning_bounds_the_value(meaning, bounds):
    rules = rules_in({"a": {"affinity": [40, meaning]}})
    assert [(rule.low, rule.high) for rule in rules] == ([bounds] if bounds else [])


def test_a_range_that_the_value_is_outside_of_is_none_of_its():
    assert rules_in({"age": [300, "born in the years 10-20"]}) == []


def test_a_schema_names_rules_by_place_and_wins():
    state = {
        "a": [40, "[0,100]"],
        "$schema": {
            "a": {"type": "int", "minimum": 10, "maximum": 5},
            "b.c": {"enum": ["x", "y"], "default": "x"},
            "bad": 7,
            "": {"type": "number"},
        },
    }
    rules = {rule.path: rule for rule in rules_in(state)}
    assert rules == {
        ("a",): StateRule(("a",), "integer", 5, 10),
        ("b", "c"): StateRule(("b", "c"), choices=("x", "y"), initial="x"),
    }
    for rule in rules.values():
        assert rule_of(rule.path, rule_fields(rule)) == rule


@pytest.mark.parametrize(
    ("rule", "old", "op", "value", "is_told"),
    [
        (StateRule(("v",), "integer", 0, 10), 9, StateOp("add", ("v",), 5), 10, True),
        (StateRule(("v",), "integer", 0, 10), 1, StateOp("add", ("v",), -5), 0, True),
        (StateRule(("v",), "integer", 0, 10), 1, StateOp("set", ("v",), "7"), 7, False),
        (StateRule(("v",), "integer"), 1, StateOp("set", ("v",), 2.6), 3, True),
        (StateRule(("v",), "number"), 1, StateOp("set", ("v",), "high"), 1, True),
        (StateRule(("v",), "any", 0, 10), 1, StateOp("set", ("v",), 99), 10, True),
        (StateRule(("v",), "any", 0, 10), 1, StateOp("set", ("v",), "much"), "much", False),
        (StateRule(("v",), "boolean"), True, StateOp("set", ("v",), "False"), False, False),
        (StateRule(("v",), "boolean"), True, StateOp("set", ("v",), 3), True, True),
        (StateRule(("v",), choices=("a", "b")), "a", StateOp("set", ("v",), "c"), "a", True),
        (StateRule(("v",), "text"), "a", StateOp("set", ("v",), "c"), "c", False),
        (StateRule(("v",), "text"), "a", StateOp("set", ("v",), [1]), "a", True),
    ],
)  # fmt: skip
def test_a_change_is_kept_within_bounds_and_says_so(rule, old, op, value, is_told):
    state = {"v": old}
    change, notice = Bounds([rule]).applied(state, op)
    assert state == {"v": value}
    assert change.new == value
    assert (notice is not None) == is_told


def test_what_is_put_over_a_whole_table_is_bound_too():
    state: dict[str, Any] = {"a": {"b": [5, "meaning"]}}
    bounds = Bounds([StateRule(("a", "b"), "integer", 0, 10), StateRule(("x",), "integer")])
    bounds.applied(state, StateOp("set", ("a",), {"b": 50, "c": 1}))
    assert state == {"a": {"b": 10, "c": 1}}
    bounds.applied(state, StateOp("remove", ("a", "b")))
    assert state == {"a": {"c": 1}}
    _change, notice = bounds.applied(state, StateOp("set", ("a", "b"), "none"))
    assert state == {"a": {"c": 1}}
    assert notice is not None


def test_a_story_begins_with_what_rules_say_where_nothing_else_does():
    state: dict[str, Any] = {"a": 1}
    bounds = Bounds(
        [
            StateRule(("a",), initial=9),
            StateRule(("b", "c"), initial=2, meaning="m"),
            StateRule(("d",)),
        ]
    )
    bounds.begin(state)
    assert state == {"a": 1, "b": {"c": [2, "m"]}}


# How one value came to be what it is.


def test_the_steps_of_a_value_include_what_was_put_anew_around_it():
    state = {"爱丽丝": {"好感度": [50, "喜爱"]}}
    ops = [
        StateOp("set", split_path("爱丽丝.好感度[0]"), 60, "花"),
        StateOp("add", ("爱丽丝", "心情"), 1),
        StateOp("add", ("爱丽丝", "好感度", "x"), 1),
        StateOp("set", ("爱丽丝",), {"好感度": 7}),
        StateOp("remove", ("爱丽丝",)),
    ]
    entries = [StateEntry(n, "reply", (apply(state, op),)) for n, op in enumerate(ops)]
    found = list(steps_of(entries, ("爱丽丝", "好感度")))
    assert [(s.floor, s.old, s.new, s.reason) for s in found] == [
        (0, 50, 60, "花"),
        (3, 60, 7, ""),
        (4, 7, None, ""),
    ]
    assert entries[2].changes[0].fault


# What looking back moves in the state: read tolerantly, and put where the story keeps it.


@pytest.mark.parametrize(
    ("said", "shifts"),
    [
        ({"trust": "+5"}, [("trust", 5.0)]),
        ([{"name": "信任", "change": -3}], [("信任", -3.0)]),
        ([{"name": "trust", "change": "1e9"}, {"name": "", "change": 5}, 7, None], []),
        ({"trust": float("nan"), "mood": float("inf"), "joy": True, "calm": 0}, []),
        ({"trust": 5_000}, [("trust", 100.0)]),
        ({f"值{n}": 1 for n in range(50)}, [(f"值{n}", 1.0) for n in range(6)]),
        ("trust +5", []),
        (None, []),
    ],
)
def test_shifts_are_read_tolerantly(said, shifts):
    assert [(s.name, s.change) for s in parse_shifts(said)] == shifts


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        ({"爱丽丝": {"信任": 3}, "凯尔": {"信任": 9}}, ("爱丽丝", "信任")),
        ({"character": {"信任": [3, "多信你"]}}, ("character", "信任")),
        ({"信任": 1}, ("信任",)),
    ],
)
def test_a_value_the_story_has_moves(tree, path):
    op = shift_op(tree, "爱丽丝", MoodShift("信任", 5.0), "他守了约。")
    assert op == StateOp("add", path, 5, "他守了约。")


@pytest.mark.parametrize("tree", [{}, {"凯尔": {"信任": 9}}, {"爱丽丝": {"信任": "很深"}}])
def test_a_value_it_has_not_begins_under_the_owner(tree):
    op = shift_op(tree, "爱丽丝", MoodShift("信任", -2.5), "他骗了我。")
    assert op == StateOp("set", ("爱丽丝", "信任"), -2.5, "他骗了我。")
