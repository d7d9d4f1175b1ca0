"""Names looked for in the graph: what is offered, chosen and put away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidgetItem

from engram_desktop.domain.memory.line import Line
from tests.gui.waiting import open_page, press_in_window, press_key, settle


@pytest.fixture
def page(desktop):
    return open_page(desktop, "graph")


def test_search_centres_on_the_hit(desktop, page, memory):
    wanted = memory.graph.find_entities(Line.main(desktop.workspace.chat_id), "莉莉丝")[0]
    page.search.setFocus()
    page.search.setText("莉莉丝")
    settle(desktop)
    assert page.matches.isVisible()
    press_key(desktop, page.search, Qt.Key.Key_Return)
    assert desktop.window.models.graph.graph.view.center_id == wanted.id
    assert not page.matches.isVisible()


def test_what_the_search_offers_goes_when_somebody_turns_elsewhere(qtbot, desktop, page):
    window = desktop.window
    window.activateWindow()

    def search():
        page.search.setFocus(Qt.FocusReason.MouseFocusReason)
        page.search.setText("莉莉" if page.search.text() == "莉莉丝" else "莉莉丝")
        settle(desktop)
        assert page.matches.isVisible()

    search()
    press_in_window(window, page.tools.fit_button)  # a press gives it no focus
    assert not page.matches.isVisible()
    search()
    page.list.setFocus()
    assert not page.matches.isVisible()
    search()
    qtbot.keyClick(page.search, Qt.Key.Key_Down)
    assert page.matches.hasFocus()
    assert page.matches.currentRow() == 0
    qtbot.keyClick(page.matches, Qt.Key.Key_Escape)
    assert page.search.hasFocus()
    assert not page.matches.isVisible()
    search()
    window.show_page("events")
    open_page(desktop, "graph")
    assert not page.matches.isVisible()


def test_an_answer_that_comes_late_opens_nothing(desktop, page):
    page.search.setFocus()
    page.search.setText("莉莉丝")
    page.list.setFocus()
    settle(desktop)
    assert page.matches.count() == 0
    assert not page.matches.isVisible()


def test_a_name_nobody_has_is_said(desktop, page):
    page.search.setFocus()
    page.search.setText("没有这个人")
    settle(desktop)
    item: QListWidgetItem = page.matches.item(0)
    assert item.text() == "No entity has this name"
