"""`engram reflect`, `triage` and what an injection says of it, on the command line."""

from __future__ import annotations

import json

import pytest

from tests.fake_openai import FakeOpenAI

LOG = {"owner": "爱丽丝", "content": "我不该把钥匙给他的。", "emotion_tags": ["后悔"], "about": ""}


@pytest.fixture
def says():
    return {"answer": ""}


@pytest.fixture
def model(says, monkeypatch):
    with FakeOpenAI(answer=lambda _body: says["answer"]) as fake:
        monkeypatch.setenv("ENGRAM_LLM_BASE_URL", fake.url)
        monkeypatch.setenv("ENGRAM_LLM_MODEL", "fake-chat")
        yield fake


def test_looking_back(engram, chat, says, model):
    says["answer"] = json.dumps({"events": [{"summary": "卡尔烧了信。"}], "logs": [LOG]})
    code, plan = engram("reflect", chat, "--plan")
    assert (code, len(plan["blocks"]), model.seen) == (0, 2, [])
    code, made = engram("reflect", chat, "--range", "0-9")
    assert code == 0
    assert {k: made[k] for k in ("events_added", "logs_added", "floors", "llm_calls")} == {
        "events_added": 1,
        "logs_added": 1,
        "floors": 10,
        "llm_calls": 1,
    }
    assert set(made) > {"prompt_tokens", "completion_tokens", "failed", "known"}
    engram("logs", chat)
    assert engram.rows[0]["content"] == LOG["content"]
    engram("undo", chat)
    engram("logs", chat)
    assert engram.rows == []
    says["answer"] = "当然可以！"
    code, made = engram("reflect", chat, "--range", "0-9")
    assert (code, made["failed"][0]["raw"]) == (1, "当然可以！")


def test_triage(engram, chat, says, model):
    says["answer"] = '{"intent":"date","level":"EVENT","reasoning":"r","directives":{"a":"b"}}'
    code, found = engram("triage", chat, "--input", "带你去水族馆")
    assert (code, found) == (
        0,
        {"intent": "date", "level": "EVENT", "reasoning": "r", "directives": {"a": "b"}},
    )
    engram("settings", "inject.triage", "true")
    _code, made = engram("inject", chat, "--query", "水族馆")
    assert made["triage"]["level"] == "EVENT"
    says["answer"] = "?"
    assert engram("triage", chat, "--input", "早")[0] == 1
    _code, made = engram("inject", chat, "--query", "水族馆")
    assert (made["triage"], "names no level" in made["triage_fault"]) == (None, True)


@pytest.mark.parametrize("verb", [("triage", "--input", "早安"), ("reflect",)])
def test_without_an_endpoint_it_is_said_in_one_line(engram, chat, verb):
    code, _found = engram(verb[0], chat, *verb[1:])
    assert code == 1
    assert "No chat endpoint is set up." in engram.error
    assert engram.error.count("\n") == 1
