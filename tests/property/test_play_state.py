"""Whatever is played, taken back and played again: the state is what the messages say it is."""

from __future__ import annotations

import json
import random
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.rules import StateRule, rule_fields
from engram_desktop.domain.state.tree import StateOp, get, plain
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock
from tests.fake_openai import FakeOpenAI

pytestmark = pytest.mark.timeout(300)
CTX = NullContext()
PATH = ("affinity",)
ACTS = ("send", "send", "send", "reroll", "swipe", "edit", "delete", "fork", "undo", "redo", "on")
MORE = (*ACTS, "correct", "level", "hand", "rule")


def _open(folder: Path, server: FakeOpenAI) -> tuple[Memory, Line]:
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "fake-chat"}
    memory = Memory.open(folder, clock=counting_clock(), environ=environ)
    values = {
        "embed.local": "hash",
        "index.backend": "exact",
        "keys.storage": "session",
        "play.tools": "tags",
        "memory.mode": "off",
    }
    for key, value in values.items():
        memory.settings.set(key, value)
    line = memory.play.start_scripted(CTX, "headpat", "zh").line
    store = memory.session.chat(line.chat_id)
    store.branches.set_header(line.branch_id, "{}")
    with store.database.writing():  # as a chat begins: nothing takes it back
        rule = json.dumps(rule_fields(StateRule(PATH, "integer", 0, 12, initial=5)))
        store.turn_notes.put_rule("/affinity", rule)
    return memory, line


def _act(  # noqa: C901, PLR0912 - one case for each thing that can be done
    memory: Memory, lines: list[Line], act: str, chance: random.Random
) -> None:
    """Do one thing on one of the lines; what cannot be done there is left out."""
    line = chance.choice(lines)
    count = memory.messages.count(line)
    floor = chance.randrange(count)
    match act:
        case "send":
            memory.play.send(CTX, line, "你好吗？")
        case "reroll":
            memory.play.reroll(CTX, line)
        case "on":
            memory.play.go_on(CTX, line)
        case "swipe":
            memory.play.swipe(line, floor, chance.randrange(3))
        case "edit":
            text = memory.messages.slice(line, floor, floor)[0].text
            memory.play.edit(line, floor, f"{text}。")
        case "delete" if count > 1:
            memory.play.delete_last(line, chance.randrange(1, min(3, count)))
        case "fork" if len(lines) < 4:
            lines.append(memory.play.fork(line, floor).line)
        case "undo":
            memory.history.undo(line.chat_id)
        case "redo":
            memory.history.redo(line.chat_id)
        case "correct":
            memory.play.correct_state(line, floor, [StateOp("add", PATH, chance.randrange(-3, 9))])
        case "level":
            memory.play.correct_level(line, floor, chance.choice(["ROUTINE", "CHAT", "EVENT"]))
        case "hand":
            memory.state.set(line, PATH, chance.randrange(12))
        case "rule":
            memory.play.set_rule(line, StateRule(PATH, "integer", 0, 20, initial=5))


def _said(memory: Memory, line: Line) -> int:
    """Add up what the replies say, each as it reads: “+3。-1” is two changes, within bounds."""
    value = 5
    for message in memory.messages.slice(line, 0, memory.messages.count(line) - 1):
        if message.role == "assistant":
            for part in re.findall(r"[+-]\d", message.text):
                value = max(0, min(12, value + int(part)))
    return value


def _play(acts: list[str], seed: int, *, is_told: bool) -> None:
    chance = random.Random(seed)

    def answer(_body: object) -> str:
        delta = chance.randrange(-4, 7)
        update = f'[{{"op": "add", "path": "affinity", "value": {delta}}}]'
        return f" <state_update>{update}</state_update><reply>{delta:+d}</reply>"

    with tempfile.TemporaryDirectory() as place, FakeOpenAI(answer=answer) as server:
        memory, first = _open(Path(place) / "library", server)
        lines = [first]
        try:
            for act in acts:
                try:
                    _act(memory, lines, act, chance)
                except KnownError:
                    continue
                finally:
                    lines[:] = [line for line in lines if memory.branches.has(line)]
                for line in lines:
                    tree = memory.state.history(CTX, line).tree
                    assert memory.state.tree(CTX, line) == tree
                    if is_told:
                        assert plain(get(tree, PATH)) == _said(memory, line)
                at = chance.randrange(memory.messages.count(first))
                assert (
                    memory.state.tree(CTX, first, at) == memory.state.history(CTX, first, at).tree
                )
        finally:
            memory.close()


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(ACTS), min_size=8, max_size=24), st.integers(0, 10_000))
def test_the_state_is_what_the_replies_say(acts: list[str], seed: int) -> None:
    _play(acts, seed, is_told=True)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(MORE), min_size=8, max_size=24), st.integers(0, 10_000))
def test_what_is_remembered_of_the_state_is_what_replaying_gives(
    acts: list[str], seed: int
) -> None:
    _play(acts, seed, is_told=False)
