"""What is read stays true while it is seen: one mechanism, tried on the real lanes."""

from __future__ import annotations

import threading

import pytest
import shiboken6
from PySide6.QtCore import QObject

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import NotFound
from engram_desktop.qtjobs.runner import JobRunner
from engram_desktop.viewmodels.state import StateView
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.viewmodels.workspace.workspace import Workspace

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
def told(lanes):
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


def test_trouble_is_told_once_until_it_is_over(qtbot, lanes, query, source, told):
    source.faults = dict.fromkeys((1, 2, 4), NotFound("chat", "x"))
    query.read()
    rest(qtbot, lanes)
    lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
    rest(qtbot, lanes)
    assert len(told) == 1
    for _ in range(2):  # one that is answered, and the same trouble again
        lanes.hub.publish(Changes(chat_id=lanes.chat_id, messages=True))
        rest(qtbot, lanes)
    assert (source.shown, len(told)) == ([3], 2)
    query.set_active(False)
    query.set_active(True)  # what could not be read is tried again
    rest(qtbot, lanes)
    assert source.shown == [3, 5]


def test_trouble_of_an_older_question_is_not_told(qtbot, lanes, query, source, told):
    gate = source.hold(1)
    source.faults = {1: NotFound("chat", "x")}
    query.read()
    query.lane = "follow"
    query.read()
    gate.set()
    rest(qtbot, lanes)
    assert (source.shown, told) == ([2], [])


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


def test_a_search_waits_for_a_pause(qtbot, lanes, query, source):
    for _ in range(3):
        query.read_soon()
    assert not query.is_busy
    qtbot.waitUntil(lambda: source.shown == [1], timeout=LONG_MS)


def test_closed_while_it_reads_shows_nothing(qtbot, lanes, query, source, told):
    gate = source.hold(1)
    source.faults = {1: NotFound("chat", "x")}
    query.read()
    shiboken6.delete(query)
    gate.set()
    rest(qtbot, lanes)
    assert (source.read, source.shown, told) == ([1], [], [])


def test_it_says_whether_it_reads(qtbot, lanes, query, source):
    said: list[bool] = []
    query.busy_changed.connect(said.append)
    query.read()
    query.read()
    rest(qtbot, lanes)
    query.read()
    query.set_active(False)
    rest(qtbot, lanes)
    assert said == [True, False, True, False]
