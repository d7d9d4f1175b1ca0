"""Deleted chats in the window: a message with a way back, a list, and a question before the end."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from engram_desktop.widgets.chats.branches_dialog import TrashDialog
from tests.gui.waiting import settle


def delete(qtbot, desktop, memory):
    """Delete the chat shown as the menu of its card does."""
    window = desktop.window
    chat = window.models.chats.current
    window.sidebar._delete(chat)
    (box,) = window.sidebar.findChildren(QMessageBox)
    next(b for b in box.buttons() if b.text() == "Delete").click()
    settle(qtbot, desktop)
    assert memory.chats.all() == []
    return chat


@pytest.fixture
def dialog(qtbot, desktop, memory):
    delete(qtbot, desktop, memory)
    desktop.window.sidebar.trash.click()
    settle(qtbot, desktop)
    made = desktop.window.dialogs.shown[-1]
    assert isinstance(made, TrashDialog)
    return made


def test_the_message_of_a_deleted_chat_brings_it_back(qtbot, desktop, memory):
    chat = delete(qtbot, desktop, memory)
    assert desktop.workspace.chat_id == ""
    bar = desktop.window.message_bar.bars[-1]
    assert bar.notice.text == f"The chat “{chat.name}” was deleted"
    assert [bar.notice.kind for bar in desktop.window.message_bar.bars] == ["info"]
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert desktop.workspace.chat_id == chat.chat_id
    (back,) = memory.chats.all()
    assert (back.events, back.messages) == (chat.events, chat.messages)
    assert desktop.window.event_page.view.model().rowCount() > 0


def test_a_chat_of_the_list_is_brought_back(qtbot, desktop, memory, dialog):
    assert dialog.list.count() == 1
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert len(memory.chats.all()) == 1
    assert dialog.list.count() == 0
    assert not dialog.restore_button.isEnabled()


def test_deleting_for_good_asks_first(qtbot, desktop, memory, dialog):
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    (box,) = dialog.findChildren(QMessageBox)
    next(b for b in box.buttons() if b.text() == "Cancel").click()
    settle(qtbot, desktop)
    assert len(memory.chats.deleted()) == 1
    qtbot.waitUntil(lambda: not dialog.findChildren(QMessageBox))
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    (box,) = dialog.findChildren(QMessageBox)
    next(b for b in box.buttons() if b.text() == "Delete for good").click()
    settle(qtbot, desktop)
    assert memory.chats.deleted() == []
    assert dialog.list.count() == 0
