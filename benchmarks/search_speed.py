"""How long a search over a library of 100,000 messages takes: run with ``-m bench``.

    python -m benchmarks.search_speed [MESSAGES [CHATS]]

Sentences are made up, with words as unevenly used as in a story; an event stands for every twenty
messages. Measured is each question by itself, the chats open and the pages of the file in memory.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import require
from benchmarks.recall_speed import _sentence, _words
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import make_chat, make_event, make_message

QUESTIONS = (
    "一",  # in every sentence, see below
    "爱丽丝",
    "{common}",
    "{rare}",
    "{common} {rare}",
    '"{rare}{common}"',
    "{common} -{rare}",
    "{common} OR {rare}",
    "type:event is:蓝",
    "is:绿 {common}",
    "实体:爱丽丝 {rare}",
    "-{common}",
    "🔥",
    "nowhere to be found",
)
# What no row of made-up words holds.
FOUND_NOWHERE = ('"{rare}{common}"', "🔥", "nowhere to be found")
LIMIT_MS = 300


def build(folder: Path, messages: int, chats: int) -> tuple[Memory, Sequence[str]]:
    dice = random.Random(messages)
    words = _words(dice)
    memory = Memory.open(folder)
    for number in range(chats):
        store = make_chat(memory.session.library, f"第{number}章")
        count = messages // chats
        turns = [
            make_message(f"一{_sentence(dice, words)}", ("旅人", "爱丽丝")[n % 2])
            for n in range(count)
        ]
        events = [
            make_event(
                _sentence(dice, words),
                n,
                n + 19,
                status="archived" if n % 40 else "buffer",
                is_archived=bool(n % 40),
            )
            for n in range(0, count, 20)
        ]
        with store.database.writing():
            store.messages.append("main", 0, turns)
            store.events.add(events, 1)
    return memory, words


def measure(memory: Memory, words: Sequence[str], rounds: int = 3) -> dict[str, float]:
    """Return the median milliseconds of each question."""
    taken: dict[str, float] = {}
    for form in QUESTIONS:
        text = form.format(
            common=words[0],
            rare=words[min(2_000, memory.chats.all()[0].messages * len(memory.chats.all()) // 50)],
        )
        times = []
        counts = ""
        for _round in range(rounds):
            begin = time.perf_counter()
            result = memory.search.find(NullContext(), text)
            times.append((time.perf_counter() - begin) * 1_000)
            counts = ", ".join(f"{g.kind} {g.count}" for g in result.groups)
            is_found = any(group.count for group in result.groups)
            require(is_found or form in FOUND_NOWHERE, f"{text}: nothing found")
        taken[f"{form}  ({counts})"] = sorted(times)[rounds // 2]
    return taken


@pytest.mark.timeout(300)
@pytest.mark.parametrize("chats", [1, 20])
def test_a_library_answers_while_it_is_typed(tmp_path: Path, chats: int) -> None:
    memory, words = build(tmp_path / "library", 100_000, chats)
    try:
        taken = measure(memory, words)
    finally:
        memory.close()
    assert max(taken.values()) < LIMIT_MS, taken


def main() -> None:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    chats = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        memory, words = build(Path(folder) / "library", messages, chats)
        for question, milliseconds in measure(memory, words).items():
            print(f"{milliseconds:7.1f} ms  {question}")
        memory.close()


if __name__ == "__main__":
    main()
