"""Summaries by a model: asked, drafted, and answered badly."""

from __future__ import annotations

import json
import re
import socket
import threading
from dataclasses import replace

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import (
    BadAnswer,
    BadEndpoint,
    Conflict,
    DailyCapReached,
    NotConfigured,
    Refused,
    TooLong,
)
from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.client.session import _expected
from tests.contexts import TokenContext
from tests.factories import import_chat, story_rows, write_chat
from tests.fake_openai import Status
from tests.fixtures import fake_llm

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
    memory = open_memory(**{"llm.base_url": llm.url, "llm.model": "fake-chat", "llm.parallel": 1})
    memory.endpoints.set_key("llm", "sk-test-key")
    return memory


def imported(memory, tmp_path, count=60):
    return import_chat(memory, tmp_path / f"故事{count}.jsonl", story_rows(count))


def events(memory, chat_id):
    pks = memory.events.find(chat_id, EventQuery())
    found = memory.events.fetch(chat_id, pks)
    return [found[pk] for pk in pks]


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


def test_a_redirect_carries_neither_story_nor_key_elsewhere(memory, llm, tmp_path):
    chat_id = imported(memory, tmp_path, 25)
    llm.faults = ["redirect"] * 4
    with pytest.raises(BadEndpoint, match="redirects"):
        memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert llm.elsewhere == []


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


# Nothing is paid for twice, and nothing is saved that the user has not seen.


def draft_answer(body) -> str:
    floors = _FLOORS.findall(body["messages"][-1]["content"])
    event = {"summary": f"从第{floors[0]}楼起，爱丽丝把铜钥匙交给旅人。"}
    return json.dumps({"events": [event]}, ensure_ascii=False)


class Killed(BaseException):
    """What a killed process is to the code: nothing more of it runs."""


class Dies(NullContext):
    """Stops, as a killed process does, before the ``nth`` unit of writing."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    @override
    def write(self, unit):
        self.left -= 1
        if self.left == 0:
            raise Killed
        return unit()


draft_llm = fake_llm(draft_answer)


@pytest.fixture
def reviewed_memory(open_memory, draft_llm):
    return open_memory(
        **{"llm.base_url": draft_llm.url, "llm.model": "fake-chat", "llm.parallel": 1}
    )


def import_floors(memory, tmp_path, count=60):
    return import_chat(memory, tmp_path / "故事.jsonl", story_rows(count))


def events_of(memory, chat_id):
    pks = memory.events.find(chat_id, EventQuery())
    found = memory.events.fetch(chat_id, pks)
    return [found[pk] for pk in pks]


def summaries(memory, chat_id):
    return [event.summary for event in events_of(memory, chat_id)]


def test_an_answer_that_was_not_stored_is_used_and_not_asked_again(
    reviewed_memory, draft_llm, tmp_path
):
    chat_id = import_floors(reviewed_memory, tmp_path)
    with pytest.raises(Killed):
        reviewed_memory.pipeline.summarise(Dies(2), Line.main(chat_id))
    assert summaries(reviewed_memory, chat_id) == []
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id), states=["answered"])
    assert (draft.floors, draft.model) == ((0, 24), "fake-chat")
    asked = len(draft_llm.bodies())
    report = reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert (report.llm_calls, report.events_added) == (0, 1)
    assert len(draft_llm.bodies()) == asked
    assert reviewed_memory.drafts.find(Line.main(chat_id), states=["answered"]) == []


def test_another_model_is_asked_anew(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    with pytest.raises(Killed):
        reviewed_memory.pipeline.summarise(Dies(2), Line.main(chat_id))
    reviewed_memory.settings.set("llm.model", "other-chat")
    assert reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24)).llm_calls == 1


def test_the_block_says_which_request_it_came_from(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    rows = reviewed_memory.session.chat(chat_id).database.rows(
        "SELECT prompt_hash FROM summary_block"
    )
    assert len({key for (key,) in rows}) == 2
    assert all(len(key) == 32 for (key,) in rows)


def test_undo_brings_the_answer_back_and_redo_takes_it_again(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path, 35)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    reviewed_memory.history.undo(chat_id)
    assert len(reviewed_memory.drafts.find(Line.main(chat_id), states=["answered"])) == 1
    reviewed_memory.drafts.discard(chat_id, [])  # changes nothing, leaves no step
    reviewed_memory.history.redo(chat_id)
    assert reviewed_memory.drafts.find(Line.main(chat_id), states=["answered"]) == []
    reviewed_memory.history.undo(chat_id)
    plan = reviewed_memory.pipeline.plan_summary(Line.main(chat_id))
    assert (len(plan.blocks), plan.answered, plan.prompt_tokens) == (1, 1, 0)
    assert reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id)).llm_calls == 0
    assert len(draft_llm.bodies()) == 1


def test_drafts_kept_between_do_not_stand_in_the_way_of_undo(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    draft_llm.faults = ["garbage", "garbage"]
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), (25, 49))
    reviewed_memory.history.undo(chat_id)
    assert summaries(reviewed_memory, chat_id) == []
    reviewed_memory.history.redo(chat_id)
    assert len(summaries(reviewed_memory, chat_id)) == 1
    assert len(reviewed_memory.drafts.find(Line.main(chat_id))) == 1


def test_what_is_to_be_reviewed_waits_and_is_not_asked_again(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    report = reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), review=True)
    assert (report.waiting, report.events_added, report.floors) == (2, 0, 0)
    assert events_of(reviewed_memory, chat_id) == []
    plan = reviewed_memory.pipeline.plan_summary(Line.main(chat_id))
    assert (plan.blocks, plan.waiting) == ((), 2)
    assert reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), review=True).llm_calls == 0
    first, second = reviewed_memory.drafts.find(Line.main(chat_id))
    saved = reviewed_memory.drafts.save(CTX, chat_id, {first.id: None, second.id: None})
    assert (saved.saved, saved.events_added) == (2, 2)
    assert str(saved.changes.undo_label) == "Save 2 reviewed blocks"
    assert reviewed_memory.drafts.find(Line.main(chat_id)) == []
    reviewed_memory.history.undo(chat_id)
    assert [d.state for d in reviewed_memory.drafts.find(Line.main(chat_id))] == [
        "waiting",
        "waiting",
    ]


def test_what_is_on_the_screen_is_saved_and_marked_as_the_users(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path, 35)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), review=True)
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    ((data, source),) = draft.events
    mine = replace(data, summary="我改过的。")
    reviewed_memory.drafts.save(CTX, chat_id, {draft.id: [(mine, source), (data, source)]})
    first, second = events_of(reviewed_memory, chat_id)
    assert {(e.summary, e.extractor) for e in (first, second)} == {
        ("我改过的。", "manual"),
        (data.summary, "llm"),
    }


def test_a_draft_is_never_saved_over_changed_messages(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), review=True)
    reviewed_memory.messages.edit(Line.main(chat_id), 3, "被改写的一句。")
    first, second = reviewed_memory.drafts.find(Line.main(chat_id))
    assert (first.is_outdated, second.is_outdated) == (True, False)
    report = reviewed_memory.drafts.save(CTX, chat_id, {first.id: None, second.id: None})
    assert (report.saved, [d.id for d in report.outdated]) == (1, [first.id])
    assert reviewed_memory.events.coverage(Line.main(chat_id))[0] == (0, 24, "empty")
    with pytest.raises(Conflict):
        reviewed_memory.drafts.read_again(CTX, chat_id, first.id, first.answer)
    assert reviewed_memory.pipeline.plan_summary(Line.main(chat_id)).blocks == ((0, 24),)


def test_drafts_move_with_their_messages(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), (25, 49), review=True)
    reviewed_memory.messages.delete(Line.main(chat_id), [0, 1])
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    assert (draft.floors, draft.is_outdated) == ((23, 47), False)
    reviewed_memory.drafts.save(CTX, chat_id, {draft.id: None})
    (event,) = events_of(reviewed_memory, chat_id)
    assert (event.source_range.start_index, event.source_range.end_index) == (23, 47)


def test_an_answer_that_failed_is_kept_mended_and_read(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path, 35)
    draft_llm.faults = ["garbage", "garbage"]
    report = reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    assert report.llm_calls == 2
    assert report.completion_tokens > 0
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    assert (draft.state, draft.answer) == ("failed", report.failed[0].raw)
    assert str(draft.reason) == str(report.failed[0].reason)
    with pytest.raises(BadAnswer):
        reviewed_memory.drafts.read_again(CTX, chat_id, draft.id, draft.answer)
    assert len(reviewed_memory.drafts.find(Line.main(chat_id))) == 1
    mended = json.dumps({"events": [{"summary": "爱丽丝与旅人见面了。"}]}, ensure_ascii=False)
    assert reviewed_memory.drafts.read_again(CTX, chat_id, draft.id, mended).saved == 1
    assert summaries(reviewed_memory, chat_id) == ["爱丽丝与旅人见面了。"]
    assert reviewed_memory.drafts.find(Line.main(chat_id)) == []


def test_asking_again_takes_the_place_of_what_failed(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path, 35)
    draft_llm.faults = ["garbage", "garbage"]
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    assert reviewed_memory.drafts.ask_again(CTX, chat_id, draft.id).events_added == 1
    assert (
        reviewed_memory.drafts.find(Line.main(chat_id), states=["waiting", "failed", "answered"])
        == []
    )


def test_a_redo_waits_beside_what_is_there_and_takes_its_place_in_one_step(
    reviewed_memory, draft_llm, tmp_path
):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    before = summaries(reviewed_memory, chat_id)
    draft_llm.answer = lambda body: json.dumps({"events": [{"summary": "新的一次总结。"}]})
    report = reviewed_memory.pipeline.redo(CTX, Line.main(chat_id), (3, 9))
    assert (report.waiting, summaries(reviewed_memory, chat_id)) == (1, before)
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    assert (draft.purpose, draft.floors) == ("redo", (0, 24))
    assert reviewed_memory.pipeline.plan_summary(Line.main(chat_id)).blocks == ()
    compared = reviewed_memory.drafts.compare(chat_id, draft.id)
    assert [e.summary for e in compared.present] == before[:1]
    assert [e.summary for e in compared.drafted] == ["新的一次总结。"]
    assert compared.kept == frozenset()
    reviewed_memory.drafts.save(CTX, chat_id, {draft.id: None})
    assert summaries(reviewed_memory, chat_id) == ["新的一次总结。", before[1]]
    reviewed_memory.history.undo(chat_id)
    assert summaries(reviewed_memory, chat_id) == before
    assert len(reviewed_memory.drafts.find(Line.main(chat_id))) == 1


def test_a_redo_keeps_what_is_locked_or_the_users_unless_ticked(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    first, second = events_of(reviewed_memory, chat_id)
    reviewed_memory.events.set_locked(CTX, chat_id, [first.pk], locked=True)
    reviewed_memory.events.update(chat_id, second.pk, EventPatch(summary="我自己写的。"))
    reviewed_memory.pipeline.redo(CTX, Line.main(chat_id), (0, 49))
    one, two = reviewed_memory.drafts.find(Line.main(chat_id))
    assert reviewed_memory.drafts.compare(chat_id, one.id).kept == {first.pk}
    reviewed_memory.drafts.save(CTX, chat_id, {one.id: None, two.id: None}, {two.id: [second.pk]})
    left = {e.pk for e in events_of(reviewed_memory, chat_id)}
    assert first.pk in left
    assert second.pk not in left


def test_a_redo_without_a_model_waits_too(reviewed_memory, draft_llm, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    report = reviewed_memory.pipeline.redo(CTX, Line.main(chat_id), (0, 24), "extractive")
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    assert (report.waiting, draft.extractor) == (1, "extractive")
    assert len(draft.events) > 0
    assert len(draft_llm.bodies()) == 2


def test_extractive_events_need_no_review(open_memory, tmp_path):
    memory = open_memory()
    chat_id = import_floors(memory, tmp_path)
    assert memory.pipeline.summarise(CTX, Line.main(chat_id), review=True).waiting == 0
    assert summaries(memory, chat_id)


def test_automation_waits_when_much_is_to_be_reviewed(reviewed_memory, draft_llm, tmp_path):
    reviewed_memory.settings.set("summary.interval", 5)
    chat_id = import_floors(reviewed_memory, tmp_path, 90)
    report = reviewed_memory.automation.run(CTX, Line.main(chat_id), consent=True)
    assert (report.waiting, report.plan.standing) == (8, "review")
    assert report.plan.drafts.waiting == 8
    assert reviewed_memory.automation.run(CTX, Line.main(chat_id), consent=True).waiting == 0
    assert len(draft_llm.bodies()) == 8
    reviewed_memory.drafts.save(
        CTX, chat_id, {d.id: None for d in reviewed_memory.drafts.find(Line.main(chat_id))}
    )
    assert reviewed_memory.automation.run(CTX, Line.main(chat_id), consent=True).waiting == 8


# Answers that are half, forged or of half characters, from the request to what is stored.


def told(summary: str, count: int = 1) -> str:
    return json.dumps({"events": [{"summary": f"{summary} {n}"} for n in range(count)]})


hostile_llm = fake_llm(lambda body: told("The key was found."))


@pytest.fixture
def hostile_memory(open_memory, hostile_llm):
    return open_memory(**{"llm.base_url": hostile_llm.url, "llm.model": "m", "llm.parallel": 1})


@pytest.fixture
def chat_id(hostile_memory, tmp_path):
    return import_chat(hostile_memory, tmp_path / "故事.jsonl", story_rows(25))


def summaries_of(memory, chat_id):
    found = memory.events.fetch(chat_id, memory.events.find(chat_id, EventQuery()))
    return [event.summary for event in found.values()]


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
    assert summaries_of(hostile_memory, chat_id) == ["True."]


@pytest.mark.parametrize("faults", [[], ["whole"]])
def test_a_paid_answer_with_half_an_emoji_is_kept(hostile_memory, hostile_llm, chat_id, faults):
    hostile_llm.faults = faults
    hostile_llm.usage = {"prompt_tokens": 2**63, "completion_tokens": -5}
    hostile_llm.answer = lambda body: '{"events": [{"summary": "She drank \ud83d and \\ud83d."}]}'
    report = hostile_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert (report.events_added, report.failed) == (1, ())
    assert summaries_of(hostile_memory, chat_id)[0].startswith("She drank")
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
