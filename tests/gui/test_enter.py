"""Enter does what a dialog is for; where something would be destroyed, the harmless thing."""

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.graph.entity_dialogs import MergeDialog
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog, SummariseDialog
from tests.gui.places import dialog_names, open_dialog, open_dialog_as
from tests.gui.waiting import commit, settle


def buttons(dialog, role):
    return [b for b in dialog.findChildren(QPushButton) if b.property("role") == role]


def test_in_every_dialog_enter_presses_the_filled_button_or_nothing(qtbot, desktop):
    with_default = set()
    for name in dialog_names():
        dialog = open_dialog(qtbot, desktop, name)
        main = [b for b in buttons(dialog, "main") if b.window() is dialog]
        red = buttons(dialog, "danger")
        pressed = dialog._button_for_enter()
        assert pressed is None or pressed not in red, name
        default = [b for b in dialog.findChildren(QPushButton) if b.isDefault()]
        if default:
            with_default.add(name)
            assert default[0] in main, name
            assert pressed is default[0] or not default[0].isEnabled(), name
        elif red:
            assert pressed is None or pressed.text() in {"Cancel", "Close"}, name
        dialog.close()
        settle(qtbot, desktop)
    assert {"import", "summarise", "consolidate", "trim", "merge", "reflect"} <= with_default


def test_enter_imports_what_was_dropped(qtbot, desktop, memory):
    dialog = open_dialog_as(qtbot, desktop, "import", ImportDialog)
    dialog.cards[0]._group.button(1).setChecked(True)
    dialog.cards[0].name.setText("又一次")
    dialog.cards[0].name.setFocus()
    qtbot.keyClick(dialog.cards[0].name, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert "又一次" in [chat.name for chat in memory.chats.all()]


@pytest.mark.parametrize("name", ["summarise", "consolidate"])
def test_enter_begins_the_job(qtbot, desktop, memory, name):
    chat = desktop.workspace.chat_id
    memory.history.undo(chat)
    dialog = open_dialog(qtbot, desktop, name)
    assert isinstance(dialog, SummariseDialog | ConsolidateDialog)
    was_enabled = dialog.start_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert (dialog not in desktop.window.dialogs.shown) == was_enabled


def test_enter_on_a_button_that_has_the_focus_presses_that_one(qtbot, desktop, memory):
    dialog = open_dialog(qtbot, desktop, "import")
    cancel = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Cancel")
    cancel.setFocus()
    qtbot.keyClick(cancel, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    settle(qtbot, desktop)
    assert len(memory.chats.all()) == 1


def test_enter_deletes_no_chat(qtbot, desktop, memory):
    window = desktop.window
    window.sidebar._delete(window.models.chats.current)
    (box,) = window.sidebar.findChildren(QMessageBox)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert len(memory.chats.all()) == 1


def test_the_enter_that_ends_a_composition_submits_nothing(qtbot, desktop):
    dialog = open_dialog_as(qtbot, desktop, "merge", MergeDialog)
    name = next(iter(desktop.window.models.entity.names))
    composing = QInputMethodEvent("nalan", [])
    dialog.field.setText(name)
    QApplication.sendEvent(dialog.field, composing)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    assert dialog in desktop.window.dialogs.shown


def test_enter_on_a_completion_only_puts_it_in(qtbot, desktop, memory):
    dialog = open_dialog_as(qtbot, desktop, "merge", MergeDialog)
    chat = desktop.workspace.chat_id
    entity = desktop.window.models.entity.entity
    other = next(e.name for e in memory.graph.find_entities(Line.main(chat)) if e.id != entity.id)
    count = len(memory.graph.find_entities(Line.main(chat), "", 999))
    dialog.activateWindow()
    dialog.field.setFocus()
    qtbot.waitUntil(dialog.field.hasFocus)
    commit(dialog.field, other[:-1])
    dialog.field.completer().complete()
    popup = dialog.field.completer().popup()
    assert popup is not None
    qtbot.waitUntil(popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert dialog in desktop.window.dialogs.shown
    assert dialog.field.entity_id is not None
    assert len(memory.graph.find_entities(Line.main(chat), "", 999)) == count
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert len(memory.graph.find_entities(Line.main(chat), "", 999)) == count - 1
