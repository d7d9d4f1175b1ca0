"""The dialogs of events: bin, history, duplicates, shapes, replacements, many at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QLineEdit

from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.events.event_list import COLUMNS, SUMMARY
from engram_desktop.viewmodels.events.event_shapes import DepthRole, FoldRole
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.events.dialogs import BinDialog, DuplicatesDialog
from engram_desktop.widgets.events.editor_panel import EditorPanel, EventHistoryView
from engram_desktop.widgets.events.event_page import EventPage
from engram_desktop.widgets.events.replace_dialog import ReplaceDialog
from engram_desktop.widgets.parts.fields.text_fields import WordChip
from tests.factories import import_chat, make_extraction, story_rows
from tests.gui.waiting import (
    click,
    commit,
    press_key,
    settle,
    show_chat,
    trigger,
    undo,
    view_as,
    write,
)
from tests.stored import stored_events

# Several events selected: the panel says how many, and changes what they share in one step.


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


@pytest.fixture
def panel(desktop):
    (panel,) = desktop.window.findChildren(EditorPanel)
    return panel.many


@pytest.fixture
def events(desktop, memory):
    """Return what is stored of the events selected."""
    chat = desktop.workspace.chat_id

    def read():
        keys = desktop.window.models.event_many.keys
        return list(memory.events.fetch(chat, keys).values())

    return read


@pytest.fixture
def selected(qtbot, desktop, page):
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    press_key(desktop, page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)


def leave_with(qtbot, desktop, field, text):
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    press_key(desktop, field, Qt.Key.Key_Return)


def test_the_panel_says_how_many_and_shows_what_differs_as_mixed(selected, panel, events):
    assert panel.isVisible()
    assert panel.title.text() == "3 events selected"
    scores = {event.significance_score for event in events()}
    places = {event.raw_data.location for event in events()}
    assert panel.place.text() == (places.pop() if len(places) == 1 else "")
    if len(scores) > 1:
        texts = [part.text() for part in panel.findChildren(QLabel)]
        assert any(text.startswith("Mixed: ") for text in texts)


def test_a_place_is_set_in_all_and_one_undo_takes_it_back(qtbot, desktop, selected, panel, events):
    before = [event.raw_data.location for event in events()]
    trust = [event.confidence for event in events()]
    leave_with(qtbot, desktop, panel.place, "harbour")
    assert [event.raw_data.location for event in events()] == ["harbour"] * 3
    assert all("harbour" in event.display_text for event in events())
    assert [event.confidence for event in events()] == trust, "nobody read each of them"
    assert "Edit 3 events" in desktop.window.undo_action.text()
    undo(desktop)
    assert [event.raw_data.location for event in events()] == before


def test_keywords_are_added_to_all_and_removed_from_all(qtbot, desktop, selected, panel, events):
    leave_with(qtbot, desktop, panel.keyword, "salt, rope")
    assert all({"salt", "rope"} <= set(event.raw_data.keywords) for event in events())
    (chip,) = [c for c in panel.findChildren(WordChip) if c.word == "salt"]
    click(desktop, chip)
    assert not any("salt" in event.raw_data.keywords for event in events())
    assert all("rope" in event.raw_data.keywords for event in events())


def test_what_is_locked_keeps_its_text_and_the_panel_says_so(
    qtbot, desktop, selected, panel, events
):
    first = events()[0]
    desktop.window.models.events.set_locked([first.pk], locked=True)
    settle(desktop)
    assert panel.locked.checkState() == Qt.CheckState.PartiallyChecked
    assert "1 of them is locked" in " ".join(part.text() for part in panel.findChildren(QLabel))
    leave_with(qtbot, desktop, panel.time, "dusk")
    told = {event.pk: event.raw_data.timestamp for event in events()}
    assert told.pop(first.pk) == first.raw_data.timestamp
    assert set(told.values()) == {"dusk"}
    press_key(desktop, panel.locked, Qt.Key.Key_Space)
    assert all(event.is_locked for event in events())
    assert not panel.place.isEnabled()


def test_kind_score_and_confirmation_of_all(desktop, selected, panel, events):
    panel.kind.setFocus()
    panel.kind.setCurrentIndex(panel.kind.findData("fact"))
    panel.kind.activated.emit(panel.kind.currentIndex())
    settle(desktop)
    assert {event.kind for event in events()} == {"fact"}
    panel.significance.setValue(10)
    settle(desktop)
    assert {event.significance_score for event in events()} == {0.1}
    press_key(desktop, panel.confirmed, Qt.Key.Key_Space)
    assert {event.confidence for event in events()} == {"confirmed"}
    assert panel.confirmed.isChecked()


def test_one_event_again_shows_its_own_fields(desktop, page, selected, panel):
    page.view.show_row(1)
    settle(desktop)
    assert not panel.isVisible()
    page.view.selectAll()
    settle(desktop)
    assert panel.isVisible()
    assert str(page.view.model().rowCount()) in panel.title.text()


# Events that say the same: shown in groups; one is kept, all are joined, or they stay.

KEY = "船长在风暴里把黄铜望远镜交给了水手长。"
AGAIN = "船长在风暴里把那支黄铜望远镜交给水手长。"


@pytest.fixture
def stored(desktop, memory):
    chat = desktop.workspace.chat_id
    return lambda: stored_events(memory, chat)


@pytest.fixture
def dialog(desktop, memory):
    line = Line.main(desktop.workspace.chat_id)
    for text, first, last in ((KEY, 2, 6), (AGAIN, 4, 9)):
        memory.events.add(line, PlotExtraction(text), SourceRange(first, last))
    trigger(desktop, desktop.window.event_page.tools.same_action)
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


def test_a_group_says_why_and_can_be_left_alone(desktop, dialog, stored):
    before = groups(dialog)
    assert any("2 events · floors overlap, " in head for head in before)
    choose(dialog, KEY)
    click(desktop, dialog.apart_button)
    assert len(groups(dialog)) == len(before) - 1
    undo(desktop)
    assert groups(dialog) == before
    assert {KEY, AGAIN} <= {event.summary for event in stored().values()}


def test_one_is_kept_and_the_others_go_to_the_bin(desktop, dialog, stored):
    choose(dialog, AGAIN)
    click(desktop, dialog.keep_button)
    told = {event.summary for event in stored().values()}
    assert AGAIN in told
    assert KEY not in told


def test_two_become_one_with_the_floors_of_both(desktop, dialog, stored):
    choose(dialog, KEY)
    click(desktop, dialog.join_button)
    (event,) = [e for e in stored().values() if "望远镜" in e.summary]
    assert event.source_range == SourceRange(2, 9)
    assert KEY in event.summary
    assert AGAIN in event.summary
    undo(desktop)
    assert {KEY, AGAIN} <= {event.summary for event in stored().values()}


def test_an_event_is_split_at_a_floor_and_put_together_by_undo(desktop, stored):
    page = desktop.window.event_page
    event = page.view.model().index(0, 0).data(RowRole)
    before = len(stored())
    desktop.window.dialogs.open_split(event)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.floor.setValue(event.source_range.end_index)
    told = [field.toPlainText() for field in (dialog.first, dialog.second)]
    if told[0] == told[1]:
        assert not dialog.split_button.isEnabled(), "two events of the same words"
    else:
        assert "".join("".join(told).split()) == "".join(event.summary.split())
    first = told[0]
    dialog.second.setPlainText("then it rained")
    click(desktop, dialog.split_button)
    parts = sorted(stored().values(), key=lambda e: e.source_range)
    (second,) = [e for e in parts if e.summary == "then it rained"]
    end = event.source_range.end_index
    assert second.source_range == SourceRange(end, end)
    assert stored()[event.pk].source_range.end_index == end - 1
    assert stored()[event.pk].summary == first
    undo(desktop)
    assert len(stored()) == before
    assert stored()[event.pk].source_range == event.source_range


# The bin of the events page: what was deleted, long after it can be undone.

CTX = NullContext()


def deleted(desktop, count=2):
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    pks = [pk for pk, event in stored_events(memory, chat).items() if event.level == 0][:count]
    summaries = [memory.events.fetch(chat, [pk])[pk].summary for pk in pks]
    desktop.window.models.events.delete(pks)
    settle(desktop)
    return pks, summaries


def open_bin(desktop):
    (page,) = desktop.window.findChildren(EventPage)
    trigger(desktop, page.tools.bin_action)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, BinDialog)]
    return dialog


def test_a_deleted_event_is_found_and_brought_back(desktop):
    pks, summaries = deleted(desktop)
    dialog = open_bin(desktop)
    assert dialog.list.count() == 2
    assert not dialog.restore_button.isEnabled()
    dialog.search.setText(summaries[0][:12])
    shown = [dialog.list.item(n) for n in range(2) if not dialog.list.item(n).isHidden()]
    assert [item.text().startswith(summaries[0]) for item in shown] == [True]
    shown[0].setSelected(True)
    click(desktop, dialog.restore_button)
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    assert not memory.events.fetch(chat, [pks[0]])[pks[0]].is_deleted
    assert dialog.list.count() == 1, "the list is read again"
    undo(desktop)
    assert dialog.list.count() == 2


def test_seen_as_somebody_the_bin_shows_nothing(desktop):
    deleted(desktop)
    view_as(desktop, "凯尔")
    dialog = open_bin(desktop)
    assert dialog.list.count() == 0


# The tab of the editor that says what an event was.

HISTORY_TAB = 4


@pytest.fixture
def shown(memory, tmp_path, open_desktop):
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
    pk, _changes = memory.events.add(
        Line.main(chat), make_extraction("爱丽丝拾到<b>铜钥匙</b>。"), SourceRange(2, 5)
    )
    memory.events.update(chat, pk, EventPatch(summary="爱丽丝藏起<b>铜钥匙</b>。", details="钟楼"))
    desktop = open_desktop(memory)
    show_chat(desktop, chat)
    panel = desktop.window.panel.currentWidget()
    desktop.window.models.editor.show_event(pk)
    panel.show_tab(HISTORY_TAB)
    settle(desktop)
    (view,) = panel.findChildren(EventHistoryView)
    return desktop, chat, pk, view


def test_versions_are_listed_with_what_each_changed(shown):
    _desktop, _chat, _pk, view = shown
    assert view.list.count() == 2
    view.list.setCurrentRow(0)
    text = view.change.toPlainText()
    assert "拾到藏起<b>铜钥匙</b>" in text, "what went, what came, and markup as it was written"
    assert "钟楼" in text
    assert not view.restore_button.isEnabled(), "it is so already"
    view.list.setCurrentRow(1)
    assert "爱丽丝拾到" in view.change.toPlainText()


def test_a_word_that_another_replaced_does_not_run_into_it(shown):
    desktop, chat, pk, view = shown
    memory = desktop.workspace.memory
    desktop.workspace.change(
        "", lambda _ctx: memory.events.update(chat, pk, EventPatch(details="河边"))
    )
    settle(desktop)
    view.list.setCurrentRow(0)
    assert "钟楼 → 河边" in view.change.toPlainText()


def test_going_back_is_a_step_that_can_be_undone(shown):
    desktop, chat, pk, view = shown
    view.list.setCurrentRow(1)
    click(desktop, view.restore_button)
    memory = desktop.workspace.memory
    assert memory.events.fetch(chat, [pk])[pk].summary == "爱丽丝拾到<b>铜钥匙</b>。"
    assert view.list.count() == 3
    undo(desktop)
    assert memory.events.fetch(chat, [pk])[pk].summary == "爱丽丝藏起<b>铜钥匙</b>。"
    assert view.list.count() == 2


def test_seen_as_somebody_nothing_of_the_past_is_shown(shown):
    desktop, _chat, pk, view = shown
    view_as(desktop, "爱丽丝")
    desktop.window.models.editor.show_event(pk)
    settle(desktop)
    assert view.list.count() == 0
    assert "钟楼" not in view.change.toPlainText()


# The list of events as a table and as a tree of outlines: sorting, folding, editing, selection.

LEFT = Qt.MouseButton.LeftButton


def show(desktop, page, shape):
    trigger(desktop, page.tools.shape_actions[shape])
    return page.view


def click_header(qtbot, desktop, table, name):
    header = table.horizontalHeader()
    at = header.viewport().rect().center()
    at.setX(header.sectionViewportPosition(COLUMNS.index(name)) + 8)
    qtbot.mouseClick(header.viewport(), LEFT, pos=at)
    settle(desktop)


def column(table, name):
    model = table.model()
    return [model.index(n, COLUMNS.index(name)).data() for n in range(model.rowCount())]


def test_a_click_on_a_column_sorts_and_a_second_one_turns_it_round(qtbot, desktop, page):
    table = show(desktop, page, "table")
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
    table = show(desktop, page, "table")
    click_header(qtbot, desktop, table, "tokens")
    click_header(qtbot, desktop, table, "tokens")
    keys = list(desktop.window.models.events.model.keys())
    again = open_desktop(memory)
    assert list(again.window.models.events.model.keys()) == keys


def test_the_table_has_the_bulk_actions_and_the_menu_of_the_cards(desktop, page, memory):
    table = show(desktop, page, "table")
    table.setFocus()
    table.selectAll()
    assert table.selected_count() == table.model().rowCount()
    click(desktop, page.selection_bar.lock_button)
    chat, keys = desktop.workspace.chat_id, table.selected_keys()
    assert all(e.is_locked for e in memory.events.fetch(chat, keys).values())
    assert desktop.window.models.event_many is not None


def test_f2_edits_the_summary_in_its_cell_and_undo_takes_it_back(qtbot, desktop, page, memory):
    table = show(desktop, page, "table")
    table.setFocus()
    table.show_row(0)
    key = table.current_key()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    editor = table.viewport().findChild(QLineEdit)
    editor.setText("换了一句话")
    press_key(desktop, editor, Qt.Key.Key_Return)
    chat = desktop.workspace.chat_id
    assert memory.events.fetch(chat, [key])[key].summary == "换了一句话"
    assert table.model().index(0, SUMMARY).data() == "换了一句话"
    undo(desktop)
    assert memory.events.fetch(chat, [key])[key].summary != "换了一句话"


def test_what_is_selected_goes_along_to_the_other_shape(desktop, page):
    page.view.show_row(2)
    key = page.view.current_key()
    table = show(desktop, page, "table")
    assert list(table.selected_keys()) == [key]
    tree = show(desktop, page, "outlines")
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
    tree = show(desktop, page, "outlines")
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


def test_a_part_that_is_looked_for_is_unfolded(desktop, page, memory):
    chat = desktop.workspace.chat_id
    _outlines, parents = trimmed(memory, chat)
    tree = show(desktop, page, "outlines")
    part = next(iter(parents))
    assert tree.model().row_of(part) is None
    desktop.workspace.event_wanted.emit(part)
    settle(desktop)
    assert list(tree.selected_keys()) == [part]


def test_the_shape_and_the_widths_are_there_at_the_next_start(
    qtbot, desktop, page, memory, open_desktop
):
    table = show(desktop, page, "table")
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


# Find and replace in events: a preview of every change, what is ticked is done in one step.


def opened(desktop, page):
    trigger(desktop, page.tools.replace_action)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, ReplaceDialog)]
    return dialog


def look_for(desktop, dialog, find, put):
    commit(dialog.find_field, find)
    write(desktop, dialog.replace_field, put)


def test_a_word_is_replaced_in_the_list_and_one_undo_brings_it_back(desktop, page, stored):
    before = stored()
    hit = {pk for pk, event in before.items() if "旅人" in event.summary}
    dialog = opened(desktop, page)
    assert dialog.in_list.isChecked()
    look_for(desktop, dialog, "旅人", "行者")
    assert dialog.list.model().rowCount() >= len(hit) > 1
    click(desktop, dialog.replace_button)
    after = stored()
    assert not any("旅人" in event.summary for event in after.values())
    assert all("行者" in after[pk].summary for pk in hit)
    assert [e.name for e in after[min(hit)].raw_data.entities] == [
        e.name for e in before[min(hit)].raw_data.entities
    ], "names only where they are asked for"
    assert not dialog.replace_button.isEnabled(), "nothing is left to be replaced"
    assert "旅人" in desktop.window.undo_action.text()
    undo(desktop)
    assert {pk: e.raw_data for pk, e in stored().items()} == {
        pk: e.raw_data for pk, e in before.items()
    }


def test_stop_ends_a_search_before_it_begins(qtbot, desktop, page):
    dialog = opened(desktop, page)
    commit(dialog.find_field, "旅人")
    assert dialog.progress.isVisible()
    qtbot.mouseClick(dialog.stop_button, Qt.MouseButton.LeftButton)
    assert not dialog.progress.isVisible()
    settle(desktop)
    assert dialog.list.model().rowCount() == 0


def test_an_unticked_change_is_left_out_and_locked_events_are_told_of(qtbot, desktop, page, stored):
    hits = [pk for pk, event in stored().items() if "旅人" in event.summary]
    desktop.window.models.events.set_locked(hits[:1], locked=True)
    settle(desktop)
    dialog = opened(desktop, page)
    for field, tick in dialog.fields.items():
        tick.setChecked(field == "summary")
    look_for(desktop, dialog, "旅人", "行者")
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
    click(desktop, dialog.replace_button)
    left = {pk for pk, event in stored().items() if "旅人" in event.summary}
    assert left == {hits[0], kept}


def test_names_follow_when_they_are_asked_for_and_only_the_selection_changes(desktop, page, stored):
    page.view.setFocus()
    page.view.show_row(0)
    press_key(desktop, page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    chosen = set(page.view.selected_keys())
    dialog = opened(desktop, page)
    assert dialog.only_chosen.isChecked()
    dialog.fields["names"].setChecked(True)
    look_for(desktop, dialog, "旅人", "行者")
    click(desktop, dialog.replace_button)
    named = {
        pk for pk, event in stored().items() if "行者" in {e.name for e in event.raw_data.entities}
    }
    assert named
    assert named <= chosen
    assert all("旅人" not in stored()[pk].participants for pk in named)


def test_groups_of_a_pattern_and_its_faults(desktop, page, stored):
    dialog = opened(desktop, page)
    dialog.is_regex.setChecked(True)
    look_for(desktop, dialog, "第(\\d+)天", "Day $1")
    assert dialog.list.model().rowCount() > 0
    assert all("Day " in c.after[0] for c in dialog.list.model().changes)
    dialog.find_field.setText("(")
    settle(desktop)
    assert "cannot be run" in dialog._state.text()
    assert not dialog.replace_button.isEnabled()
    dialog.find_field.setText("")
    settle(desktop)
    assert dialog._state.text() == "Type what to look for."


def test_a_pattern_that_never_ends_is_stopped_and_said_so(desktop, page, memory):
    chat = desktop.workspace.chat_id
    key = memory.events.find(chat, EventQuery())[0]
    memory.events.update(chat, key, EventPatch(details="a" * 5000 + "!"))
    dialog = opened(desktop, page)
    dialog.is_regex.setChecked(True)
    look_for(desktop, dialog, "(a+)+$", "b")
    assert "was stopped" in dialog._state.text()
