"""Kill the program while a reply streams: what was said stays, and nothing counts twice."""

from __future__ import annotations

import os
import random
import threading

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import get
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care.backup import check_database
from tests.crash.killing import kill, start
from tests.fake_openai import FakeOpenAI

pytestmark = [pytest.mark.crash, pytest.mark.timeout(600)]
CTX = NullContext()
KILLS = int(os.environ.get("ENGRAM_PLAY_KILLS", "6"))
REPLY = (
    '<state_update>[{"op": "add", "path": "affinity", "value": 1}]</state_update>'
    "<record_event><summary>说了一句话。</summary></record_event><reply>一二三四五六七八九十</reply>"
)


def _settle(folder, url):
    memory = Memory.open(folder, environ={})
    values = {
        "llm.base_url": url,
        "llm.model": "fake-chat",
        "embed.local": "hash",
        "index.backend": "exact",
        "keys.storage": "session",
        "play.tools": "tags",
    }
    for key, value in values.items():
        memory.settings.set(key, value)
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


def test_kills_in_mid_stream_lose_no_message_and_count_nothing_twice(tmp_path):
    folder = tmp_path / "资料库"
    replies = 0
    with FakeOpenAI(answer=lambda body: REPLY) as llm:
        chat_id = _settle(folder, llm.url)
        line = Line.main(chat_id)
        for seed in range(KILLS):
            chance = random.Random(seed)
            llm.halfway.clear()
            is_certain = seed % 3 == 0
            if is_certain:  # the second reply of this victim hangs in its middle
                llm.faults[:] = ["whole", "half"]
            victim = start("play", folder)
            assert victim.stdout is not None
            told = [victim.stdout.readline()]
            if is_certain:
                assert llm.halfway.wait(20)
            threading.Event().wait(chance.random() * 0.25)
            kill(victim.pid)
            told += victim.stdout.read().splitlines()
            victim.wait()
            victim.stdout.close()
            llm.faults.clear()
            said = max(int(row.split()[1]) for row in told if len(row.split()) == 2)

            check_database(folder / "chats" / chat_id / "memory.db", thorough=True)
            memory = Memory.open(folder, environ={})
            assert memory.messages.count(line) >= said, f"seed {seed} lost a committed message"
            replies = _whole_turns(memory, line)
            memory.close()
        llm.release.set()
    assert replies > 0
