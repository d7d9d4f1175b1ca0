"""What one does with the graph: play it, filter it, find ways, merge by hand, write it to files."""

import html

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QWidget

from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.graph.entity_sheet import RelationCard
from engram_desktop.widgets.parts.dialogs import QuestionBox
from tests.gui.waiting import settle


@pytest.fixture
def page(qtbot, desktop):
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    return desktop.window.stack.page("graph")


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


def menu_at(qtbot, page, spot):
    page.canvas.customContextMenuRequested.emit(spot)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def test_the_slider_shows_the_graph_as_it_was_known_then(qtbot, desktop, page, model, memory):
    everybody = shown(page)
    assert page.time_bar.slider.maximum() == 158
    page.time_bar.slider.setValue(20)
    settle(qtbot, desktop)
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
    qtbot.mouseClick(page.time_bar.now_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert shown(page) == everybody
    assert all(model.graph.places[i] == before[i] for i in before)  # the map stays put


def test_play_goes_forward_and_stops_at_the_end(qtbot, desktop, page, model):
    seen = []
    model.graph_changed.connect(lambda graph: seen.append(len(graph.view.entities)))
    model.time._next.setInterval(1)
    qtbot.mouseClick(page.time_bar.play_button, Qt.MouseButton.LeftButton)
    assert page.time_bar.play_button.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: len(seen) >= 4, timeout=30_000)
    qtbot.mouseClick(page.time_bar.play_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert seen[0] < seen[-1] or seen == sorted(seen)
    paused_at = page.time_bar.slider.value()
    assert 0 < paused_at < 158
    page.time_bar.slider.setValue(155)
    settle(qtbot, desktop)
    qtbot.mouseClick(page.time_bar.play_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not model.time.is_playing, timeout=30_000)
    assert page.time_bar.slider.value() == 158


def test_before_anything_was_told_the_page_says_so(qtbot, desktop, page, memory):
    page.time_bar.slider.setValue(0)
    settle(qtbot, desktop)
    if not shown(page):
        assert "Up to floor 0" in page._empty._hint.text()
    else:
        assert len(shown(page)) < 8


def test_filters_by_degree_and_relation(qtbot, desktop, page):
    qtbot.mouseClick(page.tools.filter_button, Qt.MouseButton.LeftButton)
    assert page.filters.isVisible()
    everybody = shown(page)
    page.filters.degree.setValue(2)
    assert shown(page) < everybody
    assert "filtered out" in page._notice.text()
    page.filters.degree.setValue(99)
    assert page._empty.isVisible()
    qtbot.mouseClick(page._empty.button, Qt.MouseButton.LeftButton)
    assert shown(page) == everybody
    lanes = int(page.canvas.picture.lanes.sum())
    page.filters.predicate.setCurrentIndex(1)
    page.filters.predicate.activated.emit(1)
    assert 0 < int(page.canvas.picture.lanes.sum()) < lanes


def test_ctrl_click_shows_the_way_between_two(qtbot, desktop, page, model):
    ids = names(model)
    model.select(ids["医学院"])
    spot = page.canvas.middle_of(ids["灯塔"])
    qtbot.mouseClick(
        page.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, spot
    )
    settle(qtbot, desktop)
    assert page._path_bar.isVisible()
    assert page._path_text.text().startswith("医学院")
    assert page._path_text.text().endswith("灯塔")
    assert page.canvas.path is not None
    qtbot.mouseClick(page.path_close, Qt.MouseButton.LeftButton)
    assert not page._path_bar.isVisible()
    assert page.canvas.path is None


def test_a_node_dropped_on_another_is_merged_after_a_question(qtbot, desktop, page, model, memory):
    ids = names(model)
    source, target = ids["码头"], ids["海滩"]
    place = model.graph.places[source]
    drag(qtbot, page, page.canvas.middle_of(source), page.canvas.middle_of(target))
    box = page.findChild(QuestionBox)
    assert "码头" in box.text()
    assert "海滩" in box.text()
    box.keep_button.click()
    settle(qtbot, desktop)
    assert model.graph.places[source] == place  # as if nothing had been touched
    assert {"码头", "海滩"} <= shown(page)
    drag(qtbot, page, page.canvas.middle_of(source), page.canvas.middle_of(target))
    next(b for b in page.findChildren(QuestionBox) if b.isVisible()).destroy_button.click()
    settle(qtbot, desktop)
    assert "码头" not in shown(page)
    assert model.entity.id == target  # the survivor is selected
    assert desktop.window.message_bar.bars
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert "码头" in shown(page)


def test_every_menu_of_the_canvas_does_what_it_says(qtbot, desktop, page, model):
    ids = names(model)
    model.select(ids["旅人"])
    menu = menu_at(qtbot, page, page.canvas.middle_of(ids["莉莉丝"]))
    entries = actions(menu)
    assert "Path from 旅人" in entries
    entries["Put in the centre"].trigger()
    menu.close()
    settle(qtbot, desktop)
    assert model.graph.view.center_id == ids["莉莉丝"]
    plane = menu_at(qtbot, page, QPoint(3, 3))
    entries = actions(plane)
    entries["Back to the most connected entity"].trigger()
    plane.close()
    settle(qtbot, desktop)
    assert model.graph.view.center_id is None
    graph, canvas = page.canvas.picture.graph, page.canvas

    def middle(lane):
        ends = [canvas.middle_of(graph.entities[n[lane]].id) for n in (graph.src, graph.dst)]
        return (ends[0] + ends[1]) / 2

    told = [n for n in range(len(graph.lanes)) if not graph.is_met[n]]

    def is_free(lane):
        """Where it is laid out today, another line or an entity may lie over its middle."""
        at, picture = QPointF(middle(lane)), canvas.picture
        is_here = picture.lane_at(canvas.camera, at) == lane
        return is_here and picture.node_at(canvas.camera, at) is None

    line = menu_at(qtbot, page, middle(next(n for n in told if is_free(n))))
    assert {"Reword…", "Delete", "Read where it is told"} <= set(actions(line))
    actions(line)["Delete"].trigger()
    line.close()
    settle(qtbot, desktop)
    assert page.canvas.picture.graph.words(0) is not None
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)


def test_a_layout_can_be_stopped_and_goes_on_and_its_places_are_kept(
    qtbot, desktop, page, model, memory
):
    before = dict(model.graph.places)
    page.tools.arrange_button.click()
    assert page.tools.arrange_button.accessibleName() == "Stop the layout"
    qtbot.waitUntil(lambda: model.graph.places != before, timeout=20_000)
    if model.layout.is_running:
        page.tools.arrange_button.click()
        assert page.tools.arrange_button.accessibleName() == "Go on with the layout"
        page.tools.arrange_button.click()
    qtbot.waitUntil(lambda: not model.layout.is_running, timeout=20_000)
    settle(qtbot, desktop)
    places = dict(model.graph.places)
    kept = {
        e.id: (e.layout_x, e.layout_y)
        for e in memory.graph.find_entities(Line.main(desktop.workspace.chat_id))
    }
    assert all(kept[i] == pytest.approx(place) for i, place in places.items())
    model.load()
    settle(qtbot, desktop)
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
        settle(qtbot, desktop)
    assert QImage(str(tmp_path / "图.png")).width() > 400
    assert "<svg" in (tmp_path / "图.svg").read_text("utf-8")
    assert "旅人" in html.unescape((tmp_path / "图.graphml").read_text("utf-8"))
    assert {f.name for f in tmp_path.iterdir() if f.name.startswith(".")} == set()


def test_tools_never_overlap_and_the_list_stands_back_on_a_small_page(qtbot, desktop, page):
    desktop.window.resize(900, 600)
    settle(qtbot, desktop)
    qtbot.waitUntil(lambda: not page.list.isVisible())
    parts = [w for w in page.tools.children() if isinstance(w, QWidget) and w.isVisible()]
    for number, part in enumerate(parts):
        assert not any(part.geometry().intersects(o.geometry()) for o in parts[number + 1 :])
    qtbot.waitUntil(lambda: page.canvas.width() >= 300)
    page.tools.list_button.click()
    assert page.list.isVisible()


def test_the_overview_shows_what_is_seen_and_goes_there(qtbot, desktop, page):
    desktop.window.resize(1440, 900)
    settle(qtbot, desktop)
    for _ in range(6):
        page.canvas.zoom(1.2)
    settle(qtbot, desktop)
    assert page.mini_map.isVisible()
    before = page.canvas.camera
    qtbot.mouseClick(page.mini_map, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert page.canvas.camera.x < before.x
    assert page.canvas.camera.y < before.y


def test_hops_show_more_or_fewer_around_the_centre(qtbot, desktop, page, model):
    model.recenter(names(model)["汤圆"])
    settle(qtbot, desktop)
    page.hops.setValue(1)
    settle(qtbot, desktop)
    near = shown(page)
    page.hops.setFocus()
    qtbot.keyClick(page.hops, Qt.Key.Key_Right)
    settle(qtbot, desktop)
    assert near < shown(page)
    assert "汤圆" in near
