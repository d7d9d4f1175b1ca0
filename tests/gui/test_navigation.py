"""Where the navigation stands: on every page at every width, in each language and theme."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QLabel,
    QLineEdit,
    QWidget,
)

from engram_desktop.places import resource
from engram_desktop.widgets.parts.look import THEMES, load_theme
from engram_desktop.widgets.parts.pieces import ElidedLabel
from engram_desktop.widgets.window.page_stack import PAGES, TABS
from tests.gui.cut_texts import is_cut
from tests.gui.waiting import settle

# One window walks through all of them: its language and theme change while it runs.

WIDTHS = (900, 1280, 1440, 2560)
# A theme is colours and nothing else (`test_themes_are_colours`): each language shows one.
LOOKS = (("zh_CN", "light"), ("en", "dark"), ("ja", "light"))
LONG = "一个名字很长很长的聊天，长到侧栏和顶栏都放不下它的全部文字" * 2
TARGETS = (QAbstractButton, QLineEdit, QAbstractSlider, QAbstractItemView)


def change(qtbot, desktop, key, value):
    memory, before = desktop.workspace.memory, desktop.window
    is_other = key == "ui.language" and desktop.translations.language != value
    with qtbot.waitSignal(desktop.workspace.hub.changed):
        desktop.workspace.change("", lambda _ctx: memory.settings.set(key, value))
    if is_other:
        qtbot.waitUntil(lambda: desktop.window is not before, timeout=60_000)
    window = desktop.window
    qtbot.waitUntil(lambda: window.isVisible() and window.models.chats.is_loaded)
    settle(desktop)


def heads(window) -> tuple[QWidget, ...]:
    """What is around the pages: it belongs to the window, not to one of them."""
    return (window.sidebar, window.top, window.viewpoint, window.foot)


def targets(window) -> dict[QWidget, QRect]:
    """All that can be pressed, typed into or turned around the pages, and where it is."""
    return {
        part: QRect(part.mapTo(window, QPoint(0, 0)), part.size())
        for head in heads(window)
        for part in head.findChildren(QWidget)
        if isinstance(part, TARGETS) and part.isVisible() and not is_inner(part)
    }


def is_inner(part):
    """Made by Qt inside of another: a button in a field, a scroll bar."""
    parent = part.parentWidget()
    return isinstance(parent, QLineEdit) or part.objectName().startswith("qt_")


def named(part):
    words = part.accessibleName() or getattr(part, "text", str)()
    return f"{type(part).__name__} “{words}”"


def texts(window) -> list[QLabel]:
    """The words around the pages that are no button; the count lies over its tab on purpose."""
    labels = [label for head in heads(window) for label in head.findChildren(QLabel)]
    return [
        label
        for label in labels
        if label.isVisible() and label.text() and label is not window.top._badge
    ]


def overlapping(window, where):
    """Pairs of controls or words around the pages that lie over each other."""
    boxes = dict(where)
    boxes |= {
        label: QRect(label.mapTo(window, QPoint(0, 0)), label.size()) for label in texts(window)
    }
    for (one, first), (other, second) in combinations(boxes.items(), 2):
        nested = one.isAncestorOf(other) or other.isAncestorOf(one)
        if not nested and first.intersects(second):
            yield f"{named(one)} over {named(other)}"


def cut(window, where):
    """Words around the pages that are cut and stand in no tooltip."""
    for part in (*where, *texts(window)):
        shown = getattr(part, "text", str)()
        if isinstance(part, ElidedLabel):
            if shown != part.accessibleName() and part.toolTip() != part.accessibleName():
                yield named(part)
        elif is_cut(part) and shown.removesuffix("…") not in part.toolTip():
            yield named(part)
        elif shown.endswith("…") and not part.toolTip():
            yield f"{named(part)}: “{shown}”"


def covered_tabs(window):
    """Tabs whose word the count of the inbox covers."""
    top = window.top
    count = QRect(top._badge.mapTo(window, QPoint(0, 0)), top._badge.size())
    for button in top.page_buttons.values():
        box = QRect(button.mapTo(window, QPoint(0, 0)), button.size())
        metrics = button.fontMetrics()
        left = box.center().x() - metrics.horizontalAdvance(button.text()) // 2
        baseline = box.center().y() + (metrics.ascent() - metrics.descent()) // 2
        word = metrics.tightBoundingRect(button.text()).translated(left, baseline)
        if top._badge.isVisible() and word.intersects(count):
            yield named(button)


def test_themes_are_colours():
    roles = [load_theme(theme).roles for theme in THEMES]
    assert all(QColor.isValidColorName(value) for one in roles for value in one.values())
    assert len({frozenset(one) for one in roles}) == 1
    files = {theme: sorted(resource("themes").glob(f"{theme}-*.svg")) for theme in THEMES}
    drawn = {
        theme: {
            file.name.removeprefix(theme): re.sub(r"#[0-9A-F]{6}", "", file.read_text("utf-8"))
            for file in pictures
        }
        for theme, pictures in files.items()
    }
    assert len(drawn["light"]) >= 3
    assert drawn["light"] == drawn["dark"]


@pytest.mark.timeout(300)
def test_no_navigation_moves_overlaps_or_is_cut(qtbot, open_desktop, memory):
    chat = memory.chats.all()[0].chat_id
    memory.chats.rename(chat, LONG)
    memory.settings.set("auto.enabled", value=False)
    desktop = open_desktop(memory, language=None, theme=None)
    moved, faults = set(), set()
    for language, theme in LOOKS:
        change(qtbot, desktop, "ui.language", language)
        change(qtbot, desktop, "ui.theme", theme)
        window = desktop.window
        window.top.show_inbox(128)
        for at, width in product((None, 40), WIDTHS):
            window.models.viewpoint.view_at(at)
            window.resize(width, 700)
            settle(desktop)
            place = f"{language} {theme} {width}" + (" as of a floor" if at is not None else "")
            first: dict[QWidget, QRect | None] = {}
            for spec in PAGES:
                window.show_page(spec.name)
                QApplication.processEvents()
                where = targets(window)
                for part in {**first, **where}:
                    if part is window.top.panel_button and part not in where:
                        continue  # a page without a panel; its room stays
                    if first.setdefault(part, where.get(part)) != where.get(part):
                        moved.add(f"{place}, {spec.name}: {named(part)}")
            settle(desktop)  # what the pages asked for is answered
            assert set(window.top.page_buttons) == {spec.name for spec in TABS}
            hidden = set(window.top.page_buttons.values()) - set(first)
            assert not hidden, (place, [named(part) for part in hidden])
            where = targets(window)
            outside = [part for part, box in where.items() if not window.rect().contains(box)]
            faults |= {f"{place}: {named(part)} is outside" for part in outside}
            faults |= {f"{place}: {words}" for words in overlapping(window, where)}
            faults |= {f"{place}: {words} is cut" for words in cut(window, where)}
            window.top.show_inbox(128)  # what waits was counted meanwhile
            faults |= {f"{place}: {words} is covered" for words in covered_tabs(window)}
    chats = desktop.window.models.chats
    assert LONG in chats.data(chats.index(0), Qt.ItemDataRole.ToolTipRole), "it is cut in the list"
    assert sorted(moved) == []
    assert sorted(faults) == []
