"""Worldbook files and updates of a state."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.state.tree import StateOp, apply
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Entry, Position
from engram_desktop.formats.chats.state_updates import MAX_OPS, _value, updates_in
from engram_desktop.formats.foreign_worldbooks import kind_of
from engram_desktop.formats.json_text import NotJson, read_json
from engram_desktop.formats.world_info import (
    added,
    edited,
    new_worldbook,
    parse_worldbook,
    read_worldbook,
    without,
    worldbook_of,
)
from tests.worldbooks import EVERY_FIELD

NASTY = """{
    "zusatz": {"tool": [1, 1.0, 1e-7, 12345678901234567890]},
    "entries": {
        "10": {
            "uid": 10,
            "key": ["Zehn", "\\u5341"],
            "content": "half \\ud83d\\/ and \\"quoted\\"\\n",
            "order": 1e2,
            "probability": 75.5,
            "delayUntilRecursion": true,
            "role": null,
            "sticky": null,
            "position": "4",
            "stmemorybooks": true,
            "STMB_start": 1e-7
        },
        "2": {"uid": 2, "key": [], "comment": "夜", "constant": true, "unknown": {"a": [ ]}},
        "x-7": { "key" : "a, b" , "disable" : true, "order": "none" },
        "3": "not an entry"
    },
    "originalData": null,
    "name": "Ein Buch"
}"""


def values(content):
    return json.loads(content.decode("utf-8-sig", "surrogatepass"))


def worldbook(content):
    return parse_worldbook(content, "").worldbook


@pytest.mark.parametrize(
    "data",
    [
        NASTY.encode(),
        b"\xef\xbb\xbf" + NASTY.replace("\n", "\r\n").encode(),
        NASTY.encode("utf-16"),
        NASTY.replace("夜", "夜晚的酒馆里没有人说话").encode("gb18030"),
        NASTY.replace("夜", "\ud83d").encode("utf-8", "surrogatepass"),
        json.dumps(json.loads(NASTY), separators=(",", ":")).encode(),
    ],
    ids=["pretty", "bom-crlf", "utf-16", "gb18030", "raw-surrogate", "one-line"],
)
def test_an_unchanged_worldbook_is_the_same_bytes_and_an_edit_touches_one_value(data, tmp_path):
    path = tmp_path / "buch.json"
    path.write_bytes(data)
    read = read_worldbook(path)
    assert read.content == data
    first = read.parsed.worldbook.entries[0]
    changed = edited(read.content, [(first, replace(first, probability=50))])
    assert changed != data
    again = worldbook(changed).entries[0]
    assert edited(changed, [(again, replace(again, probability=75.5))]) == data


def test_every_field_of_a_new_entry_is_read_and_written_back():
    full = replace(
        EVERY_FIELD,
        is_selective=False,
        matches=frozenset({"scenario", "creator_notes"}),
        position=Position.AT_DEPTH,
        group="g, h",
        character_filter=CharacterFilter(("爱丽丝",), ("id-1", "id-2"), is_exclude=True),
    )
    content, made = added(new_worldbook([]), full)
    assert made == full
    assert worldbook(content).entries == (full,)
    row = values(content)["entries"]["0"]
    assert list(row)[:3] == ["uid", "key", "keysecondary"]
    assert list(row)[-2:] == ["characterFilter", "displayIndex"]
    assert len(row) == 42
    assert full.groups == ("g", "h")


def test_old_and_wrong_values_have_defaults_and_are_named():
    read = worldbook_of(NASTY.encode(), "n.json")
    ten, two, odd = read.parsed.worldbook.entries
    assert (ten.uid, two.uid, odd.uid) == (10, 2, "x-7")
    assert (ten.delay_until_recursion, ten.role, ten.position) == (1, 0, Position.AT_DEPTH)
    assert ten.content.startswith("half \ud83d/ and")
    assert (two.mode, odd.mode, odd.keys) == ("constant", "disabled", ("a", "b"))
    assert {(f.uid, f.field) for f in read.parsed.faults} == {("x-7", "order"), ("3", "")}
    assert read.title == "Ein Buch"


def test_who_speaks_at_a_depth_is_one_of_three():
    rows = {str(n): {"uid": n, "role": role} for n, role in enumerate([None, 0, 2, 3, -1, "x"])}
    read = worldbook_of(json.dumps({"entries": rows}).encode(), "n.json")
    assert [e.role for e in read.parsed.worldbook.entries] == [0, 0, 2, 0, 0, 0]
    assert [f.uid for f in read.parsed.faults] == ["3", "4", "5"]


def test_a_removed_entry_leaves_the_others_as_they_were():
    content = NASTY.encode()
    two = worldbook(content).entries[1]
    left = without(content, [two])
    assert b'"STMB_start": 1e-7' in left
    assert list(values(left)["entries"]) == ["10", "x-7", "3"]
    assert values(without(left, worldbook(left).entries))["entries"] == {"3": "not an entry"}


def test_an_added_entry_takes_the_smallest_free_number_and_the_layout_of_the_file():
    content, made = added(NASTY.encode(), Entry(0, keys=("neu",), comment="Neu"))
    assert made.uid == 0
    assert b'\n        "0": {\n            "uid": 0,\n' in content
    assert without(content, [made]) == NASTY.encode()
    assert values(content)["entries"]["0"]["addMemo"] is True


def test_a_list_of_entries_can_be_changed_too():
    content = b'{"entries": [{"key": ["a"], "content": "A"}, {"key": ["b"], "content": "B"}]}'
    second = worldbook(content).entries[1]
    changed = edited(content, [(second, replace(second, content="C", keys=()))])
    assert changed == content.replace(b'"B"', b'"C"').replace(b'["b"]', b"[]")
    assert without(content, [second]) == b'{"entries": [{"key": ["a"], "content": "A"}]}'


FOREIGN = {
    "novelai": (
        {
            "lorebookVersion": 5,
            "entries": [
                {
                    "keys": ["月光", "moon"],
                    "displayName": "月",
                    "text": "月亮",
                    "enabled": False,
                    "contextConfig": {"budgetPriority": 400},
                }
            ],
        },
        Entry(
            0, ("月光", "moon"), (), "月", "月亮", is_selective=False, is_disabled=True, order=400
        ),
    ),
    "agnai": (
        {
            "kind": "memory",
            "name": "Agnai",
            "entries": [
                {"name": "n", "keywords": ["k"], "entry": "e", "weight": 5, "enabled": True}
            ],
        },
        Entry(0, ("k",), (), "n", "e", is_selective=False, order=5),
    ),
    "risu": (
        {
            "type": "risu",
            "ver": 1,
            "data": [
                {
                    "key": "a, b",
                    "secondkey": "c",
                    "comment": "n",
                    "content": "e",
                    "insertorder": 9,
                    "alwaysActive": True,
                    "selective": True,
                    "activationPercent": 40,
                }
            ],
        },
        Entry(0, ("a", "b"), ("c",), "n", "e", is_constant=True, order=9, probability=40),
    ),
    "character_book": (
        {
            "name": "Buch",
            "entries": [
                {
                    "keys": ["k"],
                    "content": "e",
                    "enabled": True,
                    "insertion_order": 3,
                    "name": "n",
                    "position": "after_char",
                    "extensions": {"depth": 2, "role": 1, "mine": 1},
                }
            ],
        },
        Entry(
            0,
            ("k",),
            (),
            "n",
            "e",
            is_selective=False,
            order=3,
            depth=2,
            role=1,
            position=Position.AFTER_CHARACTER,
        ),
    ),
    "lorebook_v3": (
        {
            "spec": "lorebook_v3",
            "data": {
                "entries": [
                    {
                        "keys": ["a/b+"],
                        "content": "e",
                        "extensions": {},
                        "enabled": True,
                        "insertion_order": 1,
                        "use_regex": True,
                        "id": "x",
                    }
                ]
            },
        },
        Entry(0, ("/a\\/b+/i",), (), "", "e", is_selective=False, order=1),
    ),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_worldbooks_of_other_programs_become_entries_of_ours(kind):
    value, expected = FOREIGN[kind]
    data = json.dumps(value).encode()
    read = worldbook_of(data, "f.json")
    assert (read.kind, read.original) == (kind, data)
    assert read.parsed.worldbook.entries == (expected,)
    assert worldbook(read.content).entries == (expected,)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"entries": {"0": {"key": ["a",}}}', "line 1"),
        (b'{\n"entries": {}}\n}', "line 3, more text follows"),
        (b"[" * 100_000, "too deeply"),
        (b'{"entries": 5}', "no list of entries"),
        (b"[]", "no list of entries"),
        (b'{"entries": {}, "n": ' + b"9" * 5000 + b"}", "a number is too long"),
        (b"\xff\xff\xfe\x81\x81", "no text in UTF-8"),
        (b"", "line 1"),
    ],
)
def test_a_broken_file_is_refused_in_one_clear_line(data, said):
    with pytest.raises(InputError) as told:
        worldbook_of(data, "buch.json")
    assert said in str(told.value)
    assert str(told.value).startswith("buch.json")


def test_thousands_of_entries_are_changed_together():
    content = new_worldbook([{"key": [f"词{i}"], "content": "内容"} for i in range(3_000)])
    entries = worldbook(content).entries
    changed = edited(content, [(e, replace(e, is_disabled=True)) for e in entries])
    assert all(e.mode == "disabled" for e in worldbook(changed).entries)
    assert edited(changed, [(replace(e, is_disabled=True), e) for e in entries]) == content


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"entries": ', "a value is missing"),
        ("{'entries': 1}", "a name in double quotes is missing"),
        ('{"entries" 1}', "a colon is missing"),
        ('{"entries": 1 2}', "a comma is missing"),
        ('{"entries": "x', "no closing quotation mark"),
        ('{"entries": "\\x"}', "a backslash"),
        ('{"entries": {},}', "a comma has nothing behind it"),
        ('{"entries": [1,]}', "a comma has nothing behind it"),
        ('{"entries": {}} x', "more text follows"),
    ],
)
def test_what_is_no_json_is_said_in_words_that_can_be_translated(text, said):
    with pytest.raises(NotJson) as caught:
        read_json(text, "a.json")
    detail = caught.value.params["detail"]
    assert isinstance(detail, Phrase)
    assert said in detail


def test_an_entry_is_made_with_what_sillytavern_gives_a_new_one():
    (whole,) = parse_worldbook(new_worldbook([{}]), "").worldbook.entries
    assert whole == Entry(0)
    (bare,) = parse_worldbook(b'{"entries": {"0": {"uid": 0}}}', "").worldbook.entries
    assert bare == replace(Entry(0), is_selective=False, use_probability=False)  # what is not said


def test_writing_a_long_book_can_be_ended():
    said: list[int] = []

    def tick():
        said.append(len(said))
        if len(said) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        new_worldbook([{}] * 9, tick=tick)
    assert len(said) == 3


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"keys": ["海"], "content": "蓝"}, "character_book"),
        ({"key": ["海"], "content": "蓝"}, "sillytavern"),
        ({"key": ["海"], "keys": ["海"], "content": "蓝"}, "sillytavern"),
        ({"content": "蓝"}, "sillytavern"),
        (7, "sillytavern"),
    ],
)
def test_whose_a_book_is_is_told_by_the_names_of_its_keys(row, kind):
    assert kind_of({"entries": {"0": row}}) == kind_of({"entries": [row]}) == kind


# What replies change, in the three ways models are taught to write it; hostile ones do no harm.

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
