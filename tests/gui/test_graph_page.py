"""The graph: what is drawn, what the list beside it says, and how one moves in it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSizeF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListWidgetItem

from engram_desktop.domain.graph.entity import EntityNode, GraphView, Relation
from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.graph.drawn_graph import CLEARANCE, drawn, lay_out
from engram_desktop.widgets.graph.drawing.camera import Camera
from engram_desktop.widgets.graph.drawing.picture import EdgeLines, blend
from tests.gui.waiting import settle


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    return desktop.window.stack.page("graph")


def middle_of(page, entity_id):
    return page.canvas.middle_of(entity_id)


def drawn_nodes(page):
    """Entities that are drawn."""
    picture = page.canvas.picture
    return {e.id: e for n, e in enumerate(picture.graph.entities) if picture.nodes[n]}


def rows(page):
    return [page.list.rows.index(n, 0) for n in range(page.list.rows.rowCount())]


def test_the_list_holds_what_the_picture_holds(page, desktop):
    graph = desktop.window.models.graph.graph.view
    assert {row.data(Qt.ItemDataRole.UserRole) for row in rows(page)} == set(drawn_nodes(page))
    assert set(drawn_nodes(page)) == {e.id for e in graph.entities}
    page.list.expandAll()
    count = page.list.rows.rowCount
    assert all(page.list.rows.hasChildren(row) == (count(row) > 0) for row in rows(page))
    told = sum(count(row) for row in rows(page))
    loops = sum(r.src == r.dst for r in graph.relations)
    assert told == 2 * len(graph.relations) - loops


def test_names_are_drawn_never_ids(page):
    for row in rows(page):
        assert row.data(Qt.ItemDataRole.UserRole) not in row.data()


def test_a_click_selects_and_shows_what_is_known(qtbot, desktop, page):
    entity = desktop.window.models.graph.graph.view.entities[-1]
    qtbot.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=middle_of(page, entity.id))
    settle(qtbot, desktop)
    panel = desktop.window.stack.panel("graph")
    assert panel.fields.name.text() == entity.name
    assert page.list.currentIndex().data(Qt.ItemDataRole.UserRole) == entity.id
    assert panel._evidence.count() > 0


def test_a_double_click_shows_all_of_it_and_with_ctrl_makes_it_the_centre(qtbot, desktop, page):
    model = desktop.window.models.graph
    entity = model.graph.view.entities[-1]
    spot = middle_of(page, entity.id)
    qtbot.mouseDClick(page.canvas, Qt.MouseButton.LeftButton, pos=spot)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert dialog.windowTitle() == entity.name
    dialog.close()
    assert model.graph.view.center_id is None
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.mouseDClick(page.canvas, Qt.MouseButton.LeftButton, control, spot)
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
    assert drawn_nodes(page)
    assert all(entity.type != "loc" for entity in drawn_nodes(page).values())
    assert all("Place" not in row.data() for row in rows(page))
    for button in page.legend.values():
        button.setChecked(False)
    assert page._empty.isVisible()
    qtbot.mouseClick(page._empty.button, Qt.MouseButton.LeftButton)
    assert not page._empty.isVisible()
    assert len(drawn_nodes(page)) == len(page.canvas.picture.graph.entities)


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
    entity_id = next(iter(drawn_nodes(page)))
    start = middle_of(page, entity_id)
    end = QPoint(30, 30)
    qtbot.mousePress(page.canvas, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(page.canvas, start + (end - start) / 2)
    qtbot.mouseMove(page.canvas, end)
    qtbot.mouseRelease(page.canvas, Qt.MouseButton.LeftButton, pos=end)
    settle(qtbot, desktop)
    assert (middle_of(page, entity_id) - end).manhattanLength() <= 4
    graph = desktop.window.models.graph
    placed = graph.graph.places[entity_id]
    graph.load()
    settle(qtbot, desktop)
    assert graph.graph.places[entity_id] == pytest.approx(placed, abs=0.01)
    assert desktop.window.models.undo.undo_text.startswith("Undo: Move")
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert (middle_of(page, entity_id) - start).manhattanLength() <= 4
    desktop.window.models.undo.redo()
    settle(qtbot, desktop)
    assert (middle_of(page, entity_id) - end).manhattanLength() <= 4


def test_wheel_keys_and_fit_change_the_scale(qtbot, desktop, page):
    page.canvas.setFocus()
    before = page.canvas.camera.scale
    qtbot.keyClick(page.canvas, Qt.Key.Key_Plus)
    assert page.canvas.camera.scale > before
    page.fit_button.click()
    assert page.canvas.camera.scale == pytest.approx(before, rel=0.05)


def test_an_empty_graph_says_why(qtbot, open_desktop, empty_memory):
    desktop = open_desktop(empty_memory)
    page = desktop.window.stack.page("graph")
    assert page.list.rows.rowCount() == 0
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


def test_names_never_lie_over_each_other_and_do_not_grow(qtbot, page):
    heights = set()
    for factor in (1.0, 1.6, 1.6, 0.2, 0.5):
        page.canvas.zoom(factor)
        page.canvas.grab()
        boxes = list(page.canvas.names.boxes.values())
        assert boxes
        heights |= {box.height() for box in boxes}
        for number, box in enumerate(boxes):
            assert not any(box.intersects(other) for other in boxes[number + 1 :])
    assert len(heights) == 1


def test_words_of_relations_never_lie_over_names(qtbot, desktop, page):
    graph = desktop.window.models.graph.graph.view
    speaking = next(r for r in graph.relations if r.predicate)
    desktop.window.models.graph.select(speaking.src)
    page.canvas.show_words(True)
    page.canvas.grab()
    assert page.canvas.names.words
    boxes = [*(box for _text, box in page.canvas.names.words), *page.canvas.names.boxes.values()]
    for number, box in enumerate(boxes):
        assert not any(box.intersects(other) for other in boxes[number + 1 :])


def test_a_hover_lights_up_neighbours_and_their_words(qtbot, desktop, page):
    graph = desktop.window.models.graph.graph.view
    speaking = next(r for r in graph.relations if r.predicate)
    desktop.window.models.graph.select(None)
    page.canvas.grab()
    assert not page.canvas.names.words  # only on demand
    plain = page.canvas.grab().toImage()
    qtbot.mouseMove(page.canvas, middle_of(page, speaking.src))
    lit = page.canvas.grab().toImage()
    assert speaking.predicate in " ".join(text for text, _box in page.canvas.names.words)
    assert plain != lit
    qtbot.mouseMove(page.canvas, QPoint(2, 2))
    assert page.canvas.grab().toImage() == plain


def test_arrow_keys_pan_and_ctrl_9_fits_what_is_chosen(qtbot, desktop, page):
    page.canvas.setFocus()
    before = page.canvas.camera
    qtbot.keyClick(page.canvas, Qt.Key.Key_Right)
    assert page.canvas.camera.x > before.x
    qtbot.keyClick(page.canvas, Qt.Key.Key_Down)
    assert page.canvas.camera.y > before.y
    least = min(desktop.window.models.graph.graph.view.entities, key=lambda e: e.degree)
    desktop.window.models.graph.select(least.id)
    qtbot.keyClick(page.canvas, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)
    assert page.canvas.camera.scale > before.scale
    assert page.canvas.rect().contains(middle_of(page, least.id))


def test_what_is_told_both_ways_is_drawn_side_by_side():
    entities = tuple(EntityNode(i, i, "char", degree=3) for i in "ab")
    told = (("a", "爱", "b"), ("b", "恨", "a"), ("a", "信任", "b"))
    relations = tuple(Relation(f"r{n}", *fact) for n, fact in enumerate(told))
    graph = drawn(GraphView("a", entities, relations), {"a": (0.0, 0.0), "b": (200.0, 0.0)})
    at = Camera(QSizeF(400, 400)).to_screen(graph.places)
    lines = EdgeLines(graph, np.arange(3), at, 1.0)
    middles = [lines.point(n, 0.5).y() for n in range(3)]
    assert min(abs(a - b) for a in middles for b in middles if a != b) > 15
    assert len(set(middles)) == 3
    for n in range(3):
        point = lines.point(n, 0.5)
        assert lines.nearest(point.x(), point.y(), 4.0) == n
    assert lines.nearest(0, 0, 4.0) is None
    heads = lines.arrows(np.arange(3))
    assert heads[0].at(0).x() > heads[1].at(0).x()  # each points at the end it leads to
