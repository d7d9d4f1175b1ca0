"""Trimmed outlines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import (
    EventPatch,
    EventQuery,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.outline import cost_of as visible_tokens
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.keys import KeyStore
from engram_desktop.services.library.session import Clients
from engram_desktop.services.library.usage import Meter
from engram_desktop.services.pipeline.step_context import StepContext
from engram_desktop.services.pipeline.trim import trim
from engram_desktop.storage.library.library import Library
from tests.factories import (
    import_chat,
    make_event,
    make_extraction,
    make_store,
    model_at,
    story_rows,
)
from tests.fake_openai import FakeOpenAI

CTX = NullContext()

# 精简: outlines of any level, back to the originals, and a limit that holds at any length.


def no_library() -> Library:
    raise AssertionError("trimming without a model asks no library")


@pytest.fixture
def chat_id(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(400))
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 399), "extractive")
    return chat_id


def find_events(memory, chat_id, **query):
    pks = memory.events.find(chat_id, EventQuery(**query))
    found = memory.events.fetch(chat_id, pks)
    return [found[pk] for pk in pks]


def test_the_oldest_become_an_outline_that_names_them_and_can_be_taken_apart(memory, chat_id):
    before = find_events(memory, chat_id)
    report = memory.pipeline.trim(CTX, Line.main(chat_id), limit=visible_tokens(before) - 1)
    assert report.outlines == 1
    (outline,) = find_events(memory, chat_id, level=1)
    children = [e for e in find_events(memory, chat_id) if e.parent_id == outline.id]
    assert [c.pk for c in children] == [e.pk for e in before[: len(children)]]
    assert all(c.is_archived for c in children)
    assert outline.source_range.start_index == 0
    assert outline.source_range.end_index == max(c.source_range.end_index for c in children)
    assert outline.significance_score == max(c.significance_score for c in children)
    assert set(outline.structured_kv.role) == {r for c in children for r in c.structured_kv.role}
    assert report.tokens_after < report.tokens_before
    assert {e.name for e in memory.graph.find_entities(Line.main(chat_id))} >= {"爱丽丝", "旅人"}

    memory.pipeline.untrim(chat_id, outline.pk)
    assert [(e.pk, e.status, e.parent_id) for e in find_events(memory, chat_id)] == [
        (e.pk, "buffer", None) for e in before
    ]
    memory.history.undo(chat_id)
    assert [e.id for e in find_events(memory, chat_id, level=1)] == [outline.id]


def test_one_undo_takes_a_whole_run_back(memory, chat_id):
    before = find_events(memory, chat_id)
    report = memory.pipeline.trim(CTX, Line.main(chat_id), limit=300)
    assert report.outlines > 1
    memory.history.undo(chat_id)
    assert find_events(memory, chat_id) == before
    assert memory.graph.find_entities(Line.main(chat_id)) == []


def test_locked_and_newest_events_are_left_alone(memory, chat_id):
    locked = find_events(memory, chat_id)[1]
    memory.events.set_locked(CTX, chat_id, [locked.pk], locked=True)
    newest = find_events(memory, chat_id)[-1]
    memory.pipeline.trim(CTX, Line.main(chat_id), limit=1)
    visible = {e.pk for e in memory.session.chat(chat_id).events.visible()}
    assert {locked.pk, newest.pk} <= visible


def test_only_an_outline_can_be_taken_apart(memory, chat_id):
    with pytest.raises(InputError):
        memory.pipeline.untrim(chat_id, find_events(memory, chat_id)[0].pk)


def test_under_its_limit_nothing_is_done(memory, chat_id):
    report = memory.pipeline.trim(CTX, Line.main(chat_id), limit=1_000_000)
    assert (report.outlines, report.trimmed) == (0, 0)
    assert len(memory.history.steps(chat_id)) == 1


BARE: dict[str, Any] = {"entities": (), "relations": ()}


def test_visible_text_stays_under_its_limit_at_the_length_of_100_000_messages(tmp_path):
    store = make_store(tmp_path)
    keys = KeyStore("session", tmp_path)
    clients = Clients(Settings, keys, {})
    summary = "第{0}天，爱丽丝与旅人在月光酒馆谈到第{0}件事，约好改日再说。" * 2
    for start in range(0, 5000, 500):  # 100,000 messages give about 5,000 events
        rows = [
            make_event(
                text := summary.format(n),
                n * 20,
                n * 20 + 19,
                # of relations one in ten: reading what tells of them took half of this test
                raw_data=make_extraction(
                    text, significance_score=n % 10 / 10, **({} if n % 10 == 3 else BARE)
                ),
            )
            for n in range(start, start + 500)
        ]
        with store.database.writing():
            store.events.add(rows, 1)
        meter = Meter(no_library)
        context = StepContext(store, CTX, clients, Settings(), StoryRenderer(), meter)
        trim(context, 4096, "extractive")
        assert visible_tokens(store.events.visible()) <= 4096
    levels = {e.level for e in store.events.visible()}
    assert max(levels) >= 3
    assert store.items.faults() == 0
    store.close()


def outline_answer(body) -> str:
    count = body["messages"][-1]["content"].count("\n- [")
    event = {"summary": f"合并了{count}条：爱丽丝保管铜钥匙。", "keywords": ["铜钥匙"]}
    return json.dumps({"events": [event]}, ensure_ascii=False)


def test_a_model_writes_the_outline_and_a_failing_one_changes_nothing(open_memory, tmp_path):
    with FakeOpenAI(answer=outline_answer) as server:
        memory = open_memory(**model_at(server.url, "fake"))
        chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(200))
        memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 199), "extractive")
        before = find_events(memory, chat_id)
        limit = visible_tokens(before) - 1

        server.answer = lambda body: "I would rather not."
        assert memory.pipeline.trim(CTX, Line.main(chat_id), limit).failed
        server.answer = lambda body: json.dumps({"events": [{"summary": "很长。" * 900}]})
        assert "hardly shorter" in memory.pipeline.trim(CTX, Line.main(chat_id), limit).failed[0]
        assert find_events(memory, chat_id) == before

        server.answer = outline_answer
        report = memory.pipeline.trim(CTX, Line.main(chat_id), limit)
        assert report.llm_calls == 1
        (outline,) = find_events(memory, chat_id, level=1)
        assert outline.extractor == "llm"
        assert "铜钥匙" in outline.display_text
        assert "{{" not in str(server.bodies()[-1]["messages"])


def test_an_event_edited_while_the_model_thinks_is_not_lost_in_the_outline(open_memory, tmp_path):
    with FakeOpenAI() as server:
        memory = open_memory(**model_at(server.url, "fake"))
        chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(200))
        memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 199), "extractive")
        first = find_events(memory, chat_id)[0]
        asked: list[Any] = []

        def edited_meanwhile(body):
            if not asked:
                memory.events.update(
                    chat_id, first.pk, EventPatch(summary="我亲手改过的一件事。" * 20)
                )
            asked.append(body["messages"][-1]["content"])
            return outline_answer(body)

        server.answer = edited_meanwhile
        memory.pipeline.trim(
            CTX, Line.main(chat_id), visible_tokens(find_events(memory, chat_id)) - 1
        )
        assert len(asked) == 2
        assert "我亲手改过的一件事" in asked[1]
