"""Find and replace in events: a preview of every change, what is ticked is done in one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.widgets.events.replace_dialog import ReplaceDialog
from tests.gui.waiting import commit, settle


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


@pytest.fixture
def stored(desktop, memory):
    chat = desktop.workspace.chat_id
    return lambda: memory.events.fetch(chat, memory.events.find(chat, EventQuery()))


def opened(qtbot, desktop, page):
    page.tools.replace_action.trigger()
    settle(qtbot, desktop)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, ReplaceDialog)]
    return dialog


def look_for(qtbot, desktop, dialog, find, put):
    commit(dialog.find_field, find)
    commit(dialog.replace_field, put)
    settle(qtbot, desktop)


def test_a_word_is_replaced_in_the_list_and_one_undo_brings_it_back(qtbot, desktop, page, stored):
    before = stored()
    hit = {pk for pk, event in before.items() if "旅人" in event.summary}
    dialog = opened(qtbot, desktop, page)
    assert dialog.in_list.isChecked()
    look_for(qtbot, desktop, dialog, "旅人", "行者")
    assert dialog.list.model().rowCount() >= len(hit) > 1
    qtbot.mouseClick(dialog.replace_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    after = stored()
    assert not any("旅人" in event.summary for event in after.values())
    assert all("行者" in after[pk].summary for pk in hit)
    assert [e.name for e in after[min(hit)].raw_data.entities] == [
        e.name for e in before[min(hit)].raw_data.entities
    ], "names only where they are asked for"
    assert not dialog.replace_button.isEnabled(), "nothing is left to be replaced"
    assert "旅人" in desktop.window.undo_action.text()
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert {pk: e.raw_data for pk, e in stored().items()} == {
        pk: e.raw_data for pk, e in before.items()
    }


def test_an_unticked_change_is_left_out_and_locked_events_are_told_of(qtbot, desktop, page, stored):
    hits = [pk for pk, event in stored().items() if "旅人" in event.summary]
    desktop.window.models.events.set_locked(hits[:1], locked=True)
    settle(qtbot, desktop)
    dialog = opened(qtbot, desktop, page)
    for field, tick in dialog.fields.items():
        tick.setChecked(field == "summary")
    look_for(qtbot, desktop, dialog, "旅人", "行者")
    assert "1 locked event is left out." in dialog._state.text()
    model = dialog.list.model()
    assert model.rowCount() == len(hits) - 1
    kept = model.changes[0].pk
    rect = dialog.list.visualRect(model.index(0, 0))
    qtbot.mouseClick(
        dialog.list.viewport(),
        Qt.MouseButton.LeftButton,
        pos=QPoint(rect.left() + 12, rect.center().y()),
    )
    assert dialog.replace_button.text() == f"Replace in {len(hits) - 2} places"
    qtbot.mouseClick(dialog.replace_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    left = {pk for pk, event in stored().items() if "旅人" in event.summary}
    assert left == {hits[0], kept}


def test_names_follow_when_they_are_asked_for_and_only_the_selection_changes(
    qtbot, desktop, page, stored
):
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    settle(qtbot, desktop)
    chosen = set(page.view.selected_keys())
    dialog = opened(qtbot, desktop, page)
    assert dialog.only_chosen.isChecked()
    dialog.fields["names"].setChecked(True)
    look_for(qtbot, desktop, dialog, "旅人", "行者")
    qtbot.mouseClick(dialog.replace_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    named = {
        pk for pk, event in stored().items() if "行者" in {e.name for e in event.raw_data.entities}
    }
    assert named
    assert named <= chosen
    assert all("旅人" not in stored()[pk].participants for pk in named)


def test_groups_of_a_pattern_and_its_faults(qtbot, desktop, page, stored):
    dialog = opened(qtbot, desktop, page)
    dialog.is_regex.setChecked(True)
    look_for(qtbot, desktop, dialog, "第(\\d+)天", "Day $1")
    assert dialog.list.model().rowCount() > 0
    assert all("Day " in c.after[0] for c in dialog.list.model().changes)
    dialog.find_field.setText("(")
    settle(qtbot, desktop)
    assert "cannot be run" in dialog._state.text()
    assert not dialog.replace_button.isEnabled()
    dialog.find_field.setText("")
    settle(qtbot, desktop)
    assert dialog._state.text() == "Type what to look for."


def test_a_pattern_that_never_ends_is_stopped_and_said_so(qtbot, desktop, page, memory):
    chat = desktop.workspace.chat_id
    key = memory.events.find(chat, EventQuery())[0]
    memory.events.update(chat, key, EventPatch(details="a" * 5000 + "!"))
    dialog = opened(qtbot, desktop, page)
    dialog.is_regex.setChecked(True)
    look_for(qtbot, desktop, dialog, "(a+)+$", "b")
    assert "was stopped" in dialog._state.text()
