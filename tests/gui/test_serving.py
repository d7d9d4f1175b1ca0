"""The memory server, requests, usage and logs."""

from __future__ import annotations

import faulthandler
import json
import logging
import os
from typing import get_args

import httpx2
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from engram_desktop.app import diagnostics
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import LogPatch, LogQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.serving.exchange import Outcome
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.serving import TINTS, outcome_meaning, outcome_words
from engram_desktop.widgets.pipeline.usage_dialogs import RequestsDialog, UsageDialog
from engram_desktop.widgets.serving import ExchangePanel, ServingPage
from engram_desktop.widgets.settings import SettingPage, SettingsDialog, UpstreamKeyForm
from tests.factories import import_chat, make_extraction, model_at, set_all, story_rows
from tests.fake_openai import FakeOpenAI
from tests.fixtures import fake_llm
from tests.gui import places
from tests.gui.waiting import click, commit, open_page, opened_by, press_key, settle, show_chat

# 联动: the server switched on and off, requests as they come through, and what is said of them.

CTX = NullContext()
ROWS = story_rows(30)
HIDING_PLACE = "爱丽丝把铜钥匙藏进了钟楼的第三块砖后面。"


upstream = fake_llm(lambda _body: "“在钟楼里。”")


@pytest.fixture
def chat(memory, tmp_path, upstream):
    values = {**model_at(upstream.url), "serve.port": 0}
    set_all(memory, values | {"auto.enabled": False, "serve.allowance": 10_000})
    chat_id = import_chat(memory, tmp_path / "钟楼.jsonl", ROWS)
    memory.events.add(Line.main(chat_id), make_extraction(HIDING_PLACE), SourceRange(2, 3))
    return chat_id


@pytest.fixture
def serving_desktop(open_desktop, memory, chat):
    made = open_desktop(memory)
    show_chat(made, chat)
    click(made, made.window.sidebar.serving)
    yield made
    made.workspace.server.stop()


@pytest.fixture
def page(serving_desktop):
    return serving_desktop.window.stack.page_as("serving", ServingPage)


@pytest.fixture
def panel(serving_desktop):
    return serving_desktop.window.stack.panel_as("serving", ExchangePanel)


@pytest.fixture
def running(qtbot, serving_desktop, page):
    qtbot.mouseClick(page.card.switch_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: serving_desktop.workspace.server.is_running, timeout=20_000)
    settle(serving_desktop)
    return serving_desktop.workspace.server.address


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
    settle(desktop)
    return done.args[0]


def story_request(question):
    said = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": text}
        for n, (_name, text) in enumerate(ROWS)
    ]
    return [{"role": "system", "content": "你是爱丽丝。"}, *said[10:], question]


QUESTION = {"role": "user", "content": "铜钥匙藏在哪里了？"}


def test_it_is_switched_on_and_off_and_says_where_it_listens(qtbot, serving_desktop, page, running):
    assert running.url in page.card._url.text()
    assert running.key not in page.card._key.text()
    assert page.card._key.text().endswith(running.key[-4:])
    qtbot.mouseClick(page.card.copy_key, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == running.key
    qtbot.mouseClick(page.card.copy_url, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == running.url
    qtbot.mouseClick(page.card.switch_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not serving_desktop.workspace.server.is_running, timeout=20_000)
    settle(serving_desktop)
    with pytest.raises(httpx2.TransportError):
        httpx2.get(running.url + "/models", trust_env=False)


@pytest.mark.parametrize("width", [900, 1100, 1440])
def test_the_requests_need_no_scrolling_sideways_and_cut_texts_are_in_tooltips(
    qtbot, serving_desktop, page, running, width
):
    ask(qtbot, serving_desktop, running, [QUESTION])
    window, view = serving_desktop.window, page.list
    window.resize(width, 600)
    settle(serving_desktop)
    header = view.header()
    assert header.length() <= view.viewport().width()
    shown = [n for n in range(header.count()) if not header.isSectionHidden(n)]
    assert {0, 2, 3, 6} <= set(shown)
    assert all(header.sectionSize(n) >= 60 for n in shown)
    row = view.topLevelItem(0)
    assert all(row.toolTip(n) == row.text(n) for n in shown)


def test_another_key_refuses_the_one_before(qtbot, serving_desktop, page, running):
    qtbot.mouseClick(page.card.renew_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: serving_desktop.workspace.server.address.key != running.key, timeout=20_000
    )
    settle(serving_desktop)
    answer = ask(qtbot, serving_desktop, running, [QUESTION])
    assert answer.status_code == 401
    assert "Refused" in page.list.topLevelItem(0).text(3)


def test_how_each_program_is_connected_is_said_without_the_key(page, running):
    for n in range(page.card.program.count()):
        page.card.program.setCurrentIndex(n)
        assert running.key not in page.card._steps.text()
        assert "{" not in page.card._steps.text()


def test_a_request_shows_its_chat_what_it_was_given_and_the_exact_texts(
    qtbot, serving_desktop, page, panel, running, upstream
):
    answer = ask(qtbot, serving_desktop, running, story_request(QUESTION))
    assert answer.json()["choices"][0]["message"]["content"] == "“在钟楼里。”"
    assert HIDING_PLACE in json.dumps(upstream.bodies()[-1], ensure_ascii=False)
    row = page.list.topLevelItem(0)
    assert "钟楼" in row.text(2)
    assert row.text(3) == "Memory put in"
    page.list.setCurrentItem(row)
    settle(serving_desktop)
    assert "钟楼" in panel._chat.text()
    click(serving_desktop, panel.bodies_button)
    dialog = serving_desktop.window.dialogs.shown[-1]
    assert HIDING_PLACE not in dialog.before.toPlainText()
    assert HIDING_PLACE in dialog.after.toPlainText()


def test_a_memory_that_a_full_context_shortened_is_told_of(
    qtbot, serving_desktop, page, panel, running, memory
):
    memory.settings.set("serve.context", 3_000)
    ask(qtbot, serving_desktop, running, story_request(QUESTION))
    page.list.setCurrentItem(page.list.topLevelItem(0))
    settle(serving_desktop)
    given, wanted = serving_desktop.workspace.server.exchanges()[0].shortened
    told = f"memory shortened from {wanted} to {given} tokens: the model's context was full"
    assert told in panel._figures.text()


def test_what_was_said_stands_in_the_chat_afterwards(qtbot, serving_desktop, memory, chat, running):
    ask(qtbot, serving_desktop, running, story_request(QUESTION))
    line = Line.main(chat)
    qtbot.waitUntil(lambda: memory.messages.count(line) == len(ROWS) + 2, timeout=20_000)
    newest = memory.messages.slice(line, len(ROWS), len(ROWS) + 1)
    assert [message.text for message in newest] == [QUESTION["content"], "“在钟楼里。”"]


def test_a_memory_is_not_used_again_when_that_is_said(
    qtbot, serving_desktop, page, panel, memory, chat, running
):
    ask(qtbot, serving_desktop, running, story_request(QUESTION))
    page.list.setCurrentItem(page.list.topLevelItem(0))
    settle(serving_desktop)
    hits = serving_desktop.window.models.serving.current.injection.hits
    assert hits
    serving_desktop.window.models.serving.mute(hits[0])
    settle(serving_desktop)
    assert [item.ref for item in memory.recall.muted(chat)] == [hits[0].item.ref]


def test_a_request_of_no_known_chat_is_told_which_it_was(
    qtbot, serving_desktop, page, panel, memory, running
):
    strange = [
        {"role": "system", "content": "You are Mira."},
        {"role": "user", "content": "The lighthouse keeper waved at us from the pier."},
        {"role": "assistant", "content": "Mira waved back, squinting into the sun."},
        {"role": "user", "content": "Shall we go up?"},
    ]
    memory.settings.set("serve.keep", value=False)
    ask(qtbot, serving_desktop, running, strange)
    row = page.list.topLevelItem(0)
    assert row.text(3) == "No known chat"
    page.list.setCurrentItem(row)
    settle(serving_desktop)
    qtbot.mouseClick(panel.correct_button, Qt.MouseButton.LeftButton)
    menu = panel.findChild(QMenu)
    action = next(a for a in menu.actions() if "钟楼" in a.text())
    action.trigger()
    menu.close()
    settle(serving_desktop)
    ask(qtbot, serving_desktop, running, strange)
    assert "钟楼" in page.list.topLevelItem(0).text(2)


def test_the_menu_of_a_row_opens_its_chat(qtbot, serving_desktop, page, running):
    ask(qtbot, serving_desktop, running, story_request(QUESTION))
    row = page.list.topLevelItem(0)
    page.list.setCurrentItem(row)
    settle(serving_desktop)
    place = page.list.visualItemRect(row).center()
    page.list.customContextMenuRequested.emit(QPoint(place))
    menu = page.list.findChild(QMenu)
    menu.actions()[0].trigger()
    menu.close()
    settle(serving_desktop)
    assert serving_desktop.window.page == "events"


def test_it_is_there_without_any_chat_and_a_click_on_a_chat_leads_back(
    qtbot, open_desktop, empty_memory, serving_desktop
):
    empty = open_desktop(empty_memory).window
    qtbot.mouseClick(empty.sidebar.serving, Qt.MouseButton.LeftButton)
    assert isinstance(empty.stack.current, ServingPage)
    window = serving_desktop.window
    assert window.page == "serving"
    index = window.sidebar.list.model().index(0, 0)
    window.sidebar.list.clicked.emit(index)
    assert window.page == "events"


def test_it_starts_with_the_program_when_that_is_wanted(qtbot, open_desktop, memory, chat):
    memory.settings.set("serve.on_start", value=True)
    made = open_desktop(memory)
    qtbot.waitUntil(lambda: made.workspace.server.is_running, timeout=20_000)
    settle(made)


def test_a_further_endpoint_gets_a_key_of_its_own(qtbot, serving_desktop):
    dialog = places.open_dialog_as(qtbot, serving_desktop, "settings", SettingsDialog)
    dialog.show_page("serve")
    settle(serving_desktop)
    (form,) = dialog.findChildren(UpstreamKeyForm)
    assert form.isHidden()
    serving_desktop.workspace.memory.settings.set(
        "serve.endpoints", "away = https://example.invalid/v1"
    )
    serving_desktop.workspace.hub.publish(Changes(settings=True), None)
    settle(serving_desktop)
    assert form.isVisible()
    assert form.name.currentText() == "away"
    assert "own" in form.state.text()
    qtbot.keyClicks(form.key, "sk-away-1")
    click(serving_desktop, form.save_button)
    assert "stored" in form.state.text()
    assert form.key.text() == ""
    endpoints = serving_desktop.workspace.memory.endpoints
    (upstream,) = endpoints.upstreams()
    assert endpoints.asked_upstream(upstream).key == "sk-away-1"
    form.key.setText("名字")
    click(serving_desktop, form.save_button)
    assert "stored" not in form.state.text()
    assert endpoints.asked_upstream(upstream).key == "sk-away-1"


# Every request to a model, beside what came back.

KEY = "sk-canary-77"


server = fake_llm(lambda _body: json.dumps({"level": "CHAT"}))


def ask_model(memory, chat, text):
    memory.inject.triage(CTX, Line.main(chat), text)


@pytest.fixture
def asked(memory, server):
    values = {**model_at(server.url), "keys.storage": "session"}
    set_all(memory, values | {"llm.price_in": 2.0, "auto.enabled": False})
    memory.endpoints.set_key("llm", KEY)
    chat = memory.chats.all()[0].chat_id
    ask_model(memory, chat, "<b>你好</b>，爱丽丝")
    return chat


def first_row(dialog):
    row = dialog.list.topLevelItem(0)
    assert row is not None
    return row


def test_requests_are_listed_with_what_was_asked_and_what_came_back(qtbot, asked, desktop):
    usage = places.open_dialog_as(qtbot, desktop, "usage", UsageDialog)
    click(desktop, usage.requests_button)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, RequestsDialog)]
    assert dialog.list.topLevelItemCount() == 1
    row = first_row(dialog)
    assert row.text(2) == "fake-chat"
    assert row.text(7) == "answered"
    assert row.text(5) == "¥0.0020", "what it cost"
    assert "<b>你好</b>，爱丽丝" in dialog.request.toPlainText()
    assert json.loads(dialog.answer.toPlainText()) == {"level": "CHAT"}
    assert KEY not in dialog.request.toPlainText() + dialog.answer.toPlainText()
    ask_model(desktop.workspace.memory, asked, "第二问")
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 2)
    dialog.list.setCurrentItem(first_row(dialog))
    assert "第二问" in dialog.request.toPlainText()


def test_a_request_that_failed_says_why(qtbot, asked, desktop):
    memory = desktop.workspace.memory
    memory.settings.set("llm.base_url", "http://127.0.0.1:9/v1")
    memory.settings.set("llm.timeout", 10)
    with pytest.raises(Exception, match=r"127\.0\.0\.1"):
        ask_model(memory, asked, "没有人听")
    dialog = places.open_dialog_as(qtbot, desktop, "requests", RequestsDialog)
    row = first_row(dialog)
    assert row.text(7)
    assert row.text(7) != "answered"
    assert "没有人听" in dialog.request.toPlainText()
    assert dialog.answer.toPlainText() == row.text(7)


# The usage page: by day, task and model, with what it cost.

ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]})


def cells(dialog):
    table = dialog.table
    return [
        [table.item(row, column).text() for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def test_calls_are_listed_with_their_cost_and_the_days_limit(open_desktop, empty_memory, tmp_path):
    memory = empty_memory
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    with FakeOpenAI(answer=lambda body: ANSWER, faults=["garbage", "garbage"]) as llm:
        values = {
            **model_at(llm.url),
            "llm.parallel": 1,
            "llm.price_in": 1.0,
            "llm.price_out": 2.0,
            "llm.daily_tokens": 1_000_000,
        }
        set_all(memory, values)
        report = memory.pipeline.summarise(CTX, Line.main(chat))
    assert len(report.failed) == 1
    assert report.llm_calls == 3  # two for the block that failed
    desktop = open_desktop(memory)
    opener = desktop.window.dialogs
    opener.open_settings("cost")
    (page,) = opener.shown[-1].findChildren(SettingPage)
    click(desktop, page.usage_button)
    dialog = opener.shown[-1]
    (row,) = cells(dialog)
    assert row[1:5] == ["Summaries", "fake-chat", "3", ""]
    assert row[5] == f"{report.prompt_tokens:,}"
    assert row[6] == f"{report.completion_tokens:,}"
    spent = report.prompt_tokens + report.completion_tokens
    money = (report.prompt_tokens + 2 * report.completion_tokens) / 1e6
    assert row[7] == f"¥{money:,.4f}"
    assert dialog.today.text() == f"Today: {spent:,} of 1,000,000 tokens"


def test_nothing_asked_is_said(desktop):
    dialog = opened_by(desktop, desktop.window.dialogs.open_usage)
    assert cells(dialog) == []
    assert "No model" in dialog._hint.text()


# The page of private logs through the user's door.


@pytest.fixture
def log_page(desktop):
    return open_page(desktop, "logs")


@pytest.fixture
def log_chat(desktop):
    return desktop.workspace.chat_id


def write_one(desktop, page, owner, text):
    page.add_button.click()
    dialog = desktop.window.dialogs.shown[-1]
    assert not dialog.save_button.isEnabled()
    dialog.owner.setFocus()
    commit(dialog.owner, owner)
    commit(dialog.content, text)
    dialog.floors.first.setValue(3)
    dialog.owner.completer().popup().hide()
    dialog.save_button.click()
    desktop.window.activateWindow()
    settle(desktop)


def logs_of(memory, chat, **query):
    keys = memory.logs.find(chat, LogQuery(**query))
    found = memory.logs.fetch(chat, keys)
    return [found[key] for key in keys]


def test_an_entry_is_written_shown_edited_and_taken_back(desktop, log_page, memory, log_chat):
    write_one(desktop, log_page, "爱丽丝", "我想再去一次水族馆。")
    (log,) = logs_of(memory, log_chat)
    assert (log.owner, log.source_range.start_index) == ("爱丽丝", 3)
    panel = desktop.window.stack.panel("logs")
    assert panel.content.toPlainText() == "我想再去一次水族馆。"
    panel.content.setPlainText("算了，不去了。")
    press_key(desktop, desktop.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert logs_of(memory, log_chat)[0].content == "算了，不去了。"
    press_key(desktop, desktop.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert logs_of(memory, log_chat)[0].content == "我想再去一次水族馆。"
    assert panel.content.toPlainText() == "我想再去一次水族馆。"


def test_a_condition_is_asked_for_before_it_is_saved(desktop, log_page, memory, log_chat):
    write_one(desktop, log_page, "凯尔", "我不会说的。")
    panel = desktop.window.stack.panel("logs")
    panel.scope.setCurrentIndex(panel.scope.findData("conditional"))
    panel.scope.activated.emit(panel.scope.currentIndex())
    settle(desktop)
    assert logs_of(memory, log_chat)[0].scope == "private"
    commit(panel.condition, "trust > 80")
    panel.condition.submitted.emit()
    settle(desktop)
    (log,) = logs_of(memory, log_chat)
    assert (log.scope, log.condition) == ("conditional", "trust > 80")
    assert panel.verdict.text() == "No character may know it: the state holds no trust."
    memory.state.set(Line.main(log_chat), ("trust",), 81)
    desktop.window.models.logs.show_log(log.pk)
    settle(desktop)
    assert panel.verdict.text() == "It holds now: everybody may know it."


def test_what_was_typed_is_saved_when_another_entry_is_shown(desktop, log_page, memory, log_chat):
    for owner in ("爱丽丝", "凯尔"):
        patch = LogPatch(owner, f"{owner}的心事。", source_range=SourceRange(1, 2))
        memory.logs.add(Line.main(log_chat), patch)
    desktop.window.models.logs.read()
    settle(desktop)
    log_page.view.show_row(0)
    desktop.window.stack.panel("logs").content.setPlainText("想说的话。")
    log_page.view.show_row(1)
    settle(desktop)
    assert [log.content for log in logs_of(memory, log_chat)] == ["想说的话。", "凯尔的心事。"]
    assert desktop.window.stack.panel("logs").content.toPlainText() == "凯尔的心事。"


def test_entries_are_narrowed_by_owner_and_deleted_by_key(desktop, log_page, memory, log_chat):
    for owner in ("爱丽丝", "凯尔"):
        patch = LogPatch(owner, f"{owner}的心事。", source_range=SourceRange(1, 2))
        memory.logs.add(Line.main(log_chat), patch)
    desktop.window.models.logs.filter_owner("凯尔")
    settle(desktop)
    assert log_page.view.model().rowCount() == 1
    log_page.view.show_row(0)
    press_key(desktop, log_page.view, Qt.Key.Key_Delete)
    assert [log.owner for log in logs_of(memory, log_chat)] == ["爱丽丝"]
    desktop.window.models.logs.search("没有这样的话")
    desktop.window.models.logs.filter_owner(None)
    settle(desktop)
    assert log_page.view.model().rowCount() == 0


# Logs and crash reports are for their owner alone, also after a new file was begun.


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_logs_are_for_their_owner_alone(tmp_path):
    before, root = os.umask(0), logging.getLogger()
    handlers, level = list(root.handlers), root.level
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "engram.log.1").write_text("earlier")
    try:
        diagnostics.start_logging(folder)
        [to_file] = [h for h in root.handlers if isinstance(h, diagnostics._PrivateFile)]
        logging.getLogger("engram").info("one")
        to_file.doRollover()
        logging.getLogger("engram").info("two")
        diagnostics.watch_crashes(folder).close()
        modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    finally:
        faulthandler.disable()
        os.umask(before)
        for handler in [h for h in root.handlers if h not in handlers]:
            root.removeHandler(handler)
            handler.close()
        root.setLevel(level)
    assert modes.pop("log") == 0o700
    assert len(modes) >= 3
    assert set(modes.values()) == {0o600}


def test_a_log_that_cannot_begin_a_new_file_goes_on_in_the_old_one(tmp_path):
    (tmp_path / "engram.log.1" / "held").mkdir(parents=True)  # can be neither deleted nor replaced
    log = diagnostics._PrivateFile(
        tmp_path / "engram.log", maxBytes=100, backupCount=1, encoding="utf-8"
    )
    try:
        for number in range(5):
            log.emit(logging.LogRecord("a", logging.INFO, "", 1, f"{number} " * 30, None, None))
    finally:
        log.close()
    lines = (tmp_path / "engram.log").read_text("utf-8").splitlines()
    assert [line[0] for line in lines] == ["0", "1", "2", "3", "4"]


def test_a_chroma_server_gets_a_token(qtbot, serving_desktop):
    dialog = places.open_dialog_as(qtbot, serving_desktop, "settings", SettingsDialog)
    dialog.show_page("index")
    settle(serving_desktop)
    (form,) = dialog.findChildren(UpstreamKeyForm)
    assert form.isHidden(), "vectors are on this computer"
    memory = serving_desktop.workspace.memory
    memory.settings.set("keys.storage", "session")
    memory.settings.set("index.server", "https://chroma.example")
    serving_desktop.workspace.hub.publish(Changes(settings=True), None)
    settle(serving_desktop)
    assert form.isVisible()
    qtbot.keyClicks(form.key, "a-token")
    click(serving_desktop, form.save_button)
    assert "stored" in form.state.text()
    assert memory.endpoints.has_key("index")
    assert form.key.text() == ""


def test_whatever_became_of_a_request_has_a_colour_and_words(desktop):
    outcomes = get_args(Outcome)
    assert set(TINTS) == set(outcomes)
    assert len({outcome_words(outcome) for outcome in outcomes}) == len(outcomes)
    assert all(outcome_meaning(outcome) for outcome in outcomes)
