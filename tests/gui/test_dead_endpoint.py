"""A server that is gone stops a summary at once, with the reason; one press tries all again."""

import json
from typing import Any

from PySide6.QtWidgets import QLabel

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle


def test_a_dead_endpoint_says_why_and_all_is_tried_again(
    qtbot, open_desktop, empty_memory, tmp_path
):
    memory = empty_memory
    values: dict[str, Any] = {"llm.base_url": "http://127.0.0.1:9/v1", "llm.model": "fake"}
    values |= {"summary.interval": 5, "auto.enabled": False, "review.enabled": False}
    for key, value in values.items():
        memory.settings.set(key, value)
    rows = story_rows(205)
    chat = memory.imports.import_file(
        NullContext(), write_chat(tmp_path / "长.jsonl", rows)
    ).chat_id
    desktop = open_desktop(memory)
    desktop.window.models.pipeline.summarise(None, "llm")
    settle(qtbot, desktop)
    (bar,) = [b for b in desktop.window.message_bar.bars if b.notice.kind == "error"]
    said = " ".join(part.text() for part in bar.findChildren(QLabel))
    assert "127.0.0.1:9" in said
    assert "not begun" in said
    assert bar.button.text() == "Try again"
    event = {"summary": "爱丽丝把铜钥匙交给旅人，约好在月光酒馆再见。"}
    with FakeOpenAI(answer=lambda body: json.dumps({"events": [event]})) as server:
        memory.settings.set("llm.base_url", server.url)
        bar.button.click()
        settle(qtbot, desktop)
    counts = memory.events.counts(Line.main(chat))
    assert counts.total == 39, "all 39 blocks"
    assert not [b for b in desktop.window.message_bar.bars if b.notice.kind == "error"]
