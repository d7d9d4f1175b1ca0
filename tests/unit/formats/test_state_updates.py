"""What replies change, in the three ways models are taught to write it; hostile ones do no harm."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.state.tree import StateOp, apply
from engram_desktop.formats.chats.state_updates import MAX_OPS, _value, updates_in

STATE = {"爱丽丝": {"好感度": [50, "喜爱"], "心情": "平静"}, "物品": ["灯"]}


def after(text):
    found = updates_in(text)
    state = copy.deepcopy(STATE)
    for op in found.ops:
        apply(state, op)
    return state, found


def test_the_seeds_own_way_counts_up():
    text = """<thought>日常。</thought><state_update>
    [{"op": "add", "path": "爱丽丝.好感度", "value": 1},
     {"op": "replace", "path": "爱丽丝.心情", "value": "开心"}]
    </state_update><reply>嘿嘿。</reply>"""
    state, found = after(text)
    assert found.dialects == ["seed"]
    assert state["爱丽丝"] == {"好感度": [51, "喜爱"], "心情": "开心"}


def test_a_patch_with_pointers_sets():
    ops = [{"op": "add", "path": "/爱丽丝/好感度", "value": 7}]
    whole = json.dumps({"ops": ops, "analysis": "她笑了"})
    for text in (
        f'<filament_output version="3.0"><state_update>{whole}</state_update></filament_output>',
        f"<variable_update>{json.dumps(ops)}</variable_update>",
    ):
        state, found = after(text)
        assert found.dialects == ["filament"]
        assert state["爱丽丝"]["好感度"] == [7, "喜爱"]


def test_calls_are_taken_apart_and_never_run():
    state, found = after(
        """<UpdateVariable><Analysis>_.set('爱丽丝.心情', '怒');</Analysis>
        _.set('爱丽丝.好感度[0]', 50, 45);//说错了话
        _.add("爱丽丝.好感度", +2) // 道歉
        _.assign('物品', '钥匙, (旧)');
        _.assign('地点', 'key', {"名": "酒馆);"});
        _.remove('物品', 0);
        _.set('引号', `a"b\\'c`);
        _.set('表达式', require('fs').readFileSync('/etc/passwd'));
        </UpdateVariable>"""
    )
    assert found.dialects == ["mvu"]
    assert state["爱丽丝"] == {"好感度": [47, "喜爱"], "心情": "平静"}
    assert state["物品"] == ["钥匙, (旧)"]
    assert state["地点"] == {"key": {"名": "酒馆);"}}
    assert state["引号"] == "a\"b'c"
    assert state["表达式"] == "require('fs').readFileSync('/etc/passwd')"
    assert [op.reason for op in found.ops[:2]] == ["说错了话", "道歉"]


def test_a_patch_of_mvu_counts_with_delta():
    patch = """[{"op":"delta","path":"/爱丽丝/好感度","value":2},
      {"op":"insert","path":"/物品/-","value":"x"},{"op":"remove","path":"/爱丽丝/心情"}]"""
    state, found = after(f"<UpdateVariable><JSONPatch>{patch}</JSONPatch></UpdateVariable>")
    assert found.dialects == ["mvu"]
    assert state == {"爱丽丝": {"好感度": [52, "喜爱"]}, "物品": ["灯", "x"]}


def test_what_is_only_thought_is_not_said():
    block = '<state_update>[{"op":"add","path":"a","value":1}]</state_update>'
    assert updates_in(f"<think>{block}</think>你好。").ops == []
    assert updates_in("没有标签").ops == []


def test_sloppy_json_is_read_and_half_a_block_is_not():
    assert updates_in("<state_update>[{op:'add',path:'a',value:2},]</state_update>").ops == [
        StateOp("add", ("a",), 2)
    ]
    cut = updates_in('<state_update>[{"op":"add","path":"a","value":1}')
    assert cut.ops == []
    assert "cut off" in cut.faults[0]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<state_update>好感度加一</state_update>", "no list"),
        ('<state_update>[{"op":"explode","path":"a"}]</state_update>', "explode"),
        ('<state_update>[{"op":"add","value":1}]</state_update>', "no place"),
        ('<state_update>[{"op":"move","path":"a"}]</state_update>', "no place"),
        ("<state_update>[1, 2]</state_update>", "no list"),
        ("<UpdateVariable>_.set();</UpdateVariable>", "no place"),
    ],
)
def test_what_cannot_be_read_is_told(text, why):
    found = updates_in(text)
    assert found.ops == []
    assert why in found.faults[0]


def test_a_flood_is_bounded():
    rows = json.dumps([{"op": "add", "path": "a", "value": 1}] * (MAX_OPS + 9))
    found = updates_in(f"<state_update>{rows}</state_update>")
    assert len(found.ops) == MAX_OPS
    assert str(MAX_OPS) in found.faults[-1]


@pytest.mark.parametrize(
    "text",
    [
        "<state_update>" + "[" * 50_000 + "</state_update>",
        "<UpdateVariable>" + "_.set(" * 20_000 + "</UpdateVariable>",
        "<UpdateVariable>_.set('a', " + "(" * 50_000 + "</UpdateVariable>",
        "<UpdateVariable>_.set('" + "\\" * 50_001 + "</UpdateVariable>",
        "<state_update>" * 5_000,
        "<think>" * 20_000 + "<state_update>x</state_update>",
        '<state_update>[{"op":"replace","path":"a","value":' + "9" * 5_000 + "}]</state_update>",
        '<state_update>[{"op":"replace","path":"a","value":1e999}]</state_update>',
        '<state_update>[{"op":"replace","path":"a\\ud800","value":"\\ud800"}]</state_update>',
    ],
)
@pytest.mark.timeout(120)  # what is quadratic in these takes far longer
def test_hostile_blocks_end_and_leave_what_json_can_hold(text):
    state, _found = after(text)
    json.dumps(state, allow_nan=False, ensure_ascii=False).encode()


@given(st.text(st.sampled_from("<>/state_updUVrbl[]{}()_.,;'\"`\\set0 :-\n"), max_size=60))
def test_no_text_raises(text):
    for tag in ("state_update", "UpdateVariable"):
        json.dumps(after(f"<{tag}>{text}</{tag}>")[0], allow_nan=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a b'", "a b"),
        ('"a" + "b"', '"a" + "b"'),  # no string, though it begins and ends as one
        ("'it's", "'it's"),
        ("`${x}`", "${x}"),
        ("+3", 3),
        ("-2.5", -2.5),
        ("[1, 2]", [1, 2]),
        ("{", "{"),
        ("word", "word"),
    ],
)
def test_a_value_is_what_javascript_would_take_it_for(text, value):
    assert _value(text) == value
