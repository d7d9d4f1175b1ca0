"""The page of the graph."""

from __future__ import annotations

import html
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from engram_desktop.domain.graph.entity import Around, EntityNode, GraphView, Relation
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.graph.drawn_graph import CLEARANCE, drawn, lay_out
from engram_desktop.viewmodels.graph.entity_editor import RelationRow
from engram_desktop.widgets.graph.entity_sheet import RelationCard
from engram_desktop.widgets.graph.names import NodeLabels
from engram_desktop.widgets.graph.picture import Camera, EdgeLines, Picture, blend
from engram_desktop.widgets.parts.dialogs import QuestionBox
from engram_desktop.widgets.window.message_bar import ViewpointStrip
from tests.gui.waiting import click, open_menu, open_page, press, press_key, resize, settle, undo

# The graph: what is drawn, what the list beside it says, and how one moves in it.


@pytest.fixture
def page(desktop):
    return open_page(desktop, "graph")


def middle_of(page, entity_id):
    """Where a node is on the screen."""
    picture = page.canvas.picture
    node = picture.graph.index[entity_id]
    x, y = page.canvas.camera.to_screen(picture.graph.places[node : node + 1])[0]
    return QPoint(round(float(x)), round(float(y)))


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


def test_a_row_is_a_name_with_the_mark_of_its_kind_which_is_also_spoken(page):
    for row in rows(page):
        assert row.data() == drawn_nodes(page)[row.data(Qt.ItemDataRole.UserRole)].name
        assert not row.data(Qt.ItemDataRole.DecorationRole).isNull()
    kinds = {row.data(Qt.ItemDataRole.AccessibleTextRole).rsplit(", ", 1)[1] for row in rows(page)}
    assert kinds >= {"Character", "Place"}
    assert rows(page)[0].data(Qt.ItemDataRole.ToolTipRole).startswith(rows(page)[0].data())


def test_a_relation_is_read_in_its_direction_wherever_it_is_shown(desktop, page):
    relation = Relation("r", "a", "父亲是", "b")
    onward = RelationRow(relation, "b", "维克多", is_outgoing=True, here="爱丽丝")
    back = RelationRow(relation, "a", "爱丽丝", is_outgoing=False, here="维克多")
    assert onward.fact == back.fact == back.text == "爱丽丝 — 父亲是 → 维克多"
    assert onward.text == "父亲是 → 维克多"
    after_a_name = replace(onward, relation=replace(relation, predicate="的父亲是"))
    assert after_a_name.fact == onward.fact
    assert after_a_name.text == onward.text
    ends = (EntityNode("a", "爱丽丝", "char"), EntityNode("b", "维克多", "char"))
    places = {"a": (0.0, 0.0), "b": (1.0, 1.0)}
    assert drawn(GraphView(None, ends, (after_a_name.relation,)), places).words(0) == "父亲是"
    for opened in (desktop.window.dialogs.graph.open_end, desktop.window.dialogs.graph.open_reword):
        opened(back)
        settle(desktop)
        assert desktop.window.dialogs.shown[-1].fact.text() == back.fact


def test_no_name_stands_on_the_line_of_a_relation_while_it_has_another_place(desktop):
    """马洛 lies on the line from 凯尔 to 旅人: below the mark is the line, beside it is room."""
    names = ("凯尔", "马洛", "旅人")
    people = tuple(EntityNode(name, name, "char") for name in names)
    view = GraphView(None, people, (Relation("r", names[0], "对话", names[2]),))
    graph = drawn(view, {name: (0, y) for name, y in zip(names, (-200, 0, 200), strict=True)})
    picture = Picture(desktop.look)
    picture.show(graph, np.ones(3, dtype=np.bool_), np.ones(len(graph.lanes), dtype=np.bool_))
    labels = NodeLabels(desktop.look, picture)
    labels.place(Camera(QSizeF(600, 600), 0, 0, 1.0), (), is_moving=False)
    boxes = {graph.entities[node].name: box for node, box in labels.boxes.items()}
    assert set(boxes) == set(names)
    assert all(not box.left() < 300 < box.right() for box in (boxes["凯尔"], boxes["马洛"]))
    assert boxes["旅人"].center().x() == pytest.approx(300)  # nothing leads on below it


def test_names_are_drawn_never_ids(page):
    for row in rows(page):
        assert row.data(Qt.ItemDataRole.UserRole) not in row.data()


def test_a_click_selects_and_shows_what_is_known(qtbot, desktop, page):
    entity = desktop.window.models.graph.graph.view.entities[-1]
    qtbot.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=middle_of(page, entity.id))
    settle(desktop)
    panel = desktop.window.stack.panel("graph")
    assert panel.fields.name.text() == entity.name
    assert page.list.currentIndex().data(Qt.ItemDataRole.UserRole) == entity.id
    assert panel.parts.evidence.cards.count() > 0


def test_a_double_click_shows_all_of_it_and_with_ctrl_makes_it_the_centre(qtbot, desktop, page):
    model = desktop.window.models.graph
    entity = model.graph.view.entities[-1]
    spot = middle_of(page, entity.id)
    qtbot.mouseDClick(page.canvas, Qt.MouseButton.LeftButton, pos=spot)
    settle(desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert dialog.windowTitle() == entity.name
    dialog.close()
    assert model.graph.view.center_id is None
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.mouseDClick(page.canvas, Qt.MouseButton.LeftButton, control, spot)
    settle(desktop)
    assert model.graph.view.center_id == entity.id


def test_evidence_opens_its_event(desktop, page):
    model = desktop.window.models.graph
    model.select(model.graph.view.entities[0].id)
    settle(desktop)
    card = desktop.window.stack.panel("graph").parts.evidence.cards.itemAt(0).widget()
    click(desktop, card)
    assert desktop.window.page == "events"
    assert desktop.window.models.editor.current is not None


def test_the_legend_switches_types_and_says_when_nothing_is_left(qtbot, page):
    hidden = page.legend["loc"]
    qtbot.mouseClick(hidden, Qt.MouseButton.LeftButton)
    assert drawn_nodes(page)
    assert all(entity.type != "loc" for entity in drawn_nodes(page).values())
    spoken = [row.data(Qt.ItemDataRole.AccessibleTextRole) for row in rows(page)]
    assert all("Place" not in text for text in spoken)
    for button in page.legend.values():
        button.setChecked(False)
    assert page.empty.isVisible()
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert not page.empty.isVisible()
    assert len(drawn_nodes(page)) == len(page.canvas.picture.graph.entities)


def test_a_node_stays_where_it_was_put(qtbot, desktop, page):
    entity_id = next(iter(drawn_nodes(page)))
    start = middle_of(page, entity_id)
    end = QPoint(30, 30)
    qtbot.mousePress(page.canvas, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(page.canvas, start + (end - start) / 2)
    qtbot.mouseMove(page.canvas, end)
    qtbot.mouseRelease(page.canvas, Qt.MouseButton.LeftButton, pos=end)
    settle(desktop)
    assert (middle_of(page, entity_id) - end).manhattanLength() <= 4
    graph = desktop.window.models.graph
    placed = graph.graph.places[entity_id]
    graph.load()
    settle(desktop)
    assert graph.graph.places[entity_id] == pytest.approx(placed, abs=0.01)
    assert desktop.window.models.undo.undo_text.startswith("Undo: Move")
    undo(desktop)
    assert (middle_of(page, entity_id) - start).manhattanLength() <= 4
    desktop.window.models.undo.redo()
    settle(desktop)
    assert (middle_of(page, entity_id) - end).manhattanLength() <= 4


def test_wheel_keys_and_fit_change_the_scale(qtbot, page):
    page.canvas.setFocus()
    before = page.canvas.camera.scale
    qtbot.keyClick(page.canvas, Qt.Key.Key_Plus)
    assert page.canvas.camera.scale > before
    page.fit_button.click()
    assert page.canvas.camera.scale == pytest.approx(before, rel=0.05)


def test_an_empty_graph_says_why(open_desktop, empty_memory):
    desktop = open_desktop(empty_memory)
    page = desktop.window.stack.page("graph")
    assert page.list.rows.rowCount() == 0
    assert "consolidated" in page.empty._hint.text()


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


def test_names_never_lie_over_each_other_and_do_not_grow(page):
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


def test_words_of_relations_never_lie_over_names(desktop, page):
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
    points = lines.points(0.5).tolist()
    middles = [y for _x, y in points]
    assert min(abs(a - b) for a in middles for b in middles if a != b) > 15
    assert len(set(middles)) == 3
    for n, (x, y) in enumerate(points):
        assert lines.nearest(x, y, 4.0) == n
    assert lines.nearest(0, 0, 4.0) is None
    heads = lines.arrows(np.arange(3))
    assert heads[0].at(0).x() > heads[1].at(0).x()  # each points at the end it leads to


# What one does with the graph: play it, filter it, find ways, merge by hand, write it to files.


@pytest.fixture
def model(desktop):
    return desktop.window.models.graph


def names(model):
    return {e.name: e.id for e in model.graph.view.entities}


def shown(page):
    picture = page.canvas.picture
    return {e.name for n, e in enumerate(picture.graph.entities) if picture.nodes[n]}


def memory_rows(desktop):
    """Relations that the panel beside the graph shows."""
    cards = desktop.window.stack.panel("graph").relations.findChildren(RelationCard)
    return [card._row for card in cards if card.isVisible()]


def drag(qtbot, page, start, end):
    qtbot.mousePress(page.canvas, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(page.canvas, start + (end - start) / 2)
    qtbot.mouseMove(page.canvas, end)
    qtbot.mouseRelease(page.canvas, Qt.MouseButton.LeftButton, pos=end)


def actions(menu: QMenu):
    return {action.text().split("\t")[0]: action for action in menu.actions()}


def menu_at(page, spot):
    page.canvas.customContextMenuRequested.emit(spot)
    return open_menu()


def test_the_slider_shows_the_graph_as_it_was_known_then(desktop, page, model, memory):
    everybody = shown(page)
    assert page.time_bar.slider.maximum() == 158
    page.time_bar.slider.setValue(20)
    settle(desktop)
    then = shown(page)
    assert then < everybody
    line = Line.main(desktop.workspace.chat_id)
    for entity in model.graph.view.entities:
        ends = [e.source_range.end_index for e in memory.graph.entity_events(line, entity.id)]
        assert min(ends) <= 20
    assert page.time_bar.text.text() == "20 / 158"
    told = [row.relation.valid_from for row in memory_rows(desktop)]
    assert all(floor is None or floor <= 20 for floor in told)
    before = dict(model.graph.places)
    press(desktop, page.time_bar.now_button)
    assert shown(page) == everybody
    assert all(model.graph.places[i] == before[i] for i in before)  # the map stays put


def test_play_goes_forward_and_stops_at_the_end(qtbot, desktop, page, model):
    seen = []
    model.graph_changed.connect(lambda graph: seen.append(len(graph.view.entities)))
    model.time._next.setInterval(1)
    qtbot.mouseClick(page.time_bar.play_button, Qt.MouseButton.LeftButton)
    assert page.time_bar.play_button.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: len(seen) >= 4, timeout=30_000)
    click(desktop, page.time_bar.play_button)
    assert seen[0] < seen[-1] or seen == sorted(seen)
    paused_at = page.time_bar.slider.value()
    assert 0 < paused_at < 158
    page.time_bar.slider.setValue(155)
    settle(desktop)
    qtbot.mouseClick(page.time_bar.play_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not model.time.is_playing, timeout=30_000)
    assert page.time_bar.slider.value() == 158


def test_before_anything_was_told_the_page_says_so(desktop, page):
    page.time_bar.slider.setValue(0)
    settle(desktop)
    if not shown(page):
        assert "Up to floor 0" in page.empty._hint.text()
    else:
        assert len(shown(page)) < 8


def test_filters_by_degree_and_relation(qtbot, page):
    qtbot.mouseClick(page.tools.filter_button, Qt.MouseButton.LeftButton)
    assert page.filters.isVisible()
    everybody = shown(page)
    page.filters.degree.setValue(2)
    assert shown(page) < everybody
    assert "filtered out" in page._notice.text()
    page.filters.degree.setValue(99)
    assert page.empty.isVisible()
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    assert shown(page) == everybody
    lanes = int(page.canvas.picture.lanes.sum())
    page.filters.predicate.setCurrentIndex(1)
    page.filters.predicate.activated.emit(1)
    assert 0 < int(page.canvas.picture.lanes.sum()) < lanes


def test_ctrl_click_shows_the_way_between_two(qtbot, desktop, page, model):
    ids = names(model)
    model.select(ids["医学院"])
    spot = middle_of(page, ids["灯塔"])
    qtbot.mouseClick(
        page.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, spot
    )
    settle(desktop)
    assert page._path_bar.isVisible()
    assert page._path_text.text().startswith("医学院")
    assert page._path_text.text().endswith("灯塔")
    assert page.canvas.path is not None
    qtbot.mouseClick(page.path_close, Qt.MouseButton.LeftButton)
    assert not page._path_bar.isVisible()
    assert page.canvas.path is None


def test_a_node_dropped_on_another_is_merged_after_a_question(qtbot, desktop, page, model):
    ids = names(model)
    source, target = ids["码头"], ids["海滩"]
    place = model.graph.places[source]
    drag(qtbot, page, middle_of(page, source), middle_of(page, target))
    box = page.findChild(QuestionBox)
    assert "码头" in box.text()
    assert "海滩" in box.text()
    click(desktop, box.keep_button)
    assert model.graph.places[source] == place  # as if nothing had been touched
    assert {"码头", "海滩"} <= shown(page)
    drag(qtbot, page, middle_of(page, source), middle_of(page, target))
    click(desktop, next(b for b in page.findChildren(QuestionBox) if b.isVisible()).destroy_button)
    assert "码头" not in shown(page)
    assert model.entity.id == target  # the survivor is selected
    assert desktop.window.message_bar.bars
    undo(desktop)
    assert "码头" in shown(page)


def test_every_menu_of_the_canvas_does_what_it_says(desktop, page, model):
    ids = names(model)
    model.select(ids["旅人"])
    menu = menu_at(page, middle_of(page, ids["莉莉丝"]))
    entries = actions(menu)
    assert "Path from 旅人" in entries
    entries["Put in the centre"].trigger()
    menu.close()
    settle(desktop)
    assert model.graph.view.center_id == ids["莉莉丝"]
    plane = menu_at(page, QPoint(3, 3))
    entries = actions(plane)
    entries["Back to the most connected entity"].trigger()
    plane.close()
    settle(desktop)
    assert model.graph.view.center_id is None
    graph, canvas = page.canvas.picture.graph, page.canvas

    def middle(lane):
        ends = [middle_of(page, graph.entities[n[lane]].id) for n in (graph.src, graph.dst)]
        return (ends[0] + ends[1]) / 2

    told = [n for n in range(len(graph.lanes)) if not graph.is_met[n]]

    def is_free(lane):
        """Where it is laid out today, another line or an entity may lie over its middle."""
        at, picture = QPointF(middle(lane)), canvas.picture
        is_here = picture.lane_at(canvas.camera, at) == lane
        return is_here and picture.node_at(canvas.camera, at) is None

    line = menu_at(page, middle(next(n for n in told if is_free(n))))
    assert {"Reword…", "Delete", "Read the floors that state it"} <= set(actions(line))
    actions(line)["Delete"].trigger()
    line.close()
    settle(desktop)
    assert page.canvas.picture.graph.words(0) is not None
    undo(desktop)


def test_a_layout_can_be_stopped_and_goes_on_and_its_places_are_kept(
    qtbot, desktop, page, model, memory
):
    before = dict(model.graph.places)
    page.tools.arrange_button.click()
    assert page.tools.arrange_button.accessibleName() == "Stop the layout"
    qtbot.waitUntil(lambda: model.graph.places != before, timeout=20_000)
    if model.layout.is_running:
        page.tools.arrange_button.click()
        ended = "Lay out again"  # its last step may have been under way
        assert page.tools.arrange_button.accessibleName() in {"Go on with the layout", ended}
        page.tools.arrange_button.click()
    qtbot.waitUntil(lambda: not model.layout.is_running, timeout=20_000)
    settle(desktop)
    places = dict(model.graph.places)
    kept = {
        e.id: (e.layout_x, e.layout_y)
        for e in memory.graph.find_entities(Line.main(desktop.workspace.chat_id))
    }
    assert all(kept[i] == pytest.approx(place) for i, place in places.items())
    model.load()
    settle(desktop)
    assert all(model.graph.places[i] == pytest.approx(place) for i, place in places.items())


def test_the_graph_is_written_as_png_svg_and_graphml(qtbot, desktop, page, tmp_path, monkeypatch):
    export = page._export
    for name, act in (
        ("图.png", export.save_png),
        ("图.svg", export.save_svg),
        ("图.graphml", export.save_graphml),
    ):
        file = tmp_path / name
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *_a, file=file, **_k: (str(file), "")
        )
        act()
        qtbot.waitUntil(file.exists, timeout=20_000)
        settle(desktop)
    assert QImage(str(tmp_path / "图.png")).width() > 400
    assert "<svg" in (tmp_path / "图.svg").read_text("utf-8")
    assert "旅人" in html.unescape((tmp_path / "图.graphml").read_text("utf-8"))
    assert {f.name for f in tmp_path.iterdir() if f.name.startswith(".")} == set()


@pytest.mark.parametrize(
    ("act", "ending"), [("save_png", "png"), ("save_svg", "svg"), ("save_graphml", "graphml")]
)
def test_a_graph_that_cannot_be_written_is_no_bug_and_a_dot_in_its_name_no_ending(
    qtbot, desktop, page, tmp_path, monkeypatch, act, ending
):
    names = iter([tmp_path / "gone" / "图", tmp_path / "第1.5章"])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(next(names)), ""))
    getattr(page._export, act)()
    bars = desktop.window.message_bar
    qtbot.waitUntil(lambda: [bar.notice.kind for bar in bars.bars] == ["error"])
    assert "No such file or directory" in bars.bars[0].notice.text
    assert not desktop.window.dialogs.shown, "no report of a bug"
    getattr(page._export, act)()
    qtbot.waitUntil((tmp_path / f"第1.5章.{ending}").exists)
    settle(desktop)


def test_tools_never_overlap_and_the_list_stands_back_on_a_small_page(qtbot, desktop, page):
    resize(desktop, 900, 600)
    qtbot.waitUntil(lambda: not page.list.isVisible())
    parts = [w for w in page.tools.children() if isinstance(w, QWidget) and w.isVisible()]
    for number, part in enumerate(parts):
        assert not any(part.geometry().intersects(o.geometry()) for o in parts[number + 1 :])
    qtbot.waitUntil(lambda: page.canvas.width() >= 300)
    page.tools.list_button.click()
    assert page.list.isVisible()


def test_the_overview_shows_what_is_seen_and_goes_there(qtbot, desktop, page):
    resize(desktop, 1440, 900)
    for _ in range(6):
        page.canvas.zoom(1.2)
    settle(desktop)
    assert page.mini_map.isVisible()
    before = page.canvas.camera
    qtbot.mouseClick(page.mini_map, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert page.canvas.camera.x < before.x
    assert page.canvas.camera.y < before.y


def test_hops_show_more_or_fewer_around_the_centre(desktop, page, model):
    model.recenter(names(model)["汤圆"])
    settle(desktop)
    page.hops.setValue(1)
    settle(desktop)
    near = shown(page)
    page.hops.setFocus()
    press_key(desktop, page.hops, Qt.Key.Key_Right)
    assert near < shown(page)
    assert "汤圆" in near


# What of the graph is seen: as somebody, as of a floor, only the selection; and why none of it.


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
    settle(desktop)
    assert strip.isVisible()
    assert "莉莉丝" in strip._text.toolTip() + strip._text.accessibleName() + strip._text.text()
    as_known = shown(page)
    assert as_known == known(desktop, "莉莉丝", None) < everybody
    assert page.time_bar.isVisible()
    page.time_bar.slider.setValue(60)
    settle(desktop)
    then = shown(page)
    assert then == known(desktop, "莉莉丝", 60)
    assert then <= known(desktop, "", 60)
    assert then < as_known
    page.time_bar.slider.setValue(0)
    settle(desktop)
    if not shown(page):
        assert "Up to floor 0" in page.empty._hint.text()
    qtbot.mouseClick(strip.back_button, Qt.MouseButton.LeftButton)
    press(desktop, page.time_bar.now_button)
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


def test_a_cut_graph_says_so_and_how_much_there_is(desktop, page):
    total = len(shown(page))
    desktop.window.models.graph.set_limit(10)
    settle(desktop)
    assert len(shown(page)) == 10
    assert page._notice.isVisible()
    assert f"10 of {total}" in page._notice.text()
    desktop.window.models.graph.set_limit(150)
    settle(desktop)
    assert not page._notice.isVisible()


def test_before_the_graph_is_read_the_page_does_not_say_that_there_is_nothing(desktop):
    page = desktop.window.stack.page("graph")  # it has not been shown: nothing is read
    assert page.empty._words.isHidden()
    open_page(desktop, "graph")
    assert shown(page)


def test_who_knows_nobody_is_said_by_name(desktop, page):
    model = desktop.window.models.graph
    desktop.window.models.viewpoint.view_as("没人认识的人")
    settle(desktop)
    assert model.actor == "没人认识的人"
    assert not shown(page)
    assert "没人认识的人" in page.empty._title.text()


def test_a_narrow_page_keeps_what_is_rarely_used_in_its_menu(desktop, page):
    tools = page.tools
    resize(desktop, 900, 600)
    assert not tools.words_button.isVisible()
    page.menu.aboutToShow.emit()
    action = next(a for a in page.menu.actions() if a.text() == tools.words_button.text())
    action.trigger()
    assert page.canvas.are_words_shown
    assert tools.words_button.isChecked()
    resize(desktop, 1440, 900)
    assert tools.words_button.isVisible()


def test_a_graph_that_is_shown_again_is_not_drawn_anew(qtbot, desktop, page):
    canvas = page.canvas
    qtbot.wait(200)  # it is fitted, and moves there, in turns of its own
    canvas.repaint()
    drawn_before, size = canvas._frame, canvas.size()
    desktop.window.show_page("findings")  # it has no panel: the page is wider meanwhile
    settle(desktop)
    open_page(desktop, "graph")
    qtbot.waitUntil(lambda: canvas.size() == size)
    canvas.repaint()
    assert canvas._frame is drawn_before
    canvas.zoom(1.5)
    canvas.repaint()
    assert canvas._frame is not drawn_before
