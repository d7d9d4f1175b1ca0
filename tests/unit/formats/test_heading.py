"""Headings of entries: kept through every file, seen by nobody else."""

from __future__ import annotations

import json
from dataclasses import replace

from engram_desktop.domain.worldbooks.worldbook import Entry
from engram_desktop.formats.cards import stored_form, with_worldbook, worldbook_in
from engram_desktop.formats.worldbooks import world_info

ENTRIES = {
    "0": {"uid": 0, "key": ["海"], "comment": "海", "content": "海。", "x": 1e-7, "group": "水"},
    "1": {"uid": 1, "comment": "山", "extensions": {"other": {"a": 1}, "engram": {"b": 2}}},
    "2": {"uid": 2, "comment": "坏", "extensions": {"engram": {"heading": 7}}},
}


def read(content):
    return {e.uid: e for e in world_info.parse_worldbook(content, "书").worldbook.entries}


def headed(content, uid, heading):
    entry = read(content)[uid]
    return world_info.edited(content, [(entry, replace(entry, heading=heading))])


def test_a_heading_is_added_changed_and_emptied_and_nothing_else_is_touched():
    content = json.dumps({"entries": ENTRIES}, ensure_ascii=False, indent=4).encode()
    assert [e.heading for e in read(content).values()] == ["", "", ""]
    once = headed(headed(content, 0, "地方"), 1, "地方")
    assert [e.heading for e in read(once).values()] == ["地方", "地方", ""]
    value = json.loads(once)["entries"]
    assert value["0"] == ENTRIES["0"] | {"extensions": {"engram": {"heading": "地方"}}}
    assert value["1"]["extensions"] == {"other": {"a": 1}, "engram": {"b": 2, "heading": "地方"}}
    assert read(once)[0].group == "水", "the inclusion group of SillyTavern's is another thing"
    assert "1e-07" in once.decode(), "numbers stay as they were written"
    assert headed(once, 0, "") != once
    assert read(headed(once, 0, ""))[0].heading == ""
    assert headed(once, 2, "山")


def test_a_new_entry_can_have_one():
    content = json.dumps({"entries": {}}).encode()
    added, entry = world_info.added(content, Entry(0, comment="海", heading="地方"))
    assert read(added)[entry.uid] == entry
    assert entry.heading == "地方"


def test_a_card_takes_it_along_and_gives_it_back():
    theirs = {"keys": ["海"], "content": "海。", "extensions": {"depth": 3}, "insertion_order": 5}
    bare = {"keys": ["山"], "content": "山。", "insertion_order": 5}
    card = json.dumps(
        {"data": {"name": "她", "character_book": {"entries": [theirs, bare]}}}
    ).encode()
    form = stored_form(json.loads(card)["data"]["character_book"], "她.json")
    content = headed(headed(form.content, 0, "地方"), 1, "地方")
    out = with_worldbook(card, content, "她.json")
    held = json.loads(out)["data"]["character_book"]["entries"]
    assert held[0] == theirs | {"extensions": {"depth": 3, "engram": {"heading": "地方"}}}
    assert held[1] == bare | {"extensions": {"engram": {"heading": "地方"}}}
    again = worldbook_in(json.loads(out))
    assert again is not None
    entries = stored_form(again[1], "她.json").parsed.worldbook.entries
    assert [entry.heading for entry in entries] == ["地方", "地方"]


def test_what_was_made_here_takes_no_field_of_the_deleted_one_whose_number_it_has():
    theirs = {"keys": ["海"], "content": "海。", "extensions": {"depth": 3, "x": 1}, "y": 2}
    card = json.dumps({"data": {"character_book": {"entries": [theirs]}}}).encode()
    form = stored_form(json.loads(card)["data"]["character_book"], "她.json")
    empty = world_info.without(form.content, form.parsed.worldbook.entries)
    content, _entry = world_info.added(empty, Entry(0, comment="新", heading="地方"))
    out = json.loads(with_worldbook(card, content, "她.json"))
    (held,) = out["data"]["character_book"]["entries"]
    assert "y" not in held
    assert "x" not in held["extensions"]
    assert held["extensions"]["engram"] == {"heading": "地方"}
