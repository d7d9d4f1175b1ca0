"""The list of events: its order is kept, a search is counted and marked and begins at its top."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.text.words import word_places
from tests.gui.waiting import commit, settle


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


def test_the_order_chosen_in_a_chat_is_there_at_the_next_start(
    qtbot, desktop, page, memory, open_desktop
):
    chat = desktop.workspace.chat_id
    orders = page.tools.sort_button.menu().actions()
    action = next(a for a in orders if a.text() == "By significance")
    action.trigger()
    settle(qtbot, desktop)
    again = open_desktop(memory)
    assert again.workspace.chat_id == chat
    assert again.window.event_page.tools.sort_button.text() == "By significance"
    keys = again.window.models.events.model.keys()
    rows = memory.events.fetch(chat, keys)
    scores = [rows[key].significance_score for key in keys]
    assert scores[0] == max(scores)


def test_chips_count_what_the_search_finds_and_the_rest_of_the_window_does_not(
    qtbot, desktop, page, memory
):
    chat = desktop.workspace.chat_id
    before = page.tools.facets.chips["total"].text()
    page.focus_search()
    commit(page.search, "灯")
    settle(qtbot, desktop)
    found = memory.events.find(chat, EventQuery(text="灯"))
    green = memory.events.find(chat, EventQuery(text="灯", status="archived"))
    assert page.tools.facets.chips["total"].text() == f"All {len(found)}"
    assert page.tools.facets.chips["archived"].text() == f"Archived {len(green)}"
    assert desktop.window.models.events.counts.total > len(found)
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    settle(qtbot, desktop)
    assert page.tools.facets.chips["total"].text() == before


def test_a_search_begins_at_its_first_card_wherever_the_reader_was(qtbot, desktop, page):
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_End)
    settle(qtbot, desktop)
    assert page.view.verticalScrollBar().value() > 0
    page.focus_search()
    commit(page.search, "旅人")
    settle(qtbot, desktop)
    assert page.view.model().rowCount() > 8
    assert page.view.verticalScrollBar().value() == 0


def test_the_words_of_a_search_are_marked_on_the_cards(qtbot, desktop, page):
    def picture():
        return page.view.viewport().grab().toImage()

    gold = page._look.color("gold_soft").rgb()

    def has_gold(image):
        lines = range(24, 90)
        return any(image.pixel(x, y) == gold for y in lines for x in range(60, image.width() - 60))

    page.view.clearSelection()
    commit(page.search, "旅人")
    settle(qtbot, desktop)
    assert page.view.card.marked == ("旅人",)
    assert has_gold(picture())
    page.search.clear()
    settle(qtbot, desktop)
    assert page.view.card.marked == ()


def test_places_of_words_in_a_text():
    assert word_places("the Lamp, lamp", ["lamp"]) == [(4, 8), (10, 14)]
    assert word_places("灯塔看守", ["灯塔守"]) == [(0, 2)]
    assert word_places("abc", ["b", "bc"]) == [(1, 3)]
    assert word_places("a.c", ["."]) == [(1, 2)]


def test_selection_is_inverted_by_its_key(qtbot, desktop, page):
    page.view.setFocus()
    page.view.show_row(0)
    total = page.view.model().rowCount()
    qtbot.keyClick(page.view, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selected_count() == total - 1


def test_where_blocks_wait_for_review_that_is_the_next_step(qtbot, desktop, page):
    page._empty.show_waiting(3)
    desktop.window.models.events.delete(list(desktop.window.models.events.model.keys()))
    settle(qtbot, desktop)
    page._empty.show_waiting(3)
    assert page._empty.button.text() == "Review…"
    qtbot.mouseClick(page._empty.button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert any(type(d).__name__ == "ReviewDialog" for d in desktop.window.dialogs.shown)
