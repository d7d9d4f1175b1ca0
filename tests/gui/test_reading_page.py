"""The text of a chat through the user's door: opened, gone through, its marks pressed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.recall.hit_card import HitCard
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import commit, settle


@pytest.fixture
def opened(qtbot, open_desktop, memory):
    memory.settings.set("auto.enabled", value=False)
    made = open_desktop(memory)
    qtbot.keyClick(made.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, made)
    return made


@pytest.fixture
def page(opened):
    return opened.window.stack.page("reading")


@pytest.fixture
def panel(opened):
    return opened.window.stack.panel("reading")


def mark_of(page, floor):
    """Where the mark of a floor that is seen is."""
    box = page.view.rect_of(floor)
    return QPoint(int(page.view._box(floor).left - 10), int(box.top()) + 4)


def test_it_opens_at_the_newest_floor_and_keeps_where_it_was_left(qtbot, opened, page, memory):
    last = memory.messages.count(opened.workspace.line) - 1
    assert opened.window.page == "reading"
    assert page.view.visible_floors()[-1] == last
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    assert page.view.visible_floors()[0] == 0
    qtbot.keyClick(page.view, Qt.Key.Key_PageDown)
    at = page.view.visible_floors()[0]
    opened.workspace.show_branch(memory.play.fork(opened.workspace.line, 20).line.branch_id)
    settle(qtbot, opened)
    assert page.view.visible_floors()[-1] == 20
    opened.workspace.show_branch(Line.main("").branch_id)
    settle(qtbot, opened)
    assert page.view.visible_floors()[0] == at
    qtbot.keyClick(page.view, Qt.Key.Key_End)
    assert page.view.visible_floors()[-1] == last


def test_a_floor_is_gone_to_by_its_number(qtbot, page):
    field = page.floor_field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field.lineEdit(), "80")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.view.visible_floors()[0] == 80


def test_a_mark_says_what_is_remembered_and_opens_the_event(qtbot, opened, page, panel, memory):
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    settle(qtbot, opened)
    at = mark_of(page, 0)
    place = page.view.viewport().mapToGlobal(at)
    QApplication.sendEvent(page.view.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, at, place))
    event = memory.events.at_floors(opened.workspace.line, 0, 0)[0]
    assert event.summary[:20] in QToolTip.text()
    assert "Green: archived" in QToolTip.text()
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert panel._title.text() == "Floor 0"
    assert event.summary[:20] in panel.events.item(0).text()
    panel.open_button.click()
    settle(qtbot, opened)
    assert opened.window.page == "events"
    assert list(opened.window.event_page.view.selected_keys()) == [event.pk]


def test_the_lines_of_a_memory_are_shown_and_the_way_back(qtbot, opened, page):
    window = opened.window
    window.show_page("events")
    settle(qtbot, opened)
    view = window.event_page.view
    view.setCurrentIndex(view.model().index(0, 0))
    row = window.models.events.model.row_at(0)
    window.event_page.commands._read_floors()
    settle(qtbot, opened)
    assert window.page == "reading"
    assert page.view._lit == (row.source_range.start_index, row.source_range.end_index)
    assert row.source_range.start_index in page.view.visible_floors()
    assert page.lines.isVisible()
    assert page.lines.back_button.text() == "Back to Events"
    page.lines.back_button.click()
    settle(qtbot, opened)
    assert window.page == "events"
    assert list(view.selected_keys()) == [row.pk]
    assert page.view._lit is None


def test_somebody_of_the_story_reads_only_what_they_perceived(qtbot, opened, page):
    opened.workspace.view_as("凯尔")
    settle(qtbot, opened)
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    settle(qtbot, opened)
    assert page.view._text_of(0) == "凯尔 perceived nothing of this."
    assert page._marks.state_at(0) == "none"


def test_the_chat_is_searched_by_one_character_and_gone_through(qtbot, opened, page, memory):
    line = opened.workspace.line
    texts = [m.text for m in memory.messages.slice(line, 0, memory.messages.count(line) - 1)]
    total = sum(text.count("钥") for text in texts)
    floors = [n for n, text in enumerate(texts) if "钥" in text]
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    qtbot.keyClick(opened.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert page.search.field.hasFocus()
    commit(page.search.field, "钥")
    settle(qtbot, opened)
    assert page.search.count.text() == f"1 of {total}"
    assert floors[0] in page.view.visible_floors()
    qtbot.keyClick(page.search.field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert page.search.count.text() == f"{total} of {total}"
    assert floors[-1] in page.view.visible_floors()
    current = [span for span in page.view._found_in(floors[-1]) if span[2]]
    assert texts[floors[-1]][current[0][0]] == "钥"
    qtbot.keyClick(page.search.field, Qt.Key.Key_F3)
    assert page.search.count.text() == f"1 of {total}"
    qtbot.keyClick(page.search.field, Qt.Key.Key_Escape)
    assert page.search.count.text() == ""
    assert not page.view._found_in(floors[-1])
    commit(page.search.field, "没有这个词")
    settle(qtbot, opened)
    assert page.search.count.text() == "Not found"


def test_nothing_is_found_that_somebody_did_not_perceive(qtbot, opened, page):
    opened.workspace.view_as("凯尔")
    settle(qtbot, opened)
    commit(page.search.field, "杏仁")
    settle(qtbot, opened)
    assert page.search.count.text() == "Not found"


def menu_at(qtbot, page, floor):
    """Right-click a message; return the menu's actions by their words."""
    at = page.view.rect_of(floor).center().toPoint()
    place = page.view.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place)
    QApplication.sendEvent(page.view.viewport(), event)
    menu = page.view.findChildren(QMenu)[-1]
    return {action.text(): action for action in menu.actions() if action.text()}


def notices(opened):
    return [notice.text for _at, notice in opened.workspace.messages.past]


def take_back(qtbot, opened):
    _at, notice = opened.workspace.messages.past[-1]
    assert notice.action_text == "Undo"
    notice.action()
    settle(qtbot, opened)


def test_selected_floors_are_remembered_and_that_is_taken_back(qtbot, opened, page, panel, memory):
    line = opened.workspace.line
    before = memory.events.counts(line).total
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    viewport = page.view.viewport()
    first, last = page.view.visible_floors()[0], page.view.visible_floors()[2]
    qtbot.mousePress(
        viewport, Qt.MouseButton.LeftButton, pos=page.view.rect_of(first).center().toPoint()
    )
    qtbot.mouseMove(viewport, page.view.rect_of(last).center().toPoint())
    qtbot.mouseRelease(
        viewport, Qt.MouseButton.LeftButton, pos=page.view.rect_of(last).center().toPoint()
    )
    assert panel._title.text() == f"Floors {first}–{last}"
    panel.remember_button.click()
    settle(qtbot, opened)
    assert panel.form.isVisible()
    assert len(panel.form.summary.toPlainText()) > 20, "the reader proposes words"
    assert panel.form.model_button.isHidden(), "no model is set up"
    panel.form.summary.setPlainText("他们说好明天去海边。")
    panel.form.save_button.click()
    settle(qtbot, opened)
    assert panel.form.isHidden()
    assert memory.events.counts(line).total == before + 1
    event = next(e for e in memory.events.at_floors(line, 0, 2) if "海边" in e.summary)
    assert (event.source_range.start_index, event.source_range.end_index) == (first, last)
    assert page._marks.state_at(last) == "buffer"
    assert "Remembered: Floors 0–2" in notices(opened)
    take_back(qtbot, opened)
    assert memory.events.counts(line).total == before
    assert page._marks.state_at(last) == "archived"


def test_a_model_writes_the_words_where_one_is_set_up(qtbot, opened, page, panel, memory):
    answer = json.dumps({"events": [{"summary": "爱丽丝收下了铜钥匙。", "keywords": ["铜钥匙"]}]})
    with FakeOpenAI(answer=lambda _body: answer) as server:
        memory.settings.set("llm.base_url", server.url)
        memory.settings.set("llm.model", "fake-chat")
        last = page.view.visible_floors()[-1]
        menu_at(qtbot, page, last)["Remember this…"].trigger()
        settle(qtbot, opened)
        assert panel.form.model_button.isVisible()
        panel.form.model_button.click()
        settle(qtbot, opened)
    assert panel.form.summary.toPlainText() == "爱丽丝收下了铜钥匙。"
    assert panel.form.keywords.words == ("铜钥匙",)
    panel.form.cancel_button.click()
    assert panel.form.isHidden()


def test_a_message_is_edited_hidden_and_deleted_each_taken_back(qtbot, opened, page, memory):
    line = opened.workspace.line
    last = memory.messages.count(line) - 1
    old = memory.messages.slice(line, last, last)[0]
    page.view.show_floor(last)
    menu_at(qtbot, page, last)["Edit here"].trigger()
    editor = page.editing.editor
    editor.field.setPlainText("钟敲了九下。")
    editor.save_button.click()
    settle(qtbot, opened)
    assert page.view._text_of(last) == "钟敲了九下。"
    assert page._marks.state_at(last) == "stale"
    take_back(qtbot, opened)
    assert page.view._text_of(last) == old.text

    menu_at(qtbot, page, last)["Hide from prompts"].trigger()
    settle(qtbot, opened)
    assert page._chat.rows.row(last).is_hidden
    assert "Show to prompts" in menu_at(qtbot, page, last)
    take_back(qtbot, opened)
    assert not page._chat.rows.row(last).is_hidden

    menu_at(qtbot, page, last)["Delete 1 message"].trigger()
    settle(qtbot, opened)
    assert memory.messages.count(line) == last
    take_back(qtbot, opened)
    assert memory.messages.slice(line, last, last)[0].text == old.text
    assert page.view.visible_floors()[-1] == last


def test_f2_edits_and_the_menu_forks_copies_and_goes_to_the_event(qtbot, opened, page, memory):
    line = opened.workspace.line
    qtbot.keyClick(page.view, Qt.Key.Key_Home)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_F2)
    assert page.editing.editor is not None
    qtbot.keyClick(page.editing.editor.field, Qt.Key.Key_Escape)
    assert page.editing.editor is None
    menu = menu_at(qtbot, page, 1)
    menu["Copy"].trigger()
    assert QApplication.clipboard().text() == memory.messages.slice(line, 1, 1)[0].text
    menu["Its memory on the events page"].trigger()
    settle(qtbot, opened)
    assert opened.window.page == "events"
    opened.window.show_page("reading")
    menu_at(qtbot, page, 1)["Fork here"].trigger()
    settle(qtbot, opened)
    assert memory.messages.count(opened.workspace.line) == 2


def test_a_chat_that_sillytavern_has_keeps_its_file_and_says_so(qtbot, opened, page):
    page._chat.state = replace(page._chat.state, is_followed=True)
    last = page.view.visible_floors()[-1]
    menu_at(qtbot, page, last)["Hide from prompts"].trigger()
    settle(qtbot, opened)
    assert "SillyTavern's own file is not touched" in notices(opened)[-1]


def test_what_somebody_perceived_is_only_read(qtbot, opened, page, panel):
    opened.workspace.view_as("爱丽丝")
    settle(qtbot, opened)
    last = page.view.visible_floors()[-1]
    menu = menu_at(qtbot, page, last)
    changing = ("Remember this…", "Edit here", "Hide from prompts", "Fork here", "Delete 1 message")
    assert not any(menu[name].isEnabled() for name in changing)
    assert panel.remember_button.isHidden()


def test_an_event_and_a_recalled_memory_lead_to_their_lines(qtbot, opened, page):
    window = opened.window
    window.show_page("events")
    settle(qtbot, opened)
    window.event_page.view.setCurrentIndex(window.event_page.view.model().index(1, 0))
    settle(qtbot, opened)
    span = window.models.editor.current.source_range
    window.editor.lines_button.click()
    settle(qtbot, opened)
    assert page.view._lit == (span.start_index, span.end_index)
    window.show_page("recall")
    commit(window.stack.page("recall").question, "铜钥匙在哪里")
    qtbot.keyClick(window.stack.page("recall").question, Qt.Key.Key_Return)
    settle(qtbot, opened)
    card = window.stack.page("recall").findChildren(HitCard)[0]
    card.lines_button.click()
    settle(qtbot, opened)
    assert window.page == "reading"
    assert page.view._lit == (card.hit.item.start_index, card.hit.item.end_index)
    assert page.lines.back_button.text() == "Back to Recall"
    page.lines.back_button.click()
    assert window.page == "recall"


def test_where_messages_were_never_sent_a_note_says_so(qtbot, opened, page, memory):
    line = opened.workspace.line
    name = next(chat.name for chat in memory.chats.all() if chat.chat_id == line.chat_id)
    count = memory.messages.count(line)
    said = [
        {"role": "assistant", "content": "雪停了三天，码头才重新开了门。"},
        {"role": "user", "content": "那封信后来送到了吗？"},
    ]
    request = memory.serving.read({"messages": said}, path_chat=name)

    def kept(ctx):
        identity = memory.serving.identify(ctx, request)
        return memory.serving.keep_request(ctx, request, identity).changes

    opened.workspace.change("keeping", kept)
    settle(qtbot, opened)
    rows = page._chat.rows
    assert rows.count == count + 2
    assert [note.key for note in rows.row(count).notes] == ["gap"]
    assert not rows.row(count + 1).notes
