"""Events that tell the same: shown in groups; one is kept, all are joined, or they stay."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.events.dialogs import DuplicatesDialog
from tests.gui.waiting import settle

KEY = "船长在风暴里把黄铜望远镜交给了水手长。"
AGAIN = "船长在风暴里把那支黄铜望远镜交给水手长。"


@pytest.fixture
def stored(desktop, memory):
    chat = desktop.workspace.chat_id
    return lambda: memory.events.fetch(chat, memory.events.find(chat, EventQuery()))


@pytest.fixture
def dialog(qtbot, desktop, memory):
    line = Line.main(desktop.workspace.chat_id)
    for text, first, last in ((KEY, 2, 6), (AGAIN, 4, 9)):
        memory.events.add(line, PlotExtraction(text), SourceRange(first, last))
    desktop.window.event_page.tools.same_action.trigger()
    settle(qtbot, desktop)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, DuplicatesDialog)]
    return dialog


def groups(dialog):
    tree = dialog.tree
    return [tree.topLevelItem(n).text(0) for n in range(tree.topLevelItemCount())]


def choose(dialog, text):
    (item,) = dialog.tree.findItems(
        text, Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive, 0
    )
    dialog.tree.setCurrentItem(item)


def press(qtbot, desktop, button):
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)


def test_a_group_says_why_and_can_be_left_alone(qtbot, desktop, dialog, stored):
    before = groups(dialog)
    assert any("2 events · floors overlap, " in head for head in before)
    choose(dialog, KEY)
    press(qtbot, desktop, dialog.apart_button)
    assert len(groups(dialog)) == len(before) - 1
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert groups(dialog) == before
    assert {KEY, AGAIN} <= {event.summary for event in stored().values()}


def test_one_is_kept_and_the_others_go_to_the_bin(qtbot, desktop, dialog, stored):
    choose(dialog, AGAIN)
    press(qtbot, desktop, dialog.keep_button)
    told = {event.summary for event in stored().values()}
    assert AGAIN in told
    assert KEY not in told


def test_two_become_one_with_the_floors_of_both(qtbot, desktop, dialog, stored):
    choose(dialog, KEY)
    press(qtbot, desktop, dialog.join_button)
    (event,) = [e for e in stored().values() if "望远镜" in e.summary]
    assert event.source_range == SourceRange(2, 9)
    assert KEY in event.summary
    assert AGAIN in event.summary
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert {KEY, AGAIN} <= {event.summary for event in stored().values()}


def test_an_event_is_split_at_a_floor_and_put_together_by_undo(qtbot, desktop, stored):
    page = desktop.window.event_page
    event = page.view.model().index(0, 0).data(RowRole)
    before = len(stored())
    desktop.window.dialogs.open_split(event)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.floor.setValue(event.source_range.end_index)
    dialog.second.setPlainText("then it rained")
    press(qtbot, desktop, dialog.split_button)
    parts = sorted(stored().values(), key=lambda e: e.source_range)
    (second,) = [e for e in parts if e.summary == "then it rained"]
    end = event.source_range.end_index
    assert second.source_range == SourceRange(end, end)
    assert stored()[event.pk].source_range.end_index == end - 1
    assert stored()[event.pk].summary == event.summary
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert len(stored()) == before
    assert stored()[event.pk].source_range == event.source_range
