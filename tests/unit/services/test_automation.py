"""The pipeline by itself, the end of a session, 整理记忆."""

from __future__ import annotations

import json

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import DailyCapReached, MemoryOff, Refused
from engram_desktop.domain.graph.entity import Around
from engram_desktop.domain.memory.event import EventPatch, EventQuery, LogQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import Memory
from engram_desktop.services.pipeline.consolidation import MOST, _Tally
from tests.contexts import TokenContext
from tests.factories import import_chat, model_at, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.fixtures import fake_llm

# The pipeline that works by itself: what is due, what holds it back, and nothing done twice.

CTX = NullContext()


def answer(body) -> str:
    text = body["messages"][-1]["content"]
    asked = [json.loads(line) for line in text.splitlines() if line.startswith('{"name"')]
    if asked:  # profiles are sent, and asked for
        rows = [{"name": e["name"], "set": {"身份": "老板"}} for e in asked]
        return json.dumps({"profiles": rows}, ensure_ascii=False)
    event = {
        "summary": "爱丽丝把铜钥匙交给旅人，约好在月光酒馆再见。",
        "entities": [{"name": "爱丽丝", "type": "char"}, {"name": "铜钥匙", "type": "item"}],
        "relations": [{"subject": "爱丽丝", "predicate": "交付", "object": "铜钥匙"}],
    }
    return json.dumps({"events": [event]}, ensure_ascii=False)


llm = fake_llm(answer)


@pytest.fixture
def asking_memory(open_memory, llm):
    return open_memory(**{**model_at(llm.url), "llm.parallel": 1, "review.enabled": False})


def imported(memory, tmp_path, count):
    return import_chat(memory, tmp_path / "故事.jsonl", story_rows(count))


def test_less_than_a_block_is_not_due(asking_memory, tmp_path):
    plan = asking_memory.automation.plan(Line.main(imported(asking_memory, tmp_path, 34)))
    assert (plan.standing, plan.blocks, plan.floors_left) == ("idle", (), 1)


def test_a_full_block_is_due_and_the_newest_floors_are_left_alone(asking_memory, llm, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 40)
    assert asking_memory.automation.plan(Line.main(chat_id)).blocks == ((0, 29),)
    report = asking_memory.automation.run(CTX, Line.main(chat_id))
    assert (report.events_added, report.plan.standing) == (1, "idle")
    assert report.plan.floors_left == 25
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).events_added == 0
    assert len(llm.bodies()) == 1


def test_a_backlog_is_never_begun_without_consent(asking_memory, llm, tmp_path):
    asking_memory.settings.set("llm.price_in", 2.0)
    asking_memory.settings.set("llm.price_out", 8.0)
    chat_id = imported(asking_memory, tmp_path, 160)
    plan = asking_memory.automation.run(CTX, Line.main(chat_id)).plan
    assert (plan.standing, len(plan.blocks), llm.bodies()) == ("consent", 6, [])
    estimate = plan.estimate
    assert (estimate.calls, estimate.completion_tokens) == (6 + 1, 6 * 700 + MOST)
    assert estimate.prompt_tokens > 6 * 900
    assert estimate.cost == pytest.approx(
        (estimate.prompt_tokens * 2 + estimate.completion_tokens * 8) / 1e6
    )
    assert asking_memory.automation.run(CTX, Line.main(chat_id), consent=True).events_added == 6


def test_a_backlog_can_be_skipped_and_that_be_undone(asking_memory, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 160)
    asking_memory.automation.skip_backlog(Line.main(chat_id))
    plan = asking_memory.automation.plan(Line.main(chat_id))
    assert (plan.standing, plan.floors_left) == ("idle", 25)
    asking_memory.history.undo(chat_id)
    assert asking_memory.automation.plan(Line.main(chat_id)).standing == "consent"


def test_without_a_model_a_few_blocks_are_read_at_once(open_memory, tmp_path):
    memory = open_memory()
    chat_id = imported(memory, tmp_path, 160)
    plan = memory.automation.plan(Line.main(chat_id))
    assert (plan.extractor, plan.standing) == ("extractive", "due")
    assert memory.automation.run(CTX, Line.main(chat_id)).events_added > 0
    assert memory.automation.plan(Line.main(chat_id)).standing == "idle"


def test_a_full_buffer_is_consolidated_and_a_long_one_trimmed(asking_memory, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 85)
    asking_memory.settings.set("buffer.events", 2, chat_id)
    asking_memory.settings.set("visible.newest", 1, chat_id)
    report = asking_memory.automation.run(CTX, Line.main(chat_id))
    assert (report.events_added, report.archived, report.outlines) == (3, 2, 1)
    assert [e.level for e in asking_memory.session.chat(chat_id).events.visible()] == [1, 0]
    asking_memory.settings.set("buffer.events", 0, chat_id)
    asking_memory.settings.set("visible.tokens", 256, chat_id)
    pks = list(asking_memory.events.find(chat_id, EventQuery()))
    asking_memory.events.set_archived(CTX, chat_id, pks, archived=False)
    assert not asking_memory.automation.plan(Line.main(chat_id)).trim


def test_tokens_of_the_buffer_count_too(asking_memory, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 40)
    asking_memory.settings.set("buffer.events", 0, chat_id)
    asking_memory.settings.set("buffer.tokens", 5, chat_id)
    asking_memory.settings.set("visible.newest", 0, chat_id)
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).archived == 1


def test_visible_text_over_its_limit_is_trimmed(open_memory, tmp_path):
    memory = open_memory(**{"buffer.events": 0, "buffer.tokens": 0, "visible.tokens": 600})
    chat_id = imported(memory, tmp_path, 300)
    report = memory.automation.run(CTX, Line.main(chat_id))
    assert report.outlines > 0
    assert not memory.automation.plan(Line.main(chat_id)).trim


def test_paused_and_off_do_nothing(asking_memory, llm, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 40)
    asking_memory.settings.set("auto.enabled", False, chat_id)
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "off"
    asking_memory.settings.set("auto.enabled", True, chat_id)
    asking_memory.settings.set("memory.mode", "off", chat_id)
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "mode"
    for refused in (
        asking_memory.pipeline.summarise,
        asking_memory.pipeline.consolidate,
        asking_memory.pipeline.trim,
    ):
        with pytest.raises(MemoryOff):
            refused(CTX, Line.main(chat_id))
    assert asking_memory.inject.compose(CTX, chat_id, RecallQuery("铜钥匙")).text == ""
    assert llm.bodies() == []


def test_vectors_only_makes_no_graph(asking_memory, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 40)
    asking_memory.settings.set("memory.mode", "vector", chat_id)
    asking_memory.automation.run(CTX, Line.main(chat_id))
    report = asking_memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert (report.archived, report.embedded) == (1, 1)
    assert (report.entities_added, report.relations_added) == (0, 0)
    assert asking_memory.graph.find_entities(Line.main(chat_id)) == []


def test_a_block_that_failed_is_not_asked_again_by_itself(asking_memory, llm, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 40)
    llm.faults = ["garbage", "garbage"]
    report = asking_memory.automation.run(CTX, Line.main(chat_id))
    assert len(report.failed) == 1
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).failed == ()
    assert len(llm.bodies()) == 2
    assert (
        asking_memory.pipeline.summarise(CTX, Line.main(chat_id)).events_added == 1
    )  # by hand it is


def test_the_daily_cap_stops_before_the_call_that_would_pass_it(asking_memory, llm, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 85)
    asking_memory.settings.set("llm.daily_tokens", 4000)
    with pytest.raises(DailyCapReached, match="4,000"):
        asking_memory.automation.run(CTX, Line.main(chat_id))
    asked = len(llm.bodies())
    assert 0 < asked < 3
    assert asking_memory.usage.today().tokens <= 4000
    assert (
        asking_memory.events.counts(Line.main(chat_id)).total == asked
    )  # what was finished is kept
    with pytest.raises(DailyCapReached):
        asking_memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == asked
    asking_memory.settings.set("llm.daily_tokens", asking_memory.usage.today().tokens)
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "capped"
    asking_memory.settings.set("llm.daily_tokens", 0)
    assert asking_memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "idle"


def test_a_refused_key_stops_it(asking_memory, llm, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 85)
    llm.faults = [401] * 9
    with pytest.raises(Refused):
        asking_memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == 1


def test_entities_are_updated_at_their_interval_and_never_in_a_loop(asking_memory, llm, tmp_path):
    asking_memory.settings.set("entities.interval", 20)
    chat_id = imported(asking_memory, tmp_path, 40)
    assert (
        asking_memory.automation.plan(Line.main(chat_id)).entities is None
    )  # nothing is consolidated yet
    asking_memory.automation.run(CTX, Line.main(chat_id))
    asking_memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert asking_memory.automation.plan(Line.main(chat_id)).entities == (0, 29)
    before = len(llm.bodies())
    asking_memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == before + 1
    assert asking_memory.graph.find_entity(chat_id, "爱丽丝").profile == {"身份": "老板"}
    asking_memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == before + 1


def test_an_embedder_that_does_not_answer_is_said_and_the_rest_goes_on(asking_memory, tmp_path):
    chat_id = imported(asking_memory, tmp_path, 40)
    asking_memory.settings.set("buffer.events", 1, chat_id)
    asking_memory.settings.set("visible.newest", 0, chat_id)
    asking_memory.settings.set("embed.base_url", "http://127.0.0.1:9/v1")
    asking_memory.settings.set("embed.model", "nobody")
    report = asking_memory.automation.run(CTX, Line.main(chat_id))
    assert report.archived == 1
    assert report.notes
    assert all(isinstance(note, Phrase) for note in report.notes)  # a window tells it in its words


def test_profiles_far_behind_are_a_backlog_too(asking_memory, llm, tmp_path):
    asking_memory.settings.set("entities.interval", 5)
    chat_id = imported(asking_memory, tmp_path, 85)
    asking_memory.pipeline.summarise(CTX, Line.main(chat_id))
    asking_memory.pipeline.consolidate(CTX, Line.main(chat_id))
    asked = len(llm.bodies())
    plan = asking_memory.automation.run(CTX, Line.main(chat_id)).plan
    assert (plan.standing, plan.blocks, plan.estimate.calls) == ("consent", (), 1)
    assert len(llm.bodies()) == asked
    asking_memory.automation.skip_backlog(Line.main(chat_id))
    assert asking_memory.automation.plan(Line.main(chat_id)).standing == "idle"


# A session is looked back on by itself: when the buffer is full, and when the session is over.

MISSED = "爱丽丝答应旅人第四十天在钟楼下把怀表还给他。"
LOG = {"owner": "爱丽丝", "content": "他竟然记得那块怀表。", "emotion_tags": ["安心"]}
EVENT = {
    "summary": "爱丽丝把铜钥匙交给旅人，约好在月光酒馆再见。",
    "entities": [{"name": "爱丽丝", "type": "char"}],
    "relations": [],
}


class Model:
    """Tells requests of a look back from those of a summary by what they ask for."""

    def __init__(self):
        self.reflections = 0
        self.is_broken = False

    def __call__(self, body):
        if '"logs"' not in json.dumps(body, ensure_ascii=False).replace("\\", ""):
            return json.dumps({"events": [EVENT]}, ensure_ascii=False)
        self.reflections += 1
        if self.is_broken:
            return "当然可以！"
        return json.dumps({"events": [{"summary": MISSED}], "logs": [LOG]}, ensure_ascii=False)


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def reflecting_memory(open_memory, model):
    with FakeOpenAI(answer=model) as server:
        yield open_memory(
            **{
                **model_at(server.url),
                "llm.parallel": 1,
                "review.enabled": False,
                "entities.interval": 0,
            }
        )


def import_rows(memory, tmp_path, count):
    return Line.main(import_chat(memory, tmp_path / "故事.jsonl", story_rows(count)))


def logs(memory, line):
    keys = memory.logs.find(line.chat_id, LogQuery())
    return list(memory.logs.fetch(line.chat_id, keys).values())


def test_nothing_is_looked_back_on_while_the_session_goes_on(reflecting_memory, model, tmp_path):
    line = import_rows(reflecting_memory, tmp_path, 20)
    assert reflecting_memory.automation.plan(line).reflect == ()
    reflecting_memory.automation.run(CTX, line)
    assert model.reflections == 0


def test_a_session_that_is_over_is_looked_back_on_once_to_its_last_floor(
    reflecting_memory, model, tmp_path
):
    line = import_rows(reflecting_memory, tmp_path, 20)
    assert reflecting_memory.automation.plan(line, ended=True).reflect == ((0, 19),)
    report = reflecting_memory.automation.run(CTX, line, ended=True)
    assert (report.logs, report.events_added) == (1, 1)
    assert [log.content for log in logs(reflecting_memory, line)] == [LOG["content"]]
    asked = model.reflections
    assert reflecting_memory.automation.plan(line, ended=True).reflect == ()
    reflecting_memory.automation.run(CTX, line, ended=True)
    assert model.reflections == asked


def test_what_it_did_is_undone_step_by_step(reflecting_memory, tmp_path):
    line = import_rows(reflecting_memory, tmp_path, 20)
    report = reflecting_memory.automation.run(CTX, line, ended=True)
    for _step in report.steps:
        reflecting_memory.history.undo(line.chat_id)
    assert logs(reflecting_memory, line) == []
    assert reflecting_memory.automation.plan(line, ended=True).reflect == ((0, 19),)


def test_a_full_buffer_is_looked_back_on_before_it_is_consolidated(
    reflecting_memory, model, tmp_path
):
    line = import_rows(reflecting_memory, tmp_path, 60)
    reflecting_memory.settings.set("buffer.events", 2)
    reflecting_memory.settings.set("visible.newest", 0)
    report = reflecting_memory.automation.run(CTX, line)
    assert model.reflections
    assert report.logs
    assert report.archived


def test_an_answer_that_cannot_be_read_does_not_hold_up_the_rest(
    reflecting_memory, model, tmp_path
):
    line = import_rows(reflecting_memory, tmp_path, 60)
    reflecting_memory.settings.set("buffer.events", 2)
    reflecting_memory.settings.set("visible.newest", 0)
    model.is_broken = True
    report = reflecting_memory.automation.run(CTX, line)
    assert report.archived
    assert report.failed
    assert logs(reflecting_memory, line) == []


def test_a_backlog_is_asked_about_with_its_price_and_can_be_left(
    reflecting_memory, model, tmp_path
):
    line = import_rows(reflecting_memory, tmp_path, 300)
    reflecting_memory.settings.set("summary.interval", 60)
    reflecting_memory.automation.run(CTX, line, consent=True)
    reflecting_memory.settings.set("summary.interval", 25)
    plan = reflecting_memory.automation.plan(line, ended=True)
    assert plan.standing == "consent"
    assert plan.estimate.calls >= len(plan.reflect) == 12
    model.reflections = 0
    reflecting_memory.automation.run(CTX, line, ended=True)
    assert model.reflections == 0
    reflecting_memory.automation.skip_backlog(line)
    assert reflecting_memory.automation.plan(line, ended=True).reflect == ()


@pytest.mark.parametrize("setting", ["reflect.auto", "auto.enabled"])
def test_the_settings_stop_it(reflecting_memory, model, tmp_path, setting):
    line = import_rows(reflecting_memory, tmp_path, 20)
    reflecting_memory.settings.set(setting, value=False)
    reflecting_memory.automation.run(CTX, line, ended=True)
    assert model.reflections == 0


def test_without_a_model_nothing_is_due(open_memory, tmp_path):
    memory = open_memory()
    line = import_rows(memory, tmp_path, 20)
    plan = memory.automation.plan(line, ended=True)
    assert (plan.reflect, plan.standing) == ((), "idle")


def test_a_session_open_when_the_program_was_closed_is_over_after_a_silence(tmp_path, model):
    now = [1_800_000_000_000]  # milliseconds
    with FakeOpenAI(answer=model) as server:
        environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "fake-chat"}
        memory = Memory.open(tmp_path / "资料库", clock=lambda: now[0], environ=environ)
        line = import_rows(memory, tmp_path, 20)
        assert not memory.automation.plan(line).is_over  # never looked back on, nor played here
        memory.automation.run(CTX, line, ended=True)
        assert not memory.automation.plan(line).is_over  # nothing is new
        memory.messages.append(line, "旅人", "user", "我回来了。")
        memory.messages.append(line, "爱丽丝", "assistant", "欢迎回来。")
        now[0] += 29 * 60_000
        assert not memory.automation.plan(line).is_over
        now[0] += 60_000
        assert memory.automation.plan(line).is_over
        memory.close()


# 整理记忆 against the real store, a real embedder server, and a real index.


@pytest.fixture
def chat_id(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(100))
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


def test_entities_and_edges_come_from_what_was_extracted(memory):
    demo = run_demo(memory, CTX)
    view = memory.graph.picture(Line.main(demo["chat_id"]), Around())
    by_name = {e.name: e for e in view.entities}
    alice = by_name["爱丽丝"]
    assert alice.type == "char"
    assert alice.event_count > 3
    near = memory.graph.picture(Line.main(demo["chat_id"]), Around(alice.id, limit=5))
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
    memory.settings.set("summary.interval", 5)  # 180 events: more than one batch
    more = write_chat(tmp_path / "长.jsonl", story_rows(900))
    long_id = memory.imports.import_file(CTX, more, name="长").chat_id
    memory.pipeline.summarise(CTX, Line.main(long_id), (0, 899), "extractive")
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
        chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
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
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
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
