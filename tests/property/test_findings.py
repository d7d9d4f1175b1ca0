"""Findings that go on where a line goes on are those of the same line read as a whole."""

from __future__ import annotations

import contextlib
import random

import pytest

from engram_desktop.domain.claims.findings import LineFindings, findings_of
from engram_desktop.domain.errors import NothingToUndo
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.knowledge import claims
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock, set_all, write_chat
from tests.findings_stories import stories

CTX = NullContext()
QUICK = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}
STEPS = ("append", "append", "append", "swipe", "edit", "delete", "undo", "read", "note")


def told_by_one(seed: int) -> list[tuple[str, str]]:
    """Return some stories one after the other, all written by one narrator and one player."""
    chosen = random.Random(seed).sample(stories(), 2)
    return [
        ("旅人" if name == story.player else "说书人", text)
        for story in chosen
        for name, text in story.messages
    ]


@pytest.fixture
def memory(tmp_path):
    memory = Memory.open(tmp_path / "库", clock=counting_clock(), environ={})
    set_all(memory, QUICK)
    yield memory
    memory.close()


def line_of(memory, folder, rows):
    file = write_chat(folder / "故事.jsonl", rows, user="旅人")
    return Line.main(memory.imports.import_file(CTX, file).chat_id)


@pytest.mark.parametrize(("seed", "idle"), [(0, 0), (1, 0), (2, 0), (3, 0), (4, 300)])
def test_findings_are_those_of_the_whole_line_after_any_steps(memory, tmp_path, seed, idle):
    """``idle`` messages come before the story; with enough of them rows are held compressed."""
    rng, rows = random.Random(seed), told_by_one(seed)
    start = rng.randint(10, len(rows) - 16)
    later = rows[start:]
    line = line_of(
        memory, tmp_path, [("旅人", "嗯。"), ("说书人", "嗯。")] * (idle // 2) + rows[:start]
    )
    store = memory.session.chat(line.chat_id)
    memory.findings.read(CTX, line)
    for _ in range(24):
        take_a_step(memory, line, later, rng)
        known = memory.findings.near(CTX, line, 64)
        assert known is not None
        kept = dict(store.line_claims)
        store.line_claims.clear()  # nothing is known of the line but what is stored
        whole = claims.load(CTX, store, line.branch_id, keeps=False)
        store.line_claims.update(kept)
        facts = findings_of(whole.facts, whole, whole.last_floor, whole.people)
        assert [f.to_json() for f in known[0]] == [f.to_json() for f in facts]
        assert known[1].there == whole.there
        assert known[1].story.is_as(whole.story)


def take_a_step(memory, line, later, rng):
    step = rng.choice(STEPS)
    last = memory.messages.count(line) - 1
    if step == "append" and later:
        name, text = later.pop(0)
        role = "user" if name == "旅人" else "assistant"
        memory.messages.append(line, name, role, text)
    elif step == "swipe":
        memory.messages.edit(line, last, rng.choice(told_by_one(rng.randint(0, 99)))[1])
    elif step == "edit":
        memory.messages.edit(line, rng.randint(0, last), "「我改主意了。」他说。")
    elif step == "delete" and last > 12:
        memory.messages.delete_last(line, rng.randint(1, 3))
    elif step == "undo":
        with contextlib.suppress(NothingToUndo):
            memory.history.undo(line.chat_id)
    elif step == "read":
        memory.findings.read(CTX, line)
    elif step == "note":
        floor = rng.randint(0, last)
        text = memory.messages.slice(line, floor, floor)[0].text.strip().splitlines()[0]
        memory.findings.note_thread(CTX, line, floor, text[:12].strip() or text)


def test_findings_of_parts_are_those_of_the_whole(memory, tmp_path):
    """A line that is read in steps of any length gives what it gives at once."""
    rows = [
        ("旅人" if name == story.player else "说书人", text)
        for story in stories()
        for name, text in story.messages
    ]
    line = line_of(memory, tmp_path, rows)
    read = claims.load(CTX, memory.session.chat(line.chat_id), line.branch_id)
    whole = findings_of(read.facts, read, read.last_floor, read.people)
    assert len(whole) > 60
    for seed in range(5):
        rng, parts = random.Random(seed), LineFindings(read.people)
        while parts.next_floor <= read.last_floor:
            last = min(read.last_floor, parts.next_floor + rng.choice((0, 0, 1, 7, 60)))
            parts = parts.copy()
            parts.go_on(read.facts_of, read, last)
        assert [f.to_json() for f in parts.findings(read)] == [f.to_json() for f in whole]
