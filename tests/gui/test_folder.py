"""The dialog of a Markdown folder, and the folder kept in step while the window is open."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog

from engram_desktop.domain.memory.event import EventPatch
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.chats.folder_dialog import FolderDialog
from tests.gui.places import open_dialog_as
from tests.gui.waiting import click, run_out, settle, undo


@pytest.fixture
def dialog(qtbot, desktop):
    return open_dialog_as(qtbot, desktop, "folder", FolderDialog)


@pytest.fixture
def folder(desktop, dialog, tmp_path, monkeypatch):
    """The chat kept in a folder that was chosen in the dialog."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "笔记"))
    click(desktop, dialog.choose_button)
    assert (tmp_path / "笔记" / "events").is_dir()
    return tmp_path / "笔记"


def look(desktop):
    """Let the seconds pass after which the window looks at the folder."""
    run_out(desktop.workspace.folders._looks)
    settle(desktop)
    run_out(desktop.workspace.folders._pause)
    settle(desktop)


def one_event(desktop):
    return desktop.window.models.events.model.row_at(0)


def file_of(folder, event):
    (file,) = [f for f in folder.rglob("*.md") if f"id: {event.id}" in f.read_text("utf-8")]
    return file


def texts(dialog):
    return [dialog.list.item(n).text() for n in range(dialog.list.count())]


def test_a_chat_is_kept_from_its_dialog_and_let_go(desktop, dialog, folder, memory):
    assert str(folder) in dialog.place.text()
    assert not dialog.choose_button.isVisible()
    assert texts(dialog) == []
    click(desktop, dialog.stop_button)
    assert memory.care.folders.all() == []
    assert dialog.choose_button.isVisible()
    assert any(folder.rglob("*.md"))


def test_what_is_changed_here_or_there_is_seen_on_the_other_side(desktop, folder, memory):
    look(desktop)
    event = one_event(desktop)
    file = file_of(folder, event)
    file.write_text(file.read_text("utf-8").replace(event.summary, "在文件里改的。"), "utf-8")
    look(desktop)
    assert memory.events.find_one(desktop.workspace.chat_id, event.id).summary == "在文件里改的。"
    assert one_event(desktop).summary == "在文件里改的。", "the list is read again"
    undo(desktop)
    look(desktop)
    assert event.summary in file.read_text("utf-8")


@pytest.mark.parametrize(("button", "stands"), [("here_button", "甲。"), ("there_button", "乙。")])
def test_a_conflict_is_shown_and_decided(desktop, dialog, folder, memory, button, stands):
    look(desktop)
    event, chat = one_event(desktop), desktop.workspace.chat_id
    file = file_of(folder, event)
    memory.events.update(chat, event.pk, EventPatch(summary="甲。"))
    file.write_text(file.read_text("utf-8").replace(event.summary, "乙。"), "utf-8")
    posted: list[Notice] = []
    desktop.workspace.messages.posted.connect(posted.append)
    look(desktop)
    (text,) = texts(dialog)
    assert file.name in text
    assert "choose" in text
    assert dialog.sides.text() == "Here: 甲。\nFile: 乙。"
    assert any("wait" in notice.text for notice in posted)
    click(desktop, getattr(dialog, button))
    assert texts(dialog) == []
    assert stands in file.read_text("utf-8")
    assert memory.events.find_one(chat, event.id).summary == stands


def test_a_file_that_is_none_is_named_and_nothing_can_be_chosen(desktop, dialog, folder):
    (folder / "坏.md").write_text("---\ntags: [\n---\n词", "utf-8")
    click(desktop, dialog.look_button)
    (text,) = texts(dialog)
    assert text.startswith("坏.md: ")
    assert not dialog.here_button.isVisible()
    assert not dialog.delete_button.isVisible()


def test_many_files_that_are_gone_wait_for_a_word(desktop, dialog, folder, memory):
    for file in (folder / "events").iterdir():
        file.unlink()
    click(desktop, dialog.look_button)
    count = memory.events.counts(desktop.workspace.line).total
    assert count > 0
    assert len(texts(dialog)) == 1
    click(desktop, dialog.delete_button)
    assert memory.events.counts(desktop.workspace.line).total == 0
