"""A restore that is killed half-way is finished at the next start; one that never began is not."""

from __future__ import annotations

import shutil

import pytest

from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.storage.care.backup import WAITING, mark_ready, waiting_folder
from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat


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
