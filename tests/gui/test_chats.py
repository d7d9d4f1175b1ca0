"""The chats of a library: branches, copies, clashes of names, the bin."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QRadioButton

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.chats.branches_dialog import TrashDialog
from tests.factories import import_chat, story_rows, write_chat
from tests.gui.waiting import click, settle, undo
from tests.gui.worldbooks import ENTRIES, open_entries
from tests.tavern import TavernChatFile, make_tavern

# Branches through the user's door: forked, shown, compared, rolled back, deleted.


@pytest.fixture
def chat(desktop):
    return desktop.workspace.chat_id


@pytest.fixture
def dialog(desktop):
    desktop.window.top.branches_wanted.emit()
    settle(desktop)
    return desktop.window.dialogs.shown[-1]


def choose(dialog, *names):
    dialog.tree.clearSelection()
    for name in names:
        (item,) = dialog.tree.findItems(name, Qt.MatchFlag.MatchRecursive)
        item.setSelected(True)


def fork(desktop, dialog, name, at):
    dialog.floor.setValue(at)
    dialog.name.setText(name)
    click(desktop, dialog.fork_button)


def test_a_fork_is_shown_at_once_with_its_own_events_and_floors(desktop, dialog, memory, chat):
    window = desktop.window
    all_events = window.event_page.view.model().rowCount()
    fork(desktop, dialog, "另一条路", 40)
    (branch,) = [b for b in memory.branches.all(chat) if b.name == "另一条路"]
    assert desktop.workspace.branch_id == branch.id
    assert window.top.branch_button.text() == "另一条路"
    assert window.event_page.view.model().rowCount() == branch.events < all_events
    assert window.models.status.floors == branch.messages == 41
    window.models.branches.show("main")
    settle(desktop)
    assert window.event_page.view.model().rowCount() == all_events


def test_what_is_written_on_a_branch_stays_there(desktop, dialog, memory, chat):
    fork(desktop, dialog, "另一条路", 40)
    page = desktop.window.event_page
    page.tools.add_button.click()
    add = desktop.window.dialogs.shown[-1]
    add.text.setPlainText("只有这条线知道。")
    click(desktop, add.save_button)
    shown = page.view.model().rowCount()
    desktop.window.models.branches.show("main")
    settle(desktop)
    summaries = [e.summary for e in memory.session.chat(chat).events.visible()]
    assert "只有这条线知道。" not in summaries
    branch = desktop.window.models.branches.rows[-1]
    assert branch.events == shown


def test_undoing_a_fork_goes_back_to_the_main_line(desktop, dialog, memory, chat):
    fork(desktop, dialog, "另一条路", 40)
    undo(desktop)
    assert desktop.workspace.branch_id == "main"
    assert [b.name for b in memory.branches.all(chat)] == ["main"]
    assert desktop.window.message_bar.bars == [] or all(
        bar.notice.kind != "error" for bar in desktop.window.message_bar.bars
    )
    assert desktop.window.event_page.view.model().rowCount() > 0


def test_two_branches_are_compared_by_what_they_remember(desktop, dialog, memory, chat):
    fork(desktop, dialog, "另一条路", 40)
    choose(dialog, "另一条路", "Main line")
    assert dialog.compare_button.isEnabled()
    click(desktop, dialog.compare_button)
    found = memory.branches.compare(chat, *[b.id for b in desktop.window.models.branches.rows])
    rows = [dialog.differences.item(n).text() for n in range(dialog.differences.count())]
    assert len(rows) == 2 + len(found.only_first) + len(found.only_second)
    assert rows[0] == f"Only on “Main line”: {len(found.only_first)}"


def test_rolling_back_takes_later_floors_and_their_events_and_undo_returns_them(
    desktop, dialog, memory, chat
):
    before = memory.messages.count(Line.main(chat))
    events = memory.events.counts(Line.main(chat)).total
    choose(dialog, "Main line")
    dialog.floor.setValue(20)
    click(desktop, dialog.back_button)
    assert memory.messages.count(Line.main(chat)) == 21
    assert memory.events.counts(Line.main(chat)).total < events
    undo(desktop)
    assert memory.messages.count(Line.main(chat)) == before
    assert memory.events.counts(Line.main(chat)).total == events


def test_a_branch_is_renamed_and_deleted(desktop, dialog, memory, chat):
    fork(desktop, dialog, "另一条路", 40)
    choose(dialog, "另一条路")
    dialog.name.setText("第三条路")
    click(desktop, dialog.rename_button)
    assert [b.name for b in memory.branches.all(chat)] == ["main", "第三条路"]
    choose(dialog, "第三条路")
    click(desktop, dialog.delete_button)
    assert [b.name for b in memory.branches.all(chat)] == ["main"]
    assert desktop.workspace.branch_id == "main"


# Files whose name something in the library has: what becomes of them is asked, nothing is lost.

LEFT = Qt.MouseButton.LeftButton
OTHER = {
    "0": ENTRIES["0"],
    "1": {"uid": 1, "key": ["狼"], "comment": "狼", "content": "山里的狼。", "x_own": 1},
}


@pytest.fixture
def page(desktop, memory, tmp_path):
    return open_entries(desktop, memory, tmp_path)


def choices(card):
    return {button.text(): button for button in card.findChildren(QRadioButton)}


def drop(desktop, file):
    desktop.window.import_files([file])
    settle(desktop)
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
    click(desktop, dialog.import_button)


def told(memory, name):
    worldbook = memory.worldbooks.read(memory.worldbooks.find(name).id)
    return [entry.title for entry in worldbook.entries]


def test_a_worldbook_of_the_same_name_is_kept_beside_the_other_unless_said(
    desktop, memory, page, tmp_path
):
    dialog = drop(desktop, other_file(tmp_path))
    card = dialog.cards[0]
    assert any("is called “设定”" in label.text() for label in card.findChildren(QLabel))
    assert choices(card)["Keep both"].isChecked(), "the harmless one"
    click(desktop, dialog.import_button)
    assert told(memory, "设定") == ["企鹅", "沉默", "天气"]
    assert told(memory, "设定 (2)") == ["企鹅", "狼"]


def test_one_takes_the_place_of_the_other_and_undo_brings_that_back(
    qtbot, desktop, memory, page, tmp_path
):
    click(desktop, page.here)
    dialog = drop(desktop, other_file(tmp_path))
    take(qtbot, desktop, dialog, "Put it in the place of “设定”; that can be taken back")
    assert [row.name for row in memory.worldbooks.all()] == ["设定"]
    assert told(memory, "设定") == ["企鹅", "狼"]
    assert page.here.isChecked(), "where it was on it is on"
    undo(desktop)
    assert told(memory, "设定") == ["企鹅", "沉默", "天气"]


def test_a_merge_adds_what_is_not_there_and_changes_nothing(qtbot, desktop, memory, page, tmp_path):
    dialog = drop(desktop, other_file(tmp_path))
    take(qtbot, desktop, dialog, "Merge: add the entries that “设定” has not")
    assert told(memory, "设定") == ["企鹅", "沉默", "天气", "狼"]
    content = json.loads(memory.worldbooks.content(memory.worldbooks.find("设定").id))
    assert content["entries"]["3"]["x_own"] == 1, "fields nobody knows come along"
    assert {uid: content["entries"][uid] for uid in ENTRIES} == ENTRIES
    undo(desktop)
    assert told(memory, "设定") == ["企鹅", "沉默", "天气"]


def test_a_card_that_was_changed_never_replaces_the_other_unasked(qtbot, desktop, memory, tmp_path):
    file = tmp_path / "她.json"
    for text, choice in (("一", ""), ("二", "Keep both"), ("三", "")):
        data = {"name": "她", "description": text, "first_mes": "你好"}
        file.write_text(
            json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}), "utf-8"
        )
        dialog = drop(desktop, file)
        if choice:
            assert choices(dialog.cards[0])[choice].isChecked()
        if text == "三":
            take(qtbot, desktop, dialog, "Put it in the place of “她”; that can be taken back")
        else:
            click(desktop, dialog.import_button)
    mine = [row for row in memory.characters.all() if row.name == "她"]
    assert sorted(row.avatar for row in mine) == ["她 (2).json", "她.json"]


def test_a_chat_of_the_same_name_gets_another(desktop, memory, tmp_path):
    file = tmp_path / "月光酒馆.jsonl"
    lines = [{"name": "乙", "is_user": False, "mes": "完全不同的故事。", "send_date": 1}]
    head = {"user_name": "我", "character_name": "乙", "chat_metadata": {}}
    file.write_text("\n".join(json.dumps(line) for line in (head, *lines)), "utf-8")
    dialog = drop(desktop, file)
    (card,) = dialog.cards
    assert any("Another chat here is called" in w.text() for w in card.findChildren(QLabel))
    click(desktop, dialog.import_button)
    names = sorted(chat.name for chat in memory.chats.all())
    assert len(names) == len(set(names)) == 2


# A file that would take floors of a chat away: the window says which, and asks.

CTX = NullContext()


@pytest.fixture
def older(memory, tmp_path):
    """A copy of fifty floors ago, with a line that was edited since; and the chat's id."""
    rows = story_rows(70)
    path = tmp_path / "雪夜.jsonl"
    chat_id = import_chat(memory, path, rows)
    write_chat(path, [*rows[:9], ("爱丽丝", "铜钥匙不见了。"), *rows[10:20]])
    return path, chat_id


def copy_choices(card):
    return {button.text().partition(":")[0]: button for button in card.findChildren(QRadioButton)}


def take_copies(desktop, dialog):
    click(desktop, dialog.import_button)


def counts(memory, chat_id):
    return [memory.messages.count(Line(chat_id, b.id)) for b in memory.branches.all(chat_id)]


def test_the_preview_names_the_floors_and_a_branch_is_chosen(desktop, memory, older):
    file, chat_id = older
    dialog = drop(desktop, file)
    (card,) = dialog.cards
    words = "\n".join(label.text() for label in card.findChildren(QLabel))
    assert "Floors that differ: 9\nFloors it does not have: 20–69" in words
    buttons = [b for b in card.findChildren(QRadioButton) if b.isChecked()]
    assert [b.text() for b in buttons] == [
        "Keep both: the file becomes a branch, the chat stays as it is"
    ]
    take_copies(desktop, dialog)
    assert counts(memory, chat_id) == [70, 20]
    (_at, notice) = desktop.workspace.messages.past[-1]
    assert "The chat stays as it was; the copy is a branch of it." in notice.hint
    assert desktop.workspace.line == Line.main(chat_id)
    assert notice.action is None, "to summarise is another matter: the branch is not shown yet"
    notice.other()
    (branch,) = [b.id for b in memory.branches.all(chat_id) if b.parent_id]
    assert desktop.workspace.line == Line(chat_id, branch)


def test_the_user_may_replace_and_undo_brings_the_floors_back(desktop, memory, older):
    file, chat_id = older
    dialog = drop(desktop, file)
    button = copy_choices(dialog.cards[0])["Replace"]
    button.setChecked(True)
    take_copies(desktop, dialog)
    assert counts(memory, chat_id) == [20]
    memory.history.undo(chat_id)
    assert counts(memory, chat_id) == [70]


def test_left_out_nothing_changes(desktop, memory, older):
    file, chat_id = older
    dialog = drop(desktop, file)
    copy_choices(dialog.cards[0])["Leave it out"].setChecked(True)
    take_copies(desktop, dialog)
    assert counts(memory, chat_id) == [70]


def test_the_window_says_that_a_followed_file_is_an_older_copy(qtbot, desktop, memory, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    file = TavernChatFile(handle / "chats" / "爱丽丝" / "雪夜.jsonl")
    file.say(*(f"第{n}天，雪还在下。" for n in range(70)))
    chat_id = memory.tavern.sync_chat(CTX, file.path).chat_id
    file.delete(*range(20, 70))
    memory.settings.set("tavern.folder", str(handle))
    memory.settings.set("tavern.follow", "chosen")
    past = desktop.workspace.messages.past
    desktop.workspace.tavern.apply()
    qtbot.waitUntil(lambda: any("Another copy" in n.text for _at, n in past), timeout=20_000)
    settle(desktop)
    assert counts(memory, chat_id) == [70, 20]
    notice = next(n for _at, n in past if "Another copy" in n.text)
    assert (notice.kind, "20–69" in notice.hint) == ("warning", True)
    notice.action()
    assert memory.messages.count(desktop.workspace.line) == 20


# Deleted chats in the window: a message with a way back, a list, and a question before the end.


def delete(desktop, memory):
    """Delete the chat shown as the menu of its card does."""
    window = desktop.window
    chat = window.models.chats.current
    window.sidebar._delete(chat)
    (box,) = window.sidebar.findChildren(QMessageBox)
    click(desktop, next(b for b in box.buttons() if b.text() == "Delete"))
    assert memory.chats.all() == []
    return chat


@pytest.fixture
def trash(desktop, memory):
    delete(desktop, memory)
    click(desktop, desktop.window.sidebar.trash)
    made = desktop.window.dialogs.shown[-1]
    assert isinstance(made, TrashDialog)
    return made


def test_the_message_of_a_deleted_chat_brings_it_back(desktop, memory):
    chat = delete(desktop, memory)
    assert desktop.workspace.chat_id == ""
    bar = desktop.window.message_bar.bars[-1]
    assert bar.notice.text == f"The chat “{chat.name}” was deleted"
    assert [bar.notice.kind for bar in desktop.window.message_bar.bars] == ["info"]
    click(desktop, bar.button)
    assert desktop.workspace.chat_id == chat.chat_id
    (back,) = memory.chats.all()
    assert (back.events, back.messages) == (chat.events, chat.messages)
    assert desktop.window.event_page.view.model().rowCount() > 0


def test_a_chat_of_the_list_is_brought_back(desktop, memory, trash):
    assert trash.list.count() == 1
    click(desktop, trash.restore_button)
    assert len(memory.chats.all()) == 1
    assert trash.list.count() == 0
    assert not trash.restore_button.isEnabled()


def test_an_undo_that_comes_too_late_shows_the_chat(desktop, memory, trash):
    bar = desktop.window.message_bar.bars[-1]
    click(desktop, trash.restore_button)
    trash.close()
    assert bar.notice.action is not None
    bar.notice.action()
    settle(desktop)
    assert desktop.workspace.chat_id == memory.chats.all()[0].chat_id
    assert all(bar.notice.kind != "error" for bar in desktop.window.message_bar.bars)


def test_deleting_for_good_asks_first(qtbot, desktop, memory, trash):
    qtbot.mouseClick(trash.delete_button, Qt.MouseButton.LeftButton)
    (box,) = trash.findChildren(QMessageBox)
    click(desktop, next(b for b in box.buttons() if b.text() == "Cancel"))
    assert len(memory.chats.deleted()) == 1
    qtbot.waitUntil(lambda: not trash.findChildren(QMessageBox))
    qtbot.mouseClick(trash.delete_button, Qt.MouseButton.LeftButton)
    (box,) = trash.findChildren(QMessageBox)
    click(desktop, next(b for b in box.buttons() if b.text() == "Delete for good"))
    assert memory.chats.deleted() == []
    assert trash.list.count() == 0
