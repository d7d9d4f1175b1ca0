"""A page that is not made yet is opened in steps: what is seen meanwhile, and what disturbs it."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt

from engram_desktop.app.start import build
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.widgets.recall.recall_page import NEXT
from engram_desktop.widgets.window.page_stack import PAGES
from tests.gui.waiting import click, press, settle


@pytest.fixture
def window(desktop):
    settle(desktop)
    return desktop.window


def begin(qtbot, window, name):
    """Open a page up to where it is made and not shown."""
    stack, before = window.stack, window.stack.pages.count()
    window.show_page(name)
    qtbot.waitUntil(lambda: stack.pages.count() > before)
    assert stack.is_opening


def is_complete(window):
    """Whether the page shown and its panel wear the style of the window."""
    page, panel = window.stack.pages.currentWidget(), window.stack.panels.currentWidget()
    parts = [page] if window.panel.isHidden() else [page, panel]
    return all(p.isVisible() and p.styleSheet() == window.sidebar.styleSheet() for p in parts)


@pytest.mark.parametrize("spec", PAGES[2:], ids=lambda spec: spec.name)
def test_the_page_before_stays_until_the_page_and_its_panel_are_complete(qtbot, window, spec):
    events = window.event_page
    window.show_page(spec.name)
    assert window.page == spec.name, "the navigation answers at once"
    assert window.stack.pages.currentWidget() is events
    assert events.isVisible()
    seen = []
    window.stack.pages.currentChanged.connect(lambda _n: seen.append(window.page))
    qtbot.waitUntil(lambda: not window.stack.is_opening)
    assert seen == [spec.name]
    assert is_complete(window)
    assert window.panel.isVisible() == (spec.panel is not None)


def test_of_two_pages_opened_quickly_only_the_second_is_shown(qtbot, window):
    shown = []
    stack = window.stack
    stack.pages.currentChanged.connect(lambda _n: shown.append(stack.pages.currentWidget()))
    begin(qtbot, window, "recall")
    window.show_page("books")
    qtbot.waitUntil(lambda: not stack.is_opening)
    assert shown == [stack.page("books")]
    assert not stack.page("recall").isVisible()


def test_going_back_before_the_page_is_made_leaves_the_page_before(qtbot, desktop, window):
    begin(qtbot, window, "graph")
    window.show_page("events")
    assert not window.stack.is_opening
    settle(desktop)
    assert window.stack.pages.currentWidget() is window.event_page
    assert window.panel.currentWidget() is window.editor


def test_asking_for_the_page_shows_it_at_once(window):
    window.show_page("graph")
    page = window.stack.page("graph")
    assert page.isVisible()
    assert is_complete(window)


def test_ctrl_f_while_a_page_is_made_goes_to_its_search(qtbot, window):
    window.show_page("reading")
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.stack.page("reading").isAncestorOf(window.focusWidget())


def test_what_is_wanted_of_a_page_is_done_once_it_is_shown(desktop, window):
    window.foot.next_wanted.emit()
    settle(desktop)
    assert window.stack.page("recall").tabs.pages.currentIndex() == NEXT
    desktop.workspace.floor_wanted.emit(3, 5)
    settle(desktop)
    assert window.page == "reading"
    assert window.stack.page("reading").isVisible()


def test_what_was_wanted_of_a_page_is_not_done_to_another(desktop, window):
    window.foot.next_wanted.emit()
    window.show_page("books")
    settle(desktop)
    assert window.page == "books"
    assert window.stack.page("recall").tabs.pages.currentIndex() != NEXT


def test_an_event_that_is_wanted_on_another_page_is_chosen(desktop, window):
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    last = list(memory.events.find(chat, EventQuery()))[-1]
    window.show_page("findings")
    desktop.workspace.event_wanted.emit(last)
    settle(desktop)
    assert window.page == "events"
    assert window.models.editor.current.pk == last


def test_hiding_the_panel_while_a_page_is_made_shows_the_page_without_it(qtbot, desktop, window):
    begin(qtbot, window, "graph")
    press(desktop, window.top.panel_button)
    assert window.stack.page("graph").isVisible()
    assert window.panel.isHidden()


def test_no_chat_any_more_while_a_page_is_made_shows_the_welcome(qtbot, desktop, window):
    begin(qtbot, window, "graph")
    desktop.workspace.show_chat("")
    settle(desktop)
    assert window.stack.pages.currentWidget() is window.welcome
    assert window.panel.isHidden()


def test_another_theme_while_a_page_is_made(qtbot, desktop, window):
    begin(qtbot, window, "graph")
    light = window.event_page.styleSheet()
    desktop.look.apply("dark")
    settle(desktop)
    assert window.stack.pages.currentWidget() is window.stack.page("graph")
    assert window.sidebar.styleSheet() != light
    assert is_complete(window)


def test_another_language_while_a_page_is_made(qtbot, desktop, memory):
    settle(desktop)
    old = desktop.window
    desktop._forced["language"] = None
    begin(qtbot, old, "graph")
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", "ja"))
    qtbot.waitUntil(lambda: desktop.window is not old, timeout=20_000)
    qtbot.waitUntil(lambda: not shiboken6.isValid(old), timeout=20_000)
    settle(desktop)
    assert desktop.window.page == "graph"
    assert desktop.window.stack.page("graph").isVisible()
    assert is_complete(desktop.window)


def test_closing_the_window_while_a_page_is_made(qtbot, qapp, memory):
    desktop = build(qapp, memory, memory.folder, language="en", theme="light")
    desktop.window.show()
    settle(desktop)
    begin(qtbot, desktop.window, "graph")
    assert desktop.close(5000)
    assert not desktop.window.stack.is_opening
    desktop.deleteLater()


def test_a_click_on_a_tab_while_another_page_is_made(qtbot, desktop, window):
    begin(qtbot, window, "books")
    click(desktop, window.top.page_buttons["state"])
    assert window.page == "state"
    assert window.stack.pages.currentWidget() is window.stack.page("state")
