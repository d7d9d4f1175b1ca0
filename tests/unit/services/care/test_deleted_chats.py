"""A deleted chat comes back as it was, and only what is emptied is gone."""

from __future__ import annotations

import json
import shutil

import pytest

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library.trash import NOTE
from tests.factories import story_rows, write_chat
from tests.worldbooks import write_worldbook

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    chat = memory.imports.import_file(
        CTX, write_chat(tmp_path / "月光.jsonl", story_rows(30))
    ).chat_id
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 29), "extractive")
    return chat


def told(memory, chat):
    """All that a player could miss."""
    events = memory.events.fetch(chat, memory.events.find(chat, EventQuery()))
    return (
        [m.text for m in memory.messages.slice(Line.main(chat), 0, 99)],
        [event.summary for event in events.values()],
        [str(step.label) for step in memory.history.steps(chat)],
        memory.settings.read(chat),
        memory.kept.all(chat),
        memory.worldbooks.bound_to(chat),
        memory.chats.name(chat),
    )


def test_a_deleted_chat_comes_back_as_it_was(memory, chat, tmp_path):
    memory.chats.rename(chat, "月光酒馆")
    memory.settings.set("persona.text", "一个旅人", chat_id=chat)
    memory.kept.keep(CTX, Line.main(chat), tmp_path / "kept.json")
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json"))
    memory.worldbooks.set_in_chat(memory.worldbooks.all()[0].id, chat, is_on=True)
    before = told(memory, chat)
    memory.chats.delete(chat)
    assert memory.chats.all() == memory.kept.all() == []
    (row,) = memory.chats.deleted()
    assert (row.name, row.chat_id) == ("月光酒馆", chat)
    assert row.size > 10_000
    changes = memory.chats.restore("月光酒馆")
    assert changes.chat_id == chat
    assert told(memory, chat) == before
    assert memory.chats.deleted() == []
    assert not (memory.folder / "chats" / chat / NOTE).exists()
    assert memory.kept.sync(CTX)[0].worldbook.fault == ""
    with pytest.raises(NotFound):
        memory.chats.restore("月光酒馆")


def test_the_one_deleted_latest_comes_back_first(memory, tmp_path):
    ids = []
    for name in ("甲", "乙"):
        made = memory.imports.import_file(
            CTX, write_chat(tmp_path / f"{name}.jsonl", story_rows(4)), name="同名"
        )
        ids.append(made.chat_id)
    for chat in ids:
        memory.chats.delete(chat)
    assert [row.chat_id for row in memory.chats.deleted()] == ids[::-1]
    assert memory.chats.restore("同名").chat_id == ids[1]
    assert memory.chats.restore("同名").chat_id == ids[0]


def test_only_what_is_deleted_for_good_is_gone(memory, chat, tmp_path):
    other = memory.imports.import_file(
        CTX, write_chat(tmp_path / "b.jsonl", [("旅人", "你好"), ("老板", "欢迎")])
    ).chat_id
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json"))
    memory.worldbooks.set_in_chat(memory.worldbooks.all()[0].id, chat, is_on=True)
    memory.chats.delete(chat)
    memory.chats.delete(other)
    kept_by_a_restore = memory.folder / "trash" / "before-restore-1"
    kept_by_a_restore.mkdir()
    assert memory.chats.delete_for_good(chat).chat_id == chat
    assert [row.chat_id for row in memory.chats.deleted()] == [other]
    assert memory.session.library.database.value("SELECT count(*) FROM chat_book") == 0
    assert kept_by_a_restore.exists()
    with pytest.raises(NotFound):
        memory.chats.delete_for_good("../chats")
    memory.history.undo()
    memory.history.undo()
    assert memory.worldbooks.all() == [], "the history of the library goes on without the chat"


def test_a_chat_deleted_by_an_older_version_comes_back_by_who_speaks_in_it(memory, chat):
    memory.chats.delete(chat)
    (place,) = (memory.folder / "trash").iterdir()
    (place / NOTE).unlink()
    assert memory.chats.deleted()[0].name == "爱丽丝"
    memory.chats.restore(chat)
    assert memory.chats.name(chat) == "爱丽丝"
    assert len(memory.messages.slice(Line.main(chat), 0, 99)) == 30
    memory.chats.delete(chat)
    (place,) = (memory.folder / "trash").iterdir()
    (place / NOTE).unlink()
    (place / "memory.db").write_bytes(b"no database at all")
    assert memory.chats.deleted()[0].name == place.name


def test_a_chat_that_is_there_again_already_comes_back_beside_it(memory, chat):
    copy = shutil.copytree(memory.folder / "chats" / chat, memory.folder / "copy")
    memory.chats.delete(chat)
    (place,) = (memory.folder / "trash").iterdir()
    note = (place / NOTE).read_text("utf-8")
    memory.chats.restore(chat)
    copy.rename(memory.folder / "trash" / place.name)
    (memory.folder / "trash" / place.name / NOTE).write_text(note, "utf-8")
    beside = memory.chats.restore(chat).chat_id
    assert beside != chat
    assert [row.name for row in memory.chats.all()] == ["月光", "月光"]
    assert len(memory.messages.slice(Line.main(beside), 0, 99)) == 30


def test_what_was_interrupted_is_finished_when_the_library_opens(memory, chat, open_memory):
    before, folder = told(memory, chat), memory.folder
    rows = memory.session.library.database.rows("SELECT * FROM chat")
    memory.chats.delete(chat)
    (place,) = (folder / "trash").iterdir()
    memory.close()

    place.rename(folder / "chats" / chat)  # killed on the way back, before it was known again
    memory = open_memory(folder)
    assert told(memory, chat)[:3] == before[:3]
    memory.chats.delete(chat)
    with memory.session.library.database.writing() as connection:  # killed before it was forgotten
        connection.execute("INSERT INTO chat VALUES (?, ?, ?, ?, ?)", rows[0])
    memory.close()
    memory = open_memory(folder)
    assert memory.chats.all() == []
    memory.chats.restore(chat)
    (folder / "chats" / chat / NOTE).write_text(json.dumps({"name": "x"}), "utf-8")
    memory.close()
    memory = open_memory(folder)
    assert memory.chats.name(chat) == before[-1], "killed before it was moved: nothing happened"
    assert not (folder / "chats" / chat / NOTE).exists()


def test_half_a_note_keeps_nobody_from_their_library(memory, chat, open_memory):
    folder = memory.folder
    memory.chats.delete(chat)
    (place,) = (folder / "trash").iterdir()
    (place / NOTE).write_text('{"name": "月', "utf-8")
    assert memory.chats.deleted()[0].name == "爱丽丝"
    memory.close()
    place.rename(folder / "chats" / chat)
    assert open_memory(folder).chats.name(chat) == "爱丽丝"


def test_a_followed_file_is_followed_again(memory, tmp_path):
    handle = tmp_path / "ST" / "data" / "default-user"
    (handle / "chats" / "爱丽丝").mkdir(parents=True)
    (handle / "characters").mkdir()
    file = write_chat(handle / "chats" / "爱丽丝" / "一.jsonl", story_rows(6))
    chat = memory.tavern.sync_chat(CTX, file).chat_id
    memory.chats.delete(chat)
    assert not any(row.is_followed for row in memory.session.library.followed.all())
    memory.chats.restore(chat)
    assert [row.is_followed for row in memory.session.library.followed.all()] == [True]


def test_a_reader_sees_the_trash_and_changes_nothing(memory, chat):
    memory.chats.delete(chat)
    reader = Memory.open(memory.folder, program=None, environ={})
    assert len(reader.chats.deleted()) == 1
    reader.close()
