"""What looking back moves in the state: read tolerantly, and put where the story keeps it."""

from __future__ import annotations

import pytest

from engram_desktop.domain.pipeline.reflection import MoodShift, parse_shifts, shift_op
from engram_desktop.domain.state.tree import StateOp


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
