"""A clock that jumps, and a library that another program holds: replies go on all the same."""

from __future__ import annotations

import itertools
import threading
from functools import partial
from urllib.parse import unquote

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.write_access import WriteAccess
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library.library_lock import LibraryLock
from tests.unit.server.conftest import KEY
from tests.upstream import Upstream

DAY = 86_400_000  # ms
OPENING = [
    "Good evening, is the tavern by the river still open tonight?",
    "Alice nods and puts a candle on the counter between them.",
    "I heard a bell as I came over the old stone bridge.",
]


def echo(asked):
    said = asked.json["messages"][-1]["content"]
    asked.whole(b'{"choices": [{"message": {"content": "She hears: %s"}}]}' % said.encode())


@pytest.fixture
def opened(tmp_path):
    memories = []

    def make(**options):
        environ = {"ENGRAM_SERVE_API_KEY": KEY}
        memory = Memory.open(tmp_path / "library", environ=environ, **options)
        memories.append(memory)
        return memory

    yield make
    for memory in memories:
        memory.close()


def configure(memory, up):
    for key, value in {
        "llm.base_url": up.url,
        "llm.model": "m",
        "embed.local": "hash",
        "index.backend": "exact",
        "serve.port": 0,
        "serve.allowance": 10_000,
    }.items():
        memory.settings.set(key, value)


def play(served, turns):
    said = list(OPENING)
    for n in range(turns):
        said.append(served.chat(*said).json["choices"][0]["message"]["content"])
        served.ended(n + 1)
        said.append(f"Then let us look for it, for the {n}th time.")
    return said[:-1]


def lines(memory):
    return [
        [m.text for m in memory.messages.slice(Line(chat.chat_id, branch.id), 0, 1000)]
        for chat in memory.chats.all()
        for branch in memory.branches.all(chat.chat_id)
    ]


@pytest.mark.parametrize("jump", [-400 * DAY, 400 * DAY, -DAY], ids=["back", "forward", "a day"])
def test_a_clock_that_jumps_changes_nothing(opened, serve, jump):
    now = itertools.count(2_000_000_000_000)
    far = itertools.count()
    memory = opened(clock=lambda: next(now) + (next(far) % 2) * jump)
    with Upstream(echo) as up:
        configure(memory, up)
        served = serve(memory=memory)
        said = play(served, 4)
        exchanges = served.ended(4)
        served.server.stop()
        served.server.join()
    assert lines(memory) == [said]
    assert not [e for e in exchanges if e.outcome == "late"]
    assert all(0 <= e.memory_ms <= e.total_ms for e in exchanges)


def test_a_library_that_another_program_holds_is_served_but_not_kept(opened, serve):
    holder = opened()
    with Upstream(echo) as up:
        configure(holder, up)
        first = serve(memory=holder)
        said = play(first, 2)
        first.server.stop()
        first.server.join()
        reader = opened(program=None)
        assert not reader.can_write
        served = serve(memory=reader)
        answer = served.chat(*said, "And what do you hear now?")
        (exchange,) = served.ended()
        served.server.stop()
        served.server.join()
    assert answer.json["choices"][0]["message"]["content"].startswith("She hears")
    assert exchange.identity.line is not None, "memory is read all the same"
    assert "another program has this library open" in str(served.exchanges[0].failure)
    assert not served.exchanges[0].kept
    assert lines(holder) == [said]


def test_what_is_said_while_another_program_writes_is_kept_when_that_ends(opened, serve):
    memory = opened(program="engram serve", access=WriteAccess("shared", 0.05))
    with Upstream(echo) as up:
        configure(memory, up)
        served = serve(memory=memory, contexts=partial(NullContext, memory.sharing.claim))
        said, waiting = play(served, 1), threading.Event()
        while lines(memory) != [said]:
            waiting.wait(0.05)
        other = LibraryLock(memory.folder, "engram import")
        with other.claim():
            told = [*said, "And what do you hear now?"]
            answer = served.chat(*told)
            told.append(answer.json["choices"][0]["message"]["content"])
            while not answer.headers.get("x-engram-trouble"):  # it is said from the next reply on
                waiting.wait(0.05)
                answer = served.chat(*told[:-1])
            assert "engram import" in unquote(answer.headers["x-engram-trouble"])
            assert lines(memory) == [said], "what is said waits"
        while lines(memory) != [told]:
            waiting.wait(0.05)
        served.server.stop()
        served.server.join()
