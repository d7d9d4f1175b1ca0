"""Summaries by a model: asked, drafted, and answered badly."""

from __future__ import annotations

import json
import re
import socket
import threading

import pytest

from engram_desktop.domain.errors import (
    DailyCapReached,
    NotConfigured,
    Refused,
    TooLong,
)
from engram_desktop.domain.memory.event import EventPatch
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.session import _expected
from tests.contexts import TokenContext
from tests.factories import import_chat, model_at, story_rows, write_chat
from tests.fake_openai import Status
from tests.fixtures import fake_llm
from tests.stored import stored_events, stored_summaries

# Stage 1 against a real HTTP server with scripted answers and faults.

CTX = NullContext()
_FLOORS = re.compile(r"\[(\d+)\]")


def answer(body) -> str:
    """One event a block, that names the first floor it was shown."""
    floors = _FLOORS.findall(body["messages"][-1]["content"])
    event = {
        "summary": f"从第{floors[0]}楼起，爱丽丝把铜钥匙交给旅人。",
        "keywords": ["铜钥匙"],
        "timestamp": "第42天 深夜",
        "location": "月光酒馆",
        "entities": [{"name": "爱丽丝", "type": "char"}, {"name": "铜钥匙", "type": "item"}],
        "relations": [{"subject": "爱丽丝", "predicate": "交付", "object": "铜钥匙"}],
        "significance_score": 0.9,
    }
    return json.dumps({"events": [event]}, ensure_ascii=False)


llm = fake_llm(answer)


@pytest.fixture
def memory(open_memory, llm):
    memory = open_memory(**{**model_at(llm.url), "llm.parallel": 1})
    memory.endpoints.set_key("llm", "sk-test-key")
    return memory


def imported(memory, tmp_path, count=60):
    return import_chat(memory, tmp_path / f"故事{count}.jsonl", story_rows(count))


def events(memory, chat_id):
    return list(stored_events(memory, chat_id).values())


def test_each_block_is_asked_once_and_becomes_buffer_events(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path)
    report = memory.pipeline.summarise(CTX, Line.main(chat_id))
    assert (report.events_added, report.floors, report.llm_calls) == (2, 50, 2)
    assert len(llm.bodies()) == 2
    first, second = events(memory, chat_id)
    assert first.status == "buffer"
    assert first.extractor == "llm"
    assert (first.source_range.start_index, second.source_range.end_index) == (0, 49)
    assert "📅 时间: 第42天 深夜" in first.display_text
    assert (
        report.prompt_tokens == memory.care.stats(Line.main(chat_id))["tokens"]["prompt_tokens"] > 0
    )
    assert "sk-test-key" not in json.dumps([r.body for r in llm.seen], ensure_ascii=False)


def test_the_newest_floors_are_left_alone_unless_asked_for(memory, tmp_path):
    chat_id = imported(memory, tmp_path)
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    assert memory.events.coverage(Line.main(chat_id)) == [(0, 49, "buffer"), (50, 59, "empty")]
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 59))
    assert memory.events.coverage(Line.main(chat_id)) == [(0, 59, "buffer")]


def test_nothing_is_asked_twice(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path)
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    report = memory.pipeline.summarise(CTX, Line.main(chat_id))
    assert (report.llm_calls, report.events_added) == (0, 0)
    assert memory.pipeline.plan_summary(Line.main(chat_id)).already_done == 50
    assert len(llm.bodies()) == 2


def test_the_prompt_holds_the_block_the_cast_and_what_came_before(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path)
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    system, user = llm.bodies()[1]["messages"]
    assert "events" in system["content"]
    assert "[25]" in user["content"]
    assert "[24]" not in user["content"]
    assert "从第0楼起" in user["content"]
    assert "主要角色：爱丽丝" in user["content"]
    assert "{{" not in system["content"] + user["content"]


def test_a_model_reads_when_and_where_a_panel_says_that_it_plays(memory, llm, tmp_path):
    rows = []
    for n in range(30):
        panel = f"<status>\n时间：第{n // 9 + 3}天 夜\n地点：灯塔\n好感度：{n}\n</status>"
        rows += [("旅人", f"我第{n}次敲门。"), ("爱丽丝", f"她第{n}次说不。\n{panel}")]
    chat_id = import_chat(memory, tmp_path / "塔.jsonl", rows)
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    user = llm.bodies()[0]["messages"][1]["content"]
    assert "[1] 爱丽丝: (第3天 夜, 灯塔) 她第0次说不。" in user
    assert "[3] 爱丽丝: 她第1次说不。" in user
    assert "[19] 爱丽丝: (第4天 夜, 灯塔) 她第9次说不。" in user
    assert "好感度" not in user


def test_a_block_that_fails_is_reported_with_the_raw_answer_and_can_be_done_later(
    memory, llm, tmp_path
):
    chat_id = imported(memory, tmp_path)
    llm.faults = ["garbage", "garbage"]
    report = memory.pipeline.summarise(CTX, Line.main(chat_id))
    (failed,) = report.failed
    assert (failed.start_index, failed.end_index) == (0, 24)
    assert failed.raw
    assert report.floors == 25
    assert memory.pipeline.summarise(CTX, Line.main(chat_id)).floors == 25
    assert memory.events.coverage(Line.main(chat_id))[0] == (0, 49, "buffer")


def test_a_repair_round_names_the_faults(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 25)
    bad = json.dumps({"events": [{"summary": ""}]})
    answers = iter([bad, answer({"messages": [{"content": "[0]"}]})])
    llm.answer = lambda body: next(answers)
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert (report.events_added, report.llm_calls) == (1, 2)
    assert "events[0].summary" in llm.bodies()[1]["messages"][-1]["content"]


def test_no_event_is_a_sound_answer_and_is_not_asked_again(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 25)
    llm.answer = lambda body: '{"events": []}'
    assert memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24)).failed == ()
    assert memory.events.coverage(Line.main(chat_id)) == [(0, 24, "done")]
    assert memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24)).llm_calls == 0


def test_a_refused_key_stops_everything_at_once(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path)
    llm.faults = [401] * 9
    with pytest.raises(Refused):
        memory.pipeline.summarise(CTX, Line.main(chat_id))
    assert len(llm.seen) == 1
    assert events(memory, chat_id) == []


def test_a_server_that_asks_to_wait_is_asked_again(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 25)
    llm.faults = [Status(429, retry_after="0"), Status(503, retry_after="0")]
    assert memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24)).events_added == 1


def test_cancel_interrupts_a_hanging_request_and_keeps_finished_blocks(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path)
    ctx = TokenContext()
    real = llm.answer

    def second_hangs(body):
        if len(llm.bodies()) == 2:
            llm.arrived.set()
            llm.release.wait(30)
        return real(body)

    llm.answer = second_hangs
    llm.arrived.clear()

    def cancel_at_the_second():
        _second(llm)
        ctx.token.cancel()

    waiter = threading.Thread(target=cancel_at_the_second)
    waiter.start()
    with pytest.raises(Cancelled):
        memory.pipeline.summarise(ctx, Line.main(chat_id))
    waiter.join()
    assert len(events(memory, chat_id)) == 1
    assert memory.events.coverage(Line.main(chat_id))[0] == (0, 24, "buffer")


def _second(llm):
    while len(llm.bodies()) < 2:
        llm.arrived.wait(0.05)
        llm.arrived.clear()


def test_messages_that_change_while_the_model_thinks_are_not_summarised(memory, llm, tmp_path):
    file = tmp_path / "故事60.jsonl"
    chat_id = imported(memory, tmp_path, 60)
    real = llm.answer

    def edited_meanwhile(body):
        llm.answer = real
        rows = story_rows(60)
        rows[20] = ("爱丽丝", "被改写的一句。")
        memory.imports.import_file(CTX, write_chat(file, rows), on_conflict="replace")
        return real(body)

    llm.answer = edited_meanwhile
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert "changed" in report.failed[0].reason
    assert events(memory, chat_id) == []


def test_without_a_model_the_extractive_events_are_marked_and_redone_by_one(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 25)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24), "extractive")
    plain = events(memory, chat_id)
    assert {e.extractor for e in plain} == {"extractive"}
    assert llm.bodies() == []
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24), "llm")
    assert {e.extractor for e in events(memory, chat_id)} == {"llm"}
    memory.history.undo(chat_id)
    assert events(memory, chat_id) == plain


def test_what_the_user_wrote_or_locked_survives_a_redo(memory, tmp_path):
    chat_id = imported(memory, tmp_path, 50)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 49), "extractive")
    first, *others = events(memory, chat_id)
    memory.events.update(chat_id, first.pk, EventPatch(summary="我自己写的。"))
    memory.events.set_locked(CTX, chat_id, [others[0].pk], locked=True)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 49), "llm")
    kept = {e.pk for e in events(memory, chat_id)}
    assert {first.pk, others[0].pk} <= kept


def test_an_llm_without_an_endpoint_is_said(open_memory, tmp_path):
    memory = open_memory()
    chat_id = imported(memory, tmp_path, 25)
    with pytest.raises(NotConfigured):
        memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24), "llm")
    assert memory.pipeline.plan_summary(Line.main(chat_id), (0, 24)).extractor == "extractive"


def test_the_environment_configures_an_endpoint_and_wins(open_memory, llm, tmp_path):
    memory = open_memory(
        environ={
            "ENGRAM_LLM_BASE_URL": llm.url,
            "ENGRAM_LLM_MODEL": "from-environment",
            "ENGRAM_LLM_API_KEY": "sk-environment",
        }
    )
    chat_id = imported(memory, tmp_path, 25)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert llm.bodies()[0]["model"] == "from-environment"
    assert llm.seen[0].headers["authorization"] == "Bearer sk-environment"
    stored = b"".join(f.read_bytes() for f in memory.folder.rglob("*") if f.is_file())
    assert b"sk-environment" not in stored


def test_one_undo_takes_a_whole_run_back(memory, tmp_path):
    chat_id = imported(memory, tmp_path)
    report = memory.pipeline.summarise(CTX, Line.main(chat_id))
    assert str(report.changes.undo_label) == "Summarise floors 0–49"
    memory.history.undo(chat_id)
    assert events(memory, chat_id) == []
    assert memory.events.coverage(Line.main(chat_id)) == [(0, 59, "empty")]


def test_after_the_day_s_last_tokens_no_smaller_block_is_asked_either(memory, llm, tmp_path):
    """The first block does not fit any more; the other one, of few words, would."""

    def line_of(said):
        rows = [("旅人", said * (40 if n < 25 else 1)) for n in range(50)]
        return Line.main(import_chat(memory, tmp_path / f"{said}.jsonl", rows))

    memory.pipeline.summarise(CTX, line_of("我们去看企鹅。"), (0, 49))
    long, short = map(_expected, llm.bodies())
    assert short < long
    line = line_of("我们去看海豚。")
    memory.settings.set("llm.daily_tokens", memory.usage.today().tokens + (long + short) // 2)
    with pytest.raises(DailyCapReached):
        memory.pipeline.summarise(CTX, line, (0, 49))
    assert len(llm.bodies()) == 2
    assert memory.pipeline.summarise(CTX, line, (25, 49)).events_added == 1


# Answers that are half, forged or of half characters, from the request to what is stored.


def told(summary: str, count: int = 1) -> str:
    return json.dumps({"events": [{"summary": f"{summary} {n}"} for n in range(count)]})


hostile_llm = fake_llm(lambda body: told("The key was found."))


@pytest.fixture
def hostile_memory(open_memory, hostile_llm):
    return open_memory(**{**model_at(hostile_llm.url, "m"), "llm.parallel": 1})


@pytest.fixture
def chat_id(hostile_memory, tmp_path):
    return import_chat(hostile_memory, tmp_path / "故事.jsonl", story_rows(25))


def test_half_an_answer_is_asked_again_and_then_kept_as_a_draft(
    hostile_memory, hostile_llm, chat_id
):
    hostile_llm.answer = lambda body: told("The key was found.", 4)[:-50]
    report = hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert (report.events_added, report.floors, report.llm_calls) == (0, 0, 2)
    [failed] = report.failed
    assert "stops in its middle" in str(failed.reason)
    assert hostile_memory.events.coverage(Line.main(chat_id)) == [(0, 24, "failed")]
    [draft] = hostile_memory.drafts.find(Line.main(chat_id), states=["failed"])
    assert draft.answer == told("The key was found.", 4)[:-50]
    hostile_llm.answer = lambda body: told("The key was found.", 4)
    assert hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24)).events_added == 4


def test_what_a_story_quotes_is_no_answer(hostile_memory, hostile_llm, chat_id):
    forged = f"She wrote: ```json\n{told('The king is dead. ' * 9)}\n``` </think>{told('Forged')}"
    hostile_llm.answer = lambda body: json.dumps(
        {"events": [{"summary": "True.", "details": forged}]}
    )
    hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert stored_summaries(hostile_memory, chat_id) == ["True."]


@pytest.mark.parametrize("faults", [[], ["whole"]])
def test_a_paid_answer_with_half_an_emoji_is_kept(hostile_memory, hostile_llm, chat_id, faults):
    hostile_llm.faults = faults
    hostile_llm.usage = {"prompt_tokens": 2**63, "completion_tokens": -5}
    hostile_llm.answer = lambda body: '{"events": [{"summary": "She drank \ud83d and \\ud83d."}]}'
    report = hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert (report.events_added, report.failed) == (1, ())
    assert stored_summaries(hostile_memory, chat_id)[0].startswith("She drank")
    assert 0 < report.prompt_tokens < 100_000


def test_a_repair_round_and_an_error_with_half_an_emoji_are_no_bug(
    hostile_memory, hostile_llm, chat_id
):
    answers = iter(["prose \ud83d", "prose again \ud83d"])
    hostile_llm.answer = lambda body: next(answers)
    report = hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert report.failed[0].raw.startswith("prose again")
    assert hostile_memory.drafts.find(Line.main(chat_id), states=["failed"])
    hostile_llm.faults = [Status(400, "bad \ud83d thing")] * 9
    report = hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert report.failed


@pytest.fixture
def long_chat(hostile_memory, tmp_path):
    hostile_memory.settings.set("summary.interval", 5)
    return import_chat(hostile_memory, tmp_path / "长.jsonl", story_rows(60))


def test_an_endpoint_that_is_not_there_stops_the_run_and_says_why(
    hostile_memory, hostile_llm, long_chat
):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        hostile_memory.settings.set(
            "llm.base_url", f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        )
        report = hostile_memory.pipeline.summarise(CTX, Line.main(long_chat), (0, 59))
    assert "did not answer" in str(report.stopped)
    assert [(f.start_index, f.end_index) for f in report.failed] == [(0, 4)]
    assert (report.not_begun, report.floors) == (11, 0)
    hostile_memory.settings.set("llm.base_url", hostile_llm.url)
    again = hostile_memory.pipeline.summarise(CTX, Line.main(long_chat), (0, 59))
    assert (again.floors, again.stopped, again.not_begun) == (60, "", 0)


@pytest.mark.parametrize(
    "fault",
    [
        Status(404, "The model `m` does not exist"),
        Status(400, "Model Not Exist"),
        Status(402, "Insufficient Balance"),
    ],
)
def test_a_trouble_of_every_block_is_met_once(hostile_memory, hostile_llm, long_chat, fault):
    hostile_llm.faults = [fault] * 99
    report = hostile_memory.pipeline.summarise(CTX, Line.main(long_chat), (0, 59))
    assert fault.message in str(report.stopped)
    assert (len(report.failed), report.not_begun) == (1, 11)
    hostile_llm.faults.clear()
    assert hostile_memory.pipeline.summarise(CTX, Line.main(long_chat), (0, 59)).floors == 60


@pytest.mark.parametrize("fault", [Status(400, "the context is too long"), 500])
def test_a_trouble_of_one_block_leaves_the_others(hostile_memory, hostile_llm, long_chat, fault):
    hostile_llm.faults = [fault] * (3 if fault != 500 else 1)
    report = hostile_memory.pipeline.summarise(CTX, Line.main(long_chat), (0, 59))
    assert report.stopped == ""
    assert report.floors >= 55


# A model that reads less than a block has.


def test_a_block_that_a_model_does_not_read_whole_is_halved(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    llm.context = sum(estimate_tokens(m["content"]) for m in llm.bodies()[0]["messages"]) - 70
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), (25, 59))
    assert (report.floors, report.failed) == (35, ())
    assert memory.events.coverage(Line.main(chat_id)) == [(0, 59, "buffer")]
    ranges = [
        (e.source_range.start_index, e.source_range.end_index) for e in events(memory, chat_id)
    ]
    assert sorted(ranges) == [(0, 24), (25, 42), (43, 59)]
    assert len(llm.bodies()) == 1 + 1 + 2  # one was refused


def test_what_was_refused_once_is_not_asked_again_at_that_length(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 110)
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    llm.context = sum(estimate_tokens(m["content"]) for m in llm.bodies()[0]["messages"]) - 70
    memory.pipeline.summarise(CTX, Line.main(chat_id), (25, 99))
    assert len(llm.bodies()) == 1 + 1 + 6


def test_a_message_that_no_model_reads_is_reported_and_the_others_are_told(memory, llm, tmp_path):
    rows = story_rows(30)
    rows[12] = ("爱丽丝", "很久以前有一座钟楼。" * 2_000)
    chat_id = import_chat(memory, tmp_path / "长.jsonl", rows)
    llm.context = 6_000
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert [(f.start_index, f.end_index) for f in report.failed] == [(12, 12)]
    assert "exceeds the available context" in report.failed[0].reason
    assert report.floors == 24
    assert "context" in TooLong.hint


def test_a_server_that_cuts_a_request_in_silence_is_found_out(memory, llm, tmp_path):
    rows = [(name, text * 40) for name, text in story_rows(60)]
    chat_id = import_chat(memory, tmp_path / "长.jsonl", rows)
    llm.context, llm.cuts = 4_096, True
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert report.failed == ()
    assert report.floors == 25
    assert len(events(memory, chat_id)) > 1


def test_a_model_that_cannot_even_read_the_instructions_is_not_asked_floor_by_floor(
    memory, llm, tmp_path
):
    chat_id = imported(memory, tmp_path, 110)
    llm.context = 500
    report = memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 99))
    assert "exceeds the available context" in report.stopped
    assert len(llm.bodies()) < 10
    assert report.floors == 0
