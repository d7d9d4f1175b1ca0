"""The page that a chat is read on."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.javascript.engine import LIMIT_S
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.graph.entity_editor import RelationRow
from engram_desktop.viewmodels.workspace.transcript import ChatRow, RowNote, Transcript
from engram_desktop.widgets.events.dialogs import AddDialog
from engram_desktop.widgets.graph.entity_dialogs import PassageRelationDialog
from engram_desktop.widgets.parts.chat_view import ChatView, RowHeights
from engram_desktop.widgets.parts.look import Look
from engram_desktop.widgets.reading.row_menu import RowMenu
from engram_desktop.widgets.recall.hit_card import HitCard
from tests.endless_patterns import ENDLESS
from tests.factories import model_at, script_json, set_all
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import (
    choose_in,
    click,
    commit,
    open_page,
    press_key,
    settle,
    show_chat,
    trigger,
    view_as,
    write,
)
from tests.stored import stored_events

# The text of a chat through the user's door: opened, gone through, its marks pressed.


@pytest.fixture
def opened(open_desktop, memory):
    memory.settings.set("auto.enabled", value=False)
    made = open_desktop(memory)
    press_key(made, made.window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
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
    settle(opened)
    assert page.view.visible_floors()[-1] == 20
    opened.workspace.show_branch(Line.main("").branch_id)
    settle(opened)
    assert page.view.visible_floors()[0] == at
    qtbot.keyClick(page.view, Qt.Key.Key_End)
    assert page.view.visible_floors()[-1] == last


def test_the_floor_shown_is_told_and_none_is_selected_in_another_chat(opened, page, memory):
    last = memory.messages.count(opened.workspace.line) - 1
    assert page.floor_field.maximum() == last
    assert page.floor_field.value() == page.view.visible_floors()[0] > 0
    page._chat.choose(3, 5)
    opened.window.show_page("events")
    show_chat(opened, "")
    assert page._chat.chosen == (-1, -1)


def test_a_floor_is_gone_to_by_its_number(qtbot, page):
    field = page.floor_field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field.lineEdit(), "80")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert page.view.visible_floors()[0] == 80


def test_a_long_memory_beside_the_text_says_that_it_goes_on(qtbot, opened, page, panel, memory):
    line = opened.workspace.line
    event = memory.events.at_floors(line, 0, 0)[0]
    rain = EventPatch(summary="雨" * 500)
    opened.workspace.change("", lambda _ctx: memory.events.update(line.chat_id, event.pk, rain))
    settle(opened)
    press_key(opened, page.view, Qt.Key.Key_Home)
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=mark_of(page, 0))
    text = panel.events.item(0).text()
    assert text.endswith("雨…")
    assert len(text) < 400


def test_a_mark_says_what_is_remembered_and_opens_the_event(qtbot, opened, page, panel, memory):
    press_key(opened, page.view, Qt.Key.Key_Home)
    at = mark_of(page, 0)
    place = page.view.viewport().mapToGlobal(at)
    QApplication.sendEvent(page.view.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, at, place))
    event = memory.events.at_floors(opened.workspace.line, 0, 0)[0]
    assert event.summary[:20] in QToolTip.text()
    assert "Green: archived" in QToolTip.text()
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert panel._title.text() == "Floor 0"
    assert event.summary[:20] in panel.events.item(0).text()
    click(opened, panel.open_button)
    assert opened.window.page == "events"
    assert list(opened.window.event_page.view.selected_keys()) == [event.pk]


def test_the_lines_of_a_memory_are_shown_and_the_way_back(opened, page):
    window = opened.window
    open_page(opened, "events")
    view = window.event_page.view
    view.setCurrentIndex(view.model().index(0, 0))
    row = window.models.events.model.row_at(0)
    window.event_page.commands._read_floors()
    settle(opened)
    assert window.page == "reading"
    assert page.view._lit == (row.source_range.start_index, row.source_range.end_index)
    assert row.source_range.start_index in page.view.visible_floors()
    assert page.lines.isVisible()
    assert page.lines.back_button.text() == "Back to Events"
    click(opened, page.lines.back_button)
    assert window.page == "events"
    assert list(view.selected_keys()) == [row.pk]
    assert page.view._lit is None


def test_somebody_of_the_story_reads_only_what_they_perceived(opened, page):
    view_as(opened, "凯尔")
    press_key(opened, page.view, Qt.Key.Key_Home)
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
    write(opened, page.search.field, "钥")
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
    write(opened, page.search.field, "没有这个词")
    assert page.search.count.text() == "Not found"


def test_nothing_is_found_that_somebody_did_not_perceive(opened, page):
    view_as(opened, "凯尔")
    write(opened, page.search.field, "杏仁")
    assert page.search.count.text() == "Not found"


def menu_at(page, floor):
    """Right-click a message; return the menu's actions by their words."""
    at = page.view.rect_of(floor).center().toPoint()
    place = page.view.viewport().mapToGlobal(at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place)
    QApplication.sendEvent(page.view.viewport(), event)
    menu = page.view.findChildren(QMenu)[-1]
    return {action.text(): action for action in menu.actions() if action.text()}


def notices(opened):
    return [notice.text for _at, notice in opened.workspace.messages.past]


def take_back(opened):
    _at, notice = opened.workspace.messages.past[-1]
    assert notice.action_text == "Undo"
    notice.action()
    settle(opened)


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
    click(opened, panel.remember_button)
    assert panel.form.isVisible()
    assert len(panel.form.summary.toPlainText()) > 20, "the reader proposes words"
    assert panel.form.model_button.isHidden(), "no model is set up"
    panel.form.summary.setPlainText("他们说好明天去海边。")
    click(opened, panel.form.save_button)
    assert panel.form.isHidden()
    assert memory.events.counts(line).total == before + 1
    event = next(e for e in memory.events.at_floors(line, 0, 2) if "海边" in e.summary)
    assert (event.source_range.start_index, event.source_range.end_index) == (first, last)
    assert page._marks.state_at(last) == "buffer"
    assert "Remembered: Floors 0–2" in notices(opened)
    take_back(opened)
    assert memory.events.counts(line).total == before
    assert page._marks.state_at(last) == "archived"


def test_a_model_writes_the_words_where_one_is_set_up(opened, page, panel, memory):
    answer = json.dumps({"events": [{"summary": "爱丽丝收下了铜钥匙。", "keywords": ["铜钥匙"]}]})
    with FakeOpenAI(answer=lambda _body: answer) as server:
        set_all(memory, model_at(server.url))
        last = page.view.visible_floors()[-1]
        trigger(opened, menu_at(page, last)["Remember this…"])
        assert panel.form.model_button.isVisible()
        click(opened, panel.form.model_button)
    assert panel.form.summary.toPlainText() == "爱丽丝收下了铜钥匙。"
    assert panel.form.keywords.words == ("铜钥匙",)
    panel.form.cancel_button.click()
    assert panel.form.isHidden()


def test_a_message_is_edited_hidden_and_deleted_each_taken_back(opened, page, memory):
    line = opened.workspace.line
    last = memory.messages.count(line) - 1
    old = memory.messages.slice(line, last, last)[0]
    page.view.show_floor(last)
    menu_at(page, last)["Edit here"].trigger()
    editor = page.editing.editor
    editor.field.setPlainText("钟敲了九下。")
    click(opened, editor.save_button)
    assert page.view._text_of(last) == "钟敲了九下。"
    assert page._marks.state_at(last) == "stale"
    take_back(opened)
    assert page.view._text_of(last) == old.text

    trigger(opened, menu_at(page, last)["Hide from prompts"])
    assert page._chat.rows.row(last).is_hidden
    assert "Show to prompts" in menu_at(page, last)
    take_back(opened)
    assert not page._chat.rows.row(last).is_hidden

    trigger(opened, menu_at(page, last)["Delete 1 message"])
    assert memory.messages.count(line) == last
    take_back(opened)
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
    menu = menu_at(page, 1)
    menu["Copy"].trigger()
    assert QApplication.clipboard().text() == memory.messages.slice(line, 1, 1)[0].text
    trigger(opened, menu["Its memory on the events page"])
    assert opened.window.page == "events"
    opened.window.show_page("reading")
    trigger(opened, menu_at(page, 1)["Fork here"])
    assert memory.messages.count(opened.workspace.line) == 2


def test_a_chat_that_sillytavern_has_keeps_its_file_and_says_so(opened, page):
    page._chat.state = replace(page._chat.state, is_followed=True)
    last = page.view.visible_floors()[-1]
    trigger(opened, menu_at(page, last)["Hide from prompts"])
    assert "SillyTavern's own file is not touched" in notices(opened)[-1]


def test_what_somebody_perceived_is_only_read(opened, page, panel):
    view_as(opened, "爱丽丝")
    last = page.view.visible_floors()[-1]
    menu = menu_at(page, last)
    changing = ("Remember this…", "Edit here", "Hide from prompts", "Fork here", "Delete 1 message")
    assert not any(menu[name].isEnabled() for name in changing)
    assert panel.remember_button.isHidden()


def test_an_event_and_a_recalled_memory_lead_to_their_lines(opened, page):
    window = opened.window
    open_page(opened, "events")
    window.event_page.view.setCurrentIndex(window.event_page.view.model().index(1, 0))
    settle(opened)
    span = window.models.editor.current.source_range
    click(opened, window.editor.lines_button)
    assert page.view._lit == (span.start_index, span.end_index)
    window.show_page("recall")
    commit(window.stack.page("recall").question, "铜钥匙在哪里")
    press_key(opened, window.stack.page("recall").question, Qt.Key.Key_Return)
    card = window.stack.page("recall").findChildren(HitCard)[0]
    click(opened, card.lines_button)
    assert window.page == "reading"
    assert page.view._lit == (card.hit.item.start_index, card.hit.item.end_index)
    assert page.lines.back_button.text() == "Back to Recall"
    page.lines.back_button.click()
    assert window.page == "recall"


def test_where_messages_were_never_sent_a_note_says_so(opened, page, memory):
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
    settle(opened)
    rows = page._chat.rows
    assert rows.count == count + 2
    assert [note.key for note in rows.row(count).notes] == ["gap"]
    assert not rows.row(count + 1).notes


# The view of a chat: rows of any height that do not jump, text that is only text.

# Words selected in a message become an event, a fact, a thread, an entity.

WORDS = "铜铃"


def select(page, words, floor=None):
    """Select words of a message as a drag does; returns its floor."""
    count = page.view._heights.count
    floors = range(count) if floor is None else [floor]
    found = next(n for n in floors if words in page.view._text_of(n))
    page.view.show_floor(found)
    start = page.view._text_of(found).index(words)
    page.view._marked.start, page.view._marked.end = (found, start), (found, start + len(words))
    page.view._tell_chosen()
    page.view.setFocus()
    return found


@pytest.mark.parametrize(("key", "kind"), [(Qt.Key.Key_E, "event"), (Qt.Key.Key_F, "fact")])
def test_selected_words_are_written_as_a_memory(opened, page, memory, key, kind):
    floor = select(page, WORDS)
    press_key(opened, page.view, key)
    dialog = next(d for d in opened.window.dialogs.shown if isinstance(d, AddDialog))
    assert WORDS in dialog.text.toPlainText()
    assert dialog.floors.span == SourceRange(floor, floor)
    assert dialog.fact_button.isChecked() is (kind == "fact")
    dialog.names.show_words(["铜铃铛"])
    click(opened, dialog.save_button)
    chat = opened.workspace.chat_id
    made = max(stored_events(memory, chat))
    event = memory.events.fetch(chat, [made])[made]
    assert (event.kind, event.source_range) == (kind, SourceRange(floor, floor))
    assert [e.name for e in event.raw_data.entities] == ["铜铃铛"]
    take_back(opened)
    assert made not in stored_events(memory, chat)


def test_selected_words_become_a_thread_and_are_one_no_longer(opened, page, memory):
    line = opened.workspace.line
    floor = select(page, WORDS)
    press_key(opened, page.view, Qt.Key.Key_T)
    store = memory.session.chat(line.chat_id)
    (thread,) = store.claims.noted()
    assert (thread.floor, thread.quote) == (floor, WORDS)
    found = memory.findings.findings(NullContext(), line, ("promise",))
    assert WORDS in [f.quotes[0].text for f in found]
    select(page, WORDS, floor)
    page._open_menu(floor, QPoint(10, 10))
    menu = page.view.findChild(RowMenu)
    texts = [a.text() for a in menu.actions()]
    assert "An event…\tE" in texts
    choose_in(opened, menu, "No longer a thread")
    assert not store.claims.noted()
    take_back(opened)
    assert store.claims.noted() == [thread]


def test_selected_words_become_an_entity_that_is_shown(opened, page, memory):
    chat = opened.workspace.chat_id
    select(page, WORDS)
    press_key(opened, page.view, Qt.Key.Key_N)
    entity = memory.graph.named(chat, WORDS)
    assert entity is not None
    assert opened.window.page == "graph"
    assert opened.window.models.graph.entity.id == entity.id


def test_selected_words_become_a_relation_from_their_floor_on(opened, page, memory):
    line = opened.workspace.line
    words = "马洛的旧货摊。奥古斯先生修好的"
    floor = select(page, words)
    press_key(opened, page.view, Qt.Key.Key_R)
    dialog = next(d for d in opened.window.dialogs.shown if isinstance(d, PassageRelationDialog))
    assert (dialog.one.text(), dialog.other.text()) == ("马洛", "奥古斯")
    assert dialog.source.text() == f"Floor {floor}: “{words}”"
    assert not dialog.add_it.isEnabled()
    dialog.words.setText("信任")
    dialog.other.setText("没有这个人")
    assert "没有这个人" in dialog.hint.text()
    assert not dialog.add_it.isEnabled()
    dialog.other.setText("奥古斯")
    dialog.swap_button.click()
    click(opened, dialog.add_it)
    ends = [memory.graph.named(line.chat_id, name).id for name in ("奥古斯", "马洛")]

    def made():
        found = memory.graph.relations_of(line, ends[0])
        return [(r.src, r.dst, r.valid_from) for r in found if r.predicate == "信任"]

    assert made() == [(*ends, floor)]
    relation = next(r for r in memory.graph.relations_of(line, ends[0]) if r.predicate == "信任")
    open_page(opened, "graph")
    relations = opened.window.stack.panel("graph").relations
    menu = QMenu(relations)
    relations._fill_menu(RelationRow(relation, ends[1], "马洛", is_outgoing=True), menu)
    trigger(opened, next(a for a in menu.actions() if a.text() == f"Read floor {floor}"))
    assert opened.window.page == "reading"
    assert opened.window.models.reading.lines.first == floor
    take_back(opened)
    assert made() == []


def test_letters_do_nothing_without_a_selection_or_as_somebody(qtbot, opened, page, memory):
    store = memory.session.chat(opened.workspace.chat_id)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_T)
    view_as(opened, "爱丽丝")
    select(page, WORDS)
    press_key(opened, page.view, Qt.Key.Key_T)
    assert not store.claims.noted()


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


def test_a_message_of_a_megabyte_is_shown_in_parts(view, story):
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


def test_a_note_is_pressed_and_tells_its_floor(view, qtbot):
    qtbot.keyClick(view, Qt.Key.Key_Home)
    hit = view._box(1).hits[0]
    at = (hit.box.center() + view.rect_of(1).topLeft() - view._box(1).bubble.topLeft()).toPoint()
    plain = view.viewport().grab().toImage()
    qtbot.mouseMove(view.viewport(), at)
    edge = at - QPoint(int(hit.box.width() / 2), 0)
    accent, colors = view._look.color("accent"), (plain, view.viewport().grab().toImage())
    far = [abs(image.pixelColor(edge).hue() - accent.hue()) for image in colors]
    assert far[1] < far[0], "what can be pressed is outlined under the pointer"
    assert view.viewport().tip_at(at) == "by rules"
    with qtbot.waitSignal(view.note_pressed) as pressed:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert pressed.args == [1, "level"]


def test_a_screen_reader_is_told_the_current_message(view):
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


# A pattern that never ends is stopped in time, and the window goes on while it runs.


@pytest.mark.logs("was switched off")
def test_the_window_ticks_while_scripts_are_stopped(desktop, memory, tmp_path):
    path = tmp_path / "regex.json"
    scripts = [script_json(find, "", name=f"s{n}") for n, find in enumerate(ENDLESS)]
    path.write_text(f"[{','.join(scripts)}]", "utf-8")
    desktop.window.models.scripts.take([path])
    settle(desktop)
    chat = desktop.workspace.chat_id
    ticks = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(desktop.runner.is_idle))
    timer.start()
    desktop.window.models.pipeline.redo((0, 40), "extractive")
    settle(desktop)
    timer.stop()
    held = memory.scripts.all()
    stopped = [stored for stored in held if not stored.is_enabled]
    assert len(stopped) >= 2
    assert all(f"{LIMIT_S} s" in stored.fault for stored in stopped)
    assert memory.drafts.find(Line.main(chat))  # the summary was made all the same
    bars = desktop.window.message_bar.bars
    told = [bar for bar in bars if "was switched off" in bar.notice.text]
    assert {bar.notice.text.split("“")[1][:2] for bar in told} <= {s.script.name for s in stopped}
    told[-1].notice.action()
    settle(desktop)
    page = desktop.window.dialogs.shown[-1].scripts
    assert page.isVisible()
    assert any(f"{LIMIT_S} s" in page.tree.topLevelItem(n).text(2) for n in range(len(ENDLESS)))
    # How long it is away at most is a figure: benchmarks/gui_stalls.py.
    assert ticks.count(False) > len(stopped), "the window waited for the patterns"
