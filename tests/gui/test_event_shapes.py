"""The grid of who was there, on real widgets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.messages import Notice
from tests.gui.waiting import commit, run_out, settle

CTX = NullContext()
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def grid(desktop):
    return desktop.window.models.witnesses


@pytest.fixture
def table(qtbot, desktop):
    """The grid of who was there, read to its end."""
    desktop.window.resize(1440, 900)
    desktop.window._show_events_as("people")
    settle(qtbot, desktop)
    table = desktop.window.event_page.view
    qtbot.waitUntil(lambda: desktop.window.models.witnesses.cell(0, 0) is not None)
    settle(qtbot, desktop)
    return table


def middle(table, row, column):
    return table.visualRect(table.model().index(row, column)).center()


def states(grid, rows, columns):
    return [[grid.cell(row, column).state for column in columns] for row in rows]


def stored(memory, desktop, row, column):
    """Return what is stored of a cell, read past the window."""
    grid, line = desktop.window.models.witnesses, desktop.workspace.line
    key = grid._events.model.keys(row, row)[0]
    return memory.knowledge.grid_rows(CTX, line, [key], grid.people)[key][column]


def drag(qtbot, table, first, last):
    start, end = middle(table, *first), middle(table, *last)
    qtbot.mousePress(table.viewport(), LEFT, pos=start)
    qtbot.mouseMove(table.viewport(), (start + end) / 2)
    qtbot.mouseMove(table.viewport(), end)
    qtbot.mouseRelease(table.viewport(), LEFT, pos=end)


def test_a_column_for_everybody_and_a_row_for_every_event(desktop, table, grid, memory):
    chat = desktop.workspace.chat_id
    assert table.model().rowCount() == len(memory.events.find(chat, EventQuery()))
    names = [person.name for person in grid.people]
    assert names[:2] == ["旅人", "爱丽丝"]
    assert "汤圆" in names, "a person of the graph who never speaks"
    header = table.model().headerData(0, Qt.Orientation.Vertical)
    assert header == " ".join(
        next(
            iter(
                memory.events.fetch(
                    chat, [table.model().index(0, 0).data(Qt.ItemDataRole.UserRole)]
                ).values()
            )
        ).summary.split()
    )


def test_a_click_says_it_and_a_second_takes_it(qtbot, desktop, table, grid, memory):
    row, column = next(
        (r, c) for r in range(10) for c in range(4) if grid.cell(r, c).state == "unaware"
    )
    qtbot.mouseClick(table.viewport(), LEFT, pos=middle(table, row, column))
    assert grid.cell(row, column).state == "present", "shown before it is written"
    settle(qtbot, desktop)
    assert stored(memory, desktop, row, column).state == "present"
    assert stored(memory, desktop, row, column).is_said
    qtbot.mouseClick(table.viewport(), LEFT, pos=middle(table, row, column))
    settle(qtbot, desktop)
    assert stored(memory, desktop, row, column).state == "unaware"


def test_a_drag_fills_a_block_and_one_undo_takes_it_back(qtbot, desktop, table, grid, memory):
    before = states(grid, range(2, 6), range(1, 4))
    desktop.window.event_page.shapes.frames["people"].brushes["kept"].click()
    drag(qtbot, table, (2, 1), (5, 3))
    settle(qtbot, desktop)
    assert states(grid, range(2, 6), range(1, 4)) == [["kept"] * 3] * 4
    assert stored(memory, desktop, 5, 3).state == "kept"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert states(grid, range(2, 6), range(1, 4)) == before


def test_esc_ends_a_drag_without_a_word(qtbot, desktop, table, grid):
    before = states(grid, range(2, 6), range(1, 4))
    qtbot.mousePress(table.viewport(), LEFT, pos=middle(table, 2, 1))
    qtbot.mouseMove(table.viewport(), middle(table, 4, 2))
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    qtbot.mouseRelease(table.viewport(), LEFT, pos=middle(table, 4, 2))
    settle(qtbot, desktop)
    assert states(grid, range(2, 6), range(1, 4)) == before


@pytest.mark.parametrize(
    ("key", "state"),
    [
        (Qt.Key.Key_1, "present"),
        (Qt.Key.Key_2, "knows"),
        (Qt.Key.Key_3, "kept"),
        (Qt.Key.Key_4, "unaware"),
    ],
)
def test_keys_say_it_of_the_cells_selected(qtbot, desktop, table, memory, key, state):
    table.setFocus()
    table.show_row(1)
    qtbot.keyClick(table, Qt.Key.Key_Right)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert sorted(table.cells()) == [(1, 1), (2, 1)]
    qtbot.keyClick(table, key)
    settle(qtbot, desktop)
    assert {stored(memory, desktop, row, 1).state for row in (1, 2)} == {state}
    qtbot.keyClick(table, Qt.Key.Key_0)
    settle(qtbot, desktop)
    assert not any(stored(memory, desktop, row, 1).is_said for row in (1, 2))


def test_somebody_who_never_speaks_is_added_by_name(qtbot, desktop, table, grid, memory):
    page = desktop.window.event_page.shapes.frames["people"]
    page.person.setFocus()
    commit(page.person, "老管家")
    qtbot.keyClick(page.person, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    column = grid.column_of("老管家")
    assert table.currentIndex().column() == column
    qtbot.keyClick(table, Qt.Key.Key_Space)
    settle(qtbot, desktop)
    assert "老管家" in {p.name for p in memory.knowledge.grid_people(CTX, desktop.workspace.line)}
    assert stored(memory, desktop, table.currentIndex().row(), column).state == "present"


def test_it_follows_the_search_the_floor_and_the_panel(qtbot, desktop, table, grid, memory):
    page, whole = desktop.window.event_page, table.model().rowCount()
    commit(page.search, "诺亚")
    settle(qtbot, desktop)
    assert 0 < table.model().rowCount() < whole
    page.search.clear()
    settle(qtbot, desktop)
    table.show_row(0)
    settle(qtbot, desktop)
    assert desktop.window.models.editor.current.pk == table.current_key()
    desktop.workspace.view_at(30)
    settle(qtbot, desktop)
    assert table.model().rowCount() < whole
    events = memory.events.fetch(desktop.workspace.chat_id, list(grid._events.model.keys()))
    assert max(e.source_range.end_index for e in events.values()) <= 30


def test_what_is_not_read_yet_is_blank_and_many_cells_are_refused(qtbot, desktop, table, grid):
    notices: list[Notice] = []
    desktop.workspace.messages.posted.connect(notices.append)
    grid.say([(0, 0)] * 20_001, "present")
    (notice,) = notices
    assert "20000" in notice.text
    rows = desktop.window.models.events.model
    rows.set_keys(rows.keys())
    assert grid.cell(0, 0) is None
    qtbot.waitUntil(lambda: grid.cell(0, 0) is not None)
    run_out(grid._pause)
    settle(qtbot, desktop)


def test_the_cells_say_in_words_what_they_show(table, grid):
    words = table.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words.startswith("爱丽丝: Present · ")
    at = middle(table, 0, 1)
    assert table.indexAt(QPoint(at)).data(Qt.ItemDataRole.ToolTipRole) == words
