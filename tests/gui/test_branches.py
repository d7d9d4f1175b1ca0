"""Branches through the user's door: forked, shown, compared, rolled back, deleted."""

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.line import Line
from tests.gui.waiting import settle


@pytest.fixture
def chat(desktop):
    return desktop.workspace.chat_id


@pytest.fixture
def dialog(qtbot, desktop):
    desktop.window.top.branches_wanted.emit()
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1]


def choose(dialog, *names):
    dialog.tree.clearSelection()
    for name in names:
        (item,) = dialog.tree.findItems(name, Qt.MatchFlag.MatchRecursive)
        item.setSelected(True)


def fork(qtbot, desktop, dialog, name, at):
    dialog.floor.setValue(at)
    dialog.name.setText(name)
    dialog.fork_button.click()
    settle(qtbot, desktop)


def test_a_fork_is_shown_at_once_with_its_own_events_and_floors(
    qtbot, desktop, dialog, memory, chat
):
    window = desktop.window
    all_events = window.event_page.view.model().rowCount()
    fork(qtbot, desktop, dialog, "另一条路", 40)
    (branch,) = [b for b in memory.branches.all(chat) if b.name == "另一条路"]
    assert desktop.workspace.branch_id == branch.id
    assert window.top.branch_button.text() == "另一条路"
    assert window.event_page.view.model().rowCount() == branch.events < all_events
    assert window.models.status.floors == branch.messages == 41
    window.models.branches.show("main")
    settle(qtbot, desktop)
    assert window.event_page.view.model().rowCount() == all_events


def test_what_is_written_on_a_branch_stays_there(qtbot, desktop, dialog, memory, chat):
    fork(qtbot, desktop, dialog, "另一条路", 40)
    page = desktop.window.event_page
    page.tools.add_button.click()
    add = desktop.window.dialogs.shown[-1]
    add.text.setPlainText("只有这条线知道。")
    add.save_button.click()
    settle(qtbot, desktop)
    shown = page.view.model().rowCount()
    desktop.window.models.branches.show("main")
    settle(qtbot, desktop)
    summaries = [e.summary for e in memory.session.chat(chat).events.visible()]
    assert "只有这条线知道。" not in summaries
    branch = desktop.window.models.branches.rows[-1]
    assert branch.events == shown


def test_undoing_a_fork_goes_back_to_the_main_line(qtbot, desktop, dialog, memory, chat):
    fork(qtbot, desktop, dialog, "另一条路", 40)
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert desktop.workspace.branch_id == "main"
    assert [b.name for b in memory.branches.all(chat)] == ["main"]
    assert desktop.window.message_bar.bars == [] or all(
        bar.notice.kind != "error" for bar in desktop.window.message_bar.bars
    )
    assert desktop.window.event_page.view.model().rowCount() > 0


def test_two_branches_are_compared_by_what_they_remember(qtbot, desktop, dialog, memory, chat):
    fork(qtbot, desktop, dialog, "另一条路", 40)
    choose(dialog, "另一条路", "Main line")
    assert dialog.compare_button.isEnabled()
    dialog.compare_button.click()
    settle(qtbot, desktop)
    found = memory.branches.compare(chat, *[b.id for b in desktop.window.models.branches.rows])
    rows = [dialog.differences.item(n).text() for n in range(dialog.differences.count())]
    assert len(rows) == 2 + len(found.only_first) + len(found.only_second)
    assert rows[0] == f"Only on “Main line”: {len(found.only_first)}"


def test_rolling_back_takes_later_floors_and_their_events_and_undo_returns_them(
    qtbot, desktop, dialog, memory, chat
):
    before = memory.messages.count(Line.main(chat))
    events = memory.events.counts(Line.main(chat)).total
    choose(dialog, "Main line")
    dialog.floor.setValue(20)
    dialog.back_button.click()
    settle(qtbot, desktop)
    assert memory.messages.count(Line.main(chat)) == 21
    assert memory.events.counts(Line.main(chat)).total < events
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert memory.messages.count(Line.main(chat)) == before
    assert memory.events.counts(Line.main(chat)).total == events


def test_a_branch_is_renamed_and_deleted(qtbot, desktop, dialog, memory, chat):
    fork(qtbot, desktop, dialog, "另一条路", 40)
    choose(dialog, "另一条路")
    dialog.name.setText("第三条路")
    dialog.rename_button.click()
    settle(qtbot, desktop)
    assert [b.name for b in memory.branches.all(chat)] == ["main", "第三条路"]
    choose(dialog, "第三条路")
    dialog.delete_button.click()
    settle(qtbot, desktop)
    assert [b.name for b in memory.branches.all(chat)] == ["main"]
    assert desktop.workspace.branch_id == "main"
