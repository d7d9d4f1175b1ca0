"""The usage page: by day, task and model, with what it cost."""

from __future__ import annotations

import json

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.settings.settings_dialog import SettingPage
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle

CTX = NullContext()
ANSWER = json.dumps({"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]})


def cells(dialog):
    table = dialog.table
    return [
        [table.item(row, column).text() for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def test_calls_are_listed_with_their_cost_and_the_days_limit(
    qtbot, open_desktop, empty_memory, tmp_path
):
    memory = empty_memory
    chat = memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(60))
    ).chat_id
    with FakeOpenAI(answer=lambda body: ANSWER, faults=["garbage", "garbage"]) as llm:
        values = {
            "llm.base_url": llm.url,
            "llm.model": "fake-chat",
            "llm.parallel": 1,
            "llm.price_in": 1.0,
            "llm.price_out": 2.0,
            "llm.daily_tokens": 1_000_000,
        }
        for key, value in values.items():
            memory.settings.set(key, value)
        report = memory.pipeline.summarise(CTX, Line.main(chat))
    assert len(report.failed) == 1
    assert report.llm_calls == 3  # two for the block that failed
    desktop = open_desktop(memory)
    opener = desktop.window.dialogs
    opener.open_settings("cost")
    (page,) = opener.shown[-1].findChildren(SettingPage)
    page.usage_button.click()
    settle(qtbot, desktop)
    dialog = opener.shown[-1]
    (row,) = cells(dialog)
    assert row[1:5] == ["Summaries", "fake-chat", "3", ""]
    assert row[5] == f"{report.prompt_tokens:,}"
    assert row[6] == f"{report.completion_tokens:,}"
    spent = report.prompt_tokens + report.completion_tokens
    money = (report.prompt_tokens + 2 * report.completion_tokens) / 1e6
    assert row[7] == f"¥{money:,.4f}"
    assert dialog.today.text() == f"Today: {spent:,} of 1,000,000 tokens"


def test_nothing_asked_is_said(qtbot, desktop):
    desktop.window.dialogs.open_usage()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert cells(dialog) == []
    assert "No model" in dialog._hint.text()
