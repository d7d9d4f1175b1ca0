"""A library: opened, damaged, moved, cared for."""

from __future__ import annotations

import ast
import json
import os
import socket
import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from engram_desktop.app.moving_library import move_library
from engram_desktop.app.moving_library import new_place_text as moves
from engram_desktop.app.opening import BusyBox, RecentLibraries, kept_language, open_library
from engram_desktop.app.start import build
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import PORTABLE, default_library, portable_dir
from engram_desktop.services.library.backups import found_in
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library.library import Library
from engram_desktop.widgets.library_health import HealthDialog, RestoreDialog
from engram_desktop.widgets.window.top_bar import LibraryMenu
from tests.factories import counting_clock, import_chat, make_chat
from tests.gui.sessions import running_session
from tests.gui.waiting import click, opened_by, press_key, resize, run_out, settle, show_chat, write
from tests.programs import run_python

# Several libraries: which is open, those opened last, and a program carried about with its own.


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
def menu(desktop, tmp_path):
    (tmp_path / "there").mkdir()
    paths = [desktop._library, tmp_path / "there", tmp_path / "gone & away"]
    made = LibraryMenu(
        desktop.look, desktop.workspace, desktop._library, lambda: paths, desktop.window
    )
    made.aboutToShow.emit()
    settle(desktop)
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
session = start.WindowSession.begin
def begin(self, files, crash):
    session(self, files, crash)
    seen.append(self._library.name)
    if len(seen) == 1:
        QTimer.singleShot(300, lambda: self.desktop.library_wanted.emit(other))
    else:
        QTimer.singleShot(300, self.desktop.window.close)
start.WindowSession.begin = begin
code = entry.run()
print(",".join(seen))
sys.exit(code)
"""
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    environ |= {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = run_python(steps, "--library", tmp_path / "one", tmp_path / "two", env=environ)
    assert (done.returncode, done.stdout.strip()) == (0, "one,two"), done.stderr
    rows = json.loads((tmp_path / "Engram" / "libraries.json").read_text("utf-8"))
    assert [Path(row).name for row in rows] == ["two", "one"]


@pytest.mark.e2e
def test_what_a_backup_brought_back_rests_until_somebody_has_looked(tmp_path):
    steps = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from engram_desktop.app import entry, start
from engram_desktop.jobs.context import NullContext
seen = []
session = start.WindowSession.begin
def restore(desktop):
    memory = desktop.workspace.memory
    memory.backups.make(NullContext())
    desktop.window.models.health.restore(Path(memory.backups.all()[0].path))
def look(self):
    desktop = self.desktop
    told = [bar for bar in desktop.window.message_bar.bars if "backup is in" in bar.notice.text]
    is_on = desktop.workspace.memory.settings.read().auto_enabled
    seen.append((self._library.name, is_on, desktop.window.safe.isVisible(), len(told)))
    if len(seen) == 1:
        restore(desktop)
    elif told:
        told[0].button.click()
    else:
        desktop.window.close()
def begin(self, files, crash):
    session(self, files, crash)
    QTimer.singleShot(300, lambda: look(self))
start.WindowSession.begin = begin
code = entry.run()
print(seen)
sys.exit(code)
"""
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)}
    environ |= {"PYTHONPATH": str(Path(__file__).parents[2]), "LANGUAGE": "en", "LC_ALL": "C"}
    done = run_python(steps, "--library", tmp_path / "one", "--language", "en", env=environ)
    assert done.returncode == 0, done.stderr
    before, restored, after = ast.literal_eval(done.stdout.strip().splitlines()[-1])
    assert before == after == ("one", True, False, 0)
    assert restored == ("one", False, True, 1)


# The library checked, mended, its index rebuilt, backed up: each from its button, each told.

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def health(desktop):
    click(desktop, desktop.window.sidebar.health)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, HealthDialog)
    return dialog


def told(desktop):
    return [bar.notice.text for bar in desktop.window.message_bar.bars]


def test_the_library_is_checked_and_what_was_found_is_listed(health):
    assert health._state.text() == "Everything is in order."
    assert health.list.count() > 0
    assert not health.repair_button.isEnabled(), "nothing to mend"


def test_a_fault_is_found_and_mended_after_a_backup(desktop, memory, health):
    store = memory.session.chat(desktop.workspace.chat_id)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE kind = 'turn' AND rowid % 7 = 0")
    desktop.window.models.health.check(repair=False)
    settle(desktop)
    assert "attention" in health._state.text()
    assert health.repair_button.isEnabled()
    assert memory.backups.all() == []
    click(desktop, health.repair_button)
    assert health._state.text() == "Everything is in order."
    assert any("(repaired)" in health.list.item(n).text() for n in range(health.list.count()))
    assert len(memory.backups.all()) == 1
    assert any("before the repair" in text for text in told(desktop))


def test_the_index_is_rebuilt_and_finds_what_it_found(desktop, memory, health):
    assert "made again" in health.reindex_button.toolTip()
    before = memory.index.health(desktop.workspace.chat_id).items
    click(desktop, health.reindex_button)
    after = memory.index.health(desktop.workspace.chat_id)
    assert (after.items, after.embedded) == (before, before)
    assert health._done.text() == "The index of “月光酒馆” is rebuilt."
    assert health._done.text() in told(desktop)


def test_without_a_chat_there_is_no_index_to_rebuild(open_desktop, empty_memory):
    desktop = open_desktop(empty_memory)
    dialog = opened_by(desktop, desktop.window.dialogs.open_health)
    assert not dialog.reindex_button.isEnabled()
    assert "Open a chat first" in dialog.reindex_button.toolTip()


@pytest.mark.logs("cannot be opened")
def test_a_damaged_chat_is_said_with_a_way_on(memory, open_memory, open_desktop, tmp_path):
    chat = memory.chats.all()[0].chat_id
    import_chat(memory, tmp_path / "另一个.jsonl", [("莫问", "下雪了。")])
    memory.close()
    (memory.folder / "chats" / chat / "memory.db").write_bytes(b"garbage " * 1000)
    desktop = open_desktop(open_memory(memory.folder))
    dialog = opened_by(desktop, desktop.window.dialogs.open_health)
    click(desktop, dialog.repair_button)
    assert "cannot be repaired" in dialog._state.text()
    assert dialog.repair_button.text() == "Take from a backup"
    assert len(found_in(memory.folder)) == 1, "the other chat is backed up before"
    click(desktop, dialog.repair_button)
    assert any(text.startswith("No backup holds a chat") for text in told(desktop))
    click(desktop, dialog.backup_button)
    assert any("everything but 月光酒馆" in text for text in told(desktop))


@pytest.mark.logs("cannot be opened")
def test_a_damaged_chat_is_taken_from_a_backup_in_two_clicks(
    qtbot, memory, open_memory, open_desktop
):
    memory.backups.make(NullContext())
    chat = memory.chats.all()[0].chat_id
    memory.close()
    (memory.folder / "chats" / chat / "memory.db").write_bytes(b"garbage " * 1000)
    again = open_memory(memory.folder)
    desktop = open_desktop(again)
    dialog = opened_by(desktop, desktop.window.dialogs.open_health)
    click(desktop, dialog.repair_button)
    with qtbot.waitSignal(desktop.reopen_wanted, timeout=20_000):
        qtbot.mouseClick(dialog.repair_button, LEFT)
    settle(desktop)


@pytest.mark.logs("cannot be opened")
def test_the_message_about_a_damaged_chat_leads_to_where_it_is_mended(
    memory, open_memory, open_desktop
):
    chat = memory.chats.all()[0].chat_id
    memory.close()
    (memory.folder / "chats" / chat / "memory.db").write_bytes(b"garbage " * 1000)
    desktop = open_desktop(open_memory(memory.folder))
    show_chat(desktop, chat)
    bar = desktop.window.message_bar.bars[-1]
    assert "cannot be read" in bar.notice.text
    assert "engram doctor" not in bar.notice.hint
    click(desktop, bar.button)
    assert isinstance(desktop.window.dialogs.shown[-1], HealthDialog)


def test_backups_go_on_while_a_window_stays_open(desktop, memory):
    timer = desktop._backup_timer
    run_out(timer)
    settle(desktop)
    (first,) = found_in(memory.folder)
    run_out(timer)
    settle(desktop)
    assert len(found_in(memory.folder)) == 1, "not again on the same day"
    earlier = Path(first.path)
    earlier.rename(earlier.with_stem("engram-20200101-000000"))
    run_out(timer)
    settle(desktop)
    assert len(found_in(memory.folder)) == 2
    assert timer.isActive()


def test_a_backup_is_made_and_offered_from_the_window(desktop, memory, health):
    click(desktop, health.backup_button)
    (made,) = memory.backups.all()
    assert any(text.startswith("Backed up to ") for text in told(desktop))
    click(desktop, health.restore_button)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, RestoreDialog)
    assert dialog.list.count() == 1
    assert dialog.restore_button.isEnabled()
    assert made.path.endswith(".engram") or made.size > 0


def test_backups_and_health_are_commands(qtbot, desktop):
    for words, kind in (("Library health", HealthDialog), ("Bring a backup back", RestoreDialog)):
        QTest.keySequence(desktop.window, QKeySequence("Ctrl+P"))
        settle(desktop)
        panel = desktop.window.finding.panel
        write(desktop, panel.field, words)
        press_key(desktop, panel.field, Qt.Key.Key_Return)
        dialog = desktop.window.dialogs.shown[-1]
        assert isinstance(dialog, kind)
        dialog.close()
        desktop.window.activateWindow()
        qtbot.waitUntil(desktop.window.isActiveWindow)


def test_splitters_are_where_they_were_left(open_desktop, memory):
    first = open_desktop(memory)
    window = first.window
    window.resize(1300, 800)
    settle(first)
    window._whole.setSizes([300, 1000])
    window._body.setSizes([600, 400])
    left = (window._whole.sizes(), window._body.sizes())
    window.remember()
    second = open_desktop(memory)
    resize(second, 1300, 800)
    now = (second.window._whole.sizes(), second.window._body.sizes())
    for was, became in zip(left, now, strict=True):
        assert all(abs(a - b) <= 4 for a, b in zip(was, became, strict=True)), (left, now)


# The library is moved from the menu of libraries, and one in a cloud folder is warned of.


@pytest.fixture
def session(qtbot, qapp, library):
    memory = open_library(qapp, library, asks=False)
    assert memory is not None
    with running_session(qtbot, qapp, memory, "--language", "en", "--theme", "light") as begun:
        yield begun


def test_the_menu_asks_where_to_and_the_program_opens_anew(session, monkeypatch, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: str(tmp_path / "there"))
    menu = session.desktop.window.libraries
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text().startswith("Move it")).trigger()
    assert session.opens_again
    assert session.place == tmp_path / "there" / session._library.name


def test_it_is_moved_with_a_bar_and_said_where_it_is(qapp, library, tmp_path):
    moved = move_library(qapp, library, tmp_path / "there")
    assert moved is not None
    assert (tmp_path / "there" / "library.db").exists()
    assert "there" in moves(moved)


def test_why_it_was_not_moved_is_said(qapp, library, tmp_path, monkeypatch):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    said = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.text()))
    assert move_library(qapp, library, tmp_path / "full") is None
    assert "exists already" in said[0]
    assert (library / "library.db").exists()


def test_a_library_in_a_cloud_folder_is_warned_of_with_a_way_out(
    qtbot, qapp, library, tmp_path, monkeypatch
):
    place = tmp_path / "Dropbox"
    library.rename(place)
    memory = open_library(qapp, place, asks=False)
    assert memory is not None
    with running_session(qtbot, qapp, memory, "--language", "en") as session:
        session.report_place(None)
        settle(session.desktop)
        bar = session.desktop.window.message_bar.bars[-1]
        assert "Dropbox" in bar.notice.text
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: "")
        bar.button.click()
        assert session.place is None


# Before there is a window: errors in the user's language, a library in use, a stale lock.

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

    def look(shown):
        shown.cancel_button.click()
        assert "QPushButton" in shown.styleSheet(), "it wears the theme before there is a window"

    box(look)
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
    assert memory.session.can_write
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


# What opening the library mended is said in the window, and stays until somebody has seen it.


@pytest.fixture
def interrupted(library):
    """The library as an import that was killed leaves it."""
    half = Library(library, counting_clock(), program="test")
    half.begin_chat("灰港的<b>雨季</b>")
    half.close()
    return library


def test_an_import_that_was_interrupted_is_told_and_found_again(
    interrupted, open_memory, open_desktop
):
    desktop = open_desktop(open_memory(interrupted))
    window = desktop.window
    (bar,) = window.message_bar.bars
    assert bar.notice.kind == "warning"
    assert bar.notice.text == "Opening the library repaired 1 thing."
    assert bar.notice.hint.startswith("灰港的<b>雨季</b>: its import was interrupted")
    click(desktop, bar.button)
    health = window.dialogs.shown[-1]
    told = [health.list.item(row).text() for row in range(health.list.count())]
    assert any(text.startswith("灰港的<b>雨季</b>: its import") for text in told)
    health.close()
    settle(desktop)
    assert window.message_bar.bars == []
    window.dialogs.open_messages()
    settle(desktop)
    past = window.dialogs.shown[-1].list
    said = [past.item(row).text() for row in range(past.count())]
    assert any("Opening the library repaired 1 thing." in text for text in said)


@pytest.mark.logs("is left as it is")
def test_what_could_not_be_mended_asks_for_attention(library, open_memory, open_desktop):
    half = Library(library, counting_clock(), program="test")
    stray = make_chat(half, "坏掉的").folder
    with half.database.writing() as connection:
        connection.execute("DELETE FROM chat WHERE id = ?", (stray.name,))
    half.close()
    (stray / "memory.db").write_bytes(b"no database " * 1000)
    desktop = open_desktop(open_memory(library))
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == "1 thing in the library needs attention."
    assert bar.notice.hint.startswith(f"{stray.name}: ")


def test_a_library_that_is_well_says_nothing(desktop):
    assert desktop.window.message_bar.bars == []


# A library that does not open: the user is asked, and a run without a user asks nobody.

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


@pytest.mark.gui
def test_the_newest_backup_is_offered_and_taken(qapp, damaged, answer):
    told = answer(QMessageBox.StandardButton.Yes)
    memory = open_library(qapp, damaged, asks=True)
    assert memory is not None
    assert len(memory.chats.all()) == 1
    memory.close()
    assert "Restore the backup of" in told[0][1]


@pytest.mark.gui
def test_who_wants_no_backup_is_told_what_is_wrong(qapp, damaged, answer, capsys):
    told = answer(QMessageBox.StandardButton.No, QMessageBox.StandardButton.Ok)
    assert open_library(qapp, damaged, asks=True) is None
    assert len(told) == 2
    assert told[1][0] in capsys.readouterr().err
    assert (damaged / "library.db").read_bytes().startswith(b"not a database")


@pytest.mark.gui
@pytest.mark.e2e
def test_a_run_that_takes_a_picture_asks_nobody(damaged, tmp_path):
    picture = tmp_path / "window.png"
    entry = "import sys; from engram_desktop.app.entry import run; sys.exit(run())"
    places = ("HOME", "LOCALAPPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environ = os.environ | dict.fromkeys(places, str(tmp_path / "home"))
    words = ("--library", damaged, "--screenshot", picture)
    done = run_python(entry, *words, cwd=ROOT, env=environ)
    assert done.returncode == 1, done.stderr
    assert "library.db" in done.stderr
    assert not picture.exists()
