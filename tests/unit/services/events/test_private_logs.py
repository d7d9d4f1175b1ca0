"""Private logs: written, found by those who may know them, true to what they tell of."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import LogPatch, LogQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from tests.factories import story_rows, write_chat

CTX = NullContext()
SPAN = SourceRange(3, 5)


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    return memory.imports.import_file(CTX, file).chat_id


@pytest.fixture
def log(memory, chat):
    patch = LogPatch(
        "爱丽丝", "企鹅太可爱了，我还想和他再去一次。", ("开心", "期待"), source_range=SPAN
    )
    pk, _changes = memory.logs.add(Line.main(chat), patch)
    return memory.logs.fetch(chat, [pk])[pk]


def recalled(memory, chat, actor=None, **query):
    memory.index.embed_pending(CTX, chat)
    asked = RecallQuery("企鹅太可爱了", kinds=("log",), actor=actor, **query)
    return [h.item.ref for h in memory.recall.ask(CTX, chat, asked).hits]


def test_only_its_owner_and_the_curator_recall_it(memory, chat, log):
    assert recalled(memory, chat) == [log.id]
    assert recalled(memory, chat, "爱丽丝") == [log.id]
    assert recalled(memory, chat, "凯尔") == []


def test_scope_can_be_widened_and_a_condition_denies_what_it_cannot_check(memory, chat, log):
    memory.logs.update(chat, log.pk, LogPatch(scope="global"))
    assert recalled(memory, chat, "凯尔") == [log.id]
    memory.logs.update(chat, log.pk, LogPatch(scope="conditional", condition="affinity > 90"))
    assert recalled(memory, chat, "凯尔") == []
    with pytest.raises(InputError):
        memory.logs.update(chat, log.pk, LogPatch(condition=" "))


def test_an_edit_is_found_by_its_new_words_and_undone_whole(memory, chat, log):
    changes = memory.logs.update(chat, log.pk, LogPatch(content="水母也好看。", emotion_tags=()))
    assert changes.logs
    assert recalled(memory, chat) == [log.id]  # the nearest there is
    assert memory.logs.find(chat, LogQuery("企鹅")).tolist() == []
    memory.history.undo(chat)
    assert memory.logs.fetch(chat, [log.pk])[log.pk] == log
    assert memory.logs.find(chat, LogQuery("企鹅")).tolist() == [log.pk]


def test_lists_are_narrowed_by_owner_and_words(memory, chat, log):
    other, _changes = memory.logs.add(
        Line.main(chat),
        LogPatch("凯尔", "她在瞒着我什么。", ("怀疑",), source_range=SourceRange(0, 1)),
    )
    assert memory.logs.find(chat, LogQuery()).tolist() == [other, log.pk]
    assert memory.logs.find(chat, LogQuery(owner="凯尔")).tolist() == [other]
    assert memory.logs.find(chat, LogQuery("怀疑")).tolist() == [other]
    assert memory.logs.owners(Line.main(chat)) == [("凯尔", 1), ("爱丽丝", 1)]


def test_it_is_stale_when_its_message_changes_and_gone_with_it(memory, chat, log):
    memory.messages.edit(Line.main(chat), 4, "改了。")
    assert memory.logs.fetch(chat, [log.pk])[log.pk].is_stale
    assert recalled(memory, chat) == []  # it may no longer be true
    memory.messages.delete(Line.main(chat), [3, 4, 5])
    assert memory.logs.fetch(chat, [log.pk]) == {}
    assert recalled(memory, chat) == []
    memory.history.undo(chat)
    memory.history.undo(chat)
    assert recalled(memory, chat) == [log.id]


def test_a_branch_sees_those_before_the_fork_and_its_own(memory, chat, log):
    early, _changes = memory.branches.fork(Line.main(chat), at=4, name="早")
    late, _changes = memory.branches.fork(Line.main(chat), at=20, name="晚")
    own, _changes = memory.logs.add(
        Line(chat, early), LogPatch("爱丽丝", "只在这条线。", source_range=SourceRange(4, 4))
    )
    assert memory.logs.find(chat, LogQuery(branch_id=early)).tolist() == [own]
    assert memory.logs.find(chat, LogQuery(branch_id=late)).tolist() == [log.pk]
    assert memory.logs.find(chat, LogQuery()).tolist() == [log.pk]


def test_it_points_to_an_event_that_exists(memory, chat, log):
    data = PlotExtraction("爱丽丝去了水族馆。")
    pk, _changes = memory.events.add(Line.main(chat), data, SourceRange(3, 3))
    event = memory.events.fetch(chat, [pk])[pk]
    memory.logs.update(chat, log.pk, LogPatch(linked_event_id=event.id))
    assert memory.logs.find_one(chat, log.id).linked_event_id == event.id
    memory.logs.update(chat, log.pk, LogPatch(linked_event_id=""))
    assert memory.logs.find_one(chat, log.id).linked_event_id is None
    with pytest.raises(NotFound):
        memory.logs.update(chat, log.pk, LogPatch(linked_event_id="nothing"))


@pytest.mark.parametrize(
    "patch",
    [
        LogPatch(" ", "甲", source_range=SPAN),
        LogPatch("爱丽丝", " ", source_range=SPAN),
        LogPatch("爱丽丝", "甲", source_range=SourceRange(0, 40)),
        LogPatch("爱丽丝", "甲"),
    ],
)
def test_what_is_incomplete_is_refused(memory, chat, patch):
    with pytest.raises(InputError):
        memory.logs.add(Line.main(chat), patch)


def test_deleted_entries_leave_the_index_and_are_repaired_when_they_do_not(memory, chat, log):
    assert memory.logs.delete(chat, [log.pk]).logs
    assert recalled(memory, chat) == []
    with pytest.raises(NotFound):
        memory.logs.find_one(chat, log.id)
    memory.history.undo(chat)
    store = memory.session.chat(chat)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE kind = 'log'")
    assert store.items.faults() == 1
    memory.care.doctor(CTX, repair=True)
    assert recalled(memory, chat) == [log.id]


def test_a_shared_log_is_known_to_its_owner_and_to_who_was_there(memory, chat, log):
    there = (ExtractedEntity("爱丽丝", "char"), ExtractedEntity("凯尔", "char"))
    data = PlotExtraction(
        "爱丽丝与凯尔在水族馆看企鹅。", entities=there, witnesses=("爱丽丝", "凯尔")
    )
    event, _changes = memory.events.add(Line.main(chat), data, SPAN)
    event_id = memory.events.fetch(chat, [event])[event].id
    memory.logs.update(chat, log.pk, LogPatch(scope="shared"))
    assert recalled(memory, chat, "爱丽丝") == [log.id]
    assert recalled(memory, chat, "凯尔") == []  # it tells of nothing that he took part in
    memory.logs.update(chat, log.pk, LogPatch(linked_event_id=event_id))
    for actor in ("爱丽丝", "凯尔"):
        assert recalled(memory, chat, actor) == [log.id]
    assert recalled(memory, chat, "莉莉丝") == []
    assert "企鹅太可爱" in memory.inject.compose(CTX, chat, RecallQuery("企鹅", actor="凯尔")).text
    assert (
        "企鹅太可爱"
        not in memory.inject.compose(CTX, chat, RecallQuery("企鹅", actor="莉莉丝")).text
    )
