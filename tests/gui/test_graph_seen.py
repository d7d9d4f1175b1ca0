"""What of the graph is seen: as somebody, as of a floor, only the selection; and why none of it."""

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.graph.entity import Around
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.window.message_bar import ViewpointStrip
from tests.gui.waiting import settle


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    return desktop.window.stack.page("graph")


def shown(page):
    picture = page.canvas.picture
    return {e.name for n, e in enumerate(picture.graph.entities) if picture.nodes[n]}


def known(desktop, name, floor):
    """What somebody knows up to a floor, as the service says."""
    line, memory = Line.main(desktop.workspace.chat_id), desktop.workspace.memory
    actors = memory.knowledge.askers(NullContext(), line, (name,) if name else ())
    view = memory.graph.picture(line, Around(None, 2, 150, floor), actors)
    return {e.name for e in view.entities}


def test_the_graph_is_seen_as_somebody_and_as_of_a_floor_at_once(qtbot, desktop, page):
    strip = desktop.window.findChild(ViewpointStrip)
    assert not strip.isVisible()
    everybody = shown(page)
    desktop.window.models.viewpoint.view_as("莉莉丝")
    settle(qtbot, desktop)
    assert strip.isVisible()
    assert "莉莉丝" in strip._text.toolTip() + strip._text.accessibleName() + strip._text.text()
    as_known = shown(page)
    assert as_known == known(desktop, "莉莉丝", None) < everybody
    assert page.time_bar.isVisible()
    page.time_bar.slider.setValue(60)
    settle(qtbot, desktop)
    then = shown(page)
    assert then == known(desktop, "莉莉丝", 60)
    assert then <= known(desktop, "", 60)
    assert then < as_known
    page.time_bar.slider.setValue(0)
    settle(qtbot, desktop)
    if not shown(page):
        assert "Up to floor 0" in page._empty._hint.text()
    qtbot.mouseClick(strip.back_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.time_bar.now_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert shown(page) == everybody


def test_who_is_known_keeps_how_many_relations_it_has(desktop):
    line, memory = Line.main(desktop.workspace.chat_id), desktop.workspace.memory
    actors = memory.knowledge.askers(NullContext(), line, ("莉莉丝",))
    degrees = {e.id: e.degree for e in memory.graph.picture(line, Around()).entities}
    entities = memory.graph.picture(line, Around(), actors).entities
    assert max(entity.degree for entity in entities) > 0
    assert all(entity.degree == degrees[entity.id] for entity in entities)


def test_lines_of_what_is_not_selected_can_be_hidden(qtbot, desktop, page):
    model, picture = desktop.window.models.graph, page.canvas.picture
    whole = int(picture.lanes.sum())
    first = model.entity
    qtbot.mouseClick(page.tools.only_button, Qt.MouseButton.LeftButton)
    number = picture.graph.index[first.id]
    assert set(picture.lanes.nonzero()[0]) == set(picture.graph.touching(number))
    other = min(model.graph.view.entities, key=lambda e: e.degree)
    model.select(other.id)
    number = picture.graph.index[other.id]
    assert set(picture.lanes.nonzero()[0]) == set(picture.graph.touching(number))
    qtbot.mouseClick(page.tools.only_button, Qt.MouseButton.LeftButton)
    assert int(picture.lanes.sum()) == whole


def test_a_cut_graph_says_so_and_how_much_there_is(qtbot, desktop, page):
    total = len(shown(page))
    desktop.window.models.graph.set_limit(10)
    settle(qtbot, desktop)
    assert len(shown(page)) == 10
    assert page._notice.isVisible()
    assert f"10 of {total}" in page._notice.text()
    desktop.window.models.graph.set_limit(150)
    settle(qtbot, desktop)
    assert not page._notice.isVisible()


def test_before_the_graph_is_read_the_page_does_not_say_that_there_is_nothing(qtbot, desktop):
    page = desktop.window.stack.page("graph")  # it has not been shown: nothing is read
    assert page._empty._words.isHidden()
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    assert shown(page)


def test_who_knows_nobody_is_said_by_name(qtbot, desktop, page, memory):
    model = desktop.window.models.graph
    desktop.window.models.viewpoint.view_as("没人认识的人")
    settle(qtbot, desktop)
    assert model.actor == "没人认识的人"
    assert not shown(page)
    assert "没人认识的人" in page._empty._title.text()
