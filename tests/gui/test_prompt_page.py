"""Prompts are edited, previewed, compared and reset in the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu, QToolButton

from engram_desktop.domain.pipeline.prompt_template import TASKS
from tests.gui.waiting import settle


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.dialogs.open_texts()
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1].prompts


def test_a_prompt_is_changed_compared_and_reset(qtbot, desktop, page):
    memory = desktop.workspace.memory
    assert page.user.toPlainText() == memory.prompts.find("summary", "zh").template.user
    assert not page.reset_button.isEnabled()
    page.user.setPlainText("短些：{{chatHistory}}")
    page.model.setText("small")
    page.save_button.click()
    settle(qtbot, desktop)
    row = memory.prompts.find("summary", "zh")
    assert (row.template.user, row.override.model) == ("短些：{{chatHistory}}", "small")
    page.diff_button.click()
    settle(qtbot, desktop)
    assert "+短些：{{chatHistory}}" in page.result.toPlainText()
    page.reset_button.click()
    settle(qtbot, desktop)
    assert not memory.prompts.find("summary", "zh").is_own
    assert page.user.toPlainText() == row.default.user


def test_a_saved_prompt_is_taken_back_and_what_is_being_written_is_not_lost(qtbot, desktop, page):
    memory = desktop.workspace.memory
    page.user.setPlainText("短些：{{chatHistory}}")
    page.model.setText("small")
    page.save_button.click()
    settle(qtbot, desktop)
    page.user.insertPlainText("还没有保存的话。")
    undo = desktop.window.dialogs.shown[-1].undo
    assert undo.undo_action.text() == "Undo: Edit the prompt “Summaries”"
    undo.undo_action.trigger()
    settle(qtbot, desktop)
    row = memory.prompts.find("summary", "zh")
    assert (row.is_own, row.override.model) == (False, "")
    assert page.user.toPlainText() == row.default.user
    page.user.undo()
    assert page.user.toPlainText() == "还没有保存的话。短些：{{chatHistory}}"


def test_a_variable_is_inserted_by_a_click_and_an_unknown_one_is_marked(qtbot, desktop, page):
    assert not page.trouble.isVisible()
    page.user.setPlainText("")
    chips = [b for b in page.findChildren(QToolButton) if b.text() == "{{chatHistory}}"]
    chips[0].click()
    assert page.user.toPlainText() == "{{chatHistory}}"
    page.user.insertPlainText("{{chathistory}}{{weather}}")
    assert "{{weather}}" in page.trouble.text()
    assert "{{chathistory}}" not in page.trouble.text()


def test_the_preview_shows_the_request_of_what_is_written_now(qtbot, desktop, page):
    page.user.setPlainText("只有这些：{{lastMessage}}")
    page.preview_button.click()
    settle(qtbot, desktop)
    told = page.result.toPlainText()
    assert "只有这些：" in told
    assert "{{" not in told
    assert not desktop.workspace.memory.prompts.find("summary", "zh").is_own


def test_what_is_being_written_stays_when_another_setting_changes(qtbot, desktop, page):
    page.user.setPlainText("还没写完")
    desktop.workspace.change(
        "", lambda _ctx: desktop.workspace.memory.settings.set("llm.model", "x")
    )
    settle(qtbot, desktop)
    assert page.user.toPlainText() == "还没写完"


def test_each_task_has_its_own_variables(qtbot, desktop, page):
    page.task.setCurrentIndex(3)
    page.task.activated.emit(3)
    settle(qtbot, desktop)
    assert "{{userInput}}" in page.user.toPlainText()
    assert not page.trouble.isVisible()


def choose(qtbot, desktop, page, task):
    at = page.task.findData(task)
    page.task.setCurrentIndex(at)
    page.task.activated.emit(at)
    settle(qtbot, desktop)


@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_shown_with_all_that_belongs_to_it(qtbot, desktop, page, task):
    choose(qtbot, desktop, page, task)
    template = desktop.workspace.memory.prompts.find(task, "zh").template
    assert page.user.toPlainText() == template.user
    assert page.system.toPlainText() == template.system
    assert page.output.currentData() == template.output
    assert not page.trouble.isVisible()
    chips = {b.text() for b in page.findChildren(QToolButton) if b.text().startswith("{{")}
    great = ("chatHistory", "worldbookContext", "userInput", "engramSummaries", "char", "user")
    assert {f"{{{{{name}}}}}" for name in great} <= chips
    page.preview_button.click()
    settle(qtbot, desktop)
    assert "—— system ——" in page.result.toPlainText()


def test_any_other_macro_is_in_a_menu_with_what_it_means(qtbot, desktop, page):
    more = next(b for b in page.findChildren(QToolButton) if b.accessibleName() == "More macros")
    parts = more.menu().findChildren(QMenu)
    assert [part.title() for part in parts][:2] == ["People and card", "Messages and chat"]
    told = {a.text().split("\t")[0]: a for part in parts for a in part.actions()}
    assert told["{{charDescription}}"].text().endswith("\tThe card's description")
    page.user.setPlainText("")
    told["{{// note}}"].trigger()
    told["{{roll:1d6}}"].trigger()
    assert page.user.toPlainText() == "{{// note}}{{roll:1d6}}"
    assert not page.trouble.isVisible()


def test_a_program_runs_only_if_it_is_wanted_and_its_fault_is_shown(qtbot, desktop, page):
    page.user.setPlainText("{{chatHistory}}\n<%= no.such %>")
    assert "are off" in page.trouble.text()
    desktop.workspace.change(
        "", lambda _ctx: desktop.workspace.memory.settings.set("native.ejs", value=True)
    )
    settle(qtbot, desktop)
    assert not page.trouble.isVisible()
    page.preview_button.click()
    settle(qtbot, desktop)
    for shown in (page.result.toPlainText(), page.trouble.text()):
        assert "user part, line 2: ReferenceError: no is not defined" in shown
    page.user.setPlainText("<%= user %>")
    page.preview_button.click()
    settle(qtbot, desktop)
    assert "—— user ——\n旅人" in page.result.toPlainText()
