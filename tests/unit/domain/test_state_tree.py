"""The state of a story: values keep their meaning, and what cannot be done changes nothing."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.state.tree import (
    StateOp,
    apply,
    compared,
    get,
    join_path,
    leaves,
    number,
    pointer,
    split_path,
)

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
