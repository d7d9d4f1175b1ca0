"""Scripts and rules are switched, tried and looked at in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.prompts import StepsDialog, TextsDialog
from tests.factories import script_json
from tests.gui.waiting import settle
from tests.oracle.macro_chats import opened


@pytest.fixture
def page(qtbot, desktop, tmp_path):
    desktop.window.sidebar.scripts.click()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, TextsDialog)
    path = tmp_path / "regex.json"
    path.write_text(f"[{script_json(name='甲')}, {script_json('/门/', '窗', name='乙')}]", "utf-8")
    desktop.window.models.scripts.take([path])
    settle(qtbot, desktop)
    dialog.tabs.show_page(1)
    return dialog.scripts


def names(page):
    return [page.tree.topLevelItem(n).text(0) for n in range(page.tree.topLevelItemCount())]


def test_scripts_are_moved_switched_and_deleted(qtbot, desktop, page):
    memory = desktop.workspace.memory
    assert names(page)[:2] == ["甲", "乙"]
    page.tree.setCurrentItem(page.tree.topLevelItem(1))
    page.up_button.click()
    settle(qtbot, desktop)
    assert names(page)[:2] == ["乙", "甲"]
    page.tree.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    settle(qtbot, desktop)
    assert [s.is_enabled for s in memory.scripts.all()] == [False, True]
    page.delete_button.click()
    settle(qtbot, desktop)
    assert names(page)[0] == "甲"
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == "The regex script “乙” was deleted"
    qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert names(page)[:2] == ["乙", "甲"]
    dialog = desktop.window.dialogs.shown[-1]
    for _ in range(2):
        qtbot.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settle(qtbot, desktop)
    assert names(page)[:2] == ["甲", "乙"]
    assert all(s.is_enabled for s in memory.scripts.all())
    qtbot.mouseClick(dialog.undo.history_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert desktop.window.dialogs.shown[-1].list.count() == 4


def test_a_rule_of_the_program_is_switched_but_not_deleted(qtbot, desktop, page):
    rule = page.tree.topLevelItem(2)
    page.tree.setCurrentItem(rule)
    assert not page.delete_button.isEnabled()
    rule.setCheckState(0, Qt.CheckState.Unchecked)
    settle(qtbot, desktop)
    assert not desktop.workspace.memory.settings.read().clean_thoughts


def test_a_script_is_tried_on_a_text(qtbot, desktop, page):
    page.tree.setCurrentItem(page.tree.topLevelItem(0))
    page.text.setPlainText("铜门")
    page.try_button.click()
    settle(qtbot, desktop)
    assert page.result.toPlainText() == "银门"


def test_the_steps_of_a_message_are_shown_from_its_source(qtbot, desktop, page):
    desktop.window.dialogs.open_source(0, 1)
    settle(qtbot, desktop)
    source = desktop.window.dialogs.shown[-1]
    link = next(b for b in source.findChildren(type(page.up_button)) if "0" in b.accessibleName())
    link.click()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, StepsDialog)
    assert dialog.list.count() >= 3
    dialog.list.setCurrentRow(0)
    chat = desktop.workspace.chat_id
    assert (
        dialog.text.toPlainText()
        == desktop.workspace.memory.messages.slice(Line.main(chat), 0, 0)[0].text
    )


def completion(qtbot, desktop):
    desktop.window.dialogs.open_texts()
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, TextsDialog)
    dialog.tabs.show_page(2)
    settle(qtbot, desktop)
    return dialog.completion


def test_a_chat_of_no_folder_says_why_there_is_no_text_for_a_completion_model(qtbot, desktop):
    page = completion(qtbot, desktop)
    assert page.text.toPlainText() == ""
    assert "cannot be read" in page.fault.text()
    assert page.fault.isVisible()


def test_a_chat_is_shown_as_a_text_completion_model_gets_it(qtbot, open_desktop, tmp_path):
    with opened(tmp_path) as chats:
        chat = chats[4]
        desktop = open_desktop(chat.memory)
        desktop.workspace.show_chat(chat.line.chat_id)
        settle(qtbot, desktop)
        page = completion(qtbot, desktop)
        assert page.text.toPlainText() == chat.memory.prompts.as_text(chat.line)
        assert page.text.isReadOnly()
        assert page.fault.isHidden()
        assert desktop.close(5000)


def test_every_step_of_a_message_is_named(qtbot, desktop, page):
    desktop.window.dialogs.open_steps(0)
    settle(qtbot, desktop)
    steps = desktop.window.dialogs.shown[-1]
    rows = [steps.list.item(row).text() for row in range(steps.list.count())]
    assert len(rows) >= 3
    assert all(rows)
    assert rows[0] == "As it was written"
