"""Filters that are kept: named, pinned beside the chats, opened, renamed, deleted with undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.viewmodels.search.library_finder import query_of
from tests.gui.waiting import commit, settle

LEFT = Qt.MouseButton.LeftButton


def keep_one(qtbot, desktop):
    page = desktop.window.event_page
    commit(page.search, "旅人")
    settle(qtbot, desktop)
    qtbot.mouseClick(page.tools.facets.chips["archived"], LEFT)
    settle(qtbot, desktop)
    desktop.window.models.events.sort("significance", is_reversed=True)
    settle(qtbot, desktop)
    qtbot.mouseClick(page.tools.strip.save_button, LEFT)
    return page


def names(desktop):
    rows = desktop.window.finding.pinned_filters.list
    return [rows.item(n).text() for n in range(rows.count())]


def open_first(qtbot, desktop):
    rows = desktop.window.finding.pinned_filters.list
    place = rows.visualItemRect(rows.item(0)).center()
    qtbot.mouseClick(rows.viewport(), LEFT, pos=place)
    settle(qtbot, desktop)


def test_a_filter_is_kept_and_opened_again(qtbot, desktop):
    page = keep_one(qtbot, desktop)
    keys = list(page.view.model().keys())
    assert names(desktop) == ["“旅人” Archived"]
    page.tools.strip.clear_button.click()
    page.search.clear()
    desktop.window.models.events.sort("story")
    settle(qtbot, desktop)
    desktop.window.show_page("graph")
    open_first(qtbot, desktop)
    assert desktop.window.page == "events"
    assert page.search.text() == "旅人"
    assert page.tools.strip.words == "Archived"
    assert list(page.view.model().keys()) == keys
    assert page.tools.sort_button.text().startswith("By significance")


def test_a_filter_is_renamed_and_deleted_with_undo(qtbot, desktop):
    keep_one(qtbot, desktop)
    pinned = desktop.window.finding.pinned_filters
    pinned.list.item(0).setText("要紧的")
    assert names(desktop) == ["要紧的"]
    text = desktop.window.finding.filters.saved[0][0]
    desktop.window.finding.filters.delete(text)
    assert pinned.isHidden()
    bar = desktop.window.message_bar.bars[-1]
    assert bar.button.text() == "Undo"
    qtbot.mouseClick(bar.button, LEFT)
    assert names(desktop) == ["要紧的"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"sort": 3, "text": null, "facets": 7}'])
def test_a_foreign_filter_is_none(text):
    assert query_of(text).sort == "story"
    assert not query_of(text).facets
