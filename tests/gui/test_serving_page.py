"""联动: the server switched on and off, requests as they come through, and what is said of them."""

from __future__ import annotations

import json

import httpx2
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.serving.exchange_panel import ExchangePanel
from engram_desktop.widgets.serving.serving_page import ServingPage
from engram_desktop.widgets.settings.settings_dialog import SettingsDialog, UpstreamKeyForm
from tests.factories import make_extraction, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui import places
from tests.gui.waiting import settle

CTX = NullContext()
ROWS = story_rows(30)
HIDING_PLACE = "爱丽丝把铜钥匙藏进了钟楼的第三块砖后面。"


@pytest.fixture
def upstream():
    with FakeOpenAI(answer=lambda _body: "“在钟楼里。”") as server:
        yield server


@pytest.fixture
def chat(memory, tmp_path, upstream):
    values = {"llm.base_url": upstream.url, "llm.model": "fake-chat", "serve.port": 0}
    for key, value in (values | {"auto.enabled": False, "serve.allowance": 10_000}).items():
        memory.settings.set(key, value)
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "钟楼.jsonl", ROWS)).chat_id
    memory.events.add(Line.main(chat_id), make_extraction(HIDING_PLACE), SourceRange(2, 3))
    return chat_id


@pytest.fixture
def desktop(qtbot, open_desktop, memory, chat):
    made = open_desktop(memory)
    made.workspace.show_chat(chat)
    settle(qtbot, made)
    qtbot.mouseClick(made.window.sidebar.serving, Qt.MouseButton.LeftButton)
    settle(qtbot, made)
    yield made
    made.workspace.server.stop()


@pytest.fixture
def page(desktop):
    return desktop.window.stack.page_as("serving", ServingPage)


@pytest.fixture
def panel(desktop):
    return desktop.window.stack.panel_as("serving", ExchangePanel)


@pytest.fixture
def running(qtbot, desktop, page):
    qtbot.mouseClick(page.card.switch_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desktop.workspace.server.is_running, timeout=20_000)
    settle(qtbot, desktop)
    return desktop.workspace.server.address


def ask(qtbot, desktop, address, messages, path="/chat/completions"):
    """Let a front end ask while the window runs; returns its answer."""
    body = {"model": "fake-chat", "messages": messages}
    job = desktop.runner.submit(
        "",
        lambda _ctx: httpx2.post(
            address.url + path,
            json=body,
            headers={"Authorization": f"Bearer {address.key}"},
            timeout=60,
            trust_env=False,
        ),
        lane="interactive",
    )
    with qtbot.waitSignal(job.succeeded, timeout=60_000) as done:
        pass
    qtbot.waitUntil(
        lambda: all(one.is_finished for one in desktop.workspace.server.exchanges()),
        timeout=20_000,
    )
    settle(qtbot, desktop)
    return done.args[0]


def story_request(question):
    said = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": text}
        for n, (_name, text) in enumerate(ROWS)
    ]
    return [{"role": "system", "content": "你是爱丽丝。"}, *said[10:], question]


QUESTION = {"role": "user", "content": "铜钥匙藏在哪里了？"}


def test_it_is_switched_on_and_off_and_says_where_it_listens(qtbot, desktop, page, running):
    assert running.url in page.card._url.text()
    assert running.key not in page.card._key.text()
    assert page.card._key.text().endswith(running.key[-4:])
    qtbot.mouseClick(page.card.copy_key, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == running.key
    qtbot.mouseClick(page.card.copy_url, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == running.url
    qtbot.mouseClick(page.card.switch_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not desktop.workspace.server.is_running, timeout=20_000)
    settle(qtbot, desktop)
    with pytest.raises(httpx2.TransportError):
        httpx2.get(running.url + "/models", trust_env=False)


def test_another_key_refuses_the_one_before(qtbot, desktop, page, running):
    qtbot.mouseClick(page.card.renew_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desktop.workspace.server.address.key != running.key, timeout=20_000)
    settle(qtbot, desktop)
    answer = ask(qtbot, desktop, running, [QUESTION])
    assert answer.status_code == 401
    assert "Refused" in page.list.topLevelItem(0).text(3)


def test_how_each_program_is_connected_is_said_without_the_key(qtbot, page, running):
    for n in range(page.card.program.count()):
        page.card.program.setCurrentIndex(n)
        assert running.key not in page.card._steps.text()
        assert "{" not in page.card._steps.text()


def test_a_request_shows_its_chat_what_it_was_given_and_the_exact_texts(
    qtbot, desktop, page, panel, running, upstream
):
    answer = ask(qtbot, desktop, running, story_request(QUESTION))
    assert answer.json()["choices"][0]["message"]["content"] == "“在钟楼里。”"
    assert HIDING_PLACE in json.dumps(upstream.bodies()[-1], ensure_ascii=False)
    row = page.list.topLevelItem(0)
    assert "钟楼" in row.text(2)
    assert row.text(3) == "Memory put in"
    page.list.setCurrentItem(row)
    settle(qtbot, desktop)
    assert "钟楼" in panel._chat.text()
    qtbot.mouseClick(panel.bodies_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert HIDING_PLACE not in dialog.before.toPlainText()
    assert HIDING_PLACE in dialog.after.toPlainText()


def test_what_was_said_stands_in_the_chat_afterwards(qtbot, desktop, memory, chat, running):
    ask(qtbot, desktop, running, story_request(QUESTION))
    line = Line.main(chat)
    qtbot.waitUntil(lambda: memory.messages.count(line) == len(ROWS) + 2, timeout=20_000)
    newest = memory.messages.slice(line, len(ROWS), len(ROWS) + 1)
    assert [message.text for message in newest] == [QUESTION["content"], "“在钟楼里。”"]


def test_a_memory_is_not_used_again_when_that_is_said(
    qtbot, desktop, page, panel, memory, chat, running
):
    ask(qtbot, desktop, running, story_request(QUESTION))
    page.list.setCurrentItem(page.list.topLevelItem(0))
    settle(qtbot, desktop)
    hits = desktop.window.models.serving.current.injection.hits
    assert hits
    desktop.window.models.serving.mute(hits[0])
    settle(qtbot, desktop)
    assert [item.ref for item in memory.recall.muted(chat)] == [hits[0].item.ref]


def test_a_request_of_no_known_chat_is_told_which_it_was(
    qtbot, desktop, page, panel, memory, chat, running
):
    strange = [
        {"role": "system", "content": "You are Mira."},
        {"role": "user", "content": "The lighthouse keeper waved at us from the pier."},
        {"role": "assistant", "content": "Mira waved back, squinting into the sun."},
        {"role": "user", "content": "Shall we go up?"},
    ]
    memory.settings.set("serve.keep", value=False)
    ask(qtbot, desktop, running, strange)
    row = page.list.topLevelItem(0)
    assert row.text(3) == "No known chat"
    page.list.setCurrentItem(row)
    settle(qtbot, desktop)
    qtbot.mouseClick(panel.correct_button, Qt.MouseButton.LeftButton)
    menu = panel.findChild(QMenu)
    action = next(a for a in menu.actions() if "钟楼" in a.text())
    action.trigger()
    menu.close()
    settle(qtbot, desktop)
    ask(qtbot, desktop, running, strange)
    assert "钟楼" in page.list.topLevelItem(0).text(2)


def test_the_menu_of_a_row_opens_its_chat(qtbot, desktop, page, running, chat):
    ask(qtbot, desktop, running, story_request(QUESTION))
    row = page.list.topLevelItem(0)
    page.list.setCurrentItem(row)
    settle(qtbot, desktop)
    place = page.list.visualItemRect(row).center()
    page.list.customContextMenuRequested.emit(QPoint(place))
    menu = page.list.findChild(QMenu)
    menu.actions()[0].trigger()
    menu.close()
    settle(qtbot, desktop)
    assert desktop.window.page == "events"


def test_it_is_there_without_any_chat_and_a_click_on_a_chat_leads_back(
    qtbot, open_desktop, empty_memory, desktop
):
    empty = open_desktop(empty_memory).window
    qtbot.mouseClick(empty.sidebar.serving, Qt.MouseButton.LeftButton)
    assert isinstance(empty.stack.pages.currentWidget(), ServingPage)
    window = desktop.window
    assert window.page == "serving"
    index = window.sidebar.list.model().index(0, 0)
    window.sidebar.list.clicked.emit(index)
    assert window.page == "events"


def test_it_starts_with_the_program_when_that_is_wanted(qtbot, open_desktop, memory, chat):
    memory.settings.set("serve.on_start", value=True)
    made = open_desktop(memory)
    qtbot.waitUntil(lambda: made.workspace.server.is_running, timeout=20_000)
    settle(qtbot, made)


def test_a_further_endpoint_gets_a_key_of_its_own(qtbot, desktop):
    dialog = places.open_dialog_as(qtbot, desktop, "settings", SettingsDialog)
    dialog.show_page("serve")
    settle(qtbot, desktop)
    (form,) = dialog.findChildren(UpstreamKeyForm)
    assert form.isHidden()
    desktop.workspace.memory.settings.set("serve.endpoints", "away = https://example.invalid/v1")
    desktop.workspace.hub.publish(Changes(settings=True), None)
    settle(qtbot, desktop)
    assert form.isVisible()
    assert form.name.currentText() == "away"
    assert "own" in form.state.text()
    qtbot.keyClicks(form.key, "sk-away-1")
    form.save_button.click()
    settle(qtbot, desktop)
    assert "stored" in form.state.text()
    assert form.key.text() == ""
    endpoints = desktop.workspace.memory.endpoints
    (upstream,) = endpoints.upstreams()
    assert endpoints.asked_upstream(upstream).key == "sk-away-1"
    form.key.setText("名字")
    form.save_button.click()
    settle(qtbot, desktop)
    assert "stored" not in form.state.text()
    assert endpoints.asked_upstream(upstream).key == "sk-away-1"
