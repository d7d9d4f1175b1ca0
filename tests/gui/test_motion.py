"""What opens and closes is seen to move; it is done at once, and off it is only done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest

from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.graph.graph_page import GraphPage
from engram_desktop.widgets.parts.layouts import Fold
from engram_desktop.widgets.parts.look import DURATION_MS, Curtain
from tests.gui.waiting import settle


@pytest.fixture
def moving(desktop, qtbot, memory):
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.motion", "on"))
    qtbot.waitUntil(lambda: desktop.look.motion.is_on, timeout=20_000)
    settle(qtbot, desktop)
    return desktop


def curtains(desktop):
    return [one for one in desktop.window.findChildren(Curtain) if one.isVisible()]


def test_nothing_moves_where_there_is_no_screen_and_nobody_asked(desktop):
    assert not desktop.look.motion.is_on
    desktop.window.top.panel_button.click()
    assert not curtains(desktop)
    desktop.look.motion.choice = "off"
    assert not desktop.look.motion.is_on


def test_the_panel_is_hidden_at_once_and_seen_to_slide(qtbot, moving):
    window = moving.window
    place = window.panel.geometry()
    window.top.panel_button.click()
    assert window.panel.isHidden()
    (curtain,) = curtains(moving)
    assert curtain.size() == place.size()
    was = curtain.grab().toImage()
    qtbot.wait(DURATION_MS // 2)
    assert curtain.grab().toImage() != was
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    window.top.panel_button.click()
    assert window.panel.isVisible()
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    assert window.panel.geometry() == place


def test_a_panel_turned_twice_quickly_is_where_it_was(qtbot, moving):
    window = moving.window
    place = window.panel.geometry()
    window.top.panel_button.click()
    window.top.panel_button.click()
    assert window.panel.isVisible()
    assert len(curtains(moving)) == 1
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    assert window.panel.geometry() == place


def test_keys_and_the_focus_work_while_it_moves(qtbot, moving):
    window = moving.window
    window.event_page.search.setFocus()
    window.top.panel_button.click()
    assert curtains(moving)
    QTest.keyClicks(window.event_page.search, "abc")
    assert window.event_page.search.hasFocus()
    assert window.event_page.search.text() == "abc"
    QTest.keyClick(window.event_page.search, Qt.Key.Key_Escape)
    assert window.event_page.search.text() == ""
    settle(qtbot, moving)


def test_a_fold_opens_and_closes(qtbot, moving):
    window = moving.window
    window.show_page("graph")
    settle(qtbot, moving)
    fold = window.panel.findChildren(Fold)[0]
    window.models.graph.select(window.models.graph.graph.view.entities[0].id)
    settle(qtbot, moving)
    is_open = fold.inner.isVisible()
    for _ in range(3):
        fold.head.click()
        is_open = not is_open
        assert fold.inner.isVisible() == is_open
        assert curtains(moving)
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)


def test_a_message_fades_in_and_out(qtbot, moving):
    bar = moving.window.message_bar
    moving.workspace.messages.show(Notice("info", "One"))
    assert bar.isVisible()
    assert curtains(moving)
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)
    bar.bars[-1].close_button.click()
    assert not bar.isVisible()
    assert curtains(moving)
    qtbot.waitUntil(lambda: not curtains(moving), timeout=5_000)


def test_the_graph_glides_to_where_everything_is_seen_and_a_hand_takes_over(qtbot, moving):
    window = moving.window
    window.show_page("graph")
    settle(qtbot, moving)
    page = window.stack.page_as("graph", GraphPage)
    canvas = page.canvas
    qtbot.wait(2 * DURATION_MS)
    target = canvas.camera
    canvas.zoom(3.0)
    canvas.pan(400, 0)
    far = canvas.camera
    page.findChild(QShortcut, "graph.fit").activated.emit()
    assert canvas.camera in (far, far.towards(target, 0.0))
    qtbot.waitUntil(lambda: canvas.camera == target, timeout=5_000)
    canvas.pan(400, 0)
    canvas.fit()
    qtbot.wait(DURATION_MS // 3)
    canvas.zoom(2.0)
    held = canvas.camera
    qtbot.wait(2 * DURATION_MS)
    assert canvas.camera == held


def test_without_motion_the_graph_is_fitted_at_once(qtbot, desktop):
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    canvas = desktop.window.stack.page_as("graph", GraphPage).canvas
    canvas.fit()
    target = canvas.camera
    canvas.zoom(3.0)
    canvas.fit()
    assert canvas.camera == target
