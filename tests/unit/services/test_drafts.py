"""Nothing is paid for twice, and nothing is saved that the user has not seen."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import BadAnswer, Conflict
from engram_desktop.domain.memory.event import EventPatch
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, model_at, story_rows
from tests.fixtures import fake_llm
from tests.stored import stored_events, stored_summaries

CTX = NullContext()
_FLOORS = re.compile(r"\[(\d+)\]")


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
    return open_memory(**{**model_at(draft_llm.url), "llm.parallel": 1})


def import_floors(memory, tmp_path, count=60):
    return import_chat(memory, tmp_path / "故事.jsonl", story_rows(count))


def test_an_answer_that_was_not_stored_is_used_and_not_asked_again(
    reviewed_memory, draft_llm, tmp_path
):
    chat_id = import_floors(reviewed_memory, tmp_path)
    with pytest.raises(Killed):
        reviewed_memory.pipeline.summarise(Dies(2), Line.main(chat_id))
    assert stored_summaries(reviewed_memory, chat_id) == []
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id), states=["answered"])
    assert (draft.floors, draft.model) == ((0, 24), "fake-chat")
    asked = len(draft_llm.bodies())
    report = reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 24))
    assert (report.llm_calls, report.events_added) == (0, 1)
    assert len(draft_llm.bodies()) == asked
    assert reviewed_memory.drafts.find(Line.main(chat_id), states=["answered"]) == []


def test_another_model_is_asked_anew(reviewed_memory, tmp_path):
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
    assert stored_summaries(reviewed_memory, chat_id) == []
    reviewed_memory.history.redo(chat_id)
    assert len(stored_summaries(reviewed_memory, chat_id)) == 1
    assert len(reviewed_memory.drafts.find(Line.main(chat_id))) == 1


def test_what_is_to_be_reviewed_waits_and_is_not_asked_again(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    report = reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id), review=True)
    assert (report.waiting, report.events_added, report.floors) == (2, 0, 0)
    assert list(stored_events(reviewed_memory, chat_id).values()) == []
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
    first, second = list(stored_events(reviewed_memory, chat_id).values())
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
    (event,) = list(stored_events(reviewed_memory, chat_id).values())
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
    assert stored_summaries(reviewed_memory, chat_id) == ["爱丽丝与旅人见面了。"]
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
    before = stored_summaries(reviewed_memory, chat_id)
    draft_llm.answer = lambda body: json.dumps({"events": [{"summary": "新的一次总结。"}]})
    report = reviewed_memory.pipeline.redo(CTX, Line.main(chat_id), (3, 9))
    assert (report.waiting, stored_summaries(reviewed_memory, chat_id)) == (1, before)
    (draft,) = reviewed_memory.drafts.find(Line.main(chat_id))
    assert (draft.purpose, draft.floors) == ("redo", (0, 24))
    assert reviewed_memory.pipeline.plan_summary(Line.main(chat_id)).blocks == ()
    compared = reviewed_memory.drafts.compare(chat_id, draft.id)
    assert [e.summary for e in compared.present] == before[:1]
    assert [e.summary for e in compared.drafted] == ["新的一次总结。"]
    assert compared.kept == frozenset()
    reviewed_memory.drafts.save(CTX, chat_id, {draft.id: None})
    assert stored_summaries(reviewed_memory, chat_id) == ["新的一次总结。", before[1]]
    reviewed_memory.history.undo(chat_id)
    assert stored_summaries(reviewed_memory, chat_id) == before
    assert len(reviewed_memory.drafts.find(Line.main(chat_id))) == 1


def test_a_redo_keeps_what_is_locked_or_the_users_unless_ticked(reviewed_memory, tmp_path):
    chat_id = import_floors(reviewed_memory, tmp_path)
    reviewed_memory.pipeline.summarise(CTX, Line.main(chat_id))
    first, second = list(stored_events(reviewed_memory, chat_id).values())
    reviewed_memory.events.set_locked(CTX, chat_id, [first.pk], locked=True)
    reviewed_memory.events.update(chat_id, second.pk, EventPatch(summary="我自己写的。"))
    reviewed_memory.pipeline.redo(CTX, Line.main(chat_id), (0, 49))
    one, two = reviewed_memory.drafts.find(Line.main(chat_id))
    assert reviewed_memory.drafts.compare(chat_id, one.id).kept == {first.pk}
    reviewed_memory.drafts.save(CTX, chat_id, {one.id: None, two.id: None}, {two.id: [second.pk]})
    left = {e.pk for e in list(stored_events(reviewed_memory, chat_id).values())}
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
    assert stored_summaries(memory, chat_id)


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
