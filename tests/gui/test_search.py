"""Searches and commands."""

from __future__ import annotations

import inspect
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QToolButton

from engram_desktop.domain.memory.event import EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog
from engram_desktop.widgets.window.commands import (
    ACTIONS,
    CHAT_DIALOGS,
    DIALOGS,
    ON_SOMETHING_CHOSEN,
)
from engram_desktop.widgets.window.page_stack import PAGES
from engram_desktop.widgets.window.window_dialogs import AboutDialog, KeysDialog
from tests.factories import import_chat
from tests.gui.places import dialog_names, open_dialog_as
from tests.gui.waiting import click, commit, open_page, press_in_window, press_key, settle, write

# Ctrl+K: a panel over the page that finds anything in the library, by the keyboard alone.

CTX = NullContext()
Key = Qt.Key


@pytest.fixture
def panel(desktop):
    QTest.keyClick(desktop.window, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    panel = desktop.window.finding.panel
    assert panel.isVisible()
    assert desktop.window.focusWidget() is panel.field
    return panel


def rows(panel):
    return [panel.list.model().index(n, 0) for n in range(panel.list.model().rowCount())]


def headings(panel):
    return [i.data() for i in rows(panel) if i.data(RowRole).is_heading]


def search(desktop, panel, text):
    panel.field.clear()
    write(desktop, panel.field, text)


def press(panel, key):
    QTest.keyClick(panel.field, key)


def test_hits_are_grouped_and_counted_and_the_word_is_marked(desktop, panel):
    search(desktop, panel, "钥匙")
    assert headings(panel) == ["Entities", "Events", "Messages"]
    hit = panel.list.currentIndex().data(RowRole)
    assert [hit.title.text[a:b] for a, b in hit.title.marks] == ["钥匙"]
    messages = next(i.data(RowRole) for i in rows(panel) if i.data() == "Messages")
    found = desktop.workspace.memory.search.find(CTX, "type:message 钥匙")
    count = sum(group.count for group in found.groups)
    assert messages.aside == str(count)


def test_the_marks_are_painted(desktop, panel):
    search(desktop, panel, "钥匙")
    image = panel.list.viewport().grab().toImage()
    assert has_colour(image, desktop.look.theme.roles["gold_soft"])


def has_colour(image: QImage, wanted: str) -> bool:
    return any(
        image.pixelColor(x, y).name() == wanted.lower()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    )


def test_escape_closes_and_gives_the_focus_back(desktop):
    window = desktop.window
    window.event_page.search.setFocus()
    window.finding.search()
    panel = window.finding.panel
    search(desktop, panel, "钥匙")
    press(panel, Key.Key_Escape)
    assert not panel.isVisible()
    assert window.focusWidget() is window.event_page.search


def test_a_click_elsewhere_closes_it(desktop, panel):
    window = desktop.window
    window.event_page.search.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not panel.isVisible()
    window.finding.search()
    press_in_window(window, window.top.panel_button)  # a press gives it no focus
    assert not panel.isVisible()
    window.finding.search()
    press_in_window(window, window.sidebar.find_button)
    assert not panel.isVisible()


def test_enter_opens_an_entity_on_the_graph(desktop, panel):
    search(desktop, panel, "type:entity 铜钥匙")
    press_key(desktop, panel.field, Key.Key_Return)
    assert not panel.isVisible()
    assert desktop.window.page == "graph"
    entity = desktop.window.models.entity.entity
    assert entity is not None
    assert entity.name == "铜钥匙"


def test_enter_before_the_answer_opens_the_first_hit(desktop, panel):
    commit(panel.field, "type:entity 铜钥匙")
    press(panel, Key.Key_Return)
    assert panel.isVisible()
    settle(desktop)
    assert not panel.isVisible()
    assert desktop.window.page == "graph"


def test_an_event_is_shown_whatever_its_page_is_narrowed_to(desktop, panel):
    window = desktop.window
    window.event_page.search.setText("没有这样的事")
    settle(desktop)
    search(desktop, panel, "type:event 钥匙")
    press(panel, Key.Key_Down)
    hit = panel.list.currentIndex().data(RowRole).value
    press_key(desktop, panel.field, Key.Key_Return)
    assert window.page == "events"
    assert list(window.event_page.view.selected_keys()) == [hit.key]


def test_a_message_opens_its_floors(desktop, panel):
    search(desktop, panel, "type:message 钥匙")
    floors = panel.list.currentIndex().data(RowRole).value.floors
    wanted = []
    desktop.workspace.floor_wanted.connect(lambda *span: wanted.append(span))
    press_key(desktop, panel.field, Key.Key_Return)
    assert wanted == [floors]
    assert desktop.window.page == "reading"


def test_a_private_log_and_a_world_book_entry_are_gone_to(desktop, tmp_path):
    memory, window = desktop.workspace.memory, desktop.window
    line = Line.main(desktop.workspace.chat_id)
    for owner, text in (("爱丽丝", "我怕黑。"), ("旅人", "我怕高。")):
        patch = LogPatch(owner=owner, content=text, source_range=SourceRange(1, 1))
        memory.logs.add(line, patch)
    path = tmp_path / "设定.json"
    entries = {
        str(n): {"uid": n, "key": [w], "content": f"{w}很远。"} for n, w in enumerate("海山")
    }
    path.write_text(json.dumps({"entries": entries}), "utf-8")
    memory.worldbooks.import_file(CTX, path)
    open_page(desktop, "logs")
    window.models.logs.filter_owner("旅人")
    settle(desktop)
    window.finding.search()
    panel = window.finding.panel
    search(desktop, panel, "怕黑")
    press_key(desktop, panel.field, Key.Key_Return)
    assert window.page == "logs"
    assert window.models.logs.current.content == "我怕黑。"
    window.finding.search()
    search(desktop, panel, "山很远")
    press_key(desktop, panel.field, Key.Key_Return)
    assert window.page == "books"
    assert window.models.worldbooks.current.uid == 1


def test_a_hit_in_another_chat_opens_that_chat(desktop, tmp_path):
    memory, window = desktop.workspace.memory, desktop.window
    rows = [("鲍勃", "灯塔熄了。"), ("旅人", "我看见了。")]
    other = import_chat(memory, tmp_path / "灯塔.jsonl", rows)
    window.models.chats.load()
    settle(desktop)
    window.finding.search()
    search(desktop, window.finding.panel, "灯塔熄")
    hit = window.finding.panel.list.currentIndex().data(RowRole)
    assert "灯塔" in hit.aside, "another chat's hit says where it is"
    press(window.finding.panel, Key.Key_Return)
    settle(desktop)
    assert desktop.workspace.chat_id == other


def test_more_of_a_group_is_shown_where_it_stands(desktop, panel):
    search(desktop, panel, "钥匙")
    more = next(i for i in rows(panel) if i.data(RowRole).kind == "more")
    before = len(rows(panel))
    assert "more" in more.data()
    panel.list.setCurrentIndex(more)
    press(panel, Key.Key_Return)
    assert panel.isVisible()
    assert len(rows(panel)) > before
    assert panel.list.currentIndex().row() == more.row()


def test_while_an_input_method_composes_the_keys_are_its_own(desktop, panel):
    QApplication.sendEvent(panel.field, QInputMethodEvent("yao shi", []))
    press(panel, Key.Key_Escape)
    press(panel, Key.Key_Return)
    assert panel.isVisible()
    assert panel.field.text() == ""
    write(desktop, panel.field, "钥匙")
    assert headings(panel)


def test_a_search_is_saved_found_again_and_forgotten(qtbot, desktop, panel):
    search(desktop, panel, "is:blue 酒馆")
    qtbot.mouseClick(panel.save_button, Qt.MouseButton.LeftButton)
    assert panel.save_button.accessibleName() == "Save this search no longer"
    press(panel, Key.Key_Escape)
    desktop.window.finding.search()
    settle(desktop)
    assert [i.data() for i in rows(panel)] == ["Saved searches", "is:blue 酒馆"]
    press_key(desktop, panel.field, Key.Key_Return)
    assert panel.field.text() == "is:blue 酒馆"
    assert headings(panel) == ["Events"]
    panel.field.clear()
    settle(desktop)
    press(panel, Key.Key_Delete)
    assert rows(panel) == []


def test_the_help_types_a_filter(qtbot, desktop, panel):
    search(desktop, panel, "钥匙")
    qtbot.mouseClick(panel.help_button, Qt.MouseButton.LeftButton)
    assert panel.help.isVisible()
    example = next(b for b in panel.help.findChildren(QToolButton) if "type:event" in b.text())
    click(desktop, example)
    assert panel.isVisible()
    assert panel.field.hasFocus()
    assert panel.field.text() == "钥匙 type:event"
    assert headings(panel) == ["Events"]


def test_its_buttons_are_reached_by_tab_and_esc_leaves_them(qtbot, desktop, panel):
    search(desktop, panel, "钥匙")
    qtbot.keyClick(panel.field, Qt.Key.Key_Tab)
    assert panel.save_button.hasFocus()
    qtbot.keyClick(panel.save_button, Qt.Key.Key_Tab)
    assert panel.help_button.hasFocus()
    assert panel.isVisible()
    qtbot.keyClick(panel.help_button, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_it_closes_where_something_else_takes_the_focus(desktop, panel):
    search(desktop, panel, "钥匙")
    desktop.window.sidebar.list.setFocus()
    assert not panel.isVisible()


def test_what_is_no_filter_is_said(desktop, panel):
    search(desktop, panel, "is:purple 钥匙")
    assert "is:purple" in panel.said.text()
    assert "Nothing was found" in panel.said.text()


def test_as_somebody_only_what_they_know_is_found(desktop):
    window, memory = desktop.window, desktop.workspace.memory
    line = Line.main(desktop.workspace.chat_id)
    memory.messages.append(line, "爱丽丝", "assistant", "（心想：蒙面人是国王。）")
    window.models.viewpoint.view_as("旅人")
    settle(desktop)
    window.finding.search()
    panel = window.finding.panel
    search(desktop, panel, "蒙面人")
    assert rows(panel) == []
    assert "Only what 旅人 knows" in panel.said.text()
    window.models.viewpoint.view_as("")
    search(desktop, panel, "蒙面人")
    assert headings(panel) == ["Messages"]


def test_it_fits_into_the_smallest_window(desktop, panel):
    desktop.window.resize(900, 600)
    QTest.qWait(0)
    assert desktop.window.rect().contains(panel.geometry())


def test_old_answers_are_dropped(desktop, panel):
    for text in ("钥", "钥匙", "酒馆"):
        panel.field.setText(text)
        QTest.qWait(10)
    settle(desktop)
    assert desktop.window.finding.library.result.query.words[0].text == "酒馆"


# Saved searches beside the chats: opened by a click; renamed, unpinned, deleted by a right one.


@pytest.fixture
def pinned(qtbot, desktop):
    window = desktop.window
    window.finding.search()
    write(desktop, window.finding.panel.field, "企鹅 is:green")
    qtbot.mouseClick(window.finding.panel.save_button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(window.finding.panel.field, Qt.Key.Key_Escape)
    press_key(desktop, window.finding.panel.field, Qt.Key.Key_Escape)
    return window.finding.pinned


def names(pinned):
    return [pinned.list.item(n).text() for n in range(pinned.list.count())]


def center(pinned, row=0):
    return pinned.list.visualItemRect(pinned.list.item(row)).center()


def choose(pinned, words):
    pinned.list.customContextMenuRequested.emit(center(pinned))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(a for a in menu.actions() if a.text() == words)
    action.trigger()
    menu.close()


def test_nothing_stands_there_while_nothing_is_saved(desktop):
    assert not desktop.window.finding.pinned.isVisible()


def test_a_search_that_is_saved_stands_in_the_sidebar_and_a_click_searches(qtbot, desktop, pinned):
    assert desktop.window.sidebar.isAncestorOf(pinned)
    assert pinned.isVisible()
    assert names(pinned) == ["企鹅 is:green"]
    panel = desktop.window.finding.panel
    assert not panel.isVisible()
    where = pinned.list.viewport()
    qtbot.mouseClick(where, Qt.MouseButton.LeftButton, pos=center(pinned))
    settle(desktop)
    assert panel.isVisible()
    assert panel.field.text() == "企鹅 is:green"
    assert desktop.window.finding.library.result.groups


def test_it_is_renamed_in_its_place_and_searches_the_same(qtbot, desktop, pinned):
    choose(pinned, "Rename")
    (editor,) = pinned.list.findChildren(QLineEdit)
    editor.setText("水族馆的<b>企鹅</b>")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(pinned) == ["水族馆的<b>企鹅</b>"])
    qtbot.mouseClick(pinned.list.viewport(), Qt.MouseButton.LeftButton, pos=center(pinned))
    settle(desktop)
    assert desktop.window.finding.panel.field.text() == "企鹅 is:green"


@pytest.mark.parametrize(("words", "is_saved"), [("Unpin", True), ("Delete", False)])
def test_it_is_unpinned_or_deleted_and_comes_back_by_undo(qtbot, desktop, pinned, words, is_saved):
    choose(pinned, words)
    assert not pinned.isVisible()
    assert (desktop.window.finding.library.saved == ["企鹅 is:green"]) == is_saved
    bar = desktop.window.message_bar.bars[-1]
    assert bar.button.text() == "Undo"
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    assert names(pinned) == ["企鹅 is:green"]


# Ctrl+P, Ctrl+O and the keys: every action by its name, every place, every key another.


def press_keys(window, keys):
    if QApplication.activeWindow() is None:  # a dialog was just closed: keys are of nobody yet
        window.activateWindow()
        assert QTest.qWaitForWindowActive(window)
    QTest.keySequence(window, QKeySequence(keys))


def command_rows(panel):
    model = panel.list.model()
    return [model.index(n, 0).data(RowRole) for n in range(model.rowCount())]


def texts(panel):
    return [row.title.text for row in command_rows(panel) if not row.is_heading]


@pytest.fixture
def palette(desktop):
    press_keys(desktop.window, "Ctrl+P")
    settle(desktop)
    panel = desktop.window.finding.panel
    assert panel.isVisible()
    return panel


def test_every_dialog_that_needs_nothing_chosen_is_a_command(desktop):
    offered = {*DIALOGS, *CHAT_DIALOGS}
    assert offered | ON_SOMETHING_CHOSEN == set(dialog_names())
    assert not offered & ON_SOMETHING_CHOSEN
    for name in offered:
        parameters = inspect.signature(desktop.window.dialogs.opener(name)).parameters.values()
        assert all(p.default is not p.empty for p in parameters if p.name != "self"), name


def test_every_page_action_and_button_of_the_page_is_offered_with_its_key(palette):
    offered = {row.title.text: row for row in command_rows(palette) if not row.is_heading}
    for spec in PAGES:
        assert any(text.startswith("Page: ") for text in offered), spec.name
    assert len([t for t in offered if t.startswith("Page: ")]) == len(PAGES)
    assert offered["Settings"].aside == "Ctrl+,"
    assert {"Search everything", "Undo", "History…", "Full screen", "Quit"} <= set(offered)
    assert "Write an event or a fact…" in offered
    assert "All commands" not in offered, "it is open"


def test_a_command_is_typed_and_runs(qtbot, desktop, palette):
    write(desktop, palette.field, "consol")
    assert texts(palette)[0] == "Consolidate memory…"
    press_key(desktop, palette.field, Key.Key_Return)
    assert not palette.isVisible()
    dialog = next(d for d in desktop.window.dialogs.shown if isinstance(d, ConsolidateDialog))
    dialog.close()
    qtbot.waitUntil(lambda: dialog not in desktop.window.dialogs.shown, timeout=20_000)
    desktop.window.finding.show_commands()
    assert [r.title.text for r in command_rows(palette)][:2] == ["Recent", "Consolidate memory…"]


def test_in_chinese_both_names_are_found(open_desktop, memory):
    desktop = open_desktop(memory, language="zh_CN")
    window = desktop.window
    for typed in ("整理", "consol"):
        window.finding.show_commands()
        panel = window.finding.panel
        panel.field.setText(typed)
        assert "整理记忆…" in texts(panel)[:2], typed
        panel.leave()


def test_a_command_that_cannot_be_done_is_not_offered(palette):
    assert "Redo" not in texts(palette)


def test_the_switcher_leads_to_chats_and_entities_and_remembers(desktop, tmp_path):
    memory, window, space = desktop.workspace.memory, desktop.window, desktop.workspace
    first = space.chat_id
    rows_of_other = [("鲍勃", "灯塔熄了。"), ("旅人", "我看见了。")]
    other = import_chat(memory, tmp_path / "灯塔.jsonl", rows_of_other)
    window.models.chats.load()
    settle(desktop)
    press_keys(window, "Ctrl+O")
    panel = window.finding.panel
    assert "灯塔" in texts(panel)
    write(desktop, panel.field, "灯塔")
    press_key(desktop, panel.field, Key.Key_Return)
    assert space.chat_id == other
    press_keys(window, "Ctrl+O")
    assert texts(panel)[0] == "月光酒馆", "the latest first, without the one that is shown"
    press_key(desktop, panel.field, Key.Key_Return)
    assert space.chat_id == first
    press_keys(window, "Ctrl+O")
    write(desktop, panel.field, "铜钥匙")
    press_key(desktop, panel.field, Key.Key_Return)
    assert window.page == "graph"
    assert window.models.entity.entity.name == "铜钥匙"


def test_the_switcher_leads_to_a_branch(desktop):
    memory, window, space = desktop.workspace.memory, desktop.window, desktop.workspace
    memory.branches.fork(Line.main(space.chat_id), at=10, name="另一条路")
    window.models.branches.read()
    settle(desktop)
    press_keys(window, "Ctrl+O")
    write(desktop, window.finding.panel.field, "另一")
    press_key(desktop, window.finding.panel.field, Key.Key_Return)
    assert memory.branches.find(space.chat_id, "另一条路") == space.branch_id


def test_a_key_is_changed_and_works_at_once_and_after_a_restart(qtbot, open_desktop, memory):
    desktop = open_desktop(memory)
    dialog = open_dialog_as(qtbot, desktop, "keys", KeysDialog)
    dialog.search.setText("full screen")
    assert dialog.list.topLevelItemCount() == 1
    QTest.keyClick(dialog.edit, Key.Key_F9)
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    assert dialog.list.model().index(0, 1).data() == "F9"
    dialog.close()
    settle(desktop)
    press_keys(desktop.window, "F9")
    assert desktop.window.windowState() & Qt.WindowState.WindowFullScreen
    press_keys(desktop.window, "F11")
    assert desktop.window.windowState() & Qt.WindowState.WindowFullScreen, "the old key is free"
    desktop.window.remember()
    again = open_desktop(memory)
    assert again.window.finding.keys.words("full screen") == "F9"


def test_a_conflict_is_said_before_it_is_made(qtbot, desktop):
    dialog = open_dialog_as(qtbot, desktop, "keys", KeysDialog)
    dialog.search.setText("full screen")
    QTest.keyClick(dialog.edit, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert "Search everything" in dialog.said.text()
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    keys = desktop.window.finding.keys
    assert keys.keys("full screen") == ("Ctrl+K",)
    assert keys.keys("search") == ()
    qtbot.mouseClick(dialog.restore_all_button, Qt.MouseButton.LeftButton)
    assert (keys.keys("full screen"), keys.keys("search")) == (("F11",), ("Ctrl+K",))


def test_one_key_goes_back_to_its_default(qtbot, desktop):
    dialog = open_dialog_as(qtbot, desktop, "keys", KeysDialog)
    keys = desktop.window.finding.keys
    keys.choose("quit", ("Ctrl+K",))
    dialog.search.setText("search everything")
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    assert keys.keys("search") == ("Ctrl+K",)
    assert keys.keys("quit") == ()


def test_a_key_that_types_is_refused(qtbot, desktop):
    dialog = open_dialog_as(qtbot, desktop, "keys", KeysDialog)
    QTest.keyClick(dialog.edit, Key.Key_A)
    assert "other keys type" in dialog.said.text()
    assert not dialog.set_button.isEnabled()


def test_no_two_actions_begin_with_the_same_key(desktop):
    keys = [key for spec in ACTIONS for key in spec.keys] + [spec.key for spec in PAGES]
    assert len(keys) == len(set(keys))


def test_keys_of_a_page_are_listed_and_changed(desktop):
    window = desktop.window
    open_page(desktop, "graph")
    keys = window.finding.keys
    assert {"events.invert", "graph.fit"} <= {bound.name for bound in keys.bound}
    keys.choose("events.invert", ("Ctrl+J",))
    open_page(desktop, "events")
    window.event_page.view.setFocus()
    press_keys(window, "Ctrl+J")
    assert window.event_page.view.selected_count() > 0


def test_help_and_tooltips_name_the_keys_there_are(qtbot, desktop):
    window = desktop.window
    window.finding.keys.choose("search", ("Ctrl+Shift+F",))
    assert "Ctrl+Shift+F" in window.sidebar.find_button.toolTip()
    dialog = open_dialog_as(qtbot, desktop, "about", AboutDialog)
    assert ("Ctrl+Shift+F", "Search everything") in window.dialogs.help.key_words()
    click(desktop, dialog.keys_button)
    assert any(isinstance(d, KeysDialog) for d in window.dialogs.shown)


# The search field of the events, with the same operators.


def test_the_search_of_events_knows_what_that_of_the_library_knows(desktop, memory):
    page, chat = desktop.window.event_page, desktop.workspace.chat_id
    every = set(memory.events.find(chat, EventQuery()))
    lamp = set(memory.events.find(chat, EventQuery(text="灯")))
    green = set(memory.events.find(chat, EventQuery(status="archived")))
    texts = {pk: e.summary for pk, e in memory.events.fetch(chat, list(every)).items()}
    exact = next(text for text in texts.values() if len(text) > 8)[2:8]
    for typed, wanted in {
        "is:green": green,
        "灯 状态：绿灯": lamp & green,
        "-灯": every - lamp,
        "灯 OR is:green": lamp | green,
        "type:message": set(),
    }.items():
        page.search.setText(typed)
        settle(desktop)
        assert set(desktop.window.models.events.model.keys()) == wanted, typed
        assert page.tools.facets.chips["total"].text() == f"All {len(wanted)}", typed
    page.search.setText(f"“{exact}”")
    settle(desktop)
    found = desktop.window.models.events.model.keys()
    assert {pk for pk, text in texts.items() if exact in text} <= set(found) < every
