"""A disk that fills up while the library is written: told, nothing torn, and it goes on later."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from engram_desktop.domain.errors import DiskFull, StorageError
from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.backup import check_database
from tests.factories import counting_clock, import_chat, set_all, story_rows, write_chat

CTX = NullContext()
PAGE = 4096


def open_library(folder):
    memory = Memory.open(folder, clock=counting_clock(), environ={})
    set_all(memory, {"embed.local": "hash", "index.backend": "exact"})
    return memory


def long_rows(count):
    return [(name, text * 40) for name, text in story_rows(count)]


class Limited:
    """A chat's database that may not grow, as on a full disk. Works on every platform."""

    def __init__(self, memory, chat_id):
        self._connection = memory.session.chat(chat_id).database.connection()

    def fill(self):
        pages = self._connection.execute("PRAGMA page_count").get
        self._connection.execute(f"PRAGMA max_page_count = {pages}")

    def free(self):
        self._connection.execute("PRAGMA max_page_count = 1000000")


@pytest.fixture
def library(tmp_path):
    memory = open_library(tmp_path / "资料库")
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", long_rows(120))
    yield memory, chat_id, Limited(memory, chat_id)
    memory.close()


def check(memory, chat_id):
    check_database(memory.folder / "chats" / chat_id / "memory.db", thorough=True)
    assert memory.session.chat(chat_id).items.faults() == 0


def test_summarise_and_consolidate_stop_and_go_on(library):
    memory, chat_id, disk = library
    disk.fill()
    with pytest.raises(DiskFull, match="no space"):
        memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 119), "extractive")
    check(memory, chat_id)
    disk.free()
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 119), "extractive")
    waiting = memory.events.counts(Line.main(chat_id)).buffer
    assert waiting > 3

    disk.fill()
    with pytest.raises(DiskFull):
        memory.pipeline.consolidate(CTX, Line.main(chat_id))
    counts = memory.events.counts(Line.main(chat_id))
    assert (counts.buffer, counts.archived) == (waiting, 0), "whole batches or none"
    check(memory, chat_id)
    disk.free()
    assert memory.pipeline.consolidate(CTX, Line.main(chat_id)).archived == waiting
    check(memory, chat_id)


def test_an_edit_that_finds_no_space_changes_nothing(library):
    memory, chat_id, disk = library
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 49), "extractive")
    pk = memory.events.find(chat_id, EventQuery())[0]
    before = memory.events.fetch(chat_id, [pk])[pk]
    history = memory.history.steps(chat_id)
    disk.fill()
    patch = EventPatch(details="很长的细节。" * 1300)
    with pytest.raises(DiskFull):
        memory.events.update(chat_id, pk, patch)
    assert memory.events.fetch(chat_id, [pk])[pk] == before
    assert memory.history.steps(chat_id) == history
    disk.free()
    memory.events.update(chat_id, pk, patch)
    memory.history.undo(chat_id)
    assert memory.events.fetch(chat_id, [pk])[pk] == before
    check(memory, chat_id)


def test_an_import_that_finds_no_space_goes_on_where_it_stopped(library, tmp_path):
    memory, chat_id, disk = library
    file = write_chat(tmp_path / "故事.jsonl", long_rows(900))
    disk.fill()
    with pytest.raises(DiskFull):
        memory.imports.import_file(CTX, file)
    check(memory, chat_id)
    disk.free()
    memory.imports.import_file(CTX, file)
    assert memory.care.stats(Line.main(chat_id))["messages"] == 900
    assert [m.seq for m in memory.messages.slice(Line.main(chat_id), 0, 899)] == list(range(900))
    check(memory, chat_id)


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of 32 MB; only Linux gives one, and only to who may mount."""
    if sys.platform != "linux":
        pytest.skip("a file system of a fixed size is made on Linux only")
    place = tmp_path / "disk"
    place.mkdir()
    mount = [shutil.which("mount") or "mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system is not allowed here")
    yield place
    subprocess.run([shutil.which("umount") or "umount", "-l", str(place)], check=True)


def fill(place, leave=0):
    """Take all space of ``place`` but ``leave`` bytes."""
    filler = place / "filler"
    try:
        with filler.open("wb", buffering=0) as file:
            while file.write(b"x" * PAGE):
                pass
    except OSError:
        with filler.open("r+b") as file:
            file.truncate(max(0, filler.stat().st_size - leave))
    return filler


def test_on_a_full_disk_everything_says_so_and_goes_on(small_disk, tmp_path):
    memory = open_library(small_disk / "资料库")
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", long_rows(200))
    memory.pipeline.summarise(CTX, Line.main(chat_id), (0, 99), "extractive")
    saved = memory.backups.make(CTX)
    events = memory.events.counts(Line.main(chat_id)).total
    target = small_disk / "out.json"
    fresh = write_chat(tmp_path / "另一个.jsonl", [("乙", text) for _n, text in long_rows(400)])

    filler = fill(small_disk)
    attempts = {
        "export": lambda: memory.care.export(CTX, Line.main(chat_id), target, "json"),
        "backup": lambda: memory.backups.make(CTX),
        "summarise": lambda: memory.pipeline.summarise(
            CTX, Line.main(chat_id), (100, 199), "extractive"
        ),
        "import": lambda: memory.imports.import_file(CTX, fresh),
        "restore": lambda: memory.backups.restore(CTX, saved),
    }
    for name, attempt in attempts.items():
        with pytest.raises(DiskFull, match="no space"):
            attempt()
        assert memory.events.counts(Line.main(chat_id)).total == events, name
    assert not target.exists()
    assert list((small_disk / "资料库" / "backups").iterdir()) == [saved]
    assert [row.chat_id for row in memory.chats.all()] == [chat_id]

    filler.unlink()
    assert memory.care.export(CTX, Line.main(chat_id), target, "json") == events
    memory.pipeline.summarise(CTX, Line.main(chat_id), (100, 199), "extractive")
    assert memory.imports.import_file(CTX, fresh).added == 400
    memory.backups.restore(CTX, saved)
    assert memory.events.counts(Line.main(chat_id)).total == events
    memory.close()
    check_database(small_disk / "资料库" / "chats" / chat_id / "memory.db", thorough=True)


def test_a_library_that_cannot_be_written_is_refused_in_words(small_disk):
    open_library(small_disk / "资料库").close()
    remount = [shutil.which("mount") or "mount", "-o", "remount,ro", str(small_disk)]
    if subprocess.run(remount, capture_output=True, check=False).returncode:
        pytest.skip("remounting is not allowed here")
    with pytest.raises(StorageError, match="can only be read"):
        Memory.open(small_disk / "资料库", environ={})
    with pytest.raises(StorageError, match="cannot be used"):
        Memory.open(small_disk / "新", environ={})


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of so many kilobytes; only Linux gives one, and only to who may mount."""
    if sys.platform != "linux":
        pytest.skip("only Linux has tmpfs")
    place, mount, umount = tmp_path / "tiny", shutil.which("mount"), shutil.which("umount")
    place.mkdir()
    mounted = []

    def make(kilobytes):
        command = [str(mount), "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)]
        if not mount or subprocess.run(command, check=False, capture_output=True).returncode:
            pytest.skip("mounting is not allowed here")
        mounted.append(place)
        return place

    yield make
    for disk in mounted:
        subprocess.run([str(umount), str(disk)], check=True)


@pytest.mark.parametrize("kilobytes", [48, 100, 116, 132, 148, 164, 180, 300])
def test_a_tiny_disk_is_said_to_be_full(tiny_disk, tmp_path, kilobytes):
    """SQLite calls some of them a disk I/O error: where shared memory or a log cannot grow."""
    file = write_chat(tmp_path / "故事.jsonl", long_rows(300))
    library = tiny_disk(kilobytes) / "资料库"

    def fill():
        memory = Memory.open(library, environ={})
        try:
            memory.imports.import_file(CTX, file)
        finally:
            memory.close()

    with pytest.raises(DiskFull):
        fill()
