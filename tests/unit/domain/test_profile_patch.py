"""Whatever a model answers about profiles is read as far as it makes sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.pipeline.patches import MAX_KEYS, parse_patches, patched_profile

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
