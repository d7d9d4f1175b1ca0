"""The page of play, and the state of a story."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QMenu

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import join_path, leaves
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.state import parse_typed
from engram_desktop.widgets.state import PathRole
from tests.factories import make_extraction, model_at, set_all
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import (
    choose_in,
    click,
    open_menu,
    open_page,
    opened_by,
    press_key,
    settle,
    show_chat,
    undo,
)
from tests.state_story import update, write_story

# Playing a chat through the user's door: said, streamed, stopped, corrected, taken back.

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
def desktop(open_desktop, memory, server):
    set_all(memory, model_at(server.url))
    memory.settings.set("auto.enabled", value=False)
    made = open_desktop(memory)
    open_page(made, "play")
    return made


@pytest.fixture
def page(desktop):
    return desktop.window.stack.page("play")


def say(qtbot, desktop, page, text):
    qtbot.keyClicks(page.composer.field, text)
    press_key(desktop, page.composer.field, Qt.Key.Key_Return)


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
    press_key(desktop, field, Qt.Key.Key_Return)
    assert memory.messages.count(desktop.workspace.line) == before
    assert field.toPlainText() == "a\n"


def test_what_is_said_is_seen_at_once_and_typing_goes_on(qtbot, desktop, page, model):
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
    settle(desktop)
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
    settle(desktop)


def test_a_second_reading_is_asked_for_and_the_first_chosen_again(qtbot, desktop, page, model):
    say(qtbot, desktop, page, "hi")
    last = page.view._rows.count - 1
    model.says = "<reply>another</reply>"
    page.view.swipe_pressed.emit(last, 1)
    settle(desktop)
    assert page.view._rows.row(last).text == "another"
    assert page.view._rows.row(last).swipe == (2, 2)
    page.view.swipe_pressed.emit(last, -1)
    settle(desktop)
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


def test_a_message_is_edited_in_its_place(qtbot, desktop, page):
    floor = page.view._rows.count - 1
    menu_of(page, floor, "Edit here")
    editor = page.editing.editor
    qtbot.waitUntil(editor.isVisible)
    assert page.view.rect_of(floor).toRect().contains(editor.geometry().center())
    editor.field.setPlainText("other words")
    click(desktop, editor.save_button)
    assert page.view._rows.row(floor).text == "other words"
    undo(desktop)
    assert page.view._rows.row(floor).text != "other words"


def test_messages_are_deleted_from_one_on_and_brought_back(desktop, page):
    before = page.view._rows.count
    menu_of(page, before - 3, "Delete this and")
    settle(desktop)
    assert page.view._rows.count == before - 3
    undo(desktop)
    assert page.view._rows.count == before


def test_a_fork_is_played_on_by_itself(qtbot, desktop, page, memory):
    chat, before = desktop.workspace.chat_id, page.view._rows.count
    menu_of(page, 10, "Fork here")
    settle(desktop)
    assert desktop.workspace.line != Line.main(chat)
    assert page.view._rows.count == 11
    say(qtbot, desktop, page, "hi")
    assert page.view._rows.count == 13
    assert memory.messages.count(Line.main(chat)) == before


def test_what_a_turn_left_is_corrected_by_clicking(qtbot, desktop, page, memory):
    say(qtbot, desktop, page, "hi")
    panel, floor = desktop.window.stack.panel("play"), page.view._rows.count - 1
    click(desktop, panel.level_buttons["EVENT"])
    assert memory.play.notes(desktop.workspace.line, floor, floor)[floor].level == "EVENT"
    panel.value.setText("60")
    click(desktop, panel.set_button)
    tree = memory.state.history(NullContext(), desktop.workspace.line).tree
    assert tree["character"]["affinity"] == 60
    click(desktop, panel.back_button)
    assert not memory.state.history(NullContext(), desktop.workspace.line).tree.get("character")
    panel._event.summary.setPlainText("They met.")
    click(desktop, panel._event.save_button)
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
    click(desktop, page.composer.send_button)
    assert memory.messages.count(desktop.workspace.line) == before + 2


def test_without_a_model_our_scene_shows_all_of_it(qtbot, open_desktop, memory):
    made = open_desktop(memory)
    window = made.window
    page = open_page(made, "play")
    assert page.settings_button.isVisible()
    assert not page.composer.send_button.isEnabled()
    count = memory.messages.count(made.workspace.line)
    page.composer.field.setPlainText("在吗？")
    assert not page.composer.send_button.isEnabled()
    press_key(made, page.composer.field, Qt.Key.Key_Return)
    assert page.composer.field.toPlainText() == "在吗？", "Enter does no more than the button"
    assert memory.messages.count(made.workspace.line) == count
    page.composer.field.clear()
    click(made, page.scene_button)
    assert window.page == "play"
    assert not page.settings_button.isVisible()
    before = page.view._rows.count
    qtbot.mouseClick(page.composer.suggest_button, Qt.MouseButton.LeftButton)
    click(made, page.composer.send_button)
    assert page.view._rows.count == before + 2
    assert any(note.key == "state" for note in page.view._rows.row(before + 1).notes)


def test_a_chat_begins_with_a_card(desktop, memory, tmp_path):
    card = tmp_path / "card.json"
    card.write_text(
        '{"spec": "chara_card_v2", "data": {"name": "Mia", "first_mes": "Hello {{user}}.",'
        ' "alternate_greetings": ["You again."]}}',
        "utf-8",
    )
    memory.imports.import_file(NullContext(), card)
    dialog = opened_by(desktop, desktop.window.dialogs.open_play_start)
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    dialog.list.item(names.index("Mia")).setCheckState(Qt.CheckState.Checked)
    dialog.player.setText("Sam")
    dialog.player.left.emit()
    settle(desktop)
    dialog.greeting.setCurrentIndex(1)
    assert dialog._preview.toPlainText() == "You again."
    click(desktop, dialog.start_button)
    rows = desktop.window.stack.page("play").view._rows
    assert (rows.row(0).name, rows.row(0).text) == ("Mia", "You again.")
    assert rows.row(0).swipe == (2, 2)


def test_a_label_below_a_message_says_what_the_turn_was(qtbot, desktop, page):
    say(qtbot, desktop, page, "hi")
    floor = page.view._rows.count - 1
    page.view.note_pressed.emit(floor, "level")
    choose_in(desktop, open_menu(), "Event")
    assert page.view._rows.row(floor).notes[0].text == "Event"
    desktop.window.top.panel_button.setChecked(False)
    page.view.note_pressed.emit(floor, "state")
    assert desktop.window.panel.isVisible()
    undo(desktop)
    assert page.view._rows.row(floor).notes[0].text != "Event"


# The page of the state: values at a floor, their curve and steps, and changing one by hand.

CTX = NullContext()
PATH = ("爱丽丝", "好感度")


@pytest.fixture
def state_page(open_desktop, memory, tmp_path):
    """The page of a story in which 爱丽丝 comes to like the player; one update is broken."""
    replies = [update(1), update(2), "<state_update>坏</state_update>", update(4)]
    chat = memory.imports.import_file(CTX, write_story(tmp_path / "故事.jsonl", replies)).chat_id
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    page = open_page(desktop, "state")
    page.desktop = desktop
    return page


def shown(page):
    """Rows that are seen, as `path: value`."""
    found, rows = {}, [page.tree.topLevelItem(n) for n in range(page.tree.topLevelItemCount())]
    while rows:
        row = rows.pop()
        rows += [row.child(n) for n in range(row.childCount())]
        if row.data(0, PathRole) and not row.isHidden():
            found[join_path(row.data(0, PathRole))] = row.text(1)
    return found


def choose(page, name):
    (row,) = page.tree.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    page.tree.setCurrentItem(row)
    settle(page.desktop)
    return page.desktop.window.stack.panel("state")


def lines(panel):
    return [panel.list.item(n).text() for n in range(panel.list.count())]


def test_values_are_shown_and_searched(state_page):
    assert shown(state_page) == {"爱丽丝.好感度": "57", "爱丽丝.心情": "平静"}
    assert "1 update could not be read" in state_page._summary.text()
    state_page.search.setText("心情")
    assert shown(state_page) == {"爱丽丝.心情": "平静"}
    state_page.search.setText("爱丽丝")
    assert len(shown(state_page)) == 2


def test_the_slider_goes_back_in_the_story(qtbot, state_page):
    assert not state_page.floor.now_button.isEnabled()
    state_page.floor.setValue(2)
    qtbot.waitUntil(lambda: shown(state_page).get("爱丽丝.好感度") == "51")
    assert state_page.floor._words.text() == "2 of 8"
    state_page.floor.now_button.click()
    qtbot.waitUntil(lambda: shown(state_page).get("爱丽丝.好感度") == "57")


def test_all_changes_are_told_with_what_could_not_be_read(state_page):
    panel = state_page.desktop.window.stack.panel("state")
    assert lines(panel)[0] == "Floor 8 · 爱丽丝.好感度: 53 → 57\nthe reply"
    assert lines(panel)[1] == "Floor 6 · it holds no list of operations\nthe reply"
    assert not panel.value.isVisible()


def test_a_value_has_steps_a_curve_and_a_source(qtbot, state_page):
    panel = choose(state_page, "好感度")
    assert panel._title.text() == "爱丽丝.好感度"
    assert panel._meaning.text() == "喜爱"
    assert panel.value.text() == "57"
    assert [line.split("\n")[0] for line in lines(panel)] == [
        "Floor 8 · 53 → 57",
        "Floor 4 · 51 → 53",
        "Floor 2 · 50 → 51",
        "Floor 0 · 50",
    ]
    assert panel.curve.isVisible()
    assert panel.curve.accessibleDescription() == "from 50 to 57, lowest 50, highest 57"
    panel.grab()
    with qtbot.waitSignal(state_page.desktop.workspace.floor_wanted) as asked:
        panel.list.itemDoubleClicked.emit(panel.list.item(1))
    assert asked.args == [4, 4]


def test_a_value_is_changed_undone_and_removed(qtbot, state_page, memory):
    desktop, chat = state_page.desktop, state_page.desktop.workspace.chat_id
    panel = choose(state_page, "好感度")
    panel.value.setFocus()
    panel.value.selectAll()
    qtbot.keyClicks(panel.value, "90")
    panel.value.submitted.emit()
    settle(desktop)
    assert shown(state_page)["爱丽丝.好感度"] == "90"
    assert lines(panel)[0] == "Floor 8 · 57 → 90\nyou"
    undo(desktop)
    assert shown(state_page)["爱丽丝.好感度"] == "57"
    click(desktop, panel.remove_button)
    assert [join_path(x.path) for x in leaves(memory.state.history(CTX, Line.main(chat)).tree)] == [
        "爱丽丝.心情"
    ]
    assert not panel.value.isVisible()


def test_a_value_is_added(state_page):
    click(state_page.desktop, state_page.add_button)
    dialog = state_page.desktop.window.dialogs.shown[-1]
    assert not dialog.save_button.isEnabled()
    dialog.name.setText("旅人.物品")
    dialog.value.setText('["钥匙", "灯", "信"]')
    click(state_page.desktop, dialog.save_button)
    assert shown(state_page)["旅人.物品"] == "钥匙, 灯, 信"


def test_a_chat_without_state_says_what_would_bring_one(state_page, memory):
    others = [
        c.chat_id for c in memory.chats.all() if c.chat_id != state_page.desktop.workspace.chat_id
    ]
    show_chat(state_page.desktop, others[0])
    assert state_page._stack.currentWidget() is state_page._empty
    assert "No state yet" in state_page._empty._title.text()
    assert lines(state_page.desktop.window.stack.panel("state")) == []


@pytest.mark.parametrize(
    ("text", "old", "value"),
    [("7", 5, 7), ("7", "五", "7"), ("[1]", None, [1]), ("好", 5, "好"), ("true", None, True)],
)
def test_what_is_typed_is_read_as_what_was_there(text, old, value):
    assert parse_typed(text, old) == value


def test_a_value_that_was_put_back_after_a_crash_is_saved_by_leaving_it(state_page):
    view = state_page.desktop.window.models.state
    panel = choose(state_page, "好感度")
    assert (panel.value.text(), panel.value.isModified()) == ("57", False)
    choose(state_page, "心情")
    view.unsaved.keep(view.place(PATH), {"value": "99"})
    panel = choose(state_page, "好感度")
    assert (panel.value.text(), panel.value.isModified()) == ("99", True)


def test_what_happened_stands_beside_what_it_moved(state_page, memory):
    panel = choose(state_page, "好感度")
    floors = [panel.list.item(n).data(Qt.ItemDataRole.UserRole) for n in range(panel.list.count())]
    line = state_page.desktop.workspace.line
    event = make_extraction("爱丽丝在水族馆第一次看到企鹅。")
    state_page.desktop.workspace.change(
        "", lambda _ctx: memory.events.add(line, event, SourceRange(floors[0], floors[0]))[1]
    )
    settle(state_page.desktop)
    told = [text for text in lines(panel) if "第一次看到企鹅" in text]
    assert len(told) == 1
    assert panel.curve._events == {floors[0]}
