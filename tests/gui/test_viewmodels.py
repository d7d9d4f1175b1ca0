"""Viewmodels: what is read after which change."""

from __future__ import annotations

import json
import re
import threading
import weakref
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel

import engram_desktop
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DatabaseClosed, NotFound, Refused
from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.reports import FailedRange, SummaryReport
from engram_desktop.jobs.context import NullContext, Progress
from engram_desktop.qtjobs.runner import JobRunner
from engram_desktop.viewmodels.chats.chat_tree import ChatTree
from engram_desktop.viewmodels.events.event_list import EventList, EventListModel
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.viewmodels.state import StateView
from engram_desktop.viewmodels.workspace.live_query import PAGE, PORTION, LiveQuery, SlowRelease
from engram_desktop.viewmodels.workspace.messages import _COUNTED, JobList, JobRow, Notice
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.workspace.workspace import Workspace
from engram_desktop.widgets.parts.cards import CardColumn
from tests.factories import model_at, set_all, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle

# What pages share, with jobs run by hand.


@pytest.fixture
def told(space):
    notices: list[Notice] = []
    space.messages.posted.connect(notices.append)
    return notices


def test_what_a_job_changed_is_published_with_its_initiator(space):
    seen = []
    space.hub.changed.connect(lambda changes, who: seen.append((changes, who)))
    changes = Changes(chat_id="x", rows=True)
    space.change("a", lambda _ctx: changes, initiator=space)
    space.change("b", lambda _ctx: SummaryReport(0, 0, 0, 0, 0, changes=changes))
    space.run("c", lambda _ctx: 3)
    space.jobs.run_pending()
    assert seen == [(changes, space), (changes, None)]


@pytest.mark.logs("A job failed")
def test_known_trouble_is_a_message_and_anything_else_a_bug(space, told):
    bugs: list[Exception] = []
    space.messages.bug_found.connect(bugs.append)

    def refuse(_ctx):
        raise Refused("invalid key", url="https://host/v1", status=401)

    def break_down(_ctx):
        raise ZeroDivisionError

    def find_it_closed(_ctx):
        raise DatabaseClosed(path="memory.db")

    space.change("a", refuse)
    space.look_up(break_down)
    space.look_up(find_it_closed)
    space.jobs.run_pending()
    assert [(n.kind, n.text) for n in told] == [
        ("error", "https://host/v1 refused the key (401): invalid key")
    ]
    assert told[0].hint
    assert [type(bug) for bug in bugs] == [ZeroDivisionError]


def test_an_answer_to_an_older_question_is_dropped(space):
    events = EventList(space)
    shown: list[Any] = []
    events.found.connect(shown.append)
    events.open(EventQuery(status="buffer"))
    events.open(EventQuery(status="archived"))
    space.jobs.run_pending()
    wanted = space.memory.events.find(space.chat_id, EventQuery(status="archived"))
    assert shown == [len(wanted)]
    assert events.model.keys() == wanted


def test_an_edit_refreshes_rows_and_resets_nothing(space):
    events = EventList(space)
    events.reload()
    space.jobs.run_pending()
    resets, changed = [], []
    events.model.modelReset.connect(lambda: resets.append(1))
    events.model.dataChanged.connect(lambda *_where: changed.append(1))
    events.rename(events.model.keys()[0], "改过的摘要。")
    space.jobs.run_pending()
    assert resets == []
    assert changed
    assert events.model.index(0).data() == "改过的摘要。"


def test_an_event_changed_while_its_list_is_read_is_shown_as_it_is_now(space):
    events = EventList(space)
    key = space.memory.events.find(space.chat_id, EventQuery())[0]

    def change(_rows):
        patch = EventPatch(summary="改过的摘要。")
        space.hub.publish(space.memory.events.update(space.chat_id, key, patch))

    space.jobs.submitted.connect(lambda job: job.succeeded.connect(change))  # before its reader
    events.reload()
    space.jobs.submitted.disconnect()
    space.jobs.run_pending()
    assert events.model.keys()[0] == key
    assert events.model.index(0).data() == "改过的摘要。"


def test_chats_are_found_by_name_and_by_character(space):
    tree = ChatTree(space, UndoActions(space, is_library=True))
    tree.load()
    space.jobs.run_pending()
    for text, count in (("月光", 1), ("爱丽丝", 1), ("没有", 0), ("", 1)):
        tree.search(text)
        assert tree.rowCount() == count, text


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(11_500, 27_940, "import"), "11,500 / 27,940 messages"),
        (Progress(2, 9, "月光酒馆"), "2 / 9 月光酒馆"),
        (Progress(2, 9), "2 / 9"),
        (Progress(3, None, "trim"), "events merged"),
        (None, ""),
    ],
)
def test_what_a_task_has_done_is_said_in_the_words_of_the_window(space, progress, text):
    assert JobList(space.jobs).done_so_far(JobRow(1, "a task", 0.0, progress)) == text


def test_every_name_a_task_counts_by_has_words():
    code = Path(engram_desktop.__file__).parent
    said = re.findall(
        r"ctx\.report\([^\n]*, \"([a-z]+)\"\)",
        "".join(file.read_text("utf-8") for file in sorted(code.rglob("*.py"))),
    )
    assert set(said) - {"move"} <= _COUNTED.keys(), "no window is open while a library moves"


def test_the_task_list_shows_titled_jobs_only_and_can_cancel_them(space):
    jobs = JobList(space.jobs)
    space.look_up(lambda _ctx: 1)
    handle = space.change("Working", lambda _ctx: None)
    assert [row.title for row in jobs.rows] == ["Working"]
    jobs.cancel(handle.job_id)
    ended = []
    handle.cancelled.connect(lambda: ended.append(1))
    space.jobs.run_pending()
    assert ended == [1]
    assert jobs.rows == ()


@pytest.mark.parametrize(
    ("progress", "elapsed", "left"),
    [
        (None, 10, None),
        (Progress(0, 10), 10, None),
        (Progress(5, None), 10, None),
        (Progress(5, 10), 1, None),
        (Progress(5, 10), 10, 10),
        (Progress(9, 10), 90, 10),
    ],
)
def test_the_time_left_is_told_when_it_can_be(progress, elapsed, left):
    row = JobRow(1, "x", started_at=100.0, progress=progress)
    assert row.seconds_left(100.0 + elapsed) == (None if left is None else pytest.approx(left))


def test_failed_blocks_are_told_with_a_way_to_see_them(space, told):
    pipeline = Pipeline(space, UndoActions(space))
    wanted: list[tuple[FailedRange, ...]] = []
    pipeline.failures_wanted.connect(wanted.append)
    failed = (FailedRange(0, 4, "prose", "当然"),)
    pipeline._on_summarised(SummaryReport(2, 10, 1, 5, 5, failed))
    assert told[0].kind == "error"
    told[0].action()
    assert wanted == [failed]


def test_a_chat_of_notices_is_told_to_be_one(space, told):
    Pipeline(space, UndoActions(space))._on_summarised(
        SummaryReport(0, 25, 0, 0, 0, failed=(), notices=25)
    )
    (notice,) = told
    assert notice.kind == "warning"
    assert "SillyTavern’s own notices" in notice.hint


def test_undo_names_the_step_it_takes_back(space):
    undo = UndoActions(space)
    undo.read()
    space.jobs.run_pending()
    newest = next(s for s in space.memory.history.steps(space.chat_id) if not s.is_undone)
    assert str(newest.label) in undo.undo_text
    undo.undo()
    space.jobs.run_pending()
    assert str(newest.label) in undo.redo_text


# A long job is seen at work: the list and the coverage follow it while it writes.


@pytest.fixture
def held():
    """A model that answers twelve blocks and then waits to be let go."""
    let_go, asked = threading.Event(), []

    def answer(body):
        asked.append(body)
        if len(asked) > 12:
            let_go.wait(60)
        return json.dumps({"events": [{"summary": f"第{len(asked)}件事，爱丽丝去了月光酒馆。"}]})

    with FakeOpenAI(answer=answer) as server:
        yield server, let_go
        let_go.set()


def test_what_a_summary_made_so_far_is_seen_while_it_runs(
    qtbot, open_desktop, empty_memory, held, tmp_path
):
    server, let_go = held
    memory = empty_memory
    values = {**model_at(server.url, "fake"), "summary.interval": 5}
    values |= {"auto.enabled": False, "review.enabled": False, "llm.parallel": 2}
    set_all(memory, values)
    memory.imports.import_file(NullContext(), write_chat(tmp_path / "长.jsonl", story_rows(120)))
    desktop = open_desktop(memory)
    window = desktop.window
    job = window.models.pipeline.summarise(None, "llm")
    finished = []
    job.finished.connect(lambda: finished.append(True))
    qtbot.waitUntil(lambda: window.models.events.counts.total >= 8, timeout=20_000)
    qtbot.waitUntil(lambda: window.event_page.view.model().rowCount() >= 8, timeout=20_000)
    assert any(state == "buffer" for _a, _b, state in window.event_page.coverage._runs)
    assert not finished, "it was seen while the job was at work"
    let_go.set()
    settle(desktop)
    assert finished


# What is read stays true while it is seen: one mechanism, tried on the real lanes.

LONG_MS = 20_000


class Source:
    """What a query reads: answers in order, each held back until its gate is open."""

    def __init__(self):
        self.asked = 0
        self.begun = []
        self.read = []
        self.shown = []
        self.forgotten = 0
        self.gates = {}
        self.faults = {}

    def hold(self, number):
        """Hold back the answer to the question of this number; return its gate."""
        self.gates[number] = threading.Event()
        return self.gates[number]

    def ask(self):
        self.asked += 1
        number = self.asked

        def work(_ctx):
            self.begun.append(number)
            if number in self.gates:
                assert self.gates[number].wait(LONG_MS / 1000)
            self.read.append(number)
            if number in self.faults:
                raise self.faults[number]
            return number

        return work

    def forget(self):
        self.forgotten += 1


@pytest.fixture
def lanes(qtbot, memory):
    """A workspace whose jobs run on threads."""
    runner = JobRunner()
    space = Workspace(memory, runner)
    space.show_chat(memory.chats.all()[0].chat_id)
    yield space
    assert runner.shutdown(5000), "a job would not stop"


@pytest.fixture
def source():
    return Source()


@pytest.fixture
def query(lanes, source):
    def concerns(changes):
        return changes.messages and changes.chat_id == lanes.chat_id

    made = LiveQuery(
        lanes, "query", source.ask, source.shown.append, concerns=concerns, forget=source.forget
    )
    yield made
    for gate in source.gates.values():
        gate.set()


@pytest.fixture
def troubles(lanes):
    notices: list[Notice] = []
    lanes.messages.posted.connect(notices.append)
    return notices


def rest(qtbot, space):
    qtbot.waitUntil(lambda: space.jobs.is_idle, timeout=LONG_MS)


def test_a_stale_answer_changes_nothing_of_the_state_page(space):
    """The chat was closed while its state was read; the floor of another chat is not ours."""
    view = StateView(space)
    view.set_active(True)
    space.show_chat("")
    space.jobs.run_pending()
    assert view.last == -1


def test_an_older_answer_that_comes_late_is_dropped(qtbot, lanes, query, source):
    """The two are read on lanes of their own, so that the second really answers first."""
    gate = source.hold(1)
    query.lane = "follow"
    query.read()
    qtbot.waitUntil(lambda: source.begun == [1], timeout=LONG_MS)  # else it is never read at all
    query.lane = "interactive"
    query.read()
    qtbot.waitUntil(lambda: source.shown == [2], timeout=LONG_MS)
    gate.set()
    rest(qtbot, lanes)
    assert source.read == [2, 1]
    assert source.shown == [2]


def test_a_row_that_reads_otherwise_is_read_alone(space):
    events, read = space.memory.events, []

    def fetch(keys):
        read.append(list(keys))
        return events.fetch(space.chat_id, keys)

    keys = events.find(space.chat_id, EventQuery())
    model = EventListModel(fetch)
    model.set_keys(keys)

    def are_locked():
        rows = [model.row_at(n) for n in range(4)]
        return [row.is_locked for row in rows if row is not None]

    assert not any(are_locked())
    assert read == [list(keys[:PAGE])]
    read.clear()
    events.set_locked(NullContext(), space.chat_id, [keys[1], keys[2]], locked=True)
    model.refresh([keys[1], keys[2]])
    assert not read  # until somebody looks
    assert are_locked() == [False, True, True, False]
    assert [sorted(one) for one in read] == [sorted(keys[1:3])]
    model.refresh()
    assert are_locked() == [False, True, True, False]
    assert len(read) == 2


def test_an_older_question_that_still_waits_is_never_read(qtbot, lanes, query, source):
    gate = threading.Event()
    lanes.look_up(lambda _ctx: gate.wait(LONG_MS / 1000))
    for _ in range(5):
        query.read()
    gate.set()
    rest(qtbot, lanes)
    assert (source.read, source.shown) == ([5], [5])


def test_what_was_missed_is_read_once_when_it_is_seen_again(qtbot, lanes, query, source):
    query.read()
    rest(qtbot, lanes)
    query.set_active(False)
    query.set_active(True)
    rest(qtbot, lanes)
    assert source.shown == [1]  # nothing was missed
    query.set_active(False)
    for _ in range(3):
        lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
    query.read()
    rest(qtbot, lanes)
    assert source.asked == 1
    query.set_active(True)
    rest(qtbot, lanes)
    assert source.shown == [1, 2]


def test_what_is_hidden_while_it_is_read_is_not_shown_and_read_again(qtbot, lanes, query, source):
    gate = source.hold(1)
    query.read()
    query.set_active(False)
    gate.set()
    rest(qtbot, lanes)
    assert source.shown == []
    assert not query.is_busy
    query.set_active(True)
    rest(qtbot, lanes)
    assert source.shown == [2]


def test_another_chat_ends_what_is_read_of_the_one_before(qtbot, lanes, query, source):
    gate = source.hold(1)
    query.read()
    lanes.show_chat("")
    gate.set()
    rest(qtbot, lanes)
    assert source.shown == [2]
    assert source.forgotten == 1


def test_nothing_to_read_ends_what_is_read(qtbot, lanes, source):
    wanted = [True]
    query = LiveQuery(
        lanes,
        "query",
        lambda: source.ask() if wanted[0] else None,
        source.shown.append,
        concerns=lambda _changes: True,
    )
    gate = source.hold(1)
    query.read()
    wanted[0] = False
    query.read()
    gate.set()
    rest(qtbot, lanes)
    assert source.shown == []
    assert not query.is_busy


def test_a_hidden_page_that_read_nothing_since_does_not_forget_again(qtbot, lanes, source):
    forgotten: list[int | None] = []
    query = LiveQuery(
        lanes,
        "query",
        source.ask,
        source.shown.append,
        concerns=lambda _changes: True,
        forget=lambda: forgotten.append(lanes.at),
    )
    query.forgets_once = True
    chat = lanes.chat_id
    query.read()
    query.set_active(False)
    for shown in ("", chat, ""):
        lanes.show_chat(shown)
    assert forgotten == [None]
    lanes.show_chat(chat)
    lanes.view_at(3)  # what it shows nothing of is another floor
    assert forgotten == [None, 3]
    query.set_active(True)
    rest(qtbot, lanes)
    query.set_active(False)
    lanes.view_at(None)
    assert forgotten == [None, 3, None]
    query.set_active(True)
    rest(qtbot, lanes)
    assert len(source.shown) == 2


def test_trouble_is_told_once_until_it_is_over(qtbot, lanes, query, source, troubles):
    source.faults = dict.fromkeys((1, 2, 4), NotFound("chat", "x"))
    query.read()
    rest(qtbot, lanes)
    lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
    rest(qtbot, lanes)
    assert len(troubles) == 1
    for _ in range(2):  # one that is answered, and the same trouble again
        lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
        rest(qtbot, lanes)
    assert (source.shown, len(troubles)) == ([3], 2)
    query.set_active(False)
    query.set_active(True)  # what could not be read is tried again
    rest(qtbot, lanes)
    assert source.shown == [3, 5]


def test_trouble_of_an_older_question_is_not_told(qtbot, lanes, query, source, troubles):
    gate = source.hold(1)
    source.faults = {1: NotFound("chat", "x")}
    query.read()
    query.lane = "follow"
    query.read()
    gate.set()
    rest(qtbot, lanes)
    assert (source.shown, troubles) == ([2], [])


def test_changes_that_do_not_concern_it_wake_nobody(qtbot, lanes, query, source):
    query.read()
    rest(qtbot, lanes)
    lanes.hub.publish(Changes(chat_id=lanes.chat_id, settings=True))
    lanes.hub.publish(Changes(chat_id="another", messages=True))
    assert not query.is_busy
    assert source.asked == 1


def test_a_change_of_its_own_is_not_followed(qtbot, lanes, source):
    page = QObject()
    query = LiveQuery(
        lanes, "q", source.ask, source.shown.append, concerns=lambda _c: True, parent=page
    )
    lanes.hub.publish(Changes(chat_id=lanes.chat_id), page)
    was_busy = [query.is_busy]
    lanes.hub.publish(Changes(chat_id=lanes.chat_id), lanes)
    was_busy.append(query.is_busy)
    assert was_busy == [False, True]
    rest(qtbot, lanes)


def test_however_often_it_changes_it_is_shown(qtbot, lanes, query, source):
    """A change does not take the place of a read: it is read once more, when that is shown."""
    gate = source.hold(1)
    query.read()
    for _ in range(20):
        lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
    gate.set()
    rest(qtbot, lanes)
    assert source.shown == [1, 2]


def test_changes_are_let_settle(qtbot, lanes, query, source):
    query.settle_ms = 50
    for _ in range(3):
        lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
        assert not query.is_busy
    qtbot.waitUntil(lambda: source.shown == [1], timeout=LONG_MS)


def test_a_search_waits_for_a_pause(qtbot, query, source):
    for _ in range(3):
        query.read_soon()
    assert not query.is_busy
    qtbot.waitUntil(lambda: source.shown == [1], timeout=LONG_MS)


def test_closed_while_it_reads_shows_nothing(qtbot, lanes, query, source, troubles):
    gate = source.hold(1)
    source.faults = {1: NotFound("chat", "x")}
    query.read()
    shiboken6.delete(query)
    gate.set()
    rest(qtbot, lanes)
    assert (source.read, source.shown, troubles) == ([1], [], [])


def test_it_says_whether_it_reads(qtbot, lanes, query):
    said: list[bool] = []
    query.busy_changed.connect(said.append)
    query.read()
    query.read()
    rest(qtbot, lanes)
    query.read()
    query.set_active(False)
    rest(qtbot, lanes)
    assert said == [True, False, True, False]


# Rows that are shown no more.


def test_many_rows_are_freed_a_portion_in_each_turn(qtbot):
    class Row:
        pass

    rows = [Row() for _ in range(3 * PORTION)]
    alive, release = weakref.WeakSet(rows), SlowRelease()
    release.take(rows)
    rows.clear()
    assert len(alive) == 3 * PORTION
    release._free_some()
    assert len(alive) == 2 * PORTION
    qtbot.waitUntil(lambda: not alive)
    assert not release._turn.isActive()


def test_cards_of_before_hold_the_window_no_longer_than_a_portion(qtbot):
    class Row:
        pass

    cards, rows = CardColumn(first=1), [Row() for _ in range(3 * PORTION)]
    qtbot.addWidget(cards)
    alive = weakref.WeakSet(rows)
    cards.show_cards([partial(lambda _row: QLabel("a"), row) for row in rows])
    rows.clear()
    cards.show_cards([])
    assert len(alive) >= 2 * PORTION
    qtbot.waitUntil(lambda: not alive)
