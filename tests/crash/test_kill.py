"""Kill the program anywhere: the library opens, and holds all that was acknowledged, whole."""

from __future__ import annotations

import contextlib
import json
import os
import random
import threading

import pytest

from engram_desktop.domain.errors import DamagedDatabase, LibraryBusy
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import get
from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.memory import Memory
from engram_desktop.services.recall.index import embed_pending
from engram_desktop.storage.care.backup import check_database
from engram_desktop.storage.library.library import Library
from tests.command_line import CommandLine
from tests.crash.killing import Victim, kill, make_library
from tests.factories import (
    counting_clock,
    import_chat,
    model_at,
    open_keyless,
    story_rows,
    write_chat,
)
from tests.fake_openai import FakeOpenAI

KILLS = 4  # of each kind; `benchmarks/kills.py` does hundreds
EMBEDDER = HashEmbedder(64)
CTX = NullContext()


def wait_to_kill(number: int, most: float) -> None:
    """Wait up to ``most`` seconds: a moment of the ``number``-th of as many parts as are killed.

    One in each part leaves no longer time without a kill than twice as many anywhere would.
    """
    part = most / KILLS
    threading.Event().wait(part * (number + random.Random(number).random()))


@pytest.mark.timeout(600)
@pytest.mark.crash
def test_kills_during_consolidation_leave_whole_events(tmp_path):
    chat_id = make_library(tmp_path, events=3000, messages=0)
    archived = 0
    for seed in range(KILLS):
        victim = Victim("consolidate", tmp_path)
        told = [victim.says()]
        if seed == KILLS - 1:  # however slow the machine is, one dies behind its first batch
            told.append(victim.says())
        wait_to_kill(seed, 0.12)
        told += victim.die()
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


@pytest.mark.timeout(600)
@pytest.mark.crash
def test_kills_while_volumes_are_made_leave_whole_ones(tmp_path):
    memory = open_keyless(tmp_path)
    first = import_chat(memory, tmp_path / "a.jsonl", story_rows(60))
    memory.pipeline.summarise(CTX, Line.main(first))
    second = import_chat(memory, tmp_path / "b.jsonl", [("旅人", "新的开始。")])
    memory.close()
    known = 0
    for seed in range(KILLS):
        victim = Victim("volume", tmp_path)
        told = [victim.says()] if seed % 2 else []  # a slow machine makes one, too
        wait_to_kill(seed, 0.6)
        told += victim.die()
        made = {line.split()[1] for line in told if "made" in line}
        memory = Memory.open(tmp_path, clock=counting_clock(), environ={})
        volumes = memory.volumes.all()
        assert made <= {v.id for v in volumes}, f"seed {seed} lost acknowledged work"
        assert made <= {v.id for v in memory.volumes.of_chat(second)}
        counts = {tuple(memory.volumes.read(v.id).counts().items()) for v in volumes}
        assert len(counts) <= 1, f"seed {seed} left half a volume"
        assert memory.volumes.faults(second) == []
        for volume in volumes:
            if volume.id in {v.id for v in memory.volumes.of_chat(second)}:  # or not yet attached
                memory.volumes.detach(CTX, volume.id, second)
            memory.volumes.delete(CTX, volume.id)
        known += len(volumes)
        assert not any((tmp_path / "volumes").glob("*")), f"seed {seed} left a folder"
        memory.close()
    assert known, "every kill came before the first volume"


@pytest.mark.timeout(600)
@pytest.mark.crash
def test_kills_during_index_flush_leave_an_index_that_equals_the_vectors(tmp_path):
    chat_id = make_library(tmp_path, events=0, messages=1500)
    for seed in range(KILLS):
        victim = Victim("index", tmp_path)
        line = victim.says().split()
        assert line[:1] == ["index"], f"seed {seed}: the victim ended by itself, {victim.poll()}"
        wait_to_kill(seed, 0.8)
        if seed % 2:  # the worker alone first, so that its supervisor has to notice
            with contextlib.suppress(ProcessLookupError):  # it may be being replaced just then
                kill(int(line[1]))
            threading.Event().wait(random.Random(seed).random() * 0.2)
        victim.die()

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


@pytest.mark.timeout(600)
def test_a_library_of_lost_catalogue_is_not_taken_for_a_new_one(tmp_path):
    make_library(tmp_path, events=1, messages=0)
    (tmp_path / "library.db").unlink()
    with pytest.raises(DamagedDatabase):
        Library(tmp_path, counting_clock(), program="test")
    assert not (tmp_path / "library.db").exists()


@pytest.mark.timeout(600)
@pytest.mark.crash
def test_two_processes_never_hold_one_library(tmp_path):
    chat_id = make_library(tmp_path, events=500, messages=0)
    victim = Victim("index", tmp_path)
    with pytest.raises(LibraryBusy, match="victim"):
        Library(tmp_path, counting_clock(), program="test")
    reader = Library(tmp_path, counting_clock(), program=None)
    assert len(reader.chat(chat_id).events.find(EventQuery())) == 500
    reader.close()
    victim.die()
    Library(tmp_path, counting_clock(), program="test").close()


# Kill the program while it rewrites a kept worldbook: the file is whole, and still ours.

WORLDBOOK_KILLS = 3


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_a_kept_file_is_whole_and_ours_whenever_the_writer_dies(tmp_path):
    chance = random.Random(4)
    folder, file = tmp_path / "library", tmp_path / "[Engram] 试验.json"
    chat_id = make_library(folder, events=300, messages=300)
    memory = Memory.open(folder, environ={})
    memory.kept.keep(CTX, Line.main(chat_id), file)
    memory.close()
    for _kill in range(WORLDBOOK_KILLS):
        victim = Victim("keep", folder)
        told = [victim.says() for _ in range(chance.randrange(1, 5))]
        told += victim.die()
        assert {line.strip() for line in told if line.endswith("\n")} <= {"kept well", ""}
        assert len(json.loads(file.read_text("utf-8"))["entries"]) >= 303
        memory = Memory.open(folder, environ={})
        (report,) = memory.kept.sync(CTX)
        memory.close()
        assert report.worldbook.fault == ""
    assert [path.name for path in tmp_path.glob("*.json")] == [file.name]


# Kill the program while a reply streams: what was said stays, and nothing counts twice.

PLAY_KILLS = int(os.environ.get("ENGRAM_PLAY_KILLS", "3"))
REPLY = (
    '<state_update>[{"op": "add", "path": "affinity", "value": 1}]</state_update>'
    "<record_event><summary>说了一句话。</summary></record_event><reply>一二三四五六七八九十</reply>"
)


def _settle(folder, url):
    memory = open_keyless(folder, settings={"play.tools": "tags", **model_at(url)})
    line = memory.play.start_scripted(CTX, "headpat", "zh").line
    store = memory.session.chat(line.chat_id)
    store.branches.set_header(line.branch_id, "{}")  # the card stays, the written replies do not
    memory.close()
    return line.chat_id


def _whole_turns(memory, line):
    """Check that every reply left exactly what it says; returns how many there are."""
    messages = memory.messages.slice(line, 1, memory.messages.count(line) - 1)
    replies = [m for m in messages if m.role == "assistant"]
    tree = memory.state.history(CTX, line).tree
    assert get(tree, ("affinity",)) == len(replies) if replies else "affinity" not in tree
    events = memory.events.find(line.chat_id, EventQuery())
    assert len(events) == len(replies)
    notes = memory.play.notes(line, 0, memory.messages.count(line) - 1)
    assert notes.keys() == {m.seq for m in replies}
    assert all(m.text == "一二三四五六七八九十" for m in replies)
    assert all(
        messages[n - 1].role == "user" for n, m in enumerate(messages) if m.role == "assistant"
    )
    return len(replies)


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_kills_in_mid_stream_lose_no_message_and_count_nothing_twice(tmp_path):
    folder = tmp_path / "资料库"
    replies = 0
    with FakeOpenAI(answer=lambda body: REPLY) as llm:
        chat_id = _settle(folder, llm.url)
        line = Line.main(chat_id)
        for seed in range(PLAY_KILLS):
            chance = random.Random(seed)
            llm.halfway.clear()
            is_certain = seed % 3 == 0
            if is_certain:  # the second reply of this victim hangs in its middle
                llm.faults[:] = ["whole", "half"]
            victim = Victim("play", folder)
            told = [victim.says()]
            if is_certain:
                assert llm.halfway.wait(20)
            threading.Event().wait(chance.random() * 0.25)
            told += victim.die()
            llm.faults.clear()
            said = max(int(row.split()[1]) for row in told if len(row.split()) == 2)

            check_database(folder / "chats" / chat_id / "memory.db", thorough=True)
            memory = Memory.open(folder, environ={})
            assert memory.messages.count(line) >= said, f"seed {seed} lost a committed message"
            replies = _whole_turns(memory, line)
            memory.close()
        llm.release.set()
    assert replies > 0


# Kill the program between a model's answer and its commit: the answer is not paid for again.

ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}, ensure_ascii=False)


@pytest.mark.crash
@pytest.mark.timeout(120)
def test_an_answer_survives_the_program(tmp_path):
    folder = tmp_path / "资料库"
    with FakeOpenAI(answer=lambda body: ANSWER) as llm:
        memory = open_keyless(folder, settings={"llm.parallel": 1, **model_at(llm.url)})
        chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(35))
        assert chat_id is not None
        memory.close()

        victim = Victim("summarise", folder)
        assert victim.says() == "kept\n"
        victim.die()
        assert len(llm.bodies()) == 1

        memory = Memory.open(folder, environ={})
        assert memory.events.counts(Line.main(chat_id)).total == 0
        spent = memory.usage.today()
        assert (spent.calls, spent.tokens > 0) == (1, True)
        report = memory.pipeline.summarise(CTX, Line.main(chat_id))
        assert (report.events_added, report.llm_calls) == (1, 0)
        assert len(llm.bodies()) == 1
        assert len(memory.events.find(chat_id, EventQuery())) == 1
        assert memory.usage.today() == spent
        memory.close()


# Kill a trim after each of its commits: what was derived of the merged events is whole.

BARE = (
    "SELECT e.name FROM entity e WHERE EXISTS"
    " (SELECT 1 FROM relation r WHERE e.id IN (r.src, r.dst))"
    " AND NOT EXISTS (SELECT 1 FROM memory_item i WHERE i.kind = 'entity' AND i.ref = e.id)"
)


@pytest.mark.crash
@pytest.mark.timeout(120)
@pytest.mark.parametrize("commits", [1, 2, 3])
def test_entities_of_what_was_merged_have_their_items(tmp_path, commits):
    chat_id = make_library(tmp_path, events=60, messages=60)
    victim = Victim("trim", tmp_path)
    assert [victim.says() for _commit in range(commits)] == ["kept\n"] * commits
    victim.die()
    check_database(tmp_path / "chats" / chat_id / "memory.db", thorough=True)

    reader = Memory.open(tmp_path, environ={}, program=None)  # which mends nothing
    database = reader.session.chat(chat_id).database
    assert database.value("SELECT count(*) FROM entity") > 0
    assert database.rows(BARE) == []
    assert database.rows("SELECT * FROM entity_due") == []
    reader.close()
    memory = Memory.open(tmp_path, environ={})
    assert all(finding.is_ok for finding in memory.care.doctor(CTX))
    memory.close()


@pytest.mark.crash
@pytest.mark.timeout(120)
def test_a_reader_writes_what_a_killed_consolidation_put_off(tmp_path):
    chat_id = make_library(tmp_path, events=3000, messages=0)
    victim = Victim("consolidate", tmp_path)
    while victim.says().strip() in {"", "archived 0"}:
        pass
    victim.die()
    reader = Memory.open(
        tmp_path, environ={}, program="engram recall", access=WriteAccess("derive")
    )
    database = reader.session.chat(chat_id).database
    assert database.value("SELECT count(*) FROM entity") > 0
    assert database.rows(BARE) == []
    reader.close()


@pytest.mark.timeout(120)
@pytest.mark.crash
@pytest.mark.parametrize("known", [0, 600])
def test_a_kill_during_an_import_is_told_until_the_file_is_taken_in(tmp_path, capsys, known):
    """Of a new chat nothing is kept, of one that is known what had come in: both are said."""
    file, library = tmp_path / "故事.jsonl", tmp_path / "library"
    memory = Memory.open(library, environ={})
    if known:
        import_chat(memory, file, story_rows(known))
    memory.close()
    write_chat(file, story_rows(3000))
    victim = Victim("import", tmp_path)
    assert [victim.says() for _unit in range(2)] == ["kept\n", "kept\n"]
    victim.die()

    engram = CommandLine(library, capsys)
    code, chats = engram.all_of("chats")
    assert code == 0
    there = chats[0][0]["messages"] if known else 0
    said = f"{there} of its 3000 messages are in “故事”" if known else "nothing of it is here"
    assert there >= known
    assert f"{file}: its import was stopped" in engram.error
    assert said in engram.error
    _code, findings = engram("doctor")
    (found,) = (row for row in findings if row["where"] == file.name)
    assert (found["is_ok"], found["repaired"]) == (False, False)
    assert said in found["what"]

    assert engram("import", file)[1][0]["added"] == 3000 - there
    assert engram("chats")[1][0]["messages"] == 3000
    assert engram.error == ""
    assert not (library / "importing").exists()
