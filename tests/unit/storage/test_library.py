"""What lies beside the chats of a library."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import threading

import apsw
import pytest
from filelock import FileLock

from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.write_access import LET_GO_S, WriteAccess
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.backup import WAITING, mark_ready, waiting_folder
from engram_desktop.storage.database import connect, known_errors
from engram_desktop.storage.library import worldbooks
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.library_lock import LibraryLock
from engram_desktop.storage.library.trash import FILE_NAME, PLACES_KEPT, UnsavedFile
from tests.factories import (
    counting_clock,
    import_chat,
    make_chat,
    make_extraction,
    make_store,
    write_chat,
)

# Who may write a library: one process at a time, and nobody for long after its end.

CTX = NullContext()
# Takes the lock, starts a process that holds it as one does between fork and exec, and is killed.
VICTIM = """
import os, signal, sys, time
from pathlib import Path
from engram_desktop.storage.library.library_lock import LibraryLock
lock = LibraryLock(Path(sys.argv[1]), "victim")
lock.acquire()
if os.fork() == 0:
    time.sleep(float(sys.argv[2]))
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_library_that_is_held_says_by_whom(tmp_path):
    holder = LibraryLock(tmp_path, "the window")
    holder.acquire()
    with pytest.raises(LibraryBusy, match="the window"):
        LibraryLock(tmp_path, "another").acquire(patience=0)
    holder.release()
    other = LibraryLock(tmp_path, "another")
    other.acquire()
    assert other.is_held
    other.release()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork, and no lock is inherited")
@pytest.mark.e2e
def test_what_a_killed_process_was_starting_does_not_keep_the_library(tmp_path):
    subprocess.run([sys.executable, "-c", VICTIM, str(tmp_path), str(2 * LET_GO_S)], check=False)
    lock = LibraryLock(tmp_path, "the next")
    lock.acquire()
    assert lock.is_held
    lock.release()


def test_claims_of_one_process_are_counted(tmp_path):
    lock, other = LibraryLock(tmp_path, "watch"), LibraryLock(tmp_path, "add")
    with lock.claim():
        with lock.claim():
            assert lock.is_held
        with pytest.raises(LibraryBusy, match="watch"):
            other.acquire(patience=0)
        with other.claim_if_free() as is_mine:
            assert not is_mine
    with other.claim_if_free() as is_mine:
        assert is_mine
    assert not (tmp_path / "library.lock.json").exists()


def test_who_waits_is_not_passed_by_a_program_that_writes_all_the_time(tmp_path):
    busy, waiting = LibraryLock(tmp_path, "busy"), LibraryLock(tmp_path, "waiting", 60)
    is_over = threading.Event()

    def write():
        while not is_over.is_set():
            with busy.claim(60):
                pass

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _turn in range(5):
            with waiting.claim():
                assert waiting.is_held
    finally:
        is_over.set()
        writer.join()


def test_what_replaces_the_files_waits_for_programs_that_have_them_open(tmp_path):
    left = tmp_path / "open" / "999999.lock"
    left.parent.mkdir()
    left.touch()
    (tmp_path / "open" / "1.lock").touch()
    held = FileLock(tmp_path / "open" / "1.lock")
    note = {"program": "engram serve", "pid": 1, "host": "here", "since": "now"}
    (tmp_path / "open" / "1.json").write_text(json.dumps(note), "utf-8")
    with held, pytest.raises(LibraryBusy, match="engram serve"):
        LibraryLock(tmp_path).check_alone()
    LibraryLock(tmp_path).check_alone()
    assert not left.exists(), "it was of a program that was killed"


def shared(folder, **options):
    return Memory.open(folder, environ={}, access=WriteAccess("shared", 0), **options)


def test_programs_that_share_the_lock_write_in_turn_and_see_what_the_other_wrote(tmp_path):
    one, two = shared(tmp_path, program="engram watch"), shared(tmp_path, program="engram mcp")
    file = write_chat(tmp_path / "共有.jsonl", [("爱丽丝", "铜钥匙在暗格里。"), ("旅人", "好。")])
    line = Line.main(one.imports.import_file(NullContext(one.sharing.claim), file).chat_id or "")
    assert [chat.messages for chat in two.chats.all()] == [2]
    key, _changes = two.events.add(line, make_extraction("钥匙在暗格里"), SourceRange(0, 1))
    assert one.events.fetch(line.chat_id, [key])[key].summary == "钥匙在暗格里"
    assert one.history.undo(line.chat_id).undo_label is not None
    assert not two.events.fetch(line.chat_id, [key])
    with one.sharing.claim(), pytest.raises(LibraryBusy, match="engram watch"):
        two.events.add(line, make_extraction("另一件事"), SourceRange(0, 1))
    one.close()
    two.close()


def test_a_reader_never_holds_the_lock_and_leaves_out_what_it_could_not_write(tmp_path):
    writer = Memory.open(tmp_path, environ={})
    writer.settings.set("embed.local", "hash")
    chat_id = import_chat(
        writer, tmp_path / "共有.jsonl", [("爱丽丝", "铜钥匙在暗格里。"), ("旅人", "好。")]
    )
    reader = Memory.open(
        tmp_path, environ={}, program="engram recall", access=WriteAccess("derive")
    )
    query = RecallQuery("钥匙在哪里？", actor="爱丽丝")
    assert reader.index.embed_if_possible(CTX, chat_id) == ("embedding",)
    found = reader.recall.ask(CTX, chat_id, query)
    assert "knowledge" in found.degraded
    assert not reader.recall.past(chat_id), "the log of recalls can do without one"
    writer.close()
    assert reader.index.embed_if_possible(CTX, chat_id) == ()
    found = reader.recall.ask(CTX, chat_id, query)
    assert "knowledge" not in found.degraded
    assert found.hits
    assert reader.recall.past(chat_id)
    assert LibraryLock.is_free(tmp_path)
    reader.close()


def test_a_chat_that_is_being_imported_is_no_stray_of_a_killed_program(tmp_path):
    """Another program that opens the library meanwhile would take its folder away."""
    importing = shared(tmp_path, program="engram watch")
    store = importing.session.library.begin_chat("半")
    with pytest.raises(LibraryBusy, match="engram watch"):
        Memory.open(tmp_path, environ={}, access=WriteAccess("own", 0))
    importing.session.library.admit_chat(store, "半")
    Memory.open(tmp_path, environ={}, access=WriteAccess("own", 0)).close()
    assert [chat.name for chat in importing.chats.all()] == ["半"]
    importing.close()


def test_a_chat_that_is_given_up_is_closed_deleted_and_frees_the_library(tmp_path):
    importing = shared(tmp_path, program="engram watch")
    store = importing.session.library.begin_chat("半")
    importing.session.library.give_up_chat(store)
    assert store.database.is_closed(), "Windows deletes no file that is open"
    assert not store.folder.exists()
    Memory.open(tmp_path, environ={}, access=WriteAccess("own", 0)).close()
    importing.close()


def test_a_database_locked_by_another_program_is_no_bug(tmp_path):
    Memory.open(tmp_path, environ={}).close()
    other = apsw.Connection(str(tmp_path / "library.db"))
    other.execute("BEGIN IMMEDIATE")
    try:
        connection = connect(tmp_path / "library.db")
        connection.set_busy_timeout(0)
        with pytest.raises(LibraryBusy), known_errors(tmp_path / "library.db"):
            connection.execute("BEGIN IMMEDIATE")
        connection.close()
    finally:
        other.close()


# A restore that is killed half-way is finished at the next start; one that never began is not.


def make(folder, name):
    library = Library(folder, counting_clock(), program="test")
    make_chat(library, name)
    library.close()


def names(folder):
    library = Library(folder, counting_clock(5_000), program="test")
    found = [name for _id, name, *_rest in library.chat_rows()]
    for chat_id, *_rest in library.chat_rows():
        library.chat(chat_id)
    library.close()
    return found


@pytest.fixture
def staged(tmp_path):
    """A library 旧 with 新 waiting to take its place."""
    make(tmp_path / "old", "旧")
    make(tmp_path / "new", "新")
    waiting = waiting_folder(tmp_path / "old")
    for part in ("chats", "library.db"):
        shutil.move(tmp_path / "new" / part, waiting / part)
    return tmp_path / "old"


def test_what_an_earlier_restore_left_is_in_nobodys_way(staged):
    (staged / WAITING / "chats" / "old").mkdir(parents=True)
    assert list(waiting_folder(staged).iterdir()) == []


def test_what_is_not_marked_ready_never_happened(staged):
    assert names(staged) == ["旧"]
    assert not (staged / WAITING).exists()


@pytest.mark.parametrize("moved", [0, 1, 2, 3, 4])
def test_a_swap_interrupted_anywhere_is_finished(staged, moved):
    mark_ready(staged)
    kept = staged / "trash" / "before"
    kept.mkdir(parents=True)
    steps = [
        (staged / "chats", kept / "chats"),
        (staged / WAITING / "chats", staged / "chats"),
        (staged / "library.db", kept / "library.db"),
        (staged / WAITING / "library.db", staged / "library.db"),
    ]
    for source, target in steps[:moved]:
        shutil.move(source, target)
    assert names(staged) == ["新"]
    assert not (staged / WAITING).exists()
    old = list((staged / "trash").rglob("library.db"))
    assert len(old) == 1, "the old library is in the trash"


def test_a_reader_waits_for_the_restore_to_be_finished(staged):
    mark_ready(staged)
    with pytest.raises(LibraryBusy, match="restore"):
        Library(staged, counting_clock(), program=None)


# Texts that are still being typed: one private file a folder, never in the way.


def test_what_is_kept_is_read_and_forgotten_by_place(tmp_path):
    texts = UnsavedFile(tmp_path)
    assert texts.read() == {}
    texts.keep("event", {"text": "她说 \ud83c 半个字", "keywords": ["银", ""]})
    texts.keep("log", {"content": "想"})
    assert texts.read()["event"]["keywords"] == ["银", ""]
    texts.keep("event", {})
    texts.keep("never kept", {})
    assert texts.read() == {"log": {"content": "想"}}
    texts.keep("log", {})
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        UnsavedFile(tmp_path).keep("event", {"text": "秘密"})
    finally:
        os.umask(before)
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_the_oldest_places_go_first(tmp_path):
    texts = UnsavedFile(tmp_path)
    for number in range(PLACES_KEPT + 2):
        texts.keep(str(number), {"text": "x"})
    texts.keep("2", {"text": "typed again"})
    texts.keep("last", {"text": "x"})
    assert len(texts.read()) == PLACES_KEPT
    assert not texts.read().keys() & {"0", "1", "3"}
    assert "2" in texts.read()


@pytest.mark.parametrize(
    "found", ["", "{", "[]", '"x"', '{"a": 1}', '{"a": {"b": 1}}', "[" * 100_000, "\0"]
)
def test_a_file_that_says_nothing_holds_nothing(tmp_path, found):
    (tmp_path / FILE_NAME).write_text(found, "utf-8")
    texts = UnsavedFile(tmp_path)
    assert not any(texts.read().values())
    texts.keep("event", {"text": "x"})
    kept = json.loads((tmp_path / FILE_NAME).read_text("utf-8"))
    assert kept["event"] == {"text": "x"}


# Which memories of other tools were taken over, and which of them the user left out.


@pytest.fixture
def store(tmp_path):
    return make_store(tmp_path)


def test_what_is_new_and_what_was_known_before_are_both_noted(store):
    with store.database.writing():
        store.adopted.note(["a"], ["b"])
    assert store.adopted.known() == {"a": False, "b": False}


def test_what_is_taken_over_anew_is_left_out_no_more_and_what_is_known_stays_as_it_is(store):
    with store.database.writing():
        store.adopted.note(["a", "b"], [])
        store.database.rows("UPDATE adopted_origin SET is_left_out = 1")
        store.adopted.note(["a"], ["b"])
    assert store.adopted.known() == {"a": False, "b": True}


# What the user chose, for the library and for one chat, and nothing that is a default.


def test_what_was_chosen_for_a_chat_lies_over_what_was_chosen_for_all(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    chat = make_chat(library, "A").chat_id
    assert library.chosen_settings() == library.chosen_settings(chat) == {}
    library.set_setting("recall.top_k", 33)
    library.set_setting("memory.mode", "vector")
    library.set_setting("memory.mode", "off", chat)
    assert library.chosen_settings() == {"recall.top_k": 33, "memory.mode": "vector"}
    assert library.chosen_settings(chat) == {"recall.top_k": 33, "memory.mode": "off"}
    assert library.settings().memory_mode == "vector"
    assert library.settings(chat).memory_mode == "off"
    library.close()


# Lists of cards and worldbooks never read the files themselves: hundreds are megabytes each.


@pytest.mark.parametrize(
    ("select", "table"),
    [(worldbooks._CARD_ROW, "character"), (f"{worldbooks._ROW} ORDER BY b.name", "b")],
)
def test_a_list_is_read_from_an_index_alone(tmp_path, select, table):
    library = Library(tmp_path, counting_clock(), program="test")
    try:
        plan = [row[3] for row in library.database.rows(f"EXPLAIN QUERY PLAN {select}")]
    finally:
        library.close()
    assert [step for step in plan if step.startswith(f"SCAN {table} USING COVERING INDEX")]
