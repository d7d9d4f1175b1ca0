from __future__ import annotations

import json

import pytest

from engram_desktop.domain.event import SourceRange
from engram_desktop.domain.labels import ADD, StepLabel
from engram_desktop.formats.adopt.files import read_file
from engram_desktop.jobs.context import NullContext
from tests.factories import make_event, make_extraction, story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = memory.import_file(CTX, file).chat_id
    for start in (0, 10):
        memory.add_event(
            chat_id, make_extraction(f"第{start}楼起的事。"), SourceRange(start, start + 9)
        )
    memory.consolidate(CTX, chat_id)
    memory.add_event(chat_id, make_extraction("第20楼起的事。"), SourceRange(20, 29))
    return chat_id


def written(memory, chat_id, target):
    count = memory.export(CTX, chat_id, target, "engram")
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
    store = memory._library.chat(chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    value = written(memory, chat, tmp_path / "out.json")
    assert len(value["events"]) == 4
    assert "第二把钥匙" not in json.dumps(value, ensure_ascii=False)
