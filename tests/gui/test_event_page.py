"""The event page through the user's door: clicks, keys, and what is then in the library."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QInputMethodEvent, QPainter
from PySide6.QtWidgets import QApplication

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.viewmodels.workspace.live_query import RowRole
from engram_desktop.widgets.events.event_card import BARS
from tests.factories import make_event
from tests.gui.waiting import commit, settle


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
    settle(qtbot, desktop)
    assert stored(memory, chat, before.pk).is_archived is not before.is_archived
    assert row(page, 0).is_archived is not before.is_archived
    qtbot.keyClick(desktop.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, desktop)
    assert stored(memory, chat, before.pk).is_archived is before.is_archived


def test_space_toggles_all_selected_the_way_of_the_current(qtbot, desktop, page, memory, chat):
    page.view.setFocus()
    page.view.show_row(0)
    page.view.selectAll()
    was = row(page, 0)
    qtbot.keyClick(page.view, Qt.Key.Key_Space)
    settle(qtbot, desktop)
    counts = memory.events.counts(Line.main(chat))
    assert (counts.buffer == 0) is (not was.is_archived)
    assert memory.history.steps(chat)[0].label.params["count"] > 0


def test_search_finds_one_chinese_character_and_escape_clears(qtbot, desktop, page, memory, chat):
    total = page.view.model().rowCount()
    page.focus_search()
    commit(page.search, "灯")
    settle(qtbot, desktop)
    wanted = memory.events.find(chat, EventQuery(text="灯"))
    assert 0 < len(wanted) < total
    assert list(desktop.window.models.events.model.keys()) == list(wanted)
    qtbot.keyClick(page.search, Qt.Key.Key_Escape)
    settle(qtbot, desktop)
    assert page.search.text() == ""
    assert page.view.model().rowCount() == total


HOSTILE = ['"', "%", "_", "*", "AND", "-x", "col:x", "(", "か", "x" * 10_000]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_search_text_is_an_error(qtbot, desktop, page, text):
    page.search.setText(text)
    settle(qtbot, desktop)
    assert desktop.window.message_bar.bars == []


def test_chips_filter_by_lamp_and_show_counts(qtbot, desktop, page, memory, chat):
    counts = memory.events.counts(Line.main(chat))
    assert page.tools.facets.chips["buffer"].text() == f"Buffer {counts.buffer}"
    qtbot.mouseClick(page.tools.facets.chips["buffer"], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == counts.buffer
    assert all(not row(page, n).is_archived for n in range(counts.buffer))
    qtbot.mouseClick(page.tools.facets.chips["archived"], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == counts.archived


def test_a_row_that_no_longer_fits_the_filter_leaves_the_list(qtbot, desktop, page, memory, chat):
    qtbot.mouseClick(page.tools.facets.chips["buffer"], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    count = page.view.model().rowCount()
    click_lamp(qtbot, page, 0)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == count - 1


def test_the_entity_filter_shows_its_events(qtbot, desktop, page, memory, chat):
    entity = memory.graph.find_entities(Line.main(chat), "莉莉丝")[0]
    facets = page.tools.facets
    qtbot.mouseClick(facets.entity_chip, Qt.MouseButton.LeftButton)
    commit(facets.entity_menu.field, "莉莉")
    assert facets.entity_menu.texts == [entity.name]
    qtbot.keyClick(facets.entity_menu.field, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    wanted = memory.events.find(chat, EventQuery(entity_id=entity.id))
    assert list(desktop.window.models.events.model.keys()) == list(wanted)
    assert page.tools.strip.words == f"Entity: {entity.name}"


def test_sorting_by_significance(qtbot, desktop, page):
    desktop.window.models.events.sort("significance")
    settle(qtbot, desktop)
    scores = [row(page, n).significance_score for n in range(page.view.model().rowCount())]
    assert scores == sorted(scores, reverse=True)


def test_delete_removes_what_is_selected_and_undo_names_and_restores_it(
    qtbot, desktop, page, memory, chat
):
    total = page.view.model().rowCount()
    page.view.show_row(1)
    key = row(page, 1).pk
    qtbot.keyClick(page.view, Qt.Key.Key_Delete)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == total - 1
    assert "Delete 1 events" in desktop.window.undo_action.text()
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == total
    assert desktop.window.models.events.model.row_of(key) is not None
    assert "Delete 1 events" in desktop.window.redo_action.text()


def test_bulk_buttons_act_on_the_selection(qtbot, desktop, page, memory, chat):
    page.view.selectAll()
    total = page.view.model().rowCount()
    assert page.view.selected_count() == total
    qtbot.mouseClick(page.selection_bar.lock_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert all(row(page, n).is_locked for n in range(total))
    qtbot.mouseClick(page.selection_bar.restore_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.events.counts(Line.main(chat)).archived == 0
    assert page.view.selected_count() == total


def test_select_all_and_invert(qtbot, desktop, page):
    total = page.view.model().rowCount()
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(desktop.window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selected_count() == total - 1
    qtbot.keyClick(page.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.view.selected_count() == total


def test_a_selection_survives_a_new_answer(qtbot, desktop, page):
    page.view.show_row(2)
    key = page.view.current_key()
    desktop.window.models.events.sort("newest")
    settle(qtbot, desktop)
    assert list(page.view.selected_keys()) == [key]


def test_f2_goes_to_the_summary(qtbot, desktop, page):
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(desktop.window, Qt.Key.Key_F2)
    assert QApplication.focusWidget() is desktop.window.editor.fields.summary


def test_no_match_offers_the_way_back(qtbot, desktop, page):
    page.search.setText("没有这样的词")
    settle(qtbot, desktop)
    shown = page.findChild(type(page._empty))
    assert shown.isVisible()
    qtbot.mouseClick(shown.button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() > 0
    assert page.search.text() == ""


def test_what_the_lamp_shows_is_said_in_words(page):
    index = page.view.model().index(0, 0)
    assert "Archived, in context when recalled" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_every_card_has_the_same_height(qtbot, desktop, page):
    heights = {page.view.rowHeight(n) for n in range(page.view.model().rowCount())}
    assert heights == {96}
    desktop.look.apply("light", "compact")
    heights = {page.view.rowHeight(n) for n in range(page.view.model().rowCount())}
    assert heights == {64}


def test_dragging_over_the_coverage_asks_for_that_range(qtbot, desktop, page):
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
    settle(qtbot, desktop)


def test_a_fact_is_written_in_a_dialog_and_shown(qtbot, desktop, page, memory, chat):
    page.tools.add_button.click()
    dialog = desktop.window.dialogs.shown[-1]
    assert not dialog.save_button.isEnabled()
    dialog.fact_button.click()
    dialog.text.setFocus()
    commit(dialog.text, "银器会灼伤爱丽丝的皮肤。")
    dialog.floors.first.setValue(3)
    dialog.save_button.click()
    settle(qtbot, desktop)
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
    settle(qtbot, desktop)
    desktop.window.editor.confirm_button.click()
    settle(qtbot, desktop)
    assert stored(memory, chat, key).confidence == "confirmed"
    facets = page.tools.facets
    qtbot.mouseClick(facets.more_chip, Qt.MouseButton.LeftButton)
    rows = facets.more_menu.list.findItems("Confirmed by you", Qt.MatchFlag.MatchContains)
    place = facets.more_menu.list.visualItemRect(rows[0]).center()
    qtbot.mouseClick(facets.more_menu.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, desktop)
    assert list(page.view.model().keys()) == [key]
    assert page.tools.strip.words == "Confirmed by you"
    qtbot.mouseClick(page.tools.strip.chips[0], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
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
