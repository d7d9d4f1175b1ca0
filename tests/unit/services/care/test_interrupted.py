"""What a killed process leaves behind is taken away or taken in, and named: chats and backups."""

from __future__ import annotations

import os
import shutil
import zipfile

import pytest
from typing_extensions import override

from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.chats import timeline
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library import trash
from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat, make_message, story_rows, write_chat

CTX = NullContext()


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
    [mended] = memory.care.mended()
    assert mended.repaired
    assert mended.where == "故事"
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
    assert again.care.mended() == []
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
    [chat], [mended] = memory.chats.all(), memory.care.mended()
    assert (chat.chat_id, chat.messages) == (stray.name, 3)
    assert mended.where == stray.name
    assert [f for f in memory.care.doctor(CTX) if not f.is_ok] == [mended]
    memory.close()


def test_a_stray_without_anything_is_taken_away(tmp_path):
    stray = make_stray(tmp_path, 0)
    memory = opened(tmp_path)
    assert memory.chats.all() == []
    assert not stray.exists()
    assert [f.where for f in memory.care.mended()] == [stray.name]
    memory.close()


@pytest.mark.logs("is left as it is")
def test_a_damaged_stray_is_named_and_mended_by_moving_it_to_the_trash(tmp_path):
    stray = make_stray(tmp_path, 3)
    (stray / "memory.db").write_bytes(b"no database " * 1000)
    memory = opened(tmp_path)
    assert [f.repaired for f in memory.care.mended()] == [False]
    assert stray.exists()
    assert any(f.repaired for f in memory.care.doctor(CTX, repair=True) if f.where == stray.name)
    assert not stray.exists()
    assert all(f.is_ok for f in memory.care.doctor(CTX) if f not in memory.care.mended())
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
