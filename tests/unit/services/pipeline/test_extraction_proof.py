"""From the bundled story through a scripted model: every planted fact is kept and recalled."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.fake_openai import FakeOpenAI
from tests.scripted_model import FACTS, STORY, answer, shown

CTX = NullContext()


@pytest.fixture
def llm():
    with FakeOpenAI(answer=answer) as server:
        yield server


@pytest.fixture(params=[15, 20, 25])
def memory(open_memory, llm, request):
    return open_memory(
        **{"llm.base_url": llm.url, "llm.model": "fake", "summary.interval": request.param}
    )


def test_every_fact_becomes_an_event_that_is_recalled_and_nothing_is_asked_twice(memory, llm):
    chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm")
    floors, calls = memory.messages.count(Line.main(chat)), len(llm.bodies())
    assert report.failed == ()
    assert report.llm_calls == calls
    assert 14 <= floors / calls <= 27
    keys = memory.events.find(chat, EventQuery())
    events = list(memory.events.fetch(chat, keys).values())
    for fact in FACTS:
        telling = [e for e in events if e.keywords[0] == fact["id"]]
        assert {word for e in telling for word in e.keywords[1:]} == set(fact["keywords"])
        spans = [e.source_range for e in telling]
        for floor in fact["floors"]:
            assert any(s.start_index <= floor <= s.end_index for s in spans), fact["id"]
    lines = [line for body in llm.bodies() for line in shown(body).split("\n\n")]
    assert len(lines) == len(set(lines))  # no message is shown twice
    assert memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm").llm_calls == 0
    assert len(llm.bodies()) == calls


def test_the_facts_are_recalled_once_archived_and_trimmed(open_memory, llm):
    memory = open_memory(**{"llm.base_url": llm.url, "llm.model": "fake", "embed.local": "use"})
    chat = memory.imports.import_file(CTX, STORY / "月光酒馆.jsonl").chat_id
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 10_000), "llm")
    memory.pipeline.trim(CTX, Line.main(chat), 300, "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat))
    memory.index.embed_pending(CTX, chat)
    found = 0
    for fact in FACTS:
        hits = memory.recall.ask(CTX, chat, RecallQuery(fact["question"], 5, kinds=("event",))).hits
        refs = [h.item.ref for h in hits]
        keys = memory.events.find(chat, EventQuery(level=0))
        events = memory.events.fetch(chat, keys).values()
        found += any(e.id in refs for e in events if e.keywords[0] == fact["id"])
    assert found >= 0.9 * len(FACTS)
