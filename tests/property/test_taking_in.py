"""Taking in any copy of a chat takes no text away, on any road, unless the user says so."""

from __future__ import annotations

import copy
import itertools
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import ImportReport
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock
from tests.tavern import TavernChatFile, make_tavern

CTX = NullContext()
TABLES = ("branch", "message", "shared_view")
ACTS = st.lists(
    st.tuples(
        st.sampled_from("edit swipe delete insert move hide rename cut cut say".split()),
        st.integers(0, 99),
    ),
    max_size=6,
)
ROADS = st.sampled_from(["import", "into", "follow", "older"])
RUN = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


class Desk:
    """One library for all examples; each has a chat, and files, of its own."""

    def __init__(self, folder: Path) -> None:
        self.handle = make_tavern(folder / "SillyTavern")
        self.memory = Memory.open(folder / "library", clock=counting_clock(), environ={})
        self.memory.settings.set("keys.storage", "session")
        self._numbers = itertools.count()

    def file(self, count: int) -> TavernChatFile:
        """Write a chat of so many messages; some are said again and again."""
        number = next(self._numbers)
        made = TavernChatFile(self.handle / "chats" / f"人{number}" / f"故事{number}.jsonl")
        made.say(*("嗯。" if n % 5 == 4 else f"故事{number}，第{n}句。" for n in range(count)))
        return made

    def lines(self, chat_id: str) -> list[list[str]]:
        return [
            [m.text for m in self.memory.messages.slice(Line(chat_id, branch.id), 0, 10_000)]
            for branch in self.memory.branches.all(chat_id)
        ]

    def reachable(self, chat_id: str) -> set[str]:
        """Every text on some branch, with those that a message has as swipes."""
        store = self.memory.session.chat(chat_id)
        return {
            text
            for branch in self.memory.branches.all(chat_id)
            for message in store.messages.as_parsed(branch.id, 0, 10_000)
            for text in (message.text, *json.loads(message.raw).get("swipes", ()))
        }

    def dump(self, chat_id: str) -> dict[str, Any]:
        rows = self.memory.session.chat(chat_id).database.rows
        return {name: rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in TABLES}

    def take(self, road: str, file: TavernChatFile, chat_id: str) -> str:
        """Take a copy in; returns the chat it went to: a short one may be one of its own."""
        match road:
            case "import":
                return self.memory.imports.import_file(CTX, file.path).chat_id or ""
            case "into":
                return self.memory.imports.import_file(CTX, file.path, into=chat_id).chat_id or ""
            case _:
                stamp = 10**15 - next(self._numbers)  # older than what was read there
                os.utime(file.path, ns=(stamp, stamp))
                return self.memory.tavern.sync_chat(CTX, file.path).chat_id


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with tempfile.TemporaryDirectory() as folder:
        made = Desk(Path(folder))
        yield made
        made.memory.close()


def act(file: TavernChatFile, what: str, at: int, word: str) -> None:
    count = len(file.rows)
    floor = at % count
    match what:
        case "edit":
            file.edit(floor, word)
        case "swipe":
            file.swipe(word, floor)
        case "insert":
            file.insert(floor, word)
        case "hide":
            file.hide(floor)
        case "say":
            file.say(*(f"{word}{n}" for n in range(at % 4 + 1)))
        case "rename":
            file.rows = [row | {"name": f"{row['name']}{at % 3}"} for row in file.rows]
            file.save()
        case _ if count > 1:
            {
                "delete": lambda: file.delete(floor),
                "move": lambda: file.move(at % (count - 1) + 1),
                "cut": lambda: file.delete(*range(max(1, count - floor), count)),
            }[what]()


def make_copy(file: TavernChatFile, acts: list[tuple[str, int]]) -> None:
    file.rows = copy.deepcopy(file.rows)
    for n, (what, at) in enumerate(acts):
        act(file, what, at, f"{file.path.stem}的改动{n}。")
    file.save()


def begin(desk: Desk, count: int, road: str) -> tuple[TavernChatFile, str]:
    file = desk.file(count)
    chat_id = desk.memory.imports.import_file(CTX, file.path).chat_id or ""
    if road == "older":
        desk.memory.tavern.sync_chat(CTX, file.path)
    return file, chat_id


def steps_of(desk: Desk, chat_id: str) -> int:
    return sum(not step.is_undone for step in desk.memory.history.steps(chat_id))


@given(count=st.integers(4, 30), acts=ACTS, again=ACTS, road=ROADS)
@example(count=30, acts=[("edit", 9), ("cut", 10)], again=[], road="import")
@example(count=30, acts=[("edit", 0), ("delete", 29)], again=[("cut", 3)], road="older")
# The branch hid a floor, which the line is then told of as well: its note goes, and comes back.
@example(count=5, acts=[("edit", 1), ("hide", 0)], again=[("edit", 0), ("say", 0)], road="import")
@RUN
def test_every_text_of_the_chat_and_of_the_copy_is_there_afterwards(desk, count, acts, again, road):
    file, chat_id = begin(desk, count, road)
    for changes in (acts, again):
        before, state = desk.reachable(chat_id), desk.dump(chat_id)
        steps = steps_of(desk, chat_id)
        make_copy(file, changes)
        taken_to = desk.take(road, file, chat_id)
        wanted = [row["mes"] for row in file.rows]
        assert before <= desk.reachable(chat_id)
        assert any(line[: len(wanted)] == wanted for line in desk.lines(taken_to))
        taken = steps_of(desk, chat_id) - steps
        assert taken <= 1
        for _step in range(taken):
            desk.memory.history.undo(chat_id)
            assert desk.dump(chat_id) == state
            desk.memory.history.redo(chat_id)
        assert before <= desk.reachable(chat_id)
        assert set(wanted) <= desk.reachable(taken_to)
    assert desk.memory.session.chat(chat_id).items.faults() == 0


@given(count=st.integers(4, 30), acts=ACTS)
@RUN
def test_replaced_the_line_is_what_the_copy_tells(desk, count, acts):
    file, chat_id = begin(desk, count, "import")
    make_copy(file, acts)
    desk.memory.imports.import_file(CTX, file.path, into=chat_id, on_conflict="replace")
    (line,) = desk.lines(chat_id)
    wanted = [row["mes"] for row in file.rows]
    assert line[: len(wanted)] == wanted


@given(count=st.integers(4, 30), acts=ACTS)
@RUN
def test_skipped_a_copy_that_would_take_something_away_changes_nothing(desk, count, acts):
    file, chat_id = begin(desk, count, "import")
    make_copy(file, acts)
    state = desk.dump(chat_id)
    report: ImportReport = desk.memory.imports.import_file(
        CTX, file.path, into=chat_id, on_conflict="skip"
    )
    if report.conflict is not None:
        assert desk.dump(chat_id) == state
    else:
        assert {row["mes"] for row in file.rows} <= desk.reachable(chat_id)


@given(count=st.integers(4, 30), acts=ACTS)
@RUN
def test_a_preview_says_what_the_import_does(desk, count, acts):
    file, chat_id = begin(desk, count, "import")
    make_copy(file, [one for one in acts if one[0] != "rename"])  # changes, but no message is new
    state = desk.dump(chat_id)
    preview = desk.memory.imports.preview(CTX, file.path, into=chat_id)
    assert desk.dump(chat_id) == state
    report = desk.memory.imports.import_file(CTX, file.path, into=chat_id)
    if preview.conflict is None:
        assert report.conflict is None
    else:
        assert report.conflict is not None
        assert (report.conflict.changed, report.conflict.gone) == (
            preview.conflict.changed,
            preview.conflict.gone,
        )
        assert report.conflict.branch in [b.id for b in desk.memory.branches.all(chat_id)]
    assert (report.added, report.changed, report.removed, report.fork_floor) == (
        preview.new_messages,
        preview.changed,
        preview.removed,
        preview.fork_floor,
    )
