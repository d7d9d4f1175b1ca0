"""What is done to worldbooks is taken back: by the page it was done on, and only that."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from tests.gui.waiting import settle
from tests.gui.worldbooks import column_of, last_bar, open_entries, stored, undo_key


@pytest.fixture
def page(qtbot, desktop, memory, tmp_path):
    return open_entries(qtbot, desktop, memory, tmp_path)


def test_a_deleted_worldbook_comes_back_with_its_bindings(qtbot, desktop, memory, page):
    window, chat = desktop.window, desktop.workspace.chat_id
    page.here.click()
    settle(qtbot, desktop)
    (row,) = memory.worldbooks.all()
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert last_bar(desktop).notice.text == "The world book “设定” was deleted"
    undo_key(qtbot, window)
    settle(qtbot, desktop)
    assert last_bar(desktop).notice.text == "Undone: Delete the world book “设定”"
    assert [one.id for one in memory.worldbooks.of_chat(Line.main(chat))] == [row.id]
    assert len(window.message_bar.bars) == 1, "what was said before is no longer so"
    assert column_of(page, "title") == ["企鹅", "沉默", "天气"], "it is shown again"
    assert page.here.isChecked()
    qtbot.mouseClick(last_bar(desktop).button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.worldbooks.all() == [], "the message's own button does it again"
    window.undo_action.trigger()
    settle(qtbot, desktop)
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    qtbot.mouseClick(last_bar(desktop).button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.worldbooks.all() == [row]


def give_name(qtbot, desktop, name):
    dialog = desktop.window.dialogs.shown[-1]
    dialog.name.setText(name)
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    desktop.window.activateWindow()  # a window manager does that
    qtbot.waitUntil(desktop.window.isActiveWindow)
    settle(qtbot, desktop)


def test_a_worldbook_and_a_chat_are_renamed_and_that_is_taken_back(qtbot, desktop, memory, page):
    page.shelf.setFocus()
    qtbot.keyClick(desktop.window, Qt.Key.Key_F2)
    give_name(qtbot, desktop, "世界观")
    assert page.shelf.item(1).text().startswith("世界观 · ")
    desktop.window.sidebar.rename_wanted.emit(desktop.window.models.chats.current)
    give_name(qtbot, desktop, "另一个名字")
    assert last_bar(desktop).notice.text == "The chat is called “另一个名字” now"
    for _ in range(2):
        undo_key(qtbot, desktop.window)
        settle(qtbot, desktop)
    assert memory.worldbooks.all()[0].name == "设定"
    assert desktop.window.models.chats.current.name == "月光酒馆"


def test_the_button_of_a_message_never_takes_back_something_else(qtbot, desktop, memory, page):
    worldbook = memory.worldbooks.all()[0].id
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    qtbot.mouseClick(page.delete_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    button = last_bar(desktop).button
    page.everywhere.click()
    settle(qtbot, desktop)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.worldbooks.find(worldbook).is_global
    shown = desktop.window.dialogs.shown[-1]
    assert shown.windowTitle() == "History of the library"
    told = [shown.list.item(n).text() for n in range(shown.list.count())]
    assert told[0].endswith("Switch “设定” on in every chat")
    assert told[1].endswith("Delete the entry “企鹅” of “设定”")
    for _ in range(2):
        qtbot.mouseClick(shown.undo_button, Qt.MouseButton.LeftButton)
        settle(qtbot, desktop)
    assert memory.worldbooks.find(worldbook).entries == 3
    assert shown.list.item(0).text().endswith("(undone)")
    qtbot.mouseClick(shown.redo_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.worldbooks.find(worldbook).entries == 2
    shown.close()


def test_every_page_takes_back_its_own(qtbot, desktop, memory, page):
    window, chat = desktop.window, desktop.workspace.chat_id
    first = list(memory.events.find(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    page.everywhere.click()
    settle(qtbot, desktop)
    window.show_page("events")
    assert window.undo_action.text() == "Undo: Delete 1 events"
    window.show_page("books")
    assert window.undo_action.text() == "Undo: Switch “设定” on in every chat"
    settle(qtbot, desktop)
    undo_key(qtbot, window)
    settle(qtbot, desktop)
    assert not memory.worldbooks.all()[0].is_global
    assert not memory.history.steps(chat)[0].is_undone


def test_what_is_being_typed_is_saved_before_it_is_taken_back(qtbot, desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    page.everywhere.click()
    settle(qtbot, desktop)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    panel.content.setFocus()
    assert panel.content.hasFocus()
    panel.content.setPlainText("写到一半")
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert panel.content.toPlainText() == "水族馆里的企鹅。"
    assert stored(memory)[0].content == "水族馆里的企鹅。"
    desktop.window.redo_action.trigger()
    settle(qtbot, desktop)
    assert panel.content.toPlainText() == stored(memory)[0].content == "写到一半"
