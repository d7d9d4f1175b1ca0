"""Kill the program anywhere: the library opens, and holds all that was acknowledged, whole."""

from __future__ import annotations

import contextlib
import random
import threading

import pytest

from engram_desktop.domain.errors import DamagedDatabase, LibraryBusy
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.recall.index import embed_pending
from engram_desktop.storage.care.backup import check_database
from engram_desktop.storage.library.library import Library
from tests.crash.killing import kill, make_library, start
from tests.factories import counting_clock

pytestmark = pytest.mark.timeout(600)
KILLS = 20
EMBEDDER = HashEmbedder(64)
CTX = NullContext()


@pytest.mark.crash
def test_kills_during_consolidation_leave_whole_events(tmp_path):
    chat_id = make_library(tmp_path, events=3000, messages=0)
    archived = 0
    for seed in range(KILLS):
        victim = start("consolidate", tmp_path)
        assert victim.stdout is not None
        told = [victim.stdout.readline()]
        threading.Event().wait(random.Random(seed).random() * 0.12)
        kill(victim.pid)
        told += victim.stdout.read().splitlines()
        victim.wait()
        victim.stdout.close()
        acknowledged = max(
            (int(line.split()[1]) for line in told if len(line.split()) == 2), default=archived
        )

        check_database(tmp_path / "chats" / chat_id / "memory.db", thorough=True)
        library = Library(tmp_path, counting_clock(), program="test")
        store = library.chat(chat_id)
        archived = store.events.counts().archived
        assert archived >= acknowledged, f"seed {seed} lost acknowledged work"
        assert store.items.faults() == 0
        half = store.database.value(
            "SELECT count(*) FROM event e WHERE (e.status = 'archived') <> EXISTS"
            " (SELECT 1 FROM evidence v WHERE v.event_id = e.id) AND e.level = 0"
        )
        assert half == 0, f"seed {seed} left half-archived events"
        bare = store.database.value(
            "SELECT count(*) FROM event WHERE status = 'archived' AND NOT is_embedded"
        )
        assert bare == 0, f"seed {seed} archived events without their vectors"
        visible = store.events.always_visible()
        assert visible.untold == 0, f"seed {seed} archived events that no outline tells of"
        library.close()
    assert 0 < archived < 3000, "the kills came neither before the first batch nor after the last"


@pytest.mark.crash
def test_kills_during_index_flush_leave_an_index_that_equals_the_vectors(tmp_path):
    chat_id = make_library(tmp_path, events=0, messages=1500)
    for seed in range(KILLS):
        victim = start("index", tmp_path)
        assert victim.stdout is not None
        line = victim.stdout.readline().split()
        assert line[:1] == ["index"], f"seed {seed}: the victim ended by itself, {victim.poll()}"
        threading.Event().wait(random.Random(seed).random() * 0.8)
        if seed % 2:  # the worker alone first, so that its supervisor has to notice
            with contextlib.suppress(ProcessLookupError):  # it may be being replaced just then
                kill(int(line[1]))
            threading.Event().wait(random.Random(seed).random() * 0.2)
        kill(victim.pid)
        victim.wait()
        victim.stdout.close()

        library = Library(tmp_path, counting_clock(), program="test")
        store = library.chat(chat_id)
        embed_pending(store, CTX, EMBEDDER)
        index = store.index(EMBEDDER.model_id)
        index.sync(CTX)
        wanted = store.vectors.all_ids(EMBEDDER.model_id)
        assert len(wanted) == 1500
        assert sorted(index.ids()) == wanted, f"seed {seed}"
        probe = store.vectors.fetch(EMBEDDER.model_id, wanted[:3])
        for item_id, vector in probe.items():
            assert max(s for i, s in index.query(vector, 20) if i == item_id) > 0.999
        library.close()


def test_a_library_of_lost_catalogue_is_not_taken_for_a_new_one(tmp_path):
    make_library(tmp_path, events=1, messages=0)
    (tmp_path / "library.db").unlink()
    with pytest.raises(DamagedDatabase):
        Library(tmp_path, counting_clock(), program="test")
    assert not (tmp_path / "library.db").exists()


@pytest.mark.crash
def test_two_processes_never_hold_one_library(tmp_path):
    chat_id = make_library(tmp_path, events=500, messages=0)
    victim = start("index", tmp_path)
    with pytest.raises(LibraryBusy, match="victim"):
        Library(tmp_path, counting_clock(), program="test")
    reader = Library(tmp_path, counting_clock(), program=None)
    assert len(reader.chat(chat_id).events.find(EventQuery())) == 500
    reader.close()
    kill(victim.pid)
    victim.wait()
    assert victim.stdout is not None
    victim.stdout.close()
    Library(tmp_path, counting_clock(), program="test").close()
