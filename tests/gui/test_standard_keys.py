"""F1, F2, Del, Ctrl+N, Ctrl+comma, F11, Ctrl+Q: where a hand expects them, in every list."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QMessageBox

from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.shipped import resource
from engram_desktop.widgets.characters import CharactersDialog
from engram_desktop.widgets.chats.branches_dialog import BranchesDialog
from engram_desktop.widgets.graph.entity_panel import EntityPanel
from engram_desktop.widgets.play.start_dialog import StartDialog
from engram_desktop.widgets.settings.settings_dialog import SettingsDialog
from engram_desktop.widgets.window.about_dialogs import HelpDialog
from tests.gui.places import open_dialog_as, places
from tests.gui.waiting import settle
from tests.gui.worldbooks import open_entries

# Lists whose rows can be deleted: what holds them, and what they are called. Each takes Del.
DELETED_WITH_DEL = {
    ("MainWindow", "Chats"),
    ("MainWindow", "Events"),
    ("MainWindow", "Private logs"),
    ("MainWindow", "World books"),
    ("MainWindow", "Entries of the world book"),
    ("MainWindow", "Questions of the lab"),
    ("BranchesDialog", "Branches"),
    ("CharactersDialog", "Characters"),
    ("TextsDialog", "Scripts and rules"),
}


def press(desktop, key):
    QTest.keySequence(desktop.window, QKeySequence(key))


def test_keys_open_help_settings_and_a_new_chat(qtbot, desktop):
    for key, kind in (("F1", HelpDialog), ("Ctrl+,", SettingsDialog), ("Ctrl+N", StartDialog)):
        press(desktop, key)
        settle(qtbot, desktop)
        dialog = desktop.window.dialogs.shown[-1]
        assert isinstance(dialog, kind), key
        dialog.close()
        qtbot.waitUntil(lambda d=dialog: not shiboken6.isValid(d), timeout=20_000)
        desktop.window.activateWindow()
        qtbot.waitUntil(desktop.window.isActiveWindow)


def test_f11_fills_the_screen_and_ctrl_q_ends(qtbot, desktop):
    press(desktop, "F11")
    assert desktop.window.isFullScreen()
    press(desktop, "F11")
    assert not desktop.window.isFullScreen()
    with qtbot.waitSignal(desktop.window.closed):
        press(desktop, "Ctrl+Q")


@pytest.mark.parametrize("language", ["en", "zh_CN", "ja"])
def test_the_guide_is_read_in_the_language_and_searched(qtbot, open_desktop, memory, language):
    desktop = open_desktop(memory, language=language)
    help_dialog = open_dialog_as(qtbot, desktop, "help", HelpDialog)
    chapters = [help_dialog.chapters.item(n).text() for n in range(help_dialog.chapters.count())]
    assert len(chapters) > 8
    assert ("整理记忆" in chapters) == (language == "zh_CN")
    word = {"zh_CN": "召回", "ja": "想起", "en": "recall"}[language]
    help_dialog.search.setText(word)
    first = help_dialog.text.textCursor()
    assert first.selectedText().casefold() == word
    qtbot.keyClick(help_dialog.search, Qt.Key.Key_Return)
    assert help_dialog.text.textCursor().position() > first.position()
    document = help_dialog.text.document()
    shown = document.toMarkdown().count("![")
    assert shown == len(help_dialog.text.pictures) == 5
    assert not any(picture.isNull() for picture in help_dialog.text.pictures.values())
    help_dialog.search.setText("qqqq")
    assert not help_dialog.text.extraSelections()
    help_dialog.chapters.setCurrentRow(help_dialog.chapters.count() - 1)
    assert help_dialog.text.verticalScrollBar().value() > 0
    qtbot.mouseClick(help_dialog.keys_button, Qt.MouseButton.LeftButton)
    assert type(desktop.window.dialogs.shown[-1]).__name__ == "KeysDialog"


def test_guides_are_short_and_tell_the_same():
    texts = [guide.read_text("utf-8") for guide in resource("guide").glob("help*.md")]
    assert len(texts) == len(LANGUAGES)
    assert all(len(text.splitlines()) <= 250 for text in texts)
    heads = [[line for line in text.splitlines() if line.startswith("#")] for text in texts]
    assert len({len(head) for head in heads}) == 1


@pytest.mark.timeout(300)
def test_every_list_that_deletes_takes_del(qtbot, desktop, memory, tmp_path):
    """The lists are taken from the program: those with a delete command beside them, by name."""
    open_entries(qtbot, desktop, memory, tmp_path)
    found = set()
    for _place, top in places(qtbot, desktop):
        for view in top.findChildren(QAbstractItemView):
            name = (type(view.window()).__name__, view.accessibleName())
            if name in DELETED_WITH_DEL:
                found.add(name)
    assert found == DELETED_WITH_DEL


def test_f2_and_del_on_a_chat(qtbot, desktop):
    window = desktop.window
    window.sidebar.list.setFocus()
    press(desktop, "F2")
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[-1]
    assert dialog.windowTitle() == "Rename the chat"
    dialog.close()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.sidebar.list.setFocus()
    qtbot.keyClick(window.sidebar.list, Qt.Key.Key_Delete)
    (question,) = window.sidebar.findChildren(QMessageBox)
    assert question.defaultButton() is question.keep_button, "Enter takes the harmless answer"
    question.close()


def test_del_on_a_worldbook_takes_it_out_and_that_is_undone(qtbot, desktop, memory, tmp_path):
    page = open_entries(qtbot, desktop, memory, tmp_path)
    page.shelf.setFocus()
    qtbot.keyClick(page.shelf, Qt.Key.Key_Delete)
    settle(qtbot, desktop)
    assert memory.worldbooks.all() == []
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert len(memory.worldbooks.all()) == 1


def test_f2_goes_to_the_name_of_an_entity(qtbot, desktop, memory):
    window = desktop.window
    window.show_page("graph")
    settle(qtbot, desktop)
    graph = window.models.graph
    graph.select(graph.graph.view.entities[0].id)
    settle(qtbot, desktop)
    window.stack.page("graph").focus_search()
    press(desktop, "F2")
    panel = window.stack.panel_as("graph", EntityPanel)
    assert panel.fields.name.hasFocus()


def test_f2_and_del_in_dialogs_with_lists(qtbot, desktop):
    branches = open_dialog_as(qtbot, desktop, "branches", BranchesDialog)
    qtbot.waitUntil(branches.isActiveWindow)
    branches.tree.setFocus()
    main_line = branches.tree.topLevelItem(0)
    assert main_line is not None
    branches.tree.setCurrentItem(main_line)
    qtbot.keyClick(branches.tree, Qt.Key.Key_F2)
    assert branches.name.hasFocus()
    branches.tree.setFocus()
    qtbot.keyClick(branches.tree, Qt.Key.Key_Delete)
    assert branches.tree.topLevelItemCount() == 1, "the main line cannot be deleted"
    branches.close()
    characters = open_dialog_as(qtbot, desktop, "characters", CharactersDialog)
    characters.list.setFocus()
    qtbot.keyClick(characters.list, Qt.Key.Key_Delete)
    assert not characters.findChildren(QMessageBox), "with nobody chosen there is nobody to delete"
