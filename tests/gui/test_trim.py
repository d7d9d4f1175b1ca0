"""精简 from the window: the button, the notice with its undo, and taking an outline apart."""

from __future__ import annotations

from engram_desktop.domain.event import EventQuery
from engram_desktop.jobs.context import NullContext
from tests.gui.conftest import settle

_NO_JOB = NullContext()


def outlines(memory, chat):
    return list(memory.find_events(chat, EventQuery(level=1)))


def test_the_button_trims_and_the_notice_takes_it_back(qtbot, desktop, memory):
    chat = desktop.workspace.chat_id
    memory.set_setting("visible.tokens", 256)
    memory.set_archived(_NO_JOB, chat, list(memory.find_events(chat, EventQuery())), archived=False)
    desktop.window.top.trim_button.click()
    settle(qtbot, desktop)
    assert outlines(memory, chat)
    bar = desktop.window.message_bar.bars[-1]
    assert bar.notice.kind == "success"
    assert "outline" in bar.notice.text
    bar.notice.action()
    settle(qtbot, desktop)
    assert outlines(memory, chat) == []


def test_an_outline_is_taken_apart(qtbot, desktop, memory):
    chat = desktop.workspace.chat_id
    memory.set_archived(_NO_JOB, chat, list(memory.find_events(chat, EventQuery())), archived=False)
    memory.trim(_NO_JOB, chat, limit=256)
    (first, *rest) = outlines(memory, chat)
    desktop.window.models.events.take_apart(first)
    settle(qtbot, desktop)
    assert outlines(memory, chat) == rest


def test_nothing_to_trim_is_said(qtbot, desktop):
    desktop.window.top.trim_button.click()
    settle(qtbot, desktop)
    assert "nothing to trim" in desktop.window.message_bar.bars[-1].notice.text
