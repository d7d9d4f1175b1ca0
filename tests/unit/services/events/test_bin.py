"""Deleted events can be brought back, long after they can be undone."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction, story_rows, write_chat

CTX = NullContext()
TOLD = "爱丽丝把铜钥匙藏进钟楼。"


@pytest.fixture
def chat(memory, tmp_path):
    return memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(30))
    ).chat_id


@pytest.fixture
def pk(memory, chat):
    data = make_extraction(
        TOLD,
        entities=(ExtractedEntity("爱丽丝", "char"), ExtractedEntity("铜钥匙", "item")),
        relations=(ExtractedRelation("爱丽丝", "藏起", "铜钥匙"),),
    )
    made, _changes = memory.events.add(Line.main(chat), data, SourceRange(2, 5))
    memory.events.set_archived(CTX, chat, [made], archived=True)
    return made


def listed(memory, chat):
    return [e.summary for e in memory.events.deleted(Line.main(chat))]


def is_recalled(memory, chat):
    memory.index.embed_pending(CTX, chat)
    hits = memory.recall.ask(CTX, chat, RecallQuery("铜钥匙藏在哪里")).hits
    return any(hit.item.content.startswith(TOLD) for hit in hits)


def names(memory, chat):
    return {e.name for e in memory.graph.find_entities(Line.main(chat))}


def test_what_is_brought_back_is_recalled_and_in_the_graph_again(memory, chat, pk):
    assert is_recalled(memory, chat)
    memory.events.delete(CTX, chat, [pk])
    assert listed(memory, chat) == [TOLD]
    assert not is_recalled(memory, chat)
    changes = memory.events.bring_back(CTX, chat, [pk])
    assert changes.rows
    assert changes.undo_label
    assert listed(memory, chat) == []
    event = memory.events.fetch(chat, [pk])[pk]
    assert (event.is_archived, event.is_deleted) == (True, False)
    assert list(memory.events.find(chat, EventQuery())) == [pk]
    assert is_recalled(memory, chat)
    assert "铜钥匙" in names(memory, chat)
    memory.history.undo(chat)
    assert listed(memory, chat) == [TOLD]
    assert not is_recalled(memory, chat)


def test_bringing_back_twice_or_what_stands_changes_nothing(memory, chat, pk):
    assert memory.events.bring_back(CTX, chat, [pk]).rows is False
    memory.events.delete(CTX, chat, [pk])
    memory.events.bring_back(CTX, chat, [pk])
    assert memory.events.bring_back(CTX, chat, [pk, 99_999]).rows is False
    assert len(memory.events.find(chat, EventQuery())) == 1


def test_an_event_whose_outline_is_gone_stands_by_itself(memory, chat):
    line = Line.main(chat)
    memory.pipeline.summarise(CTX, line, extractor="extractive")
    memory.pipeline.consolidate(CTX, line)
    memory.pipeline.trim(CTX, line)
    pks = list(memory.events.find(chat, EventQuery()))
    memory.events.delete(CTX, chat, pks)
    deleted = memory.events.deleted(line)
    assert deleted
    assert all(event.level == 0 for event in deleted)
    memory.events.bring_back(CTX, chat, [event.pk for event in deleted])
    events = memory.events.fetch(chat, memory.events.find(chat, EventQuery())).values()
    assert len(events) == len(deleted)
    assert all(event.parent_id is None for event in events)
    assert not [finding for finding in memory.care.doctor(CTX) if not finding.is_ok]
