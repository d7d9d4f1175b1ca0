"""Start a process that works on a library, and kill it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat, make_event, make_message


def kill(pid: int) -> None:
    """End a process at once; Windows knows no SIGKILL, its SIGTERM is one."""
    os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def start(job: str, folder: Path) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    victim = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.victim", job, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert victim.stdout is not None
    assert victim.stdout.readline() == "ready\n"
    return victim


def make_library(folder: Path, events: int, messages: int) -> str:
    library = Library(folder, counting_clock(), program="test")
    store = make_chat(library, "试验")
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(messages)])
        store.events.add([make_event(f"第{n}件事", n, n) for n in range(events)], 1)
    library.close()
    return store.chat_id
