"""Hidden rows: what a player hid is told like the rest, the program's own lines never are."""

from __future__ import annotations

import json

import pytest

from engram_desktop.cli.main import main
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
HEADER = {"user_name": "旅人", "character_name": "爱丽丝", "chat_metadata": {}}
KINDS = ("comment", "assistant_note", "help", "welcome", "generic")
ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)


def shown(number):
    text = f"第{number}天，爱丽丝把铜钥匙交给旅人，约定冬至在灯塔见面。"
    return {"name": "爱丽丝", "is_user": False, "is_system": False, "mes": text}


def hidden(number):
    return shown(number) | {"is_system": True, "mes": f"第{number}天，旅人把罗盘藏进井里。"}


def notice(number):
    """A row of the program: of a kind it gives, or by its name alone."""
    row = {
        "name": "SillyTavern System",
        "is_system": True,
        "mes": f"第{number}条公告：扩展已更新。",
    }
    kind = number % (len(KINDS) + 1)
    return row if kind == len(KINDS) else row | {"extra": {"type": KINDS[kind]}}


@pytest.fixture
def llm():
    with FakeOpenAI(answer=lambda _body: ANSWER) as server:
        yield server


def take_in(memory, tmp_path, *makers):
    rows = [HEADER, *(makers[n % len(makers)](n) for n in range(60))]
    file = tmp_path / "故事.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return memory.imports.import_file(CTX, file).chat_id


def told(memory, chat):
    events = memory.events.fetch(chat, memory.events.find(chat, EventQuery())).values()
    return "\n".join(json.dumps(e.raw_data.to_json(), ensure_ascii=False) for e in events)


def asked(llm):
    return json.dumps([request.body for request in llm.seen], ensure_ascii=False)


def use(memory, llm):
    for key, value in {"llm.base_url": llm.url, "llm.model": "fake-chat"}.items():
        memory.settings.set(key, value)


def test_a_mixed_chat_tells_what_was_hidden_and_no_notice(memory, tmp_path):
    chat = take_in(memory, tmp_path, shown, hidden, notice)
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 59))
    assert not report.is_without_story
    assert report.notices == 20
    assert "铜钥匙" in told(memory, chat)
    assert "罗盘" in told(memory, chat)
    assert "公告" not in told(memory, chat)


def test_a_model_reads_what_was_hidden_and_no_notice(memory, tmp_path, llm):
    chat = take_in(memory, tmp_path, shown, hidden, notice)
    use(memory, llm)
    plan = memory.pipeline.plan_summary(Line.main(chat), (0, 59))
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 59))
    assert len(llm.seen) == len(plan.blocks)
    assert "罗盘" in asked(llm)
    assert "公告" not in asked(llm)


def test_a_chat_that_is_hidden_whole_is_a_story(memory, tmp_path):
    chat = take_in(memory, tmp_path, hidden)
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 59))
    assert report.events_added > 0
    assert report.notices == 0


def test_a_chat_of_notices_makes_no_event_asks_nobody_and_says_why(
    memory, tmp_path, llm, capsys, monkeypatch
):
    chat = take_in(memory, tmp_path, notice)
    use(memory, llm)
    assert memory.pipeline.plan_summary(Line.main(chat), (0, 59)).prompt_tokens == 0
    report = memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    assert report.is_without_story
    assert (report.events_added, report.floors, report.llm_calls) == (0, 25, 0)
    assert llm.seen == []
    assert memory.pipeline.plan_summary(Line.main(chat), (0, 24)).blocks == (), "they are done"
    folder = memory.folder
    memory.close()
    monkeypatch.setenv("ENGRAM_LIBRARY", str(folder))
    assert main(["summarise", chat, "--range", "25-59"]) == 0
    assert "None of them belongs to the story" in capsys.readouterr().out
    assert llm.seen == []
