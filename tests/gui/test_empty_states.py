"""Where there is nothing to show, a page says why and offers the next step."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from engram_desktop.domain.memory.event import LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.parts.pages import EmptyState
from engram_desktop.widgets.pipeline.step_dialogs import ConsolidateDialog, SummariseDialog
from tests.factories import make_event, write_chat
from tests.gui.cut_texts import is_cut
from tests.gui.waiting import click, open_page, opened_by, settle
from tests.gui.worldbooks import open_entries

CTX = NullContext()
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def unread_chat(empty_memory, tmp_path):
    empty_memory.settings.set("auto.enabled", False)
    file = write_chat(tmp_path / "短.jsonl", [("爱丽丝", f"第{n}天。") for n in range(8)])
    return empty_memory.imports.import_file(CTX, file).chat_id


def click_empty(desktop, page):
    """Click the button of what ``page`` says instead of showing something; return its words."""
    (shown,) = (one for one in page.findChildren(EmptyState) if one.isVisible())
    words = shown.button.text()
    click(desktop, shown.button)
    return words


@pytest.mark.parametrize("language", ["en", "zh_CN", "ja"])
def test_the_ways_to_begin_fit_into_the_smallest_window(open_desktop, empty_memory, language):
    desktop = open_desktop(empty_memory, language=language)
    window = desktop.window
    window.resize(window.minimumSize())
    settle(desktop)
    page = window.welcome
    cards = [one.geometry() for one in page.findChildren(QFrame, "card")]
    assert len(cards) == 3
    assert all(page.rect().contains(card) for card in cards)
    assert all(one.right() < other.left() for one, other in itertools.pairwise(cards))
    assert not [one for one in page.findChildren(QWidget) if is_cut(one)]


def test_consolidating_an_empty_buffer_says_what_fills_it(open_desktop, empty_memory, unread_chat):
    desktop = open_desktop(empty_memory)
    desktop.workspace.show_chat(unread_chat)
    dialog = opened_by(desktop, desktop.window.dialogs.open_consolidate)
    assert isinstance(dialog, ConsolidateDialog)
    assert "a summary puts new events into the buffer" in dialog._what.text()
    assert not dialog._cost.isVisible()
    assert not dialog.start_button.isEnabled()


def test_a_graph_without_entities_offers_what_makes_some(open_desktop, empty_memory, unread_chat):
    desktop = open_desktop(empty_memory)
    window = desktop.window
    desktop.workspace.show_chat(unread_chat)
    page = open_page(desktop, "graph")
    assert click_empty(desktop, page) == "Summarise…"
    assert [type(one) for one in window.dialogs.shown] == [SummariseDialog]
    window.dialogs.shown[-1].close()

    empty_memory.session.chat(unread_chat).events.add([make_event("爱丽丝来了。", 0, 3)], 0)
    window.models.events.reload()
    settle(desktop)
    assert click_empty(desktop, page) == "Consolidate…"
    assert [type(one) for one in window.dialogs.shown] == [ConsolidateDialog]


def test_private_logs_that_are_searched_away_are_shown_again(desktop, memory):
    window, chat = desktop.window, desktop.workspace.chat_id
    memory.logs.add(Line.main(chat), LogPatch("爱丽丝", "想念", source_range=SourceRange(0, 1)))
    page = open_page(desktop, "logs")
    page.search.setText("没有这样的词")
    settle(desktop)
    assert click_empty(desktop, page) == "Show all"
    assert page.search.text() == ""
    assert page.view.isVisible()
    assert page.view.model().rowCount() == 1
    assert not window.dialogs.shown, "nothing is written"


def test_entries_that_are_searched_away_are_shown_again(desktop, memory, tmp_path):
    page = open_entries(desktop, memory, tmp_path)
    count = page.view.model().rowCount()
    page.search.setText("没有这样的词")
    settle(desktop)
    assert not page.view.isVisible()
    assert click_empty(desktop, page) == "Show all"
    assert page.view.isVisible()
    assert page.view.model().rowCount() == count > 0


def test_the_lines_of_a_hint_are_equally_long(qtbot, desktop):
    """No character stands alone in the last line."""
    for width in range(300, 420, 10):
        check_lines(qtbot, desktop, width)


def check_lines(qtbot, desktop, width):
    empty = EmptyState(desktop.look, "inbox")
    qtbot.addWidget(empty)
    empty.say(
        "何が想起されるか",
        "これから話す内容を入力すると、どの記憶がなぜ想起されるかを確認できます。",
    )
    empty.resize(width, 300)
    empty.show()
    hint = empty._hint

    def is_even():
        """Whether it takes as many lines as it must, and a narrower one would take another."""
        sides = 2 * hint.contentsMargins().left()
        lines = hint.heightForWidth(hint.width())
        needed = hint.heightForWidth(hint.width() + sides)
        is_tight = hint.heightForWidth(hint.width() - 4) > lines
        return lines == needed and (is_tight or sides >= hint.width() // 2 - 2)

    qtbot.waitUntil(is_even)
