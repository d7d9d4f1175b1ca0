"""The text of a chat through the user's door: opened, gone through, its marks pressed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from engram_desktop.domain.memory.line import Line
from tests.gui.waiting import commit, settle


@pytest.fixture
def opened(qtbot, open_desktop, memory):
    memory.settings.set("auto.enabled", value=False)
    made = open_desktop(memory)
    qtbot.keyClick(made.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, made)
    return made


@pytest.fixture
def page(opened):
    return opened.window.stack.page("reading")


@pytest.fixture
def panel(opened):
    return opened.window.stack.panel("reading")


def mark_of(page, floor):
    """Where the mark of a floor that is seen is."""
    box = page.view.rect_of(floor)
    return QPoint(int(page.view._box(floor).left - 10), int(box.top()) + 4)


def test_it_opens_at_the_newest_floor_and_keeps_where_it_was_left(qtbot, opened, page, memory):
    last = memory.messages.count(opened.workspace.line) - 1
    assert opened.window.page == "reading"
    assert page.view.visible_floors()[-1] == last
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    assert page.view.visible_floors()[0] == 0
    qtbot.keyClick(page.view, Qt.Key.Key_PageDown)
    at = page.view.visible_floors()[0]
    opened.workspace.show_branch(memory.play.fork(opened.workspace.line, 20).line.branch_id)
    settle(qtbot, opened)
    assert page.view.visible_floors()[-1] == 20
    opened.workspace.show_branch(Line.main("").branch_id)
    settle(qtbot, opened)
    assert page.view.visible_floors()[0] == at
    qtbot.keyClick(page.view, Qt.Key.Key_End)
    assert page.view.visible_floors()[-1] == last


def test_a_floor_is_gone_to_by_its_number(qtbot, page):
    field = page.floor_field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field.lineEdit(), "80")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.view.visible_floors()[0] == 80


def test_a_mark_says_what_is_remembered_and_opens_the_event(qtbot, opened, page, panel, memory):
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    settle(qtbot, opened)
    at = mark_of(page, 0)
    place = page.view.viewport().mapToGlobal(at)
    QApplication.sendEvent(page.view.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, at, place))
    event = memory.events.at_floors(opened.workspace.line, 0, 0)[0]
    assert event.summary[:20] in QToolTip.text()
    assert "Green: archived" in QToolTip.text()
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert panel._title.text() == "Floor 0"
    assert event.summary[:20] in panel.events.item(0).text()
    panel.open_button.click()
    settle(qtbot, opened)
    assert opened.window.page == "events"
    assert list(opened.window.event_page.view.selected_keys()) == [event.pk]


def test_the_lines_of_a_memory_are_shown_and_the_way_back(qtbot, opened, page):
    window = opened.window
    window.show_page("events")
    settle(qtbot, opened)
    view = window.event_page.view
    view.setCurrentIndex(view.model().index(0, 0))
    row = window.models.events.model.row_at(0)
    window.event_page._read_floors()
    settle(qtbot, opened)
    assert window.page == "reading"
    assert page.view._lit == (row.source_range.start_index, row.source_range.end_index)
    assert row.source_range.start_index in page.view.visible_floors()
    assert page.lines.isVisible()
    assert page.lines.back_button.text() == "Back to Events"
    page.lines.back_button.click()
    settle(qtbot, opened)
    assert window.page == "events"
    assert list(view.selected_keys()) == [row.pk]
    assert page.view._lit is None


def test_somebody_of_the_story_reads_only_what_they_perceived(qtbot, opened, page):
    opened.workspace.view_as("凯尔")
    settle(qtbot, opened)
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    settle(qtbot, opened)
    assert page.view._text_of(0) == "凯尔 perceived nothing of this."
    assert page._marks.state_at(0) == "none"


def test_the_chat_is_searched_by_one_character_and_gone_through(qtbot, opened, page, memory):
    line = opened.workspace.line
    texts = [m.text for m in memory.messages.slice(line, 0, memory.messages.count(line) - 1)]
    total = sum(text.count("钥") for text in texts)
    floors = [n for n, text in enumerate(texts) if "钥" in text]
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    qtbot.keyClick(opened.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.search.field.hasFocus()
    commit(page.search.field, "钥")
    settle(qtbot, opened)
    assert page.search.count.text() == f"1 of {total}"
    assert floors[0] in page.view.visible_floors()
    qtbot.keyClick(page.search.field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert page.search.count.text() == f"{total} of {total}"
    assert floors[-1] in page.view.visible_floors()
    current = [span for span in page.view._found_in(floors[-1]) if span[2]]
    assert texts[floors[-1]][current[0][0]] == "钥"
    qtbot.keyClick(page.search.field, Qt.Key.Key_F3)
    assert page.search.count.text() == f"1 of {total}"
    qtbot.keyClick(page.search.field, Qt.Key.Key_Escape)
    assert page.search.count.text() == ""
    assert not page.view._found_in(floors[-1])
    commit(page.search.field, "没有这个词")
    settle(qtbot, opened)
    assert page.search.count.text() == "Not found"


def test_nothing_is_found_that_somebody_did_not_perceive(qtbot, opened, page):
    opened.workspace.view_as("凯尔")
    settle(qtbot, opened)
    commit(page.search.field, "杏仁")
    settle(qtbot, opened)
    assert page.search.count.text() == "Not found"
