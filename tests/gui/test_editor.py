"""Editing one event: the draft, when it is saved, what is refused."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engram_desktop.viewmodels.events.event_editor import read_json
from tests.gui.waiting import commit, settle

HOSTILE = "<img src='http://127.0.0.1:9/x.png'><a href='file:///'>x</a> & <b>bold</b>"


@pytest.fixture
def editor(qtbot, desktop):
    view = desktop.window.event_page.view
    view.show_row(0)
    return desktop.window.editor


@pytest.fixture
def read(desktop, memory):
    def reread():
        key = desktop.window.models.editor.current.pk
        return memory.events.fetch(desktop.workspace.chat_id, [key])[key]

    return reread


def test_leaving_a_field_saves_it_as_one_step(qtbot, desktop, editor, read):
    editor.fields.place.setFocus()
    editor.fields.place.selectAll()
    commit(editor.fields.place, "灯塔")
    assert read().raw_data.location != "灯塔"
    editor.fields.time.setFocus()
    settle(qtbot, desktop)
    assert read().raw_data.location == "灯塔"
    assert read().extractor == "manual"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert read().raw_data.location != "灯塔"
    assert editor.fields.place.text() == read().raw_data.location


def test_ctrl_s_saves_at_once(qtbot, desktop, editor, read):
    editor.fields.summary.setFocus()
    editor.fields.summary.setPlainText("新的摘要。")
    qtbot.keyClick(desktop.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert read().summary == "新的摘要。"


def test_selecting_another_event_saves_the_draft_of_the_first(qtbot, desktop, editor, memory):
    view, chat = desktop.window.event_page.view, desktop.workspace.chat_id
    first = desktop.window.models.editor.current.pk
    editor.fields.summary.setPlainText("离开前写的。")
    view.show_row(1)
    settle(qtbot, desktop)
    assert memory.events.fetch(chat, [first])[first].summary == "离开前写的。"
    assert desktop.window.models.editor.current.pk != first


def test_what_did_not_change_is_not_a_step(qtbot, desktop, editor, memory):
    steps = len(memory.history.steps(desktop.workspace.chat_id))
    text = editor.fields.place.text()
    editor.fields.place.setFocus()
    qtbot.keyClicks(editor.fields.place, "x")
    qtbot.keyClick(editor.fields.place, Qt.Key.Key_Backspace)
    assert editor.fields.place.text() == text
    editor.fields.time.setFocus()
    settle(qtbot, desktop)
    assert len(memory.history.steps(desktop.workspace.chat_id)) == steps


def test_an_empty_summary_is_refused_and_the_stored_one_comes_back(qtbot, desktop, editor, read):
    before = read().summary
    editor.fields.summary.setFocus()
    editor.fields.summary.setPlainText("")
    editor.fields.time.setFocus()
    settle(qtbot, desktop)
    assert read().summary == before
    assert editor.fields.summary.toPlainText() == before
    assert [bar.notice.kind for bar in desktop.window.message_bar.bars] == ["error"]


def test_keywords_are_added_and_removed_as_chips(qtbot, desktop, editor, read):
    chips = editor.fields.keywords
    commit(chips.field, "暗号，约定")
    qtbot.keyClick(chips.field, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert read().raw_data.keywords[-2:] == ("暗号", "约定")
    chip = chips._flow.itemAt(0).widget()
    gone = chip.word
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert gone not in read().raw_data.keywords


def test_structured_fields_are_kept(qtbot, desktop, editor, read):
    editor.fields.structured_button.click()
    editor.fields.causality.setPlainText("因为潮水")
    desktop.window.models.editor.save()
    settle(qtbot, desktop)
    assert read().structured_kv.causality == "因为潮水"


def test_json_names_every_fault_and_applies_only_without_one(qtbot, desktop, editor, read):
    editor.show_tab(2)
    data = json.loads(editor.json.toPlainText())
    editor.json.setPlainText(json.dumps(data | {"summary": 5.5, "keywords": {}, "entities": 3}))
    qtbot.waitUntil(lambda: bool(editor._faults.text()))
    assert not editor.apply_button.isEnabled()
    told = editor._faults.text()
    assert "event[0].keywords" in told
    assert "event[0].entities" in told
    editor.json.setPlainText(json.dumps(data | {"summary": "从 JSON 来。"}, ensure_ascii=False))
    qtbot.waitUntil(editor.apply_button.isEnabled)
    qtbot.mouseClick(editor.apply_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert read().summary == "从 JSON 来。"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "3", "[]", '{"events": []}', "null"])
def test_no_json_text_raises(text):
    data, faults = read_json(text)
    assert data is None or not faults
    assert data is None


def test_the_lamp_button_says_and_does(qtbot, desktop, editor, read):
    was = read().is_archived
    assert editor.lamp_button.text() == ("Green" if was else "Blue")
    qtbot.mouseClick(editor.lamp_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert read().is_archived is not was
    assert editor.lamp_button.text() == ("Blue" if was else "Green")


def test_locking_shows_in_words(qtbot, desktop, editor, read):
    qtbot.mouseClick(editor.lock_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert read().is_locked
    assert editor.lock_button.accessibleName().startswith("Unlock")


def test_the_source_is_read(qtbot, desktop, editor):
    editor.show_tab(3)
    settle(qtbot, desktop)
    texts = [editor._source.itemAt(n).widget() for n in range(editor._source.count() - 1)]
    assert any("floor 1" in label.text() for label in texts)


def test_markup_in_a_story_stays_text(qtbot, desktop, editor, read):
    editor.fields.summary.setPlainText(HOSTILE)
    desktop.window.models.editor.save()
    settle(qtbot, desktop)
    assert read().summary == HOSTILE
    for label in desktop.window.findChildren(type(editor._title)):
        assert label.textFormat() == Qt.TextFormat.PlainText, label.text()
    desktop.window.grab()


def test_a_very_long_word_and_stacked_marks_are_painted(qtbot, desktop, editor):
    editor.fields.summary.setPlainText("长" * 3000 + "z" + "\u0301" * 900)
    desktop.window.models.editor.save()
    settle(qtbot, desktop)
    desktop.window.grab()


def test_the_draft_is_saved_when_typing_rests(qtbot, desktop, editor, read):
    editor.fields.summary.setFocus()
    QTest.keyClick(editor.fields.summary, Qt.Key.Key_End)
    editor.fields.summary.insertPlainText("又及")
    with qtbot.waitSignal(desktop.window.models.editor.saved, timeout=30_000):
        pass
    settle(qtbot, desktop)
    assert "又及" in read().summary
