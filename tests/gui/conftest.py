"""A real library with the bundled story, and the real window on it."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path

import pytest
import shiboken6
from filelock import FileLock
from PySide6.QtCore import QCoreApplication, QEvent, QThread

from engram_desktop.app.start import build
from engram_desktop.domain.write_access import WINDOW
from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs.live_changes import ChangeHub
from engram_desktop.qtjobs.runner import JobRunner
from engram_desktop.services.demo import run_demo
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.workspace import Workspace
from tests.gui.waiting import DEMO, settle
from tests.inline_runner import InlineRunner


@pytest.fixture(autouse=True)
def no_dangling_threads(monkeypatch):
    """A QThread left running fails the test that started it."""
    started: list[QThread] = []
    real = QThread.start

    def start(self, *args):
        started.append(self)
        real(self, *args)

    monkeypatch.setattr(QThread, "start", start)
    yield
    alive = [thread for thread in started if shiboken6.isValid(thread)]
    left = [thread.objectName() for thread in alive if thread.isRunning()]
    for thread in alive:
        thread.quit()
        thread.wait(2000)
    assert not left, f"threads still running: {left}"


@pytest.fixture(autouse=True, scope="module")
def nothing_left_for_other_threads():
    """Free what hangs together in cycles here: a server's thread must not free widgets.

    The last window to close looks through everything again (`GarbageKeeper.stop`): what is left
    now stays for good.
    """
    yield
    gc.collect()
    gc.freeze()


def use_plain_parts(memory):
    """No keyring and no child process: a test computer may have neither. Holds from reopening."""
    memory.settings.set("index.backend", "exact")
    memory.session.library.set_setting("keys.storage", "session")


@pytest.fixture(scope="session")
def finished_demo(tmp_path_factory):
    """The demo's library, made once for all workers, closed. Tests copy it."""
    if DEMO in os.environ:
        return Path(os.environ[DEMO])
    here = tmp_path_factory.getbasetemp()
    place = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here
    folder, made = place / "demo" / "资料 库", place / "demo is made"
    with FileLock(place / "demo.lock"):
        if not made.exists():
            memory = Memory.open(folder, environ={})
            use_plain_parts(memory)
            run_demo(memory, NullContext())
            memory.close()
            made.touch()
    return folder


@pytest.fixture
def library(finished_demo, tmp_path):
    """A copy of the demo's library for one test."""
    return shutil.copytree(finished_demo, tmp_path / "资料 库")


@pytest.fixture
def open_memory(tmp_path):
    """Open libraries; every one is closed, after the windows that show them (`open_desktop`).

    They lie in ``tmp_path`` mostly, which must not go before them.
    """
    opened = []
    assert tmp_path.is_dir()

    def make(folder):
        opened.append(Memory.open(folder, environ={}, access=WINDOW))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(library, open_memory):
    return open_memory(library)


@pytest.fixture
def empty_memory(tmp_path, open_memory):
    first = Memory.open(tmp_path / "empty", environ={})
    use_plain_parts(first)
    first.close()
    return open_memory(tmp_path / "empty")


@pytest.fixture
def hub():
    return ChangeHub()


@pytest.fixture
def runner():
    made = JobRunner()
    yield made
    assert made.shutdown(2000)


@pytest.fixture
def space(qtbot, memory):
    """The shared part of the viewmodels, with jobs run by hand: ``space.jobs.run_pending()``."""
    shared = Workspace(memory, InlineRunner())
    shared.show_chat(memory.chats.all()[0].chat_id)
    return shared


@pytest.fixture
def open_desktop(qtbot, qapp, open_memory):
    """Open windows; every one is closed and its threads are joined, before any library is."""
    del open_memory  # asked for so that it ends later
    opened = []

    def make(memory, **options):
        desktop = build(
            qapp, memory, memory.folder, **{"language": "en", "theme": "light"} | options
        )
        opened.append(desktop)
        desktop.window.show()
        desktop.look.watch()  # a run of the program does when it was painted
        settle(desktop)
        assert desktop.window.models.chats.is_loaded
        return desktop

    yield make
    for desktop in opened:
        assert desktop.close(5000), "a job would not stop"
        desktop.deleteLater()
    # At once: the next window would style all of this one too, which takes as long as building it.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def desktop(open_desktop, memory):
    return open_desktop(memory)
