"""Start a process that works on a library, and kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat, make_event, make_message
from tests.programs import ROOT


def kill(pid: int) -> None:
    """End a process at once; Windows knows no SIGKILL, its SIGTERM is one."""
    os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


class Victim(subprocess.Popen[str]):
    """A process that works on a library and says, line by line, what it has done."""

    def __init__(self, job: str, folder: Path) -> None:
        super().__init__(
            [sys.executable, "-m", "tests.crash.victim", job, str(folder)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.says() == "ready\n"

    def says(self) -> str:
        """Wait for its next line; empty where it has ended."""
        assert self.stdout is not None
        return self.stdout.readline()

    def die(self) -> list[str]:
        """Kill it; return what else it had said."""
        kill(self.pid)
        assert self.stdout is not None
        with self.stdout as said:
            rest = said.readlines()
        self.wait()
        return rest


def make_library(folder: Path, events: int, messages: int) -> str:
    library = Library(folder, counting_clock(), program="test")
    store = make_chat(library, "试验")
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(messages)])
        store.events.add([make_event(f"第{n}件事", n, n) for n in range(events)], 1)
    library.close()
    return store.chat_id
