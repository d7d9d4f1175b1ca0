"""Worldbooks on the command line: in, and back out byte for byte."""

from __future__ import annotations

import json

import pytest

from tests.factories import story_rows, write_chat

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
        ("Chat", "--format", "worldbook", "--book", "门"),
    ],
)
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
