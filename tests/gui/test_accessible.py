"""Every page and dialog of the program by keyboard and screen reader: names, order, scaling."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.layouts import Tabs
from tests.gui.cut_texts import faults
from tests.gui.places import a_relation, choose_something, open_dialog, places, turn_tabs
from tests.gui.waiting import commit, settle
from tests.inbox_story import fill_inbox

TAB = Qt.FocusPolicy.TabFocus
SLACK = 2  # pixels: sizes are rounded


def is_inner(widget):
    """Made by Qt inside of a field, whose name and keys are the field's."""
    return widget.objectName().startswith("qt_") or isinstance(
        widget.parent(), QAbstractSpinBox | QComboBox | QLineEdit
    )


def takes_tab(widget):
    return (
        widget.isVisible()
        and widget.isEnabled()
        and bool(widget.focusPolicy() & TAB)
        and not is_inner(widget)
    )


def spoken(widget):
    """What a screen reader says of it: its name, else what a button or a field shows."""
    face = QAccessible.queryAccessibleInterface(widget)
    shown = (getattr(widget, name, str)() for name in ("text", "placeholderText"))
    return face.text(QAccessible.Text.Name) or next((text for text in shown if text), "")


def words(place, widget):
    owner = type(widget.parentWidget()).__name__
    return (place.split(",")[0], owner, type(widget).__name__, spoken(widget)[:40])


def tab_chain(top):
    """What Tab goes through, in order."""
    found, widget = [], top.nextInFocusChain()
    while widget is not top and widget is not None:
        if top.isAncestorOf(widget) and takes_tab(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def goes_back(one, other):
    """Whether Tab goes up, or to the left, between two parts of the same panel."""
    first, second = one.geometry(), other.geometry()
    is_beside = second.top() < first.bottom() - SLACK and first.top() < second.bottom() - SLACK
    is_left = second.right() <= first.left() + SLACK
    is_above = second.bottom() <= first.top() + SLACK
    is_next_column = second.left() >= first.right() - SLACK
    return (is_beside and is_left) or (is_above and not is_next_column)


# What looks as if it could be pressed says to a screen reader what it is.
PRESSED = {
    QAccessible.Role.Button,
    QAccessible.Role.ButtonMenu,
    QAccessible.Role.ButtonDropDown,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.PageTab,
    QAccessible.Role.Link,
    QAccessible.Role.ListItem,
}


def is_pressed(widget):
    """A card, or anything else over which the pointer is a hand."""
    is_hand = widget.testAttribute(Qt.WidgetAttribute.WA_SetCursor)
    is_hand = is_hand and widget.cursor().shape() == Qt.CursorShape.PointingHandCursor
    return isinstance(widget, LiveCard) or is_hand


def not_said(place, top, seen=None):
    """What looks as if it could be pressed and has no such role, no name, or no way by Tab."""
    for part in top.findChildren(QWidget):
        if part.isVisible() and is_pressed(part):
            if seen is not None:
                seen.add(type(part))
            role = QAccessible.queryAccessibleInterface(part).role()
            if role not in PRESSED or not spoken(part) or not is_reached(part):
                yield (role, *words(place, part))


def kinds_of_cards(kind=LiveCard):
    """Every class of cards that the program has."""
    return {kind, *(k for sub in kind.__subclasses__() for k in kinds_of_cards(sub))} - {LiveCard}


def is_reached(button):
    """By Tab, or with the arrow keys from the one of its row that Tab reaches."""
    if button.focusPolicy() & TAB or isinstance(button, QRadioButton):
        return True
    group = button.group() if isinstance(button, QAbstractButton) else None
    if group is not None and group.exclusive():  # Qt leaves Tab to the chosen one that had focus
        return any(one.focusPolicy() & TAB for one in group.buttons())
    return isinstance(button.parentWidget(), Tabs)


@pytest.mark.timeout(300)
def test_all_can_be_used_by_keyboard_and_is_named_in_reading_order(qtbot, desktop):
    nameless, out_of_reach, out_of_order, not_pressed = set(), set(), set(), set()
    count = 0
    for place, top in places(qtbot, desktop):
        chain = tab_chain(top)
        count += len(chain)
        nameless |= {words(place, widget) for widget in chain if not spoken(widget)}
        for button in top.findChildren(QAbstractButton):
            if button.isVisible() and button.isEnabled() and not is_inner(button):
                out_of_reach |= set() if is_reached(button) else {words(place, button)}
        not_pressed |= set(not_said(place, top))
        panels: dict[QWidget, list[QWidget]] = {}
        for widget in chain:
            panels.setdefault(widget.parentWidget(), []).append(widget)
        for parts in panels.values():
            out_of_order |= {
                (words(place, one), words(place, other))
                for one, other in pairwise(parts)
                if goes_back(one, other)
            }
    assert count > 1_000
    assert not_pressed == set()
    assert nameless == set()
    assert out_of_reach == set()
    assert out_of_order == set()


@pytest.mark.timeout(120)
def test_every_kind_of_card_is_a_button_with_a_name(qtbot, open_desktop, memory, tmp_path):
    memory.settings.set("auto.enabled", value=False)
    story = memory.chats.all()[0].chat_id
    filled = fill_inbox(memory, tmp_path)
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(story)
    settle(qtbot, desktop)
    window = desktop.window
    seen: set[type[QWidget]] = set()
    faulty: set[tuple[object, ...]] = set()

    def look_at(page):
        window.show_page(page)
        settle(qtbot, desktop)
        choose_something(window)
        settle(qtbot, desktop)
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
    desktop.workspace.show_chat(filled)
    settle(qtbot, desktop)
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
    window.show_page("overview")
    settle(qtbot, desktop)
    page = window.stack.page("overview")
    cards = [card for card in tab_chain(page) if isinstance(card, LiveCard)]
    assert len(cards) > 5
    before = tab_chain(window)[tab_chain(window).index(cards[0]) - 1]
    before.setFocus()
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is cards[0]
    qtbot.keyClick(cards[0], key)
    settle(qtbot, desktop)
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
    desktop.window.resize(room.size())
    settle(qtbot, desktop)
    for place, top in places(qtbot, desktop):
        found |= set(faults(place, top))
        window = top.window()
        if window.width() > room.width() or window.height() > room.height():
            found.add((place, type(window).__name__, "", "larger than the screen"))
    print("SCALED", json.dumps([scale, room.width(), room.height(), sorted(map(list, found))]))


@pytest.mark.e2e
@pytest.mark.timeout(400)
def test_everything_fits_its_window_at_200_percent(tmp_path):
    width, height = ROOM
    screen = {"name": "one", "x": 0, "y": 0, "width": 2 * width, "height": 2 * height, "dpr": 1}
    screens = tmp_path / "screens.json"
    screens.write_text(
        json.dumps({"screens": [screen | {"logicalDpi": 96, "logicalBaseDpi": 96}]}), "utf-8"
    )
    environment = os.environ | {
        INSIDE: "1",
        "QT_SCALE_FACTOR": "2",
        "QT_QPA_PLATFORM": f"offscreen:configfile={screens.name}",
    }
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    inside = f"{__file__}::test_inside_at_200_percent"
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-n", "0", f"--rootdir={root}", inside]
    paths = [str(root), *filter(None, [environment.get("PYTHONPATH")])]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment | {"PYTHONPATH": os.pathsep.join(paths)},
        cwd=tmp_path,  # the name of the file must hold no colon: it is part of a list there
        check=False,
    )
    said = next((line for line in done.stdout.splitlines() if "SCALED" in line), "")
    assert said, done.stdout[-2_000:] + done.stderr[-2_000:]
    scale, *size, found = json.loads(said.split("SCALED ", 1)[1])
    assert (scale, tuple(size)) == (2.0, ROOM)
    assert found == []
