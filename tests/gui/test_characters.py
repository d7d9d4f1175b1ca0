"""The dialog of characters: faces, texts, what belongs to each, written out and removed."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QColor, QImage, QImageWriter
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QPushButton

from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.transcript import face_of
from tests.gui.waiting import settle

CTX = NullContext()
CARD = {
    "spec": "chara_card_v2",
    "data": {
        "name": "爱丽丝",
        "description": "酒馆的主人。<b>不是粗体</b>",
        "first_mes": "欢迎。",
        "alternate_greetings": ["又见面了。"],
        "creator": "某人",
        "tags": ["酒馆", "奇幻"],
        "character_book": {"entries": [{"keys": ["酒馆"], "content": "月光酒馆。"}]},
    },
}


def picture(width=300, height=450):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data())


@pytest.fixture
def card(tmp_path):
    file = tmp_path / "爱丽丝.png"
    text = base64.b64encode(json.dumps(CARD).encode())
    file.write_bytes(with_texts(chunks(picture(), "x"), {"chara": text}))
    return file


@pytest.fixture
def dialog(qtbot, desktop, memory, card, tmp_path):
    other = tmp_path / "白兔.json"
    rabbit = {"spec": "chara_card_v2", "data": {"name": "白兔", "description": "总是迟到。"}}
    other.write_text(json.dumps(rabbit), "utf-8")
    for file in (card, other):
        memory.imports.import_file(CTX, file)
    desktop.window.show_page("books")
    settle(qtbot, desktop)
    qtbot.mouseClick(
        desktop.window.stack.page("books").characters_button, Qt.MouseButton.LeftButton
    )
    settle(qtbot, desktop)
    made = desktop.window.dialogs.shown[-1]
    choose(qtbot, desktop, made, "爱丽丝")
    return made


def choose(qtbot, desktop, dialog, name):
    rows = [n for n in range(dialog.list.count()) if dialog.list.item(n).text() == name]
    dialog.list.setCurrentRow(rows[0])
    settle(qtbot, desktop)


def words(dialog):
    return [made.text() for made in dialog.findChildren(QLabel) if not made.isHidden()]


def test_a_card_is_read_with_what_belongs_to_it(qtbot, desktop, memory, dialog):
    assert "酒馆的主人。<b>不是粗体</b>" in words(dialog)
    assert {"又见面了。", "欢迎。", "奇幻"} <= set(words(dialog))
    assert any("某人" in text for text in words(dialog))
    assert "World book: 爱丽丝's Lorebook · 1 entry" in words(dialog)
    faces = {
        dialog.list.item(n).text(): dialog.list.item(n).icon() for n in range(dialog.list.count())
    }
    assert not faces["爱丽丝"].isNull()
    assert faces["白兔"].isNull()
    choose(qtbot, desktop, dialog, "白兔")
    assert "总是迟到。" in words(dialog)
    assert not dialog.png_button.isEnabled()
    dialog.search.setText("爱")
    assert [dialog.list.item(n).isHidden() for n in range(2)].count(False) == 1


def test_a_chat_of_the_character_is_shown(qtbot, desktop, memory, dialog):
    name = memory.chats.all()[0].name
    (button,) = [b for b in dialog.findChildren(QPushButton) if b.text() == name]
    desktop.workspace.show_chat("")
    button.click()
    settle(qtbot, desktop)
    assert desktop.workspace.chat_id == memory.chats.all()[0].chat_id


@pytest.mark.parametrize("suffix", ["png", "json"])
def test_a_card_is_written_to_a_new_file(
    qtbot, desktop, memory, dialog, tmp_path, monkeypatch, suffix
):
    target = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    button = dialog.png_button if suffix == "png" else dialog.json_button
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    written = target.with_suffix(f".{suffix}")
    assert memory.imports.preview(CTX, written).name == "爱丽丝"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert any("exists already" in bar for bar in bars(desktop))


def bars(desktop):
    return [m.text() for b in desktop.window.message_bar.bars for m in b.findChildren(QLabel)]


def test_a_removed_character_comes_back_with_all_that_went(qtbot, desktop, memory, dialog):
    (worldbook,) = memory.worldbooks.all()
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    (box,) = dialog.findChildren(QMessageBox)
    box.checkBox().setChecked(True)
    next(b for b in box.buttons() if b.text() == "Remove").click()
    settle(qtbot, desktop)
    assert "The character “爱丽丝” was deleted" in bars(desktop)
    assert memory.worldbooks.all() == []
    assert dialog.undo.undo_action.text() == "Undo: Delete the character “爱丽丝”"
    dialog.undo.undo_action.trigger()
    settle(qtbot, desktop)
    assert memory.worldbooks.all() == [worldbook]
    choose(qtbot, desktop, dialog, "爱丽丝")
    # a label that was just added is shown a moment later
    qtbot.waitUntil(lambda: "World book: 爱丽丝's Lorebook · 1 entry" in words(dialog))


def test_a_character_with_nothing_else_goes_without_a_question(qtbot, desktop, memory, dialog):
    choose(qtbot, desktop, dialog, "白兔")
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert [row.name for row in memory.characters.all()] == ["爱丽丝"]
    qtbot.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert len(memory.characters.all()) == 2


@pytest.mark.parametrize("is_all", [True, False])
def test_a_character_is_removed_and_its_worldbook_if_asked(qtbot, desktop, memory, dialog, is_all):
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    (box,) = dialog.findChildren(QMessageBox)
    box.checkBox().setChecked(is_all)
    remove = next(b for b in box.buttons() if b.text() == "Remove")
    remove.click()
    settle(qtbot, desktop)
    assert [row.name for row in memory.characters.all()] == ["白兔"]
    assert bool(memory.worldbooks.all()) is not is_all
    assert dialog.list.count() == 1
    assert "总是迟到。" in words(dialog)


def test_what_is_no_picture_has_no_face(qtbot):
    assert face_of(b"").isNull()
    assert face_of(b"\x89PNG\r\n\x1a\nnonsense").isNull()
    assert face_of(picture(3000, 3000)).width() == 80
