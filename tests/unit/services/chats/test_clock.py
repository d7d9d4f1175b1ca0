"""A clock far beyond the calendar, before it or running backwards ends nothing."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.moment import local_moment, moment
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import story_rows, write_chat

CTX = NullContext()
AFTER_9999 = 300_000_000_000_000


@pytest.mark.parametrize("now", [AFTER_9999, 10**18, -(10**15), 0])
def test_any_clock_is_worked_with(tmp_path, now):
    memory = Memory.open(tmp_path / "library", clock=lambda: now, environ={})
    report = memory.imports.import_file(CTX, write_chat(tmp_path / "a.jsonl", story_rows(60)))
    chat_id = report.chat_id
    assert chat_id is not None
    memory.pipeline.summarise(CTX, Line.main(chat_id))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.recall.ask(CTX, chat_id, RecallQuery("铜钥匙"))
    memory.inject.compose(CTX, chat_id, RecallQuery("铜钥匙"))
    assert memory.care.stats(Line.main(chat_id))["today"]
    assert memory.automation.run(CTX, Line.main(chat_id), consent=True).plan.chat_id == chat_id
    assert memory.backups.make(CTX) != memory.backups.make(CTX)
    assert len(memory.backups.all()) == 2
    memory.backups.make_if_due(CTX)
    (key, *_more) = memory.events.find(chat_id, EventQuery())
    memory.events.delete(CTX, chat_id, [key])
    memory.history.undo(chat_id)
    memory.chats.delete(chat_id)
    assert memory.chats.deleted()
    memory.care.doctor(CTX, repair=True)
    memory.close()


@pytest.mark.parametrize("milliseconds", [10**30, -(10**30), 0, AFTER_9999])
def test_any_number_is_a_moment(milliseconds):
    assert 1 <= moment(milliseconds).year <= local_moment(milliseconds).year + 1
