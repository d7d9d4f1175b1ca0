"""What cards, worldbooks and the graph call things is whole in the events of a chat."""

from __future__ import annotations

import json

from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction, write_chat

CTX = NullContext()
ROWS = [
    ("白露", "*第3天，清晨。神里绫华大人在璃月港的万民堂门口等着。*“她带来了一封信。”"),
    ("旅人", "*我接过神里绫华大人的信。*“我们去万民堂坐下说吧。”"),
    ("白露", "“神里绫华大人说，信里藏着璃月港的地图。”"),
]


def test_keys_of_a_worldbook_are_never_cut_in_two(memory, tmp_path):
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "白露.jsonl", ROWS)).chat_id
    keys = (["神里绫华"], ["璃月港"], ["万民堂", "/堂|馆/i"], ["大人"])
    entries = {
        str(n): {"uid": n, "key": key, "comment": "", "content": "…", "order": 100}
        for n, key in enumerate(keys)
    }
    worldbook = tmp_path / "提瓦特.json"
    worldbook.write_text(json.dumps({"entries": entries}), encoding="utf-8")
    memory.imports.import_file(CTX, worldbook)
    (row,) = memory.worldbooks.all()
    memory.worldbooks.set_in_chat(row.id, chat_id, is_on=True)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 2), "extractive")
    [event] = memory.events.fetch(chat_id, list(memory.events.find(chat_id, EventQuery()))).values()
    named = {entity.name: entity.type for entity in event.raw_data.entities}
    assert named["神里绫华"] == "char"
    assert {"璃月港", "万民堂"} <= {name for name, kind in named.items() if kind == "loc"}
    assert "大人" not in named
    assert event.raw_data.timestamp == "第3天 清晨"


def test_what_the_graph_knows_is_a_name_of_the_chat(memory, tmp_path):
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "白露.jsonl", ROWS)).chat_id
    told = make_extraction(
        "神里绫华来过。",
        entities=(ExtractedEntity("神里绫华", "char"), ExtractedEntity("璃月港", "loc")),
    )
    memory.events.add(Line.main(chat_id), told, SourceRange(0, 0))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 2), "extractive")
    events = memory.events.fetch(chat_id, list(memory.events.find(chat_id, EventQuery()))).values()
    [event] = [e for e in events if e.extractor == "extractive" and not e.level]
    assert {"神里绫华", "璃月港"} <= {entity.name for entity in event.raw_data.entities}
