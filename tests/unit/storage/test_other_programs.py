"""What a library that follows others hears of their commits, and what it keeps from them."""

from __future__ import annotations

import json
import socket

import pytest

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Conflict, LibraryBusy
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.write_access import WINDOW, WriteAccess
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.backup import sweep, workplace
from engram_desktop.storage.library.foreign_changes import anything_in
from tests.factories import write_chat

SHARED = WriteAccess("shared", 60)
HERE = SourceRange(0, 0)


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "library"
    memory = Memory.open(folder, environ={})
    memory.session.library.set_setting("keys.storage", "session")
    file = write_chat(tmp_path / "共有.jsonl", [("爱丽丝", "铜钥匙在暗格里。"), ("旅人", "好。")])
    memory.imports.import_file(NullContext(), file)
    memory.close()
    return folder


@pytest.fixture
def window(library):
    memory = Memory.open(library, environ={}, access=WINDOW)
    yield memory
    memory.close()


@pytest.fixture
def other(window):
    memory = Memory.open(window.folder, program="engram play", environ={}, access=SHARED)
    yield memory
    memory.close()


@pytest.fixture
def chat(window):
    (chat,) = window.chats.all()
    window.sharing.take_foreign()
    return chat.chat_id


def add(memory, chat, text):
    return memory.events.add(Line.main(chat), PlotExtraction(summary=text), HERE)[0]


def test_what_it_commits_itself_is_not_foreign(window, chat):
    add(window, chat, "自己的。")
    window.settings.set("ui.density", "compact")
    assert window.sharing.take_foreign() == []


def test_an_event_of_another_program_is_named(window, other, chat):
    key = add(other, chat, "别人的。")
    (changes,) = window.sharing.take_foreign()
    assert (changes.chat_id, changes.events, changes.rows) == (chat, {key}, True)
    assert not changes.messages
    assert not changes.branches
    assert window.sharing.take_foreign() == []


def test_what_is_typed_on_is_named_though_it_is_the_same_step(window, other, chat):
    key = add(other, chat, "别人的。")
    other.events.update(chat, key, EventPatch(summary="一。"))
    window.sharing.take_foreign()
    other.events.update(chat, key, EventPatch(summary="一二。"))
    (changes,) = window.sharing.take_foreign()
    assert changes.events == {key}


def test_commits_between_its_own_are_heard(window, other, chat):
    add(window, chat, "自己的。")
    key = add(other, chat, "别人的。")
    add(window, chat, "又是自己的。")
    assert [key in changes.events for changes in window.sharing.take_foreign()] == [True]


def test_what_was_undone_may_be_anything(window, other, chat):
    add(other, chat, "别人的。")
    window.sharing.take_foreign()
    other.history.undo(chat)
    assert window.sharing.take_foreign() == [anything_in(chat)]


def test_what_no_step_tells_of_changes_no_messages(window, other, chat):
    with other.session.chat(chat).database.writing() as connection:
        connection.execute("UPDATE revision SET number = number + 1")
    (changes,) = window.sharing.take_foreign()
    assert changes.has_memory
    assert not changes.messages


def test_settings_and_chats_of_another_program(window, other, chat, tmp_path):
    other.settings.set("ui.density", "compact")
    other.settings.set("review.enabled", value=False, chat_id=chat)
    first, second = window.sharing.take_foreign()
    assert (first.settings, first.chat_id, first.library) == (True, None, False)
    assert second == Changes(chat_id=chat, settings=True)
    file = write_chat(tmp_path / "别的.jsonl", [("甲", "一。")])
    other.imports.import_file(NullContext(), file)
    assert any(changes.library for changes in window.sharing.take_foreign())


def test_what_changed_before_the_first_look_may_be_anything(window, other):
    other.settings.set("ui.density", "compact")
    assert window.sharing.take_foreign() == [Changes(library=True, settings=True, worldbooks=True)]


def test_keys_are_looked_for_where_another_program_put_them(window, other, chat):
    other.settings.set("keys.storage", "file")
    assert window.session.clients.keys.mode == "session"
    window.sharing.take_foreign()
    assert window.session.clients.keys.mode == "file"


def test_a_chat_that_another_program_deleted_is_let_go(window, other, chat):
    left: list[str | None] = []
    window.session.on_leaving(left.append)
    other.chats.delete(chat)
    assert any(changes.library for changes in window.sharing.take_foreign())
    assert left == [chat]
    assert not window.chats.has(chat)
    other.chats.restore(chat)
    assert window.events.find(chat, EventQuery()) is not None


def test_undo_keeps_a_newer_step_than_the_one_that_is_meant(window, other, chat):
    add(window, chat, "自己的。")
    mine = window.history.steps(chat)[0].id
    key = add(other, chat, "别人的。")
    with pytest.raises(Conflict, match="the newest step is now “Add “别人的。””"):
        window.history.undo(chat, mine)
    assert other.events.fetch(chat, [key])
    theirs = window.history.steps(chat)[0].id
    window.history.undo(chat, theirs)
    window.history.undo(chat, mine)


def test_a_row_that_was_changed_since_is_no_longer_taken_back(window, other, chat):
    key = add(window, chat, "自己的。")
    with other.session.chat(chat).database.writing() as connection:
        connection.execute("UPDATE event SET summary = '别人的。' WHERE pk = ?", (key,))
    with pytest.raises(Conflict):
        window.history.undo(chat)
    assert window.events.fetch(chat, [key])[key].summary == "别人的。"


def test_how_long_a_write_waits_follows_the_settings(window):
    window.settings.set("library.wait", 0.5)
    assert window.session.library.lock.patience == 0.5
    window.settings.restore(["library.wait"])
    assert window.session.library.lock.patience == 10


def test_a_program_that_ends_waits_for_nobody(library, window, chat):
    holder = Memory.open(library, program="engram import", environ={})
    heard: list[str] = []
    window.sharing.on_wait(heard.append)
    window.sharing.hurry()
    with pytest.raises(LibraryBusy, match="engram import"):
        add(window, chat, "自己的。")
    assert heard == []
    holder.close()


def on_another_computer(folder, name):
    note = folder / "open" / f"{name}.json"
    told = json.loads(note.read_text("utf-8")) | {"host": "elsewhere", "computer": "another"}
    note.write_text(json.dumps(told), "utf-8")


def test_a_library_that_is_open_on_another_computer_is_written_on_none_else(window, library):
    on_another_computer(library, "Engram")
    with pytest.raises(LibraryBusy, match="on elsewhere"):
        Memory.open(library, program="engram add", environ={})
    with pytest.raises(LibraryBusy, match="on elsewhere") as refused:
        Memory.open(library, environ={}, access=WINDOW)
    assert refused.value.is_stale
    Memory.open(library, environ={}, access=WINDOW, steal_lock=True).close()


def test_containers_of_one_computer_share_a_library(window, library):
    note = library / "open" / "Engram.json"
    told = json.loads(note.read_text("utf-8"))
    assert told["host"] == socket.gethostname()
    note.write_text(json.dumps(told | {"host": "another container"}), "utf-8")
    Memory.open(library, program="engram add", environ={}).close()


def test_a_backup_that_another_program_makes_is_no_leftover(tmp_path):
    with workplace(tmp_path) as place:
        (place / "copy.db.tmp").touch()
        assert sweep(tmp_path, everything=True) == []
        assert (place / "copy.db.tmp").exists()
    (tmp_path / ".making-killed").mkdir()
    (tmp_path / ".making-killed" / "in-use").touch()
    assert sweep(tmp_path) == [".making-killed"]


def test_what_is_known_of_a_chat_goes_when_it_is_closed(window, chat):
    window.events.counts(Line.main(chat))
    window.sharing.take_foreign()
    followed = window.session._foreign._steps
    assert len(followed) == 1
    window.chats.delete(chat)
    window.sharing.take_foreign()
    assert len(followed) == 0
