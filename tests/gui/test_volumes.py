"""Going on in a new chat, in the window: make a volume, let a chat read it, and take that back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.volume import (
    EVERYONE,
    Volume,
    VolumeEntity,
    VolumeEvent,
    VolumeFact,
)
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.chats.volumes_dialog import (
    MakeVolumeDialog,
    VolumesDialog,
    volume_text,
)
from engram_desktop.widgets.recall.recall_page import RecallPage
from tests.factories import import_chat
from tests.gui.waiting import click, open_page, settle, show_chat

CTX = NullContext()


@pytest.fixture
def second(memory, tmp_path):
    rows = [("旅人", "一年以后，我又推开了月光酒馆的门。"), ("爱丽丝", "你终于回来了。")]
    return import_chat(memory, tmp_path / "第二部.jsonl", rows)


@pytest.fixture
def first(memory):
    return memory.chats.find("月光酒馆")


@pytest.fixture(params=["zh_CN"])
def window(open_desktop, memory, second, first, request):
    desktop = open_desktop(memory, language=request.param)
    show_chat(desktop, first)
    return desktop


def opened(desktop, kind):
    settle(desktop)
    return next(d for d in desktop.window.dialogs.shown if isinstance(d, kind))


def press(desktop, button):
    assert button.isEnabled(), button.text()
    click(desktop, button)


def picture(dialog, name):
    """Keep a picture to be looked at, where a folder for pictures is named."""
    if folder := os.environ.get("ENGRAM_PICTURES"):
        dialog.grab().save(str(Path(folder) / f"{name}.png"))


def told(memory, chat):
    return memory.inject.compose(CTX, chat, RecallQuery("铜钥匙在哪里？")).text


def test_the_menu_of_a_chat_offers_both(window):
    sidebar = window.window.sidebar
    sidebar._open_menu(sidebar.list.visualRect(sidebar.list.model().index(0, 0)).center())
    menu = sidebar.findChildren(QMenu)[-1]
    texts = [action.text() for action in menu.actions()]
    assert {"制作记忆册…", "记忆册…"} <= set(texts)
    menu.close()


def test_from_a_finished_chat_to_a_second_one_that_remembers_it(window, memory, first, second):
    window.window.sidebar.make_volume_wanted.emit(first)
    making = opened(window, MakeVolumeDialog)
    assert making.title_field.text() == "月光酒馆"
    events = memory.events.counts(Line.main(first))
    assert str(events.total - events.outlines) in making.boxes["events"].text()
    assert not making.boxes["state"].isEnabled()  # this chat keeps none
    picture(making, "make")
    making.title_field.setText("月光酒馆·卷一")
    press(window, making.make_button)
    [volume] = memory.volumes.all()
    assert volume.title == "月光酒馆·卷一"
    window.window.sidebar.volumes_wanted.emit(second)
    dialog = opened(window, VolumesDialog)
    assert dialog.tree.topLevelItemCount() == 1
    assert dialog.chat_box.currentData() == second
    assert "前情" not in told(memory, second)
    press(window, dialog.attach_button)
    assert dialog.tree.topLevelItem(0).text(2) == "第二部"
    assert f"事件 {events.total - events.outlines}" in dialog.held.text()
    picture(dialog, "volumes")
    read = dialog.told.toPlainText()
    assert read.startswith("前情提要") or "事件 · " in read
    assert "知道）" in read  # each line says who knows it
    assert "前情（本聊天之前的故事）《月光酒馆·卷一》" in told(memory, second)
    assert not dialog.attach_button.isEnabled()
    window.window.models.library_undo.undo()
    settle(window)
    assert dialog.tree.topLevelItem(0).text(2) == ""
    assert "前情" not in told(memory, second)
    press(window, dialog.attach_button)
    press(window, dialog.detach_button)
    assert memory.volumes.of_chat(second) == []
    dialog.chat_box.setCurrentIndex(dialog.chat_box.findData(first))
    assert not dialog.attach_button.isEnabled()
    assert "它就是用这个聊天做的" in dialog.held.text()


def test_one_is_made_where_they_are_listed(qtbot, window, memory, first):
    window.window.sidebar.volumes_wanted.emit(first)
    dialog = opened(window, VolumesDialog)
    assert not dialog.told.isVisible()
    press(window, dialog.make_button)
    making = opened(window, MakeVolumeDialog)
    press(window, making.make_button)
    qtbot.waitUntil(lambda: dialog.told.toPlainText() != "")
    assert dialog.told.isReadOnly()
    volume = memory.volumes.read(memory.volumes.all()[0].id)
    for summary in (e.summary for e in volume.events):
        assert summary in dialog.told.toPlainText()


def test_what_a_volume_tells_is_cut_and_says_so():
    events = tuple(VolumeEvent(str(n), f"第{n}件事。", (EVERYONE,), n, n) for n in range(500))
    people = (VolumeEntity("a", "林晓", "char", (), ("小林",), "船医"),)
    promise = (VolumeFact("thread", "林晓: 我会回来。", ("林晓", "季遥")),)
    text = volume_text(Volume("v", "卷", "聊天", 0, (), events, people, promise))
    lines = text.splitlines()
    assert lines[0] == "Events · 500"
    assert lines[400:402] == ["· 第399件事。", "… and 100 more"]
    assert "· 林晓, 小林: 船医 (nobody knows all of it)" in lines
    assert lines[-1] == "· 林晓: 我会回来。 (known to 林晓, 季遥)"


def test_a_file_goes_out_and_comes_in_and_a_deleted_one_is_said(
    qtbot, window, memory, first, second, tmp_path, monkeypatch
):
    info, _changes = memory.volumes.make(CTX, Line.main(first), "卷一")
    memory.volumes.attach(CTX, info.id, second)
    window.window.dialogs.volumes.open_volumes(second)
    dialog = opened(window, VolumesDialog)
    target = tmp_path / "卷.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    press(window, dialog.export_button)
    assert target.exists()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(target), ""))
    press(window, dialog.import_button)
    assert len(memory.volumes.all()) == 1  # it is here already
    press(window, dialog.update_button)
    assert memory.volumes.find(info.id).users == (second,)
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    [question] = dialog.findChildren(QMessageBox)
    assert "第二部" in question.informativeText()
    click(window, next(b for b in question.buttons() if b.text() == "删除"))
    assert dialog.tree.topLevelItem(0).text(1) == "已删除"
    assert not dialog.export_button.isEnabled()
    press(window, dialog.detach_button)
    assert dialog.tree.topLevelItemCount() == 0


def test_what_a_volume_tells_is_named_on_the_page_of_recall(window, memory, first, second):
    info, _changes = memory.volumes.make(CTX, Line.main(first), "卷一")
    memory.volumes.attach(CTX, info.id, second)
    window.workspace.show_chat(second)
    open_page(window, "recall")
    recall = window.window.models.recall
    recall.ask("铜钥匙在哪里？", top_k=5, kinds=("turn", "event", "entity", "log"), budget=None)
    settle(window)
    page = window.window.findChild(RecallPage)
    cards = [card for card in page.cards if card.hit.item.volume == "卷一"]
    assert cards
    assert not cards[0].mute_button.isVisible()
    picture(window.window, "recall")
    cards[0].opened.emit()  # it lies in no page of this chat
    settle(window)


def test_a_volume_that_is_dropped_on_the_window_is_offered(open_desktop, memory, first, tmp_path):
    info, _changes = memory.volumes.make(CTX, Line.main(first), "第一部")
    file = tmp_path / "第一部.json"
    memory.volumes.export(CTX, info.id, file)
    memory.volumes.delete(CTX, info.id)
    desktop = open_desktop(memory)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    desktop.window.dropEvent(
        QDropEvent(
            QPointF(300, 300),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier(0),
        )
    )
    settle(desktop)
    assert not desktop.window.dialogs.shown, "it is no chat to be imported"
    _at, notice = desktop.workspace.messages.past[-1]
    assert "第一部.json" in notice.text
    assert not memory.volumes.all(), "only offered"
    notice.action()
    settle(desktop)
    assert [volume.title for volume in memory.volumes.all()] == ["第一部"]


def test_only_what_begins_as_a_volume_is_one(memory, tmp_path):
    for name, text, is_one in (
        ("a", '{ "format" : "engram-volume", "version": 1}', True),
        ("b", '\ufeff{"format":"engram-volume"}', True),
        ("c", '{"name": "engram-volume"}', False),
        ("d", "", False),
    ):
        file = tmp_path / name
        file.write_text(text, "utf-8")
        assert memory.volumes.is_volume(file) is is_one, name
    assert not memory.volumes.is_volume(tmp_path)
