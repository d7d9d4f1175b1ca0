"""The page of an entity: face, facts, curve, promises and evidence, in the panel and large."""

import base64
import json

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QLabel

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.parts.cards import LiveCard
from tests.factories import make_event, make_extraction
from tests.gui.waiting import settle
from tests.state_story import update, write_story

CTX = NullContext()


def a_card(folder, name):
    """Write a character card with a red picture."""
    image = QImage(64, 96, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, b"png").write(image)
    fields = {"name": name, "description": "店主", "first_mes": "你好"}
    card = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": fields})
    text = base64.b64encode(card.encode())
    file = folder / f"{name}.png"
    file.write_bytes(with_texts(chunks(bytes(buffer.data().data()), name), {"chara": text}))
    return file


def told(summary, floor, *facts, time=""):
    names = dict.fromkeys(name for a, _word, b in facts for name in (a, b))
    data = make_extraction(
        summary,
        timestamp=time,
        entities=tuple(ExtractedEntity(name, "char") for name in names),
        relations=tuple(ExtractedRelation(*fact) for fact in facts),
    )
    return make_event(summary, floor, floor, raw_data=data, timestamp=floor)


@pytest.fixture
def desktop(open_desktop, memory, tmp_path):
    """A story in which 爱丽丝 comes to like the player, and gives her word twice."""
    replies = [update(1), update(2), update(3), update(4)]
    chat = memory.imports.import_file(CTX, write_story(tmp_path / "故事.jsonl", replies)).chat_id
    store = memory.session.chat(chat)
    events = [
        told("爱丽丝在月光酒馆当店主。", 0, ("爱丽丝", "认识", "旅人"), time="第一天"),
        told("爱丽丝答应带旅人去灯塔。", 1, ("爱丽丝", "答应", "旅人"), time="第二天"),
        told("爱丽丝向凯尔发誓保密。", 2, ("爱丽丝", "发誓", "凯尔")),
        told("她们去了灯塔。", 3, ("爱丽丝", "兑现承诺", "旅人")),
        *(told(f"旅人第{n}次来。", 4, ("旅人", "拜访", "爱丽丝")) for n in range(14)),
    ]
    with store.database.writing():
        store.events.add(events, 0)
    keys = [e.pk for e in memory.events.at_floors(Line.main(chat), 0, 99)]
    memory.events.set_archived(CTX, chat, keys, archived=True)
    memory.imports.import_file(CTX, a_card(tmp_path, "爱丽丝"))
    alice = memory.graph.find_entity(chat, "爱丽丝")
    memory.graph.update_entity(chat, alice.id, profile={"身份": "店主", "外貌": {"发色": "银"}})
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    return desktop


@pytest.fixture
def window(qtbot, desktop, memory):
    window = desktop.window
    window.show_page("graph")
    settle(qtbot, desktop)
    window.models.graph.select(alice_of(desktop, memory).id)
    settle(qtbot, desktop)
    return window


def alice_of(desktop, memory):
    return memory.graph.find_entity(desktop.workspace.chat_id, "爱丽丝")


def texts(part):
    return [label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part)]


def cards(section):
    layout = section.column.cards
    return [layout.itemAt(n).widget() for n in range(layout.count())]


def test_the_panel_shows_face_facts_and_where_they_are_from(qtbot, desktop, window):
    fields = window.stack.panel("graph").fields
    assert fields.portrait.has_face
    middle = fields.portrait.grab().toImage().pixelColor(30, 30)
    assert (middle.red(), middle.green()) == (255, 0)
    assert {"身份", "店主", "外貌 · 发色", "银"} <= set(texts(fields.facts))
    (fact,) = (f for f in fields.facts.facts if f.event is not None)
    assert (fact.name, fact.event.summary) == ("身份", "爱丽丝在月光酒馆当店主。")


def test_a_curve_is_shown_of_who_has_one_and_hidden_else(qtbot, desktop, window, memory):
    curve = window.stack.panel("graph").parts.curve
    assert curve.isVisibleTo(window.stack.panel("graph"))
    assert curve.choice.currentText() == "好感度"
    assert curve.now.text().startswith("now 60") or "+" in curve.now.text()
    other = memory.graph.find_entity(desktop.workspace.chat_id, "凯尔")
    window.models.graph.select(other.id)
    settle(qtbot, desktop)
    assert curve.isHidden()
    assert not window.stack.panel("graph").fields.portrait.has_face


def test_open_promises_come_first_and_what_became_of_the_others_is_said(qtbot, desktop, window):
    section = window.stack.panel("graph").parts.promises
    names = [card.accessibleName() for card in cards(section)]
    assert names[0].startswith("open")
    assert "爱丽丝 发誓 凯尔" in names[0]
    assert names[1].startswith("kept")
    assert "第二天" in names[1]
    assert "1 open" in section._caption.text()
    qtbot.mouseClick(cards(section)[1], Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    settle(qtbot, desktop)
    assert window.page == "events"
    assert window.models.editor.current.summary == "她们去了灯塔。"


def test_evidence_is_whole_newest_first_and_leads_to_its_lines(qtbot, desktop, window, memory):
    section = window.stack.panel("graph").parts.evidence
    assert "18 events" in section._caption.text()
    assert len(cards(section)) == 10
    qtbot.mouseClick(section.column.more_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    shown = cards(section)
    assert len(shown) == 18
    assert not section.column.more_button.isVisible()
    assert "月光酒馆" in shown[-1].accessibleName()
    lines = shown[-1].findChild(LiveCard) or shown[-1]
    button = next(b for b in lines.children() if getattr(b, "accessibleName", str)() != "")
    with qtbot.waitSignal(desktop.workspace.floor_wanted, timeout=5_000) as asked:
        button.click()
    assert asked.args == [0, 0]


def test_enter_shows_all_of_it_large_and_it_follows_what_is_chosen(qtbot, desktop, window, memory):
    page = window.stack.page("graph")
    page.canvas.setFocus()
    qtbot.keyClick(page.canvas, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[-1]
    assert dialog.windowTitle() == "爱丽丝"
    assert dialog.portrait.has_face
    assert "店主" in texts(dialog.facts)
    assert len(cards(dialog.parts.evidence)) == 10
    assert dialog.height() <= 560
    assert {norm_name(row.other) for row in dialog.relations._folded[1].values()} >= {"旅人"}
    other = memory.graph.find_entity(desktop.workspace.chat_id, "凯尔")
    window.models.graph.select(other.id)
    settle(qtbot, desktop)
    assert dialog.windowTitle() == "凯尔"
    assert "Nothing is written" in " ".join(texts(dialog))
    dialog.close()
    qtbot.keyClick(page.canvas, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert window.models.graph.graph.view.center_id == other.id


def test_what_was_known_then_is_all_the_page_says(qtbot, desktop, window):
    page, panel = window.stack.page("graph"), window.stack.panel("graph")
    page.time_bar.slider.setValue(2)
    settle(qtbot, desktop)
    assert "3 events" in panel.parts.evidence._caption.text()
    assert [c.accessibleName()[:4] for c in cards(panel.parts.promises)] == ["open", "open"]
