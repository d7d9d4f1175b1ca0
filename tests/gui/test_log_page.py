"""The page of private logs through the user's door."""

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import LogPatch, LogQuery, SourceRange
from engram_desktop.domain.memory.line import Line
from tests.gui.waiting import commit, settle


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.show_page("logs")
    settle(qtbot, desktop)
    return desktop.window.stack.page("logs")


@pytest.fixture
def chat(desktop):
    return desktop.workspace.chat_id


def write_one(qtbot, desktop, page, owner, text):
    page.add_button.click()
    dialog = desktop.window.dialogs.shown[-1]
    assert not dialog.save_button.isEnabled()
    dialog.owner.setFocus()
    commit(dialog.owner, owner)
    commit(dialog.content, text)
    dialog.floors.first.setValue(3)
    dialog.owner.completer().popup().hide()
    dialog.save_button.click()
    desktop.window.activateWindow()
    settle(qtbot, desktop)


def logs_of(memory, chat, **query):
    keys = memory.logs.find(chat, LogQuery(**query))
    found = memory.logs.fetch(chat, keys)
    return [found[key] for key in keys]


def test_an_entry_is_written_shown_edited_and_taken_back(qtbot, desktop, page, memory, chat):
    write_one(qtbot, desktop, page, "爱丽丝", "我想再去一次水族馆。")
    (log,) = logs_of(memory, chat)
    assert (log.owner, log.source_range.start_index) == ("爱丽丝", 3)
    panel = desktop.window.stack.panel("logs")
    assert panel.content.toPlainText() == "我想再去一次水族馆。"
    panel.content.setPlainText("算了，不去了。")
    qtbot.keyClick(desktop.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert logs_of(memory, chat)[0].content == "算了，不去了。"
    qtbot.keyClick(desktop.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert logs_of(memory, chat)[0].content == "我想再去一次水族馆。"
    assert panel.content.toPlainText() == "我想再去一次水族馆。"


def test_a_condition_is_asked_for_before_it_is_saved(qtbot, desktop, page, memory, chat):
    write_one(qtbot, desktop, page, "凯尔", "我不会说的。")
    panel = desktop.window.stack.panel("logs")
    panel.scope.setCurrentIndex(panel.scope.findData("conditional"))
    panel.scope.activated.emit(panel.scope.currentIndex())
    settle(qtbot, desktop)
    assert logs_of(memory, chat)[0].scope == "private"
    commit(panel.condition, "trust > 80")
    panel.condition.submitted.emit()
    settle(qtbot, desktop)
    (log,) = logs_of(memory, chat)
    assert (log.scope, log.condition) == ("conditional", "trust > 80")
    assert panel.verdict.text() == "Nobody may know it: the state holds no trust."
    memory.state.set(Line.main(chat), ("trust",), 81)
    desktop.window.models.logs.show_log(log.pk)
    settle(qtbot, desktop)
    assert panel.verdict.text() == "It holds now: everybody may know it."


def test_what_was_typed_is_saved_when_another_entry_is_shown(qtbot, desktop, page, memory, chat):
    for owner in ("爱丽丝", "凯尔"):
        patch = LogPatch(owner, f"{owner}的心事。", source_range=SourceRange(1, 2))
        memory.logs.add(Line.main(chat), patch)
    desktop.window.models.logs.read()
    settle(qtbot, desktop)
    page.view.show_row(0)
    desktop.window.stack.panel("logs").content.setPlainText("想说的话。")
    page.view.show_row(1)
    settle(qtbot, desktop)
    assert [log.content for log in logs_of(memory, chat)] == ["想说的话。", "凯尔的心事。"]
    assert desktop.window.stack.panel("logs").content.toPlainText() == "凯尔的心事。"


def test_entries_are_narrowed_by_owner_and_deleted_by_key(qtbot, desktop, page, memory, chat):
    for owner in ("爱丽丝", "凯尔"):
        patch = LogPatch(owner, f"{owner}的心事。", source_range=SourceRange(1, 2))
        memory.logs.add(Line.main(chat), patch)
    desktop.window.models.logs.filter_owner("凯尔")
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == 1
    page.view.show_row(0)
    qtbot.keyClick(page.view, Qt.Key.Key_Delete)
    settle(qtbot, desktop)
    assert [log.owner for log in logs_of(memory, chat)] == ["爱丽丝"]
    desktop.window.models.logs.search("没有这样的话")
    desktop.window.models.logs.filter_owner(None)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == 0
