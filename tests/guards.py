"""What no test may do unnoticed: write to the log, call the network, leave a thread or a process.

Each is on for every test (`tests/conftest.py`). A log that is meant is announced with
`@pytest.mark.logs("words of it")`, and has to come.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from typing_extensions import override

TESTS = str(Path(__file__).parent) + os.sep
PROGRAM = str(Path(__file__).parents[1] / "engram_desktop") + os.sep
OURS = ("engram_desktop", "qt")
# It writes down what a bar in the window says: that is seen, and what tests of trouble look at.
SHOWN = "engram_desktop.viewmodels.workspace.messages"
HERE = {"127.0.0.1", "::1", "localhost", "", "0.0.0.0", "None"}  # noqa: S104 - an address asked for
# A thread that was told to end may need a moment on a busy computer.
PATIENCE_S = 10.0


class CalledTheNetwork(PermissionError):
    """A test wanted to reach something that is not this computer."""


class _Watch:
    """Hears of connections and of processes. What is refused is remembered: it may be caught."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.processes: list[str] = []
        self.module: Path | None = None  # that of the test that runs
        self.shared: list[str] = []  # started for all tests of the module

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        match event:
            case "socket.connect" | "socket.sendto":
                address = arguments[1]
                if isinstance(address, tuple) and str(address[0]) not in HERE:
                    self._refuse(f"{event} {address}")
            case "socket.getaddrinfo" | "socket.gethostbyname":
                host = arguments[0]
                name = host.decode() if isinstance(host, bytes) else str(host)
                if name.endswith(".invalid"):  # RFC 2606: nobody's, so that nobody is called
                    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
                if name not in HERE:
                    self._refuse(f"{event} {name}")
            case "subprocess.Popen":
                if _is_python(arguments[0], arguments[1]) and _is_of_the_test(sys._getframe(1)):
                    self.processes.append(str(arguments[0]))

    def _refuse(self, what: str) -> None:
        self.refused.append(what)
        raise CalledTheNetwork(what)


def _is_python(executable: object, command: object) -> bool:
    words = command if isinstance(command, list | tuple) else [command]
    first = str(words[0]) if words else ""
    return sys.executable in (str(executable), first)


def _is_of_the_test(frame: FrameType | None) -> bool:
    """Whether a test started it, and not the program that it tests."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(PROGRAM):
            return False
        if file.startswith(TESTS) and file != __file__:
            return True
        frame = frame.f_back
    return False


class _Records(logging.Handler):
    """What was written to the log: warnings of ours, errors of anybody."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    @override
    def emit(self, record: logging.LogRecord) -> None:
        is_ours = record.name.split(".")[0] in OURS
        is_shown = record.name == SHOWN and record.levelno < logging.ERROR
        if (is_ours and not is_shown) or record.levelno >= logging.ERROR:
            self.texts.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(scope="session")
def watch() -> _Watch:
    """One for the whole run: such a hook cannot be taken away again."""
    made = _Watch()
    sys.addaudithook(made)
    return made


@pytest.fixture(autouse=True)
def no_network(watch: _Watch) -> Iterator[None]:
    """Nothing but this computer is called, not even in vain."""
    watch.refused.clear()
    yield
    assert not watch.refused, f"called the network: {watch.refused}"


@pytest.fixture(autouse=True)
def true_marks(request: pytest.FixtureRequest, watch: _Watch) -> Iterator[None]:
    """A test that starts Python as a process of its own says so, and only such a test.

    What a fixture of the whole module starts, before its first test, counts for each of them.
    """
    if watch.module != request.path:
        watch.module, watch.shared = request.path, list(watch.processes)
    watch.processes[:] = watch.shared
    yield
    marks = {mark.name for mark in request.node.iter_markers()} & {"e2e", "crash"}
    started = list(watch.processes)
    watch.processes.clear()
    if started:
        assert marks, f"starts a process and is not marked e2e: {started}"
    else:
        assert not marks, f"marked {marks} and starts no process"


@pytest.fixture(autouse=True)
def no_dangling_thread() -> Iterator[None]:
    """A thread that a test left running fails it; QThreads are looked at in `tests/gui`."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        # A dummy stands for a thread that Python did not start, and lives as long as the program.
        if not isinstance(thread, threading._DummyThread):
            thread.join(PATIENCE_S)
            assert not thread.is_alive(), f"still running: {thread}"


@pytest.fixture(autouse=True)
def no_stray_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning of ours or an error of anybody fails the test, unless it announced it."""
    expected = [text for mark in request.node.iter_markers("logs") for text in mark.args]
    allowed = [text for mark in request.node.iter_markers("may_log") for text in mark.args]
    records = _Records()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    root.addHandler(records)
    root.setLevel(logging.WARNING)  # a fixture of many tests may have run the command line
    yield
    root.handlers[:] = handlers  # the command line takes the log over, for its whole process
    root.setLevel(level)
    stray = [
        text for text in records.texts if not any(words in text for words in expected + allowed)
    ]
    assert not stray, f"written to the log, and not announced: {stray}"
    missing = [words for words in expected if not any(words in text for text in records.texts)]
    assert not missing, f"announced, and not written to the log: {missing}"
