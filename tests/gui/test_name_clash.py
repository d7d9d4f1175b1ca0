"""Files whose name something in the library has: what becomes of them is asked, nothing is lost."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QRadioButton

from tests.gui.waiting import settle
from tests.gui.worldbooks import ENTRIES, open_entries

LEFT = Qt.MouseButton.LeftButton
OTHER = {
    "0": ENTRIES["0"],
    "1": {"uid": 1, "key": ["狼"], "comment": "狼", "content": "山里的狼。", "x_own": 1},
}


@pytest.fixture
def page(qtbot, desktop, memory, tmp_path):
    return open_entries(qtbot, desktop, memory, tmp_path)


def choices(card):
    return {button.text(): button for button in card.findChildren(QRadioButton)}


def drop(qtbot, desktop, file):
    desktop.window.import_files([file])
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1]


def other_file(tmp_path):
    folder = tmp_path / "别处"
    folder.mkdir()
    file = folder / "设定.json"
    file.write_text(json.dumps({"entries": OTHER}), "utf-8")
    return file


def take(qtbot, desktop, dialog, text):
    qtbot.mouseClick(choices(dialog.cards[0])[text], LEFT)
    choices(dialog.cards[0])[text].setChecked(True)
    qtbot.mouseClick(dialog.import_button, LEFT)
    settle(qtbot, desktop)


def told(memory, name):
    worldbook = memory.worldbooks.read(memory.worldbooks.find(name).id)
    return [entry.title for entry in worldbook.entries]


def test_a_worldbook_of_the_same_name_is_kept_beside_the_other_unless_said(
    qtbot, desktop, memory, page, tmp_path
):
    dialog = drop(qtbot, desktop, other_file(tmp_path))
    card = dialog.cards[0]
    assert any("is called “设定”" in label.text() for label in card.findChildren(QLabel))
    assert choices(card)["Keep both"].isChecked(), "the harmless one"
    qtbot.mouseClick(dialog.import_button, LEFT)
    settle(qtbot, desktop)
    assert told(memory, "设定") == ["企鹅", "沉默", "天气"]
    assert told(memory, "设定 (2)") == ["企鹅", "狼"]


def test_one_takes_the_place_of_the_other_and_undo_brings_that_back(
    qtbot, desktop, memory, page, tmp_path
):
    page.here.click()
    settle(qtbot, desktop)
    dialog = drop(qtbot, desktop, other_file(tmp_path))
    take(qtbot, desktop, dialog, "Put it in the place of “设定”; that can be taken back")
    assert [row.name for row in memory.worldbooks.all()] == ["设定"]
    assert told(memory, "设定") == ["企鹅", "狼"]
    assert page.here.isChecked(), "where it was on it is on"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert told(memory, "设定") == ["企鹅", "沉默", "天气"]


def test_a_merge_adds_what_is_not_there_and_changes_nothing(qtbot, desktop, memory, page, tmp_path):
    dialog = drop(qtbot, desktop, other_file(tmp_path))
    take(qtbot, desktop, dialog, "Merge: add the entries that “设定” has not")
    assert told(memory, "设定") == ["企鹅", "沉默", "天气", "狼"]
    content = json.loads(memory.worldbooks.content(memory.worldbooks.find("设定").id))
    assert content["entries"]["3"]["x_own"] == 1, "fields nobody knows come along"
    assert {uid: content["entries"][uid] for uid in ENTRIES} == ENTRIES
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert told(memory, "设定") == ["企鹅", "沉默", "天气"]


def test_a_card_that_was_changed_never_replaces_the_other_unasked(qtbot, desktop, memory, tmp_path):
    file = tmp_path / "她.json"
    for text, choice in (("一", ""), ("二", "Keep both"), ("三", "")):
        data = {"name": "她", "description": text, "first_mes": "你好"}
        file.write_text(
            json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}), "utf-8"
        )
        dialog = drop(qtbot, desktop, file)
        if choice:
            assert choices(dialog.cards[0])[choice].isChecked()
        if text == "三":
            take(qtbot, desktop, dialog, "Put it in the place of “她”; that can be taken back")
        else:
            qtbot.mouseClick(dialog.import_button, LEFT)
            settle(qtbot, desktop)
    mine = [row for row in memory.characters.all() if row.name == "她"]
    assert sorted(row.avatar for row in mine) == ["她 (2).json", "她.json"]


def test_a_chat_of_the_same_name_gets_another(qtbot, desktop, memory, tmp_path):
    file = tmp_path / "月光酒馆.jsonl"
    lines = [{"name": "乙", "is_user": False, "mes": "完全不同的故事。", "send_date": 1}]
    head = {"user_name": "我", "character_name": "乙", "chat_metadata": {}}
    file.write_text("\n".join(json.dumps(line) for line in (head, *lines)), "utf-8")
    dialog = drop(qtbot, desktop, file)
    (card,) = dialog.cards
    assert any("Another chat here is called" in w.text() for w in card.findChildren(QLabel))
    qtbot.mouseClick(dialog.import_button, LEFT)
    settle(qtbot, desktop)
    names = sorted(chat.name for chat in memory.chats.all())
    assert len(names) == len(set(names)) == 2
