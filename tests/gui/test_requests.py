"""Every request to a model, beside what came back."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.pipeline.usage_dialogs import RequestsDialog, UsageDialog
from tests.fake_openai import FakeOpenAI
from tests.gui import places
from tests.gui.waiting import settle

CTX = NullContext()
KEY = "sk-canary-77"


@pytest.fixture
def server():
    with FakeOpenAI(answer=lambda _body: json.dumps({"level": "CHAT"})) as fake:
        yield fake


def ask(memory, chat, text):
    memory.inject.triage(CTX, Line.main(chat), text)


@pytest.fixture
def asked(memory, server):
    values = {"llm.base_url": server.url, "llm.model": "fake-chat", "keys.storage": "session"}
    for key, value in (values | {"llm.price_in": 2.0, "auto.enabled": False}).items():
        memory.settings.set(key, value)
    memory.endpoints.set_key("llm", KEY)
    chat = memory.chats.all()[0].chat_id
    ask(memory, chat, "<b>你好</b>，爱丽丝")
    return chat


def first_row(dialog):
    row = dialog.list.topLevelItem(0)
    assert row is not None
    return row


def test_requests_are_listed_with_what_was_asked_and_what_came_back(qtbot, asked, desktop):
    usage = places.open_dialog_as(qtbot, desktop, "usage", UsageDialog)
    qtbot.mouseClick(usage.requests_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, RequestsDialog)]
    assert dialog.list.topLevelItemCount() == 1
    row = first_row(dialog)
    assert row.text(2) == "fake-chat"
    assert row.text(7) == "answered"
    assert row.text(5) == "¥0.0020", "what it cost"
    assert "<b>你好</b>，爱丽丝" in dialog.request.toPlainText()
    assert json.loads(dialog.answer.toPlainText()) == {"level": "CHAT"}
    assert KEY not in dialog.request.toPlainText() + dialog.answer.toPlainText()
    ask(desktop.workspace.memory, asked, "第二问")
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 2)
    dialog.list.setCurrentItem(first_row(dialog))
    assert "第二问" in dialog.request.toPlainText()


def test_a_request_that_failed_says_why(qtbot, asked, desktop, server):
    memory = desktop.workspace.memory
    memory.settings.set("llm.base_url", "http://127.0.0.1:9/v1")
    memory.settings.set("llm.timeout", 10)
    with pytest.raises(Exception, match=r"127\.0\.0\.1"):
        ask(memory, asked, "没有人听")
    dialog = places.open_dialog_as(qtbot, desktop, "requests", RequestsDialog)
    row = first_row(dialog)
    assert row.text(7)
    assert row.text(7) != "answered"
    assert "没有人听" in dialog.request.toPlainText()
    assert dialog.answer.toPlainText() == row.text(7)
