"""Profiles kept by a model: a real server answers, what it says is written as one step."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import NotConfigured
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()


def answer(body):
    """Say one thing of everybody whose profile is sent."""
    text = body["messages"][-1]["content"]
    asked = [json.loads(line) for line in text.splitlines() if line.startswith('{"name"')]
    rows = [
        {"name": e["name"], "set": {"见过": f"{len(e['profile'])}次", "旧事": None}} for e in asked
    ]
    return json.dumps({"profiles": rows}, ensure_ascii=False)


@pytest.fixture
def server():
    with FakeOpenAI(answer=answer) as server:
        yield server


@pytest.fixture
def chat(open_memory, server, tmp_path):
    """A consolidated chat of 60 floors, and its library."""
    memory = open_memory(**{"llm.base_url": server.url, "llm.model": "fake-chat"})
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 59), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    return memory, chat_id


def test_what_is_new_is_asked_once_and_undone_in_one_step(chat, server):
    memory, chat_id = chat
    alice = memory.graph.find_entity(chat_id, "爱丽丝")
    memory.graph.update_entity(chat_id, alice.id, profile={"身份": "老板", "旧事": "无"})
    report = memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    assert (report.failed, report.llm_calls > 0, report.updated > 1) == ((), True, True)
    again = memory.graph.find_entity(chat_id, "爱丽丝")
    assert again.profile == {"身份": "老板", "见过": "2次"}
    assert "见过: 2次" in again.description
    assert (
        memory.pipeline.update_profiles(CTX, Line.main(chat_id)).llm_calls == 0
    )  # nothing new was told
    memory.history.undo(chat_id)
    assert memory.graph.find_entity(chat_id, "爱丽丝").profile == {"身份": "老板", "旧事": "无"}
    assert (
        memory.pipeline.update_profiles(CTX, Line.main(chat_id)).llm_calls > 0
    )  # the cursor went back too
    assert "月光酒馆" in server.seen[-1].body["messages"][-1]["content"]


def test_locked_entities_are_left_alone(chat):
    memory, chat_id = chat
    alice = memory.graph.find_entity(chat_id, "爱丽丝")
    memory.graph.update_entity(chat_id, alice.id, profile={"身份": "老板"}, locked=True)
    report = memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    assert alice.id not in report.changes.entities
    assert memory.graph.find_entity(chat_id, "爱丽丝").profile == {"身份": "老板"}


def test_an_answer_that_cannot_be_used_moves_nothing(chat, server):
    memory, chat_id = chat
    server.faults = ["garbage"]
    report = memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    assert (report.updated, report.events, report.changes.undo_label) == (0, 0, None)
    assert report.failed
    assert memory.pipeline.update_profiles(CTX, Line.main(chat_id)).updated > 0


def test_what_waits_in_the_buffer_is_left_for_later(chat, tmp_path):
    memory, chat_id = chat
    memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    more = write_chat(tmp_path / "more.jsonl", story_rows(90))
    memory.imports.import_file(CTX, more, into=chat_id)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (60, 89), "extractive")
    assert memory.pipeline.update_profiles(CTX, Line.main(chat_id)).events == 0
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert memory.pipeline.update_profiles(CTX, Line.main(chat_id)).events > 0


def test_without_a_model_it_says_so(open_memory, tmp_path):
    memory = open_memory()
    chat_id = memory.imports.import_file(
        CTX, write_chat(tmp_path / "a.jsonl", story_rows(5))
    ).chat_id
    with pytest.raises(NotConfigured):
        memory.pipeline.update_profiles(CTX, Line.main(chat_id))


def test_the_messages_themselves_are_read_where_that_is_wanted(chat, server):
    memory, chat_id = chat
    memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    said = server.seen[-1].body["messages"][-1]["content"]
    assert "<chat_history>\n—\n</chat_history>" in said
    memory.history.undo(chat_id)
    memory.settings.set("entities.dialogue", True, chat_id)
    before = len(server.seen)
    memory.pipeline.update_profiles(CTX, Line.main(chat_id))
    asked = [seen.body["messages"][-1]["content"] for seen in server.seen[before:]]
    lines = [line for text in asked for line in text.splitlines() if line.startswith("[")]
    assert {f"[{n}]" for n in range(59)} <= {line.split()[0] for line in lines}
    assert len(lines) == len(set(lines))  # each message once
