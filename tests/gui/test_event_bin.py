"""The bin of the events page: what was deleted, long after it can be undone."""

from __future__ import annotations

from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.events.dialogs import BinDialog
from engram_desktop.widgets.events.event_page import EventPage
from tests.gui.waiting import settle

CTX = NullContext()


def deleted(qtbot, desktop, count=2):
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    pks = [
        pk
        for pk, event in memory.events.fetch(chat, memory.events.find(chat, EventQuery())).items()
        if event.level == 0
    ][:count]
    summaries = [memory.events.fetch(chat, [pk])[pk].summary for pk in pks]
    desktop.window.models.events.delete(pks)
    settle(qtbot, desktop)
    return pks, summaries


def open_bin(qtbot, desktop):
    (page,) = desktop.window.findChildren(EventPage)
    page.tools.bin_action.trigger()
    settle(qtbot, desktop)
    (dialog,) = [d for d in desktop.window.dialogs.shown if isinstance(d, BinDialog)]
    return dialog


def test_a_deleted_event_is_found_and_brought_back(qtbot, desktop):
    pks, summaries = deleted(qtbot, desktop)
    dialog = open_bin(qtbot, desktop)
    assert dialog.list.count() == 2
    assert not dialog.restore_button.isEnabled()
    dialog.search.setText(summaries[0][:12])
    shown = [dialog.list.item(n) for n in range(2) if not dialog.list.item(n).isHidden()]
    assert [item.text().startswith(summaries[0]) for item in shown] == [True]
    shown[0].setSelected(True)
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    assert not memory.events.fetch(chat, [pks[0]])[pks[0]].is_deleted
    assert dialog.list.count() == 1, "the list is read again"
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert dialog.list.count() == 2


def test_seen_as_somebody_the_bin_shows_nothing(qtbot, desktop):
    deleted(qtbot, desktop)
    desktop.workspace.view_as("凯尔")
    settle(qtbot, desktop)
    dialog = open_bin(qtbot, desktop)
    assert dialog.list.count() == 0
