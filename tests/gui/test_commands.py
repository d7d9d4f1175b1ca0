"""Ctrl+P, Ctrl+O and the keys: every action by its name, every place, every key another."""

from __future__ import annotations

import inspect

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog
from engram_desktop.widgets.window.about_dialogs import AboutDialog
from engram_desktop.widgets.window.commands import (
    ACTIONS,
    CHAT_DIALOGS,
    DIALOGS,
    ON_SOMETHING_CHOSEN,
)
from engram_desktop.widgets.window.page_stack import PAGES
from engram_desktop.widgets.window.window_dialogs import KeysDialog
from tests.factories import write_chat
from tests.gui.places import dialog_names, open_dialog_as
from tests.gui.waiting import commit, settle

CTX = NullContext()
Key = Qt.Key


def press(window, keys):
    QTest.keySequence(window, QKeySequence(keys))


def rows(panel):
    model = panel.list.model()
    return [model.index(n, 0).data(RowRole) for n in range(model.rowCount())]


def texts(panel):
    return [row.title.text for row in rows(panel) if not row.is_heading]


@pytest.fixture
def palette(qtbot, desktop):
    press(desktop.window, "Ctrl+P")
    settle(qtbot, desktop)
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


def test_every_page_action_and_button_of_the_page_is_offered_with_its_key(palette, desktop):
    offered = {row.title.text: row for row in rows(palette) if not row.is_heading}
    for spec in PAGES:
        assert any(text.startswith("Page: ") for text in offered), spec.name
    assert len([t for t in offered if t.startswith("Page: ")]) == len(PAGES)
    assert offered["Settings"].aside == "Ctrl+,"
    assert {"Search everything", "Undo", "History…", "Full screen", "Quit"} <= set(offered)
    assert "Write an event or a fact…" in offered
    assert "All commands" not in offered, "it is open"


def test_a_command_is_typed_and_runs(qtbot, desktop, palette):
    commit(palette.field, "consol")
    settle(qtbot, desktop)
    assert texts(palette)[0] == "Consolidate memory…"
    QTest.keyClick(palette.field, Key.Key_Return)
    settle(qtbot, desktop)
    assert not palette.isVisible()
    dialog = next(d for d in desktop.window.dialogs.shown if isinstance(d, ConsolidateDialog))
    dialog.close()
    qtbot.waitUntil(lambda: dialog not in desktop.window.dialogs.shown, timeout=20_000)
    desktop.window.finding.show_commands()
    assert [r.title.text for r in rows(palette)][:2] == ["Recent", "Consolidate memory…"]


def test_in_chinese_both_names_are_found(qtbot, open_desktop, memory):
    desktop = open_desktop(memory, language="zh_CN")
    window = desktop.window
    for typed in ("整理", "consol"):
        window.finding.show_commands()
        panel = window.finding.panel
        panel.field.setText(typed)
        assert "整理记忆…" in texts(panel)[:2], typed
        panel.leave()


def test_a_command_that_cannot_be_done_is_not_offered(qtbot, desktop, palette):
    assert "Redo" not in texts(palette)


def test_the_switcher_leads_to_chats_and_entities_and_remembers(qtbot, desktop, tmp_path):
    memory, window, space = desktop.workspace.memory, desktop.window, desktop.workspace
    first = space.chat_id
    rows_of_other = [("鲍勃", "灯塔熄了。"), ("旅人", "我看见了。")]
    path = write_chat(tmp_path / "灯塔.jsonl", rows_of_other)
    other = memory.imports.import_file(CTX, path).chat_id
    window.models.chats.load()
    settle(qtbot, desktop)
    press(window, "Ctrl+O")
    panel = window.finding.panel
    assert "灯塔" in texts(panel)
    commit(panel.field, "灯塔")
    settle(qtbot, desktop)
    QTest.keyClick(panel.field, Key.Key_Return)
    settle(qtbot, desktop)
    assert space.chat_id == other
    press(window, "Ctrl+O")
    assert texts(panel)[0] == "月光酒馆", "the latest first, without the one that is shown"
    QTest.keyClick(panel.field, Key.Key_Return)
    settle(qtbot, desktop)
    assert space.chat_id == first
    press(window, "Ctrl+O")
    commit(panel.field, "铜钥匙")
    settle(qtbot, desktop)
    QTest.keyClick(panel.field, Key.Key_Return)
    settle(qtbot, desktop)
    assert window.page == "graph"
    assert window.models.entity.entity.name == "铜钥匙"


def test_the_switcher_leads_to_a_branch(qtbot, desktop):
    memory, window, space = desktop.workspace.memory, desktop.window, desktop.workspace
    memory.branches.fork(Line.main(space.chat_id), at=10, name="另一条路")
    window.models.branches.read()
    settle(qtbot, desktop)
    press(window, "Ctrl+O")
    commit(window.finding.panel.field, "另一")
    settle(qtbot, desktop)
    QTest.keyClick(window.finding.panel.field, Key.Key_Return)
    settle(qtbot, desktop)
    assert memory.branches.find(space.chat_id, "另一条路") == space.branch_id


def test_a_key_is_changed_and_works_at_once_and_after_a_restart(
    qtbot, open_desktop, memory, library
):
    desktop = open_desktop(memory)
    dialog = open_dialog_as(qtbot, desktop, "keys", KeysDialog)
    dialog.search.setText("full screen")
    assert dialog.list.topLevelItemCount() == 1
    QTest.keyClick(dialog.edit, Key.Key_F9)
    qtbot.mouseClick(dialog.set_button, Qt.MouseButton.LeftButton)
    assert dialog.list.model().index(0, 1).data() == "F9"
    dialog.close()
    settle(qtbot, desktop)
    press(desktop.window, "F9")
    assert desktop.window.windowState() & Qt.WindowState.WindowFullScreen
    press(desktop.window, "F11")
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


def test_keys_of_a_page_are_listed_and_changed(qtbot, desktop):
    window = desktop.window
    window.show_page("graph")
    settle(qtbot, desktop)
    keys = window.finding.keys
    assert {"events.invert", "graph.fit"} <= {bound.name for bound in keys.bound}
    keys.choose("events.invert", ("Ctrl+J",))
    window.show_page("events")
    settle(qtbot, desktop)
    window.event_page.view.setFocus()
    press(window, "Ctrl+J")
    assert window.event_page.view.selected_count() > 0


def test_help_and_tooltips_name_the_keys_there_are(qtbot, desktop):
    window = desktop.window
    window.finding.keys.choose("search", ("Ctrl+Shift+F",))
    assert "Ctrl+Shift+F" in window.sidebar.find_button.toolTip()
    dialog = open_dialog_as(qtbot, desktop, "about", AboutDialog)
    assert ("Ctrl+Shift+F", "Search everything") in window.dialogs.help.key_words()
    qtbot.mouseClick(dialog.keys_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert any(isinstance(d, KeysDialog) for d in window.dialogs.shown)
