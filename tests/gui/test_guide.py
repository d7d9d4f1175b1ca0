"""The first steps: shown in the window, skipped in one click, finding only what is here."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget
from typing_extensions import override

from engram_desktop.domain.address import USUAL_PORTS, LocalServer
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.probe import find_local
from engram_desktop.widgets.guide.guide_page import GuidePage
from engram_desktop.widgets.settings.settings_dialog import SettingsDialog
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import commit, settle
from tests.tavern import TavernChatFile

LEFT = Qt.MouseButton.LeftButton
CTX = NullContext()


def open_guide(qtbot, desktop) -> GuidePage:
    desktop.window.first_steps.open()
    settle(qtbot, desktop)
    guide = desktop.window.first_steps.page
    assert isinstance(guide, GuidePage)
    return guide


def go_to(qtbot, desktop, number) -> GuidePage:
    guide = open_guide(qtbot, desktop)
    for _step in range(number):
        qtbot.mouseClick(guide.next_button, LEFT)
    settle(qtbot, desktop)
    return guide


def words(widget) -> str:
    return "\n".join(part.text() for part in widget.findChildren(QLabel) if part.isVisible())


def wait_for_card(qtbot, step, text):
    """Wait until a card that says ``text`` is seen: Qt shows a row a turn after it is added."""
    seen: list[QWidget] = []

    def look():
        seen[:] = [card for card in step.cards if text in words(card)]
        return bool(seen)

    qtbot.waitUntil(look, timeout=30_000)
    return seen[0]


def test_it_stands_in_the_place_of_the_page_and_is_skipped_in_one_click(
    qtbot, open_desktop, empty_memory
):
    desktop = open_desktop(empty_memory)
    guide = open_guide(qtbot, desktop)
    assert guide.isVisible()
    assert not desktop.window.welcome.isVisible()
    assert QApplication.activeModalWidget() is None
    assert "Step 1 of 4" in words(guide)
    qtbot.mouseClick(guide.skip_button, LEFT)
    assert desktop.window.first_steps.page is None
    assert desktop.window.welcome.isVisible()


def test_enter_goes_through_all_of_it_and_ends_at_the_three_ways_to_begin(
    qtbot, open_desktop, empty_memory
):
    desktop = open_desktop(empty_memory)
    guide = open_guide(qtbot, desktop)
    for step in range(4):
        assert guide.step == step
        qtbot.keyClick(guide.next_button, Qt.Key.Key_Space)
        settle(qtbot, desktop)
    assert desktop.window.welcome.isVisible()
    assert empty_memory.settings.chosen().get("llm.base_url") is None, "nothing was set up"


def test_the_language_changes_at_once_and_the_step_stays(qtbot, open_desktop, empty_memory):
    desktop = open_desktop(empty_memory, language=None)
    empty_memory.settings.set("ui.language", "en")
    guide = open_guide(qtbot, desktop)
    chinese = next(b for b in guide.look_step.languages.buttons() if b.text() == "简体中文")
    qtbot.mouseClick(chinese, LEFT)
    qtbot.waitUntil(lambda: desktop.window.first_steps.page not in (None, guide), timeout=20_000)
    settle(qtbot, desktop)
    assert "欢迎使用 Engram" in words(desktop.window.first_steps.page)
    assert desktop.window.first_steps.page.step == 0


def test_a_tab_that_is_pressed_ends_it(qtbot, desktop):
    open_guide(qtbot, desktop)
    qtbot.mouseClick(desktop.window.top.page_buttons["events"], LEFT)
    settle(qtbot, desktop)
    assert desktop.window.first_steps.page is None
    assert desktop.window.event_page.isVisible()


def test_it_is_found_again_among_the_commands_and_in_the_menu_of_libraries(qtbot, desktop):
    menu = desktop.window.libraries
    menu.aboutToShow.emit()
    settle(qtbot, desktop)
    next(a for a in menu.actions() if a.text() == "First steps…").trigger()
    assert desktop.window.first_steps.page is not None
    desktop.window.show_page("graph")
    assert desktop.window.first_steps.page is None
    QTest.keySequence(desktop.window, QKeySequence("Ctrl+P"))
    settle(qtbot, desktop)
    panel = desktop.window.finding.panel
    commit(panel.field, "First steps")
    settle(qtbot, desktop)
    qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert desktop.window.first_steps.page is not None


@pytest.fixture
def tavern(tmp_path, monkeypatch):
    """A home folder with SillyTavern in it."""
    home = tmp_path / "home"
    user = home / "SillyTavern" / "data" / "default-user"
    (user / "characters").mkdir(parents=True)
    chat = TavernChatFile(user / "chats" / "爱丽丝" / "一.jsonl")
    chat.say("雨停了。", "是啊。")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    for name in ("APPDATA", "LOCALAPPDATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home / "SillyTavern"


def test_sillytavern_is_found_and_taken_in_with_one_click(
    qtbot, open_desktop, empty_memory, tavern
):
    desktop = open_desktop(empty_memory)
    guide = go_to(qtbot, desktop, 2)
    card = wait_for_card(qtbot, guide.tavern_step, "1 chat")
    assert len(guide.tavern_step.cards) == 1
    assert empty_memory.chats.all() == []
    qtbot.mouseClick(card.button, LEFT)
    qtbot.waitUntil(lambda: "its chats are followed" in words(guide), timeout=30_000)
    settle(qtbot, desktop)
    assert [chat.messages for chat in empty_memory.chats.all()] == [2]
    assert Path(empty_memory.settings.read().tavern_folder) == tavern
    assert guide.isVisible(), "what was taken in does not end the first steps"


def test_a_home_without_sillytavern_says_so(
    qtbot, open_desktop, empty_memory, tmp_path, monkeypatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    desktop = open_desktop(empty_memory)
    guide = go_to(qtbot, desktop, 2)
    assert "not found in the usual places" in words(guide)


class _Models(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"data": [{"id": "qwen3:8b"}, {"id": "gemma3:4b"}]}).encode()
        self.send_response(200 if self.path == "/v1/models" else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, *_arguments):
        """Say nothing."""


@pytest.fixture
def server():
    """A server of models on the first usual port that is free here; gives its name and address."""
    for name, port in USUAL_PORTS:
        try:
            made = ThreadingHTTPServer(("127.0.0.1", port), _Models)
        except OSError:
            continue
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield name, f"http://127.0.0.1:{port}/v1"
        made.shutdown()
        made.server_close()
        thread.join()
        return
    pytest.skip("every usual port is taken")


def test_a_server_on_this_computer_is_found_and_used_only_when_clicked(
    qtbot, open_desktop, empty_memory, server
):
    name, url = server
    desktop = open_desktop(empty_memory)
    guide = go_to(qtbot, desktop, 3)
    card = wait_for_card(qtbot, guide.model_step, name)
    assert f"2 models at {url}" in words(card)
    assert not empty_memory.endpoints.has_model()
    (models,) = card.findChildren(QComboBox)
    models.setCurrentText("qwen3:8b")
    qtbot.mouseClick(card.button, LEFT)
    qtbot.waitUntil(lambda: "qwen3:8b reads your chats" in words(guide), timeout=20_000)
    settings = empty_memory.settings.read()
    assert (settings.get("llm.base_url"), settings.get("llm.model")) == (url, "qwen3:8b")


def test_a_server_elsewhere_is_set_up_in_the_settings(qtbot, open_desktop, empty_memory):
    desktop = open_desktop(empty_memory)
    guide = go_to(qtbot, desktop, 3)
    qtbot.mouseClick(guide.model_step.presets_button, LEFT)
    settle(qtbot, desktop)
    assert [type(dialog) for dialog in desktop.window.dialogs.shown] == [SettingsDialog]


def test_only_what_names_models_counts_as_a_server():
    with FakeOpenAI(models=["a"]) as well, FakeOpenAI(faults=["html"]) as page:
        ports = [("A", _port(well)), ("B", _port(page)), ("nobody", 9)]
        assert list(find_local(CTX, ports)) == [
            LocalServer("A", f"http://127.0.0.1:{_port(well)}/v1", ("a",))
        ]
        assert [seen.path for seen in page.seen] == ["/v1/models"]
        assert "authorization" not in well.seen[0].headers


def _port(server):
    return int(server.url.split(":")[2].split("/")[0])


def test_it_fits_a_small_window(qtbot, desktop):
    desktop.window.resize(900, 600)
    guide = open_guide(qtbot, desktop)
    for step in range(4):
        guide.show_step(step)
        settle(qtbot, desktop)
        corner = guide.next_button.mapTo(guide, QPoint(guide.next_button.width(), 0))
        assert corner.x() <= guide.width()
        assert guide.next_button.mapTo(guide, QPoint()).y() < guide.height() - 20
