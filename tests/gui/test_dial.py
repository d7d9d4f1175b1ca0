"""The dial: one floor as of which every page is seen, beside the person as whom."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionSlider

from engram_desktop.app.i18n import LANGUAGES
from tests.gui.waiting import open_page, press_key, settle, view_as


def view_at(desktop, floor):
    desktop.workspace.view_at(floor)
    settle(desktop)


def test_every_page_is_seen_as_of_the_floor_of_the_dial(desktop, memory):
    window, line = desktop.window, desktop.workspace.line
    whole = window.event_page.view.model().rowCount()
    view_at(desktop, 40)
    model = window.event_page.view.model()
    ends = [model.row_at(row).source_range.end_index for row in range(model.rowCount())]
    assert 0 < len(ends) < whole
    assert max(ends) <= 40
    assert window.models.events.counts.total == len(ends)
    assert window.viewpoint.isVisible()
    assert window.viewpoint._floor.text() == f"40 of {memory.messages.count(line) - 1}"
    open_page(desktop, "reading")
    assert window.stack.page("reading").view._rows.count == 41
    open_page(desktop, "overview")
    told = window.models.overview.current.overview
    assert all(e.source_range.end_index <= 40 for e in (*told.story, *told.moments))
    progress = told.progress
    assert (progress.floors, progress.events.total) == (41, len(ends))
    assert max(last for _first, last, _state in progress.runs) == 40
    assert progress.events.total >= max(member.events for member in told.cast) > 0
    page = window.stack.page("overview")
    assert page.progress._now.isVisible()
    assert not page.step.isVisible(), "what is next is a matter of now"
    open_page(desktop, "graph")
    assert window.models.graph.time.at == 40
    for name in ("state", "findings"):
        open_page(desktop, name)
    assert window.models.findings.at == 40
    window.show_page("recall")
    page = window.stack.page("recall")
    page.question.setText("铜钥匙在哪里")
    page.ask()
    settle(desktop)
    assert page.cards
    assert all(card.hit.item.start_index <= 40 for card in page.cards)


def test_the_dial_is_moved_in_the_strip_and_esc_puts_it_back(desktop):
    window = desktop.window
    view_at(desktop, 40)
    window.viewpoint.dial.setValue(60)
    settle(desktop)
    assert desktop.workspace.at == 60
    view_as(desktop, "爱丽丝")
    window.event_page.view.setFocus()
    press_key(desktop, window.event_page.view, Qt.Key.Key_Escape)
    assert (desktop.workspace.at, desktop.workspace.actor) == (None, "")
    assert not window.viewpoint.isVisible()


def test_the_dial_begins_before_the_newest_floor_and_ends_with_the_chat(desktop, memory):
    window, line = desktop.window, desktop.workspace.line
    window.top.viewpoint_button._take(("earlier", ""))
    settle(desktop)
    assert desktop.workspace.at == memory.messages.count(line) - 2
    branch, _changes = memory.branches.fork(line, at=20, name="旁支")
    desktop.workspace.show_branch(branch)
    settle(desktop)
    assert desktop.workspace.at is None
    assert not window.viewpoint.isVisible()


def test_a_message_shows_everything_as_of_here(desktop):
    window = desktop.window
    page = open_page(desktop, "reading")
    window.models.reading.view_at(30)
    settle(desktop)
    assert page.view._rows.count == 31


@pytest.mark.parametrize("page", ["inbox", "play", "books", "serving"])
def test_a_page_that_does_not_follow_says_so(desktop, page):
    window, said = desktop.window, desktop.window.viewpoint._exempt
    window.resize(900, 600)
    window.show_page(page)
    view_at(desktop, 40)
    assert said.text() == "This page shows now"
    assert said.isVisible()
    open_page(desktop, "events")
    assert said.text() == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_narrow_window_has_room_for_the_note_beside_a_person_and_a_floor(
    qtbot, open_desktop, memory, language
):
    desktop = open_desktop(memory, language=language)
    window, strip = desktop.window, desktop.window.viewpoint
    window.resize(900, 700)
    window.show_page("inbox")
    desktop.workspace.view_as("爱丽丝")
    view_at(desktop, 40)
    said = strip._exempt
    qtbot.waitUntil(lambda: said.pos().y() > strip.back_button.geometry().bottom())
    seen = {"places": [strip.dial.pos().x(), strip.back_button.pos().x()], "height": strip.height()}
    assert said.text() == said.accessibleName() != ""
    assert strip.rect().contains(said.geometry())
    assert said.text() == said._whole  # not elided
    window.show_page("events")  # the note goes, and nothing moves sideways
    settle(desktop)
    assert [strip.dial.pos().x(), strip.back_button.pos().x()] == seen["places"]
    qtbot.waitUntil(lambda: strip.height() < seen["height"])
    window.show_page("inbox")
    window.resize(1600, 700)
    qtbot.waitUntil(
        lambda: said.mapTo(strip, QPoint(0, 0)).x() > strip.back_button.geometry().right()
    )
    qtbot.waitUntil(lambda: strip.height() < seen["height"])
    dial = strip.dial
    knob = QStyleOptionSlider()
    dial.initStyleOption(knob)
    handle = QStyle.SubControl.SC_SliderHandle
    drawn = dial.style().subControlRect(QStyle.ComplexControl.CC_Slider, knob, handle, dial)
    assert dial.rect().contains(drawn), "the knob is round"


def test_the_overview_counts_what_somebody_knows(desktop):
    window = desktop.window
    open_page(desktop, "overview")
    whole = window.models.overview.current.overview.progress.events.total
    view_as(desktop, "凯尔")
    known = window.models.overview.current.overview.progress.events.total
    assert known == window.models.events.counts.total < whole
