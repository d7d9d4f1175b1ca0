"""Every page and dialog of the program by keyboard and screen reader: names, order, scaling."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QWidget,
)

from engram_desktop.widgets.parts.cards import LiveCard
from tests.gui.cut_texts import faults
from tests.gui.hands_on import kinds_of_cards, not_said, tab_chain
from tests.gui.places import a_relation, choose_something, open_dialog, places, turn_tabs
from tests.gui.waiting import DEMO, commit, open_page, press_key, resize, settle, show_chat
from tests.inbox_story import fill_inbox
from tests.programs import run_program


@pytest.mark.timeout(120)
def test_every_kind_of_card_is_a_button_with_a_name(qtbot, open_desktop, memory, tmp_path):
    memory.settings.set("auto.enabled", value=False)
    story = memory.chats.all()[0].chat_id
    filled = fill_inbox(memory, tmp_path)
    desktop = open_desktop(memory)
    show_chat(desktop, story)
    window = desktop.window
    seen: set[type[QWidget]] = set()
    faulty: set[tuple[object, ...]] = set()

    def look_at(page):
        open_page(desktop, page)
        choose_something(window)
        settle(desktop)
        faulty.update(not_said(page, window, seen))

    a_relation(qtbot, desktop)
    look_at("graph")
    dialog = open_dialog(qtbot, desktop, "entity")
    faulty.update(not_said("entity", dialog, seen))
    dialog.close()
    look_at("recall")
    recall = window.stack.page("recall")
    commit(recall.question, "铜钥匙能打开什么？")
    recall.ask()
    qtbot.waitUntil(lambda: bool(recall.cards), timeout=20_000)
    for number in range(recall.results.pages.count()):
        recall.results.show_page(number)
        look_at("recall")
    for _tab in turn_tabs(window):
        look_at("recall")
    show_chat(desktop, filled)
    look_at("overview")
    for name in ("findings", "inbox"):
        window.show_page(name)
        page = window.stack.page(name)
        qtbot.waitUntil(lambda p=page: p.view.model().rowCount() > 0, timeout=20_000)
        page.view.show_row(0)
        qtbot.waitUntil(lambda p=page: any(c.isVisible() for c in p.findChildren(LiveCard)))
        look_at(name)
    assert faulty == set()
    assert kinds_of_cards() - seen == set()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_card_is_reached_by_tab_and_opened_by_enter_and_space(qtbot, desktop, key):
    window = desktop.window
    page = open_page(desktop, "overview")
    cards = [card for card in tab_chain(page) if isinstance(card, LiveCard)]
    assert len(cards) > 5
    before = tab_chain(window)[tab_chain(window).index(cards[0]) - 1]
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is cards[0]
    press_key(desktop, cards[0], key)
    assert window.page != "overview"


# At 200 % nothing is cut and nothing sticks out of its window, on a screen of 1366 × 768.

INSIDE = "ENGRAM_SCALED_INSIDE"
ROOM = (1366, 768)  # as the program counts: twice as many pixels


@pytest.mark.skipif(os.environ.get(INSIDE) != "1", reason="run at 200 % by the test below")
@pytest.mark.timeout(300)
def test_inside_at_200_percent(qtbot, desktop):
    room = QGuiApplication.primaryScreen().availableGeometry()
    scale = desktop.window.devicePixelRatio()
    found = set()
    resize(desktop, room.width(), room.height())
    for place, top in places(qtbot, desktop):
        found |= set(faults(place, top))
        window = top.window()
        if window.width() > room.width() or window.height() > room.height():
            found.add((place, type(window).__name__, "", "larger than the screen"))
    print("SCALED", json.dumps([scale, room.width(), room.height(), sorted(map(list, found))]))


@pytest.mark.e2e
@pytest.mark.timeout(400)
def test_everything_fits_its_window_at_200_percent(tmp_path, finished_demo):
    width, height = ROOM
    screen = {"name": "one", "x": 0, "y": 0, "width": 2 * width, "height": 2 * height, "dpr": 1}
    screens = tmp_path / "screens.json"
    screens.write_text(
        json.dumps({"screens": [screen | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), "utf-8"
    )
    environment = os.environ | {
        INSIDE: "1",
        DEMO: str(finished_demo),
        "QT_SCALE_FACTOR": "2",
        "QT_QPA_PLATFORM": f"offscreen:configfile={screens.name}",
    }
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    inside = f"{__file__}::test_inside_at_200_percent"
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-n", "0", f"--rootdir={root}", inside]
    paths = [str(root), *filter(None, [environment.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    # Run in a folder whose name holds no colon: the file of screens is part of a list there.
    done = run_program(*command, env=environment, cwd=tmp_path, timeout=300)
    said = next((line for line in done.stdout.splitlines() if "SCALED" in line), "")
    assert said, done.stdout[-2_000:] + done.stderr[-2_000:]
    scale, *size, found = json.loads(said.split("SCALED ", 1)[1])
    assert (scale, tuple(size)) == (2.0, ROOM)
    assert found == []
