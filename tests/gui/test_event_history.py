"""The tab of the editor that says what an event was."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.events.editor_panel import EventHistoryView
from tests.factories import make_extraction, story_rows, write_chat
from tests.gui.waiting import settle

CTX = NullContext()
HISTORY_TAB = 4


@pytest.fixture
def shown(qtbot, memory, tmp_path, open_desktop):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(30))
    chat = memory.imports.import_file(CTX, file).chat_id
    pk, _changes = memory.events.add(
        Line.main(chat), make_extraction("爱丽丝拾到<b>铜钥匙</b>。"), SourceRange(2, 5)
    )
    memory.events.update(chat, pk, EventPatch(summary="爱丽丝藏起<b>铜钥匙</b>。", details="钟楼"))
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    settle(qtbot, desktop)
    panel = desktop.window.panel.currentWidget()
    desktop.window.models.editor.show_event(pk)
    panel.show_tab(HISTORY_TAB)
    settle(qtbot, desktop)
    (view,) = panel.findChildren(EventHistoryView)
    return desktop, chat, pk, view


def test_versions_are_listed_with_what_each_changed(qtbot, shown):
    _desktop, _chat, _pk, view = shown
    assert view.list.count() == 2
    view.list.setCurrentRow(0)
    text = view.change.toPlainText()
    assert "拾到藏起<b>铜钥匙</b>" in text, "what went, what came, and markup as it was written"
    assert "钟楼" in text
    assert not view.restore_button.isEnabled(), "it is so already"
    view.list.setCurrentRow(1)
    assert "爱丽丝拾到" in view.change.toPlainText()


def test_going_back_is_a_step_that_can_be_undone(qtbot, shown):
    desktop, chat, pk, view = shown
    view.list.setCurrentRow(1)
    view.restore_button.click()
    settle(qtbot, desktop)
    memory = desktop.workspace.memory
    assert memory.events.fetch(chat, [pk])[pk].summary == "爱丽丝拾到<b>铜钥匙</b>。"
    assert view.list.count() == 3
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert memory.events.fetch(chat, [pk])[pk].summary == "爱丽丝藏起<b>铜钥匙</b>。"
    assert view.list.count() == 2


def test_seen_as_somebody_nothing_of_the_past_is_shown(qtbot, shown):
    desktop, _chat, pk, view = shown
    desktop.workspace.view_as("爱丽丝")
    settle(qtbot, desktop)
    desktop.window.models.editor.show_event(pk)
    settle(qtbot, desktop)
    assert view.list.count() == 0
    assert "钟楼" not in view.change.toPlainText()
