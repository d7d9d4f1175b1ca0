"""Chats are deleted, listed, brought back and deleted for good on the command line."""

from __future__ import annotations

from tests.factories import story_rows, write_chat


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
