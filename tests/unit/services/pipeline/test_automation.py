"""The pipeline that works by itself: what is due, what holds it back, and nothing done twice."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import DailyCapReached, MemoryOff, Refused
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.pipeline.consolidation import MOST
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

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


@pytest.fixture
def llm():
    with FakeOpenAI(answer=answer) as server:
        yield server


@pytest.fixture
def memory(open_memory, llm):
    return open_memory(
        **{
            "llm.base_url": llm.url,
            "llm.model": "fake-chat",
            "llm.parallel": 1,
            "review.enabled": False,
        }
    )


def imported(memory, tmp_path, count):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(count))
    return memory.imports.import_file(CTX, file).chat_id


def test_less_than_a_block_is_not_due(memory, tmp_path):
    plan = memory.automation.plan(Line.main(imported(memory, tmp_path, 34)))
    assert (plan.standing, plan.blocks, plan.floors_left) == ("idle", (), 1)


def test_a_full_block_is_due_and_the_newest_floors_are_left_alone(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 40)
    assert memory.automation.plan(Line.main(chat_id)).blocks == ((0, 29),)
    report = memory.automation.run(CTX, Line.main(chat_id))
    assert (report.events_added, report.plan.standing) == (1, "idle")
    assert report.plan.floors_left == 25
    assert memory.automation.run(CTX, Line.main(chat_id)).events_added == 0
    assert len(llm.bodies()) == 1


def test_a_backlog_is_never_begun_without_consent(memory, llm, tmp_path):
    memory.settings.set("llm.price_in", 2.0)
    memory.settings.set("llm.price_out", 8.0)
    chat_id = imported(memory, tmp_path, 160)
    plan = memory.automation.run(CTX, Line.main(chat_id)).plan
    assert (plan.standing, len(plan.blocks), llm.bodies()) == ("consent", 6, [])
    estimate = plan.estimate
    assert (estimate.calls, estimate.completion_tokens) == (6 + 1, 6 * 700 + MOST)
    assert estimate.prompt_tokens > 6 * 900
    assert estimate.cost == pytest.approx(
        (estimate.prompt_tokens * 2 + estimate.completion_tokens * 8) / 1e6
    )
    assert memory.automation.run(CTX, Line.main(chat_id), consent=True).events_added == 6


def test_a_backlog_can_be_skipped_and_that_be_undone(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 160)
    memory.automation.skip_backlog(Line.main(chat_id))
    plan = memory.automation.plan(Line.main(chat_id))
    assert (plan.standing, plan.floors_left) == ("idle", 25)
    memory.history.undo(chat_id)
    assert memory.automation.plan(Line.main(chat_id)).standing == "consent"


def test_without_a_model_a_few_blocks_are_read_at_once(open_memory, tmp_path):
    memory = open_memory()
    chat_id = imported(memory, tmp_path, 160)
    plan = memory.automation.plan(Line.main(chat_id))
    assert (plan.extractor, plan.standing) == ("extractive", "due")
    assert memory.automation.run(CTX, Line.main(chat_id)).events_added > 0
    assert memory.automation.plan(Line.main(chat_id)).standing == "idle"


def test_a_full_buffer_is_consolidated_and_a_long_one_trimmed(memory, tmp_path):
    chat_id = imported(memory, tmp_path, 85)
    memory.settings.set("buffer.events", 2, chat_id)
    memory.settings.set("visible.newest", 1, chat_id)
    report = memory.automation.run(CTX, Line.main(chat_id))
    assert (report.events_added, report.archived, report.outlines) == (3, 2, 1)
    assert [e.level for e in memory.session.chat(chat_id).events.visible()] == [1, 0]
    memory.settings.set("buffer.events", 0, chat_id)
    memory.settings.set("visible.tokens", 256, chat_id)
    pks = list(memory.events.find(chat_id, EventQuery()))
    memory.events.set_archived(CTX, chat_id, pks, archived=False)
    assert not memory.automation.plan(Line.main(chat_id)).trim


def test_tokens_of_the_buffer_count_too(memory, tmp_path):
    chat_id = imported(memory, tmp_path, 40)
    memory.settings.set("buffer.events", 0, chat_id)
    memory.settings.set("buffer.tokens", 5, chat_id)
    memory.settings.set("visible.newest", 0, chat_id)
    assert memory.automation.run(CTX, Line.main(chat_id)).archived == 1


def test_visible_text_over_its_limit_is_trimmed(open_memory, tmp_path):
    memory = open_memory(**{"buffer.events": 0, "buffer.tokens": 0, "visible.tokens": 600})
    chat_id = imported(memory, tmp_path, 300)
    report = memory.automation.run(CTX, Line.main(chat_id))
    assert report.outlines > 0
    assert not memory.automation.plan(Line.main(chat_id)).trim


def test_paused_and_off_do_nothing(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 40)
    memory.settings.set("auto.enabled", False, chat_id)
    assert memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "off"
    memory.settings.set("auto.enabled", True, chat_id)
    memory.settings.set("memory.mode", "off", chat_id)
    assert memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "mode"
    for refused in (memory.pipeline.summarise, memory.pipeline.consolidate, memory.pipeline.trim):
        with pytest.raises(MemoryOff):
            refused(CTX, Line.main(chat_id))
    assert memory.inject.compose(CTX, chat_id, RecallQuery("铜钥匙")).text == ""
    assert llm.bodies() == []


def test_vectors_only_makes_no_graph(memory, tmp_path):
    chat_id = imported(memory, tmp_path, 40)
    memory.settings.set("memory.mode", "vector", chat_id)
    memory.automation.run(CTX, Line.main(chat_id))
    report = memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert (report.archived, report.embedded) == (1, 1)
    assert (report.entities_added, report.relations_added) == (0, 0)
    assert memory.graph.find_entities(Line.main(chat_id)) == []


def test_a_block_that_failed_is_not_asked_again_by_itself(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 40)
    llm.faults = ["garbage", "garbage"]
    report = memory.automation.run(CTX, Line.main(chat_id))
    assert len(report.failed) == 1
    assert memory.automation.run(CTX, Line.main(chat_id)).failed == ()
    assert len(llm.bodies()) == 2
    assert memory.pipeline.summarise(CTX, Line.main(chat_id)).events_added == 1  # by hand it is


def test_the_daily_cap_stops_before_the_call_that_would_pass_it(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 85)
    memory.settings.set("llm.daily_tokens", 4000)
    with pytest.raises(DailyCapReached, match="4,000"):
        memory.automation.run(CTX, Line.main(chat_id))
    asked = len(llm.bodies())
    assert 0 < asked < 3
    assert memory.usage.today().tokens <= 4000
    assert memory.events.counts(Line.main(chat_id)).total == asked  # what was finished is kept
    with pytest.raises(DailyCapReached):
        memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == asked
    memory.settings.set("llm.daily_tokens", memory.usage.today().tokens)
    assert memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "capped"
    memory.settings.set("llm.daily_tokens", 0)
    assert memory.automation.run(CTX, Line.main(chat_id)).plan.standing == "idle"


def test_a_refused_key_stops_it(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 85)
    llm.faults = [401] * 9
    with pytest.raises(Refused):
        memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == 1


def test_entities_are_updated_at_their_interval_and_never_in_a_loop(memory, llm, tmp_path):
    memory.settings.set("entities.interval", 20)
    chat_id = imported(memory, tmp_path, 40)
    assert (
        memory.automation.plan(Line.main(chat_id)).entities is None
    )  # nothing is consolidated yet
    memory.automation.run(CTX, Line.main(chat_id))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    assert memory.automation.plan(Line.main(chat_id)).entities == (0, 29)
    before = len(llm.bodies())
    memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == before + 1
    assert memory.graph.find_entity(chat_id, "爱丽丝").profile == {"身份": "老板"}
    memory.automation.run(CTX, Line.main(chat_id))
    assert len(llm.bodies()) == before + 1


def test_an_embedder_that_does_not_answer_is_said_and_the_rest_goes_on(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 40)
    memory.settings.set("buffer.events", 1, chat_id)
    memory.settings.set("visible.newest", 0, chat_id)
    memory.settings.set("embed.base_url", "http://127.0.0.1:9/v1")
    memory.settings.set("embed.model", "nobody")
    report = memory.automation.run(CTX, Line.main(chat_id))
    assert report.archived == 1
    assert report.notes


def test_profiles_far_behind_are_a_backlog_too(memory, llm, tmp_path):
    memory.settings.set("entities.interval", 5)
    chat_id = imported(memory, tmp_path, 85)
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    asked = len(llm.bodies())
    plan = memory.automation.run(CTX, Line.main(chat_id)).plan
    assert (plan.standing, plan.blocks, plan.estimate.calls) == ("consent", (), 1)
    assert len(llm.bodies()) == asked
    memory.automation.skip_backlog(Line.main(chat_id))
    assert memory.automation.plan(Line.main(chat_id)).standing == "idle"
