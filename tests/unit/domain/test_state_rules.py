from __future__ import annotations

from typing import Any

import pytest

from engram_desktop.domain.state.rules import Bounds, StateRule, rule_fields, rule_of, rules_in
from engram_desktop.domain.state.tree import StateOp


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
