"""The pages of the window are enumerated in one place."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from typing import Any

import pytest

from engram_desktop import widgets
from engram_desktop.viewmodels.workspace.live_query import LiveQuery
from engram_desktop.widgets.parts.pages import Page
from engram_desktop.widgets.window.page_stack import BY_NAME, PAGES
from tests.gui.waiting import settle


def named(module: Any) -> str:
    """The name of a page's module, which its type, the way to make a page, does not tell."""
    return str(module.__name__)


def test_every_page_is_in_the_list_exactly_once():
    for module in pkgutil.walk_packages(widgets.__path__, f"{widgets.__name__}."):
        vars(importlib.import_module(module.name))  # reads it
    there = sorted(kind.__module__ for kind in Page.__subclasses__())
    assert sorted(named(spec.page) for spec in PAGES) == there
    panels = [named(spec.panel) for spec in PAGES if spec.panel is not None]
    assert len(panels) == len(set(panels))


def test_names_icons_titles_and_keys_are_each_of_one_page():
    assert len(BY_NAME) == len(PAGES)
    for column in ("icon", "title", "key"):
        assert len({getattr(spec, column) for spec in PAGES}) == len(PAGES), column


def test_the_window_shows_every_page_of_the_list_and_no_other(qtbot, desktop):
    window = desktop.window
    assert list(window.top.page_buttons) == [spec.name for spec in PAGES if spec.needs_chat]
    for spec in PAGES:
        window.show_page(spec.name)
        settle(qtbot, desktop)
        shown = window.stack.pages.currentWidget()
        assert type(shown).__module__ == named(spec.page)
        assert window.panel.isHidden() == (spec.panel is None)
        if spec.panel is not None:
            assert type(window.panel.currentWidget()).__module__ == named(spec.panel)
        window.setFocus()
        shown.focus_search()
        assert shown.isAncestorOf(window.focusWidget()), spec.name
    assert window.stack.pages.count() == len(PAGES) + 1  # and the welcome


def test_only_the_page_that_is_seen_reads(qtbot, desktop):
    """Each page of a chat has something that reads while it is seen, and only then."""
    window = desktop.window
    for spec in PAGES:
        window.show_page(spec.name)
    settle(qtbot, desktop)
    reads = {}
    for spec in PAGES:
        window.show_page(spec.name)
        settle(qtbot, desktop)
        reads[spec.name] = {
            q.objectName() for q in window.models.findChildren(LiveQuery) if q.is_active
        }
    always = set.intersection(*reads.values())
    own = {name: names - always for name, names in reads.items()}
    assert own == {
        "overview": {"overview"},
        "events": {"event rows"},
        "reading": {"reading", "memory marks"},
        "graph": {"graph"},
        "recall": {"muted", "lab"},
        "logs": {"logs"},
        "books": {"books"},
        "state": {"state"},
        "play": {"play", "turn"},
        "serving": set(),  # the server tells it
    }


@pytest.mark.e2e
def test_arguments_are_read_without_reading_a_page():
    """A second start only hands its files to the first: it is not to read what it never shows."""
    code = (
        "import sys\n"
        "from engram_desktop.app.main import read_arguments\n"
        "from engram_desktop.late import UnreadModule\n"
        "from engram_desktop.widgets.window.page_stack import PAGES\n"
        "assert read_arguments(['--page', PAGES[-1].name]).page == PAGES[-1].name\n"
        "parts = [part for spec in PAGES for part in (spec.page, spec.panel) if part]\n"
        "sys.exit(any(type(part) is not UnreadModule for part in parts))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
