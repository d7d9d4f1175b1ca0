"""整理记忆 against the real store, a real embedder server, and a real index."""

from __future__ import annotations

import pytest
from typing_extensions import override

from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.demo import run_demo
from engram_desktop.services.pipeline.consolidation import _Tally
from tests.contexts import TokenContext
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()


@pytest.fixture
def chat_id(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(100))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 99), "extractive")
    return chat_id


def events(memory, chat_id, level=0):
    pks = memory.events.find(chat_id, EventQuery(level=level))
    found = memory.events.fetch(chat_id, pks)
    return [found[pk] for pk in pks]


def test_everything_in_the_buffer_is_embedded_linked_and_archived(memory, chat_id):
    plan = memory.pipeline.plan_consolidation(Line.main(chat_id))
    assert plan.events == len(events(memory, chat_id)) > 0
    report = memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert (report.archived, report.embedded, report.failed) == (plan.events, plan.events, ())
    for event in events(memory, chat_id):
        assert (event.status, event.is_archived, event.is_embedded) == ("archived", True, True)
    names = {e.name for e in memory.graph.find_entities(Line.main(chat_id))}
    assert {"爱丽丝", "旅人"} <= names
    assert not names & {"我", "你"}
    assert {e.level for e in memory.session.chat(chat_id).events.visible()} == {1}
    assert memory.pipeline.consolidate(CTX, Line.main(chat_id)).archived == 0


def test_one_undo_takes_all_of_it_back_and_redo_does_it_again(memory, chat_id):
    before = events(memory, chat_id)
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    after, outlines = events(memory, chat_id), events(memory, chat_id, 1)
    changes = memory.history.undo(chat_id)
    assert changes.events == frozenset(e.pk for e in [*before, *outlines])
    assert events(memory, chat_id, 1) == []
    assert [e.status for e in events(memory, chat_id)] == ["buffer"] * len(before)
    assert memory.graph.find_entities(Line.main(chat_id)) == []
    memory.history.redo(chat_id)
    assert (events(memory, chat_id), events(memory, chat_id, 1)) == (after, outlines)


def test_locked_events_stay_where_they_are(memory, chat_id):
    first = events(memory, chat_id)[0]
    memory.events.set_locked(CTX, chat_id, [first.pk], locked=True)
    assert memory.pipeline.plan_consolidation(Line.main(chat_id)).locked == 1
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert [e.id for e in memory.session.chat(chat_id).events.visible() if e.level == 0] == [
        first.id
    ]


def test_entities_and_edges_come_from_what_was_extracted(memory, tmp_path):
    demo = run_demo(memory, CTX)
    view = memory.graph.neighbourhood(Line.main(demo["chat_id"]), None)
    by_name = {e.name: e for e in view.entities}
    alice = by_name["爱丽丝"]
    assert alice.type == "char"
    assert alice.event_count > 3
    near = memory.graph.neighbourhood(Line.main(demo["chat_id"]), alice.id, hops=1, limit=5)
    assert near.entities[0] == alice
    assert near.is_truncated
    assert len(near.entities) == 5
    ids = {e.id for e in near.entities}
    assert all({r.src, r.dst} <= ids for r in near.relations)
    told = memory.graph.entity_events(Line.main(demo["chat_id"]), alice.id)
    assert {e.id for e in told} >= {
        e.id
        for e in events(memory, demo["chat_id"])
        if e.status == "archived" and "爱丽丝" in e.participants
    }


def test_cancel_keeps_whole_batches(memory, chat_id, tmp_path):
    more = write_chat(tmp_path / "长.jsonl", story_rows(4000))
    long_id = memory.imports.import_file(CTX, more, name="长").chat_id
    memory.pipeline.summarise(CTX, Line.main(long_id), (0, 3999), "extractive")
    ctx = _CancelledAtSecondReport()
    with pytest.raises(Cancelled):
        memory.pipeline.consolidate(ctx, Line.main(long_id))
    counts = memory.events.counts(Line.main(long_id))
    assert counts.archived > 0
    assert counts.buffer > 0
    rest = memory.pipeline.consolidate(CTX, Line.main(long_id))
    assert rest.archived == counts.buffer


class _CancelledAtSecondReport(TokenContext):
    reports = 0

    @override
    def report(self, done, total, label=""):
        if label == "consolidate":
            self.reports += 1
        if self.reports == 2:
            self.token.cancel()
        self.check()


def test_an_embedding_server_that_fails_stops_nothing_and_is_said(open_memory, tmp_path):
    with FakeOpenAI(faults=[500] * 50) as server:
        memory = open_memory(**{"embed.base_url": server.url, "embed.model": "fake-embed"})
        file = write_chat(tmp_path / "故事.jsonl", story_rows(30))
        chat_id = memory.imports.import_file(CTX, file).chat_id
        memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 29), "extractive")
        server.faults = [400] * 50
        report = memory.pipeline.consolidate(CTX, Line.main(chat_id))
        assert report.archived > 0
        assert report.embedded == 0
        assert "forced" in report.failed[0]
        result = memory.recall.ask(CTX, chat_id, RecallQuery("铜钥匙"))
        assert result.hits
        assert "embedding" in result.degraded
        server.faults = []
        assert memory.index.embed_pending(CTX, chat_id) > 0
        assert all(e.is_embedded for e in events(memory, chat_id))
        assert memory.recall.ask(CTX, chat_id, RecallQuery("铜钥匙")).degraded == ()


def test_an_edit_makes_the_old_vector_invalid_until_it_is_made_anew(memory, chat_id):
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    event = events(memory, chat_id)[0]
    memory.events.update(chat_id, event.pk, EventPatch(summary="一件完全不同的事：火山爆发了。"))
    assert not memory.events.find_one(chat_id, event.id).is_embedded
    pending = memory.index.health(chat_id).pending
    assert pending > 0
    memory.index.embed_pending(CTX, chat_id)
    assert memory.events.find_one(chat_id, event.id).is_embedded
    hits = memory.recall.ask(CTX, chat_id, RecallQuery("火山爆发", kinds=("event",))).hits
    assert hits[0].item.ref == event.id


def test_a_deleted_event_is_never_recalled(memory, chat_id):
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.embed_pending(CTX, chat_id)
    query = RecallQuery("铜钥匙", kinds=("event",), top_k=50)
    found = {h.item.ref for h in memory.recall.ask(CTX, chat_id, query).hits}
    gone = events(memory, chat_id)[0]
    assert gone.id in found
    memory.events.delete(CTX, chat_id, [gone.pk])
    assert gone.id not in {h.item.ref for h in memory.recall.ask(CTX, chat_id, query).hits}
    memory.history.undo(chat_id)
    assert gone.id in {h.item.ref for h in memory.recall.ask(CTX, chat_id, query).hits}


def test_recall_filters_by_kind_and_floor(memory, chat_id):
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    for hit in memory.recall.ask(CTX, chat_id, RecallQuery("月光酒馆", kinds=("turn",), at=9)).hits:
        assert hit.item.kind == "turn"
        assert hit.item.end_index <= 9


def test_chroma_answers_when_it_is_asked_to(open_memory, tmp_path):
    memory = open_memory(**{"index.backend": "chroma"})
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 59), "extractive")
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.index.update(CTX, chat_id)
    assert memory.index.health(chat_id).state == "ok"
    hits = memory.recall.ask(CTX, chat_id, RecallQuery("第7把铜钥匙")).hits
    memory.settings.set("index.backend", "exact")
    exact = memory.recall.ask(CTX, chat_id, RecallQuery("第7把铜钥匙")).hits
    assert [h.item.id for h in hits] == [h.item.id for h in exact]
    assert all(f.is_ok for f in memory.care.doctor(CTX))


def test_what_an_answer_names_beyond_measure_is_said_to_be_left_out():
    tally = _Tally()
    assert tally.left_out() == []
    tally.entities_left_out, tally.relations_left_out = 3, 5
    (phrase,) = tally.left_out()
    assert "3 new entities and 5 new relations" in str(phrase)
