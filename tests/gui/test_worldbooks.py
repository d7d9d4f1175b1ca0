"""Worldbooks in the window: taken in like a chat, listed with what each entry does, changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.worldbooks.entry_table import COLUMNS
from tests.gui.waiting import settle
from tests.gui.worldbooks import column_of, open_entries

WORLDBOOK = {
    "entries": {"0": {"uid": 0, "key": ["酒馆"], "comment": "酒馆", "content": "月光酒馆。"}}
}


def write_worldbook(folder: Path) -> Path:
    file = folder / "月光.json"
    file.write_text(json.dumps(WORLDBOOK), "utf-8")
    return file


def test_a_dropped_worldbook_is_shown_and_stored_under_the_name_given(
    qtbot, desktop, memory, tmp_path
):
    file = write_worldbook(tmp_path)
    desktop.window.models.imports.look([file])
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.cards[0].name.setText("酒馆设定")
    dialog.import_button.click()
    settle(qtbot, desktop)
    assert [row.name for row in memory.worldbooks.all()] == ["酒馆设定"]
    desktop.window.models.imports.look([file])
    settle(qtbot, desktop)
    again = desktop.window.dialogs.shown[-1]
    assert again.cards[0].choice() is None
    assert not again.import_button.isEnabled()


def test_memory_is_exported_as_a_worldbook(qtbot, desktop, memory, tmp_path):
    chat = memory.chats.all()[0].chat_id
    desktop.window.models.exports.export(chat, tmp_path / "回忆", "worldbook", ())
    settle(qtbot, desktop)
    written = json.loads((tmp_path / "回忆.json").read_text("utf-8"))
    assert written["name"].startswith("[Engram] ")
    told = [e for e in written["entries"].values() if e["comment"].startswith("剧情摘要_")]
    assert len(told) == len(memory.events.find(chat, EventQuery()))


@pytest.fixture
def page(qtbot, desktop, memory, tmp_path):
    return open_entries(qtbot, desktop, memory, tmp_path)


def test_entries_are_listed_with_what_they_do_now_and_why(page):
    assert column_of(page, "title") == ["企鹅", "沉默", "天气"]
    assert column_of(page, "mode") == ["Triggered", "Triggered", "Constant"]
    now = column_of(page, "now")
    assert now[0].startswith("Fires: “企鹅” is mentioned in ")
    assert now[1].startswith("Silent: None of its keywords is in the last ")
    assert now[2] == "Fires: It is always on."


def test_every_mode_has_its_lamp(desktop, page):
    column = COLUMNS.index("mode")
    drawn = {}
    for row, mode in ((0, "selective"), (2, "constant")):
        option = QStyleOptionViewItem()
        page.view.itemDelegateForColumn(column).initStyleOption(
            option, page.view.model().index(row, column)
        )
        drawn[mode] = option.icon.pixmap(18, 18).toImage().pixelColor(9, 9).name()
    roles = desktop.look.theme.roles
    assert drawn == {
        "selective": roles["green"].lower(),
        "constant": roles["accent"].lower(),
    }


def test_selected_entries_change_together_and_undo_takes_it_back(qtbot, desktop, memory, page):
    page.view.selectAll()
    qtbot.mouseClick(page.mode_buttons["disabled"], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert column_of(page, "mode") == ["Disabled"] * 3
    assert desktop.window.undo_action.text() == "Undo: Edit 3 entries of “设定”"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert column_of(page, "mode") == ["Triggered", "Triggered", "Constant"]
    assert desktop.window.redo_action.isEnabled()
    page.view.selectAll()
    qtbot.keyClick(page.view, Qt.Key.Key_Delete)
    settle(qtbot, desktop)
    assert memory.worldbooks.all()[0].entries == 0
    steps = memory.history.steps(memory.chats.all()[0].chat_id)
    qtbot.keyClick(page.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert memory.worldbooks.all()[0].entries == 3
    assert memory.history.steps(memory.chats.all()[0].chat_id) == steps, "the chat is left alone"
    page.search.setText("天气")
    assert column_of(page, "title") == ["天气"]


def test_an_entry_is_edited_beside_the_list(qtbot, desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    assert panel.title.text() == "企鹅"
    panel.title.setText("企鹅馆")
    panel.content.setPlainText("新的内容。")
    page.view.setCurrentIndex(page.view.model().index(1, 0))
    settle(qtbot, desktop)
    worldbook = memory.worldbooks.read(memory.worldbooks.all()[0].id)
    assert (worldbook.entries[0].comment, worldbook.entries[0].content) == ("企鹅馆", "新的内容。")
    assert worldbook.entries[1].content == "从不出现。"
    assert panel.title.text() == "沉默"


def test_macros_that_mean_nothing_are_marked(qtbot, desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    assert panel.unknown.isHidden()
    panel.content.setPlainText("{{char}} 在 {{weather}}，{{.x = 1}}{{getvar::x}}。{{时间}}")
    panel.content.left.emit()
    settle(qtbot, desktop)
    page.view.setCurrentIndex(page.view.model().index(1, 0))
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    qtbot.waitUntil(lambda: not panel.unknown.isHidden(), timeout=5000)
    assert "{{weather}}" in panel.unknown.text()
    assert "getvar" not in panel.unknown.text()
    assert "{{char}}" not in panel.unknown.text()


def test_an_added_entry_is_shown_and_deleted_ones_are_gone(qtbot, desktop, memory, page):
    qtbot.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert desktop.window.stack.panel("books").title.text() == "New entry"
    assert memory.worldbooks.all()[0].entries == 4
    page.view.selectAll()
    qtbot.mouseClick(page.delete_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.worldbooks.all()[0].entries == 0


def test_a_worldbook_is_bound_to_every_chat_and_removed(qtbot, desktop, memory, page):
    page.everywhere.click()
    settle(qtbot, desktop)
    assert memory.worldbooks.all()[0].is_global
    assert "on in this chat" in page.shelf.item(1).text()
    assert page.here.isChecked()
    assert not page.here.isEnabled(), "it is on everywhere"
    page.everywhere.click()
    settle(qtbot, desktop)
    assert not page.here.isChecked()
    page.here.click()
    settle(qtbot, desktop)
    chat = memory.chats.all()[0].chat_id
    assert [row.id for row in memory.worldbooks.of_chat(Line.main(chat))] == [
        memory.worldbooks.all()[0].id
    ]
    page.here.click()
    settle(qtbot, desktop)
    assert memory.worldbooks.of_chat(Line.main(chat)) == []
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.worldbooks.all() == []


def test_enter_in_the_title_saves_it(qtbot, desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    panel.title.setText("企鹅馆")
    panel.title.submitted.emit()
    settle(qtbot, desktop)
    assert memory.worldbooks.read(memory.worldbooks.all()[0].id).entries[0].comment == "企鹅馆"
