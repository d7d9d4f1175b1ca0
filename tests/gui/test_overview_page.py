"""The page of a chat as a whole: what it tells, where it leads, and that it fills by itself."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDropEvent, QImage
from PySide6.QtWidgets import QLabel

from engram_desktop.app.desktop import Desktop
from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.jobs.context import NullContext
from engram_desktop.shipped import resource
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.overview import OverviewPage
from engram_desktop.widgets.pipeline.step_dialogs import SummariseDialog
from engram_desktop.widgets.settings.settings_dialog import SettingsDialog
from tests.gui.test_characters import picture
from tests.gui.waiting import settle

CTX = NullContext()
LEFT = Qt.MouseButton.LeftButton


def page_of(desktop: Desktop) -> OverviewPage:
    return desktop.window.stack.page_as("overview", OverviewPage)


def show(qtbot, desktop) -> OverviewPage:
    qtbot.mouseClick(desktop.window.top.page_buttons["overview"], LEFT)
    settle(qtbot, desktop)
    return page_of(desktop)


def words(widget) -> str:
    return "\n".join(part.text() for part in widget.findChildren(QLabel) if part.isVisible())


def rows_of(card):
    return [row for row in card.rows if row.isVisible()]


def test_it_tells_the_story_the_moments_the_cast_and_how_far_memory_is(qtbot, desktop):
    page = show(qtbot, desktop)
    assert "第35天 傍晚，月光酒馆" in words(page.story)
    assert len(rows_of(page.moments)) == 8
    assert [row.accessibleName() for row in rows_of(page.cast)][:2] == ["旅人", "爱丽丝"]
    assert "22 events" in words(page.cast)
    told = words(page.progress)
    assert "159 of 159 floors have become memory" in told
    assert "no model was asked" in told
    assert page.progress.figures["buffer"].accessibleName() == "always visible: 7"
    assert page.step.button.text() == "Connect a model…"


def test_what_it_tells_leads_to_events_lines_and_people(qtbot, desktop):
    page, window = show(qtbot, desktop), desktop.window
    moment = rows_of(page.moments)[3]
    qtbot.mouseClick(moment, LEFT)
    settle(qtbot, desktop)
    assert window.page == "events"
    assert moment.accessibleName()[:40] in window.models.editor.current.summary
    page = show(qtbot, desktop)
    qtbot.mouseClick(rows_of(page.moments)[3].lines_button, LEFT)
    settle(qtbot, desktop)
    assert window.page == "reading"
    assert window.models.reading.lines.title == "Overview"
    page = show(qtbot, desktop)
    person = rows_of(page.cast)[1]
    person.setFocus()
    qtbot.keyClick(person, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert window.page == "graph"
    assert window.models.entity.entity.name == "爱丽丝"


def test_a_model_is_offered_where_there_is_none(qtbot, desktop):
    page = show(qtbot, desktop)
    qtbot.mouseClick(page.step.button, LEFT)
    settle(qtbot, desktop)
    assert [type(dialog) for dialog in desktop.window.dialogs.shown] == [SettingsDialog]
    desktop.window.dialogs.shown[0].close()
    desktop.workspace.change(
        "",
        lambda _ctx: desktop.workspace.memory.settings.set("llm.base_url", "http://127.0.0.1:9/v1"),
    )
    qtbot.waitUntil(lambda: page.step.button.text() == "Play on", timeout=10_000)
    qtbot.mouseClick(page.step.button, LEFT)
    assert desktop.window.page == "play"


def test_it_says_nothing_while_it_is_being_read(qtbot, desktop):
    """Grey lines stand where the words will be: nothing says that there is nothing."""
    page = show(qtbot, desktop)
    desktop.workspace.view_as("凯尔")
    assert not page.story.nothing.isVisible()
    assert not page.moments.nothing.isVisible()
    assert not page.step.button.isVisible()
    assert page.cast.skeleton.isVisible()
    assert page.story.skeleton.isVisible()
    settle(qtbot, desktop)
    assert rows_of(page.story)
    assert not page.cast.skeleton.isVisible()


@pytest.fixture
def card(tmp_path):
    file = tmp_path / "爱丽丝.png"
    told = {"spec": "chara_card_v2", "data": {"name": "爱丽丝", "description": "老板娘。"}}
    text = base64.b64encode(json.dumps(told).encode())
    file.write_bytes(with_texts(chunks(picture(), "x"), {"chara": text}))
    return file


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copied, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(
        QDropEvent(QPointF(QPoint(300, 300)), copied, data, button, Qt.KeyboardModifier(0))
    )


def test_a_chat_that_is_dropped_is_shown_as_a_whole_and_fills(
    qtbot, open_desktop, empty_memory, card
):
    empty_memory.imports.import_file(CTX, card)
    desktop = open_desktop(empty_memory)
    window = desktop.window
    drop(window, resource("story/月光酒馆.jsonl"))
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[0]
    assert isinstance(dialog, ImportDialog)
    dialog.import_button.click()
    qtbot.waitUntil(lambda: window.page == "overview", timeout=20_000)
    page = page_of(desktop)
    qtbot.waitUntil(lambda: bool(rows_of(page.cast)), timeout=20_000)
    alice = next(row for row in rows_of(page.cast) if row.accessibleName() == "爱丽丝")
    assert "老板娘。" in words(alice)
    face = alice.face.grab().toImage()
    middle = face.pixelColor(face.width() // 2, face.height() // 2)
    assert _is_near(middle, QColor("teal"))
    qtbot.waitUntil(lambda: len(rows_of(page.moments)) > 3, timeout=60_000)
    settle(qtbot, desktop)
    assert rows_of(page.story)
    assert page.step.button.text() == "Connect a model…"


def _is_near(one, other):
    return all(abs(a - b) < 12 for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))


def test_floors_that_are_not_read_are_the_next_step(qtbot, open_desktop, empty_memory):
    empty_memory.settings.set("auto.enabled", value=False)
    chat = empty_memory.imports.import_file(CTX, resource("story/月光酒馆.jsonl")).chat_id
    desktop = open_desktop(empty_memory)
    page = show(qtbot, desktop)
    assert Line.main(chat) == desktop.workspace.line
    assert page.step.title.text() == "159 floors are not in memory yet"
    assert page.story.nothing.isVisible()
    assert page.progress.figures["untold"].accessibleName() == "floors not read yet: 159"
    qtbot.mouseClick(page.step.button, LEFT)
    settle(qtbot, desktop)
    assert [type(dialog) for dialog in desktop.window.dialogs.shown] == [SummariseDialog]


def test_it_stands_in_one_column_where_there_is_no_room(qtbot, desktop):
    desktop.window.resize(1440, 900)
    page = show(qtbot, desktop)
    assert page.cast.mapTo(page, QPoint()).x() > page.story.mapTo(page, QPoint()).x() + 200
    desktop.window.resize(900, 600)
    settle(qtbot, desktop)
    qtbot.waitUntil(
        lambda: page.cast.mapTo(page, QPoint()).x() == page.story.mapTo(page, QPoint()).x(),
        timeout=5_000,
    )
    bar = page.area.horizontalScrollBar()
    assert bar.maximum() == 0


def test_as_somebody_of_the_story_it_tells_what_that_one_knows(qtbot, desktop):
    page = show(qtbot, desktop)
    everything = words(page.story)
    desktop.workspace.view_as("凯尔")
    settle(qtbot, desktop)
    assert words(page.story) != everything
    assert len(rows_of(page.moments)) < 8


def test_a_face_without_a_picture_is_the_first_letter(qtbot, desktop):
    page = show(qtbot, desktop)
    face = rows_of(page.cast)[1].face.grab().toImage()
    assert isinstance(face, QImage)
    assert face.pixelColor(4, face.height() // 2) == desktop.look.color("red_soft")
