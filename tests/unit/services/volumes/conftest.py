"""A finished chat, a volume made of it, and a chat that goes on."""

from __future__ import annotations

import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import split_path
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, make_event, make_extraction, story_rows

CTX = NullContext()


def told(summary, start, end, *, witnesses=None, **over):
    data = make_extraction(
        summary,
        entities=(ExtractedEntity("爱丽丝", "char"), ExtractedEntity("铜钥匙", "item")),
        relations=(ExtractedRelation("爱丽丝", over.pop("does", "保管"), "铜钥匙"),),
        witnesses=witnesses,
    )
    return make_event(summary, start, end, raw_data=data, **over)


@pytest.fixture
def first(memory, tmp_path):
    """A finished chat: archived events, an entity with a page, an open promise, a state."""
    rows = story_rows(40)
    rows[30] = ("旅人", "我答应你，等雪停了，我会把银怀表还给你。")
    chat_id = import_chat(memory, tmp_path / "第一部.jsonl", rows)
    store = memory.session.chat(chat_id)
    with store.step(StepLabel(IMPORT, {"count": 2})):
        store.events.add(
            [
                told("爱丽丝在酒馆拾到铜钥匙。", 2, 5, witnesses=("爱丽丝",)),
                told("爱丽丝把铜钥匙交给旅人。", 8, 11, does="交付", witnesses=("爱丽丝", "旅人")),
            ],
            store.clock(),
        )
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    key = memory.graph.find_entity(chat_id, "铜钥匙").id
    memory.graph.update_entity(chat_id, key, profile={"特征": "柄上刻着罗马数字。"})
    memory.state.set(Line.main(chat_id), split_path("爱丽丝.好感"), 42)
    memory.index.embed_pending(CTX, chat_id)
    return chat_id


@pytest.fixture
def second(memory, tmp_path):
    rows = [("旅人", "一年以后，我又回来了。"), ("爱丽丝", "你终于来了，请坐。")]
    return import_chat(memory, tmp_path / "第二部.jsonl", rows)


@pytest.fixture
def volume(memory, first):
    info, _changes = memory.volumes.make(CTX, Line.main(first), "第一卷")
    return info
