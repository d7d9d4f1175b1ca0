"""The library checked, mended, its index rebuilt, backed up: each from its button, each told."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from engram_desktop.widgets.settings.health_dialog import HealthDialog, RestoreDialog
from tests.gui.waiting import commit, settle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def health(qtbot, desktop):
    qtbot.mouseClick(desktop.window.sidebar.health, LEFT)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, HealthDialog)
    return dialog


def told(desktop):
    return [bar.notice.text for bar in desktop.window.message_bar.bars]


def test_the_library_is_checked_and_what_was_found_is_listed(health):
    assert health._state.text() == "Everything is in order."
    assert health.list.count() > 0
    assert not health.repair_button.isEnabled(), "nothing to mend"


def test_a_fault_is_found_and_mended_after_a_backup(qtbot, desktop, memory, health):
    store = memory.session.chat(desktop.workspace.chat_id)
    with store.database.writing() as connection:
        connection.execute("DELETE FROM memory_item WHERE kind = 'turn' AND rowid % 7 = 0")
    desktop.window.models.health.check(repair=False)
    settle(qtbot, desktop)
    assert "attention" in health._state.text()
    assert health.repair_button.isEnabled()
    assert memory.backups.all() == []
    qtbot.mouseClick(health.repair_button, LEFT)
    settle(qtbot, desktop)
    assert health._state.text() == "Everything is in order."
    assert any("(repaired)" in health.list.item(n).text() for n in range(health.list.count()))
    assert len(memory.backups.all()) == 1
    assert any("before the repair" in text for text in told(desktop))


def test_the_index_is_rebuilt_and_finds_what_it_found(qtbot, desktop, memory, health):
    assert "made again" in health.reindex_button.toolTip()
    before = memory.index.health(desktop.workspace.chat_id).items
    qtbot.mouseClick(health.reindex_button, LEFT)
    settle(qtbot, desktop)
    after = memory.index.health(desktop.workspace.chat_id)
    assert (after.items, after.embedded) == (before, before)


def test_a_backup_is_made_and_offered_from_the_window(qtbot, desktop, memory, health):
    qtbot.mouseClick(health.backup_button, LEFT)
    settle(qtbot, desktop)
    (made,) = memory.backups.all()
    assert any(text.startswith("Backed up to ") for text in told(desktop))
    qtbot.mouseClick(health.restore_button, LEFT)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, RestoreDialog)
    assert dialog.list.count() == 1
    assert dialog.restore_button.isEnabled()
    assert made.path.endswith(".engram") or made.size > 0


def test_backups_and_health_are_commands(qtbot, desktop):
    for words, kind in (("Library health", HealthDialog), ("Bring a backup back", RestoreDialog)):
        QTest.keySequence(desktop.window, QKeySequence("Ctrl+P"))
        settle(qtbot, desktop)
        panel = desktop.window.finding.panel
        commit(panel.field, words)
        settle(qtbot, desktop)
        qtbot.keyClick(panel.field, Qt.Key.Key_Return)
        settle(qtbot, desktop)
        dialog = desktop.window.dialogs.shown[-1]
        assert isinstance(dialog, kind)
        dialog.close()
        desktop.window.activateWindow()
        qtbot.waitUntil(desktop.window.isActiveWindow)


def test_splitters_are_where_they_were_left(qtbot, open_desktop, memory):
    first = open_desktop(memory)
    window = first.window
    window.resize(1300, 800)
    settle(qtbot, first)
    window._whole.setSizes([300, 1000])
    window._body.setSizes([600, 400])
    left = (window._whole.sizes(), window._body.sizes())
    window.remember()
    second = open_desktop(memory)
    second.window.resize(1300, 800)
    settle(qtbot, second)
    now = (second.window._whole.sizes(), second.window._body.sizes())
    for was, became in zip(left, now, strict=True):
        assert all(abs(a - b) <= 4 for a, b in zip(was, became, strict=True)), (left, now)
