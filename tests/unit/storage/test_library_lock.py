"""Who may write a library: one process at a time, and nobody for long after its end."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engram_desktop.domain.errors import LibraryBusy
from engram_desktop.storage.library.library_lock import LET_GO_S, LibraryLock

# Takes the lock, starts a process that holds it as one does between fork and exec, and is killed.
VICTIM = """
import os, signal, sys, time
from pathlib import Path
from engram_desktop.storage.library.library_lock import LibraryLock
lock = LibraryLock(Path(sys.argv[1]))
lock.acquire("victim")
if os.fork() == 0:
    time.sleep(float(sys.argv[2]))
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_library_that_is_held_says_by_whom(tmp_path):
    holder = LibraryLock(tmp_path)
    holder.acquire("the window")
    with pytest.raises(LibraryBusy, match="the window"):
        LibraryLock(tmp_path).acquire("another")
    holder.release()
    other = LibraryLock(tmp_path)
    other.acquire("another")
    assert other.is_held
    other.release()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork, and no lock is inherited")
@pytest.mark.e2e
def test_what_a_killed_process_was_starting_does_not_keep_the_library(tmp_path):
    subprocess.run([sys.executable, "-c", VICTIM, str(tmp_path), str(2 * LET_GO_S)], check=False)
    lock = LibraryLock(tmp_path)
    lock.acquire("the next")
    assert lock.is_held
    lock.release()
