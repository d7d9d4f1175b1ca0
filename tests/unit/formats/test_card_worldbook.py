"""An edited worldbook goes back into its card: what was touched changes, every other byte stays."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from engram_desktop.domain.worldbooks.worldbook import (
    CARD_FIELDS,
    CharacterFilter,
    Entry,
    Logic,
    Position,
)
from engram_desktop.formats.cards import stored_form, with_worldbook
from engram_desktop.formats.worldbooks.world_info import added, edited, parse_worldbook, without

CARD = """{
\t"spec":"chara_card_v2", "x" : 1e-7,
\t"data": {"name": "爱丽丝", "character_book": {"name":"书","y":[1.0],"entries": [
\t\t{"keys":["门"],"content":"甲","mine":{"z":1e-7},"extensions":{"own":true},"enabled":true},
\t\t"no entry",
\t\t{"id":7,"keys":["/a,b/i"],"content":"乙","insertion_order":5,"name":"N"},
\t\t{"keys":["c.t"],"use_regex":true,"content":"丙","extensions":null,"case_sensitive":true}
\t]}, "tail": "\\ud83d"}
}"""


def card_bytes():
    return CARD.encode()


def content_of(card=None):
    worldbook = json.loads(card or card_bytes())["data"]["character_book"]
    return stored_form(worldbook, "x").content


def entries_of(content):
    return parse_worldbook(content, "x").worldbook.entries


def change(uid, **new):
    content = content_of()
    one = next(e for e in entries_of(content) if e.uid == uid)
    return edited(content, [(one, replace(one, **new))])


def written(content):
    return with_worldbook(card_bytes(), content, "x")


def test_an_unchanged_worldbook_keeps_every_byte_of_its_card():
    assert written(content_of()) == card_bytes()
    assert with_worldbook(b'{"data":{"name":"x"}}', b"", "x") == b'{"data":{"name":"x"}}'


def test_only_the_field_that_was_touched_is_other():
    made = written(change(0, content="新"))
    assert made == CARD.replace('"甲"', '"新"').encode()
    made = written(change(1, order=6, is_disabled=True, sticky=3))
    before = '"insertion_order":5,"name":"N"}'
    after = '"insertion_order":6,"name":"N","enabled":false,"extensions":{"sticky":3}}'
    assert json.loads(made) == json.loads(CARD.replace(before, after))
    assert made.startswith(CARD.split('"insertion_order"', maxsplit=1)[0].encode())


EVERY = Entry(
    0,
    keys=("甲", "/x{1,2}/i"),
    secondary_keys=("乙",),
    comment="题",
    content="文",
    is_constant=True,
    is_vectorized=True,
    is_selective=True,
    is_disabled=True,
    logic=Logic.AND_ALL,
    order=7,
    position=Position.OUTLET,
    ignore_budget=True,
    exclude_recursion=True,
    prevent_recursion=True,
    delay_until_recursion=2,
    matches=frozenset(CARD_FIELDS),
    probability=50,
    use_probability=False,
    depth=9,
    outlet_name="出口",
    group="组",
    group_override=True,
    group_weight=3,
    scan_depth=11,
    case_sensitive=True,
    match_whole_words=False,
    use_group_scoring=True,
    automation_id="id",
    role=2,
    sticky=1,
    cooldown=2,
    delay=3,
    triggers=("swipe",),
)


# a card has no place for a character filter
NAMES = [f.name for f in fields(Entry) if f.name not in ("uid", "character_filter")]


@pytest.mark.parametrize("uid", [0, 1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_every_field_comes_back_as_it_was_set(uid, name):
    value = getattr(EVERY, name)
    made = written(change(uid, **{name: value}))
    (one,) = [e for e in entries_of(content_of(made)) if e.uid == uid]
    assert getattr(one, name) == value
    others = [e for e in entries_of(content_of()) if e.uid != uid]
    assert [e for e in entries_of(content_of(made)) if e.uid != uid] == others
    for field in fields(Entry):
        if field.name not in (name, "uid"):
            old = getattr(entries_of(content_of())[uid], field.name)
            assert getattr(one, field.name) == old, field.name


def test_a_choice_taken_back_is_left_open_again():
    made = written(change(2, case_sensitive=None))
    assert entries_of(content_of(made))[2].case_sensitive is None
    kept = written(change(0, character_filter=CharacterFilter(("x",))))
    assert kept == card_bytes()


def test_bare_patterns_stay_patterns_when_keys_are_added():
    before = entries_of(content_of())[2]
    assert before.keys == ("/c.t/",)
    made = written(change(2, keys=("/c.t/", "门")))
    assert entries_of(content_of(made))[2].keys == ("/c.t/", "门")


def test_entries_are_added_and_deleted():
    content, new = added(content_of(), replace(EVERY, comment="新的"))
    made = written(content)
    assert made.startswith(CARD.rsplit("\n\t]}", 1)[0].encode())
    assert entries_of(content_of(made))[3] == replace(new, uid=3)
    row = json.loads(made)["data"]["character_book"]["entries"][4]
    assert (row["use_regex"], row["position"], row["enabled"]) == (True, "after_char", False)
    assert row["extensions"]["match_scenario"] is True
    entries = entries_of(content_of())
    less = written(without(content_of(), entries[:2]))
    assert [e.content for e in entries_of(content_of(less))] == ["丙"]
    assert json.loads(less)["data"]["character_book"]["entries"][0] == "no entry"
    none = json.loads(written(without(content_of(), entries)))
    assert none["data"]["character_book"] == {"name": "书", "y": [1.0], "entries": ["no entry"]}


def test_a_new_entry_under_a_number_that_was_used_takes_nothing_over():
    content = without(content_of(), entries_of(content_of())[:1])
    content, new = added(content, Entry(0, ("窗",), content="新"))
    assert new.uid == 0
    rows = json.loads(written(content))["data"]["character_book"]["entries"]
    assert [row["content"] for row in rows if isinstance(row, dict)] == ["乙", "丙", "新"]
    assert "mine" not in rows[-1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_a_card_of_another_encoding_and_line_ends_keeps_them(encoding):
    text = CARD.replace('"\\ud83d"', '"尾"').replace("\n", "\r\n")
    card = text.encode(encoding)
    worldbook = json.loads(text)["data"]["character_book"]
    content = stored_form(worldbook, "x").content
    assert with_worldbook(card, content, "x") == card
    one = entries_of(content)[0]
    made = with_worldbook(card, edited(content, [(one, replace(one, content="新"))]), "x")
    assert made == text.replace('"甲"', '"新"').encode(encoding)
