"""What the server's next prompt needs is read while the player reads, and a request goes first."""

from __future__ import annotations

import asyncio
import gc

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.server.access import ClientLimits, Gate
from engram_desktop.server.server_state import (
    _TICK_SECONDS,
    Exchanges,
    ServerState,
    ignore_exchange,
)
from tests.factories import import_chat, story_rows

CTX = NullContext()


@pytest.fixture
def line(open_memory, tmp_path):
    memory = open_memory()
    chat_id = import_chat(memory, tmp_path / "钟楼.jsonl", story_rows(30))
    memory.pipeline.summarise(CTX, Line.main(chat_id), extractor="extractive")
    return memory, Line.main(chat_id)


def state_of(memory):
    return ServerState(
        memory,
        NullContext,
        Exchanges(ignore_exchange),
        lambda _changes: None,
        lambda _line: None,
        Gate(ClientLimits()),
    )


def run(state, steps):
    async def main():
        async with state.lifespan(None):
            await steps()

    asyncio.run(main())
    state.close(1.0)
    state.join()


async def until(holds):
    for _ in range(2_000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


def test_a_line_is_read_again_after_each_change(line):
    memory, played = line
    state = state_of(memory)

    def is_ready():
        read = state.ahead._lines.get(played)
        return read is not None and read.ready == memory.serving.revision(played)

    async def steps():
        assert not is_ready()
        state.ahead.played(played, "爱丽丝", 29)
        await until(is_ready)
        await state.work(lambda ctx: memory.index.embed_pending(ctx, played.chat_id))
        assert not is_ready()
        await until(is_ready)

    run(state, steps)


@pytest.mark.parametrize("what", ["a request is filled", "the line is answered"])
def test_nothing_is_read_ahead_in_the_way_of_a_request(line, what):
    memory, played = line
    state = state_of(memory)
    clients = memory.session.clients

    async def steps():
        state.ahead.played(played, "爱丽丝", 29)
        if what == "a request is filled":
            with state.undisturbed():
                assert clients.way._first  # nothing is embedded meanwhile
                await asyncio.sleep(4 * _TICK_SECONDS)
                assert state.ahead._lines[played].looks == 0
            assert not clients.way._first
        else:
            state.ahead.begin_answer(played)
            await asyncio.sleep(4 * _TICK_SECONDS)
            assert state.ahead._lines[played].looks == 0
            state.ahead.end_answer(played)
        await until(lambda: state.ahead._lines[played].ready >= 0)

    run(state, steps)


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_looked_for_during_a_request(line, collects):
    """A window, which collects by itself, goes on doing so."""
    state = state_of(line[0])
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        with state.undisturbed():
            assert not gc.isenabled()
            with state.undisturbed():
                pass
            assert not gc.isenabled()
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()
        state.close(1.0)
        state.join()


def test_a_line_that_is_gone_is_forgotten(line):
    state = state_of(line[0])

    async def steps():
        state.ahead.played(Line.main("gone"), "爱丽丝", 29)
        await until(lambda: not state.ahead.lines)

    run(state, steps)


def test_only_the_lines_played_last_are_kept_ready(line):
    memory, played = line
    state = state_of(memory)
    for n in range(9):
        state.ahead.played(Line(played.chat_id, f"branch {n}"), "爱丽丝", n)
    state.ahead.played(Line(played.chat_id, "branch 7"), "爱丽丝", 9)
    assert [line.branch_id for line in state.ahead.lines] == ["branch 6", "branch 8", "branch 7"]


def test_a_start_reads_the_chats_played_last_and_can_be_waited_for(line, serve):
    memory, _line = line
    served = serve(memory=memory)
    assert served.server.wait_until_warm(30)
    served.server.stop()
    assert served.server.wait_until_warm(0)  # nobody waits for one that does not run
