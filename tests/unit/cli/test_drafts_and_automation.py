"""Drafts and automation from the command line."""

from __future__ import annotations

import json

import pytest

from tests.command_line import CommandLine
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)


@pytest.fixture
def llm(monkeypatch):
    with FakeOpenAI(answer=lambda body: ANSWER) as server:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", server.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "fake-chat")
        yield server


@pytest.fixture
def engram(tmp_path, capsys, llm):
    run = CommandLine(tmp_path / "library", capsys)
    for key, value in {"embed.local": "hash", "index.backend": "exact"}.items():
        run("settings", key, value)
    run("settings", "llm.parallel", 1)
    return run


@pytest.fixture
def chat(engram, tmp_path):
    _code, report = engram("import", write_chat(tmp_path / "故事.jsonl", story_rows(60)))
    return report[0]["chat_id"]


def test_a_summary_to_review_is_accepted_or_discarded(engram, chat):
    code, made = engram("summarise", chat, "--review")
    assert (code, made["waiting"], made["events_added"]) == (0, 2, 0)
    _code, (first, second) = engram("drafts", chat)
    assert (first["state"], first["start_index"], first["end_index"]) == ("waiting", 0, 24)
    assert first["events"][0]["summary"] == "爱丽丝把铜钥匙交给旅人。"
    code, shown = engram("draft", chat, first["id"][:8])
    assert (code, shown["id"]) == (0, first["id"])
    assert engram("draft", chat, first["id"], "--accept") == (
        0,
        {"saved": 1, "events_added": 1, "outdated": []},
    )
    assert engram("draft", chat, second["id"], "--discard")[0] == 0
    assert engram("drafts", chat) == (0, [])
    assert engram("stats", chat)[1]["events"] == 1


def test_a_failed_answer_is_mended_in_a_file(engram, llm, chat, tmp_path):
    llm.faults = ["garbage", "garbage"]
    code, made = engram("summarise", chat, "--range", "0-24")
    assert (code, len(made["failed"]), made["llm_calls"]) == (1, 1, 2)
    _code, (failed,) = engram("drafts", chat)
    assert failed["state"] == "failed"
    assert engram("draft", chat, failed["id"], "--accept")[0] == 1
    assert "--raw" in engram.error
    mended = tmp_path / "mended.json"
    mended.write_text("no JSON at all", encoding="utf-8")
    assert engram("draft", chat, failed["id"], "--raw", mended)[0] == 1
    mended.write_text(ANSWER, encoding="utf-8")
    code, report = engram("draft", chat, failed["id"], "--raw", mended)
    assert (code, report["events_added"]) == (0, 1)
    assert engram("draft", chat, "nobody")[0] == 1


def test_a_redo_is_compared_before_it_is_taken(engram, chat):
    engram("summarise", chat)
    _code, made = engram("summarise", chat, "--redo", "3-9")
    assert (made["waiting"], made["events_added"]) == (1, 0)
    _code, (draft,) = engram("drafts", chat)
    assert (draft["purpose"], draft["end_index"]) == ("redo", 24)
    assert engram("draft", chat, draft["id"], "--accept")[0] == 0
    assert engram("stats", chat)[1]["events"] == 2


def test_automation_asks_before_a_backlog_and_keeps_to_the_limit(engram, llm, chat):
    engram("settings", "summary.interval", 5)
    code, plan = engram("auto", chat, "--plan")
    assert (code, plan["standing"], len(plan["blocks"])) == (0, "consent", 10)
    assert engram("auto", chat)[1]["plan"]["standing"] == "consent"
    assert llm.bodies() == []
    engram("settings", "entities.interval", 0)
    engram("settings", "llm.daily_tokens", 5000)
    code, _nothing = engram("auto", chat, "--yes")
    assert code == 1
    assert "5,000" in engram.error
    stats = engram("stats", chat)[1]
    assert stats["events"] == len(llm.bodies()) > 0
    assert stats["today"]["calls"] == len(llm.bodies())
    assert stats["usage"][0]["calls"] == len(llm.bodies())
    engram("settings", "llm.daily_tokens", 0)
    code, report = engram("auto", chat, "--yes")
    assert (code, report["plan"]["standing"]) == (0, "idle")


def test_memory_that_is_off_says_so(engram, chat):
    engram("settings", "memory.mode", "off", "--chat", chat)
    assert engram("summarise", chat)[0] == 1
    assert "Memory is off" in engram.error
