"""Looking back, and how much memory a message needs, through the user's door."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import LogQuery
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle

LOG = {"owner": "爱丽丝", "content": "我不该把钥匙给他的。", "emotion_tags": ["后悔"]}


class Model:
    says = json.dumps({"events": [], "logs": [LOG]}, ensure_ascii=False)

    def __call__(self, _body):
        return self.says


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def server(model):
    with FakeOpenAI(answer=model) as fake:
        yield fake


@pytest.fixture
def opened(qtbot, open_desktop, memory, server):
    memory.settings.set("llm.base_url", server.url)
    memory.settings.set("llm.model", "fake-chat")
    desktop = open_desktop(memory)
    desktop.window.show_page("logs")
    settle(qtbot, desktop)
    return desktop


def reflect(qtbot, desktop):
    qtbot.mouseClick(desktop.window.stack.page("logs").reflect_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1]


def shown(desktop):
    return " ".join(bar.notice.text for bar in desktop.window.message_bar.bars)


def test_a_plan_is_shown_then_logs_are_written_and_taken_back(qtbot, opened, memory, model):
    chat = opened.workspace.chat_id
    dialog = reflect(qtbot, opened)
    assert "block" in dialog.plan_text.text()
    assert "once per character and block" in dialog.plan_hint.text()
    dialog.choice_of_floors.range_button.click()
    dialog.choice_of_floors.range.last.setValue(4)
    settle(qtbot, opened)
    assert "1 block, floors 0–4" in dialog.plan_text.text()
    qtbot.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
    settle(qtbot, opened)
    keys = memory.logs.find(chat, LogQuery())
    assert [log.content for log in memory.logs.fetch(chat, keys).values()] == [LOG["content"]]
    assert opened.window.stack.page("logs").view.model().rowCount() == 1
    assert "0 events made, 1 private log written." in shown(opened)
    opened.window.models.undo.undo()
    settle(qtbot, opened)
    assert opened.window.stack.page("logs").view.model().rowCount() == 0


def test_an_answer_that_cannot_be_read_is_said(qtbot, opened, model):
    model.says = "当然可以！"
    dialog = reflect(qtbot, opened)
    qtbot.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
    settle(qtbot, opened)
    assert "Looking back stopped at floors 0–" in shown(opened)


def test_without_a_model_the_dialog_says_what_is_missing(qtbot, desktop):
    desktop.window.show_page("logs")
    dialog = reflect(qtbot, desktop)
    assert not dialog.start_button.isEnabled()
    assert "needs a model" in dialog.plan_hint.text()


def test_an_injection_says_what_the_message_needs(qtbot, opened, memory, model):
    memory.settings.set("inject.triage", value=True)
    model.says = json.dumps({"level": "ROUTINE", "reasoning": "again", "directives": {"a": "b"}})
    opened.window.show_page("recall")
    settle(qtbot, opened)
    page = opened.window.stack.page("recall")
    opened.window.models.recall.ask("早安", top_k=5, kinds=("turn", "event"), budget=None)
    settle(qtbot, opened)
    told = page.panel.triage
    assert told.text() == "A small gesture: only what is always visible.\nagain\na: b"
    model.says = "?"
    opened.window.models.recall.ask("早安", top_k=5, kinds=("turn", "event"), budget=None)
    settle(qtbot, opened)
    assert "could not be asked" in told.text()
    assert "names no level" in told.text()
