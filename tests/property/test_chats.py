"""Chats that are followed, taken in, served and played."""

from __future__ import annotations

import copy
import itertools
import json
import os
import random
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.state.rules import StateRule, rule_fields
from engram_desktop.domain.state.tree import StateOp, get, plain
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import counting_clock, set_all
from tests.fake_openai import FakeOpenAI
from tests.stored import texts_of
from tests.tavern import TavernChatFile, make_tavern, told

# Any session, followed save by save, ends where a fresh import of its files ends.

CTX = NullContext()
PARTS = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}

WHAT = (
    "say say say edit swipe swipe delete cut insert move hide show rename branch branch checkpoint"
    " restore note half persona character"
).split()
KINDS = st.sampled_from(["solo", "group", "old group"])
ACTS = st.lists(
    st.tuples(st.sampled_from(WHAT), st.integers(0, 99), st.integers(0, 3), st.booleans()),
    min_size=3,
    max_size=14,
)


def open_memory(folder):
    memory = Memory.open(folder, clock=counting_clock(), environ={})
    set_all(memory, PARTS)
    return memory


class Session:
    """A player at work on one chat and its branches."""

    def __init__(self, handle: Path, begin: int, kind: str = "solo") -> None:
        where = handle / ("chats/爱丽丝" if kind == "solo" else "group chats")
        self.files = [TavernChatFile(where / "故事.jsonl")]
        self.files[0].group = () if kind == "solo" else ("爱丽丝", "白兔", "睡鼠")
        self.files[0].has_header = kind != "old group"
        self.words = 0
        self.earlier: list[list[dict[str, Any]]] = []
        self.files[0].say(*(self.word() for _ in range(begin)))

    def word(self) -> str:
        self.words += 1
        return (
            f"第{self.words}句话。" if self.words % 5 else "嗯。"
        )  # some are said again and again

    def act(self, what: str, at: int, which: int) -> None:
        getattr(self, f"_{what}")(self.files[which % len(self.files)], at)

    def _say(self, file, at):
        file.say(*(self.word() for _ in range(at % 3 + 1)))

    def _edit(self, file, at):
        file.edit(at % len(file.rows), self.word())

    def _swipe(self, file, at):
        file.swipe(self.word())

    def _delete(self, file, at):
        if len(file.rows) > 4:
            file.delete(at % len(file.rows))

    def _cut(self, file, at):
        if len(file.rows) > 8:
            file.delete(*range(-(at % 4 + 1), 0))

    def _insert(self, file, at):
        file.insert(at % len(file.rows), self.word())

    def _move(self, file, at):
        if len(file.rows) > 1:
            file.move(at % (len(file.rows) - 1) + 1)

    def _hide(self, file, at):
        file.hide(at % len(file.rows))

    def _show(self, file, at):
        file.hide(at % len(file.rows), hidden=False)

    def _rename(self, file, at):
        file.rename(f"改名{self.words}-{at}-{file.saves}")

    def _persona(self, file, at):
        """Give the player another name in one file."""
        self._call(file, f"旅人{at % 3}", is_user=True)

    def _character(self, _file, at):
        """Give the character another name in every file, branches first."""
        for file in reversed(self.files):
            self._call(file, f"爱丽丝{at % 3}", is_user=False)

    def _call(self, file, name, *, is_user):
        for row in file.rows:
            if row["is_user"] == is_user:
                row["name"] = name
        if is_user:
            file.user = name
        else:
            file.char = name
        file.save()

    def _branch(self, file, at, make=TavernChatFile.branch):
        if len(self.files) < 4 and len(file.rows) > 4:
            floor = max(3, at % len(file.rows))
            self.files.append(make(file, floor, f"{file.path.stem} - Branch #{len(self.files)}"))

    def _checkpoint(self, file, at):
        self._branch(file, at, TavernChatFile.checkpoint)

    def _restore(self, file, at):
        """Put back what this file held some saves ago; what began as another story is left."""
        if at % 2 or not self.earlier:
            self.earlier.append(copy.deepcopy(self.files[0].rows))
        else:
            self.files[0].restore(self.earlier[at % len(self.earlier)])

    def _note(self, file, at):
        file.note(at % len(file.rows), memory=self.word())

    def _half(self, file, at):
        file.path.write_bytes(file.data()[:-7])


def row_of(memory, file):
    (row,) = (
        r for r in memory.tavern.followed() if Path(r.path) == Path(os.path.normcase(file.path))
    )
    return row


def assert_same_line(memory, row, wanted):
    """A line is what its file tells, also where that names or hides otherwise what is shared."""
    assert told(memory, row.chat_id, row.branch_id) == wanted


# A branch of what was changed a moment before: its parent waits for the next look, and so must it.
CHANGED_AND_BRANCHED = [
    ("swipe", 44, 0, False),
    ("delete", 63, 1, False),
    ("swipe", 67, 3, True),
    *[("branch", 59, 2, False)] * 3,
    ("hide", 63, 0, True),
]


@given(begin=st.integers(1, 20), acts=ACTS, kind=KINDS)
@example(begin=7, acts=CHANGED_AND_BRANCHED, kind="group")
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],  # one run takes a second: shrinking takes an hour
)
def test_a_followed_session_ends_where_a_fresh_import_ends(begin, acts, kind):
    folder = Path(tempfile.mkdtemp())
    memory = open_memory(folder / "library")
    try:
        handle = make_tavern(folder / "SillyTavern")
        session = Session(handle, begin, kind)
        follower = memory.tavern.following(handle)
        list(follower.look(CTX))
        for what, at, which, looks in acts:
            if what == "rename":  # nobody renames and edits between two looks
                list(follower.look(CTX))
                list(follower.look(CTX))
            session.act(what, at, which)
            if looks or what == "rename":
                list(follower.look(CTX))
        for file in session.files:
            file.save()
        for _ in range(3):
            list(follower.look(CTX))
        assert list(follower.look(CTX)) == []
        assert not follower.is_waiting
        for number, file in enumerate(session.files):
            fresh = open_memory(folder / f"fresh{number}")
            wanted = told(fresh, fresh.imports.import_file(CTX, file.path).chat_id)
            fresh.close()
            assert_same_line(memory, row_of(memory, file), wanted)
    finally:
        memory.close()
        shutil.rmtree(folder, ignore_errors=True)


# Taking in any copy of a chat takes no text away, on any road, unless the user says so.

TABLES = ("branch", "message", "shared_view")
COPY_ACTS = st.lists(
    st.tuples(
        st.sampled_from("edit swipe delete insert move hide rename cut cut say".split()),
        st.integers(0, 99),
    ),
    max_size=6,
)
ROADS = st.sampled_from(["import", "into", "follow", "older"])
RUN = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


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
            texts_of(self.memory, Line(chat_id, branch.id))
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


@given(count=st.integers(4, 30), acts=COPY_ACTS, again=COPY_ACTS, road=ROADS)
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


@given(count=st.integers(4, 30), acts=COPY_ACTS)
@RUN
def test_replaced_the_line_is_what_the_copy_tells(desk, count, acts):
    file, chat_id = begin(desk, count, "import")
    make_copy(file, acts)
    desk.memory.imports.import_file(CTX, file.path, into=chat_id, on_conflict="replace")
    (line,) = desk.lines(chat_id)
    wanted = [row["mes"] for row in file.rows]
    assert line[: len(wanted)] == wanted


@given(count=st.integers(4, 30), acts=COPY_ACTS)
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


@given(count=st.integers(4, 30), acts=COPY_ACTS)
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


# What a front end has shown of a chat, in whatever pieces, is what is stored: each text, in
# order.
#
# A history is cut into requests: each ends with a message of the player and begins anywhere.
# Texts are stored to the byte, names apart.

SYSTEM = "You play Alice, the keeper of the Moonlight tavern, in a long story by the river."
# Texts that look like something else: each is a message, and nothing of it may be read out of it.
SHAPES = (
    "第{n}天：雨停了，渡口的灯还亮着。",
    "Day {n}: the rain has stopped, and the ferry lamp is lit.",
    "8点：他在桥上等了{n}个时辰。",
    "他说：“走吧，已经第{n}次了。”",
    "爱丽丝：你在哪？\n鲍勃：第{n}号码头。\n爱丽丝：等我。",
    "Alice: come closer, number {n}.\nBob: I will.",
    "  两个空格在前，第{n}句。  ",
    "\n\n# 第{n}章\n\n雪落在旧桥上。\n",
    "| 物品 | 数量 |\n|---|---|\n| 铜钥匙 | {n} |",
    "床前明月光{n}\n　　疑是地上霜",
    "12:30 – 12:4{n}: nothing moves on the river.",
    "```\nkey: {n}\n```",
    "She said: “go, for the {n}th time.”",
    "第{n}句话，没有什么特别。",
)
SHORT = ("嗯。", "…", "Yes.", "好")
TEXTS = st.tuples(st.integers(0, len(SHAPES) - 1), st.booleans(), st.integers(0, 3))


def history(kinds, *, begins_with_reply):
    """Return (role, text) in turn; some texts are said again and again."""
    rows = []
    for n, (shape, is_short, which) in enumerate(kinds):
        role = ("assistant", "user")[(n + (not begins_with_reply)) % 2]
        rows.append((role, SHORT[which] if is_short else SHAPES[shape].format(n=n)))
    end = [("user", "最后一问，钥匙在哪里？"), ("assistant", "在井里。")]
    return rows + (end[1:] if rows[-1][0] == "user" else end)


class Player:
    """A front end that shows pieces of one history, and the library behind it."""

    def __init__(self, folder: Path, story) -> None:
        self.memory = Memory.open(folder, clock=counting_clock(), environ={})
        set_all(self.memory, PARTS)
        self.story = story

    def ask(self, first: int, last: int, *, named: str = "") -> None:
        """Send the messages from ``first`` to ``last``; the next message is the reply."""
        said = [{"role": role, "content": text} for role, text in self.story[first : last + 1]]
        body = {"messages": [{"role": "system", "content": SYSTEM}, *said]}
        request = self.memory.serving.read(body, path_chat=named)
        identity = self.memory.serving.identify(CTX, request)
        kept = self.memory.serving.keep_request(CTX, request, identity)
        self.memory.serving.keep_reply(CTX, kept, self.story[last + 1][1])

    def stored(self) -> list[tuple[str, str]]:
        chats = self.memory.chats.all()
        assert len(chats) == 1, [chat.name for chat in chats]
        line = Line.main(chats[0].chat_id)
        assert len(self.memory.branches.all(line.chat_id)) == 1
        count = self.memory.messages.count(line)
        return [(m.role, m.text) for m in self.memory.messages.slice(line, 0, count)]


def asked_at(story, picks) -> list[int]:
    """Return positions of the player's messages that are sent, in order; always the last one."""
    able = [n for n, (role, _text) in enumerate(story[:-1]) if role == "user"]
    chosen = {able[pick % len(able)] for pick in picks}
    return sorted(chosen | {able[-1]})


@given(
    kinds=st.lists(TEXTS, min_size=3, max_size=40),
    begins_with_reply=st.booleans(),
    picks=st.lists(st.integers(0, 99), max_size=6),
    named=st.sampled_from(["", "酒馆"]),
)
@example([(0, False, 0)] * 9, False, [0, 2], "")  # headings in every message
@example([(3, False, 0)] * 9, True, [0, 2], "")  # who is quoted
@example([(0, True, 0)] * 9, True, [1, 2], "酒馆")  # one word, again and again
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_whole_histories_are_stored_as_they_are(kinds, begins_with_reply, picks, named):
    story = history(kinds, begins_with_reply=begins_with_reply)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        player = Player(Path(folder) / "library", story)
        for last in asked_at(story, picks):
            player.ask(0, last, named=named)
            assert player.stored() == story[: last + 2]
        player.memory.close()


@given(
    kinds=st.lists(st.integers(0, len(SHAPES) - 1), min_size=4, max_size=40),
    picks=st.lists(st.integers(0, 99), min_size=1, max_size=6),
    cuts=st.lists(st.integers(0, 60), min_size=8, max_size=8),
)
@example([13] * 30, [0, 3, 9], [0, 5, 0, 2, 0, 0, 0, 0])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_pieces_of_a_history_show_is_stored_in_its_place(kinds, picks, cuts):
    """Each request begins anywhere; what was never shown may be missing, nothing else."""
    story = history([(kind, False, 0) for kind in kinds], begins_with_reply=False)
    seen: set[int] = set()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        player = Player(Path(folder) / "library", story)
        for n, last in enumerate(asked_at(story, picks)):
            first = min(cuts[n % len(cuts)], max(0, last - 1))
            player.ask(first, last, named="酒馆")
            seen.update(range(first, last + 2))
            assert player.stored() == [story[at] for at in sorted(seen)]
        player.memory.close()


@pytest.mark.parametrize("named", ["", "酒馆"])
def test_five_thousand_messages_at_once_and_a_thousand_more(tmp_path, named):
    kinds = [(n % len(SHAPES), n % 7 == 0, n % 4) for n in range(6_002)]
    story = history(kinds, begins_with_reply=True)
    player = Player(tmp_path / "library", story)
    player.ask(0, 4_999, named=named)
    assert player.stored() == story[:5_001]
    player.ask(0, 5_999, named=named)
    assert player.stored() == story[:6_001]
    player.memory.close()


# Whatever is played, taken back and played again: the state is what the messages say it is.

PATH = ("affinity",)
PLAY_ACTS = (
    "send",
    "send",
    "send",
    "reroll",
    "swipe",
    "edit",
    "delete",
    "fork",
    "undo",
    "redo",
    "on",
)
MORE = (*PLAY_ACTS, "correct", "level", "hand")


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
    set_all(memory, values)
    line = memory.play.start_scripted(CTX, "headpat", "zh").line
    store = memory.session.chat(line.chat_id)
    store.branches.set_header(line.branch_id, "{}")
    with store.database.writing():  # as a chat begins: nothing takes it back
        rule = json.dumps(rule_fields(StateRule(PATH, "integer", 0, 12, initial=5)))
        store.turn_notes.put_rule("/affinity", rule)
    return memory, line


def _act(  # noqa: C901 - one case for each thing that can be done
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


@pytest.mark.timeout(300)
@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(PLAY_ACTS), min_size=8, max_size=24), st.integers(0, 10_000))
def test_the_state_is_what_the_replies_say(acts: list[str], seed: int) -> None:
    _play(acts, seed, is_told=True)


@pytest.mark.timeout(300)
@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(MORE), min_size=8, max_size=24), st.integers(0, 10_000))
def test_what_is_remembered_of_the_state_is_what_replaying_gives(
    acts: list[str], seed: int
) -> None:
    _play(acts, seed, is_told=False)
