"""Several libraries: which is open, those opened last, and a program carried about with its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from engram_desktop.app.opening import RecentLibraries
from engram_desktop.cli.places import PORTABLE, default_library, portable_dir
from engram_desktop.widgets.window.top_bar import LibraryMenu
from tests.gui.waiting import settle


@pytest.mark.logs("the list of libraries")
def test_the_last_ones_are_listed_and_a_broken_list_is_none(tmp_path):
    recent = RecentLibraries(tmp_path / "a" / "libraries.json")
    assert recent.read() == []
    for name in [*"abcdefghijklm", "b"]:
        recent.note(tmp_path / name)
    assert [path.name for path in recent.read()] == list("bmlkjihgfe")
    (tmp_path / "a" / "libraries.json").write_text("{", "utf-8")
    assert recent.read() == []
    recent.note(tmp_path / "x")
    assert [path.name for path in recent.read()] == ["x"]


@pytest.mark.logs("the list of libraries")
def test_a_list_that_cannot_be_written_stops_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    RecentLibraries(tmp_path / "file" / "libraries.json").note(tmp_path)


def test_a_folder_beside_the_program_holds_everything(tmp_path):
    program = str(tmp_path / "Engram.exe")
    assert portable_dir(program) is None
    (tmp_path / PORTABLE).mkdir()
    assert portable_dir(program) == tmp_path / PORTABLE
    assert default_library({"ENGRAM_LIBRARY": str(tmp_path / "b")}) == tmp_path / "b"


@pytest.fixture
def menu(qtbot, desktop, tmp_path):
    (tmp_path / "there").mkdir()
    paths = [desktop._library, tmp_path / "there", tmp_path / "gone & away"]
    made = LibraryMenu(
        desktop.look, desktop.workspace, desktop._library, lambda: paths, desktop.window
    )
    made.aboutToShow.emit()
    settle(qtbot, desktop)
    return made


def texts(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_the_menu_marks_what_is_gone_and_opens_what_is_there(qtbot, menu, tmp_path):
    actions = [a for a in menu.actions() if not a.isSeparator()]
    here, _folder, _move, there, gone, _other, _guide, _mode = actions
    assert (here.isEnabled(), there.isEnabled(), gone.isEnabled()) == (False, True, False)
    assert "not there" in gone.text()
    assert "&&" in gone.text(), "no key of a menu is made of a name"
    with qtbot.waitSignal(menu.library_wanted) as wanted:
        there.trigger()
    assert wanted.args == [tmp_path / "there"]


def test_a_new_library_never_lies_between_other_files(qtbot, menu, tmp_path, monkeypatch):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("x")
    for folder, opened in (("there", "there"), ("full", "full/Engram")):
        monkeypatch.setattr(
            QFileDialog, "getExistingDirectory", lambda *_a, f=folder: str(tmp_path / f)
        )
        with qtbot.waitSignal(menu.library_wanted) as wanted:
            next(a for a in menu.actions() if a.text().startswith("Open or begin")).trigger()
        assert wanted.args == [tmp_path / opened]


@pytest.mark.e2e
def test_another_library_is_opened_in_the_place_of_this_one(tmp_path):
    steps = """
import sys, threading
from pathlib import Path
from PySide6.QtCore import QTimer
from engram_desktop.app import entry, start
other = Path(sys.argv.pop())
seen = []
session = start.Session.begin
def begin(self, files, crash):
    session(self, files, crash)
    seen.append(self._library.name)
    if len(seen) == 1:
        QTimer.singleShot(300, lambda: self.desktop.library_wanted.emit(other))
    else:
        QTimer.singleShot(300, self.desktop.window.close)
start.Session.begin = begin
code = entry.run()
print(",".join(seen))
sys.exit(code)
"""
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    environ |= {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", steps, "--library", str(tmp_path / "one"), str(tmp_path / "two")],
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "one,two"), done.stderr
    rows = json.loads((tmp_path / "Engram" / "libraries.json").read_text("utf-8"))
    assert [Path(row).name for row in rows] == ["two", "one"]
