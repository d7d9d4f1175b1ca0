"""Several events selected: the panel says how many, and changes what they share in one step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from engram_desktop.widgets.events.editor_panel import EditorPanel
from engram_desktop.widgets.parts.fields.text_fields import WordChip
from tests.gui.waiting import settle


@pytest.fixture
def page(desktop):
    return desktop.window.event_page


@pytest.fixture
def panel(desktop):
    (panel,) = desktop.window.findChildren(EditorPanel)
    return panel.many


@pytest.fixture
def events(desktop, memory):
    """Return what is stored of the events selected."""
    chat = desktop.workspace.chat_id

    def read():
        keys = desktop.window.models.event_many.keys
        return list(memory.events.fetch(chat, keys).values())

    return read


@pytest.fixture
def selected(qtbot, desktop, page):
    page.view.setFocus()
    page.view.show_row(0)
    qtbot.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    settle(qtbot, desktop)


def leave_with(qtbot, desktop, field, text):
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, desktop)


def test_the_panel_says_how_many_and_shows_what_differs_as_mixed(selected, panel, events):
    assert panel.isVisible()
    assert panel.title.text() == "3 events selected"
    scores = {event.significance_score for event in events()}
    places = {event.raw_data.location for event in events()}
    assert panel.place.text() == (places.pop() if len(places) == 1 else "")
    if len(scores) > 1:
        texts = [part.text() for part in panel.findChildren(QLabel)]
        assert any(text.startswith("Mixed: ") for text in texts)


def test_a_place_is_set_in_all_and_one_undo_takes_it_back(qtbot, desktop, selected, panel, events):
    before = [event.raw_data.location for event in events()]
    trust = [event.confidence for event in events()]
    leave_with(qtbot, desktop, panel.place, "harbour")
    assert [event.raw_data.location for event in events()] == ["harbour"] * 3
    assert all("harbour" in event.display_text for event in events())
    assert [event.confidence for event in events()] == trust, "nobody read each of them"
    assert "Edit 3 events" in desktop.window.undo_action.text()
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert [event.raw_data.location for event in events()] == before


def test_keywords_are_added_to_all_and_removed_from_all(qtbot, desktop, selected, panel, events):
    leave_with(qtbot, desktop, panel.keyword, "salt, rope")
    assert all({"salt", "rope"} <= set(event.raw_data.keywords) for event in events())
    (chip,) = [c for c in panel.findChildren(WordChip) if c.word == "salt"]
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert not any("salt" in event.raw_data.keywords for event in events())
    assert all("rope" in event.raw_data.keywords for event in events())


def test_what_is_locked_keeps_its_text_and_the_panel_says_so(
    qtbot, desktop, selected, panel, events, memory
):
    first = events()[0]
    desktop.window.models.events.set_locked([first.pk], locked=True)
    settle(qtbot, desktop)
    assert panel.locked.checkState() == Qt.CheckState.PartiallyChecked
    assert "1 of them is locked" in " ".join(part.text() for part in panel.findChildren(QLabel))
    leave_with(qtbot, desktop, panel.time, "dusk")
    told = {event.pk: event.raw_data.timestamp for event in events()}
    assert told.pop(first.pk) == first.raw_data.timestamp
    assert set(told.values()) == {"dusk"}
    qtbot.keyClick(panel.locked, Qt.Key.Key_Space)
    settle(qtbot, desktop)
    assert all(event.is_locked for event in events())
    assert not panel.place.isEnabled()


def test_kind_score_and_confirmation_of_all(qtbot, desktop, selected, panel, events):
    panel.kind.setFocus()
    panel.kind.setCurrentIndex(panel.kind.findData("fact"))
    panel.kind.activated.emit(panel.kind.currentIndex())
    settle(qtbot, desktop)
    assert {event.kind for event in events()} == {"fact"}
    panel.significance.setValue(10)
    settle(qtbot, desktop)
    assert {event.significance_score for event in events()} == {0.1}
    qtbot.keyClick(panel.confirmed, Qt.Key.Key_Space)
    settle(qtbot, desktop)
    assert {event.confidence for event in events()} == {"confirmed"}
    assert panel.confirmed.isChecked()


def test_one_event_again_shows_its_own_fields(qtbot, desktop, page, selected, panel):
    page.view.show_row(1)
    settle(qtbot, desktop)
    assert not panel.isVisible()
    page.view.selectAll()
    settle(qtbot, desktop)
    assert panel.isVisible()
    assert str(page.view.model().rowCount()) in panel.title.text()
