"""Who may write a library: one process at a time, and nobody for long after its end."""

from __future__ import annotations

import json
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
from engram_desktop.storage.database import connect, known_errors
from engram_desktop.storage.library.library_lock import LibraryLock
from tests.factories import make_extraction, write_chat

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
    file = write_chat(tmp_path / "共有.jsonl", [("爱丽丝", "铜钥匙在暗格里。"), ("旅人", "好。")])
    chat_id = writer.imports.import_file(CTX, file).chat_id or ""
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
