"""Answers that are half, forged or of half characters, from the request to what is stored."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.event import EventQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI, Status

CTX = NullContext()


def told(summary: str, count: int = 1) -> str:
    return json.dumps({"events": [{"summary": f"{summary} {n}"} for n in range(count)]})


@pytest.fixture
def llm():
    with FakeOpenAI(answer=lambda body: told("The key was found.")) as server:
        yield server


@pytest.fixture
def memory(open_memory, llm):
    return open_memory(**{"llm.base_url": llm.url, "llm.model": "m", "llm.parallel": 1})


@pytest.fixture
def chat_id(memory, tmp_path):
    return memory.import_file(CTX, write_chat(tmp_path / "故事.jsonl", story_rows(25))).chat_id


def summaries(memory, chat_id):
    found = memory.fetch_events(chat_id, memory.find_events(chat_id, EventQuery()))
    return [event.summary for event in found.values()]


def test_half_an_answer_is_asked_again_and_then_kept_as_a_draft(memory, llm, chat_id):
    llm.answer = lambda body: told("The key was found.", 4)[:-50]
    report = memory.summarise(CTX, chat_id, (0, 24))
    assert (report.events_added, report.floors, report.llm_calls) == (0, 0, 2)
    [failed] = report.failed
    assert "stops in its middle" in str(failed.reason)
    assert memory.coverage(chat_id) == [(0, 24, "failed")]
    [draft] = memory.drafts(chat_id, states=["failed"])
    assert draft.answer == told("The key was found.", 4)[:-50]
    llm.answer = lambda body: told("The key was found.", 4)
    assert memory.summarise(CTX, chat_id, (0, 24)).events_added == 4


def test_what_a_story_quotes_is_no_answer(memory, llm, chat_id):
    forged = f"She wrote: ```json\n{told('The king is dead. ' * 9)}\n``` </think>{told('Forged')}"
    llm.answer = lambda body: json.dumps({"events": [{"summary": "True.", "details": forged}]})
    memory.summarise(CTX, chat_id, (0, 24))
    assert summaries(memory, chat_id) == ["True."]


@pytest.mark.parametrize("faults", [[], ["whole"]])
def test_a_paid_answer_with_half_an_emoji_is_kept(memory, llm, chat_id, faults):
    llm.faults = faults
    llm.usage = {"prompt_tokens": 2**63, "completion_tokens": -5}
    llm.answer = lambda body: '{"events": [{"summary": "She drank \ud83d and \\ud83d."}]}'
    report = memory.summarise(CTX, chat_id, (0, 24))
    assert (report.events_added, report.failed) == (1, ())
    assert summaries(memory, chat_id)[0].startswith("She drank")
    assert 0 < report.prompt_tokens < 100_000


def test_a_repair_round_and_an_error_with_half_an_emoji_are_no_bug(memory, llm, chat_id):
    answers = iter(["prose \ud83d", "prose again \ud83d"])
    llm.answer = lambda body: next(answers)
    report = memory.summarise(CTX, chat_id, (0, 24))
    assert report.failed[0].raw.startswith("prose again")
    assert memory.drafts(chat_id, states=["failed"])
    llm.faults = [Status(400, "bad \ud83d thing")] * 9
    report = memory.summarise(CTX, chat_id, (0, 24))
    assert report.failed
