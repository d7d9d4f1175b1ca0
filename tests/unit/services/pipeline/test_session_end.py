"""A session is looked back on by itself: when the buffer is full, and when the session is over."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.event import LogQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
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
def memory(open_memory, model):
    with FakeOpenAI(answer=model) as server:
        yield open_memory(
            **{
                "llm.base_url": server.url,
                "llm.model": "fake-chat",
                "llm.parallel": 1,
                "review.enabled": False,
                "entities.interval": 0,
            }
        )


def imported(memory, tmp_path, count):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(count))
    return Line.main(memory.imports.import_file(CTX, file).chat_id)


def logs(memory, line):
    keys = memory.logs.find(line.chat_id, LogQuery())
    return list(memory.logs.fetch(line.chat_id, keys).values())


def test_nothing_is_looked_back_on_while_the_session_goes_on(memory, model, tmp_path):
    line = imported(memory, tmp_path, 20)
    assert memory.automation.plan(line).reflect == ()
    memory.automation.run(CTX, line)
    assert model.reflections == 0


def test_a_session_that_is_over_is_looked_back_on_once_to_its_last_floor(memory, model, tmp_path):
    line = imported(memory, tmp_path, 20)
    assert memory.automation.plan(line, ended=True).reflect == ((0, 19),)
    report = memory.automation.run(CTX, line, ended=True)
    assert (report.logs, report.events_added) == (1, 1)
    assert [log.content for log in logs(memory, line)] == [LOG["content"]]
    asked = model.reflections
    assert memory.automation.plan(line, ended=True).reflect == ()
    memory.automation.run(CTX, line, ended=True)
    assert model.reflections == asked


def test_what_it_did_is_undone_step_by_step(memory, tmp_path):
    line = imported(memory, tmp_path, 20)
    report = memory.automation.run(CTX, line, ended=True)
    for _step in report.steps:
        memory.history.undo(line.chat_id)
    assert logs(memory, line) == []
    assert memory.automation.plan(line, ended=True).reflect == ((0, 19),)


def test_a_full_buffer_is_looked_back_on_before_it_is_consolidated(memory, model, tmp_path):
    line = imported(memory, tmp_path, 60)
    memory.settings.set("buffer.events", 2)
    memory.settings.set("visible.newest", 0)
    report = memory.automation.run(CTX, line)
    assert model.reflections
    assert report.logs
    assert report.archived


def test_an_answer_that_cannot_be_read_does_not_hold_up_the_rest(memory, model, tmp_path):
    line = imported(memory, tmp_path, 60)
    memory.settings.set("buffer.events", 2)
    memory.settings.set("visible.newest", 0)
    model.is_broken = True
    report = memory.automation.run(CTX, line)
    assert report.archived
    assert report.failed
    assert logs(memory, line) == []


def test_a_backlog_is_asked_about_with_its_price_and_can_be_left(memory, model, tmp_path):
    line = imported(memory, tmp_path, 300)
    memory.settings.set("summary.interval", 60)
    memory.automation.run(CTX, line, consent=True)
    memory.settings.set("summary.interval", 25)
    plan = memory.automation.plan(line, ended=True)
    assert plan.standing == "consent"
    assert plan.estimate.calls >= len(plan.reflect) == 12
    model.reflections = 0
    memory.automation.run(CTX, line, ended=True)
    assert model.reflections == 0
    memory.automation.skip_backlog(line)
    assert memory.automation.plan(line, ended=True).reflect == ()


@pytest.mark.parametrize("setting", ["reflect.auto", "auto.enabled"])
def test_the_settings_stop_it(memory, model, tmp_path, setting):
    line = imported(memory, tmp_path, 20)
    memory.settings.set(setting, value=False)
    memory.automation.run(CTX, line, ended=True)
    assert model.reflections == 0


def test_without_a_model_nothing_is_due(open_memory, tmp_path):
    memory = open_memory()
    line = imported(memory, tmp_path, 20)
    plan = memory.automation.plan(line, ended=True)
    assert (plan.reflect, plan.standing) == ((), "idle")


def test_a_session_open_when_the_program_was_closed_is_over_after_a_silence(tmp_path, model):
    now = [1_800_000_000_000]  # milliseconds
    with FakeOpenAI(answer=model) as server:
        environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "fake-chat"}
        memory = Memory.open(tmp_path / "资料库", clock=lambda: now[0], environ=environ)
        line = imported(memory, tmp_path, 20)
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
