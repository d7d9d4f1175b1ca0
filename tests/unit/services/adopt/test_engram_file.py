from __future__ import annotations

import json

import pytest

from engram_desktop.domain.labels import ADD, StepLabel
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.adopt.files import read_file
from engram_desktop.jobs.context import NullContext
from tests.factories import make_event, make_extraction, story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    for start in (0, 10):
        memory.events.add(
            Line.main(chat_id),
            make_extraction(f"第{start}楼起的事。"),
            SourceRange(start, start + 9),
        )
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.events.add(Line.main(chat_id), make_extraction("第20楼起的事。"), SourceRange(20, 29))
    return chat_id


def written(memory, chat_id, target):
    count = memory.care.export(CTX, Line.main(chat_id), target, "engram")
    value = json.loads(target.read_text("utf-8"))
    assert count == len(value["events"])
    return value


def test_the_sync_file_has_the_extensions_own_fields(memory, chat, tmp_path):
    value = written(memory, chat, tmp_path / "Engram_sync_故事.json")
    events = {event["summary"]: event for event in value["events"]}
    held = [(event["level"], event["is_archived"]) for event in events.values()]
    assert sorted(held) == [(0, False), (0, True), (0, True), (1, False)]
    first = events["第0楼起的事。"]
    assert first["source_range"] == {"start_index": 0, "end_index": 9}
    assert first["structured_kv"].keys() >= {"time_anchor", "role", "location", "event"}
    assert not first["is_embedded"]
    assert "embedding" not in first
    names = {entity["name"]: entity for entity in value["entities"]}
    assert {"aliases", "description", "profile", "last_updated_at"} <= names["爱丽丝"].keys()
    assert value["meta"].keys() >= {"last_summarized_floor", "last_extracted_floor", "lastModified"}


def test_what_was_written_can_be_taken_over_again(memory, chat, tmp_path):
    target = tmp_path / "Engram_sync_故事.json"
    written(memory, chat, target)
    told = {(m.text, m.first, m.last) for m in read_file(target)}
    assert told > {(f"第{start}楼起的事。", start, start + 9) for start in (0, 10, 20)}
    assert {(first, last) for _text, first, last in told} > {(0, 19)}


def test_what_not_everybody_may_know_is_not_written(memory, chat, tmp_path):
    store = memory.session.library.chat(chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    value = written(memory, chat, tmp_path / "out.json")
    assert len(value["events"]) == 4
    assert "第二把钥匙" not in json.dumps(value, ensure_ascii=False)


ANSWER = json.dumps({"events": [{"summary": "爱丽丝与旅人约好在灯塔见面。"}]}, ensure_ascii=False)


def accounts(memory, chat_id, tmp_path):
    """What the sync file and the worldbook say of the chat's accounts."""
    number = len(list(tmp_path.glob("*.json")))
    meta = written(memory, chat_id, tmp_path / f"sync {number}.json")["meta"]
    worldbook = tmp_path / f"book {number}.json"
    memory.care.export(CTX, Line.main(chat_id), worldbook, "worldbook")
    entries = json.loads(worldbook.read_text("utf-8"))["entries"].values()
    (state,) = [e for e in entries if e["comment"] == "Engram System State"]
    told = json.loads(state["content"])
    names = ("token_usage_accumulated", "last_compressed_at")
    assert [meta[name] for name in names] == [told[name] for name in names]
    return [meta[name] for name in names]


def test_tokens_spent_and_the_newest_outline_are_accounted_for(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    assert accounts(memory, chat_id, tmp_path) == [0, 0]
    with FakeOpenAI(answer=lambda _body: ANSWER) as llm:
        for key, value in {"llm.base_url": llm.url, "llm.model": "fake-chat"}.items():
            memory.settings.set(key, value)
        report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    spent, compressed = accounts(memory, chat_id, tmp_path)
    assert spent == report.prompt_tokens + report.completion_tokens > 0
    assert compressed == 0
    memory.settings.set("llm.base_url", "")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    spent_later, outlined = accounts(memory, chat_id, tmp_path)
    assert spent_later == spent
    (outline,) = [e for e in memory.session.chat(chat_id).events.visible() if e.level == 1]
    assert outlined == outline.timestamp > 0
    memory.history.undo(chat_id)
    assert accounts(memory, chat_id, tmp_path) == [spent, 0], "what was paid stays paid"
