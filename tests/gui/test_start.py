"""A start: guide, empty pages, what is made ahead."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QFileOpenEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QWidget

from engram_desktop import late
from engram_desktop.app import diagnostics
from engram_desktop.app.main import read_arguments
from engram_desktop.app.single_instance import (
    LISTEN_MS,
    STARTING_S,
    InstanceServer,
    hand_over,
    hand_over_to_window,
    read_message,
    server_name,
)
from engram_desktop.app.start import OpenedFiles
from engram_desktop.domain.address import USUAL_PORTS, LocalServer
from engram_desktop.domain.write_access import WINDOW_PROGRAM, place_of
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.probe import find_local
from engram_desktop.places import APP_LOG, default_library, library_dir, resource
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.guide import GuidePage
from engram_desktop.widgets.parts.pages import PATIENCE_MS, EmptyState, Skeleton
from engram_desktop.widgets.settings import SettingsDialog
from engram_desktop.widgets.window.page_stack import PAGES, START
from engram_desktop.widgets.window.window_dialogs import ReportDialog
from tests.factories import import_chat, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.sessions import running_session
from tests.gui.waiting import click, open_page, opened_by, press_key, settle, show_chat, write
from tests.tavern import TavernChatFile
from tests.upstream import Upstream

# Starting: arguments, places, the second start, reports without secrets.


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


def test_a_second_start_waits_for_a_window_that_starts_and_for_no_other(
    qtbot, open_memory, tmp_path
):
    memory = open_memory(tmp_path / "library")
    library = memory.folder
    answers: list[bool] = []
    server = InstanceServer(library, delay_ms=LISTEN_MS)
    with qtbot.waitSignal(server.raised, timeout=20_000):
        second = threading.Thread(
            target=lambda: answers.append(hand_over_to_window(library, ["聊天.jsonl"]))
        )
        second.start()
    second.join()
    assert answers == [True]
    server.close()
    place = library / place_of(WINDOW_PROGRAM)
    assert place.exists()
    memory.close()
    assert hand_over_to_window(library, []) is False
    place.touch()  # as one that was killed leaves it
    began = time.monotonic()
    assert hand_over_to_window(library, []) is False
    assert time.monotonic() - began < STARTING_S


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


@pytest.mark.logs("Uncaught")
def test_a_report_that_cannot_be_shown_is_not_reported_itself(monkeypatch):
    reporter = diagnostics.BugReporter()
    monkeypatch.setattr("sys.excepthook", None)
    reporter.install()
    seen = []

    def show(error):
        seen.append(error)
        raise ValueError("no window to show it in")

    reporter.found.connect(show)
    for error in (KeyError("a"), KeyError("b")):
        sys.excepthook(KeyError, error, None)
    assert [str(error) for error in seen] == ["'a'", "'b'"]


@pytest.fixture
def session(qtbot, qapp, memory):
    with running_session(qtbot, qapp, memory) as begun:
        yield begun


def kinds_of_dialogs(session):
    return [type(dialog) for dialog in session.desktop.window.dialogs.shown]


def test_a_start_asks_about_its_files_and_tells_of_a_crash(session):
    session.begin([], "")
    settle(session.desktop)
    assert kinds_of_dialogs(session) == []
    session.begin([resource("story/月光酒馆.jsonl")], "Traceback")
    settle(session.desktop)
    assert sorted(kind.__name__ for kind in kinds_of_dialogs(session)) == [
        "ImportDialog",
        "ReportDialog",
    ]


def test_a_window_asks_about_the_files_of_a_second_start_and_says_what_it_found(session):
    session._server.files_given.emit([resource("story/月光酒馆.jsonl")])
    settle(session.desktop)
    assert kinds_of_dialogs(session) == [ImportDialog]


def test_a_fault_of_the_program_is_reported(qtbot, qapp, memory):
    bugs = diagnostics.BugReporter()
    with running_session(qtbot, qapp, memory, reporter=bugs) as begun:
        bugs.found.emit(ValueError("x"))
        assert kinds_of_dialogs(begun) == [ReportDialog]


# The first steps: shown in the window, skipped in one click, finding only what is here.

LEFT = Qt.MouseButton.LeftButton
CTX = NullContext()


def open_guide(desktop) -> GuidePage:
    desktop.window.first_steps.open()
    settle(desktop)
    guide = desktop.window.first_steps.page
    assert isinstance(guide, GuidePage)
    return guide


def go_to(qtbot, desktop, number) -> GuidePage:
    guide = open_guide(desktop)
    for _step in range(number):
        qtbot.mouseClick(guide.next_button, LEFT)
    settle(desktop)
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
    guide = open_guide(desktop)
    assert guide.isVisible()
    assert not desktop.window.welcome.isVisible()
    assert QApplication.activeModalWidget() is None
    assert "Step 1 of 4" in words(guide)
    qtbot.mouseClick(guide.skip_button, LEFT)
    assert desktop.window.first_steps.page is None
    assert desktop.window.welcome.isVisible()


def test_enter_goes_through_all_of_it_and_ends_at_the_three_ways_to_begin(
    open_desktop, empty_memory
):
    desktop = open_desktop(empty_memory)
    guide = open_guide(desktop)
    for step in range(4):
        assert guide.step == step
        press_key(desktop, guide.next_button, Qt.Key.Key_Space)
    assert desktop.window.welcome.isVisible()
    assert empty_memory.settings.chosen().get("llm.base_url") is None, "nothing was set up"


def test_the_language_changes_at_once_and_the_step_stays(qtbot, open_desktop, empty_memory):
    desktop = open_desktop(empty_memory, language=None)
    empty_memory.settings.set("ui.language", "en")
    guide = open_guide(desktop)
    chinese = next(b for b in guide.look_step.languages.buttons() if b.text() == "简体中文")
    qtbot.mouseClick(chinese, LEFT)
    qtbot.waitUntil(lambda: desktop.window.first_steps.page not in (None, guide), timeout=20_000)
    settle(desktop)
    assert "欢迎使用 Engram" in words(desktop.window.first_steps.page)
    assert desktop.window.first_steps.page.step == 0


def test_a_tab_that_is_pressed_ends_it(desktop):
    open_guide(desktop)
    click(desktop, desktop.window.top.page_buttons["events"])
    assert desktop.window.first_steps.page is None
    assert desktop.window.event_page.isVisible()


def test_it_is_found_again_among_the_commands_and_in_the_menu_of_libraries(qtbot, desktop):
    menu = desktop.window.libraries
    menu.aboutToShow.emit()
    settle(desktop)
    next(a for a in menu.actions() if a.text() == "First steps…").trigger()
    assert desktop.window.first_steps.page is not None
    desktop.window.show_page("graph")
    assert desktop.window.first_steps.page is None
    QTest.keySequence(desktop.window, QKeySequence("Ctrl+P"))
    settle(desktop)
    panel = desktop.window.finding.panel
    write(desktop, panel.field, "First steps")
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
    settle(desktop)
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


MODELS = json.dumps({"data": [{"id": "qwen3:8b"}, {"id": "gemma3:4b"}]}).encode()


@pytest.fixture
def server():
    """A server of models on the first usual port that is free here; gives its name and address."""

    def models(asked):
        asked.whole(MODELS, "200 OK" if asked.path == "/v1/models" else "404 Not Found")

    for name, port in USUAL_PORTS:
        with contextlib.suppress(OSError), Upstream(models, port) as made:
            yield name, made.url
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
    click(desktop, guide.model_step.presets_button)
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


def test_it_fits_a_small_window(desktop):
    desktop.window.resize(900, 600)
    guide = open_guide(desktop)
    for step in range(4):
        guide.show_step(step)
        settle(desktop)
        corner = guide.next_button.mapTo(guide, QPoint(guide.next_button.width(), 0))
        assert corner.x() <= guide.width()
        assert guide.next_button.mapTo(guide, QPoint()).y() < guide.height() - 20


# While a page is read it says nothing: grey blocks after a moment, never a false "nothing yet".

# What these say while nothing is asked, or nothing has come, is no answer of a look-up.
INVITES = {"recall", "serving"}


@pytest.fixture
def hold():
    """Hold the lanes where pages are read, until it is let go."""
    gates = []

    def hold_lanes(desktop):
        gate = threading.Event()
        gates.append(gate)
        for lane in ("interactive", "follow"):
            desktop.runner.submit("", lambda _ctx: gate.wait(30), lane=lane)
        return gate

    yield hold_lanes
    for gate in gates:
        gate.set()


def words_shown(page):
    return [e._title.text() for e in page.findChildren(EmptyState) if e._words.isVisible()]


def test_no_page_says_that_there_is_nothing_before_it_was_read(qtbot, desktop, hold):
    window = desktop.window
    gate = hold(desktop)
    drawn = set()
    for spec in PAGES:
        window.show_page(spec.name)
        page = window.stack.page(spec.name)
        if spec.name in INVITES or spec.name == "events":  # events are read already
            continue
        assert words_shown(page) == [], spec.name
        blocks = [s for s in page.findChildren(Skeleton) if s.isVisible()]
        if blocks:
            assert not blocks[0].is_drawn, "not at once: it would flash"
            qtbot.waitUntil(lambda b=blocks[0]: b.is_drawn, timeout=20 * PATIENCE_MS)
            drawn.add(spec.name)
    assert {"logs", "books", "state", "play", "graph"} <= drawn
    gate.set()
    settle(desktop)
    for spec in PAGES:
        page = open_page(desktop, spec.name)
        assert not [s for s in page.findChildren(Skeleton) if s.isVisible()], spec.name


def test_another_chat_is_not_empty_before_it_was_read(open_desktop, memory, hold, tmp_path):
    memory.imports.import_file(NullContext(), write_chat(tmp_path / "别的.jsonl", story_rows(40)))
    desktop = open_desktop(memory)
    window = desktop.window
    other = next(c for c in memory.chats.all() if c.chat_id != desktop.workspace.chat_id)
    for spec in PAGES:
        if spec.name in INVITES or spec.name == "books":
            continue
        open_page(desktop, spec.name)
        before = desktop.workspace.chat_id
        gate = hold(desktop)
        desktop.workspace.show_chat(other.chat_id)
        assert words_shown(window.stack.page(spec.name)) == [], spec.name
        gate.set()
        settle(desktop)
        show_chat(desktop, before)


def test_what_is_really_empty_says_so_once_it_was_read(open_desktop, memory, tmp_path):
    chat = import_chat(memory, tmp_path / "空.jsonl", story_rows(4))
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    for name, words in (("logs", "No private logs yet"), ("state", "No state yet")):
        open_page(desktop, name)
        assert words_shown(desktop.window.stack.page(name)) == [words]


# What is made while nobody asks, and what a change of theme does to what is not seen.


def test_every_page_and_panel_is_made_and_dressed_while_nobody_asks(qtbot, desktop):
    stack, names = desktop.window.stack, [spec.name for spec in PAGES]
    shown = desktop.window.page
    desktop.ahead.begin()
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=30_000)
    assert not late.read_next(("engram_desktop.widgets.",))
    assert not stack.make_next(), "nothing is left"
    assert desktop.window.page == shown
    assert all(stack.page(name).styleSheet() for name in names)


def test_pages_are_made_anew_for_a_window_in_another_language(qtbot, open_desktop, memory):
    desktop = open_desktop(memory, language=None)
    desktop.ahead.begin()
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=30_000)
    first = desktop.window
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", "ja"))
    qtbot.waitUntil(lambda: desktop.window is not first, timeout=20_000)
    qtbot.waitUntil(lambda: not desktop.ahead.is_busy, timeout=30_000)
    assert not desktop.window.stack.make_next()


def test_a_page_that_is_not_seen_wears_the_theme_when_it_is_shown(qtbot, desktop):
    window = desktop.window
    open_page(desktop, "graph")
    graph, events = window.stack.page("graph"), window.event_page
    light = graph.styleSheet()
    desktop.look.apply("dark")
    qtbot.waitUntil(lambda: graph.styleSheet() != light, timeout=5_000)
    qtbot.waitUntil(window.updatesEnabled, timeout=5_000)
    assert events.styleSheet() != graph.styleSheet(), "nobody sees it"
    open_page(desktop, "events")
    assert events.styleSheet() == graph.styleSheet() == window.sidebar.styleSheet()
    paper = window.grab().toImage().pixelColor(window.width() // 2, window.height() // 2)
    assert paper.lightness() < 80


def test_a_dialog_wears_the_theme_and_follows_it(qtbot, desktop):
    dialog = opened_by(desktop, desktop.window.dialogs.open_settings)
    light = dialog.styleSheet()
    assert light
    desktop.look.apply("dark")
    qtbot.waitUntil(lambda: dialog.styleSheet() != light, timeout=5_000)
