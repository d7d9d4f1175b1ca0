"""The list of events as a table and as a tree of outlines: sorting, folding, editing, selection."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from engram_desktop.viewmodels.events.event_list import COLUMNS, SUMMARY
from engram_desktop.viewmodels.events.outline_tree import DepthRole, FoldRole
from tests.gui.waiting import settle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


def show(qtbot, desktop, page, shape):
    page.tools.shape_actions[shape].trigger()
    settle(qtbot, desktop)
    return page.view


def click_header(qtbot, desktop, table, name):
    header = table.horizontalHeader()
    at = header.viewport().rect().center()
    at.setX(header.sectionViewportPosition(COLUMNS.index(name)) + 8)
    qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    settle(qtbot, desktop)


def column(table, name):
    model = table.model()
    return [model.index(n, COLUMNS.index(name)).data() for n in range(model.rowCount())]


def test_a_click_on_a_column_sorts_and_a_second_one_turns_it_round(qtbot, desktop, page):
    table = show(qtbot, desktop, page, "table")
    click_header(qtbot, desktop, table, "tokens")
    tokens = [int(text) for text in column(table, "tokens")]
    assert tokens == sorted(tokens, reverse=True)
    assert len(set(tokens)) > 1
    click_header(qtbot, desktop, table, "tokens")
    assert [int(text) for text in column(table, "tokens")] == tokens[::-1]
    click_header(qtbot, desktop, table, "summary")
    assert column(table, "summary") == sorted(column(table, "summary"))


def test_the_order_and_its_direction_are_there_at_the_next_start(
    qtbot, desktop, page, memory, open_desktop
):
    table = show(qtbot, desktop, page, "table")
    click_header(qtbot, desktop, table, "tokens")
    click_header(qtbot, desktop, table, "tokens")
    keys = list(desktop.window.models.events.model.keys())
    again = open_desktop(memory)
    assert list(again.window.models.events.model.keys()) == keys


def test_the_table_has_the_bulk_actions_and_the_menu_of_the_cards(qtbot, desktop, page, memory):
    table = show(qtbot, desktop, page, "table")
    table.setFocus()
    table.selectAll()
    assert table.selected_count() == table.model().rowCount()
    qtbot.mouseClick(page.selection_bar.lock_button, LEFT)
    settle(qtbot, desktop)
    chat, keys = desktop.workspace.chat_id, table.selected_keys()
    assert all(e.is_locked for e in memory.events.fetch(chat, keys).values())
    assert desktop.window.models.event_many is not None


def test_f2_edits_the_summary_in_its_cell_and_undo_takes_it_back(qtbot, desktop, page, memory):
    table = show(qtbot, desktop, page, "table")
    table.setFocus()
    table.show_row(0)
    key = table.current_key()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    editor = table.viewport().findChild(QLineEdit)
    editor.setText("换了一句话")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    chat = desktop.workspace.chat_id
    assert memory.events.fetch(chat, [key])[key].summary == "换了一句话"
    assert table.model().index(0, SUMMARY).data() == "换了一句话"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert memory.events.fetch(chat, [key])[key].summary != "换了一句话"


def test_what_is_selected_goes_along_to_the_other_shape(qtbot, desktop, page):
    page.view.show_row(2)
    key = page.view.current_key()
    table = show(qtbot, desktop, page, "table")
    assert list(table.selected_keys()) == [key]
    tree = show(qtbot, desktop, page, "outlines")
    assert tree.isVisible()


def trimmed(memory, chat):
    """One outline over the first events; returns its key and theirs."""
    from engram_desktop.domain.memory.event import EventQuery

    keys = list(memory.events.find(chat, EventQuery(level=1)))
    parents = memory.events.parents(chat)
    return keys, parents


def test_outlines_fold_what_they_were_made_of(qtbot, desktop, page, memory):
    chat = desktop.workspace.chat_id
    outlines, parents = trimmed(memory, chat)
    assert outlines
    tree = show(qtbot, desktop, page, "outlines")
    model = tree.model()
    outline = next(key for key in outlines if key in parents.values())
    row = model.row_of(outline)
    assert model.index(row, 0).data(FoldRole) is False
    folded = model.rowCount()
    tree.setFocus()
    tree.show_row(row)
    qtbot.keyClick(tree, Qt.Key.Key_Right)
    below = [part for part, parent in parents.items() if parent == outline]
    assert model.rowCount() == folded + len(below)
    assert set(model.keys(row + 1, row + len(below))) == set(below)
    assert model.index(row + 1, 0).data(DepthRole) == model.index(row, 0).data(DepthRole) + 1
    qtbot.keyClick(tree, Qt.Key.Key_Down)
    qtbot.keyClick(tree, Qt.Key.Key_Left)
    assert tree.current_key() == outline
    place = tree.visualRect(model.index(row, 0))
    arrow = tree.card.arrow_rect(place, model.index(row, 0))
    qtbot.mouseClick(tree.viewport(), LEFT, pos=arrow.center())
    assert model.rowCount() == folded


def test_a_part_that_is_looked_for_is_unfolded(qtbot, desktop, page, memory):
    chat = desktop.workspace.chat_id
    _outlines, parents = trimmed(memory, chat)
    tree = show(qtbot, desktop, page, "outlines")
    part = next(iter(parents))
    assert tree.model().row_of(part) is None
    desktop.workspace.event_wanted.emit(part)
    settle(qtbot, desktop)
    assert list(tree.selected_keys()) == [part]


def test_the_shape_and_the_widths_are_there_at_the_next_start(
    qtbot, desktop, page, memory, open_desktop
):
    table = show(qtbot, desktop, page, "table")
    table.horizontalHeader().resizeSection(SUMMARY, 411)
    qtbot.waitUntil(
        lambda: (
            "411"
            in desktop.window.finding.remembered.table("widths of the table of events").values()
        )
    )
    again = open_desktop(memory)
    view = again.window.event_page.view
    assert again.window.event_page.shapes.shape == "table"
    assert view.columnWidth(SUMMARY) == 411
