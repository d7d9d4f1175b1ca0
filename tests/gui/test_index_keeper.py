"""The index is brought up to date on its own, and never in the user's way."""

import threading

import pytest

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Unreachable
from engram_desktop.qtjobs.live_changes import ChangeHub
from engram_desktop.qtjobs.quiet_job import IndexKeeper
from engram_desktop.qtjobs.runner import JobRunner


class Library:
    """The two methods of the facade the keeper asks for."""

    is_safe = False

    def __init__(self):
        self.asked = []
        self.index = self.knowledge = self
        self.is_due = False
        self.trouble = None
        self.waits = False
        self.started = threading.Event()

    def derive(self, ctx, chat_id):
        self.is_due, was_due = False, self.is_due
        return was_due

    def update(self, ctx, chat_id):
        self.asked.append(chat_id)
        if self.trouble is not None:
            raise self.trouble
        if self.waits:
            stopped = threading.Event()
            ctx.on_cancel(stopped.set)
            self.started.set()
            stopped.wait(10)
            ctx.check()
        return 3


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def runner(qtbot):
    made = JobRunner()
    yield made
    assert made.shutdown(2000)


@pytest.fixture
def hub(qtbot):
    return ChangeHub()


@pytest.fixture
def keeper(library, runner, hub):
    made = IndexKeeper(library, runner, hub)
    made._pause.setInterval(1)
    return made


def test_a_change_updates_the_index_once(qtbot, keeper, library, runner, hub):
    told: list[Exception] = []
    hub.changed.connect(lambda changes, who: told.append(who))
    for _ in range(3):
        hub.publish(Changes(chat_id="a", events=frozenset({1}), texts=True))
    qtbot.waitUntil(lambda: told.count(keeper) == 1)
    assert library.asked == ["a"]


def test_what_is_no_memory_is_left_alone(qtbot, keeper, library, hub):
    hub.publish(Changes(settings=True))
    hub.publish(Changes(chat_id="a", library=True))
    hub.publish(Changes(chat_id="a", events=frozenset({1})))  # locked, say
    assert not keeper._pause.isActive()


def test_the_users_job_stops_it_and_it_goes_on_afterwards(qtbot, keeper, library, runner, hub):
    library.waits = True
    keeper.watch("a")
    qtbot.waitUntil(library.started.is_set)
    job = runner.submit("Consolidating", lambda _ctx: None, lane="network")
    with qtbot.waitSignal(job.finished, timeout=20_000):
        library.waits = False
    qtbot.waitUntil(lambda: library.asked == ["a", "a"])
    qtbot.waitUntil(lambda: runner.is_idle)


def test_an_edit_does_not_stop_it(qtbot, keeper, library, runner, hub):
    library.waits = True
    keeper.watch("a")
    qtbot.waitUntil(library.started.is_set)
    with qtbot.waitSignal(runner.submit("Saving", lambda _ctx: None).finished, timeout=20_000):
        pass
    assert library.asked == ["a"]
    assert not runner.is_idle


def test_the_same_trouble_is_told_once(qtbot, keeper, library, runner, hub):
    library.trouble = Unreachable("refused", url="http://h/v1")
    told: list[Exception] = []
    keeper.failed.connect(told.append)
    for count in (1, 2):
        keeper.watch("a")
        qtbot.waitUntil(lambda c=count: len(library.asked) == c and runner.is_idle)
    assert len(told) == 1


def test_other_settings_concern_every_chat_that_was_open(qtbot, keeper, library, runner, hub):
    for chat in ("a", "b"):
        keeper.watch(chat)
    qtbot.waitUntil(lambda: sorted(library.asked) == ["a", "b"] and runner.is_idle)
    hub.publish(Changes(settings=True))
    qtbot.waitUntil(lambda: sorted(library.asked) == ["a", "a", "b", "b"] and runner.is_idle)


def test_what_somebody_hears_gets_its_vectors_too(qtbot, keeper, library, hub):
    library.is_due = True
    hub.publish(Changes(chat_id="a", messages=True))
    qtbot.waitUntil(lambda: library.asked == ["a", "a"])
