"""A library that does not open: the user is asked, and a run without a user asks nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from engram_desktop.app.opening import open_library
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory

pytestmark = pytest.mark.gui
ROOT = Path(__file__).parents[2]


@pytest.fixture
def damaged(library):
    """A library of which nothing but a backup is left whole."""
    memory = Memory.open(library, environ={})
    memory.backups.make(NullContext())
    memory.close()
    for name in ("library.db-wal", "library.db-shm"):
        (library / name).unlink(missing_ok=True)
    (library / "library.db").write_bytes(b"not a database at all" * 500)
    return library


@pytest.fixture
def answer(qapp):
    """Press buttons of the boxes that come, one after another; ``told`` keeps what they say."""
    told = []

    def press(*buttons):
        def look():
            box = QApplication.activeModalWidget()
            if isinstance(box, QMessageBox):
                told.append((box.text(), box.informativeText()))
                box.button(waiting.pop(0)).click()
            if not waiting:
                timer.stop()

        waiting = list(buttons)
        timer = QTimer(qapp, interval=20)
        timer.timeout.connect(look)
        timer.start()
        return told

    return press


def test_the_newest_backup_is_offered_and_taken(qapp, damaged, answer):
    told = answer(QMessageBox.StandardButton.Yes)
    memory = open_library(qapp, damaged, asks=True)
    assert memory is not None
    assert len(memory.chats.all()) == 1
    memory.close()
    assert "Restore the backup of" in told[0][1]


def test_who_wants_no_backup_is_told_what_is_wrong(qapp, damaged, answer, capsys):
    told = answer(QMessageBox.StandardButton.No, QMessageBox.StandardButton.Ok)
    assert open_library(qapp, damaged, asks=True) is None
    assert len(told) == 2
    assert told[1][0] in capsys.readouterr().err
    assert (damaged / "library.db").read_bytes().startswith(b"not a database")


@pytest.mark.e2e
def test_a_run_that_takes_a_picture_asks_nobody(damaged, tmp_path):
    picture = tmp_path / "window.png"
    entry = "import sys; from engram_desktop.app.entry import run; sys.exit(run())"
    places = ("HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    done = subprocess.run(
        [sys.executable, "-c", entry, "--library", damaged, "--screenshot", picture],
        cwd=ROOT,
        env=os.environ | dict.fromkeys(places, str(tmp_path / "home")),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "library.db" in done.stderr
    assert not picture.exists()
