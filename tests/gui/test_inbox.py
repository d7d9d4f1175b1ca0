"""The inbox: what waits, decided with the keyboard alone, until nothing is left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.inbox import INBOX_KINDS
from engram_desktop.jobs.context import NullContext
from tests.gui.waiting import settle
from tests.inbox_story import fill_inbox, kinds

CTX = NullContext()


@pytest.fixture
def open_page(qtbot, open_desktop, memory, tmp_path):
    """Open the window on the inbox of a chat with so many drafts and stale events."""

    def make(**counts):
        memory.settings.set("auto.enabled", value=False)
        chat = fill_inbox(memory, tmp_path, **counts)
        desktop = open_desktop(memory)
        desktop.window.resize(1280, 800)
        desktop.workspace.show_chat(chat)
        desktop.window.show_page("inbox")
        page = desktop.window.stack.page("inbox")
        qtbot.waitUntil(lambda: page._inbox.is_loaded, timeout=20_000)
        settle(qtbot, desktop)
        page.desktop, page.chat = desktop, chat
        page.view.setFocus()
        return page

    return make


def listed(page):
    model = page.view.model()
    return [model.row_at(n) for n in range(model.rowCount())]


def press(qtbot, page, key):
    qtbot.keyClick(page.view, key)
    settle(qtbot, page.desktop)


def go_to(page, kind):
    row = next(n for n, item in enumerate(listed(page)) if item.kind == kind)
    page.view.show_row(row)
    return listed(page)[row]


def test_every_kind_waits_in_one_list(open_page, memory):
    page = open_page()
    assert [item.kind for item in listed(page)] == list(INBOX_KINDS)
    assert page.chips[None].text() == "Waiting 8"
    assert kinds(memory, page.chat) == list(INBOX_KINDS)


def test_two_hundred_are_worked_through_with_the_keyboard_alone(qtbot, open_page, memory):
    page = open_page(stale=160, drafts=38)
    assert page._inbox.count >= 200
    keys = (Qt.Key.Key_A, Qt.Key.Key_D, Qt.Key.Key_L)
    pressed = 0
    # what was saved may be doubtful itself, and comes behind
    while not page._inbox.is_settled or page._inbox.count:
        while page._inbox.model.rowCount():
            is_failed = page._inbox.current.kind == "failed"  # accepting it would ask a model
            qtbot.keyClick(page.view, Qt.Key.Key_D if is_failed else keys[pressed % 3])
            pressed += 1
            assert pressed < 400
        qtbot.waitUntil(lambda: page._inbox.is_settled or page._inbox.count > 0, timeout=60_000)
    assert (page._inbox.count, page._inbox.is_loaded) == (0, True)
    assert page._stack.currentWidget() is page._empty
    assert page._empty._title.text() == "All done"
    assert kinds(memory, page.chat) == []
    assert pressed >= 200
