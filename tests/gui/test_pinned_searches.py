"""Saved searches beside the chats: opened by a click; renamed, unpinned, deleted by a right one."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from tests.gui.waiting import commit, settle


@pytest.fixture
def pinned(qtbot, desktop):
    window = desktop.window
    window.finding.search()
    commit(window.finding.panel.field, "企鹅 is:green")
    settle(qtbot, desktop)
    qtbot.mouseClick(window.finding.panel.save_button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(window.finding.panel.field, Qt.Key.Key_Escape)
    qtbot.keyClick(window.finding.panel.field, Qt.Key.Key_Escape)
    settle(qtbot, desktop)
    return window.finding.pinned


def names(pinned):
    return [pinned.list.item(n).text() for n in range(pinned.list.count())]


def center(pinned, row=0):
    return pinned.list.visualItemRect(pinned.list.item(row)).center()


def choose(qtbot, pinned, words):
    pinned.list.customContextMenuRequested.emit(center(pinned))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(a for a in menu.actions() if a.text() == words)
    action.trigger()
    menu.close()


def test_nothing_stands_there_while_nothing_is_saved(desktop):
    assert not desktop.window.finding.pinned.isVisible()


def test_a_search_that_is_saved_stands_in_the_sidebar_and_a_click_searches(qtbot, desktop, pinned):
    assert desktop.window.sidebar.isAncestorOf(pinned)
    assert pinned.isVisible()
    assert names(pinned) == ["企鹅 is:green"]
    panel = desktop.window.finding.panel
    assert not panel.isVisible()
    where = pinned.list.viewport()
    qtbot.mouseClick(where, Qt.MouseButton.LeftButton, pos=center(pinned))
    settle(qtbot, desktop)
    assert panel.isVisible()
    assert panel.field.text() == "企鹅 is:green"
    assert desktop.window.finding.library.result.groups


def test_it_is_renamed_in_its_place_and_searches_the_same(qtbot, desktop, pinned):
    choose(qtbot, pinned, "Rename")
    (editor,) = pinned.list.findChildren(QLineEdit)
    editor.setText("水族馆的<b>企鹅</b>")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(pinned) == ["水族馆的<b>企鹅</b>"])
    qtbot.mouseClick(pinned.list.viewport(), Qt.MouseButton.LeftButton, pos=center(pinned))
    settle(qtbot, desktop)
    assert desktop.window.finding.panel.field.text() == "企鹅 is:green"


@pytest.mark.parametrize(("words", "is_saved"), [("Unpin", True), ("Delete", False)])
def test_it_is_unpinned_or_deleted_and_comes_back_by_undo(qtbot, desktop, pinned, words, is_saved):
    choose(qtbot, pinned, words)
    assert not pinned.isVisible()
    assert (desktop.window.finding.library.saved == ["企鹅 is:green"]) == is_saved
    bar = desktop.window.message_bar.bars[-1]
    assert bar.button.text() == "Undo"
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert names(pinned) == ["企鹅 is:green"]
