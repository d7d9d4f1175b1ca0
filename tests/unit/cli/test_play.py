"""`engram play`: written scenes, a card, commands in a line."""

from __future__ import annotations

import io
import json

import pytest

from tests.fake_openai import FakeOpenAI


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
