"""Before there is a window: errors in the user's language, a library in use, a stale lock."""

from __future__ import annotations

import json
import socket
import sqlite3

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from engram_desktop.app.opening import BusyBox, kept_language, open_library
from engram_desktop.app.start import build
from engram_desktop.services.memory import Memory

ENDED = 2**22 + 1  # the id of no process: beyond the highest that Linux gives


@pytest.fixture
def box(qapp):
    """Do something with the box that comes; what it says is kept."""
    told: list[str] = []
    timers: list[QTimer] = []

    def when_it_comes(act):
        def look():
            shown = QApplication.activeModalWidget()
            if isinstance(shown, QMessageBox):
                timer.stop()
                told.append(f"{shown.text()}\n{shown.informativeText()}")
                act(shown)

        timer = QTimer(qapp, interval=20)
        timer.timeout.connect(look)
        timer.start()
        timers.append(timer)
        return told

    yield when_it_comes
    for timer in timers:
        timer.stop()


def hold(library):
    return Memory.open(library, program="engram import", environ={})


def test_a_library_in_use_is_waited_for_and_opened_when_it_is_let_go(qapp, library, box):
    holder = hold(library)
    told = box(lambda shown: (QTimer.singleShot(200, shown, holder.close), shown))
    memory = open_library(qapp, library, asks=True, language="zh_CN")
    assert memory is not None
    assert len(memory.chats.all()) == 1
    memory.close()
    assert "engram import（进程" in told[0]
    assert socket.gethostname() in told[0]
    assert "，自 20" in told[0], "since when"
    assert "放开后" in told[0]


def test_who_does_not_wait_is_told_no_more(qapp, library, box, capsys):
    holder = hold(library)
    box(lambda shown: shown.cancel_button.click())
    assert open_library(qapp, library, asks=True, language="en") is None
    holder.close()
    assert capsys.readouterr().err == ""


def test_a_lock_that_was_left_behind_can_be_taken_anyway(qapp, library, box):
    holder = hold(library)
    here = json.loads((library / "library.lock.json").read_text("utf-8"))
    told_of = here | {"host": "elsewhere", "pid": ENDED}
    (library / "library.lock.json").write_text(json.dumps(told_of), "utf-8")
    told = box(lambda shown: shown.anyway_button.click())
    memory = open_library(qapp, library, asks=True, language="en")
    assert memory is not None
    assert memory.can_write
    assert "on elsewhere, since" in told[0]
    assert "can be opened anyway" in told[0]
    memory.close()
    holder.close()


def test_the_lock_of_a_program_that_runs_is_never_taken(qapp, library, box):
    holder = hold(library)
    shown_buttons = []

    def look(shown):
        assert isinstance(shown, BusyBox)
        shown_buttons.append(shown.anyway_button.isVisible())
        shown.cancel_button.click()

    box(look)
    assert open_library(qapp, library, asks=True, language="en") is None
    assert shown_buttons == [False]
    holder.close()


def test_without_a_user_nobody_is_asked(qapp, library, capsys):
    holder = hold(library)
    assert open_library(qapp, library, asks=False, language="zh_CN") is None
    assert "正被 engram import" in capsys.readouterr().err
    holder.close()


def test_a_newer_library_is_refused_in_the_language_that_was_chosen_in_it(
    qapp, memory, library, box
):
    memory.settings.set("ui.language", "zh_CN")
    desktop = build(qapp, memory, library)
    assert desktop.close(5000)
    desktop.deleteLater()
    assert kept_language(library) == "zh_CN"
    memory.close()
    with sqlite3.connect(library / "library.db") as database:
        database.execute("PRAGMA user_version = 9999")
    database.close()
    told = box(lambda shown: shown.accept())
    assert open_library(qapp, library, asks=True) is None
    assert "更新版本的 Engram" in told[0]
    assert "Update Engram" not in told[0]


def test_a_folder_that_cannot_be_written_is_refused_in_chinese(qapp, tmp_path, box):
    folder = tmp_path / "文件"
    folder.write_text("no folder", "utf-8")
    told = box(lambda shown: shown.accept())
    assert open_library(qapp, folder, asks=True, language="zh_CN") is None
    assert str(folder) in told[0]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in told[0].replace(str(folder), ""))
