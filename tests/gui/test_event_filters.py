"""Facets of the events page: clicks with keys held, menus without, chips that take them out."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.facets import Facet, Facets
from tests.gui.waiting import commit, settle

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


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
    settle(qtbot, desktop)
    shown, wanted = found((ALICE,))
    assert shown == wanted
    pick(qtbot, page, "旅人", CTRL)
    settle(qtbot, desktop)
    shown, wanted = found((ALICE,), (TRAVELLER,))
    assert shown == wanted
    assert page.tools.strip.words == "Entity: 爱丽丝 and Entity: 旅人"
    qtbot.mouseClick(page.tools.facets.chips["archived"], LEFT, ALT)
    settle(qtbot, desktop)
    shown, wanted = found((ALICE,), (TRAVELLER,), none=(GREEN,))
    assert shown == wanted
    assert page.tools.strip.words.endswith("not Archived")
    qtbot.mouseClick(page.tools.facets.chips["buffer"], LEFT)
    settle(qtbot, desktop)
    qtbot.mouseClick(page.tools.facets.chips["archived"], LEFT, SHIFT)
    settle(qtbot, desktop)
    shown, wanted = found((BLUE, GREEN))
    assert shown == wanted
    assert page.tools.strip.words == "Buffer or Archived"


def test_a_right_click_offers_the_same_without_keys(qtbot, desktop, page, found):
    qtbot.mouseClick(page.tools.facets.chips["archived"], LEFT)
    settle(qtbot, desktop)
    chip = page.tools.facets.chips["buffer"]
    at = chip.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, chip.mapToGlobal(at))
    QApplication.sendEvent(chip, asked)
    menu = next(m for m in chip.findChildren(QMenu) if m.isVisible())
    texts = [a.text() for a in menu.actions()]
    assert texts == ["Only this", "And this", "Or this", "Not this"]
    menu.actions()[2].trigger()
    menu.close()
    settle(qtbot, desktop)
    shown, wanted = found((GREEN, BLUE))
    assert shown == wanted


def test_backspace_takes_out_the_last_and_clear_all_of_them(qtbot, desktop, page):
    total = page.view.model().rowCount()
    pick(qtbot, page, "爱丽丝")
    pick(qtbot, page, "旅人", CTRL)
    settle(qtbot, desktop)
    page.search.setFocus()
    qtbot.keyClick(page.search, Qt.Key.Key_Backspace)
    settle(qtbot, desktop)
    assert page.tools.strip.words == "Entity: 爱丽丝"
    page.tools.strip.chips[0].setFocus()
    qtbot.keyClick(page.tools.strip.chips[0], Qt.Key.Key_Delete)
    settle(qtbot, desktop)
    assert page.tools.strip.isHidden()
    assert page.window().focusWidget() is page.search
    pick(qtbot, page, "爱丽丝")
    qtbot.mouseClick(page.tools.strip.clear_button, LEFT)
    settle(qtbot, desktop)
    assert page.view.model().rowCount() == total


def test_counts_follow_what_is_shown(qtbot, desktop, page, found, memory):
    pick(qtbot, page, "爱丽丝")
    settle(qtbot, desktop)
    _shown, green = found((ALICE,), (GREEN,))
    assert page.tools.facets.chips["archived"].text() == f"Archived {len(green)}"
    every = memory.events.find(desktop.workspace.chat_id, EventQuery())
    assert page.tools.facets.chips["total"].text() == f"All {len(every)}"


def test_a_keyword_is_chosen_from_the_menu_and_left_out_from_its_own(
    qtbot, desktop, page, found, memory
):
    facets = page.tools.facets
    word = desktop.window.models.events.words_at_top()[0]
    qtbot.mouseClick(facets.more_chip, LEFT)
    commit(facets.more_menu.field, word)
    menu = facets.more_menu.list
    (item,) = (i for i in menu.findItems(word, Qt.MatchFlag.MatchExactly) if not i.isHidden())
    menu.setCurrentItem(item)
    qtbot.keyClick(facets.more_menu.field, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    shown, wanted = found((Facet("keyword", word),))
    assert shown == wanted
    assert shown
    chip = page.tools.strip.chips[0]
    at = chip.rect().center()
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, chip.mapToGlobal(at))
    QApplication.sendEvent(chip, asked)
    choices = next(m for m in chip.findChildren(QMenu) if m.isVisible())
    choices.actions()[3].trigger()
    settle(qtbot, desktop)
    shown, wanted = found(none=(Facet("keyword", word),))
    assert shown == wanted


def test_the_keys_are_told(page):
    for name in ("buffer", "archived"):
        assert "Alt+click: not" in page.tools.facets.chips[name].toolTip()
