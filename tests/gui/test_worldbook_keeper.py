"""Kept worldbooks follow memory on their own: once for many changes, and after a rest."""

import threading

import pytest

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.worldbooks.merging import KeptReport, KeptWorldbook
from engram_desktop.qtjobs.live_changes import ChangeHub
from engram_desktop.qtjobs.quiet_job import WorldbookKeeper
from engram_desktop.qtjobs.runner import JobRunner

DONE = KeptReport(KeptWorldbook("x", "a", "main"), is_written=True)


class Library:
    """The methods of the facade the keeper asks for."""

    can_write = True

    is_safe = False

    def __init__(self):
        self.asked = []
        self.kept = self
        self.answer = [DONE]
        self.trouble = None
        self.gate = threading.Event()
        self.gate.set()

    def sync(self, _ctx, chat_id=None):
        self.asked.append(chat_id)
        assert self.gate.wait(10)
        if self.trouble is not None:
            raise self.trouble
        return self.answer


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
    made = WorldbookKeeper(library, runner, hub)
    made._pause.setInterval(1)
    return made


def test_many_changes_are_one_sync(qtbot, keeper, library, hub):
    with qtbot.waitSignal(keeper.synced, timeout=20_000) as told:
        for _ in range(5):
            hub.publish(Changes(chat_id="a", rows=True))
    assert told.args == [[DONE]]
    assert library.asked == ["a"]


@pytest.mark.parametrize(
    "changes", [Changes(settings=True), Changes(chat_id="a", logs=True), Changes(worldbooks=True)]
)
def test_what_does_not_concern_memory_starts_nothing(qtbot, keeper, changes, hub):
    hub.publish(changes)
    assert not keeper._pause.isActive()


def test_a_change_meanwhile_is_synced_afterwards(qtbot, keeper, library, hub, runner):
    library.gate.clear()
    keeper.look()
    qtbot.waitUntil(lambda: library.asked == [None], timeout=20_000)
    hub.publish(Changes(chat_id="b", events=frozenset({1}), texts=True))
    library.gate.set()
    qtbot.waitUntil(lambda: library.asked == [None, "b"], timeout=30_000)
    qtbot.waitUntil(lambda: runner.is_idle, timeout=20_000)


def test_trouble_is_told_once_and_nothing_new_is_not_told(qtbot, keeper, library, hub, runner):
    told: list[Exception] = []
    seen: list[object] = []
    keeper.failed.connect(told.append)
    keeper.synced.connect(seen.append)
    library.trouble = StorageError("full")
    for count in (1, 2):
        keeper._pause.setInterval(1)
        hub.publish(Changes(chat_id="a", rows=True))
        qtbot.waitUntil(lambda n=count: len(library.asked) == n and runner.is_idle, timeout=20_000)
    assert len(told) == 1
    library.trouble, library.answer = None, [KeptReport(DONE.worldbook)]
    keeper._pause.setInterval(1)
    keeper.look()
    qtbot.waitUntil(lambda: len(library.asked) == 3 and runner.is_idle, timeout=20_000)
    assert seen == []


def test_without_the_lock_nothing_is_written(qtbot, keeper, library, hub):
    library.can_write = False
    hub.publish(Changes(chat_id="a", rows=True))
    qtbot.waitUntil(lambda: not keeper._pause.isActive(), timeout=20_000)
    assert library.asked == []
