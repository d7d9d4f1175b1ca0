"""While a page is read it says nothing: grey blocks after a moment, never a false "nothing yet"."""

import threading

import pytest

from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.parts.pages import PATIENCE_MS, EmptyState, Skeleton
from engram_desktop.widgets.window.page_stack import PAGES
from tests.factories import story_rows, write_chat
from tests.gui.waiting import settle

# What these say while nothing is asked, or nothing has come, is no answer of a look-up.
INVITES = {"recall", "serving"}


@pytest.fixture
def hold(qtbot):
    """Hold the lanes where pages are read, until it is let go."""
    gates = []

    def hold_lanes(desktop):
        gate = threading.Event()
        gates.append(gate)
        for lane in ("interactive", "follow"):
            desktop.runner.submit("", lambda _ctx: gate.wait(30), lane=lane)
        return gate

    yield hold_lanes
    for gate in gates:
        gate.set()


def words_shown(page):
    return [e._title.text() for e in page.findChildren(EmptyState) if e._words.isVisible()]


def test_no_page_says_that_there_is_nothing_before_it_was_read(qtbot, desktop, hold):
    window = desktop.window
    gate = hold(desktop)
    drawn = set()
    for spec in PAGES:
        window.show_page(spec.name)
        page = window.stack.page(spec.name)
        if spec.name in INVITES or spec.name == "events":  # events are read already
            continue
        assert words_shown(page) == [], spec.name
        blocks = [s for s in page.findChildren(Skeleton) if s.isVisible()]
        if blocks:
            assert not blocks[0].is_drawn, "not at once: it would flash"
            qtbot.waitUntil(lambda b=blocks[0]: b.is_drawn, timeout=20 * PATIENCE_MS)
            drawn.add(spec.name)
    assert {"logs", "books", "state", "play", "graph"} <= drawn
    gate.set()
    settle(qtbot, desktop)
    for spec in PAGES:
        window.show_page(spec.name)
        settle(qtbot, desktop)
        page = window.stack.page(spec.name)
        assert not [s for s in page.findChildren(Skeleton) if s.isVisible()], spec.name


def test_another_chat_is_not_empty_before_it_was_read(qtbot, open_desktop, memory, hold, tmp_path):
    memory.imports.import_file(NullContext(), write_chat(tmp_path / "别的.jsonl", story_rows(40)))
    desktop = open_desktop(memory)
    window = desktop.window
    other = next(c for c in memory.chats.all() if c.chat_id != desktop.workspace.chat_id)
    for spec in PAGES:
        if spec.name in INVITES or spec.name == "books":
            continue
        window.show_page(spec.name)
        settle(qtbot, desktop)
        before = desktop.workspace.chat_id
        gate = hold(desktop)
        desktop.workspace.show_chat(other.chat_id)
        assert words_shown(window.stack.page(spec.name)) == [], spec.name
        gate.set()
        settle(qtbot, desktop)
        desktop.workspace.show_chat(before)
        settle(qtbot, desktop)


def test_what_is_really_empty_says_so_once_it_was_read(qtbot, open_desktop, memory, tmp_path):
    path = write_chat(tmp_path / "空.jsonl", story_rows(4))
    chat = memory.imports.import_file(NullContext(), path).chat_id
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    for name, words in (("logs", "No private logs yet"), ("state", "No state yet")):
        desktop.window.show_page(name)
        settle(qtbot, desktop)
        assert words_shown(desktop.window.stack.page(name)) == [words]
