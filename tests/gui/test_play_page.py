"""Playing a chat through the user's door: said, streamed, stopped, corrected, taken back."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QMenu

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle

REPLY = (
    "<thought>日常互动。</thought>"
    '<state_update>[{"op": "replace", "path": "character.affinity", "value": 41}]</state_update>'
    "<reply>嘿嘿...好痒...</reply>"
)


class Model:
    """Answers every turn, and can be held before it does."""

    def __init__(self):
        self.says = REPLY
        self.gate = threading.Event()
        self.gate.set()

    def __call__(self, _body):
        assert self.gate.wait(20)
        return self.says


@pytest.fixture
def model():
    made = Model()
    yield made
    made.gate.set()


@pytest.fixture
def server(model):
    with FakeOpenAI(answer=model) as fake:
        yield fake


@pytest.fixture
def desktop(qtbot, open_desktop, memory, server):
    memory.settings.set("llm.base_url", server.url)
    memory.settings.set("llm.model", "fake-chat")
    memory.settings.set("auto.enabled", value=False)
    made = open_desktop(memory)
    made.window.show_page("play")
    settle(qtbot, made)
    return made


@pytest.fixture
def page(desktop):
    return desktop.window.stack.page("play")


def say(qtbot, desktop, page, text):
    qtbot.keyClicks(page.composer.field, text)
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Return)
    settle(qtbot, desktop)


def messages(memory, desktop):
    line = desktop.workspace.line
    count = memory.messages.count(line)
    return [(m.name, m.text) for m in memory.messages.slice(line, count - 2, count - 1)]


def test_any_chat_is_gone_on_with_by_enter(qtbot, desktop, page, memory):
    before = memory.messages.count(desktop.workspace.line)
    say(qtbot, desktop, page, "good girl")
    said, reply = messages(memory, desktop)
    assert said[1] == "good girl"
    assert reply[1] == "嘿嘿...好痒..."
    assert page.composer.field.toPlainText() == ""
    assert page.view.visible_floors()[-1] == before + 1
    row = page.view._rows.row(before + 1)
    assert row.text == "嘿嘿...好痒..."
    keys = [note.key for note in row.notes if note.key in ("level", "state")]
    assert keys == ["level", "state", "state"], "what the reply says, and the count of routine"
    assert desktop.window.stack.panel("play")._title.text().startswith(f"Floor {before + 1}")


def test_shift_enter_and_an_input_method_do_not_send(qtbot, desktop, page, memory):
    before = memory.messages.count(desktop.workspace.line)
    field = page.composer.field
    qtbot.keyClicks(field, "a")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QApplication.sendEvent(field, QInputMethodEvent("shuizuguan", []))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert memory.messages.count(desktop.workspace.line) == before
    assert field.toPlainText() == "a\n"


def test_what_is_said_is_seen_at_once_and_typing_goes_on(qtbot, desktop, page, memory, model):
    model.gate.clear()
    before = page.view._rows.count
    qtbot.keyClicks(page.composer.field, "hi")
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Return)
    assert page.view._rows.count == before + 2
    assert page.view._rows.row(before).text == "hi"
    assert page.view._rows.row(before + 1).is_live
    assert page.composer.send_button.text() == "Stop"
    qtbot.keyClicks(page.composer.field, "next")
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Return)  # one at a time
    model.gate.set()
    settle(qtbot, desktop)
    assert page.composer.field.toPlainText() == "next"
    assert page.composer.send_button.text() == "Send"
    assert page.view._rows.count == before + 2


def test_a_summary_that_runs_keeps_no_reply_waiting(qtbot, desktop, page, memory):
    held = threading.Event()
    desktop.runner.submit("held", lambda _ctx: held.wait(20), lane="network")
    qtbot.keyClicks(page.composer.field, "hi")
    qtbot.keyClick(page.composer.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not page._chat.is_streaming, timeout=20_000)
    assert messages(memory, desktop)[-1][1] == "嘿嘿...好痒..."
    held.set()
    settle(qtbot, desktop)


def test_a_second_reading_is_asked_for_and_the_first_chosen_again(
    qtbot, desktop, page, memory, model
):
    say(qtbot, desktop, page, "hi")
    last = page.view._rows.count - 1
    model.says = "<reply>another</reply>"
    page.view.swipe_pressed.emit(last, 1)
    settle(qtbot, desktop)
    assert page.view._rows.row(last).text == "another"
    assert page.view._rows.row(last).swipe == (2, 2)
    page.view.swipe_pressed.emit(last, -1)
    settle(qtbot, desktop)
    assert page.view._rows.row(last).text == "嘿嘿...好痒..."
    assert page.view._rows.row(last).swipe == (1, 2)


def menu_of(page, floor, text):
    page.view.menu_wanted.emit(floor, page.mapToGlobal(page.rect().center()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(a for a in menu.actions() if a.text().startswith(text))
    assert action.isEnabled(), text
    menu.close()
    action.trigger()


def test_a_message_is_edited_in_its_place(qtbot, desktop, page, memory):
    floor = page.view._rows.count - 1
    menu_of(page, floor, "Edit here")
    editor = page.editing.editor
    qtbot.waitUntil(editor.isVisible)
    assert page.view.rect_of(floor).toRect().contains(editor.geometry().center())
    editor.field.setPlainText("other words")
    qtbot.mouseClick(editor.save_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert page.view._rows.row(floor).text == "other words"
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert page.view._rows.row(floor).text != "other words"


def test_messages_are_deleted_from_one_on_and_brought_back(qtbot, desktop, page, memory):
    before = page.view._rows.count
    menu_of(page, before - 3, "Delete this and")
    settle(qtbot, desktop)
    assert page.view._rows.count == before - 3
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert page.view._rows.count == before


def test_a_fork_is_played_on_by_itself(qtbot, desktop, page, memory):
    chat, before = desktop.workspace.chat_id, page.view._rows.count
    menu_of(page, 10, "Fork here")
    settle(qtbot, desktop)
    assert desktop.workspace.line != Line.main(chat)
    assert page.view._rows.count == 11
    say(qtbot, desktop, page, "hi")
    assert page.view._rows.count == 13
    assert memory.messages.count(Line.main(chat)) == before


def test_what_a_turn_left_is_corrected_by_clicking(qtbot, desktop, page, memory):
    say(qtbot, desktop, page, "hi")
    panel, floor = desktop.window.stack.panel("play"), page.view._rows.count - 1
    qtbot.mouseClick(panel.level_buttons["EVENT"], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.play.notes(desktop.workspace.line, floor, floor)[floor].level == "EVENT"
    panel.value.setText("60")
    qtbot.mouseClick(panel.set_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    tree = memory.state.history(NullContext(), desktop.workspace.line).tree
    assert tree["character"]["affinity"] == 60
    qtbot.mouseClick(panel.back_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert not memory.state.history(NullContext(), desktop.workspace.line).tree.get("character")
    panel._event.summary.setPlainText("They met.")
    qtbot.mouseClick(panel._event.save_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    note = memory.play.notes(desktop.workspace.line, floor, floor)[floor]
    assert note.event.summary == "They met."
    assert panel._event.show_button.isVisible()


def test_a_failed_reply_is_told_and_asked_for_again(qtbot, desktop, page, memory, server):
    server.faults += [401]
    before = memory.messages.count(desktop.workspace.line)
    say(qtbot, desktop, page, "hi")
    assert memory.messages.count(desktop.workspace.line) == before + 1
    assert desktop.window.message_bar.bars
    assert page.composer.send_button.text() == "Reply"
    qtbot.mouseClick(page.composer.send_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.messages.count(desktop.workspace.line) == before + 2


def test_without_a_model_our_scene_shows_all_of_it(qtbot, open_desktop, memory):
    made = open_desktop(memory)
    window = made.window
    window.show_page("play")
    settle(qtbot, made)
    page = window.stack.page("play")
    assert page.settings_button.isVisible()
    assert not page.composer.send_button.isEnabled()
    qtbot.mouseClick(page.scene_button, Qt.MouseButton.LeftButton)
    settle(qtbot, made)
    assert window.page == "play"
    assert not page.settings_button.isVisible()
    before = page.view._rows.count
    qtbot.mouseClick(page.composer.suggest_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.composer.send_button, Qt.MouseButton.LeftButton)
    settle(qtbot, made)
    assert page.view._rows.count == before + 2
    assert any(note.key == "state" for note in page.view._rows.row(before + 1).notes)


def test_a_chat_begins_with_a_card(qtbot, desktop, memory, tmp_path):
    card = tmp_path / "card.json"
    card.write_text(
        '{"spec": "chara_card_v2", "data": {"name": "Mia", "first_mes": "Hello {{user}}.",'
        ' "alternate_greetings": ["You again."]}}',
        "utf-8",
    )
    memory.imports.import_file(NullContext(), card)
    desktop.window.dialogs.open_play_start()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    dialog.list.item(names.index("Mia")).setCheckState(Qt.CheckState.Checked)
    dialog.player.setText("Sam")
    dialog.player.left.emit()
    settle(qtbot, desktop)
    dialog.greeting.setCurrentIndex(1)
    assert dialog._preview.toPlainText() == "You again."
    qtbot.mouseClick(dialog.start_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    rows = desktop.window.stack.page("play").view._rows
    assert (rows.row(0).name, rows.row(0).text) == ("Mia", "You again.")
    assert rows.row(0).swipe == (2, 2)


def test_a_label_below_a_message_says_what_the_turn_was(qtbot, desktop, page, memory):
    say(qtbot, desktop, page, "hi")
    floor = page.view._rows.count - 1
    page.view.note_pressed.emit(floor, "level")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(a for a in menu.actions() if a.text() == "Event")
    menu.close()
    action.trigger()
    settle(qtbot, desktop)
    assert page.view._rows.row(floor).notes[0].text == "Event"
    desktop.window.top.panel_button.setChecked(False)
    page.view.note_pressed.emit(floor, "state")
    assert desktop.window.panel.isVisible()
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert page.view._rows.row(floor).notes[0].text != "Event"


def test_messages_of_the_window_do_not_cover_the_composer(qtbot, desktop, page):
    desktop.workspace.messages.tell("something happened", kind="warning")
    bar = desktop.window.message_bar
    assert bar.isVisible()
    edge = page.foot.mapTo(desktop.window, page.foot.rect().topLeft()).y()
    assert bar.mapTo(desktop.window, bar.rect().bottomLeft()).y() < edge
    page.composer.field.setPlainText("a\n" * 6)
    settle(qtbot, desktop)
    edge = page.foot.mapTo(desktop.window, page.foot.rect().topLeft()).y()
    qtbot.waitUntil(lambda: bar.mapTo(desktop.window, bar.rect().bottomLeft()).y() < edge)
