"""Worldbooks arranged, written and kept."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QHoverEvent
from PySide6.QtWidgets import QApplication, QMenu
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import StorageError
from engram_desktop.domain.tavern.folder import TavernChoice
from engram_desktop.domain.worldbooks.merging import KeptReport, KeptWorldbook
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Entry, Position
from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs.quiet_job import WorldbookKeeper
from engram_desktop.viewmodels.worldbooks.entry_table import COLUMNS, MANY, EntryTable
from engram_desktop.widgets.worldbooks.entry_view import EntryView
from tests.gui.waiting import click, commit, press, press_key, settle, undo
from tests.gui.worldbooks import column_of, last_bar, open_entries, stored
from tests.tavern import make_tavern

# Entries of a worldbook sorted, moved, put under headings, held against the budget.

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(desktop, memory, tmp_path):
    return open_entries(desktop, memory, tmp_path)


def sort_by(page, text):
    menu = page.sort_button.menu()
    menu.aboutToShow.emit()
    action = next(a for a in menu.actions() if a.text() == text)
    assert action.isEnabled()
    action.trigger()


def titles(page):
    return [text.split(" · ")[0] for text in column_of(page, "title")]


def choose(page, *names):
    view, model = page.view, page.view.model()
    view.clearSelection()
    for row in range(model.rowCount()):
        if model.index(row, 0).data() in names:
            flags = view.selectionModel().SelectionFlag
            view.selectionModel().setCurrentIndex(model.index(row, 0), flags.Select | flags.Rows)


def choose_in_menu(page, row, *texts):
    """Right-click a row and choose what stands in its menu."""
    at = page.view.visualRect(page.view.model().index(row, 0)).center()
    page.view.customContextMenuRequested.emit(at)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    held, menu = [], popup  # a wrapper that is let go takes the menu with it
    for text in texts[:-1]:
        held.append(next(a for a in menu.actions() if a.text() == text))
        below = held[-1].menu()
        assert isinstance(below, QMenu)
        menu = below
    next(a for a in menu.actions() if a.text() == texts[-1]).trigger()
    popup.close()


class CountedTable(EntryTable):
    """Counts what a view asks of it."""

    asked = 0

    @override
    def flags(self, index):
        self.asked += 1
        return super().flags(index)


def show_long_list(qtbot, desktop, count=5_000):
    table = CountedTable()
    view = EntryView(desktop.look, table)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    entries = [Entry(n, comment=f"条目{n}", heading="地点" * (n % 9 == 8)) for n in range(count)]
    table.arranging_wanted.connect(
        lambda told: table.show(table.arrangement.of(told.entries, told.outcomes, told.tokens))
    )
    table.show(table.arrangement.of(entries, {}, {}))
    return view, table


def test_a_long_list_asks_for_the_rows_that_are_seen_alone(qtbot, desktop):
    view, table = show_long_list(qtbot, desktop)
    view.setStyleSheet("* { color: red }")
    table.search("条目4")
    table.search("")
    view.grab()
    assert 0 < table.asked < 500
    ((row, heading),) = table.heading_rows()
    assert (heading.name, heading.count) == ("地点", 555)
    assert view.columnSpan(row, 0) == len(COLUMNS)
    table.toggle_fold("地点")
    assert view.columnSpan(row, 0) == len(COLUMNS)
    assert table.rowCount() == 5_001 - 555


def test_keys_go_from_row_to_row_and_not_from_cell_to_cell(qtbot, desktop):
    view, table = show_long_list(qtbot, desktop, 50)
    view.setCurrentIndex(table.index(3, 2))
    rows = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
        qtbot.keyClick(view, key)
        rows.append((view.currentIndex().row(), len(view.selectionModel().selectedRows())))
    assert rows == [(3, 1), (4, 1), (0, 1), (50, 1)]


def test_a_hand_over_a_cell_lights_up_its_row(qtbot, desktop):
    view, table = show_long_list(qtbot, desktop, 5)
    at = view.visualRect(table.index(1, 3)).center()
    hover = QHoverEvent(QEvent.Type.HoverMove, QPointF(at), QPointF(at), QPointF())
    QApplication.sendEvent(view.viewport(), hover)
    assert [view.is_hovered(row) for row in range(3)] == [False, True, False]
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert not view.is_hovered(1)


def test_what_was_arranged_otherwise_while_it_was_read_is_shown_as_it_is_arranged_now(desktop):
    table = EntryTable()
    entries = [Entry(n, comment=name, order=n) for n, name in enumerate(("丙", "乙", "甲"))]
    read = table.arrangement.of(entries, {}, {})
    table.sort_by("order")
    table.search("乙")
    table.show(read)
    assert [table.index(row, 0).data() for row in range(table.rowCount())] == ["乙"]
    table.search("")
    assert [table.index(row, 0).data() for row in range(3)] == ["甲", "乙", "丙"]


def test_very_many_entries_are_searched_and_folded_too(qtbot, desktop, memory, page, tmp_path):
    told = {
        str(n): {"uid": n, "key": ["词"], "comment": f"第{n}条", "content": "……", "order": n}
        for n in range(MANY + 1)
    }
    file = tmp_path / "很大.json"
    file.write_text(json.dumps({"entries": told}, ensure_ascii=False), "utf-8")
    memory.worldbooks.import_file(NullContext(), file)
    books = desktop.window.models.worldbooks
    books.read()
    settle(desktop)
    ids = {row.name == "很大": row.id for row in books.shelf.rows}
    small, large = ids[False], ids[True]
    books.open(large)
    qtbot.waitUntil(lambda: page.view.model().rowCount() == MANY + 1)
    page.search.setText("第77")
    qtbot.waitUntil(lambda: 0 < page.view.model().rowCount() < 20)
    assert titles(page)[0] == "第77条"
    page.search.setText("第778条")
    books.open(small)  # what was to be listed of the large one is not shown here
    page.search.clear()
    settle(desktop)
    qtbot.waitUntil(lambda: titles(page) == ["企鹅", "沉默", "天气"])


def test_entries_are_sorted_as_chosen_and_that_is_kept(desktop, memory, page, open_desktop):
    assert titles(page) == ["企鹅", "沉默", "天气"]
    sort_by(page, "By order")
    assert titles(page) == ["沉默", "天气", "企鹅"]
    sort_by(page, "The other way round")
    assert titles(page) == ["企鹅", "天气", "沉默"]
    sort_by(page, "By tokens")
    settle(desktop)
    assert titles(page)[0] == "企鹅"
    assert memory.settings.read().ui_entry_sort == "tokens"
    second = open_desktop(memory)
    assert second.window.models.worldbooks.entries.sort_key == "tokens"


def test_a_sorting_becomes_the_order_after_what_changes_was_shown(desktop, memory, page):
    before = stored(memory)
    sort_by(page, "By title")
    shown = titles(page)
    sort_by(page, "Apply this sorting as order…")
    dialog = desktop.window.dialogs.shown[-1]
    dialog.first.setValue(50)
    listed = [dialog.changes.topLevelItem(n) for n in range(dialog.changes.topLevelItemCount())]
    assert [item.text(0) for item in listed] == shown
    assert [item.text(2) for item in listed] == ["50", "49", "48"]
    assert stored(memory) == before, "nothing is done before it is applied"
    click(desktop, dialog.apply_button)
    now = {entry.comment: entry.order for entry in stored(memory).values()}
    assert [now[title] for title in shown] == [50, 49, 48]
    assert (
        desktop.window.undo_action.text() == "Undo: Give 3 entries of “设定” the order of the list"
    )
    undo(desktop)
    assert stored(memory) == before


def drop(desktop, page, row):
    """Let go what is dragged in the upper half of a row; past the last one at the end."""
    view, model = page.view, page.view.model()
    if row < model.rowCount():
        rect = view.visualRect(model.index(row, 0))
        at = QPointF(20, rect.top() + 2)
    else:
        at = QPointF(20, view.visualRect(model.index(row - 1, 0)).bottom() + 40)
    actions = Qt.DropAction.MoveAction
    event = QDropEvent(at, actions, QMimeData(), LEFT, Qt.KeyboardModifier.NoModifier)
    view.dropEvent(event)
    settle(desktop)


def test_what_is_dragged_gets_the_order_of_its_place_in_one_step(desktop, memory, page):
    before = stored(memory)
    sort_by(page, "By order")
    settle(desktop)
    assert page.view.dragEnabled()
    choose(page, "企鹅")
    drop(desktop, page, 0)
    assert titles(page) == ["企鹅", "沉默", "天气"]
    assert [stored(memory)[n].order for n in range(3)] == [100, 100, 100], "no more than needed"
    assert [entry.comment for entry in page._worldbooks.chosen] == ["企鹅"], "it stays selected"
    drop(desktop, page, 3)
    assert titles(page) == ["沉默", "天气", "企鹅"]
    press_key(desktop, page.view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert titles(page) == ["沉默", "企鹅", "天气"]
    for _ in range(3):
        undo(desktop)
    assert stored(memory) == before


def test_in_another_sorting_a_drag_says_how_entries_are_moved(desktop, memory, page):
    before = stored(memory)
    choose(page, "天气")
    drop(desktop, page, 0)
    assert stored(memory) == before
    assert last_bar(desktop).notice.text == "Entries are moved where they are all listed by order"
    click(desktop, last_bar(desktop).button)
    assert titles(page) == ["沉默", "天气", "企鹅"]


def come_back(qtbot, desktop, dialog):
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    desktop.window.activateWindow()  # a window manager does that
    qtbot.waitUntil(desktop.window.isActiveWindow)
    settle(desktop)


def put_under(qtbot, desktop, page, heading, *names):
    choose(page, *names)
    row = page.view.currentIndex().row()
    choose_in_menu(page, row, "Put under a heading", "New heading…")
    dialog = desktop.window.dialogs.shown[-1]
    commit(dialog.name, heading)
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    come_back(qtbot, desktop, dialog)


def test_a_heading_folds_its_entries_and_switches_all_of_them(qtbot, desktop, memory, page):
    put_under(qtbot, desktop, page, "地方", "企鹅", "天气")
    assert titles(page) == ["沉默", "地方", "企鹅", "天气"]
    before = stored(memory)
    assert {entry.heading for entry in before.values()} == {"", "地方"}
    choose_in_menu(page, 1, "Switch all of it off")
    settle(desktop)
    assert column_of(page, "title")[1].startswith("地方 · 0 of 2 on")
    assert [stored(memory)[n].is_disabled for n in range(3)] == [True, False, True]
    assert stored(memory)[2].is_constant, "what an entry is otherwise stays"
    assert desktop.window.undo_action.text() == "Undo: Switch “地方” of “设定” off"
    undo(desktop)
    assert stored(memory) == before
    rect = page.view.visualRect(page.view.model().index(1, 0))
    qtbot.mouseClick(page.view.viewport(), LEFT, pos=rect.center())
    assert titles(page) == ["沉默", "地方"]
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_Right)
    assert titles(page) == ["沉默", "地方", "企鹅", "天气"]
    qtbot.keyClick(page.view, Qt.Key.Key_Left)
    page.search.setText("水族馆")
    assert titles(page) == ["地方", "企鹅"], "a search opens what it finds something under"
    page.search.clear()
    assert titles(page) == ["沉默", "地方"]


def test_a_heading_is_renamed_left_and_taken_away(qtbot, desktop, memory, page):
    put_under(qtbot, desktop, page, "地方", "企鹅")
    page.view.setCurrentIndex(page.view.model().index(2, 0))
    page.view.setFocus()
    press_key(desktop, desktop.window, Qt.Key.Key_F2)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.name.setText("场所")
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    come_back(qtbot, desktop, dialog)
    assert titles(page) == ["沉默", "天气", "场所", "企鹅"]
    choose(page, "天气")
    drop(desktop, page, 3)
    assert stored(memory)[2].heading == "场所", "dropped below a heading, it stands under it"
    choose_in_menu(page, 1, "Take the heading away, keep its entries")
    settle(desktop)
    assert titles(page) == ["企鹅", "沉默", "天气"]


def test_headings_survive_a_file_and_change_nothing_for_sillytavern(
    qtbot, desktop, memory, page, tmp_path
):
    put_under(qtbot, desktop, page, "地方", "企鹅")
    target = tmp_path / "出.json"
    memory.worldbooks.export(NullContext(), memory.worldbooks.all()[0].id, target)
    written = json.loads(target.read_text("utf-8"))["entries"]
    assert written["0"]["extensions"] == {"engram": {"heading": "地方"}}
    assert "group" not in written["0"]
    memory.worldbooks.import_file(NullContext(), target)
    entries = memory.worldbooks.read(memory.worldbooks.find("出").id).entries
    assert [entry.heading for entry in entries] == ["地方", "", ""]


def test_f2_in_the_list_goes_to_the_title_of_the_entry(qtbot, desktop, page):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    page.view.setFocus()
    qtbot.keyClick(desktop.window, Qt.Key.Key_F2)
    panel = desktop.window.stack.panel("books")
    assert panel.title.hasFocus()
    assert panel.title.selectedText() == "企鹅"


def test_the_budget_is_shown_with_what_falls_out_of_it(desktop, memory, page):
    assert page.meter.isVisible()
    assert "of 8,000 tokens" in page.meter.words.text()
    assert not page.meter.warning.isVisible()
    page.everywhere.click()
    memory.settings.set("lore.cap", 6)
    settle(desktop)
    desktop.window.models.worldbooks.read()
    settle(desktop)
    assert "of 6 tokens" in page.meter.words.text()
    assert page.meter.warning.accessibleName() == "1 entry falls out of the budget: 企鹅"


def test_constant_entries_alone_over_the_budget_are_warned_of(desktop, memory, page):
    worldbook = memory.worldbooks.all()[0].id
    memory.worldbooks.change_entries(worldbook, [2], {"content": "下雨。" * 9_000})
    desktop.window.models.worldbooks.read()
    settle(desktop)
    assert page.meter.warning.accessibleName().startswith("The constant entries alone need ")
    page.view.setCurrentIndex(page.view.model().index(2, 0))
    panel = desktop.window.stack.panel("books")
    assert "% of the budget" in panel._tokens.text()
    memory.worldbooks.change_entries(worldbook, [2], {"is_disabled": True})
    desktop.window.models.worldbooks.read()
    settle(desktop)
    assert not page.meter.warning.isVisible()


def test_an_entry_is_written_in_a_large_window_and_saved_while_it_is_typed(
    qtbot, desktop, memory, page
):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    panel = desktop.window.stack.panel("books")
    qtbot.mouseClick(panel.large_button, LEFT)
    dialog = desktop.window.dialogs.shown[-1]
    assert dialog.content.toPlainText() == "水族馆里的企鹅。"
    assert dialog.counts.text().startswith("7 words · 8 characters · about ")
    dialog.content.setPlainText("")
    commit(dialog.content, "一只新的企鹅。")
    assert dialog.counts.text().startswith("6 words · 7 characters · about ")
    qtbot.waitUntil(lambda: stored(memory)[0].content == "一只新的企鹅。", timeout=5000)
    commit(dialog.content, "还有一只。")
    dialog.close()
    settle(desktop)
    assert stored(memory)[0].content == "一只新的企鹅。还有一只。"
    assert panel.content.toPlainText() == "一只新的企鹅。还有一只。"


def test_nothing_that_is_taken_in_scrolls_or_selects_something_else(
    desktop, memory, page, tmp_path
):
    many = {str(n): {"uid": n, "key": [f"词{n}"], "comment": f"第{n}条"} for n in range(300)}
    file = tmp_path / "很多.json"
    file.write_text(json.dumps({"entries": many}), "utf-8")
    memory.imports.import_file(NullContext(), file)
    worldbooks = desktop.window.models.worldbooks
    worldbooks.read()
    settle(desktop)
    worldbooks.open(memory.worldbooks.find("很多").id)
    settle(desktop)
    page.view.setCurrentIndex(page.view.model().index(150, 0))
    bar = page.view.verticalScrollBar()
    was = (worldbooks.open_id, page.view.currentIndex().row(), bar.value())
    assert bar.value() > 0
    other = tmp_path / "又一本.json"
    other.write_text(json.dumps({"entries": many}), "utf-8")
    desktop.window.import_files([other])
    settle(desktop)
    dialog = desktop.window.dialogs.shown[-1]
    click(desktop, dialog.import_button)
    assert len(memory.worldbooks.all()) == 3
    assert (worldbooks.open_id, page.view.currentIndex().row(), bar.value()) == was
    memory.worldbooks.change_entries(was[0], [3], {"heading": "头"})
    worldbooks.read()
    settle(desktop)
    assert abs(bar.value() - was[2]) <= page.view.sizeHintForRow(0) + 4
    assert page.view.model().index(page.view.currentIndex().row(), 0).data() == "第150条"


# The fields of worldbook entries: of one, of several at once, and by names for ids.


def test_every_field_is_there_and_a_touch_changes_only_it(desktop, memory, page):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    form = desktop.window.stack.panel("books").form
    before = stored(memory)
    fields = form._fields
    position = fields["position"]
    assert not fields["outlet_name"].isVisibleTo(form)
    position.setCurrentIndex(position.findData(Position.OUTLET))
    position.activated.emit(position.currentIndex())
    settle(desktop)
    assert fields["outlet_name"].isVisibleTo(form)
    fields["outlet_name"].setText("海")
    fields["outlet_name"].submitted.emit()
    fields["automation_id"].setText("x")
    fields["automation_id"].submitted.emit()
    fields["delay_until_recursion"].setValue(2)
    fields["scan_depth"].setValue(7)
    settle(desktop)
    form._matches["scenario"].click()
    form._triggers["swipe"].click()
    form._triggers["normal"].click()
    form.names.field.setText("爱丽丝")
    form.names.field.submitted.emit()
    settle(desktop)
    form.tags.field.setText("t1")
    form.tags.field.submitted.emit()
    press(desktop, form.excludes)
    now = stored(memory)
    assert now[0] == replace(
        before[0],
        position=Position.OUTLET,
        outlet_name="海",
        automation_id="x",
        delay_until_recursion=2,
        scan_depth=7,
        matches=frozenset({"scenario"}),
        triggers=("normal", "swipe"),
        character_filter=CharacterFilter(("爱丽丝",), ("t1",), is_exclude=True),
    )
    assert (now[1], now[2]) == (before[1], before[2])
    fields["scan_depth"].setValue(-1)
    settle(desktop)
    assert stored(memory)[0].scan_depth is None


def test_tags_are_shown_by_name_and_kept_by_id(desktop, memory, page, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    tags = [{"id": "id-1", "name": "奇幻"}, {"id": "id-2", "name": "悬疑"}]
    (handle / "settings.json").write_text(json.dumps({"tags": tags}), "utf-8")
    choice = TavernChoice(frozenset())
    found = memory.tavern.list_folder(NullContext(), tmp_path / "SillyTavern")
    memory.tavern.take(NullContext(), found, choice, lambda _: None, lambda *_: None)
    row = memory.worldbooks.all()[0]
    wanted = CharacterFilter((), ("id-2", "别的"))
    memory.worldbooks.change_entries(row.id, [0], {"character_filter": wanted})
    desktop.workspace.hub.publish(Changes(worldbooks=True))
    settle(desktop)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    form = desktop.window.stack.panel("books").form
    assert form.tags.words == ("悬疑", "别的")
    offered = form.tags.field.completer().model()
    assert [offered.index(n, 0).data() for n in range(offered.rowCount())] == ["奇幻", "悬疑"]
    form.tags.field.completer().activated.emit("奇幻")
    settle(desktop)
    press(desktop, form.excludes)
    held = stored(memory)[0].character_filter
    assert held == CharacterFilter((), ("id-2", "别的", "id-1"), is_exclude=True)
    assert form.tags.words == ("悬疑", "别的", "奇幻")


def test_several_entries_are_edited_together_and_what_differs_is_blank(desktop, memory, page):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    page.view.selectAll()
    panel = desktop.window.stack.panel("books")
    form = panel.form
    order = form._fields["order"]
    assert not panel.title.isVisibleTo(panel)
    assert order.text() == ""
    assert form._fields["depth"].value() == 4
    assert panel.mode.currentIndex() == -1
    before = stored(memory)
    form._fields["probability"].setValue(60)
    settle(desktop)
    order.setValue(100)
    settle(desktop)
    press(desktop, form._fields["prevent_recursion"])
    press(desktop, form._matches["scenario"])
    assert stored(memory) == {
        uid: replace(
            entry,
            probability=60,
            order=100,
            prevent_recursion=True,
            matches=frozenset({"scenario"}),
        )
        for uid, entry in before.items()
    }
    assert order.text() == "100"
    for _ in range(4):
        undo(desktop)
    assert stored(memory) == before


# Kept worldbooks follow memory on their own: once for many changes, and after a rest.

DONE = KeptReport(KeptWorldbook("x", "a", "main"), is_written=True)


class Library:
    """The methods of the facade the keeper asks for."""

    def __init__(self):
        self.session = SimpleNamespace(is_safe=False, can_write=True)
        self.asked = []
        self.kept = self
        self.answer = [DONE]
        self.trouble = None
        self.gate = threading.Event()
        self.gate.set()

    def sync(self, _ctx, chat_id=None):
        self.asked.append(chat_id)
        assert self.gate.wait(10)
        if self.trouble is not None:
            raise self.trouble
        return self.answer


@pytest.fixture
def fake_worldbooks():
    return Library()


@pytest.fixture
def keeper(fake_worldbooks, runner, hub):
    made = WorldbookKeeper(fake_worldbooks, runner, hub)
    made._pause.setInterval(1)
    return made


def test_many_changes_are_one_sync(qtbot, keeper, fake_worldbooks, hub):
    with qtbot.waitSignal(keeper.synced, timeout=20_000) as told:
        for _ in range(5):
            hub.publish(Changes(chat_id="a", rows=True))
    assert told.args == [[DONE]]
    assert fake_worldbooks.asked == ["a"]


@pytest.mark.parametrize(
    "changes", [Changes(settings=True), Changes(chat_id="a", logs=True), Changes(worldbooks=True)]
)
def test_what_does_not_concern_memory_starts_nothing(qtbot, keeper, changes, hub):
    hub.publish(changes)
    assert not keeper._pause.isActive()


def test_a_change_meanwhile_is_synced_afterwards(qtbot, keeper, fake_worldbooks, hub, runner):
    fake_worldbooks.gate.clear()
    keeper.look()
    qtbot.waitUntil(lambda: fake_worldbooks.asked == [None], timeout=20_000)
    hub.publish(Changes(chat_id="b", events=frozenset({1}), texts=True))
    fake_worldbooks.gate.set()
    qtbot.waitUntil(lambda: fake_worldbooks.asked == [None, "b"], timeout=30_000)
    qtbot.waitUntil(lambda: runner.is_idle, timeout=20_000)


def test_trouble_is_told_once_and_nothing_new_is_not_told(
    qtbot, keeper, fake_worldbooks, hub, runner
):
    told: list[Exception] = []
    seen: list[object] = []
    keeper.failed.connect(told.append)
    keeper.synced.connect(seen.append)
    fake_worldbooks.trouble = StorageError("full")
    for count in (1, 2):
        keeper._pause.setInterval(1)
        hub.publish(Changes(chat_id="a", rows=True))
        qtbot.waitUntil(
            lambda n=count: len(fake_worldbooks.asked) == n and runner.is_idle, timeout=20_000
        )
    assert len(told) == 1
    fake_worldbooks.trouble, fake_worldbooks.answer = None, [KeptReport(DONE.worldbook)]
    keeper._pause.setInterval(1)
    keeper.look()
    qtbot.waitUntil(lambda: len(fake_worldbooks.asked) == 3 and runner.is_idle, timeout=20_000)
    assert seen == []


def test_without_the_lock_nothing_is_written(qtbot, keeper, fake_worldbooks, hub):
    fake_worldbooks.session.can_write = False
    hub.publish(Changes(chat_id="a", rows=True))
    qtbot.waitUntil(lambda: not keeper._pause.isActive(), timeout=20_000)
    assert fake_worldbooks.asked == []


def test_the_entries_selected_move_to_another_worldbook_and_one_undo_brings_them_back(
    desktop, memory, page, tmp_path
):
    file = tmp_path / "另一本.json"
    file.write_text('{"entries": {"0": {"uid": 0, "key": ["海"], "content": "海。"}}}', "utf-8")
    memory.imports.import_file(NullContext(), file)
    desktop.window.models.worldbooks.read()
    settle(desktop)
    choose(page, "企鹅", "沉默")
    choose_in_menu(page, 0, "Move to another world book", "另一本")
    settle(desktop)
    assert titles(page) == ["天气"]
    assert memory.worldbooks.find("另一本").entries == 3
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == "2 entries moved to “另一本”"
    click(desktop, bar.button)
    assert titles(page) == ["企鹅", "沉默", "天气"]
    assert memory.worldbooks.find("另一本").entries == 1
