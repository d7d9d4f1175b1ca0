"""What a user may expect (`resources/docs/conventions.md`), gone through with keys and mouse."""

from __future__ import annotations

import json
import threading
import urllib.request
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit
from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.chats.import_dialog import ExportDialog, ImportDialog
from engram_desktop.widgets.graph.graph_page import GraphPage
from engram_desktop.widgets.library_health import HealthDialog
from engram_desktop.widgets.settings import EndpointForm, SettingsDialog
from engram_desktop.widgets.window.top_bar import LibraryMenu
from tests.fake_openai import FakeOpenAI
from tests.gui.places import open_dialog_as
from tests.gui.waiting import click, commit, press_key, settle

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
CTX = NullContext()


def type_over(qtbot, field, text):
    """Replace what stands in a field, and leave it by Tab."""
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Tab)


# A proxy is chosen in the settings, and never used for this computer.


class _Proxy(BaseHTTPRequestHandler):
    """A proxy: notes each request and sends all of them to one server, whatever their host."""

    asked: ClassVar[list[str]] = []
    behind = ""

    def _hand_on(self) -> None:
        self.asked.append(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        path = self.path.split("/v1", 1)[1]
        request = urllib.request.Request(self.behind + path, body)  # noqa: S310 - of this computer
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - as above
            data, status, kind = answer.read(), answer.status, answer.headers["Content-Type"]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = _hand_on

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def proxy():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Proxy)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    _Proxy.asked.clear()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_proxy_that_is_typed_is_asked_for_others_and_never_for_this_computer(
    qtbot, desktop, memory, proxy
):
    dialog = open_dialog_as(qtbot, desktop, "settings", SettingsDialog)
    dialog.activateWindow()
    dialog.show_setting("net", "net.proxy")
    choice = dialog.focusWidget()
    assert isinstance(choice, QComboBox)
    for _down in range(2):  # as the system, none, one of its own
        qtbot.keyClick(choice, Qt.Key.Key_Down)
    settle(desktop)
    assert memory.settings.read().net_proxy == "own"
    dialog.show_setting("net", "net.proxy_url")
    address = dialog.focusWidget()
    assert isinstance(address, QLineEdit)
    type_over(qtbot, address, proxy)
    settle(desktop)
    dialog.show_setting("llm", "llm.base_url")
    form = dialog.findChild(EndpointForm)
    assert form is not None
    with FakeOpenAI() as server:
        _Proxy.behind = server.url
        for url, is_asked in (("http://llm.test/v1", True), (server.url, False)):
            _Proxy.asked.clear()
            type_over(qtbot, form.url, url)
            form.model.setEditText("fake-chat")
            click(desktop, form.test_button)
            assert form._answer.text().startswith("It answered."), form._answer.text()
            assert bool(_Proxy.asked) == is_asked
            assert all(path.startswith("http://llm.test/v1/") for path in _Proxy.asked)


# What is edited or deleted is found no more, at once.


def test_an_event_deleted_by_its_key_is_recalled_no_more_and_its_vector_is_gone(desktop, memory):
    line = desktop.workspace.line
    window = desktop.window
    archived = memory.events.find(line.chat_id, EventQuery(status="archived"))
    summary = memory.events.fetch(line.chat_id, archived[:1])[archived[0]].summary
    asked = RecallQuery(summary, top_k=50)

    def recalled():
        return {hit.item.ref for hit in memory.recall.ask(CTX, line.chat_id, asked).hits}

    event = memory.events.fetch(line.chat_id, archived[:1])[archived[0]]
    assert event.id in recalled()
    vectors = memory.index.health(line.chat_id).embedded
    desktop.workspace.event_wanted.emit(event.pk)
    settle(desktop)
    view = window.event_page.view
    view.setFocus()
    assert view.currentIndex().isValid()
    press_key(desktop, view, Qt.Key.Key_Delete)
    assert event.id not in recalled()
    assert memory.index.health(line.chat_id).embedded < vectors
    press_key(desktop, window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert event.id in recalled()


# Everything is exported to open formats, holds no key, and is taken in again.

KEY = "sk-test-0123456789abcdef"


def export(qtbot, desktop, monkeypatch, form, target):
    chat = desktop.workspace.chat_id
    desktop.window.sidebar.export_wanted.emit(chat)
    settle(desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, ExportDialog)
    qtbot.mouseClick(dialog.forms[form], LEFT, pos=dialog.forms[form].rect().center() / 4)
    dialog.forms[form].setFocus()
    qtbot.keyClick(dialog.forms[form], Qt.Key.Key_Space)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    click(desktop, dialog.export_button)


def test_each_form_of_an_export_is_written_and_a_worldbook_is_taken_in_again(
    qtbot, desktop, memory, tmp_path, monkeypatch
):
    files = {
        "markdown": tmp_path / "故事.md",
        "json": tmp_path / "故事.json",
        "worldbook": tmp_path / "世界书.json",
        "engram": tmp_path / "Engram_sync_故事.json",
    }
    for form, target in files.items():
        export(qtbot, desktop, monkeypatch, form, target)
        assert target.stat().st_size > 100, form
    line = desktop.workspace.line
    events = memory.events.find(line.chat_id, EventQuery())
    told = json.loads(files["json"].read_text("utf-8"))
    assert {e["id"] for e in told["events"]} == {
        e.id for e in memory.events.fetch(line.chat_id, events).values()
    }
    desktop.window.import_files([files["worldbook"]])
    settle(desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, ImportDialog)
    click(desktop, dialog.import_button)
    assert [book.name for book in memory.worldbooks.all()] == ["世界书"]


def test_no_file_that_leaves_the_library_holds_the_key_that_was_typed(
    qtbot, desktop, memory, tmp_path, monkeypatch
):
    memory.settings.set("keys.storage", "file")
    dialog = open_dialog_as(qtbot, desktop, "settings", SettingsDialog)
    dialog.activateWindow()
    dialog.show_setting("llm", "llm.base_url")
    form = dialog.findChild(EndpointForm)
    assert form is not None
    type_over(qtbot, form.url, "http://127.0.0.1:9/v1")
    form.key.setFocus()
    qtbot.keyClicks(form.key, KEY)
    press_key(desktop, form.key, Qt.Key.Key_Return)
    assert memory.endpoints.has_key("llm")
    dialog.close()
    target = tmp_path / "故事.json"
    export(qtbot, desktop, monkeypatch, "json", target)
    assert KEY.encode() not in target.read_bytes()
    health = open_dialog_as(qtbot, desktop, "health", HealthDialog)
    click(desktop, health.backup_button)
    (backup,) = memory.backups.all()
    with zipfile.ZipFile(backup.path) as archive:
        assert archive.namelist()
        assert not any(KEY.encode() in archive.read(name) for name in archive.namelist())


# The graph: a cut one says so, and its layout is stopped, goes on and is kept.

MORE = 160  # entities in addition: more than are shown at first


@pytest.fixture
def graph_page(desktop):
    press_key(desktop, desktop.window, Qt.Key.Key_2, CTRL)
    return desktop.window.stack.page_as("graph", GraphPage)


def test_a_graph_that_is_cut_says_so_until_more_is_asked_for(qtbot, desktop, memory, graph_page):
    line = desktop.workspace.line
    hub = memory.graph.find_entities(line)[0].id
    for number in range(MORE):
        one, _changes = memory.graph.add_entity(line, f"第{number}个人", "char")
        memory.graph.add_relation(line, hub, "认识", one)
    desktop.window.models.graph.load()
    settle(desktop)
    notice, limit = graph_page._notice, graph_page.filters.limit
    assert "150 of " in notice.text()
    assert notice.isVisible()
    qtbot.mouseClick(graph_page.tools.filter_button, LEFT)
    limit.setFocus()
    press_key(desktop, limit, Qt.Key.Key_Down)
    assert limit.currentText() == "500"
    assert not notice.isVisible()


def test_a_layout_is_stopped_by_a_click_and_is_the_same_in_the_next_window(
    qtbot, desktop, open_desktop, memory, graph_page
):
    button, model = graph_page.tools.arrange_button, desktop.window.models.graph
    qtbot.mouseClick(button, LEFT)
    assert model.layout.is_running
    qtbot.mouseClick(button, LEFT)
    assert not model.layout.is_running
    settle(desktop)
    places = dict(model.graph.places)
    desktop.window.close()
    again = open_desktop(memory)
    press_key(again, again.window, Qt.Key.Key_2, CTRL)
    found = again.window.models.graph.graph.places
    assert set(places) <= set(found)
    assert all(found[i] == pytest.approx(place) for i, place in places.items())


# The program: the menu of libraries, and closing.


def test_the_menu_of_libraries_is_gone_through_with_keys(qtbot, qapp, desktop, tmp_path):
    window = desktop.window
    there = tmp_path / "there"
    there.mkdir()
    window.libraries._recent = lambda: [tmp_path / "gone", there]
    chosen: list[Path] = []
    window.library_wanted.connect(chosen.append)

    def choose():
        menu = qapp.activePopupWidget()
        if not isinstance(menu, LibraryMenu) or not desktop.runner.is_idle:
            return
        keys.stop()
        gone = next(a for a in menu.actions() if "gone" in a.text())
        assert "not there" in gone.text()
        while menu.activeAction() is None or "there" not in menu.activeAction().text():
            qtbot.keyClick(menu, Qt.Key.Key_Down)
            assert menu.activeAction() is not gone
        qtbot.keyClick(menu, Qt.Key.Key_Return)

    keys = QTimer(window, interval=20)
    keys.timeout.connect(choose)
    keys.start()
    window.sidebar.libraries.setFocus()
    qtbot.keyClick(window.sidebar.libraries, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: chosen == [there], timeout=10_000)


def test_ctrl_q_closes_what_is_typed_is_kept_and_nothing_goes_on(qtbot, desktop, memory):
    window, line = desktop.window, desktop.workspace.line
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    press_key(desktop, window.event_page.view, Qt.Key.Key_Down)
    window.editor.show_tab(1)
    summary = window.editor.fields.summary
    summary.setFocus()
    commit(summary, "关掉之前写的字")
    with qtbot.waitSignal(desktop.closed, timeout=5000):
        qtbot.keyClick(window, Qt.Key.Key_Q, CTRL)
    settle(desktop)
    assert not window.isVisible()
    kept = memory.events.fetch(line.chat_id, list(memory.events.find(line.chat_id, EventQuery())))
    assert any("关掉之前写的字" in event.summary for event in kept.values())
