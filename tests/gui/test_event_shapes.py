"""The grid of who was there and the days of the story, on real widgets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDate, QPoint, Qt

from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.relative_time import StoryDay, day_of
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.events.witness_table import COLUMN_WIDTH
from tests.factories import import_chat, make_extraction
from tests.gui.waiting import commit, press_key, resize, run_out, settle, undo, write

CTX = NullContext()
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def grid(desktop):
    return desktop.window.models.event_views.grid


@pytest.fixture
def table(qtbot, desktop):
    """The grid of who was there, read to its end."""
    desktop.window.resize(1440, 900)
    desktop.window._show_events_as("people")
    settle(desktop)
    table = desktop.window.event_page.view
    qtbot.waitUntil(lambda: desktop.window.models.event_views.grid.cell(0, 0) is not None)
    settle(desktop)
    return table


def middle(table, row, column):
    return table.visualRect(table.model().index(row, column)).center()


def states(grid, rows, columns):
    return [[grid.cell(row, column).state for column in columns] for row in rows]


def stored(memory, desktop, row, column):
    """Return what is stored of a cell, read past the window."""
    grid, line = desktop.window.models.event_views.grid, desktop.workspace.line
    key = grid._events.model.keys(row, row)[0]
    return memory.knowledge.grid_rows(CTX, line, [key], grid.people)[key][column]


def drag(qtbot, table, first, last):
    start, end = middle(table, *first), middle(table, *last)
    qtbot.mousePress(table.viewport(), LEFT, pos=start)
    qtbot.mouseMove(table.viewport(), (start + end) / 2)
    qtbot.mouseMove(table.viewport(), end)
    qtbot.mouseRelease(table.viewport(), LEFT, pos=end)


def test_a_name_is_read_in_full_where_all_columns_have_room(desktop, table, grid):
    header, name = table.horizontalHeader(), "亚历山大洪堡"
    assert header.sectionSize(0) == COLUMN_WIDTH, "ten people have no more room"
    grid.add_person(name)
    resize(desktop, 2400, 900)
    settle(desktop)
    column = [person.name for person in grid.people].index(name)
    assert header.sectionSizeHint(column) > COLUMN_WIDTH
    assert header.sectionSize(column) >= header.sectionSizeHint(column)
    assert header.length() <= table.viewport().width()


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
    settle(desktop)
    assert stored(memory, desktop, row, column).state == "present"
    assert stored(memory, desktop, row, column).is_said
    qtbot.mouseClick(table.viewport(), LEFT, pos=middle(table, row, column))
    settle(desktop)
    assert stored(memory, desktop, row, column).state == "unaware"


def test_a_drag_fills_a_block_and_one_undo_takes_it_back(qtbot, desktop, table, grid, memory):
    before = states(grid, range(2, 6), range(1, 4))
    desktop.window.event_page.shapes.frames["people"].brushes["kept"].click()
    drag(qtbot, table, (2, 1), (5, 3))
    settle(desktop)
    assert states(grid, range(2, 6), range(1, 4)) == [["kept"] * 3] * 4
    assert stored(memory, desktop, 5, 3).state == "kept"
    undo(desktop)
    qtbot.waitUntil(lambda: states(grid, range(2, 6), range(1, 4)) == before)


def test_esc_ends_a_drag_without_a_word(qtbot, desktop, table, grid):
    before = states(grid, range(2, 6), range(1, 4))
    qtbot.mousePress(table.viewport(), LEFT, pos=middle(table, 2, 1))
    qtbot.mouseMove(table.viewport(), middle(table, 4, 2))
    qtbot.keyClick(table, Qt.Key.Key_Escape)
    qtbot.mouseRelease(table.viewport(), LEFT, pos=middle(table, 4, 2))
    settle(desktop)
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
    press_key(desktop, table, key)
    assert {stored(memory, desktop, row, 1).state for row in (1, 2)} == {state}
    press_key(desktop, table, Qt.Key.Key_0)
    assert not any(stored(memory, desktop, row, 1).is_said for row in (1, 2))


def test_somebody_who_never_speaks_is_added_by_name(desktop, table, grid, memory):
    page = desktop.window.event_page.shapes.frames["people"]
    page.person.setFocus()
    commit(page.person, "老管家")
    press_key(desktop, page.person, Qt.Key.Key_Return)
    column = grid.column_of("老管家")
    assert table.currentIndex().column() == column
    press_key(desktop, table, Qt.Key.Key_Space)
    assert "老管家" in {p.name for p in memory.knowledge.grid_people(CTX, desktop.workspace.line)}
    assert stored(memory, desktop, table.currentIndex().row(), column).state == "present"


def test_it_follows_the_search_the_floor_and_the_panel(desktop, table, grid, memory):
    page, whole = desktop.window.event_page, table.model().rowCount()
    write(desktop, page.search, "诺亚")
    assert 0 < table.model().rowCount() < whole
    page.search.clear()
    settle(desktop)
    table.show_row(0)
    settle(desktop)
    assert desktop.window.models.editor.current.pk == table.current_key()
    desktop.workspace.view_at(30)
    settle(desktop)
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
    settle(desktop)


def test_the_cells_say_in_words_what_they_show(table, grid):
    words = table.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert words.startswith("爱丽丝: Present · ")
    at = middle(table, 0, 1)
    assert table.indexAt(QPoint(at)).data(Qt.ItemDataRole.ToolTipRole) == words


# The days of the story.


@pytest.fixture
def days(desktop):
    return desktop.window.models.event_views.days


@pytest.fixture
def dated(desktop, memory):
    """The first events have dates, the next a numbered day; returns their keys."""
    chat = desktop.workspace.chat_id
    keys = list(memory.events.find(chat, EventQuery(level=0)))
    for number, key in enumerate(keys[:5]):
        date = f"2023-0{5 + number // 3}-1{number % 3} evening"
        memory.events.update(chat, key, EventPatch(time_anchor=date))
    memory.events.update(chat, keys[5], EventPatch(time_anchor="Day 3"))
    return keys


def show_days(desktop):
    desktop.window._show_events_as("days")
    settle(desktop)
    return desktop.window.event_page.shapes.frames["days"]


def test_events_stand_on_the_day_their_story_time_says(desktop, days, dated):
    frame = show_days(desktop)
    assert next(iter(days.days)) == StoryDay(number=3)
    days.choose(StoryDay(2023, 5, 11))
    settle(desktop)
    assert list(desktop.window.event_page.view.model().keys()) == [dated[1]]
    words = [frame.list.item(n).text() for n in range(frame.list.count())]
    assert words[0] == "Day 3 · 1 event"
    assert "May 11, 2023" in frame.list.currentItem().text()
    assert sum(map(len, days.days.values())) == len(dated), "each event stands on one day"


def test_a_click_in_the_month_leads_to_the_events(desktop, days, dated):
    frame = show_days(desktop)
    resize(desktop, 1440, 900)
    assert frame.month.isVisible()
    assert (frame.month.cells.yearShown(), frame.month.cells.monthShown()) == (2023, 5)
    frame.month.next_button.click()
    assert frame.month.cells.monthShown() == 6
    assert not frame.month.next_button.isEnabled()
    frame.month.cells.clicked.emit(QDate(2023, 6, 11))
    settle(desktop)
    view = desktop.window.event_page.view
    assert list(view.model().keys()) == [dated[4]]
    frame.month.cells.clicked.emit(QDate(2023, 6, 30))
    assert days.current == StoryDay(2023, 6, 11), "nothing happens on a day without events"
    view.show_row(0)
    settle(desktop)
    assert desktop.window.models.editor.current.pk == dated[4]


def test_days_follow_the_search_and_an_event_is_shown_on_its_day(desktop, days, dated):
    show_days(desktop)
    write(desktop, desktop.window.event_page.search, "诺亚")
    assert 0 < sum(map(len, days.days.values())) < len(dated)
    desktop.window.event_page.search.clear()
    settle(desktop)
    desktop.window.event_page.show_event(dated[4])
    assert days.current == StoryDay(2023, 6, 11)
    assert desktop.window.event_page.view.current_key() == dated[4]


def test_without_dates_there_is_a_list_and_what_has_none_is_said(
    empty_memory, open_desktop, tmp_path
):
    chat = import_chat(
        empty_memory, tmp_path / "a.jsonl", [("爱丽丝", "早上好。"), ("旅人", "早。")]
    )
    line = Line.main(chat)
    empty_memory.settings.set("auto.enabled", value=False)
    for time, said in (("第12天 清晨", "出门"), ("", "回家")):
        data = make_extraction(said, timestamp=time)
        empty_memory.events.add(line, data, SourceRange(0, 0))
    desktop = open_desktop(empty_memory)
    desktop.workspace.show_chat(chat)
    frame = show_days(desktop)
    assert not frame.month.isVisible()
    words = [frame.list.item(n).text() for n in range(frame.list.count())]
    assert words == ["Day 12 · 1 event", "No date · 1 event"]


def test_a_heading_of_the_text_says_the_day_where_the_event_does_not(memory, desktop):
    line = desktop.workspace.line
    key, _changes = memory.events.add(
        line, make_extraction("无题", timestamp=""), SourceRange(40, 41)
    )
    days = memory.events.by_day(line, [key])
    (day,) = days
    assert day is not None
    assert day.number is not None
    assert list(memory.events.by_day(line, [key], by_headings=False)) == [None]


@pytest.mark.parametrize(
    ("story_time", "day"),
    [
        ("2023-05-04 evening", StoryDay(2023, 5, 4)),
        ("1999年12月31日 夜", StoryDay(1999, 12, 31)),
        ("5月4日", StoryDay(None, 5, 4)),
        ("第三天 傍晚", StoryDay(number=3)),
        ("Day 42", StoryDay(number=42)),
        ("2023-02-30", None),
        ("傍晚", None),
        ("", None),
    ],
)
def test_what_day_a_story_time_names(story_time, day):
    assert day_of(story_time) == day


def test_that_nobody_is_known_is_said_only_after_reading(empty_memory, open_desktop, tmp_path):
    empty_memory.settings.set("auto.enabled", value=False)
    import_chat(empty_memory, tmp_path / "a.jsonl", [("", "雨。")])
    desktop = open_desktop(empty_memory)
    page, told = desktop.window.event_page, []
    desktop.window._show_events_as("people")
    empty = page.shapes.frames["people"].empty
    told.append(empty.isHidden())
    settle(desktop)
    assert told == [True], "not while it is being read"
    grid = desktop.window.models.event_views.grid
    assert grid.is_loaded
    assert empty.isHidden() is bool(grid.people)


@pytest.mark.parametrize("shape", ["cards", "table"])
def test_what_follows_a_deleted_event_is_chosen(qtbot, desktop, shape):
    page = desktop.window.event_page
    page.shapes.show_shape(shape)
    settle(desktop)
    view, model = page.view, desktop.window.models.events.model
    view.setFocus()
    view.show_row(2)
    keys = list(model.keys())
    for _ in range(2):
        press_key(desktop, view, Qt.Key.Key_Delete)
    assert list(model.keys()) == [*keys[:2], *keys[4:]]
    assert view.current_key() == keys[4]
    assert list(view.selected_keys()) == [keys[4]]
    view.show_row(model.rowCount() - 1)
    qtbot.keyClick(view, Qt.Key.Key_Delete)  # the last: the one before it follows
    settle(desktop)
    assert view.current_key() == keys[-2]
    desktop.window.models.undo.undo()  # and what an undo brings back is chosen again
    qtbot.waitUntil(lambda: view.current_key() == keys[-1])
    press_key(desktop, view, Qt.Key.Key_Delete)
    page.search.setText("没有这样的事")  # who searches has nothing chosen for them
    settle(desktop)
    page.search.clear()
    settle(desktop)
    assert view.model().rowCount() == len(keys) - 3
