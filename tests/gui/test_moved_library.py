"""The library is moved from the menu of libraries, and one in a cloud folder is warned of."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from engram_desktop.app.diagnostics import BugReporter
from engram_desktop.app.main import read_arguments
from engram_desktop.app.moving_library import move_library, told
from engram_desktop.app.opening import open_library
from engram_desktop.app.start import WindowSession
from tests.gui.waiting import settle


@pytest.fixture
def session(qtbot, qapp, library):
    memory = open_library(qapp, library, asks=False)
    assert memory is not None
    arguments = read_arguments(["--language", "en", "--theme", "light"])
    session = WindowSession(qapp, memory, library, arguments, BugReporter())
    qtbot.waitUntil(lambda: session.desktop.window.models.chats.is_loaded, timeout=20_000)
    yield session
    session._server.close()
    assert session.desktop.close(5000)
    session.desktop.deleteLater()
    memory.close()


def test_the_menu_asks_where_to_and_the_program_opens_anew(session, monkeypatch, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: str(tmp_path / "there"))
    menu = session.desktop.window.libraries
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text().startswith("Move it")).trigger()
    assert session.opens_again
    assert session.place == tmp_path / "there" / session._library.name


def test_it_is_moved_with_a_bar_and_said_where_it_is(qtbot, library, tmp_path):
    moved = move_library(library, tmp_path / "there")
    assert moved is not None
    assert (tmp_path / "there" / "library.db").exists()
    assert "there" in told(moved)


def test_why_it_was_not_moved_is_said(qtbot, library, tmp_path, monkeypatch):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    said = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: said.append(box.text()))
    assert move_library(library, tmp_path / "full") is None
    assert "exists already" in said[0]
    assert (library / "library.db").exists()


def test_a_library_in_a_cloud_folder_is_warned_of_with_a_way_out(
    qtbot, qapp, library, tmp_path, monkeypatch
):
    place = tmp_path / "Dropbox"
    library.rename(place)
    memory = open_library(qapp, place, asks=False)
    assert memory is not None
    session = WindowSession(
        qapp, memory, place, read_arguments(["--language", "en"]), BugReporter()
    )
    session.tell_place(None)
    settle(qtbot, session.desktop)
    bar = session.desktop.window.message_bar.bars[-1]
    assert "Dropbox" in bar.notice.text
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: "")
    bar.button.click()
    assert session.place is None
    session._server.close()
    assert session.desktop.close(5000)
    session.desktop.deleteLater()
    memory.close()
