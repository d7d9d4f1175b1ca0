"""The page of events: listed, searched, filtered, ordered."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QImage, QInputMethodEvent, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.facets import Facet, Facets
from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.search.library_finder import query_of
from engram_desktop.viewmodels.workspace.live_query import LiveQuery, RowRole
from engram_desktop.widgets.events.event_card import BARS
from tests.factories import make_event
from tests.gui.cut_texts import is_cut
from tests.gui.waiting import (
    click,
    commit,
    open_page,
    press_key,
    settle,
    trigger,
    undo,
    write,
)

# The event page through the user's door: clicks, keys, and what is then in the library.


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


@pytest.fixture
def chat(desktop):
    return desktop.workspace.chat_id


def row(page, number):
    return page.view.model().index(number, 0).data(RowRole)


def stored(memory, chat, key):
    return memory.events.fetch(chat, [key])[key]


def click_lamp(qtbot, page, number):
    rect = page.view.visualRect(page.view.model().index(number, 0))
    lamp = page.view.card.lamp_rect(rect)
    qtbot.mouseClick(page.view.viewport(), Qt.MouseButton.LeftButton, pos=lamp.center())


def test_a_click_on_the_lamp_toggles_it_and_undo_takes_it_back(qtbot, desktop, page, memory, chat):
    before = row(page, 0)
    click_lamp(qtbot, page, 0)
    settle(desktop)
    assert stored(memory, chat, before.pk).is_archived is not before.is_archived
    assert row(page, 0).is_archived is not before.is_archived
    press_key(desktop, desktop.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert stored(memory, chat, before.pk).is_archived is before.is_archived


def test_space_toggles_all_selected_the_way_of_the_current(desktop, page, memory, chat):
    page.view.setFocus()
    page.view.show_row(0)
    page.view.selectAll()
    was = row(page, 0)
    press_key(desktop, page.view, Qt.Key.Key_Space)
    counts = memory.events.counts(Line.main(chat))
    assert (counts.buffer == 0) is (not was.is_archived)
    assert memory.history.steps(chat)[0].label.params["count"] > 0


def test_search_finds_one_chinese_character_and_escape_clears(desktop, page, memory, chat):
    total = page.view.model().rowCount()
    page.focus_search()
    write(desktop, page.search, "灯")
    wanted = memory.events.find(chat, EventQuery(text="灯"))
    assert 0 < len(wanted) < total
    assert list(desktop.window.models.events.model.keys()) == list(wanted)
    press_key(desktop, page.search, Qt.Key.Key_Escape)
    assert page.search.text() == ""
    assert page.view.model().rowCount() == total


HOSTILE = ['"', "%", "_", "*", "AND", "-x", "col:x", "(", "か", "x" * 10_000]


def test_no_search_text_is_an_error(desktop, page):
    for text in HOSTILE:
        page.search.setText(text)
        settle(desktop)
        assert desktop.window.message_bar.bars == [], text


def test_chips_filter_by_lamp_and_show_counts(desktop, page, memory, chat):
    counts = memory.events.counts(Line.main(chat))
    assert page.tools.facets.chips["buffer"].text() == f"Buffer {counts.buffer}"
    click(desktop, page.tools.facets.chips["buffer"])
    assert page.view.model().rowCount() == counts.buffer
    assert all(not row(page, n).is_archived for n in range(counts.buffer))
    click(desktop, page.tools.facets.chips["archived"])
    assert page.view.model().rowCount() == counts.archived


def test_a_row_that_no_longer_fits_the_filter_leaves_the_list(qtbot, desktop, page, chat):
    click(desktop, page.tools.facets.chips["buffer"])
    count = page.view.model().rowCount()
    click_lamp(qtbot, page, 0)
    settle(desktop)
    assert page.view.model().rowCount() == count - 1


def test_the_entity_filter_shows_its_events(qtbot, desktop, page, memory, chat):
    entity = memory.graph.find_entities(Line.main(chat), "莉莉丝")[0]
    facets = page.tools.facets
    qtbot.mouseClick(facets.entity_chip, Qt.MouseButton.LeftButton)
    commit(facets.entity_menu.field, "莉莉")
    assert facets.entity_menu.texts == [entity.name]
    press_key(desktop, facets.entity_menu.field, Qt.Key.Key_Return)
    wanted = memory.events.find(chat, EventQuery(entity_id=entity.id))
    assert list(desktop.window.models.events.model.keys()) == list(wanted)
    assert page.tools.strip.words == f"Entity: {entity.name}"


def test_sorting_by_significance(desktop, page):
    desktop.window.models.events.sort("significance")
    settle(desktop)
    scores = [row(page, n).significance_score for n in range(page.view.model().rowCount())]
    assert scores == sorted(scores, reverse=True)


def test_delete_removes_what_is_selected_and_undo_names_and_restores_it(desktop, page, chat):
    total = page.view.model().rowCount()
    page.view.show_row(1)
    key = row(page, 1).pk
    press_key(desktop, page.view, Qt.Key.Key_Delete)
    assert page.view.model().rowCount() == total - 1
    assert "Delete 1 event" in desktop.window.undo_action.text()
    undo(desktop)
    assert page.view.model().rowCount() == total
    assert desktop.window.models.events.model.row_of(key) is not None
    assert "Delete 1 event" in desktop.window.redo_action.text()


def test_bulk_buttons_act_on_the_selection(desktop, page, memory, chat):
    page.view.selectAll()
    total = page.view.model().rowCount()
    assert page.view.selected_count() == total
    click(desktop, page.selection_bar.lock_button)
    assert all(row(page, n).is_locked for n in range(total))
    click(desktop, page.selection_bar.restore_button)
    assert memory.events.counts(Line.main(chat)).archived == 0
    assert page.view.selected_count() == total


def test_the_bar_of_a_selection_cuts_no_word_on_a_small_screen(desktop, page):
    desktop.window.resize(1366, 768)
    page.view.selectAll()
    settle(desktop)
    words = page.selection_bar.findChildren(QWidget)
    assert [w for w in words if w.isVisible() and is_cut(w)] == []


def test_what_was_deleted_is_said_with_a_way_back(desktop, page, chat):
    before = page.view.model().rowCount()
    page.view.show_row(0)
    page.view.setFocus()
    press_key(desktop, page.view, Qt.Key.Key_Delete)
    assert page.view.model().rowCount() == before - 1
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == "1 event deleted"
    click(desktop, bar.button)
    assert page.view.model().rowCount() == before


def test_select_all_and_invert(qtbot, desktop, page):
    total = page.view.model().rowCount()
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(desktop.window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selected_count() == total - 1
    qtbot.keyClick(page.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selected_count() == total


def test_a_selection_survives_a_new_answer(desktop, page):
    page.view.show_row(2)
    key = page.view.current_key()
    desktop.window.models.events.sort("newest")
    settle(desktop)
    assert list(page.view.selected_keys()) == [key]


def test_f2_goes_to_the_summary(qtbot, desktop, page):
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(desktop.window, Qt.Key.Key_F2)
    assert QApplication.focusWidget() is desktop.window.editor.fields.summary


def test_events_are_copied_as_text_in_the_order_of_the_list(desktop, page):
    clipboard = QApplication.clipboard()
    clipboard.setText("before")
    page.view.show_row(1)
    page.view.setFocus()
    page.view.selectAll()
    press_key(desktop, page.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    told = clipboard.text()
    events = [row(page, number) for number in range(page.view.model().rowCount())]
    assert [part.partition("\n")[2] for part in told.split("\n\n")] == [e.summary for e in events]
    assert told.startswith(f"{events[0].raw_data.timestamp} · {events[0].raw_data.location} · ")
    page.view.show_row(2)
    page.commands.open_menu(page.view.rect().center())
    menu = page.view.findChild(QMenu)
    next(action for action in menu.actions() if action.text() == "Copy").trigger()
    menu.close()
    settle(desktop)
    assert clipboard.text().endswith(events[2].summary)
    assert events[1].summary not in clipboard.text()


def test_no_match_offers_the_way_back(desktop, page):
    page.search.setText("没有这样的词")
    settle(desktop)
    shown = page.findChild(type(page._empty))
    assert shown.isVisible()
    click(desktop, shown.button)
    assert page.view.model().rowCount() > 0
    assert page.search.text() == ""


def test_what_the_lamp_shows_is_said_in_words(page):
    index = page.view.model().index(0, 0)
    assert "Archived, in context when recalled" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_every_card_has_the_same_height(desktop, page):
    heights = {page.view.rowHeight(n) for n in range(page.view.model().rowCount())}
    assert heights == {96}
    desktop.look.apply("light", "compact")
    heights = {page.view.rowHeight(n) for n in range(page.view.model().rowCount())}
    assert heights == {64}


def test_dragging_over_the_coverage_asks_for_that_range(qtbot, page):
    bar = page.coverage
    with qtbot.waitSignal(bar.range_chosen) as told:
        qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(0, 8))
        qtbot.mouseMove(bar, QPoint(bar.width() // 2, 8))
        qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, 8))
    assert told.args[0] == 0
    assert 0 < told.args[1] < 159


def test_enter_while_an_input_method_composes_submits_nothing(qtbot, desktop):
    desktop.window.show_page("recall")
    field = desktop.window.stack.page("recall").question
    field.setFocus()
    submitted = []
    field.submitted.connect(lambda: submitted.append(field.text()))
    QApplication.sendEvent(field, QInputMethodEvent("tongyaoshi", []))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert submitted == []
    commit(field, "铜钥匙")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert submitted == ["铜钥匙"]
    settle(desktop)


def test_a_fact_is_written_in_a_dialog_and_shown(desktop, page, memory, chat):
    page.tools.add_button.click()
    dialog = desktop.window.dialogs.shown[-1]
    assert not dialog.save_button.isEnabled()
    dialog.fact_button.click()
    dialog.text.setFocus()
    commit(dialog.text, "银器会灼伤爱丽丝的皮肤。")
    dialog.floors.first.setValue(3)
    click(desktop, dialog.save_button)
    (key,) = memory.events.find(chat, EventQuery(kind="fact"))
    fact = stored(memory, chat, key)
    assert fact.summary == "银器会灼伤爱丽丝的皮肤。"
    assert fact.source_range.start_index == 3
    assert list(page.view.selected_keys()) == [key]


def test_events_are_confirmed_and_listed_by_who_vouches_for_them(
    qtbot, desktop, page, memory, chat
):
    key = row(page, 0).pk
    page.view.show_row(0)
    settle(desktop)
    click(desktop, desktop.window.editor.confirm_button)
    assert stored(memory, chat, key).confidence == "confirmed"
    facets = page.tools.facets
    qtbot.mouseClick(facets.more_chip, Qt.MouseButton.LeftButton)
    rows = facets.more_menu.list.findItems("Confirmed by you", Qt.MatchFlag.MatchContains)
    place = facets.more_menu.list.visualItemRect(rows[0]).center()
    qtbot.mouseClick(facets.more_menu.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(desktop)
    assert list(page.view.model().keys()) == [key]
    assert page.tools.strip.words == "Confirmed by you"
    click(desktop, page.tools.strip.chips[0])
    assert page.view.model().rowCount() > 1


@pytest.mark.parametrize(("score", "lit"), [(0.0, 0), (0.5, 2), (1.0, 5)])
def test_as_many_bars_are_lit_as_an_event_weighs(desktop, page, score, lit):
    card, look = page.view.card, desktop.window._look
    picture = QImage(60, 40, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.black)
    painter = QPainter(picture)
    card._paint_bars(painter, QPointF(10, 30), make_event("事", 0, 9, significance_score=score))
    painter.end()
    dark = look.color("line").name()
    bars = [picture.pixelColor(11 + n * 6, 28).name() for n in range(BARS)]
    assert [bar != dark for bar in bars] == [n < lit for n in range(BARS)]


@pytest.mark.parametrize(("density", "lines"), [("comfortable", 2), ("compact", 1)])
def test_a_card_shows_as_many_lines_as_its_density_has(desktop, page, density, lines):
    look = desktop.window._look
    look.apply("light", density)
    picture = QImage(200, 100, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    page.view.card.paint_text(painter, QRectF(0, 0, 200, 100), "word " * 100)
    painter.end()
    inked = [
        any(picture.pixelColor(x, y).lightness() < 128 for x in range(200)) for y in range(100)
    ]
    begun = sum(now and not before for before, now in pairwise([False, *inked]))
    assert begun == lines


# The list of events: its order is kept, a search is counted and marked and begins at its top.


def test_the_order_chosen_in_a_chat_is_there_at_the_next_start(desktop, page, memory, open_desktop):
    chat = desktop.workspace.chat_id
    orders = page.tools.sort_button.menu().actions()
    action = next(a for a in orders if a.text() == "By significance")
    trigger(desktop, action)
    again = open_desktop(memory)
    assert again.workspace.chat_id == chat
    assert again.window.event_page.tools.sort_button.text() == "By significance"
    keys = again.window.models.events.model.keys()
    rows = memory.events.fetch(chat, keys)
    scores = [rows[key].significance_score for key in keys]
    assert scores[0] == max(scores)


def test_chips_count_what_the_search_finds_and_the_rest_of_the_window_does_not(
    desktop, page, memory
):
    chat = desktop.workspace.chat_id
    before = page.tools.facets.chips["total"].text()
    page.focus_search()
    write(desktop, page.search, "灯")
    found = memory.events.find(chat, EventQuery(text="灯"))
    green = memory.events.find(chat, EventQuery(text="灯", status="archived"))
    assert page.tools.facets.chips["total"].text() == f"All {len(found)}"
    assert page.tools.facets.chips["archived"].text() == f"Archived {len(green)}"
    assert desktop.window.models.events.counts.total > len(found)
    press_key(desktop, page.search, Qt.Key.Key_Escape)
    assert page.tools.facets.chips["total"].text() == before


def test_a_search_is_listed_first_and_then_counted_and_nothing_else_is(desktop, page):
    events, asked = desktop.window.models.events, []
    for query in events.findChildren(LiveQuery):
        query.asked.connect(lambda query=query: asked.append(query.objectName()))
    page.search.setText("钥匙")
    settle(desktop)
    assert asked == ["event rows", "event facets"]


def test_a_search_begins_at_its_first_card_wherever_the_reader_was(desktop, page):
    page.view.setFocus()
    press_key(desktop, page.view, Qt.Key.Key_End)
    assert page.view.verticalScrollBar().value() > 0
    page.focus_search()
    write(desktop, page.search, "旅人")
    assert page.view.model().rowCount() > 8
    assert page.view.verticalScrollBar().value() == 0


def test_the_words_of_a_search_are_marked_on_the_cards(desktop, page):
    def picture():
        return page.view.viewport().grab().toImage()

    gold = page._look.color("gold_soft").rgb()

    def has_gold(image):
        lines = range(24, 90)
        return any(image.pixel(x, y) == gold for y in lines for x in range(60, image.width() - 60))

    page.view.clearSelection()
    write(desktop, page.search, "旅人")
    assert page.view.card.marked == ("旅人",)
    assert has_gold(picture())
    page.search.clear()
    settle(desktop)
    assert page.view.card.marked == ()


def test_a_hit_far_back_in_a_summary_is_what_the_card_shows(page):
    card, text = page.view.card, "开头" * 60 + "铜钥匙在座钟里" + "结尾" * 400
    room = 2 * 600.0  # two lines
    assert card.part_shown(text, room).startswith("开头")
    card.marked = ("铜钥匙",)
    shown = card.part_shown(text, room)
    assert shown.startswith("…开头")
    assert shown.index("铜钥匙") <= 17
    assert card.part_shown("铜钥匙" + text, room).startswith("铜钥匙")
    card.marked = ("father",)
    english = "They talked of the sea. " * 20 + "I've not had a coin from your father."
    assert card.part_shown(english, room).startswith("…coin from your father")


def test_selection_is_inverted_by_its_key(qtbot, page):
    page.view.setFocus()
    page.view.show_row(0)
    total = page.view.model().rowCount()
    qtbot.keyClick(page.view, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selected_count() == total - 1


# Filters that are kept: named, pinned beside the chats, opened, renamed, deleted with undo.

LEFT = Qt.MouseButton.LeftButton


def keep_one(qtbot, desktop):
    page = desktop.window.event_page
    write(desktop, page.search, "旅人")
    click(desktop, page.tools.facets.chips["archived"])
    desktop.window.models.events.sort("significance", is_reversed=True)
    settle(desktop)
    qtbot.mouseClick(page.tools.strip.save_button, LEFT)
    return page


def names(desktop):
    rows = desktop.window.finding.pinned_filters.list
    return [rows.item(n).text() for n in range(rows.count())]


def open_first(qtbot, desktop):
    rows = desktop.window.finding.pinned_filters.list
    place = rows.visualItemRect(rows.item(0)).center()
    qtbot.mouseClick(rows.viewport(), LEFT, pos=place)
    settle(desktop)


def test_a_filter_is_kept_and_opened_again(qtbot, desktop):
    page = keep_one(qtbot, desktop)
    keys = list(page.view.model().keys())
    assert names(desktop) == ["“旅人” Archived"]
    page.tools.strip.clear_button.click()
    page.search.clear()
    desktop.window.models.events.sort("story")
    settle(desktop)
    desktop.window.show_page("graph")
    open_first(qtbot, desktop)
    assert desktop.window.page == "events"
    assert page.search.text() == "旅人"
    assert page.tools.strip.words == "Archived"
    assert list(page.view.model().keys()) == keys
    assert page.tools.sort_button.text().startswith("By significance")


def test_a_filter_is_renamed_and_deleted_with_undo(qtbot, desktop):
    keep_one(qtbot, desktop)
    pinned = desktop.window.finding.pinned_filters
    pinned.list.item(0).setText("要紧的")
    assert names(desktop) == ["要紧的"]
    text = desktop.window.finding.filters.saved[0][0]
    desktop.window.finding.filters.delete(text)
    assert pinned.isHidden()
    bar = desktop.window.message_bar.bars[-1]
    assert bar.button.text() == "Undo"
    qtbot.mouseClick(bar.button, LEFT)
    assert names(desktop) == ["要紧的"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"sort": 3, "text": null, "facets": 7}'])
def test_a_foreign_filter_is_none(text):
    assert query_of(text).sort == "story"
    assert not query_of(text).facets


# Facets of the events page: clicks with keys held, menus without, chips that take them out.

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def found(desktop, memory):
    """What stands in the list, and what a filter gives."""
    chat = desktop.workspace.chat_id
    model = desktop.window.models.events.model
    return lambda *groups, none=(): (
        list(model.keys()),
        list(memory.events.find(chat, EventQuery(facets=Facets(groups, none)))),
    )


def pick(qtbot, page, name, modifier=NONE):
    facets = page.tools.facets
    qtbot.mouseClick(facets.entity_chip, LEFT)
    commit(facets.entity_menu.field, name)
    menu = facets.entity_menu
    place = menu.list.visualItemRect(menu.list.currentItem()).center()
    qtbot.mouseClick(menu.list.viewport(), LEFT, modifier, place)


ALICE, TRAVELLER = Facet("entity", "爱丽丝"), Facet("entity", "旅人")
GREEN, BLUE = Facet("status", "archived"), Facet("status", "buffer")


def test_keys_held_say_how_a_facet_is_taken_in(qtbot, desktop, page, found):
    pick(qtbot, page, "爱丽丝")
    settle(desktop)
    shown, wanted = found((ALICE,))
    assert shown == wanted
    pick(qtbot, page, "旅人", CTRL)
    settle(desktop)
    shown, wanted = found((ALICE,), (TRAVELLER,))
    assert shown == wanted
    assert page.tools.strip.words == "Entity: 爱丽丝 and Entity: 旅人"
    qtbot.mouseClick(page.tools.facets.chips["archived"], LEFT, ALT)
    settle(desktop)
    shown, wanted = found((ALICE,), (TRAVELLER,), none=(GREEN,))
    assert shown == wanted
    assert page.tools.strip.words.endswith("not Archived")
    click(desktop, page.tools.facets.chips["buffer"])
    qtbot.mouseClick(page.tools.facets.chips["archived"], LEFT, SHIFT)
    settle(desktop)
    shown, wanted = found((BLUE, GREEN))
    assert shown == wanted
    assert page.tools.strip.words == "Buffer or Archived"


def test_a_right_click_offers_the_same_without_keys(desktop, page, found):
    click(desktop, page.tools.facets.chips["archived"])
    chip = page.tools.facets.chips["buffer"]
    at = chip.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, chip.mapToGlobal(at))
    QApplication.sendEvent(chip, asked)
    menu = next(m for m in chip.findChildren(QMenu) if m.isVisible())
    texts = [a.text() for a in menu.actions()]
    assert texts == ["Only this", "And this", "Or this", "Not this"]
    menu.actions()[2].trigger()
    menu.close()
    settle(desktop)
    shown, wanted = found((GREEN, BLUE))
    assert shown == wanted


def test_backspace_takes_out_the_last_and_clear_all_of_them(qtbot, desktop, page):
    total = page.view.model().rowCount()
    pick(qtbot, page, "爱丽丝")
    pick(qtbot, page, "旅人", CTRL)
    settle(desktop)
    page.search.setFocus()
    press_key(desktop, page.search, Qt.Key.Key_Backspace)
    assert page.tools.strip.words == "Entity: 爱丽丝"
    page.tools.strip.chips[0].setFocus()
    press_key(desktop, page.tools.strip.chips[0], Qt.Key.Key_Delete)
    assert page.tools.strip.isHidden()
    assert page.window().focusWidget() is page.search
    pick(qtbot, page, "爱丽丝")
    click(desktop, page.tools.strip.clear_button)
    assert page.view.model().rowCount() == total


def test_counts_follow_what_is_shown(qtbot, desktop, page, found, memory):
    pick(qtbot, page, "爱丽丝")
    settle(desktop)
    _shown, green = found((ALICE,), (GREEN,))
    assert page.tools.facets.chips["archived"].text() == f"Archived {len(green)}"
    every = memory.events.find(desktop.workspace.chat_id, EventQuery())
    assert page.tools.facets.chips["total"].text() == f"All {len(every)}"


def test_a_keyword_is_chosen_from_the_menu_and_left_out_from_its_own(qtbot, desktop, page, found):
    facets = page.tools.facets
    word = desktop.window.models.events.words_at_top()[0]
    qtbot.mouseClick(facets.more_chip, LEFT)
    commit(facets.more_menu.field, word)
    menu = facets.more_menu.list
    (item,) = (i for i in menu.findItems(word, Qt.MatchFlag.MatchExactly) if not i.isHidden())
    menu.setCurrentItem(item)
    press_key(desktop, facets.more_menu.field, Qt.Key.Key_Return)
    shown, wanted = found((Facet("keyword", word),))
    assert shown == wanted
    assert shown
    chip = page.tools.strip.chips[0]
    at = chip.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, chip.mapToGlobal(at))
    QApplication.sendEvent(chip, asked)
    choices = next(m for m in chip.findChildren(QMenu) if m.isVisible())
    trigger(desktop, choices.actions()[3])
    shown, wanted = found(none=(Facet("keyword", word),))
    assert shown == wanted


def test_the_keys_are_told(page):
    for name in ("buffer", "archived"):
        assert "Alt+click: not" in page.tools.facets.chips[name].toolTip()


def test_marks_of_a_card_leave_room_for_its_time_and_stale_is_always_said(desktop):
    window = desktop.window
    open_page(desktop, "events")
    card = window.event_page.view.card
    card.is_extracted = False
    event = window.models.events.model.row_at(1)
    outline = replace(event, level=1, is_stale=True, extractor="extractive", confidence="inferred")

    def told(room):
        marks = card.fitting_marks(outline, room)
        assert sum(width + 6 for _text, _role, width in marks) <= room
        return [text for text, _role, _width in marks]

    assert told(600) == ["Outline 1", "Stale", "Extraction"]
    assert told(120) == ["Stale"]
    assert told(20) == []


def test_who_made_an_event_is_said_once_and_on_a_card_only_where_it_is_not_as_the_rest(
    desktop, page
):
    card, events = page.view.card, desktop.window.models.events
    assert events.is_extracted
    assert page.made_how.isVisible()
    assert page.made_how.text() == "Made without a model"
    event = events.model.row_at(0)

    def marks(extractor):
        told = replace(event, level=0, extractor=extractor, confidence="inferred")
        return [text for text, _role, _width in card.fitting_marks(told, 600)]

    assert (marks("extractive"), marks("llm")) == ([], ["A model"])
    events.usual_changed.emit(False)
    assert not page.made_how.isVisible()
    assert (marks("extractive"), marks("llm")) == (["Extraction"], [])
