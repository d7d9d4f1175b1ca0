"""A file that would take floors of a chat away: the window says which, and asks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QRadioButton

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import story_rows, write_chat
from tests.gui.waiting import settle
from tests.tavern import TavernChatFile, make_tavern

CTX = NullContext()
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def older(memory, tmp_path):
    """A copy of fifty floors ago, with a line that was edited since; and the chat's id."""
    rows = story_rows(70)
    path = tmp_path / "雪夜.jsonl"
    chat_id = memory.imports.import_file(CTX, write_chat(path, rows)).chat_id
    write_chat(path, [*rows[:9], ("爱丽丝", "铜钥匙不见了。"), *rows[10:20]])
    return path, chat_id


def drop(qtbot, desktop, file):
    desktop.window.import_files([file])
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1]


def choices(card):
    return {button.text().partition(":")[0]: button for button in card.findChildren(QRadioButton)}


def take(qtbot, desktop, dialog):
    qtbot.mouseClick(dialog.import_button, LEFT)
    settle(qtbot, desktop)


def counts(memory, chat_id):
    return [memory.messages.count(Line(chat_id, b.id)) for b in memory.branches.all(chat_id)]


def test_the_preview_names_the_floors_and_a_branch_is_chosen(qtbot, desktop, memory, older):
    file, chat_id = older
    dialog = drop(qtbot, desktop, file)
    (card,) = dialog.cards
    words = "\n".join(label.text() for label in card.findChildren(QLabel))
    assert "Floors told differently: 9\nFloors it does not have: 20–69" in words
    buttons = [b for b in card.findChildren(QRadioButton) if b.isChecked()]
    assert [b.text() for b in buttons] == [
        "Keep both: the file becomes a branch, the chat stays as it is"
    ]
    take(qtbot, desktop, dialog)
    assert counts(memory, chat_id) == [70, 20]
    (_at, notice) = desktop.workspace.messages.past[-1]
    assert "The chat stays as it was; what the copy tells is a branch of it." in notice.hint
    assert desktop.workspace.line == Line.main(chat_id)
    notice.other()
    (branch,) = [b.id for b in memory.branches.all(chat_id) if b.parent_id]
    assert desktop.workspace.line == Line(chat_id, branch)


def test_the_user_may_replace_and_undo_brings_the_floors_back(qtbot, desktop, memory, older):
    file, chat_id = older
    dialog = drop(qtbot, desktop, file)
    button = choices(dialog.cards[0])["Replace"]
    button.setChecked(True)
    take(qtbot, desktop, dialog)
    assert counts(memory, chat_id) == [20]
    memory.history.undo(chat_id)
    assert counts(memory, chat_id) == [70]


def test_left_out_nothing_changes(qtbot, desktop, memory, older):
    file, chat_id = older
    dialog = drop(qtbot, desktop, file)
    choices(dialog.cards[0])["Leave it out"].setChecked(True)
    take(qtbot, desktop, dialog)
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
    settle(qtbot, desktop)
    assert counts(memory, chat_id) == [70, 20]
    notice = next(n for _at, n in past if "Another copy" in n.text)
    assert (notice.kind, "20–69" in notice.hint) == ("warning", True)
    notice.action()
    assert memory.messages.count(desktop.workspace.line) == 20
