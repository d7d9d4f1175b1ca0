"""What was made larger or smaller by hand is so again, and no dialog is larger than its screen."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QScrollArea, QSplitter

from engram_desktop.widgets.parts.dialogs import FramedDialog
from engram_desktop.widgets.parts.layouts import PlainSplitter, screen_room
from tests.gui.places import dialog_names, open_dialog, places

LEFT = Qt.MouseButton.LeftButton
BY = 30  # pixels a handle is dragged by


def splitters(place):
    """Return what stands in pages and dialogs; the window's own are kept with its place."""
    found = place.findChildren(QSplitter)
    shown = [s for s in found if s.isVisible() and not isinstance(s, PlainSplitter)]
    return [s for s in shown if all(s.widget(n).isVisible() for n in range(s.count()))]


def drag(splitter):
    """Drag the first handle to where there is room for it."""
    handle = splitter.handle(1)
    is_wide = splitter.orientation() == Qt.Orientation.Horizontal
    before, middle = splitter.sizes(), handle.rect().center()
    for by in (BY, -BY):
        there = middle + (QPoint(by, 0) if is_wide else QPoint(0, by))
        QTest.mousePress(handle, LEFT, pos=middle)
        QTest.mouseMove(handle, there)
        QTest.mouseRelease(handle, LEFT, pos=there)
        if splitter.sizes() != before:
            return
    raise AssertionError(f"{splitter.objectName()} is fast at {before}")


def sizes_by_name(qtbot, desktop, act):
    """Do something with each splitter of the program that is seen, once; return their sizes."""
    seen = {}
    for place, top in places(qtbot, desktop):
        for splitter in splitters(top):
            name = splitter.objectName()
            assert name, f"a splitter of {place} has no name"
            if name not in seen:
                act(splitter)
                seen[name] = splitter.sizes()
    return seen


@pytest.mark.timeout(300)
def test_every_splitter_is_where_it_was_left(qtbot, open_desktop, memory):
    left = sizes_by_name(qtbot, open_desktop(memory), drag)
    assert {"recall", "graph", "requests", "review"} <= set(left)
    now = sizes_by_name(qtbot, open_desktop(memory), lambda _splitter: None)
    for name, sizes in left.items():
        assert all(abs(a - b) <= 4 for a, b in zip(sizes, now[name], strict=True)), name


def test_no_two_splitters_share_a_name(qtbot, desktop):
    names: dict[str, str] = {}
    for place, top in places(qtbot, desktop):
        for splitter in splitters(top):
            kind = type(splitter.parentWidget()).__name__
            assert names.setdefault(splitter.objectName(), kind) == kind, place


def close(qtbot, dialog):
    dialog.close()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=20_000)


def test_a_dialog_has_the_size_it_was_given_by_hand(qtbot, open_desktop, memory):
    first = open_desktop(memory)
    dialog = open_dialog(qtbot, first, "requests")
    own = dialog.size()
    close(qtbot, dialog)
    dialog = open_dialog(qtbot, first, "requests")
    assert dialog.size() == own  # nobody made it larger
    smaller = own - QSize(0, 140)
    dialog.windowHandle().resize(smaller)
    qtbot.waitUntil(lambda: dialog.size() == smaller)
    close(qtbot, dialog)
    dialog = open_dialog(qtbot, open_desktop(memory), "requests")
    assert dialog.size() == smaller


@pytest.mark.timeout(300)
def test_no_dialog_is_larger_than_its_screen(qtbot, desktop):
    room = screen_room(desktop.window)
    for name in dialog_names():
        dialog = open_dialog(qtbot, desktop, name)
        assert dialog.width() <= room.width(), name
        assert dialog.height() <= room.height(), name
        close(qtbot, dialog)


@pytest.mark.parametrize("is_late", [False, True])
def test_what_a_screen_has_no_room_for_is_scrolled(qtbot, is_late):
    dialog = FramedDialog()
    qtbot.addWidget(dialog)
    button = dialog.add_button("Save", "main")
    fields = [QLineEdit(f"line {number}") for number in range(60)]

    def fill():
        for field in fields:
            dialog.body.addWidget(field)

    if not is_late:
        fill()
    dialog.show()
    if is_late:
        fill()
    room = screen_room(dialog)
    settled = [lambda: dialog.findChildren(QScrollArea), lambda: dialog.height() <= room.height()]
    qtbot.waitUntil(lambda: all(bool(is_so()) for is_so in settled))
    assert button.isVisible()
    assert all(field.height() >= field.minimumSizeHint().height() for field in fields)
    fields[-2].setFocus()
    qtbot.keyClick(fields[-2], Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: not fields[-1].visibleRegion().isEmpty())
    dialog.body.addWidget(late := QLineEdit("one more"))
    qtbot.waitUntil(lambda: late.width() > 100)
