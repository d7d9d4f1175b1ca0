"""Prompts are edited, previewed, compared and reset in the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QToolButton

from tests.gui.conftest import settle

pytestmark = pytest.mark.gui


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.dialogs.open_texts()
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1].prompts


def test_a_prompt_is_changed_compared_and_reset(qtbot, desktop, page):
    memory = desktop.workspace.memory
    assert page.user.toPlainText() == memory.prompt("summary", "zh").template.user
    assert not page.reset_button.isEnabled()
    page.user.setPlainText("短些：{{chatHistory}}")
    page.model.setText("small")
    page.save_button.click()
    settle(qtbot, desktop)
    row = memory.prompt("summary", "zh")
    assert (row.template.user, row.override.model) == ("短些：{{chatHistory}}", "small")
    page.diff_button.click()
    settle(qtbot, desktop)
    assert "+短些：{{chatHistory}}" in page.result.toPlainText()
    page.reset_button.click()
    settle(qtbot, desktop)
    assert not memory.prompt("summary", "zh").is_own
    assert page.user.toPlainText() == row.default.user


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
    assert not desktop.workspace.memory.prompt("summary", "zh").is_own


def test_what_is_being_written_stays_when_another_setting_changes(qtbot, desktop, page):
    page.user.setPlainText("还没写完")
    desktop.workspace.change(
        "", lambda _ctx: desktop.workspace.memory.set_setting("llm.model", "x")
    )
    settle(qtbot, desktop)
    assert page.user.toPlainText() == "还没写完"


def test_each_task_has_its_own_variables(qtbot, desktop, page):
    page.task.setCurrentIndex(3)
    page.task.activated.emit(3)
    settle(qtbot, desktop)
    assert "{{userInput}}" in page.user.toPlainText()
    assert not page.trouble.isVisible()
