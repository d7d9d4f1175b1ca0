"""World books in the window: taken in like a chat, memory written out as one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QPushButton,
    QStyleOptionViewItem,
    QToolButton,
)

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.event import EventQuery
from engram_desktop.domain.tavern import TavernChoice
from engram_desktop.domain.worldbook import CharacterFilter, Position
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.book_list import BookList
from engram_desktop.viewmodels.entry_table import COLUMNS
from engram_desktop.viewmodels.undo_actions import UndoActions
from tests.gui.conftest import settle
from tests.tavern import make_tavern

BOOK = {"entries": {"0": {"uid": 0, "key": ["酒馆"], "comment": "酒馆", "content": "月光酒馆。"}}}


def write_book(folder: Path) -> Path:
    file = folder / "月光.json"
    file.write_text(json.dumps(BOOK), "utf-8")
    return file


def test_a_dropped_book_is_shown_and_stored_under_the_name_given(qtbot, desktop, memory, tmp_path):
    file = write_book(tmp_path)
    desktop.window.models.imports.look([file])
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.cards[0].name.setText("酒馆设定")
    dialog.import_button.click()
    settle(qtbot, desktop)
    assert [row.name for row in memory.books()] == ["酒馆设定"]
    desktop.window.models.imports.look([file])
    settle(qtbot, desktop)
    again = desktop.window.dialogs.shown[-1]
    assert again.cards[0].choice() is None
    assert not again.import_button.isEnabled()


def test_memory_is_exported_as_a_world_book(qtbot, desktop, memory, tmp_path):
    chat = memory.chats()[0].chat_id
    desktop.window.models.health.export(chat, tmp_path / "回忆", "worldbook")
    settle(qtbot, desktop)
    written = json.loads((tmp_path / "回忆.json").read_text("utf-8"))
    assert written["name"].startswith("[Engram] ")
    told = [e for e in written["entries"].values() if e["comment"].startswith("剧情摘要_")]
    assert len(told) == len(memory.find_events(chat, EventQuery()))


ENTRIES = {
    "0": {"uid": 0, "key": ["企鹅"], "comment": "企鹅", "content": "水族馆里的企鹅。", "order": 5},
    "1": {"uid": 1, "key": ["没有人提过"], "comment": "沉默", "content": "从不出现。"},
    "2": {"uid": 2, "key": [], "comment": "天气", "content": "下雨。", "constant": True},
}


@pytest.fixture
def page(qtbot, desktop, memory, tmp_path):
    """The page of world books with one book on it, held against the demo."""
    file = tmp_path / "设定.json"
    file.write_text(json.dumps({"entries": ENTRIES}), "utf-8")
    memory.import_file(NullContext(), file)
    memory.set_setting("lore.depth", 1000)
    desktop.window.show_page("books")
    settle(qtbot, desktop)
    return desktop.window.book_page


def column_of(page, name):
    model = page.view.model()
    return [model.index(n, COLUMNS.index(name)).data() for n in range(model.rowCount())]


def test_entries_are_listed_with_what_they_do_now_and_why(page):
    assert column_of(page, "title") == ["企鹅", "沉默", "天气"]
    assert column_of(page, "mode") == ["Triggered", "Triggered", "Constant"]
    now = column_of(page, "now")
    assert now[0].startswith("Fires: “企鹅” is mentioned in ")
    assert now[1].startswith("Silent: None of its keywords is in the last ")
    assert now[2] == "Fires: It is always on."


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


def test_selected_entries_change_together_and_undo_takes_it_back(qtbot, desktop, memory, page):
    page.view.selectAll()
    qtbot.mouseClick(page.mode_buttons["disabled"], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert column_of(page, "mode") == ["Disabled"] * 3
    assert desktop.window.undo_action.text() == "Undo: Edit 3 entries of “设定”"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert column_of(page, "mode") == ["Triggered", "Triggered", "Constant"]
    assert desktop.window.redo_action.isEnabled()
    page.view.selectAll()
    qtbot.keyClick(page.view, Qt.Key.Key_Delete)
    settle(qtbot, desktop)
    assert memory.books()[0].entries == 0
    steps = memory.history(memory.chats()[0].chat_id)
    qtbot.keyClick(page.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert memory.books()[0].entries == 3
    assert memory.history(memory.chats()[0].chat_id) == steps, "the chat is left alone"
    page.search.setText("天气")
    assert column_of(page, "title") == ["天气"]


def test_an_entry_is_edited_beside_the_list(qtbot, desktop, memory, page):
    panel = desktop.window.book_panel
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    assert panel.title.text() == "企鹅"
    panel.title.setText("企鹅馆")
    panel.content.setPlainText("新的内容。")
    page.view.setCurrentIndex(page.view.model().index(1, 0))
    settle(qtbot, desktop)
    book = memory.book(memory.books()[0].id)
    assert (book.entries[0].comment, book.entries[0].content) == ("企鹅馆", "新的内容。")
    assert book.entries[1].content == "从不出现。"
    assert panel.title.text() == "沉默"


def test_an_added_entry_is_shown_and_deleted_ones_are_gone(qtbot, desktop, memory, page):
    qtbot.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert desktop.window.book_panel.title.text() == "New entry"
    assert memory.books()[0].entries == 4
    page.view.selectAll()
    qtbot.mouseClick(page.delete_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.books()[0].entries == 0


def test_a_book_is_bound_to_every_chat_and_removed(qtbot, desktop, memory, page):
    page.everywhere.click()
    settle(qtbot, desktop)
    assert memory.books()[0].is_global
    assert "on in this chat" in page.shelf.item(1).text()
    assert page.here.isChecked()
    assert not page.here.isEnabled(), "it is on everywhere"
    page.everywhere.click()
    settle(qtbot, desktop)
    assert not page.here.isChecked()
    page.here.click()
    settle(qtbot, desktop)
    chat = memory.chats()[0].chat_id
    assert [row.id for row in memory.books_of_chat(chat)] == [memory.books()[0].id]
    page.here.click()
    settle(qtbot, desktop)
    assert memory.books_of_chat(chat) == []
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.books() == []


def undo_key(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def last_bar(desktop):
    return desktop.window.message_bar.bars[-1]


def test_a_deleted_book_comes_back_with_its_bindings(qtbot, desktop, memory, page):
    window, chat = desktop.window, desktop.workspace.chat_id
    page.here.click()
    settle(qtbot, desktop)
    (row,) = memory.books()
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert last_bar(desktop).notice.text == "The world book “设定” was deleted"
    undo_key(qtbot, window)
    settle(qtbot, desktop)
    assert last_bar(desktop).notice.text == "Undone: Delete the world book “设定”"
    assert [one.id for one in memory.books_of_chat(chat)] == [row.id]
    assert len(window.message_bar.bars) == 1, "what was said before is no longer so"
    assert column_of(page, "title") == ["企鹅", "沉默", "天气"], "it is shown again"
    assert page.here.isChecked()
    qtbot.mouseClick(last_bar(desktop).button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.books() == [], "the message's own button does it again"
    window.undo_action.trigger()
    settle(qtbot, desktop)
    qtbot.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    qtbot.mouseClick(last_bar(desktop).button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.books() == [row]


def give_name(qtbot, desktop, name):
    dialog = desktop.window.dialogs.shown[-1]
    dialog.name.setText(name)
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)
    desktop.window.activateWindow()  # a window manager does that
    qtbot.waitUntil(desktop.window.isActiveWindow)
    settle(qtbot, desktop)


def test_a_book_and_a_chat_are_renamed_and_that_is_taken_back(qtbot, desktop, memory, page):
    qtbot.keyClick(desktop.window, Qt.Key.Key_F2)
    give_name(qtbot, desktop, "世界观")
    assert page.shelf.item(1).text().startswith("世界观 · ")
    desktop.window.sidebar.rename_wanted.emit(desktop.window.models.chats.current)
    give_name(qtbot, desktop, "另一个名字")
    assert last_bar(desktop).notice.text == "The chat is called “另一个名字” now"
    for _ in range(2):
        undo_key(qtbot, desktop.window)
        settle(qtbot, desktop)
    assert memory.books()[0].name == "设定"
    assert desktop.window.models.chats.current.name == "月光酒馆"


def test_the_button_of_a_message_never_takes_back_something_else(qtbot, desktop, memory, page):
    book = memory.books()[0].id
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    qtbot.mouseClick(page.delete_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    button = last_bar(desktop).button
    page.everywhere.click()
    settle(qtbot, desktop)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.find_book(book).is_global
    shown = desktop.window.dialogs.shown[-1]
    assert shown.windowTitle() == "History of the library"
    told = [shown.list.item(n).text() for n in range(shown.list.count())]
    assert told[0].endswith("Switch “设定” on in every chat")
    assert told[1].endswith("Delete the entry “企鹅” of “设定”")
    for _ in range(2):
        qtbot.mouseClick(shown.undo_button, Qt.MouseButton.LeftButton)
        settle(qtbot, desktop)
    assert memory.find_book(book).entries == 3
    assert shown.list.item(0).text().endswith("(undone)")
    qtbot.mouseClick(shown.redo_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.find_book(book).entries == 2
    shown.close()


def test_every_page_takes_back_its_own(qtbot, desktop, memory, page):
    window, chat = desktop.window, desktop.workspace.chat_id
    first = list(memory.find_events(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.delete_events(ctx, chat, first))
    page.everywhere.click()
    settle(qtbot, desktop)
    window.show_page("events")
    assert window.undo_action.text() == "Undo: Delete 1 events"
    window.show_page("books")
    assert window.undo_action.text() == "Undo: Switch “设定” on in every chat"
    settle(qtbot, desktop)
    undo_key(qtbot, window)
    settle(qtbot, desktop)
    assert not memory.books()[0].is_global
    assert not memory.history(chat)[0].is_undone


def test_what_is_being_typed_is_saved_before_it_is_taken_back(qtbot, desktop, memory, page):
    panel = desktop.window.book_panel
    page.everywhere.click()
    settle(qtbot, desktop)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    panel.content.setFocus()
    assert panel.content.hasFocus()
    panel.content.setPlainText("写到一半")
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert panel.content.toPlainText() == "水族馆里的企鹅。"
    assert stored(memory)[0].content == "水族馆里的企鹅。"
    desktop.window.redo_action.trigger()
    settle(qtbot, desktop)
    assert panel.content.toPlainText() == stored(memory)[0].content == "写到一半"


@pytest.fixture
def own(qtbot, desktop):
    """The page on the chat's own book: with no other in the library, it is shown at once."""
    desktop.window.show_page("books")
    settle(qtbot, desktop)
    return desktop.window.book_page


def test_the_chats_own_book_is_listed_and_leads_to_its_events(qtbot, desktop, memory, own):
    chat = memory.chats()[0].chat_id
    assert own.shelf.item(0).text() == "[Engram] 爱丽丝 · made from this chat's memory"
    titles = column_of(own, "title")
    assert titles[0] == "<summary>"
    assert titles.index("</summary>") == len(memory.find_events(chat, EventQuery())) + 1
    assert "Engram System State" in titles
    assert column_of(own, "now")[0] == "Fires: It is always on."
    assert not own.add_button.isVisible()
    assert not own.remove_button.isVisible()
    wanted = []
    desktop.workspace.event_wanted.connect(wanted.append)
    own.view.setCurrentIndex(own.view.model().index(1, 0))
    panel = desktop.window.book_panel.read_only
    assert panel.content.toPlainText()
    qtbot.mouseClick(panel.event_button, Qt.MouseButton.LeftButton)
    assert wanted == [memory.find_events(chat, EventQuery())[0]]
    assert desktop.window.page == "events"


def test_the_chats_own_book_follows_its_memory_and_the_branch(qtbot, desktop, memory, own):
    chat = memory.chats()[0].chat_id
    count = own.view.model().rowCount()
    first = list(memory.find_events(chat, EventQuery()))[:1]
    desktop.workspace.change("", lambda ctx: memory.delete_events(ctx, chat, first))
    settle(qtbot, desktop)
    assert own.view.model().rowCount() < count
    branch, _changes = memory.fork(chat, at=5, name="另一条路")
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
    chat = memory.chats()[0].chat_id
    desktop.workspace.kept._pause.setInterval(1)
    file = tmp_path / "[Engram] 爱丽丝.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    qtbot.mouseClick(own.keep_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert "Kept in sync with [Engram] 爱丽丝.json" in kept_words(own)[0]
    before = file.read_bytes()
    first = list(memory.find_events(chat, EventQuery()))[:1]
    with qtbot.waitSignal(desktop.workspace.kept.synced, timeout=20_000):
        desktop.workspace.change("", lambda ctx: memory.delete_events(ctx, chat, first))
    settle(qtbot, desktop)
    ours = file.read_bytes()
    assert len(ours) < len(before)
    file.write_bytes(b"{}")
    desktop.workspace.kept._pause.setInterval(1)
    with qtbot.waitSignal(desktop.workspace.kept.synced, timeout=20_000):
        desktop.workspace.change("", lambda _ctx: memory.undo(chat))
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
    assert memory.kept_books() == []
    assert file.exists()


def button(widget, text):
    found = [b for b in widget.findChildren(QPushButton) if not b.isHidden()]
    return next(b for b in found if b.text() == text)


def test_a_kept_file_that_somebody_changed_offers_ways_out(
    qtbot, desktop, memory, own, tmp_path, monkeypatch
):
    file, other = tmp_path / "书.json", tmp_path / "书 2.json"
    memory.keep_book(NullContext(), memory.chats()[0].chat_id, file)
    ours = file.read_bytes()
    changed = json.loads(ours)
    changed["entries"].popitem()
    file.write_text(json.dumps(changed), "utf-8")
    desktop.workspace.hub.publish(Changes(chat_id=memory.chats()[0].chat_id, structure=True))
    own._books.memory.sync(file)
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
    assert memory.kept_books() == []
    (row,) = memory.books()
    assert (row.name, row.entries) == ("书 2", len(changed["entries"]))
    assert json.loads(other.read_text("utf-8")) == changed


def kept_words(page):
    return [m.text() for m in page.kept.findChildren(QLabel) if m.isVisibleTo(page)]


def test_the_chats_own_book_is_written_as_a_new_one(
    qtbot, desktop, memory, own, tmp_path, monkeypatch
):
    file = tmp_path / "x.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(file), ""))
    qtbot.mouseClick(own.new_book_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert json.loads(file.read_text("utf-8"))["name"] == "[Engram] 爱丽丝"
    assert memory.kept_books() == []


def stored(memory):
    return {entry.uid: entry for entry in memory.book(memory.books()[0].id).entries}


def test_every_field_is_there_and_a_touch_changes_only_it(qtbot, desktop, memory, page):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    form = desktop.window.book_panel.form
    before = stored(memory)
    fields = form._fields
    position = fields["position"]
    assert not fields["outlet_name"].isVisibleTo(form)
    position.setCurrentIndex(position.findData(Position.OUTLET))
    position.activated.emit(position.currentIndex())
    settle(qtbot, desktop)
    assert fields["outlet_name"].isVisibleTo(form)
    fields["outlet_name"].setText("海")
    fields["outlet_name"].submitted.emit()
    fields["automation_id"].setText("x")
    fields["automation_id"].submitted.emit()
    fields["delay_until_recursion"].setValue(2)
    fields["scan_depth"].setValue(7)
    settle(qtbot, desktop)
    form._matches["scenario"].click()
    form._triggers["swipe"].click()
    form._triggers["normal"].click()
    form.names.field.setText("爱丽丝")
    form.names.field.submitted.emit()
    settle(qtbot, desktop)
    form.tags.field.setText("t1")
    form.tags.field.submitted.emit()
    form.excludes.click()
    settle(qtbot, desktop)
    now = stored(memory)
    assert now[0] == replace(
        before[0],
        position=Position.OUTLET,
        outlet_name="海",
        automation_id="x",
        delay_until_recursion=2,
        scan_depth=7,
        matches=frozenset({"scenario"}),
        triggers=("normal", "swipe"),
        character_filter=CharacterFilter(("爱丽丝",), ("t1",), is_exclude=True),
    )
    assert (now[1], now[2]) == (before[1], before[2])
    fields["scan_depth"].setValue(-1)
    settle(qtbot, desktop)
    assert stored(memory)[0].scan_depth is None


def test_tags_are_shown_by_name_and_kept_by_id(qtbot, desktop, memory, page, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    tags = [{"id": "id-1", "name": "奇幻"}, {"id": "id-2", "name": "悬疑"}]
    (handle / "settings.json").write_text(json.dumps({"tags": tags}), "utf-8")
    choice = TavernChoice(frozenset())
    found = memory.tavern(NullContext(), tmp_path / "SillyTavern")
    memory.take_from_tavern(NullContext(), found, choice, lambda _: None, lambda *_: None)
    row = memory.books()[0]
    wanted = CharacterFilter((), ("id-2", "别的"))
    memory.change_entries(row.id, [0], {"character_filter": wanted})
    desktop.workspace.hub.publish(Changes(books=True))
    settle(qtbot, desktop)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    form = desktop.window.book_panel.form
    assert form.tags.words == ("悬疑", "别的")
    offered = form.tags.field.completer().model()
    assert [offered.index(n, 0).data() for n in range(offered.rowCount())] == ["奇幻", "悬疑"]
    form.tags.field.completer().activated.emit("奇幻")
    settle(qtbot, desktop)
    form.excludes.click()
    settle(qtbot, desktop)
    held = stored(memory)[0].character_filter
    assert held == CharacterFilter((), ("id-2", "别的", "id-1"), is_exclude=True)
    assert form.tags.words == ("悬疑", "别的", "奇幻")


def test_several_entries_are_edited_together_and_what_differs_is_blank(
    qtbot, desktop, memory, page
):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    page.view.selectAll()
    panel = desktop.window.book_panel
    form = panel.form
    order = form._fields["order"]
    assert not panel.title.isVisibleTo(panel)
    assert order.text() == ""
    assert form._fields["depth"].value() == 4
    assert panel.mode.currentIndex() == -1
    before = stored(memory)
    form._fields["probability"].setValue(60)
    settle(qtbot, desktop)
    order.setValue(100)
    settle(qtbot, desktop)
    form._fields["prevent_recursion"].click()
    settle(qtbot, desktop)
    form._matches["scenario"].click()
    settle(qtbot, desktop)
    assert stored(memory) == {
        uid: replace(
            entry,
            probability=60,
            order=100,
            prevent_recursion=True,
            matches=frozenset({"scenario"}),
        )
        for uid, entry in before.items()
    }
    assert order.text() == "100"
    for _ in range(4):
        desktop.window.undo_action.trigger()
        settle(qtbot, desktop)
    assert stored(memory) == before


def test_a_book_that_is_wanted_and_not_here_is_named(qtbot, desktop, memory, own):
    chat = memory.chats()[0].chat_id
    assert own._missing.isHidden()
    desktop.workspace.change(
        "", lambda _ctx: memory.set_setting("persona.book", "没有这本", chat_id=chat)
    )
    settle(qtbot, desktop)
    assert "没有这本" in own._missing.text()
    assert not own._missing.isHidden()


def test_a_long_memory_is_read_to_its_end_before_it_is_read_anew(qtbot, space):
    books = BookList(space, UndoActions(space, is_library=True))
    chat = space.chat_id
    submitted = []
    space.jobs.submitted.connect(submitted.append)
    books.set_active(True)
    space.jobs.run_pending()
    assert books.is_memory
    assert [job.lane for job in submitted] == ["interactive", "follow"]
    submitted.clear()
    books.read()
    for _ in range(3):
        space.hub.publish(Changes(chat_id=chat, structure=True))
        space.hub.publish(Changes(chat_id="another", messages=True))
    assert len(submitted) == 1
    assert not submitted[0].token.is_cancelled
    with qtbot.waitSignal(books._settle.timeout, timeout=20_000):
        space.jobs.run_pending()
    space.jobs.run_pending()
    assert len(submitted) == 2
    books.read()
    books.set_active(False)
    assert submitted[2].token.is_cancelled
    space.jobs.run_pending()
