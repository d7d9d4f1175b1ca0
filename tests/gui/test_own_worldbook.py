"""The worldbook a chat's memory makes, and the files it is kept in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QToolButton

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf
from engram_desktop.viewmodels.worldbooks.worldbook_list import WorldbookList
from engram_desktop.widgets.worldbooks.merge_dialog import MergeWorldbookDialog
from tests.gui.waiting import settle
from tests.gui.worldbooks import column_of, open_own_worldbook


@pytest.fixture
def own(qtbot, desktop):
    return open_own_worldbook(qtbot, desktop)


def test_the_chats_own_worldbook_is_listed_and_leads_to_its_events(qtbot, desktop, memory, own):
    chat = memory.chats.all()[0].chat_id
    assert own.shelf.item(0).text() == "[Engram] 爱丽丝 · made from this chat's memory"
    titles = column_of(own, "title")
    assert titles[0] == "<summary>"
    assert titles.index("</summary>") == len(memory.events.find(chat, EventQuery())) + 1
    assert "Engram System State" in titles
    assert column_of(own, "now")[0] == "Fires: It is always on."
    assert not own.add_button.isVisible()
    assert not own.remove_button.isVisible()
    wanted: list[str] = []
    desktop.workspace.event_wanted.connect(wanted.append)
    own.view.setCurrentIndex(own.view.model().index(1, 0))
    panel = desktop.window.stack.panel("books").read_only
    assert panel.content.toPlainText()
    qtbot.mouseClick(panel.event_button, Qt.MouseButton.LeftButton)
    assert wanted == [memory.events.find(chat, EventQuery())[0]]
    assert desktop.window.page == "events"


def test_the_chats_own_worldbook_follows_its_memory_and_the_branch(qtbot, desktop, memory, own):
    chat = memory.chats.all()[0].chat_id
    count = own.view.model().rowCount()
    first = list(memory.events.find(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    settle(qtbot, desktop)
    assert own.view.model().rowCount() < count
    branch, _changes = memory.branches.fork(Line.main(chat), at=5, name="另一条路")
    desktop.workspace.show_branch(branch)
    settle(qtbot, desktop)
    assert own.shelf.item(0).text().startswith("[Engram] 爱丽丝")
    assert sum(t.startswith("剧情摘要_") for t in column_of(own, "title")) <= 1
    desktop.workspace.show_chat("")
    settle(qtbot, desktop)
    assert own.shelf.count() == 0


def test_a_file_is_kept_in_sync_while_the_window_is_open(
    qtbot, desktop, memory, own, tmp_path, monkeypatch
):
    chat = memory.chats.all()[0].chat_id
    desktop.workspace.kept._pause.setInterval(1)
    file = tmp_path / "[Engram] 爱丽丝.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    qtbot.mouseClick(own.keep_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert "Kept in sync with [Engram] 爱丽丝.json" in kept_words(own)[0]
    before = file.read_bytes()
    first = list(memory.events.find(chat, EventQuery()))[:1]
    with qtbot.waitSignal(desktop.workspace.kept.synced, timeout=20_000):
        desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    settle(qtbot, desktop)
    ours = file.read_bytes()
    assert len(ours) < len(before)
    file.write_bytes(b"{}")
    desktop.workspace.kept._pause.setInterval(1)
    with qtbot.waitSignal(desktop.workspace.kept.synced, timeout=20_000):
        desktop.workspace.change("", lambda _ctx: memory.history.undo(chat))
    settle(qtbot, desktop)
    assert "is not in sync" in kept_words(own)[0]
    assert desktop.window.message_bar.bars
    file.unlink()
    qtbot.mouseClick(button(own.kept, "Sync now"), Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert file.read_bytes() == before
    qtbot.mouseClick(own.kept.findChild(QToolButton), Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert own.kept.isHidden()
    assert memory.kept.all() == []
    assert file.exists()


def button(widget, text):
    found = [b for b in widget.findChildren(QPushButton) if not b.isHidden()]
    return next(b for b in found if b.text() == text)


def marked(field):
    """Return what of a text is marked: underlined, for those who see no colours."""
    document = field.document()
    cursor, found = QTextCursor(document), ""
    for place in range(document.characterCount() - 1):
        cursor.setPosition(place + 1)
        if cursor.charFormat().fontUnderline():
            found += document.characterAt(place)
    return found


def test_what_somebody_changed_in_a_kept_file_is_merged_side_by_side(
    qtbot, desktop, memory, own, tmp_path
):
    chat = memory.chats.all()[0].chat_id
    first, second = list(memory.events.find(chat, EventQuery()))[:2]
    file = tmp_path / "书.json"
    memory.kept.keep(NullContext(), Line.main(chat), file)
    worldbook = json.loads(file.read_text("utf-8"))
    for pk in (first, second):
        worldbook["entries"][str(2 * pk + 1)]["content"] = f"<b>灯塔</b>{pk}。"
    file.write_text(json.dumps(worldbook), "utf-8")
    own._worldbooks.memory.sync(file)
    settle(qtbot, desktop)
    (bar,) = desktop.window.message_bar.bars
    assert "reload SillyTavern" in bar.notice.hint
    qtbot.mouseClick(button(own.kept, "Merge…"), Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, MergeWorldbookDialog)
    assert dialog.list.count() == 2
    assert f"<b>灯塔</b>{first}。" in dialog.there_text.toPlainText()
    was = memory.events.fetch(chat, [first])[first].summary
    assert was in dialog.here_text.toPlainText()
    assert marked(dialog.there_text).strip() == f"<b>灯塔</b>{first}。"  # the keys are alike
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    assert dialog.list.item(0).text().endswith("→ the memory's")
    qtbot.mouseClick(dialog.merge_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    found = memory.events.fetch(chat, [first, second])
    assert (found[first].summary, found[second].summary) == (was, f"<b>灯塔</b>{second}。")
    assert memory.kept.all()[0].fault == ""
    assert "Reload SillyTavern" in desktop.window.message_bar.bars[-1].notice.hint
    memory.history.undo(chat)
    assert memory.events.fetch(chat, [second])[second].summary != f"<b>灯塔</b>{second}。"


def test_a_kept_file_that_somebody_changed_offers_ways_out(
    qtbot, desktop, memory, own, tmp_path, monkeypatch
):
    file, other = tmp_path / "书.json", tmp_path / "书 2.json"
    memory.kept.keep(NullContext(), Line.main(memory.chats.all()[0].chat_id), file)
    ours = file.read_bytes()
    changed = json.loads(ours)
    changed["entries"].popitem()
    file.write_text(json.dumps(changed), "utf-8")
    desktop.workspace.hub.publish(Changes(chat_id=memory.chats.all()[0].chat_id, rows=True))
    own._worldbooks.memory.sync(file)
    settle(qtbot, desktop)
    qtbot.waitUntil(lambda: "Another program changed it" in "".join(kept_words(own)))
    asked = []

    def choose(*given, **_k):
        asked.append(Path(given[2]))
        return str(other), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    qtbot.mouseClick(button(own.kept, "Keep a new file…"), Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert asked == [other]
    qtbot.waitUntil(lambda: "Kept in sync with 书 2.json" in "".join(kept_words(own)))
    assert (other.read_bytes(), json.loads(file.read_text("utf-8"))) == (ours, changed)
    other.write_text(json.dumps(changed), "utf-8")
    qtbot.mouseClick(button(own.kept, "Sync now"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Another program changed it" in "".join(kept_words(own)))
    qtbot.mouseClick(button(own.kept, "Take its changes as a book"), Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert own.kept.isHidden()
    assert memory.kept.all() == []
    (row,) = memory.worldbooks.all()
    assert (row.name, row.entries) == ("书 2", len(changed["entries"]))
    assert json.loads(other.read_text("utf-8")) == changed


def kept_words(page):
    return [m.text() for m in page.kept.findChildren(QLabel) if m.isVisibleTo(page)]


def test_the_chats_own_worldbook_is_written_as_a_new_one(
    qtbot, desktop, memory, own, tmp_path, monkeypatch
):
    file = tmp_path / "x.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    qtbot.mouseClick(own.new_worldbook_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    entries = json.loads(file.read_text("utf-8"))["entries"]
    assert json.loads(file.read_text("utf-8"))["name"] == "[Engram] 爱丽丝"
    assert memory.kept.all() == []
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == f"World book of {len(entries)} entries written"


def test_a_worldbook_that_is_wanted_and_not_here_is_named(qtbot, desktop, memory, own):
    chat = memory.chats.all()[0].chat_id
    assert own._missing.isHidden()
    desktop.workspace.change(
        "", lambda _ctx: memory.settings.set("persona.book", "没有这本", chat_id=chat)
    )
    settle(qtbot, desktop)
    assert "没有这本" in own._missing.text()
    assert not own._missing.isHidden()


def test_a_long_memory_is_read_to_its_end_before_it_is_read_anew(qtbot, space):
    worldbooks = WorldbookList(space, UndoActions(space, is_library=True), MemoryShelf(space))
    chat = space.chat_id
    submitted: list[Any] = []
    space.jobs.submitted.connect(submitted.append)
    worldbooks.set_active(True)
    space.jobs.run_pending()
    assert worldbooks.is_memory
    assert [job.lane for job in submitted] == ["interactive", "follow"]
    submitted.clear()
    worldbooks.read()
    for _ in range(3):
        space.hub.publish(Changes(chat_id=chat, rows=True))
        space.hub.publish(Changes(chat_id="another", messages=True))
    assert len(submitted) == 1
    assert not submitted[0].token.is_cancelled
    space.jobs.run_pending()
    qtbot.waitUntil(lambda: len(submitted) == 2, timeout=20_000)
    space.jobs.run_pending()
    assert len(submitted) == 2
    worldbooks.read()
    worldbooks.set_active(False)
    assert submitted[2].token.is_cancelled
    space.jobs.run_pending()


def test_a_file_is_listed_the_moment_it_is_kept(qtbot, desktop, own, tmp_path, monkeypatch):
    file = tmp_path / "[Engram] 爱丽丝.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    qtbot.mouseClick(own.keep_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert kept_words(own)
