"""Keys, menus and the wheel."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QWidget,
)

import engram_desktop.widgets
from engram_desktop.app.i18n import LANGUAGES
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.places import resource
from engram_desktop.widgets.characters import CharactersDialog
from engram_desktop.widgets.chats.branches_dialog import BranchesDialog
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.graph.entity_dialogs import MergeDialog
from engram_desktop.widgets.graph.entity_panel import EntityPanel
from engram_desktop.widgets.parts.look import load_theme
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog, SummariseDialog
from engram_desktop.widgets.play.start_dialog import StartDialog
from engram_desktop.widgets.settings import SettingsDialog
from engram_desktop.widgets.window.window_dialogs import HelpDialog
from tests.gui.hands_on import TURNED, turn, value
from tests.gui.places import menus, open_dialog, open_dialog_as
from tests.gui.waiting import commit, open_page, press_key, settle, undo, write
from tests.gui.worldbooks import open_entries

# Enter does what a dialog is for.


def test_enter_imports_what_was_dropped(qtbot, desktop, memory):
    dialog = open_dialog_as(qtbot, desktop, "import", ImportDialog)
    dialog.cards[0]._group.button(1).setChecked(True)
    dialog.cards[0].name.setText("又一次")
    dialog.cards[0].name.setFocus()
    press_key(desktop, dialog.cards[0].name, Qt.Key.Key_Return)
    assert "又一次" in [chat.name for chat in memory.chats.all()]


@pytest.mark.parametrize("name", ["summarise", "consolidate"])
def test_enter_begins_the_job(qtbot, desktop, memory, name):
    chat = desktop.workspace.chat_id
    if name == "summarise":
        memory.history.undo(chat)
    dialog = open_dialog(qtbot, desktop, name)
    assert isinstance(dialog, SummariseDialog | ConsolidateDialog)
    qtbot.waitUntil(dialog.start_button.isEnabled, timeout=20_000)  # once it is counted
    press_key(desktop, dialog, Qt.Key.Key_Return)
    assert dialog not in desktop.window.dialogs.shown


def test_enter_on_a_button_that_has_the_focus_presses_that_one(qtbot, desktop, memory):
    dialog = open_dialog(qtbot, desktop, "import")
    cancel = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Cancel")
    cancel.setFocus()
    qtbot.keyClick(cancel, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    settle(desktop)
    assert len(memory.chats.all()) == 1


def test_enter_deletes_no_chat(desktop, memory):
    window = desktop.window
    window.sidebar._delete(window.models.chats.current)
    (box,) = window.sidebar.findChildren(QMessageBox)
    press_key(desktop, box, Qt.Key.Key_Return)
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
    ground = popup.viewport().grab().toImage().pixelColor(2, 2)
    assert (ground, popup.sizeHintForRow(0)) == (desktop.look.color("panel"), 26)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    press_key(desktop, popup, Qt.Key.Key_Return)
    assert dialog in desktop.window.dialogs.shown
    assert dialog.field.entity_id is not None
    assert len(memory.graph.find_entities(Line.main(chat), "", 999)) == count
    press_key(desktop, dialog.field, Qt.Key.Key_Return)
    assert len(memory.graph.find_entities(Line.main(chat), "", 999)) == count - 1


# An evening without a mouse: every step is a key pressed where the focus is.

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Hands:
    """Presses keys and types, and waits until the window is quiet."""

    def __init__(self, qtbot, desktop):
        self._bot = qtbot
        self._desktop = desktop
        self.come_back()

    def come_back(self):
        """The window has the focus again, as the system sees to when a dialog goes."""
        self._desktop.window.activateWindow()
        self._bot.waitUntil(lambda: QApplication.focusWidget() is not None)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier, times=1):
        for _time in range(times):
            widget = QApplication.focusWidget() or self._desktop.window
            self._bot.keyClick(widget, key, modifier)
        settle(self._desktop)

    def type(self, text):
        widget = QApplication.focusWidget()
        assert widget is not None
        write(self._desktop, widget, text)

    def go_to(self, is_there, most=80):
        """Press Tab until the focus is where it is wanted."""
        for _time in range(most):
            focused = QApplication.focusWidget()
            if focused is not None and is_there(focused):
                return focused
            self._bot.keyClick(focused or self._desktop.window, Qt.Key.Key_Tab)
        pytest.fail("Tab never leads there")


@pytest.fixture
def hands(qtbot, desktop):
    return Hands(qtbot, desktop)


def test_an_event_is_found_read_switched_corrected_and_put_back(hands, desktop, memory):
    window, chat = desktop.window, desktop.workspace.chat_id
    hands.press(Qt.Key.Key_1, CTRL)
    assert window.page == "events"
    hands.press(Qt.Key.Key_F, CTRL)
    hands.type("钥匙")
    before = window.models.events.model.rowCount()
    assert 0 < before < len(memory.events.find(chat, EventQuery()))
    hands.press(Qt.Key.Key_Down)
    if QApplication.focusWidget() is window.event_page.search:
        hands.go_to(lambda widget: widget is window.event_page.view)
        hands.press(Qt.Key.Key_Home)
    first = window.models.editor.current
    assert first is not None
    hands.press(Qt.Key.Key_Space)
    event = memory.events.fetch(chat, [first.pk])[first.pk]
    assert event.is_archived != first.is_archived
    hands.press(Qt.Key.Key_Z, CTRL)
    assert memory.events.fetch(chat, [first.pk])[first.pk].is_archived == first.is_archived
    hands.press(Qt.Key.Key_F2)
    hands.press(Qt.Key.Key_A, CTRL)
    hands.type("钥匙被改写了。")
    hands.press(Qt.Key.Key_S, CTRL)
    assert memory.events.fetch(chat, [first.pk])[first.pk].summary == "钥匙被改写了。"


def test_everything_is_reached_by_palette_switcher_and_search(hands, desktop):
    window = desktop.window
    hands.press(Qt.Key.Key_P, CTRL)
    hands.type("Graph")
    hands.press(Qt.Key.Key_Return)
    assert window.page == "graph"
    hands.press(Qt.Key.Key_K, CTRL)
    hands.type("爱丽丝 type:entity")
    hands.press(Qt.Key.Key_Return)
    entity = window.models.entity.entity
    assert entity is not None
    assert entity.name == "爱丽丝"
    hands.press(Qt.Key.Key_K, CTRL)
    hands.press(Qt.Key.Key_Escape)
    hands.press(Qt.Key.Key_O, CTRL)
    hands.type("凯尔")
    hands.press(Qt.Key.Key_Return)
    entity = window.models.entity.entity
    assert entity is not None
    assert entity.name == "凯尔"


def test_memory_is_tidied_and_that_is_taken_back(hands, desktop, memory):
    line = desktop.workspace.line
    waiting = memory.events.counts(line).buffer
    assert waiting
    hands.press(Qt.Key.Key_P, CTRL)
    hands.type("Consolidate")
    hands.press(Qt.Key.Key_Return)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.activateWindow()
    hands.press(Qt.Key.Key_Return)
    assert memory.events.counts(line).buffer < waiting
    hands.come_back()
    hands.press(Qt.Key.Key_Z, CTRL)
    assert memory.events.counts(line).buffer == waiting


def test_every_button_of_the_tool_lines_is_reached_by_tab(hands, desktop):
    """From the list on, Tab comes round to where it began and has been at every push button."""
    window = desktop.window
    hands.press(Qt.Key.Key_1, CTRL)
    seen = set()
    for _time in range(120):
        hands._bot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        seen.add(QApplication.focusWidget())
    buttons = {
        button
        for button in window.event_page.findChildren(QAbstractButton)
        if button.isVisible() and button.isEnabled() and not isinstance(button.parent(), QLineEdit)
    }
    assert len(buttons) > 3
    assert {button.accessibleName() or button.text() for button in buttons - seen} == set()


# F1, F2, Del, Ctrl+N, Ctrl+comma, F11, Ctrl+Q: where a hand expects them, in every list.


def press(desktop, key):
    QTest.keySequence(desktop.window, QKeySequence(key))


def test_keys_open_help_settings_and_a_new_chat(qtbot, desktop):
    for key, kind in (("F1", HelpDialog), ("Ctrl+,", SettingsDialog), ("Ctrl+N", StartDialog)):
        press(desktop, key)
        settle(desktop)
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


def test_f2_and_del_on_a_chat(qtbot, desktop):
    window = desktop.window
    window.sidebar.list.setFocus()
    press(desktop, "F2")
    settle(desktop)
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


def test_del_on_a_worldbook_takes_it_out_and_that_is_undone(desktop, memory, tmp_path):
    page = open_entries(desktop, memory, tmp_path)
    page.shelf.setFocus()
    press_key(desktop, page.shelf, Qt.Key.Key_Delete)
    assert memory.worldbooks.all() == []
    undo(desktop)
    assert len(memory.worldbooks.all()) == 1


def test_f2_goes_to_the_name_of_an_entity(desktop):
    window = desktop.window
    open_page(desktop, "graph")
    graph = window.models.graph
    graph.select(graph.graph.view.entities[0].id)
    settle(desktop)
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


# Every icon the program asks for is there.

TAKERS = {"icon", "pixmap", "dress", "icon_button", "draw_icon", "EmptyState", "_action"}


def test_a_right_click_on_an_event_offers_what_can_be_done(desktop):
    window = desktop.window
    window.event_page.view.show_row(0)
    settle(desktop)
    menu = dict(menus(window.event_page))["Events"]
    names = [action.text() for action in menu.actions()]
    assert {"Read its messages", "Delete"} <= set(names)
    assert all(not action.icon().isNull() for action in menu.actions())


def test_every_icon_named_in_the_code_is_there():
    named = set()
    for file in Path(engram_desktop.widgets.__file__).parent.rglob("*.py"):
        named |= {(name, file.name) for name in icons_of(ast.parse(file.read_text("utf-8")))}
    named = {(name, where) for name, where in named if name not in load_theme("light").roles}
    assert len(named) > 60
    there = {file.stem for file in resource("icons/undo.svg").parent.glob("*.svg")}
    assert {(name, where) for name, where in named if name not in there} == set()


def test_every_icon_there_is_used():
    unused = {file.stem for file in resource("icons/undo.svg").parent.glob("*.svg")}
    for file in Path(engram_desktop.__file__).parent.rglob("*.py"):
        text = file.read_text("utf-8")
        if any(f'"{name}"' in text or f"{name}.svg" in text for name in unused):
            constants = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant))
            texts = {node.value for node in constants if isinstance(node.value, str)}
            unused = {name for name in unused if not texts & {name, f"icons/{name}.svg"}}
    assert unused == set()


def icons_of(tree: ast.Module) -> set[str]:
    """Names given to what makes icons, and those in tables that a loop over ``icon`` reads."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in TAKERS:
            names |= {text for arg in node.args[:2] for text in constants(arg)}
        if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple):
            targets = [getattr(t, "id", "") for t in node.target.elts]
            rows = node.iter.elts if isinstance(node.iter, ast.Tuple) else []
            if "icon" in targets:
                at = targets.index("icon")
                names |= {
                    text
                    for row in rows
                    if isinstance(row, ast.Tuple)
                    for text in constants(row.elts[at])
                }
    return {name for name in names if name.isidentifier()}


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def constants(node: ast.expr) -> set[str]:
    if isinstance(node, ast.IfExp):
        return constants(node.body) | constants(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        return {node.value}
    return set()


# The wheel scrolls the page; it changes a value only where the field has the focus.


def test_the_page_around_the_field_scrolls_instead(desktop):
    window = desktop.window
    window.dialogs.open_settings()
    (dialog,) = window.dialogs.shown
    for number in range(dialog.pages.count()):
        dialog.pages.setCurrentRow(number)
        settle(desktop)
        area = dialog._stack.currentWidget()
        if isinstance(area, QScrollArea) and area.verticalScrollBar().maximum() > 0:
            break
    else:
        pytest.fail("no page of the settings is longer than its dialog")
    fields = [w for w in area.findChildren(QWidget) if isinstance(w, TURNED) and w.isVisible()]
    field = next(w for w in fields if not isinstance(w, QScrollBar))
    before, scrolled = value(field), area.verticalScrollBar().value()
    field.clearFocus()
    at = QPointF(field.mapTo(dialog, field.rect().center()))
    QTest.wheelEvent(dialog.windowHandle(), at, QPoint(0, -120))  # as it comes from a mouse
    assert value(field) == before
    assert area.verticalScrollBar().value() > scrolled


def test_a_field_in_use_still_turns(qtbot, desktop):
    window = desktop.window
    window.event_page.view.show_row(0)
    window.editor.show_tab(1)
    settle(desktop)
    slider = window.editor.fields.significance
    window.activateWindow()
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    before = slider.value()
    turn(slider, -1 if before else 1)
    assert slider.value() != before


@pytest.mark.parametrize("name", ["summary", "time"])
def test_undo_in_a_field_with_none_of_its_own_is_that_of_the_window(qtbot, desktop, memory, name):
    window = desktop.window
    window.event_page.view.show_row(0)
    settle(desktop)
    key = window.models.editor.current.pk
    window.models.events.set_locked([key], locked=True)
    settle(desktop)
    field = getattr(window.editor.fields, name)
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    press_key(desktop, field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not memory.events.fetch(desktop.workspace.chat_id, [key])[key].is_locked
