"""The view of a chat: rows of any height that do not jump, text that is only text."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from engram_desktop.viewmodels.workspace.transcript import ChatRow, RowNote, Transcript
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.parts.transcript.chat_view import ChatView, RowHeights


@pytest.fixture
def look(qapp):
    made = Look(qapp)
    yield made
    made.stop_watching()


class Story:
    """Rows of different lengths; notes what was read."""

    def __init__(self, count):
        self.count = count
        self.reads = []
        self.texts = {}

    def fetch(self, first, last, most):
        self.reads.append((first, last))
        return [self.row(n, most) for n in range(first, last + 1)]

    def row(self, n, most):
        text = self.texts.get(n, "她把铜钥匙推过柜台。" * (n * 7 % 40 + 1))
        notes = (RowNote("level", "闲聊", tip="by rules"),) if n % 2 else ()
        return ChatRow(n, ("爱丽丝", "旅人")[n % 2], text[:most], bool(n % 2), length=len(text),
                       notes=notes)  # fmt: skip


@pytest.fixture
def story():
    return Story(100_000)


@pytest.fixture
def view(qtbot, look, story):
    rows = Transcript(story.fetch)
    made = ChatView(look, rows, lambda _name: None)
    made.rows = rows  # type: ignore[attr-defined]
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    rows.show(story.count)
    return made


def tops(view):
    return {row: view.rect_of(row).top() for row in view.visible_floors()}


def test_it_opens_at_the_end_and_reads_only_what_is_seen(view, story):
    assert view.visible_floors()[-1] == story.count - 1
    assert view.follows_end
    assert len(story.reads) <= 2


def test_scrolling_moves_every_row_by_the_same_distance(view):
    view.show_floor(50_000)
    for _ in range(60):
        before = tops(view)
        bar = view.verticalScrollBar()
        bar.setValue(bar.value() - 90)
        now = tops(view)
        both = before.keys() & now.keys()
        assert both
        assert {round(now[row] - before[row]) for row in both} == {90}


def test_home_and_end_are_exact(view, qtbot, story):
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.visible_floors()[0] == 0
    assert view.verticalScrollBar().value() == 0
    assert not view.follows_end
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.visible_floors()[-1] == story.count - 1
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_what_streams_is_followed_until_the_reader_scrolls_up(view, story):
    at = story.count
    for size in (1, 300, 900, 2000):
        view.rows.set_live(at, [ChatRow(at, "爱丽丝", "字" * size, is_live=True)])
        assert view.rect_of(at).bottom() <= view.viewport().height()
    bar = view.verticalScrollBar()
    bar.setValue(bar.value() - 400)
    before = tops(view)
    view.rows.set_live(at, [ChatRow(at, "爱丽丝", "字" * 4000, is_live=True)])
    assert {row: y for row, y in tops(view).items() if row in before} == before


def test_a_message_of_a_megabyte_is_shown_in_parts(view, story, qtbot):
    story.texts[7] = "长" * 1_000_000
    view.rows.follow(story.count)
    view.show_floor(7)
    row = view.rows.row(7)
    assert len(row.text) == 8_000
    assert row.is_cut
    view.rows.show_more(7)
    assert len(view.rows.row(7).text) == 24_000


def test_half_an_emoji_and_zeros_are_drawn(view, story):
    story.texts[0] = "\ud83d 半个 \udc00 \0 😀*笑*"
    view.rows.follow(story.count)
    view.show_floor(0)
    view.grab()
    assert "半个" in view._text_of(0)


def test_marked_text_is_copied_across_rows(view, story, qtbot):
    story.texts |= {0: "第一句。", 1: "😀第二句。"}
    view.rows.follow(story.count)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    first, second = view.rect_of(0), view.rect_of(1)
    start = QPoint(int(first.left()) + 2, int(first.center().y()))
    end = QPoint(int(second.right()) - 2, int(second.center().y()))
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.viewport(), end)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "第一句。\n\n😀第二句。"


def test_a_note_is_pressed_and_tells_its_floor(view, qtbot, story):
    qtbot.keyClick(view, Qt.Key.Key_Home)
    hit = view._box(1).hits[0]
    at = (hit.box.center() + view.rect_of(1).topLeft() - view._box(1).bubble.topLeft()).toPoint()
    assert view.viewport().tip_at(at) == "by rules"
    with qtbot.waitSignal(view.note_pressed) as pressed:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert pressed.args == [1, "level"]


def test_a_screen_reader_is_told_the_current_message(view, qtbot):
    view.show_floor(3)
    assert "旅人" in view.accessibleDescription()
    assert "闲聊" in view.accessibleDescription()


def test_a_shorter_chat_leaves_nothing_behind(view, story):
    story.count = 3
    view.rows.follow(3)
    assert view.visible_floors()[-1] == 2
    view.grab()
    view.rows.show(0)
    assert view.visible_floors() == []
    view.grab()


def test_heights_agree_with_a_plain_list():
    chance = random.Random(5)
    heights, plain = RowHeights(100), [100] * 3000
    heights.set_count(3000)
    for _ in range(400):
        row, height = chance.randrange(3000), chance.randrange(20, 900)
        heights.measure(row, height)
        plain[row] = height
    heights.set_count(2500)
    del plain[2500:]
    assert heights.total == sum(plain)
    for row in (0, 1, 255, 256, 257, 1777, 2499):
        assert heights.top(row) == sum(plain[:row])
        assert heights.row_at(sum(plain[:row])) == (row, 0)
        assert heights.row_at(sum(plain[:row]) + plain[row] - 1) == (row, plain[row] - 1)
