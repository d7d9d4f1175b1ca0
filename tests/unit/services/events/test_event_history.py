"""What an event was, read back from the steps that are kept."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction, story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    return memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(30))
    ).chat_id


@pytest.fixture
def pk(memory, chat):
    made, _changes = memory.events.add(
        Line.main(chat), make_extraction("爱丽丝拾到铜钥匙。"), SourceRange(2, 5)
    )
    return made


def summaries(memory, chat, pk):
    return [version.event.summary for version in memory.events.history(chat, pk)]


def test_each_step_gives_a_version_and_the_first_is_as_it_was_made(memory, chat, pk):
    memory.events.update(chat, pk, EventPatch(summary="爱丽丝藏起铜钥匙。", details="在钟楼里"))
    memory.events.update(chat, pk, EventPatch(significance_score=0.9))
    memory.events.set_archived(CTX, chat, [pk], archived=True)
    versions = memory.events.history(chat, pk)
    assert [v.event.summary for v in versions] == ["爱丽丝藏起铜钥匙。"] * 3 + [
        "爱丽丝拾到铜钥匙。"
    ]
    assert [v.event.is_archived for v in versions] == [True, False, False, False]
    assert [v.event.significance_score for v in versions][1:3] == [0.9, 0.5]
    assert [v.event.raw_data.details for v in versions][2:] == ["在钟楼里", ""]
    assert all(v.label is not None and v.at for v in versions)


def test_what_was_undone_is_no_version_and_going_back_is_one(memory, chat, pk):
    memory.events.update(chat, pk, EventPatch(summary="第二版", details="二"))
    memory.events.update(chat, pk, EventPatch(summary="第三版", details="三"))
    memory.history.undo(chat)
    assert summaries(memory, chat, pk) == ["第二版", "爱丽丝拾到铜钥匙。"]
    oldest = memory.events.history(chat, pk)[-1]
    memory.events.update(chat, pk, oldest.patch)
    assert summaries(memory, chat, pk) == ["爱丽丝拾到铜钥匙。", "第二版", "爱丽丝拾到铜钥匙。"]
    assert memory.events.history(chat, pk)[0].event.raw_data == oldest.event.raw_data
    memory.history.undo(chat)
    assert summaries(memory, chat, pk)[0] == "第二版"


def test_steps_that_are_kept_no_more_leave_what_was_before_them(memory, chat, pk):
    memory.settings.set("undo.steps", 10)
    for n in range(14):
        memory.events.update(chat, pk, EventPatch(summary=f"第{n}版", details=str(n)))
    versions = memory.events.history(chat, pk)
    assert versions[0].event.summary == "第13版"
    assert versions[-1].label is None or versions[-1].event.summary == "爱丽丝拾到铜钥匙。"


def test_other_steps_are_no_versions(memory, chat, pk):
    memory.index.embed_pending(CTX, chat)
    memory.pipeline.summarise(CTX, Line.main(chat), extractor="extractive")
    assert summaries(memory, chat, pk) == ["爱丽丝拾到铜钥匙。"]


def test_an_event_that_is_none(memory, chat):
    with pytest.raises(NotFound):
        memory.events.history(chat, 999_999)
