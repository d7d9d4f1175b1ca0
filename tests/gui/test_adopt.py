"""Memories other tools left, in the window: looked at tool by tool, ticked, taken over, undone."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.messages import Notice
from tests.gui.waiting import settle
from tests.tavern import TavernChatFile


@pytest.fixture
def chat(tmp_path, desktop, qtbot, memory):
    file = TavernChatFile(tmp_path / "chats" / "白兔" / "白兔.jsonl", "白兔")
    file.say(*(f"白兔第{n}次看了看怀表。" for n in range(12)))
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "白兔看了怀表。"}}
    file.rows[4]["variables"] = [{"stat_data": {"白兔": {"焦急": [80, "0到100"]}}}]
    file.save()
    chat_id = memory.imports.import_file(NullContext(), file.path).chat_id
    desktop.workspace.show_chat(chat_id)
    settle(qtbot, desktop)
    return chat_id


@pytest.fixture
def dialog(qtbot, desktop, chat):
    desktop.window.sidebar.adopt_wanted.emit(chat)
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[0]


@pytest.fixture
def worldbook(tmp_path):
    path = tmp_path / "记忆.json"
    entry = {"stmemorybooks": True, "content": "茶会散了。", "STMB_start": 6, "STMB_end": 9}
    path.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    return path


def tools(dialog):
    tops = [dialog.tree.topLevelItem(n) for n in range(dialog.tree.topLevelItemCount())]
    return {top.text(0): top for top in tops}


def summaries(memory, chat_id):
    found = memory.events.fetch(chat_id, memory.events.find(chat_id, EventQuery()))
    return {event.summary for event in found.values()}


def test_everything_is_shown_before_it_happens(qtbot, desktop, dialog, chat, memory):
    assert {name: top.text(2) for name, top in tools(dialog).items()} == {
        "qvink": "1 new",
        "MVU": "1 new",
    }
    dialog.tree.setCurrentItem(tools(dialog)["MVU"].child(0))
    assert dialog.text.toPlainText().startswith("白兔: 焦急 80\n\nMVU · 白兔 · 4")
    assert summaries(memory, chat) == set()
    tools(dialog)["MVU"].setCheckState(0, Qt.CheckState.Unchecked)
    assert dialog.apply_button.text() == "Take over 1 memory"
    told: list[Notice] = []
    desktop.workspace.messages.posted.connect(told.append)
    dialog.apply_button.click()
    settle(qtbot, desktop)
    assert told[-1].text == "1 memory taken over"
    assert summaries(memory, chat) == {"白兔看了怀表。"}
    assert tools(dialog)["qvink"].text(2) == "1 known already"
    assert tools(dialog)["MVU"].checkState(0) == Qt.CheckState.Checked
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert summaries(memory, chat) == set()


def test_files_are_looked_through_too(qtbot, desktop, dialog, chat, memory, worldbook, tmp_path):
    dialog.add_files([worldbook, tmp_path / "missing.json"])
    settle(qtbot, desktop)
    assert tools(dialog)["MemoryBooks"].child(0).text(1) == "6–9"
    assert "missing.json" in dialog._trouble.text()
    dialog.apply_button.click()
    settle(qtbot, desktop)
    assert "茶会散了。" in summaries(memory, chat)


def test_a_file_of_memories_dropped_on_the_window_is_offered_to_the_chat_shown(
    qtbot, desktop, chat, memory, tmp_path
):
    path = tmp_path / "Engram_sync_1.json"
    event = {"summary": "茶会散了。", "source_range": {"start_index": 3, "end_index": 5}}
    path.write_text(json.dumps({"events": [event], "entities": [], "meta": {}}), "utf-8")
    desktop.window.import_files([path])
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert tools(dialog)["Engram"].text(2) == "1 new"
    dialog.apply_button.click()
    settle(qtbot, desktop)
    assert "茶会散了。" in summaries(memory, chat)
    pk = memory.events.find(chat, EventQuery(text="茶会散了"))[0]
    desktop.window.models.editor.show_event(pk)
    settle(qtbot, desktop)
    assert desktop.window.editor._where.text().endswith("Engram · Engram_sync_1.json")


def test_a_chat_without_such_memories_says_what_can_be_chosen(qtbot, desktop, memory):
    chat_id = desktop.workspace.chat_id
    desktop.window.dialogs.open_adopt(chat_id)
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert "Nothing of a known tool" in dialog._empty.text()
    assert not dialog.apply_button.isEnabled()


def test_memories_in_a_chat_just_imported_are_offered(qtbot, desktop, memory, tmp_path):
    file = TavernChatFile(tmp_path / "chats" / "睡鼠" / "睡鼠.jsonl", "睡鼠")
    file.say(*(f"睡鼠第{n}次睡着了。" for n in range(6)))
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "睡鼠睡着了。"}}
    file.save()
    told: list[Notice] = []
    desktop.workspace.messages.posted.connect(told.append)
    desktop.window.models.imports.run(file.path, into=None, name=None)
    settle(qtbot, desktop)
    assert [notice.text for notice in told][-1] == "Memories of other tools were found: qvink 1"
    assert told[-1].action is not None
    told[-1].action()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert tools(dialog)["qvink"].text(2) == "1 new"
