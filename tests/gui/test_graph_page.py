"""The graph: what is drawn, what the list beside it says, and how one moves in it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidgetItem

from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.graph.graph_layout import CLEARANCE, lay_out
from engram_desktop.widgets.graph.graph_scene import blend
from tests.gui.waiting import settle


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    return desktop.window.stack.page("graph")


def middle_of(page, entity_id):
    return page.canvas.mapFromScene(page.scene.nodes[entity_id].pos())


def rows(page):
    return [page.list.topLevelItem(n) for n in range(page.list.topLevelItemCount())]


def test_the_list_holds_what_the_picture_holds(page, desktop):
    graph = desktop.window.models.graph.graph.view
    assert {row.data(0, Qt.ItemDataRole.UserRole) for row in rows(page)} == set(page.scene.nodes)
    assert set(page.scene.nodes) == {e.id for e in graph.entities}
    assert not any(row.childCount() for row in rows(page))  # all of a large graph are too many
    page.list.expandAll()
    told = sum(row.childCount() for row in rows(page))
    page.list.collapseAll()
    page.list.expandAll()
    assert told == sum(row.childCount() for row in rows(page))
    loops = sum(r.src == r.dst for r in graph.relations)
    assert told == 2 * len(graph.relations) - loops


def test_names_are_drawn_never_ids(page):
    for row in rows(page):
        assert row.data(0, Qt.ItemDataRole.UserRole) not in row.text(0)


def test_a_click_selects_and_shows_what_is_known(qtbot, desktop, page):
    entity = desktop.window.models.graph.graph.view.entities[-1]
    qtbot.mouseClick(
        page.canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(page, entity.id)
    )
    settle(qtbot, desktop)
    panel = desktop.window.stack.panel("graph")
    assert panel.fields.name.text() == entity.name
    assert page.list.currentItem().data(0, Qt.ItemDataRole.UserRole) == entity.id
    assert panel._evidence.count() > 0


def test_a_double_click_makes_it_the_centre(qtbot, desktop, page):
    model = desktop.window.models.graph
    entity = model.graph.view.entities[-1]
    qtbot.mouseDClick(
        page.canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(page, entity.id)
    )
    settle(qtbot, desktop)
    assert model.graph.view.center_id == entity.id


def test_evidence_opens_its_event(qtbot, desktop, page):
    model = desktop.window.models.graph
    model.select(model.graph.view.entities[0].id)
    settle(qtbot, desktop)
    card = desktop.window.stack.panel("graph")._evidence.itemAt(0).widget()
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert desktop.window.page == "events"
    assert desktop.window.models.editor.current is not None


def test_the_legend_switches_types_and_says_when_nothing_is_left(qtbot, desktop, page):
    hidden = page.legend["loc"]
    qtbot.mouseClick(hidden, Qt.MouseButton.LeftButton)
    for node in page.scene.nodes.values():
        assert node.isVisible() is (node.entity.type != "loc")
    assert all("Place" not in row.text(0) for row in rows(page))
    for button in page.legend.values():
        button.setChecked(False)
    assert page._empty.isVisible()
    qtbot.mouseClick(page._empty.button, Qt.MouseButton.LeftButton)
    assert not page._empty.isVisible()
    assert all(node.isVisible() for node in page.scene.nodes.values())


def test_search_centres_on_the_hit(qtbot, desktop, page, memory):
    wanted = memory.graph.find_entities(Line.main(desktop.workspace.chat_id), "莉莉丝")[0]
    page.search.setText("莉莉丝")
    settle(qtbot, desktop)
    assert page.matches.isVisible()
    qtbot.keyClick(page.search, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert desktop.window.models.graph.graph.view.center_id == wanted.id
    assert not page.matches.isVisible()


def test_a_name_nobody_has_is_said(qtbot, desktop, page):
    page.search.setText("没有这个人")
    settle(qtbot, desktop)
    item: QListWidgetItem = page.matches.item(0)
    assert item.text() == "No entity has this name"


def test_a_node_stays_where_it_was_put(qtbot, desktop, page):
    nodes = page.scene.nodes.items()
    entity_id = next(i for i, n in nodes if page.canvas.itemAt(middle_of(page, i)) is n)
    start = middle_of(page, entity_id)  # no other node lies over it
    view = page.canvas.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view, start + (view.rect().center() - start) / 2)
    end = view.rect().center()
    qtbot.mouseMove(view, end)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
    settle(qtbot, desktop)
    placed = page.scene.nodes[entity_id].pos()
    desktop.window.models.graph.load()
    settle(qtbot, desktop)
    again = page.scene.nodes[entity_id].pos()
    assert (again.x(), again.y()) == pytest.approx((placed.x(), placed.y()), abs=0.01)


def test_wheel_keys_and_fit_change_the_scale(qtbot, desktop, page):
    page.canvas.setFocus()
    before = page.canvas.transform().m11()
    qtbot.keyClick(page.canvas, Qt.Key.Key_Plus)
    assert page.canvas.transform().m11() > before
    page.fit_button.click()
    assert page.canvas.transform().m11() == pytest.approx(before, rel=0.05)


def test_an_empty_graph_says_why(qtbot, open_desktop, empty_memory):
    desktop = open_desktop(empty_memory)
    page = desktop.window.stack.page("graph")
    assert page.list.topLevelItemCount() == 0
    assert "consolidated" in page._empty._hint.text()


def test_layout_is_the_same_every_time_and_keeps_fixed_places():
    nodes = [f"n{n}" for n in range(40)]
    edges = [(nodes[n], nodes[(n * 7 + 1) % 40]) for n in range(40)]
    fixed = {"n0": (10.0, 20.0), "n5": (300.0, -40.0)}
    first = lay_out(nodes, edges, fixed)
    assert first == lay_out(nodes, edges, fixed)
    assert first["n0"] == (10.0, 20.0)
    assert first["n5"] == (300.0, -40.0)


def test_layout_keeps_names_apart_and_survives_odd_graphs():
    nodes = [f"n{n}" for n in range(60)]
    everything = [(a, b) for a in nodes for b in nodes]
    places = lay_out(nodes, [*everything, ("n0", "gone")], {})
    gaps = [
        ((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5
        for a in nodes
        for b in nodes
        if a < b
    ]
    assert min(gaps) > CLEARANCE / 2
    assert lay_out([], [], {}) == {}
    assert lay_out(["one"], [("one", "one")], {}).keys() == {"one"}


def test_layout_stops_when_it_is_told_to():
    class Stop(Exception):
        pass

    def check():
        raise Stop

    with pytest.raises(Stop):
        lay_out(["a", "b"], [("a", "b")], {}, check)


@pytest.mark.parametrize(
    ("share", "name"), [(1.0, "#ff0000"), (0.0, "#0000ff"), (0.5, "#800080"), (0.25, "#4000bf")]
)
def test_a_colour_is_mixed_of_two_by_their_shares(share, name):
    assert blend(QColor("red"), QColor("blue"), share).name() == name
