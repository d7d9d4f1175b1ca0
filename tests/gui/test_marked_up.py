"""A message that stands in markup, as it is read: its story, and the rest when it is asked for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.factories import import_chat
from tests.gui.waiting import open_page, press_key, write

MARKED_UP = """<thinking>
先想一想，银铃在哪里。
</thinking>
<content>
银铃挂在磨坊的门后。
</content>
<status>
好感度：7
心情：平静
</status>"""


@pytest.fixture
def desktop(open_desktop, memory, tmp_path):
    memory.settings.set("auto.enabled", value=False)
    rows = [
        ("旅人", "银铃在哪里？"),
        ("爱丽丝", MARKED_UP),
        ("爱丽丝", "<content>\n好。\n</content>"),
    ]
    chat = import_chat(memory, tmp_path / "磨坊.jsonl", rows)
    made = open_desktop(memory)
    made.workspace.show_chat(chat)
    open_page(made, "reading")
    return made


@pytest.fixture
def page(desktop):
    return desktop.window.stack.page("reading")


def shown(page, floor):
    """The paragraphs of a message that are drawn."""
    return [p.text for p in page.view._box(floor).text.paragraphs if not p.is_folded]


def chips(page, floor):
    return [hit for hit in page.view._box(floor).hits if hit.kind == "fold"]


def test_the_story_is_shown_and_the_rest_on_a_press_or_space(qtbot, page):
    assert shown(page, 1) == ["银铃挂在磨坊的门后。"]
    low = page.view.rect_of(1).height()
    (chip,) = chips(page, 1)
    page.view._press(1, chip)
    assert shown(page, 1) == MARKED_UP.split("\n")
    assert page.view.rect_of(1).height() > low
    page.view.show_floor(1)
    qtbot.keyClick(page.view, Qt.Key.Key_Space)
    assert shown(page, 1) == ["银铃挂在磨坊的门后。"]
    page.view.grab()


def test_tags_alone_are_no_more_to_be_shown(page):
    assert shown(page, 2) == ["好。"]
    assert chips(page, 2) == []
    assert chips(page, 0) == []


def test_what_is_found_in_a_panel_is_brought_to_light(desktop, page):
    page.search.field.setFocus()
    write(desktop, page.search.field, "好感度")
    press_key(desktop, page.search.field, Qt.Key.Key_Return)
    assert "好感度：7" in shown(page, 1)


def test_a_screen_reader_hears_the_story(page):
    page.view.show_floor(1)
    assert "银铃挂在磨坊的门后。" in page.view.accessibleDescription()
    assert "好感度" not in page.view.accessibleDescription()
