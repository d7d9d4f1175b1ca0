"""What is missing: the filter above the graph, and the list beside an entity."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.graph.gap_finder import gap_filters
from engram_desktop.widgets.graph.entity_sheet import SheetDialog
from tests.gui.places import open_dialog_as
from tests.gui.waiting import click, open_page, settle

CTX = NullContext()


@pytest.fixture
def page(desktop):
    page = open_page(desktop, "graph")
    page.tools.filter_button.setChecked(True)
    return page


def listed(page):
    rows = [page.list.rows.index(n, 0) for n in range(page.list.rows.rowCount())]
    return {row.data(Qt.ItemDataRole.UserRole) for row in rows}


def lacking(desktop, gap):
    line = Line.main(desktop.workspace.chat_id)
    found = desktop.workspace.memory.graph.gaps(CTX, line)
    return {one.entity_id for one in found if gap in one.gaps}


@pytest.mark.parametrize("gap", list(gap_filters()))
def test_the_filter_shows_those_of_whom_it_is_missing(desktop, page, gap):
    page.filters.gap.setCurrentIndex(page.filters.gap.findData(gap))
    settle(desktop)
    assert listed(page) == lacking(desktop, gap)
    assert listed(page), "the bundled story lacks something of each"
    picture = page.canvas.picture
    shown = {e.id for n, e in enumerate(picture.graph.entities) if picture.nodes[n]}
    assert shown == listed(page)
    page.filters.clear()
    settle(desktop)
    assert len(listed(page)) > len(lacking(desktop, gap)) or gap == "alone"


def test_those_who_are_alone_are_shown_though_nothing_leads_to_them(desktop, page):
    line = Line.main(desktop.workspace.chat_id)
    best = desktop.workspace.memory.graph.find_entities(line)[0]
    desktop.window.models.graph.set_hops(1)
    desktop.window.models.graph.recenter(best.id)
    settle(desktop)
    alone = lacking(desktop, "alone")
    page.filters.gap.setCurrentIndex(page.filters.gap.findData("alone"))
    settle(desktop)
    assert listed(page) == alone
    another = desktop.workspace.memory.graph.find_entities(line)[1]
    one = next(iter(alone))
    desktop.window.models.graph.select(one)
    settle(desktop)
    space = desktop.workspace
    space.change("", lambda _ctx: space.memory.graph.add_relation(line, one, "见过", another.id))
    settle(desktop)
    assert listed(page) == alone - {one}, "what is mended leaves the list"


def test_the_panel_and_the_sheet_say_what_is_missing_and_lead_there(qtbot, desktop, page):
    window, line = desktop.window, Line.main(desktop.workspace.chat_id)
    space = desktop.workspace
    space.change("", lambda _ctx: space.memory.messages.edit(line, 3, "马洛也在。"))
    settle(desktop)
    gaps = next(g for g in space.memory.graph.gaps(CTX, line) if g.floors)
    assert gaps.floors == (3,)
    window.models.graph.show_entity(gaps.entity_id)
    settle(desktop)
    section = window.stack.panel("graph").parts.gaps
    assert section.isVisible()
    assert "named without a link" in section.words.text()
    sheet = open_dialog_as(qtbot, desktop, "entity", SheetDialog)
    settle(desktop)
    assert sheet.parts.gaps.words.text() == section.words.text()
    sheet.close()
    window.models.graph.show_entity(gaps.entity_id)
    settle(desktop)
    button = section.findChildren(QToolButton)[0]
    assert button.text() == f"floor {gaps.floors[0]}"
    click(desktop, button)
    assert window.page == "reading"
    desktop.workspace.view_as("爱丽丝")
    open_page(desktop, "graph")
    assert not section.isVisibleTo(section.parentWidget()), "it is for the curator"
