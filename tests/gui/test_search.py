"""Ctrl+K: a panel over the page that finds anything in the library, by the keyboard alone."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engram_desktop.domain.memory.event import LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.live_query import RowRole
from tests.factories import write_chat
from tests.gui.waiting import commit, settle

CTX = NullContext()
Key = Qt.Key


@pytest.fixture
def panel(qtbot, desktop):
    QTest.keyClick(desktop.window, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    panel = desktop.window.finding.panel
    assert panel.isVisible()
    assert desktop.window.focusWidget() is panel.field
    return panel


def rows(panel):
    return [panel.list.model().index(n, 0) for n in range(panel.list.model().rowCount())]


def headings(panel):
    return [i.data() for i in rows(panel) if i.data(RowRole).is_heading]


def search(qtbot, desktop, panel, text):
    panel.field.clear()
    commit(panel.field, text)
    settle(qtbot, desktop)


def press(panel, key):
    QTest.keyClick(panel.field, key)


def test_hits_are_grouped_and_counted_and_the_word_is_marked(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "钥匙")
    assert headings(panel) == ["Entities", "Events", "Messages"]
    hit = panel.list.currentIndex().data(RowRole)
    assert [hit.title.text[a:b] for a, b in hit.title.marks] == ["钥匙"]
    messages = next(i.data(RowRole) for i in rows(panel) if i.data() == "Messages")
    count = desktop.workspace.memory.search.find(CTX, "type:message 钥匙").count
    assert messages.aside == str(count)


def test_the_marks_are_painted(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "钥匙")
    image = panel.list.viewport().grab().toImage()
    assert has_colour(image, desktop.look.theme.roles["gold_soft"])


def has_colour(image: QImage, wanted: str) -> bool:
    return any(
        image.pixelColor(x, y).name() == wanted.lower()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    )


def test_escape_closes_and_gives_the_focus_back(qtbot, desktop):
    window = desktop.window
    window.event_page.search.setFocus()
    window.finding.search()
    panel = window.finding.panel
    search(qtbot, desktop, panel, "钥匙")
    press(panel, Key.Key_Escape)
    assert not panel.isVisible()
    assert window.focusWidget() is window.event_page.search


def test_a_click_elsewhere_closes_it(qtbot, desktop, panel):
    desktop.window.event_page.search.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not panel.isVisible()


def test_enter_opens_an_entity_on_the_graph(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "type:entity 铜钥匙")
    press(panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert not panel.isVisible()
    assert desktop.window.page == "graph"
    entity = desktop.window.models.entity.entity
    assert entity is not None
    assert entity.name == "铜钥匙"


def test_enter_before_the_answer_opens_the_first_hit(qtbot, desktop, panel):
    commit(panel.field, "type:entity 铜钥匙")
    press(panel, Key.Key_Return)
    assert panel.isVisible()
    settle(qtbot, desktop)
    assert not panel.isVisible()
    assert desktop.window.page == "graph"


def test_an_event_is_shown_whatever_its_page_is_narrowed_to(qtbot, desktop, panel):
    window = desktop.window
    window.event_page.search.setText("没有这样的事")
    settle(qtbot, desktop)
    search(qtbot, desktop, panel, "type:event 钥匙")
    press(panel, Key.Key_Down)
    hit = panel.list.currentIndex().data(RowRole).value
    press(panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert window.page == "events"
    assert list(window.event_page.view.selected_keys()) == [hit.key]


def test_a_message_opens_its_floors(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "type:message 钥匙")
    floors = panel.list.currentIndex().data(RowRole).value.floors
    wanted = []
    desktop.workspace.floor_wanted.connect(lambda *span: wanted.append(span))
    press(panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert wanted == [floors]
    assert desktop.window.page == "reading"


def test_a_private_log_and_a_world_book_entry_are_gone_to(qtbot, desktop, tmp_path):
    memory, window = desktop.workspace.memory, desktop.window
    line = Line.main(desktop.workspace.chat_id)
    for owner, text in (("爱丽丝", "我怕黑。"), ("旅人", "我怕高。")):
        patch = LogPatch(owner=owner, content=text, source_range=SourceRange(1, 1))
        memory.logs.add(line, patch)
    path = tmp_path / "设定.json"
    entries = {
        str(n): {"uid": n, "key": [w], "content": f"{w}很远。"} for n, w in enumerate("海山")
    }
    path.write_text(json.dumps({"entries": entries}), "utf-8")
    memory.worldbooks.import_file(CTX, path)
    window.show_page("logs")
    settle(qtbot, desktop)
    window.models.logs.filter_owner("旅人")
    settle(qtbot, desktop)
    window.finding.search()
    panel = window.finding.panel
    search(qtbot, desktop, panel, "怕黑")
    press(panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert window.page == "logs"
    assert window.models.logs.current.content == "我怕黑。"
    window.finding.search()
    search(qtbot, desktop, panel, "山很远")
    press(panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert window.page == "books"
    assert window.models.worldbooks.current.uid == 1


def test_a_hit_in_another_chat_opens_that_chat(qtbot, desktop, tmp_path):
    memory, window = desktop.workspace.memory, desktop.window
    rows = [("鲍勃", "灯塔熄了。"), ("旅人", "我看见了。")]
    other = memory.imports.import_file(CTX, write_chat(tmp_path / "灯塔.jsonl", rows)).chat_id
    window.models.chats.load()
    settle(qtbot, desktop)
    window.finding.search()
    search(qtbot, desktop, window.finding.panel, "灯塔熄")
    hit = window.finding.panel.list.currentIndex().data(RowRole)
    assert "灯塔" in hit.aside, "another chat's hit says where it is"
    press(window.finding.panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert desktop.workspace.chat_id == other


def test_more_of_a_group_is_shown_where_it_stands(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "钥匙")
    more = next(i for i in rows(panel) if i.data(RowRole).kind == "more")
    before = len(rows(panel))
    assert "more" in more.data()
    panel.list.setCurrentIndex(more)
    press(panel, Key.Key_Return)
    assert panel.isVisible()
    assert len(rows(panel)) > before
    assert panel.list.currentIndex().row() == more.row()


def test_while_an_input_method_composes_the_keys_are_its_own(qtbot, desktop, panel):
    QApplication.sendEvent(panel.field, QInputMethodEvent("yao shi", []))
    press(panel, Key.Key_Escape)
    press(panel, Key.Key_Return)
    assert panel.isVisible()
    assert panel.field.text() == ""
    commit(panel.field, "钥匙")
    settle(qtbot, desktop)
    assert headings(panel)


def test_a_search_is_saved_found_again_and_forgotten(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "is:blue 酒馆")
    qtbot.mouseClick(panel.save_button, Qt.MouseButton.LeftButton)
    assert panel.save_button.accessibleName() == "Save this search no longer"
    press(panel, Key.Key_Escape)
    desktop.window.finding.search()
    settle(qtbot, desktop)
    assert [i.data() for i in rows(panel)] == ["Saved searches", "is:blue 酒馆"]
    press(panel, Key.Key_Return)
    settle(qtbot, desktop)
    assert panel.field.text() == "is:blue 酒馆"
    assert headings(panel) == ["Events"]
    panel.field.clear()
    settle(qtbot, desktop)
    press(panel, Key.Key_Delete)
    assert rows(panel) == []


def test_the_help_types_a_filter(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "钥匙")
    qtbot.mouseClick(panel.help_button, Qt.MouseButton.LeftButton)
    assert panel.help.isVisible()
    panel.help.wanted.emit("type:event")
    settle(qtbot, desktop)
    assert panel.field.text() == "钥匙 type:event"
    assert headings(panel) == ["Events"]


def test_what_is_no_filter_is_said(qtbot, desktop, panel):
    search(qtbot, desktop, panel, "is:purple 钥匙")
    assert "is:purple" in panel.said.text()
    assert "Nothing was found" in panel.said.text()


def test_as_somebody_only_what_they_know_is_found(qtbot, desktop):
    window, memory = desktop.window, desktop.workspace.memory
    line = Line.main(desktop.workspace.chat_id)
    memory.messages.append(line, "爱丽丝", "assistant", "（心想：蒙面人是国王。）")
    window.models.viewpoint.view_as("旅人")
    settle(qtbot, desktop)
    window.finding.search()
    panel = window.finding.panel
    search(qtbot, desktop, panel, "蒙面人")
    assert rows(panel) == []
    assert "Only what 旅人 knows" in panel.said.text()
    window.models.viewpoint.view_as("")
    search(qtbot, desktop, panel, "蒙面人")
    assert headings(panel) == ["Messages"]


def test_it_fits_into_the_smallest_window(qtbot, desktop, panel):
    desktop.window.resize(900, 600)
    QTest.qWait(0)
    assert desktop.window.rect().contains(panel.geometry())


def test_old_answers_are_dropped(qtbot, desktop, panel):
    for text in ("钥", "钥匙", "酒馆"):
        panel.field.setText(text)
        QTest.qWait(10)
    settle(qtbot, desktop)
    assert desktop.window.finding.library.result.query.words[0].text == "酒馆"
