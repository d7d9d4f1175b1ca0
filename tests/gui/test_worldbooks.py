"""Worldbooks: entries and undo."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QStyleOptionViewItem, QToolButton

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.viewmodels.worldbooks.entry_table import COLUMNS
from engram_desktop.viewmodels.worldbooks.memory_shelf import MemoryShelf
from engram_desktop.viewmodels.worldbooks.worldbook_list import (
    MEMORY,
    SETTLE_MS,
    WorldbookList,
    read_page,
)
from engram_desktop.widgets.worldbooks.entry_view import LEAST_TEXT
from engram_desktop.widgets.worldbooks.merge_dialog import MergeWorldbookDialog
from tests.gui.waiting import click, press_key, resize, settle, show_chat, trigger, undo
from tests.gui.worldbooks import (
    column_of,
    last_bar,
    open_entries,
    open_own_worldbook,
    stored,
    undo_key,
)

# Worldbooks in the window: taken in like a chat, listed with what each entry does, changed.

WORLDBOOK = {
    "entries": {"0": {"uid": 0, "key": ["酒馆"], "comment": "酒馆", "content": "月光酒馆。"}}
}


def write_worldbook(folder: Path) -> Path:
    file = folder / "月光.json"
    file.write_text(json.dumps(WORLDBOOK), "utf-8")
    return file


def test_a_dropped_worldbook_is_shown_and_stored_under_the_name_given(desktop, memory, tmp_path):
    file = write_worldbook(tmp_path)
    desktop.window.models.imports.look([file])
    settle(desktop)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.cards[0].name.setText("酒馆设定")
    click(desktop, dialog.import_button)
    assert [row.name for row in memory.worldbooks.all()] == ["酒馆设定"]
    desktop.window.models.imports.look([file])
    settle(desktop)
    again = desktop.window.dialogs.shown[-1]
    assert again.cards[0].choice() is None
    assert not again.import_button.isEnabled()


def test_memory_is_exported_as_a_worldbook(desktop, memory, tmp_path):
    chat = memory.chats.all()[0].chat_id
    desktop.window.models.exports.export(chat, tmp_path / "回忆", "worldbook", ())
    settle(desktop)
    written = json.loads((tmp_path / "回忆.json").read_text("utf-8"))
    assert written["name"].startswith("[Engram] ")
    told = [e for e in written["entries"].values() if e["comment"].startswith("剧情摘要_")]
    assert len(told) == len(memory.events.find(chat, EventQuery()))


@pytest.fixture
def page(desktop, memory, tmp_path):
    return open_entries(desktop, memory, tmp_path)


def test_entries_are_listed_with_what_they_do_now_and_why(page):
    assert column_of(page, "title") == ["企鹅", "沉默", "天气"]
    assert column_of(page, "mode") == ["Triggered", "Triggered", "Constant"]
    now = column_of(page, "now")
    assert now[0].startswith("Fires: “企鹅” is mentioned in ")
    assert now[1].startswith("Silent: None of its keywords is in the last ")
    assert now[2] == "Fires: It is always on."


@pytest.mark.parametrize("language", ["zh_CN", "ja", "en"])
def test_in_the_smallest_window_columns_that_the_panel_tells_give_way_to_the_others(
    open_desktop, memory, language
):
    desktop = open_desktop(memory, language=language)
    desktop.window.resize(900, 600)
    view = open_own_worldbook(desktop).view
    header = view.header()
    shown = {name for n, name in enumerate(COLUMNS) if not header.isSectionHidden(n)}
    assert shown >= {"title", "mode", "now"}
    assert view.horizontalScrollBar().maximum() == 0
    resize(desktop, 1366, 768)
    assert not any(header.isSectionHidden(number) for number in range(header.count()))
    assert header.sectionSize(COLUMNS.index("order")) > 0


@pytest.mark.parametrize("language", ["zh_CN", "ja", "en"])
@pytest.mark.parametrize("width", [1280, 1366])
def test_no_column_is_out_of_sight_in_a_window_of_the_usual_size(
    open_desktop, memory, language, width
):
    desktop = open_desktop(memory, language=language)
    desktop.window.resize(width, 768)
    view = open_own_worldbook(desktop).view
    header = view.header()
    assert desktop.window.panel.isVisible()
    assert not view.horizontalScrollBar().isVisible()
    for number in range(header.count()):
        assert header.sectionSize(number) >= min(header.sectionSizeHint(number), LEAST_TEXT)
    # a column that is made wider by hand stays so wide where there is room again
    header.resizeSection(0, 190)
    assert header.sectionSize(0) == 190
    resize(desktop, 1920, 900)
    assert header.sectionSize(0) == 190
    assert not view.horizontalScrollBar().isVisible()


def test_a_name_that_is_cut_stands_in_its_tooltip(page):
    index = page.view.model().index(0, COLUMNS.index("title"))
    assert index.data(Qt.ItemDataRole.ToolTipRole) == index.data()
    option = QStyleOptionViewItem()
    page.view.itemDelegateForColumn(0).initStyleOption(option, index)
    assert option.textElideMode == Qt.TextElideMode.ElideMiddle  # 剧情摘要_0-3 and 剧情摘要_4-8


def test_every_mode_has_its_lamp(desktop, page):
    column = COLUMNS.index("mode")
    drawn = {}
    for row, mode in ((0, "selective"), (2, "constant")):
        option = QStyleOptionViewItem()
        page.view.itemDelegateForColumn(column).initStyleOption(
            option, page.view.model().index(row, column)
        )
        drawn[mode] = option.icon.pixmap(18, 18).toImage().pixelColor(9, 9).name()
    roles = desktop.look.theme.roles
    assert drawn == {
        "selective": roles["green"].lower(),
        "constant": roles["accent"].lower(),
    }


def test_selected_entries_change_together_and_undo_takes_it_back(desktop, memory, page):
    page.view.selectAll()
    click(desktop, page.mode_buttons["disabled"])
    assert column_of(page, "mode") == ["Disabled"] * 3
    assert desktop.window.undo_action.text() == "Undo: Edit 3 entries of “设定”"
    undo(desktop)
    assert column_of(page, "mode") == ["Triggered", "Triggered", "Constant"]
    assert desktop.window.redo_action.isEnabled()
    page.view.selectAll()
    press_key(desktop, page.view, Qt.Key.Key_Delete)
    assert memory.worldbooks.all()[0].entries == 0
    steps = memory.history.steps(memory.chats.all()[0].chat_id)
    press_key(desktop, page.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert memory.worldbooks.all()[0].entries == 3
    assert memory.history.steps(memory.chats.all()[0].chat_id) == steps, "the chat is left alone"
    page.search.setText("天气")
    assert column_of(page, "title") == ["天气"]


def test_an_entry_is_edited_beside_the_list(desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    assert panel.title.text() == "企鹅"
    panel.title.setText("企鹅馆")
    panel.content.setPlainText("新的内容。")
    page.view.setCurrentIndex(page.view.model().index(1, 0))
    settle(desktop)
    worldbook = memory.worldbooks.read(memory.worldbooks.all()[0].id)
    assert (worldbook.entries[0].comment, worldbook.entries[0].content) == ("企鹅馆", "新的内容。")
    assert worldbook.entries[1].content == "从不出现。"
    assert panel.title.text() == "沉默"


def test_macros_that_mean_nothing_are_marked(qtbot, desktop, page):
    panel = desktop.window.stack.panel("books")
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    assert panel.unknown.isHidden()
    panel.content.setPlainText("{{char}} 在 {{weather}}，{{.x = 1}}{{getvar::x}}。{{时间}}")
    panel.content.left.emit()
    settle(desktop)
    page.view.setCurrentIndex(page.view.model().index(1, 0))
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    qtbot.waitUntil(lambda: not panel.unknown.isHidden(), timeout=5000)
    assert "{{weather}}" in panel.unknown.text()
    assert "getvar" not in panel.unknown.text()
    assert "{{char}}" not in panel.unknown.text()


def test_an_added_entry_is_shown_and_deleted_ones_are_gone(desktop, memory, page):
    click(desktop, page.add_button)
    assert desktop.window.stack.panel("books").title.text() == "New entry"
    assert memory.worldbooks.all()[0].entries == 4
    page.view.selectAll()
    click(desktop, page.delete_button)
    assert memory.worldbooks.all()[0].entries == 0


def test_a_worldbook_is_bound_to_every_chat_and_removed(desktop, memory, page):
    click(desktop, page.everywhere)
    assert memory.worldbooks.all()[0].is_global
    assert "on in this chat" in page.shelf.item(1).text()
    assert page.here.isChecked()
    assert not page.here.isEnabled(), "it is on everywhere"
    click(desktop, page.everywhere)
    assert not page.here.isChecked()
    click(desktop, page.here)
    chat = memory.chats.all()[0].chat_id
    assert [row.id for row in memory.worldbooks.of_chat(Line.main(chat))] == [
        memory.worldbooks.all()[0].id
    ]
    click(desktop, page.here)
    assert memory.worldbooks.of_chat(Line.main(chat)) == []
    click(desktop, page.remove_button)
    assert memory.worldbooks.all() == []


def test_enter_in_the_title_saves_it(desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    panel.title.setText("企鹅馆")
    panel.title.submitted.emit()
    settle(desktop)
    assert memory.worldbooks.read(memory.worldbooks.all()[0].id).entries[0].comment == "企鹅馆"


# What is done to worldbooks is taken back: by the page it was done on, and only that.


def test_a_deleted_worldbook_comes_back_with_its_bindings(qtbot, desktop, memory, page):
    window, chat = desktop.window, desktop.workspace.chat_id
    click(desktop, page.here)
    (row,) = memory.worldbooks.all()
    click(desktop, page.remove_button)
    assert last_bar(desktop).notice.text == "The world book “设定” was deleted"
    undo_key(qtbot, window)
    settle(desktop)
    assert last_bar(desktop).notice.text == "Undone: Delete the world book “设定”"
    assert [one.id for one in memory.worldbooks.of_chat(Line.main(chat))] == [row.id]
    assert len(window.message_bar.bars) == 1, "what was said before is no longer so"
    assert column_of(page, "title") == ["企鹅", "沉默", "天气"], "it is shown again"
    assert page.here.isChecked()
    click(desktop, last_bar(desktop).button)
    assert memory.worldbooks.all() == [], "the message's own button does it again"
    undo(desktop)
    click(desktop, page.remove_button)
    click(desktop, last_bar(desktop).button)
    assert memory.worldbooks.all() == [row]


def give_name(qtbot, desktop, name):
    dialog = desktop.window.dialogs.shown[-1]
    dialog.name.setText(name)
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    desktop.window.activateWindow()  # a window manager does that
    qtbot.waitUntil(desktop.window.isActiveWindow)
    settle(desktop)


def test_a_worldbook_and_a_chat_are_renamed_and_that_is_taken_back(qtbot, desktop, memory, page):
    page.shelf.setFocus()
    qtbot.keyClick(desktop.window, Qt.Key.Key_F2)
    give_name(qtbot, desktop, "世界观")
    assert page.shelf.item(1).text().startswith("世界观 · ")
    desktop.window.sidebar.rename_wanted.emit(desktop.window.models.chats.current)
    give_name(qtbot, desktop, "另一个名字")
    assert last_bar(desktop).notice.text == "The chat is called “另一个名字” now"
    for _ in range(2):
        undo_key(qtbot, desktop.window)
        settle(desktop)
    assert memory.worldbooks.all()[0].name == "设定"
    assert desktop.window.models.chats.current.name == "月光酒馆"


def test_the_button_of_a_message_never_takes_back_something_else(desktop, memory, page):
    worldbook = memory.worldbooks.all()[0].id
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    click(desktop, page.delete_button)
    button = last_bar(desktop).button
    click(desktop, page.everywhere)
    click(desktop, button)
    assert memory.worldbooks.find(worldbook).is_global
    shown = desktop.window.dialogs.shown[-1]
    assert shown.windowTitle() == "History of the library"
    told = [shown.list.item(n).text() for n in range(shown.list.count())]
    assert told[0].endswith("Switch “设定” on in every chat")
    assert told[1].endswith("Delete the entry “企鹅” of “设定”")
    for _ in range(2):
        click(desktop, shown.undo_button)
    assert memory.worldbooks.find(worldbook).entries == 3
    assert shown.list.item(0).text().endswith("(undone)")
    click(desktop, shown.redo_button)
    assert memory.worldbooks.find(worldbook).entries == 2
    shown.close()


def test_every_page_takes_back_its_own(qtbot, desktop, memory, page):
    window, chat = desktop.window, desktop.workspace.chat_id
    first = list(memory.events.find(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    click(desktop, page.everywhere)
    window.show_page("events")
    assert window.undo_action.text() == "Undo: Delete 1 event"
    window.show_page("books")
    assert window.undo_action.text() == "Undo: Switch “设定” on in every chat"
    settle(desktop)
    undo_key(qtbot, window)
    settle(desktop)
    assert not memory.worldbooks.all()[0].is_global
    assert not memory.history.steps(chat)[0].is_undone


def test_what_is_being_typed_is_saved_before_it_is_taken_back(desktop, memory, page):
    panel = desktop.window.stack.panel("books")
    click(desktop, page.everywhere)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    panel.content.setFocus()
    assert panel.content.hasFocus()
    panel.content.setPlainText("写到一半")
    undo(desktop)
    assert panel.content.toPlainText() == "水族馆里的企鹅。"
    assert stored(memory)[0].content == "水族馆里的企鹅。"
    trigger(desktop, desktop.window.redo_action)
    assert panel.content.toPlainText() == stored(memory)[0].content == "写到一半"


# The worldbook a chat's memory makes, and the files it is kept in.


@pytest.fixture
def own(desktop):
    return open_own_worldbook(desktop)


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


def test_the_chats_own_worldbook_follows_its_memory_and_the_branch(desktop, memory, own):
    chat = memory.chats.all()[0].chat_id
    count = own.view.model().rowCount()
    first = list(memory.events.find(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    settle(desktop)
    assert own.view.model().rowCount() < count
    branch, _changes = memory.branches.fork(Line.main(chat), at=5, name="另一条路")
    desktop.workspace.show_branch(branch)
    settle(desktop)
    assert own.shelf.item(0).text().startswith("[Engram] 爱丽丝")
    assert sum(t.startswith("剧情摘要_") for t in column_of(own, "title")) <= 1
    show_chat(desktop, "")
    assert own.shelf.count() == 0


def test_a_long_worldbook_of_the_memory_is_made_again_after_as_long_a_quiet(desktop, memory, own):
    shown = desktop.window.models.worldbooks
    assert shown._query.settle_ms == SETTLE_MS
    line, arrangement = desktop.workspace.line, shown.entries.arrangement
    reading = read_page(NullContext(), memory, line, MEMORY, arrangement)
    shown._show(replace(reading, took_ms=4_000))
    assert shown._query.settle_ms == 4_000
    chat = memory.chats.all()[0].chat_id
    first = list(memory.events.find(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    settle(desktop)
    assert not shown._query.is_settled
    shown.read()
    settle(desktop)
    assert shown._query.is_settled


def test_a_file_is_kept_in_sync_while_the_window_is_open(
    qtbot, desktop, memory, own, tmp_path, monkeypatch
):
    chat = memory.chats.all()[0].chat_id
    desktop.workspace.kept._pause.setInterval(1)
    file = tmp_path / "[Engram] 爱丽丝.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    click(desktop, own.keep_button)
    assert "Kept in sync with [Engram] 爱丽丝.json" in kept_words(own)[0]
    before = file.read_bytes()
    first = list(memory.events.find(chat, EventQuery()))[:1]
    with qtbot.waitSignal(desktop.workspace.kept.synced, timeout=20_000):
        desktop.workspace.change("", lambda ctx: memory.events.delete(ctx, chat, first))
    settle(desktop)
    ours = file.read_bytes()
    assert len(ours) < len(before)
    file.write_bytes(b"{}")
    desktop.workspace.kept._pause.setInterval(1)
    with qtbot.waitSignal(desktop.workspace.kept.synced, timeout=20_000):
        desktop.workspace.change("", lambda _ctx: memory.history.undo(chat))
    settle(desktop)
    assert "is not in sync" in kept_words(own)[0]
    assert desktop.window.message_bar.bars
    file.unlink()
    click(desktop, button(own.kept, "Sync now"))
    assert file.read_bytes() == before
    qtbot.mouseClick(own.kept.findChild(QToolButton), Qt.MouseButton.LeftButton)
    settle(desktop)
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
    settle(desktop)
    (bar,) = desktop.window.message_bar.bars
    assert "reload SillyTavern" in bar.notice.hint
    click(desktop, button(own.kept, "Merge…"))
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, MergeWorldbookDialog)
    assert dialog.list.count() == 2
    assert f"<b>灯塔</b>{first}。" in dialog.there_text.toPlainText()
    was = memory.events.fetch(chat, [first])[first].summary
    assert was in dialog.here_text.toPlainText()
    assert marked(dialog.there_text).strip() == f"<b>灯塔</b>{first}。"  # the keys are alike
    qtbot.mouseClick(dialog.here_button, Qt.MouseButton.LeftButton)
    assert dialog.list.item(0).text().endswith("→ the memory's")
    click(desktop, dialog.merge_button)
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
    settle(desktop)
    qtbot.waitUntil(lambda: "Another program changed it" in "".join(kept_words(own)))
    asked = []

    def choose(*given, **_k):
        asked.append(Path(given[2]))
        return str(other), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    click(desktop, button(own.kept, "Keep a new file…"))
    assert asked == [other]
    qtbot.waitUntil(lambda: "Kept in sync with 书 2.json" in "".join(kept_words(own)))
    assert (other.read_bytes(), json.loads(file.read_text("utf-8"))) == (ours, changed)
    other.write_text(json.dumps(changed), "utf-8")
    qtbot.mouseClick(button(own.kept, "Sync now"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Another program changed it" in "".join(kept_words(own)))
    click(desktop, button(own.kept, "Take its changes as a book"))
    assert own.kept.isHidden()
    assert memory.kept.all() == []
    (row,) = memory.worldbooks.all()
    assert (row.name, row.entries) == ("书 2", len(changed["entries"]))
    assert json.loads(other.read_text("utf-8")) == changed


def kept_words(page):
    return [m.text() for m in page.kept.findChildren(QLabel) if m.isVisibleTo(page)]


def test_the_chats_own_worldbook_is_written_as_a_new_one(
    desktop, memory, own, tmp_path, monkeypatch
):
    file = tmp_path / "x.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    click(desktop, own.new_worldbook_button)
    entries = json.loads(file.read_text("utf-8"))["entries"]
    assert json.loads(file.read_text("utf-8"))["name"] == "[Engram] 爱丽丝"
    assert memory.kept.all() == []
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == f"World book of {len(entries)} entries written"


def test_a_worldbook_that_is_wanted_and_not_here_is_named(desktop, memory, own):
    chat = memory.chats.all()[0].chat_id
    assert own._missing.isHidden()
    desktop.workspace.change(
        "", lambda _ctx: memory.settings.set("persona.book", "没有这本", chat_id=chat)
    )
    settle(desktop)
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


def test_a_file_is_listed_the_moment_it_is_kept(desktop, own, tmp_path, monkeypatch):
    file = tmp_path / "[Engram] 爱丽丝.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    click(desktop, own.keep_button)
    assert kept_words(own)
