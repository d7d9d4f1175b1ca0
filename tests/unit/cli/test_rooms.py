"""The verbs of the rooms: play, state, SillyTavern, worldbooks, bin, search."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engram_desktop.cli.main import main
from engram_desktop.cli.tavern_verbs import _item_line
from engram_desktop.domain.tavern.folder import TavernItem
from tests.command_line import CommandLine
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.state_story import update, write_story
from tests.tavern import TavernChatFile, make_tavern

# Worldbooks on the command line: in, and back out byte for byte.

WORLDBOOK = (
    '{"entries":{"0":{"uid":0,"key":["门"],"content":"\\u94a5\\ud83d","w":1e-7,"role":null}}}'
)


def test_a_worldbook_goes_in_and_out_unchanged(engram, tmp_path):
    file = tmp_path / "门.json"
    file.write_bytes(b"\xef\xbb\xbf" + WORLDBOOK.encode())
    code, rows = engram("import", file)
    assert code == 0
    assert rows[0]["kind"] == "worldbook"
    assert (rows[0]["chat_id"], rows[0]["added"], rows[0]["name"]) == (None, 1, "门")
    target = tmp_path / "out.json"
    code, made = engram("export", "--format", "worldbook", "--book", "门", "-o", target)
    assert (code, made) == (0, {"file": str(target), "entries": 1})
    assert target.read_bytes() == file.read_bytes()
    assert engram("export", "--format", "worldbook", "--book", "门", "-o", target)[0] == 1
    assert "exists already" in engram.error


@pytest.mark.parametrize(
    "arguments",
    [
        ("--format", "worldbook"),
        ("--format", "markdown", "--book", "门"),
        ("故事", "--format", "worldbook", "--book", "门"),
    ],
)
@pytest.mark.usefixtures("chat")
def test_export_wants_a_chat_or_a_worldbook(engram, tmp_path, arguments):
    assert engram("export", *arguments, "-o", tmp_path / "x")[0] == 1
    assert "Name a chat" in engram.error


def test_cards_and_worldbooks_are_listed_and_changed(engram, tmp_path):
    card = {
        "spec": "chara_card_v2",
        "data": {
            "name": "爱丽丝",
            "character_book": {"entries": [{"keys": ["门"], "content": "x"}]},
        },
    }
    file = tmp_path / "爱丽丝.json"
    file.write_text(json.dumps(card), "utf-8")
    assert engram("import", file)[1][0]["kind"] == "card"
    assert engram("characters")[1][0]["name"] == "爱丽丝"
    (worldbook,) = engram("books")[1]
    assert (worldbook["owner"], worldbook["entries"]) == ("爱丽丝", 1)
    assert engram("book", worldbook["name"])[1]["entries"][0]["mode"] == "selective"
    changed = engram("book", worldbook["id"], "--mode", "constant", "--every-chat")[1]
    assert (changed["is_global"], changed["entries"][0]["mode"]) == (True, "constant")
    target = tmp_path / "out.json"
    assert engram("export", "--format", "card", "--character", "爱丽丝", "-o", target)[0] == 0
    written = json.loads(target.read_text("utf-8"))["data"]["character_book"]["entries"]
    assert written == [{"keys": ["门"], "content": "x", "constant": True}]
    assert engram("book", worldbook["id"], "--delete") == (0, {"deleted": worldbook["name"]})
    assert engram("books")[1] == []


def test_a_chat_is_held_against_a_worldbook(engram, tmp_path):
    chat = write_chat(tmp_path / "故事.jsonl", story_rows(6))
    chat_id = engram("import", chat)[1][0]["chat_id"]
    worldbook = tmp_path / "书.json"
    rows = {"0": {"uid": 0, "key": ["酒馆"], "content": "x"}, "1": {"uid": 1, "key": ["没有"]}}
    worldbook.write_text(json.dumps({"entries": rows}), "utf-8")
    engram("import", worldbook)
    code, found = engram("activate", chat_id, "--book", "书")
    assert code == 0
    assert found["fired"] == [["书", 0]]
    assert [row["why"] for row in found["entries"]] == ["key", "no_mention"]
    assert all(row["reason"] for row in found["entries"])
    places = ["position=4", "depth=2", "role=2", "automationId=铃"]
    engram("book", "书", "--entry", "0", *[part for one in places for part in ("--set", one)])
    only = '{"names": ["别人"], "tags": []}'
    engram("book", "书", "--entry", "1", "--set", f"characterFilter={only}")
    stands, other = engram("activate", chat_id, "--book", "书")[1]["entries"]
    assert (stands["position"], stands["depth"], stands["role"]) == ("at_depth", 2, "assistant")
    assert (stands["outlet"], stands["order"], stands["automation_id"]) == (None, 100, "铃")
    assert (other["depth"], other["reason"]) == (None, "It is only for other characters: 别人.")
    assert engram("activate", chat_id, "--book", "无")[0] == 1
    assert engram("activate", chat_id)[1]["fired"] == []
    engram("book", "书", "--on-in", chat_id)
    assert engram("activate", chat_id)[1]["fired"] == [["书", 0]]
    engram("book", "书", "--off-in", chat_id)
    assert engram("activate", chat_id)[1]["entries"] == []


def test_a_memory_is_kept_in_a_file(engram, tmp_path):
    chat = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = engram("import", chat)[1][0]["chat_id"]
    engram("summarise", chat_id, "--extractor", "extractive")
    file = tmp_path / "[Engram] 爱丽丝.json"
    made = engram("export", chat_id, "--format", "worldbook", "-o", file, "--keep")[1]
    assert made["entries"] == len(json.loads(file.read_text("utf-8"))["entries"]) > 3
    (row,) = engram("kept")[1]
    assert (row["path"], row["chat_id"], row["trouble"]) == (str(file), chat_id, "")
    event = engram("activate", chat_id, "--with-memory")[1]["entries"]
    assert {"constant", "disabled"} <= {outcome["why"] for outcome in event}
    file.unlink()
    code, (row,) = engram("kept", "--sync")
    assert (code, row["fault"], file.exists()) == (1, "missing", False)
    code, (row,) = engram("kept", file, "--sync")
    assert (code, row["is_written"], file.exists()) == (0, True, True)
    assert engram("kept", file, "--stop")[0] == 0
    assert engram("kept")[1] == []
    assert engram("kept", file, "--stop")[0] == 1
    assert engram("export", chat_id, "--format", "json", "-o", tmp_path / "x", "--keep")[0] == 1
    assert "--format worldbook" in engram.error


def test_a_kept_file_that_was_changed_is_moved_from_or_taken(engram, tmp_path):
    chat = write_chat(tmp_path / "故事.jsonl", story_rows(20))
    chat_id = engram("import", chat)[1][0]["chat_id"]
    engram("summarise", chat_id, "--extractor", "extractive")
    file, other = tmp_path / "旧.json", tmp_path / "新.json"
    engram("export", chat_id, "--format", "worldbook", "-o", file, "--keep")
    held = json.loads(file.read_text("utf-8"))
    held["entries"].popitem()
    file.write_text(json.dumps(held), "utf-8")
    code, (row,) = engram("kept", "--sync")
    assert (code, row["fault"]) == (1, "changed")
    code, row = engram("kept", file, "--to", other)
    assert (code, row["path"], row["fault"]) == (0, str(other), "")
    assert json.loads(file.read_text("utf-8")) == held
    assert engram("kept", file, "--take")[0] == 1  # it is kept no more
    other.write_text(json.dumps(held), "utf-8")
    code, row = engram("kept", other, "--take")
    assert (code, row["kind"], row["name"]) == (0, "worldbook", "新")
    assert engram("kept")[1] == []
    assert engram("book", "新")[1]["title"] == "[Engram] 爱丽丝"


def test_what_was_changed_in_a_kept_file_is_compared_and_merged(engram, tmp_path):
    chat = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = engram("import", chat)[1][0]["chat_id"]
    engram("summarise", chat_id, "--extractor", "extractive")
    file = tmp_path / "书.json"
    engram("export", chat_id, "--format", "worldbook", "-o", file, "--keep")
    held = json.loads(file.read_text("utf-8"))
    first, second = [n for n, row in held["entries"].items() if "剧情摘要" in row["key"]][:2]
    for number in (first, second):
        held["entries"][number]["content"] = f"灯塔{number}亮了。"
    file.write_text(json.dumps(held), "utf-8")
    code, rows = engram("kept", file, "--compare")
    assert (code, [(row["happened"], row["suggested"]) for row in rows]) == (
        0,
        [("edited", "there")] * 2,
    )
    assert rows[0]["there"]["content"] == f"灯塔{first}亮了。" != rows[0]["here"]["content"]
    assert engram("kept", file, "--merge", "--here", "12345")[0] == 1
    code, row = engram("kept", file, "--merge", "--here", "--there", first)
    assert (code, row["taken"], row["left"], row["fault"]) == (0, 1, 1, "")
    text = file.read_text("utf-8")
    assert f"灯塔{first}亮了。" in text
    assert f"灯塔{second}亮了。" not in text
    assert engram("kept", file, "--compare")[1] == []


def test_any_field_of_entries_is_set_by_its_name(engram, tmp_path):
    file = tmp_path / "门.json"
    rows = {str(n): {"uid": n, "key": ["门"], "x": 1e-7} for n in range(2)}
    file.write_text(json.dumps({"entries": rows}), "utf-8")
    engram("import", file)
    fields = ["order=7", "outletName=海", "matchScenario=true", "matchCreatorNotes=true"]
    fields += ('triggers=["swipe"]', "key=门, /a{1,2}/i ，窗", "delayUntilRecursion=2")
    fields += ('characterFilter={"names":["爱丽丝"],"isExclude":true}', "useGroupScoring=null")
    flags = [part for field in fields for part in ("--set", field)]
    changed = engram("book", "门", "--entry", "0", *flags)[1]["entries"]
    (entry,) = changed
    assert entry["matches"] == ["creator_notes", "scenario"]
    assert entry["keys"] == ["门", "/a{1,2}/i", "窗"]
    assert (entry["order"], entry["outlet_name"], entry["triggers"]) == (7, "海", ["swipe"])
    target = tmp_path / "out.json"
    engram("export", "--format", "worldbook", "--book", "门", "-o", target)
    written = json.loads(target.read_text("utf-8"))["entries"]
    assert written["1"] == rows["1"]
    assert written["0"]["characterFilter"]["names"] == ["爱丽丝"]
    assert engram("book", "门", "--add", "--set", "comment=新")[1]["entries"][0]["uid"] == 2
    assert engram("book", "门", "--entry", "2", "--drop")[0] == 0
    assert len(engram("book", "门")[1]["entries"]) == 2
    assert engram("book", "门", "--drop")[0] == 1


@pytest.mark.parametrize(
    "field",
    [
        "order",
        "nothing=1",
        "order=x",
        "order=NaN",
        "probability=101",
        "position=9",
        "mode=blue",
        "triggers=never",
        'depth="4"',
        "constant=2",
        "matchScenario=1",
        "characterFilter=[]",
    ],
)
def test_a_bad_field_changes_nothing(engram, tmp_path, field):
    file = tmp_path / "门.json"
    file.write_text(WORLDBOOK, "utf-8")
    engram("import", file)
    assert engram("book", "门", "--set", field)[0] == 1
    assert engram.error.count("\n") == 1
    target = tmp_path / "out.json"
    engram("export", "--format", "worldbook", "--book", "门", "-o", target)
    assert target.read_bytes() == file.read_bytes()


def test_a_character_is_shown_written_and_removed(engram, tmp_path):
    worldbook = {"entries": [{"keys": ["门"], "content": "x"}]}
    data = {"name": "爱丽丝", "description": "主人", "character_book": worldbook}
    card = {"spec": "chara_card_v2", "data": data}
    file = tmp_path / "爱丽丝.json"
    file.write_text(json.dumps(card), "utf-8")
    engram("import", file)
    sheet = engram("characters", "爱丽丝")[1]
    assert sheet["character"]["description"] == "主人"
    assert [worldbook["entries"] for worldbook in sheet["books"]] == [1]
    engram("book", sheet["books"][0]["id"], "--set", "order=7")
    target = tmp_path / "out.json"
    assert engram("characters", "爱丽丝", "--export", target)[1]["file"] == str(target)
    row = json.loads(target.read_text("utf-8"))["data"]["character_book"]["entries"][0]
    assert row == {"keys": ["门"], "content": "x", "insertion_order": 7}
    assert engram("characters", "爱丽丝", "--export", tmp_path / "x.png")[0] == 1
    assert "without a picture" in engram.error
    assert engram("characters", "--delete")[0] == 1
    assert engram("characters", "爱丽丝", "--delete", "--with-book")[0] == 0
    assert engram("characters")[1] == engram("books")[1] == []


def test_what_was_done_to_the_library_is_undone_without_naming_a_chat(engram, tmp_path):
    assert engram("undo")[0] == 1
    assert "nothing to undo" in engram.error
    file = tmp_path / "门.json"
    file.write_text(WORLDBOOK, "utf-8")
    engram("import", file)
    chat = engram("import", write_chat(tmp_path / "故事.jsonl", story_rows(4)))[1][0]["chat_id"]
    engram("book", "门", "--on-in", chat)
    engram("book", "门", "--entry", "0", "--set", "content=开")
    assert engram("book", "门", "--rename", "大门")[1]["name"] == "大门"
    assert engram("undo")[1]["label"] == "Rename the world book “门” to “大门”"
    engram("book", "门", "--delete")
    code, told = engram("undo")
    assert code == 0
    assert told["label"] == "Delete the world book “门”"
    assert told["changes"]["books"]
    assert engram("book", "门")[1]["entries"][0]["content"] == "开"
    assert engram("undo")[1]["label"] == "Edit the entry “门” of “门”"
    assert engram("redo")[1]["label"] == "Edit the entry “门” of “门”"
    rows = engram("history")[1]
    assert [(row["label"], row["is_undone"]) for row in rows] == [
        ("Delete the world book “门”", True),
        ("Edit the entry “门” of “门”", False),
        ("Switch “门” on in the chat “故事”", False),
        ("Import the world book “门”", False),
    ]
    assert engram("history", chat)[1] == []
    assert engram("undo", chat)[0] == 1


# `engram tavern` and `engram import` on a whole SillyTavern folder.


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
    assert [(r["kind"], r["added"]) for r in rows] == [("worldbook", 0), ("regex", 0), ("chat", 3)]
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


# `engram play`: written scenes, a card, commands in a line.


@pytest.fixture
def say(monkeypatch):
    """Put lines on standard input."""

    def put(*lines):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))

    return put


def test_a_written_scene_is_played_to_its_end(engram):
    code, rows = engram.all_of("play", "--scene", "aquarium", "--turns", "9")
    assert code == 0
    assert [row.get("level") for row in rows] == [None, "CHAT", "EVENT", "ROUTINE", "EVENT"]
    assert rows[2]["event"]["location"] == "水族馆"
    assert {"path": "character.affinity", "old": 61, "new": 76} in rows[2]["state"]
    assert rows[4]["recalled"]
    code, rows = engram.all_of("events", "水族馆的约会")
    assert len(rows) == 1


def test_lines_are_turns_and_commands(engram, say):
    say(
        "*摸摸头*",
        "/reroll",
        "/swipe 1",
        "/undo",
        "/level EVENT",
        "再摸一下",
        "/nonsense",
        "/quit",
        "x",
    )
    code, rows = engram.all_of("play", "--scene", "headpat", "--language", "en")
    assert code == 0
    assert [row.get("floor") for row in rows] == [0, 2, 2, 2, None, 4]
    assert rows[1]["reply"] != rows[2]["reply"]
    assert rows[3]["reply"] == rows[1]["reply"]
    assert "Choose reading 1" in rows[4]["undone"]
    assert (rows[5]["level"], rows[5]["level_by"]) == ("EVENT", "hand")
    assert "/nonsense" in engram.error


def test_a_card_is_talked_with_and_gone_on_with(engram, say, tmp_path, monkeypatch):
    card = {"spec": "chara_card_v2", "data": {"name": "Alice", "first_mes": "Hi {{user}}."}}
    path = tmp_path / "Alice.json"
    path.write_text(json.dumps(card), "utf-8")
    assert engram.run("import", path) == 0
    with FakeOpenAI(answer=lambda body: "<reply>Fine.</reply>") as server:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", server.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "fake-chat")
        say("How are you?", "/continue", "/next Alice", "/delete")
        code, rows = engram.all_of("play", "--card", "Alice", "--player", "Tom")
        assert code == 0
        assert [row.get("reply") for row in rows] == [
            "Hi Tom.", "Fine.", "Fine.Fine.", "Fine.", None,
        ]  # fmt: skip
        say("And now?")
        code, rows = engram.all_of("play", "Alice", "--level", "ROUTINE", "--as", "Alice")
        assert (code, rows[0]["floor"], rows[0]["level"]) == (0, 4, "ROUTINE")
        target = tmp_path / "alice.jsonl"
        assert engram.run("export", "Alice", "--format", "chat", "-o", target) == 0
        assert len(target.read_text("utf-8").splitlines()) == 6


def test_it_says_what_is_missing(engram, say):
    say("hello")
    assert engram.run("play") == 1
    assert "--card" in engram.error
    assert engram.run("play", "--scene", "nowhere") == 1
    assert engram.run("play", "--card", "Nobody") == 1


def test_a_session_is_closed_with_a_look_back(engram, say, monkeypatch):
    log = {"owner": "爱丽丝", "content": "他摸了摸我的头，我很开心。"}
    answer = json.dumps({"events": [], "logs": [log]}, ensure_ascii=False)
    with FakeOpenAI(answer=lambda _body: answer) as server:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", server.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "usual")
        say("*摸摸头*", "/close", "/quit")
        code, rows = engram.all_of("play", "--scene", "headpat")
    assert code == 0
    assert rows[-1] == {"logs": 1, "events": 0}


def test_the_end_of_a_session_is_looked_back_on(engram, say, monkeypatch):
    log = {"owner": "爱丽丝", "content": "他今天又摸了我的头。", "emotion_tags": ["安心"]}
    answer = json.dumps({"events": [], "logs": [log]}, ensure_ascii=False)
    say("*摸摸头*", "/quit")
    with FakeOpenAI(answer=lambda _body: answer) as server:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", server.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "fake-chat")
        code, rows = engram.all_of("play", "--scene", "headpat")
        assert code == 0
        assert rows[-1] == {"looked_back": {"logs": 1, "events": 0, "drafts": 0}}
        assert engram.run("settings", "reflect.auto", "false") == 0
        before = len(server.seen)
        say("*摸摸头*", "/quit")
        assert engram.run("play", "--scene", "headpat") == 0
        assert len(server.seen) == before


# `engram state`: the tree as JSON, at a floor, with its log; set by hand and undone.


def test_the_state_is_shown_set_and_undone(tmp_path, capsys):
    library = str(tmp_path / "lib")

    def engram(*words):
        code = main(["--library", library, *words])
        return code, capsys.readouterr().out

    story = write_story(tmp_path / "故事.jsonl", [update(1), update("很多")])
    assert engram("import", str(story))[0] == 0
    tree: dict[str, dict[str, Any]] = {"爱丽丝": {"好感度": [51, "喜爱"], "心情": "平静"}}
    assert json.loads(engram("--json", "state", "故事")[1]) == tree
    tree["爱丽丝"]["好感度"][0] = 50
    assert json.loads(engram("--json", "state", "故事", "--at", "1")[1]) == tree
    rows = json.loads(engram("--json", "state", "故事", "--log")[1])
    lines = engram("state", "故事", "--log")[1].splitlines()
    assert lines[2] == "    2  爱丽丝.好感度: 50 -> 51"
    assert lines[3].startswith("    4  爱丽丝.好感度: left as it is  (a number")
    assert [(row["floor"], row["teller"]) for row in rows] == [
        (0, "begin"),
        (2, "reply"),
        (4, "reply"),
    ]
    assert "number" in rows[-1]["changes"][0]["fault"]
    said = engram("state", "故事", "--set", '爱丽丝.心情="开心"')[1]
    assert "爱丽丝.心情: 开心" in said
    assert "爱丽丝.好感度: 51  (喜爱)" in said
    assert engram("state", "故事", "--remove", "爱丽丝.心情")[1] == "爱丽丝.好感度: 51  (喜爱)\n"
    assert engram("undo", "故事")[0] == 0
    assert "心情: 开心" in engram("state", "故事")[1]
    assert engram("state", "故事", "--set", "不是赋值")[0] == 1
    assert engram("state", "故事", "--at", "99")[0] == 1


# Chats are deleted, listed, brought back and deleted for good on the command line.


def test_a_chat_goes_comes_back_and_goes_for_good(engram, tmp_path):
    made = engram("import", write_chat(tmp_path / "月光.jsonl", story_rows(6)))[1]
    chat = made[0]["chat_id"]
    assert engram("trash") == (0, [])
    assert engram("delete", "月光") == (0, {"chat_id": chat, "name": "月光"})
    assert engram("chats")[1] == []
    (row,) = engram("trash")[1]
    assert (row["name"], row["chat_id"]) == ("月光", chat)
    assert engram("trash", "--restore", "月光") == (0, {"chat_id": chat, "name": "月光"})
    assert engram("chats")[1][0]["messages"] == 6
    assert engram("trash", "--restore", "月光")[0] == 1
    assert "deleted chat" in engram.error
    engram("delete", chat)
    for wish in (["--empty"], ["--delete", "月光"]):
        assert engram("trash", *wish)[0] == 1
        assert "--yes" in engram.error
    code, gone = engram("trash", "--empty", "--yes")
    assert (code, len(gone)) == (0, 1)
    assert engram("trash") == (0, [])
    engram("import", tmp_path / "月光.jsonl")
    engram("delete", "月光")
    assert engram("trash", "--delete", "月光", "--yes")[1][0]["name"] == "月光"
    assert engram("trash") == (0, [])


# `engram search`: the whole library from the command line.

ROWS = [("旅人", "早上好。"), ("爱丽丝", "钥匙在座钟里。"), ("爱丽丝", "（心想：国王是他。）")]


@pytest.fixture
def searching_engram(tmp_path, capsys):
    line = CommandLine(tmp_path / "lib", capsys)
    assert line("import", write_chat(tmp_path / "故事.jsonl", ROWS))[0] == 0
    return line


def test_hits_are_printed_in_groups_with_their_words(searching_engram, capsys):
    assert main(["--library", str(searching_engram.library), "search", "钥匙"]) == 0
    assert capsys.readouterr().out == "message: 1\n  故事  1  爱丽丝  [钥匙]在座钟里。\n"


def test_as_json_with_places(searching_engram):
    code, found = searching_engram("search", "type:message", "座钟", "--type", "message")
    assert (code, found["count"]) == (0, 1)
    (hit,) = found["groups"][0]["hits"]
    assert (hit["floors"], hit["marks"]) == ([1, 1], [[3, 5]])


def test_as_somebody_only_what_they_know(searching_engram):
    assert searching_engram("search", "国王", "--chat", "故事")[1]["count"] == 1
    assert searching_engram("search", "国王", "--chat", "故事", "--as", "旅人")[1]["count"] == 0
    assert searching_engram.run("search", "国王", "--as", "旅人") == 1
    assert searching_engram.run("search", "国王", "--chat", "没有") == 1
