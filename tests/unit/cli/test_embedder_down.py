"""With the embedding endpoint down, what is known by words and old vectors is still told."""

from __future__ import annotations

import json
import os

import pytest

from engram_desktop.cli.main import main
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI


@pytest.fixture
def engram(tmp_path, capsys, monkeypatch):
    """Run one command; returns (exit code, standard output, standard error)."""
    for name in [n for n in os.environ if n.startswith("ENGRAM_")]:
        monkeypatch.delenv(name)

    def run(*arguments):
        code = main([*map(str, arguments), "--library", str(tmp_path / "library")])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    run("settings", "index.backend", "exact")
    return run


@pytest.fixture
def chat(engram, tmp_path):
    """A chat of which only a part has vectors, of a server that is gone."""
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = json.loads(engram("import", file, "--json")[1])[0]["chat_id"]
    with FakeOpenAI() as server:
        engram("settings", "embed.base_url", server.url)
        engram("settings", "embed.model", "fake-embed")
        assert engram("recall", chat_id, "--query", "铜钥匙")[0] == 0
    engram("summarise", chat_id, "--range", "0-24")
    return chat_id


def test_recall_answers_and_says_what_was_missing(engram, chat):
    code, out, _err = engram("recall", chat, "--query", "第7把铜钥匙", "--json")
    row = json.loads(out)
    assert code == 0
    assert row["items"]
    assert row["degraded"] == ["embedding"]
    code, out, _err = engram("recall", chat, "--query", "第7把铜钥匙")
    assert code == 0
    assert "degraded, could not take part: embedding" in out


def test_inject_answers_and_says_what_was_missing(engram, chat):
    code, out, _err = engram("inject", chat, "--query", "第7把铜钥匙", "--json")
    row = json.loads(out)
    assert code == 0
    assert "铜钥匙" in row["text"]
    assert row["degraded"] == ["embedding"]
    code, out, err = engram("inject", chat, "--query", "第7把铜钥匙")
    assert code == 0
    assert "铜钥匙" in out
    assert "degraded" not in out  # it is meant for a prompt
    assert "degraded, could not take part: embedding" in err


def test_a_summary_with_a_dead_model_says_why_and_ends_with_1(engram, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat_id = json.loads(engram("import", file, "--json")[1])[0]["chat_id"]
    with FakeOpenAI() as server:
        url = server.url
    engram("settings", "llm.base_url", url)
    engram("settings", "llm.model", "m")
    code, out, err = engram("summarise", chat_id, "--all", "--json")
    report = json.loads(out)
    assert code == 1
    assert "did not answer" in report["stopped"]
    assert len(report["failed"]) + report["not_begun"] == 2
    assert "did not answer" in err
