"""`engram tavern` and `engram import` on a whole SillyTavern folder."""

from __future__ import annotations

import json

import pytest

from engram_desktop.cli.main import main
from engram_desktop.cli.tavern_verbs import _item_line
from engram_desktop.domain.tavern.folder import TavernItem
from tests.tavern import TavernChatFile, make_tavern


@pytest.fixture
def tavern(tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl").say("在吗？", "在。", "好。")
    entry = {"uid": 0, "key": ["雨"], "content": "下雨。"}
    (handle / "worlds" / "世界观.json").write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    script = {"scriptName": "去思考", "findRegex": "/a/", "replaceString": ""}
    settings = {"extension_settings": {"regex": [script]}}
    (handle / "settings.json").write_text(json.dumps(settings), "utf-8")
    return tmp_path / "SillyTavern"


@pytest.fixture
def run(capsys, tmp_path):
    def call(*arguments):
        code = main([*map(str, arguments), "--library", str(tmp_path / "library"), "--json"])
        printed = capsys.readouterr()
        return code, json.loads(printed.out), printed.err

    return call


def test_everything_is_listed_with_its_state_and_taken_in_by_kind(run, tavern):
    code, found, _error = run("tavern", tavern)
    (handle,) = found["handles"]
    assert code == 0
    assert {(i["kind"], i["name"], i["state"]) for i in handle["items"]} == {
        ("world", "世界观", "new"),
        ("regex", "去思考", "new"),
    }
    code, rows, _error = run("tavern", tavern, "--import", "books", "scripts")
    assert code == 0
    assert [(r["kind"], r["added"]) for r in rows] == [("worldbook", 1), ("regex", 1)]
    code, rows, _error = run("tavern", tavern, "--import", "--follow")
    assert [(r["kind"], r["added"]) for r in rows] == [
        ("worldbook", 0),
        ("regex", 0),
        ("chat", 3),
    ]
    _code, found, _error = run("tavern", tavern)
    (handle,) = found["handles"]
    assert {i["state"] for i in handle["items"]} == {"here"}
    assert handle["characters"][0]["chats"][0]["state"] == "followed"


def test_a_folder_is_imported_whole_and_what_is_broken_is_named(run, tavern):
    (tavern / "data" / "default-user" / "worlds" / "坏的.json").write_text("{", "utf-8")
    code, rows, error = run("import", tavern)
    assert code == 1
    assert "坏的.json" in error
    assert {r["kind"]: r["added"] for r in rows} == {
        "worldbook": 1,
        "unknown": 0,
        "regex": 1,
        "chat": 3,
    }
    assert all({"file", "messages", "skipped", "warnings"} <= r.keys() for r in rows)
    _code, rows, _error = run("import", tavern)
    assert sum(r["added"] for r in rows) == 0


def test_twins_among_the_worldbooks_are_both_taken_in(run, tavern):
    worlds = tavern / "data" / "default-user" / "worlds"
    (worlds / "孪生.json").write_bytes((worlds / "世界观.json").read_bytes())
    _code, rows, _error = run("tavern", tavern, "--import", "books")
    assert sorted((r["name"], r["added"]) for r in rows) == [("世界观", 1), ("孪生", 1)]
    _code, found, _error = run("tavern", tavern)
    worldbooks = [i for i in found["handles"][0]["items"] if i["kind"] == "world"]
    assert {(i["name"], i["state"]) for i in worldbooks} == {("世界观", "here"), ("孪生", "here")}


def test_a_file_with_only_a_header_is_told_of_as_a_whole(capsys, tavern, tmp_path):
    chats = tavern / "data" / "default-user" / "chats" / "爱丽丝"
    header = {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}
    (chats / "空.jsonl").write_text(json.dumps(header), "utf-8")
    library = ("--library", str(tmp_path / "library"))
    assert main(["watch", str(tavern), "--once", *library]) == 0
    printed = capsys.readouterr()
    assert "there are no messages in it" in printed.out + printed.err
    assert "line 0" not in printed.out + printed.err


def test_characters_are_listed_with_what_they_bring(capsys, tavern, tmp_path):
    assert main(["tavern", str(tavern), "--library", str(tmp_path / "library")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.strip().startswith("爱丽丝") and " chats" in line for line in lines), lines
    assert not [line for line in lines if line.strip() == "None"]


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (("world", "世界观", 3, "", True), "世界观: 3 entries, for every chat"),
        (("world", "世界观", 3, "", False), "世界观: 3 entries"),
        (("preset", "默认", 2, "OpenAI", False), "默认 (OpenAI): 2 regex scripts"),
        (("regex", "去思考", 1, "", True), "去思考: on"),
        (("regex", "去思考", 1, "", False), "去思考: off"),
        (("persona", "旅人", 0, "", True), "旅人 (default)"),
        (("persona", "旅人", 0, "", False), "旅人"),
    ],
)
def test_what_a_folder_holds_is_a_line_each(item, line):
    kind, name, count, detail, is_on = item
    some = TavernItem(kind, name, "key", count=count, detail=detail, is_on=is_on)
    assert _item_line(some) == line
