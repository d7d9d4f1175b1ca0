"""Private notes: on everything of a chat, undone, kept through merges, backed up, exported."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.private_note import MAX_NOTE
from engram_desktop.jobs.context import NullContext
from tests.factories import import_chat, story_rows

CTX = NullContext()


@pytest.fixture
def line(memory, tmp_path):
    line = Line.main(import_chat(memory, tmp_path / "故事.jsonl", story_rows(12)))
    memory.pipeline.summarise(CTX, line, (0, 11), "extractive")
    memory.pipeline.consolidate(CTX, line)
    return line


def notes(memory, line):
    return [(note.kind, note.text, note.is_gone) for note in memory.chats.notes.all(line.chat_id)]


def add(memory, line, summary):
    pk, _changes = memory.events.add(line, PlotExtraction(summary=summary), SourceRange(1, 2))
    return memory.events.fetch(line.chat_id, [pk])[pk]


def test_typing_is_one_step_and_an_empty_note_is_none(memory, line):
    before = len(memory.history.steps(line.chat_id))
    for text in ("先", "先别", " 先别说\n"):
        memory.chats.notes.write(line.chat_id, "chat", "", text)
    assert notes(memory, line) == [("chat", "先别说", False)]
    assert len(memory.history.steps(line.chat_id)) == before + 1
    assert not memory.chats.notes.write(line.chat_id, "chat", "", "先别说").notes
    memory.chats.notes.write(line.chat_id, "chat", "", "  ")
    assert notes(memory, line) == []


def test_what_is_not_there_or_too_long_is_refused(memory, line):
    for kind in ("event", "entity", "message"):
        with pytest.raises(NotFound):
            memory.chats.notes.write(line.chat_id, kind, "none", "词")
    with pytest.raises(InputError, match=str(MAX_NOTE)):
        memory.chats.notes.write(line.chat_id, "chat", "", "长" * (MAX_NOTE + 1))
    memory.chats.notes.write(line.chat_id, "chat", "", "a\0b\ud83d")
    assert notes(memory, line) == [("chat", "ab\ufffd", False)]


def test_what_is_deleted_keeps_its_note_until_it_comes_back(memory, line):
    event = add(memory, line, "下雨了。")
    memory.chats.notes.write(line.chat_id, "event", event.id, "雨是假的")
    memory.events.delete(CTX, line.chat_id, [event.pk])
    assert notes(memory, line) == [("event", "雨是假的", True)]
    found = memory.search.find(CTX, "雨是假的", line, with_notes=True)
    assert found.groups == ()
    memory.events.bring_back(CTX, line.chat_id, [event.pk])
    assert notes(memory, line) == [("event", "雨是假的", False)]


def test_entities_that_become_one_have_one_note(memory, line):
    one, other = memory.graph.find_entities(line)[:2]
    memory.chats.notes.write(line.chat_id, "entity", one.id, "甲")
    memory.chats.notes.write(line.chat_id, "entity", other.id, "乙")
    memory.graph.merge_entities(line.chat_id, [other.id], one.id)
    assert notes(memory, line) == [("entity", "甲\n\n乙", False)]
    memory.history.undo(line.chat_id)
    assert sorted(text for _kind, text, _gone in notes(memory, line)) == ["乙", "甲"]


def test_events_that_become_one_have_one_note(memory, line):
    one, other = add(memory, line, "下雨了。"), add(memory, line, "下起了雨。")
    memory.chats.notes.write(line.chat_id, "event", other.id, "雨是假的")
    assert memory.events.join(CTX, line.chat_id, [one.pk, other.pk]).notes
    assert memory.chats.notes.read(line.chat_id, "event", one.id) == "雨是假的"
    assert notes(memory, line) == [("event", "雨是假的", False)]


def test_a_backup_brings_notes_back(memory, line):
    memory.chats.notes.write(line.chat_id, "chat", "", "甲")
    backup = memory.backups.make(CTX)
    memory.chats.notes.write(line.chat_id, "chat", "", "乙")
    memory.backups.restore(CTX, backup)
    assert notes(memory, line) == [("chat", "甲", False)]


def test_the_whole_export_marks_notes_and_leaves_them_out_for_a_character(memory, line, tmp_path):
    memory.chats.notes.write(line.chat_id, "chat", "", "密语")
    memory.care.export(CTX, line, tmp_path / "all.json", "json")
    (note,) = json.loads((tmp_path / "all.json").read_text("utf-8"))["private_notes"]
    assert (note["text"], note["private"]) == ("密语", True)
    actors = memory.knowledge.askers(CTX, line, ["爱丽丝"])
    memory.care.export(CTX, line, tmp_path / "hers.json", "json", actors)
    assert "private_notes" not in json.loads((tmp_path / "hers.json").read_text("utf-8"))


def test_notes_are_found_in_the_search_of_the_user_alone(memory, line):
    memory.chats.notes.write(line.chat_id, "chat", "", "琉璃盏")
    assert memory.search.find(CTX, "琉璃盏", line).groups == ()
    found = memory.search.find(CTX, "type:note 琉璃盏", line, with_notes=True)
    assert [(group.kind, group.count) for group in found.groups] == [("note", 1)]
    actors = memory.knowledge.askers(CTX, line, ["爱丽丝"])
    assert memory.search.find(CTX, "琉璃盏", line, actors, with_notes=True).groups == ()
