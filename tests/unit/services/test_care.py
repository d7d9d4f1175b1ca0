"""Care of a library: deleted chats, checks, exports, interrupted work."""

from __future__ import annotations

import json
import os
import shutil
import tracemalloc
import zipfile

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.event import EventQuery, event_fields
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.care.upkeep import export
from engram_desktop.services.chats import timeline
from engram_desktop.services.memory import Memory
from engram_desktop.services.recall import index
from engram_desktop.storage.library import trash
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.trash import NOTE
from tests.factories import (
    counting_clock,
    import_chat,
    make_chat,
    make_event,
    make_message,
    make_store,
    story_rows,
    write_chat,
)
from tests.stored import stored_events, texts_of
from tests.worldbooks import write_worldbook

# A deleted chat comes back as it was, and only what is emptied is gone.

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    chat = import_chat(memory, tmp_path / "月光.jsonl", story_rows(30))
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 29), "extractive")
    return chat


def told(memory, chat):
    """All that a player could miss."""
    events = stored_events(memory, chat)
    return (
        texts_of(memory, Line.main(chat)),
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
    other = import_chat(memory, tmp_path / "b.jsonl", [("旅人", "你好"), ("老板", "欢迎")])
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


# What is derived and went stale is seen by doctor, and made true again by its repair.


@pytest.fixture
def sound_memory(tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    report = memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", story_rows(120)))
    assert report.chat_id is not None
    memory.pipeline.summarise(CTX, Line.main(report.chat_id))
    memory.pipeline.consolidate(CTX, Line.main(report.chat_id))
    assert all(finding.is_ok for finding in memory.care.doctor(CTX))
    yield memory
    memory.close()


def faults(memory, *, repair=False):
    return [f for f in memory.care.doctor(CTX, repair=repair) if not f.is_ok]


def mended(memory):
    assert [f.repaired for f in faults(memory)] == [False]
    assert [f.repaired for f in faults(memory)] == [False], "looking alone mends nothing"
    assert [f.repaired for f in faults(memory, repair=True)] == [True]
    return not faults(memory)


def store_of(memory):
    return memory.session.chat(memory.chats.all()[0].chat_id)


@pytest.mark.parametrize("text", ["\u3000", " \n", "\u00a0\u2003", "…", "🦊"])
def test_a_message_of_blanks_or_marks_alone_is_no_fault(memory, tmp_path, text):
    rows = [("爱丽丝", "欢迎来到酒馆。"), ("旅人", text), ("爱丽丝", "你怎么不说话？")]
    import_chat(memory, tmp_path / "blank.jsonl", rows)
    assert all(finding.is_ok for finding in memory.care.doctor(CTX))


def test_an_event_that_says_it_has_a_vector_and_has_none(sound_memory):
    store = store_of(sound_memory)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_embedding")
    assert mended(sound_memory)
    found = sound_memory.events.fetch(
        store.chat_id, list(sound_memory.events.find(store.chat_id, EventQuery()))
    )
    assert not any(event.is_embedded for event in found.values())


class Killed(NullContext):
    left = 1

    @override
    def write(self, unit):
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return unit()


def test_a_reindex_that_ends_early_leaves_no_event_that_says_it_has_a_vector(sound_memory):
    store = store_of(sound_memory)
    with pytest.raises(KeyboardInterrupt):
        index.rebuild(store, Killed(), sound_memory.session.clients.embedder(), Settings())
    found = sound_memory.events.fetch(
        store.chat_id, list(sound_memory.events.find(store.chat_id, EventQuery()))
    )
    assert store.database.value("SELECT count(*) FROM memory_embedding") == 0
    assert not any(event.is_embedded for event in found.values())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_item SET content = 'x', content_hash = 'x' WHERE kind = 'entity'",
        "UPDATE memory_item SET start_index = 3 WHERE kind = 'entity'",
        "DELETE FROM memory_item WHERE kind = 'entity'",
    ],
)
def test_items_of_entities_that_are_stale(sound_memory, statement):
    store = store_of(sound_memory)
    entities = store.entities.census()
    if not entities:
        pytest.skip("the story names nobody")
    with store.database.writing() as connection:
        connection.execute("UPDATE entity SET description = '一把钥匙'")
    store.entities.refresh_items([entity.id for entity in entities])
    with store.database.writing() as connection:
        connection.execute(statement)
    assert mended(sound_memory)


def test_a_change_of_model_where_nothing_is_left_to_recall_is_told_of(sound_memory):
    store = store_of(sound_memory)
    with store.database.writing() as connection:
        connection.execute("UPDATE memory_embedding SET model = 'another'")
        connection.execute("DELETE FROM memory_item")
    assert any("0 %" in str(fault.what) for fault in faults(sound_memory))


def test_an_item_of_an_entity_that_is_hidden_is_seen(sound_memory):
    store = store_of(sound_memory)
    with store.database.writing() as connection:
        connection.execute(
            "UPDATE entity SET is_hidden = 1 WHERE id = (SELECT ref FROM memory_item"
            " WHERE kind = 'entity' LIMIT 1)"
        )
    assert mended(sound_memory)


def test_an_entity_without_its_item_is_seen(sound_memory):
    store = store_of(sound_memory)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE kind = 'entity'")
    assert mended(sound_memory)


# Exports of a long chat are written as they are read: memory does not grow with the chat.

MB = 1_000_000


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path / "chat")
    yield store
    store.close()


def filled(store, count, text=""):
    with store.database.writing():
        store.events.add([make_event(f"第{n}件事{text}", n, n) for n in range(count)], 1)
    return store


def test_a_json_export_holds_every_field_of_every_event_in_story_order(store, tmp_path):
    filled(store, 1203)
    target = tmp_path / "out.json"
    assert export(CTX, store, "故事", target, "json") == 1203
    text = target.read_text("utf-8")
    value = json.loads(text)
    assert text == json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    pks = list(store.events.find(EventQuery()))
    assert [row["pk"] for row in value["events"]] == pks
    found = store.events.fetch(pks[:2])
    assert value["events"][:2] == [json.loads(json.dumps(event_fields(e))) for e in found.values()]
    assert [value[name] for name in ("format", "version")] == ["engram", 1]


@pytest.mark.parametrize("form", ["json", "engram", "markdown"])
def test_an_export_of_nothing_is_whole(store, tmp_path, form):
    target = tmp_path / "out"
    assert export(CTX, store, "故事", target, form) == 0
    if form != "markdown":
        assert json.loads(target.read_text("utf-8"))["events"] == []


def test_memory_does_not_grow_with_the_chat(store, tmp_path):
    filled(store, 2500, text="。" * 1000)
    for form in ("json", "engram", "markdown"):
        target = tmp_path / form
        tracemalloc.start()
        export(CTX, store, "故事", target, form)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert target.stat().st_size > 7 * MB
        assert peak < target.stat().st_size


class CancelledLater(NullContext):
    left = 2

    @override
    def report(self, done, total, label=""):
        self.left -= 1
        if not self.left:
            raise Cancelled


def test_a_cancelled_export_leaves_no_file(store, tmp_path):
    filled(store, 1203)
    with pytest.raises(Cancelled):
        export(CancelledLater(), store, "故事", tmp_path / "out", "json")
    assert not (tmp_path / "out").exists()


# What a killed process leaves behind is taken away or taken in, and named: chats and backups.


class KilledWhileWriting(NullContext):
    """Ends, as a kill would, before the unit of writing with this number."""

    def __init__(self, unit):
        self.left = unit

    @override
    def write(self, unit):
        self.left -= 1
        if not self.left:
            os._exit(9)
        return unit()


class CancelledAfter(NullContext):
    def __init__(self, reports):
        self.left = reports

    @override
    def report(self, done, total, label=""):
        self.left -= 1
        if self.left < 0:
            raise Cancelled


@pytest.fixture
def story(tmp_path):
    return write_chat(tmp_path / "故事.jsonl", story_rows(1600))


def opened(folder):
    return Memory.open(folder, environ={})


def killed_import(folder, story, unit):
    child = os.fork()
    if not child:
        opened(folder).imports.import_file(KilledWhileWriting(unit), story)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.skipif(os.name == "nt", reason="there is no fork")
@pytest.mark.parametrize("unit", [2, 3, 4, 5])
def test_a_killed_import_leaves_no_chat_and_says_so(tmp_path, story, unit):
    folder = tmp_path / "library"
    opened(folder).close()
    killed_import(folder, story, unit)
    memory = opened(folder)
    assert memory.chats.all() == []
    assert list((folder / "chats").iterdir()) == []
    assert memory.care.repaired_at_opening() == [], "it is told as an import that was stopped"
    [stopped] = memory.imports.stopped(CTX)
    assert (stopped.file, stopped.there, stopped.count) == (story, 0, 1600)
    memory.imports.import_file(CTX, story)
    [chat] = memory.chats.all()
    memory.close()
    assert chat.messages == 1600


def test_a_cancelled_import_keeps_what_was_taken_in(tmp_path, story):
    memory = opened(tmp_path / "library")
    with pytest.raises(Cancelled):
        memory.imports.import_file(CancelledAfter(2), story)
    [chat] = memory.chats.all()
    memory.close()
    assert chat.messages == 3 * timeline.BATCH
    again = opened(tmp_path / "library")
    assert again.care.repaired_at_opening() == []
    assert again.chats.all()[0].messages == chat.messages
    again.close()


def test_a_chat_that_is_only_being_imported_is_in_no_backup(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    library.begin_chat("halb")
    library.close()
    memory = opened(tmp_path)
    with zipfile.ZipFile(memory.backups.make(CTX)) as archive:
        assert archive.namelist() == ["library.db"]
    memory.close()


def make_stray(folder, messages):
    """Leave a chat folder as an earlier version did that was killed too early."""
    library = Library(folder, counting_clock(), program="test")
    store = make_chat(library, "verloren")
    with store.database.writing():
        store.messages.append(
            "main", 0, [make_message(f"{n}", name="Ada") for n in range(messages)]
        )
    with library.database.writing() as connection:
        connection.execute("DELETE FROM chat")
    library.close()
    return folder / "chats" / store.chat_id


def test_a_stray_with_messages_is_a_chat_again(tmp_path):
    stray = make_stray(tmp_path, 3)
    for name in trash.FILES:
        (stray / name).write_text("{}", "utf-8")
    memory = opened(tmp_path)
    [chat], [mended] = memory.chats.all(), memory.care.repaired_at_opening()
    assert (chat.chat_id, chat.messages) == (stray.name, 3)
    assert mended.where == stray.name
    assert [f for f in memory.care.doctor(CTX) if not f.is_ok] == [mended]
    memory.close()


def test_a_stray_without_anything_is_taken_away(tmp_path):
    stray = make_stray(tmp_path, 0)
    memory = opened(tmp_path)
    assert memory.chats.all() == []
    assert not stray.exists()
    mended = memory.care.repaired_at_opening()
    assert [(f.where, f.repaired) for f in mended] == [(stray.name, True)]
    memory.close()


@pytest.mark.logs("is left as it is")
def test_a_damaged_stray_is_named_and_mended_by_moving_it_to_the_trash(tmp_path):
    stray = make_stray(tmp_path, 3)
    (stray / "memory.db").write_bytes(b"no database " * 1000)
    memory = opened(tmp_path)
    assert [f.repaired for f in memory.care.repaired_at_opening()] == [False]
    assert stray.exists()
    assert any(f.repaired for f in memory.care.doctor(CTX, repair=True) if f.where == stray.name)
    assert not stray.exists()
    assert all(
        f.is_ok for f in memory.care.doctor(CTX) if f not in memory.care.repaired_at_opening()
    )
    memory.close()


def test_a_folder_of_the_users_among_the_chats_is_left_alone(tmp_path):
    opened(tmp_path).close()
    own = tmp_path / "chats" / "mine"
    own.mkdir()
    (own / "notes.txt").write_text("mine")
    memory = opened(tmp_path)
    assert [f.where for f in memory.care.doctor(CTX, repair=True) if not f.is_ok][-1] == "mine"
    memory.close()
    assert (own / "notes.txt").read_text() == "mine"


def test_an_empty_chat_of_an_interrupted_import_goes_to_the_trash(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    make_chat(library, "leer")
    library.close()
    memory = opened(tmp_path)
    assert [f.repaired for f in memory.care.doctor(CTX) if not f.is_ok] == [False]
    assert [f.repaired for f in memory.care.doctor(CTX, repair=True) if not f.is_ok] == [True]
    assert memory.chats.all() == []
    assert [row.name for row in memory.chats.deleted()] == ["leer"]
    assert all(f.is_ok for f in memory.care.doctor(CTX))
    memory.close()


@pytest.mark.parametrize("name", ["tmpabcd1234", ".making-xyz"])
@pytest.mark.parametrize("when", ["start", "backup", "doctor"])
def test_what_a_killed_backup_left_is_swept(tmp_path, name, when):
    memory = opened(tmp_path)
    if when == "start":
        memory.close()
    left = tmp_path / "backups" / name
    left.mkdir()
    shutil.copy(tmp_path / "library.db", left / "copy.db")
    (left / "archive.zip").write_bytes(b"PK")
    (left / "copy.db.tmp").write_bytes(b"half")
    match when:
        case "start":
            memory = opened(tmp_path)
        case "backup":
            memory.backups.make(CTX)
        case _:
            assert [f.where for f in memory.care.doctor(CTX) if f.repaired] == [name]
    memory.close()
    assert not left.exists()


def test_copies_begun_before_a_migration_are_swept_and_folders_of_the_users_are_not(tmp_path):
    opened(tmp_path).close()
    backups = tmp_path / "backups"
    (backups / "abc").mkdir()
    for place in (backups / "library_v1.db.tmp", backups / "abc" / "memory_v1.db.tmp-journal"):
        place.write_bytes(b"x")
    (backups / "tmpabcd1234").mkdir()
    (backups / "tmpabcd1234" / "mine.txt").write_text("mine")
    opened(tmp_path).close()
    assert sorted(path.name for path in backups.rglob("*")) == ["abc", "mine.txt", "tmpabcd1234"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_everything_in_a_library_is_for_its_owner_alone_whatever_the_umask(tmp_path, story):
    folder = tmp_path / "library"
    before = os.umask(0)
    try:
        memory = opened(folder)
        memory.imports.import_file(CTX, story)
        memory.backups.make(CTX)
        memory.chats.all()
        assert open_to_others(folder) == []
        memory.close()
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)
        memory = opened(folder)  # as an earlier version left it
        memory.chats.all()
        assert open_to_others(folder) == []
        memory.close()
    finally:
        os.umask(before)


def open_to_others(folder):
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_a_library_in_a_folder_of_the_users_closes_nothing_of_theirs(tmp_path):
    own = tmp_path / "script.sh"
    own.write_text("#!/bin/sh")
    own.chmod(0o755)
    tmp_path.chmod(0o755)
    opened(tmp_path).close()
    assert own.stat().st_mode & 0o777 == 0o755
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_chat_that_was_only_being_imported_is_gone_at_the_next_opening(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    store = library.begin_chat("halb")
    with store.database.writing():
        store.messages.append("main", 0, [make_message("…", name="Ada")])
    library.close()
    memory = opened(tmp_path)
    assert memory.chats.all() == []
    assert not store.folder.exists()
    memory.close()
