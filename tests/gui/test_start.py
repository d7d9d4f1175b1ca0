"""Starting: arguments, places, the second start, reports without secrets."""

import logging
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent

from engram_desktop.app import diagnostics
from engram_desktop.app.main import read_arguments
from engram_desktop.app.paths import library_dir
from engram_desktop.app.single_instance import InstanceServer, hand_over, read_message, server_name
from engram_desktop.app.start import OpenedFiles, WindowSession
from engram_desktop.cli.places import APP_LOG, default_library
from engram_desktop.shipped import resource
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.window.page_stack import PAGES, START
from engram_desktop.widgets.window.window_dialogs import ReportDialog
from tests.gui.waiting import settle


def test_the_library_is_the_chosen_one_else_the_environments(tmp_path, monkeypatch):
    told = {"ENGRAM_LIBRARY": str(tmp_path / "b")}
    assert library_dir(str(tmp_path / "a"), told) == tmp_path / "a"
    assert library_dir(None, told) == tmp_path / "b"
    assert library_dir(None, {}).name == "library"
    monkeypatch.delenv("ENGRAM_LIBRARY", raising=False)
    assert library_dir(None, {}) == default_library(), "both programs open the same one"


def test_arguments_are_read():
    given = read_arguments(["--library", "x", "--language", "zh_CN", "--page", "graph", "a.jsonl"])
    assert (given.library, given.language, given.page) == ("x", "zh_CN", "graph")
    assert given.files == ["a.jsonl"]
    with pytest.raises(SystemExit):
        read_arguments(["--page", "nowhere"])
    assert read_arguments([]).page == START
    for spec in PAGES:
        assert read_arguments(["--page", spec.name]).page == spec.name


def test_a_second_start_raises_the_first_and_hands_over_its_files(qtbot, tmp_path):
    server = InstanceServer(tmp_path)
    answers: list[object] = []
    given: list[Path] = []
    server.files_given.connect(given.extend)
    with qtbot.waitSignals([server.raised, server.files_given], timeout=20_000):
        second = threading.Thread(
            target=lambda: answers.append(hand_over(tmp_path, ["聊天.jsonl"]))
        )
        second.start()
    second.join()
    assert answers == [True]
    assert [path.name for path in given] == ["聊天.jsonl"]
    server.close()
    assert hand_over(tmp_path, []) is False


def test_each_library_has_its_own_door(tmp_path):
    assert server_name(tmp_path / "a") != server_name(tmp_path / "b")
    assert server_name(tmp_path / "a") == server_name(tmp_path / "x" / ".." / "a")


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"3", b"[]", b'{"files": 3}', b'{"files": [3]}', b"\xff\xfe", b"[" * 60_000],
)
def test_no_message_but_ours_is_understood(data):
    assert read_message(data) is None


def test_files_the_system_sends_wait_for_a_window(qapp, tmp_path):
    opened = OpenedFiles(qapp)
    try:
        given: list[list[Path]] = []
        qapp.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "a.engram"))))
        qapp.sendEvent(qapp, QFileOpenEvent(QUrl("engram:nothing")))  # an address is no file
        opened.give_to(given.append)
        qapp.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "聊天.jsonl"))))
        opened.give_to(None)
        qapp.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "c.jsonl"))))
        opened.give_to(given.append)
    finally:
        qapp.removeEventFilter(opened)
    names = [[path.name for path in files] for files in given]
    assert names == [["a.engram"], ["聊天.jsonl"], ["c.jsonl"]]


def test_our_message_is_understood():
    assert read_message(b'{"files": ["a"]}') == [Path("a")]


@pytest.fixture
def canary():
    secret = "canary" + "-of-no-known-shape"
    diagnostics.hide(secret)
    yield secret
    diagnostics._known_secrets.discard(secret)


def test_keys_never_reach_a_report(tmp_path, canary):
    (tmp_path / APP_LOG).write_text(f"calling with {canary}\n", "utf-8")
    error = ValueError(f"Bearer abcdef123 api_key='zzz' sk-abcdefghijk {canary}")
    text = diagnostics.report_text(error, tmp_path)
    for secret in (canary, "abcdef123", "zzz", "sk-abcdefghijk"):
        assert secret not in text
    assert "ValueError" in text
    assert "PySide6" in text


def test_keys_never_reach_the_log(canary):
    record = logging.LogRecord("x", logging.INFO, "f", 1, "key %s", (canary,), None)
    assert canary not in diagnostics._Redacting("%(message)s").format(record)


def test_a_crash_is_offered_once(tmp_path):
    assert diagnostics.take_crash(tmp_path) == ""
    with diagnostics.watch_crashes(tmp_path) as stream:
        stream.write("Fatal Python error: Segmentation fault")
    assert "Segmentation fault" in diagnostics.take_crash(tmp_path)
    assert diagnostics.take_crash(tmp_path) == ""


@pytest.mark.logs("Uncaught")
def test_an_exception_on_another_thread_reaches_the_gui_thread(qtbot, monkeypatch):
    reporter = diagnostics.BugReporter()
    monkeypatch.setattr("sys.excepthook", lambda *_args: None)
    error = ValueError("x")
    seen = []
    reporter.found.connect(lambda found: seen.append((found, threading.get_ident())))
    thread = threading.Thread(target=lambda: reporter._on_exception(ValueError, error, None))
    with qtbot.waitSignal(reporter.found, timeout=20_000):
        thread.start()
    thread.join()
    assert seen[0][0] is error


@pytest.fixture
def session(qtbot, qapp, memory):
    begun = WindowSession(
        qapp, memory, memory.folder, read_arguments([]), diagnostics.BugReporter()
    )
    qtbot.waitUntil(lambda: begun.desktop.window.models.chats.is_loaded, timeout=20_000)
    yield begun
    begun._server.close()
    assert begun.desktop.close(5000)
    begun.desktop.deleteLater()


def kinds_of_dialogs(session):
    return [type(dialog) for dialog in session.desktop.window.dialogs.shown]


def test_a_start_asks_about_its_files_and_tells_of_a_crash(qtbot, session, tmp_path):
    session.begin([], "")
    settle(qtbot, session.desktop)
    assert kinds_of_dialogs(session) == []
    session.begin([resource("story/月光酒馆.jsonl")], "Traceback")
    settle(qtbot, session.desktop)
    assert sorted(kind.__name__ for kind in kinds_of_dialogs(session)) == [
        "ImportDialog",
        "ReportDialog",
    ]


def test_a_window_asks_about_the_files_of_a_second_start_and_says_what_it_found(qtbot, session):
    session._server.files_given.emit([resource("story/月光酒馆.jsonl")])
    settle(qtbot, session.desktop)
    assert kinds_of_dialogs(session) == [ImportDialog]


def test_a_fault_of_the_program_is_reported(qtbot, qapp, memory, open_desktop):
    bugs = diagnostics.BugReporter()
    begun = WindowSession(qapp, memory, memory.folder, read_arguments([]), bugs)
    qtbot.waitUntil(lambda: begun.desktop.window.models.chats.is_loaded, timeout=20_000)
    bugs.found.emit(ValueError("x"))
    assert kinds_of_dialogs(begun) == [ReportDialog]
    begun._server.close()
    assert begun.desktop.close(5000)
    begun.desktop.deleteLater()
