"""What opening the library mended is said in the window, and stays until somebody has seen it."""

from __future__ import annotations

import pytest

from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat
from tests.gui.waiting import settle


@pytest.fixture
def interrupted(library):
    """The library as an import that was killed leaves it."""
    half = Library(library, counting_clock(), program="test")
    half.begin_chat("灰港的<b>雨季</b>")
    half.close()
    return library


def test_an_import_that_was_interrupted_is_told_and_found_again(
    qtbot, interrupted, open_memory, open_desktop
):
    desktop = open_desktop(open_memory(interrupted))
    window = desktop.window
    (bar,) = window.message_bar.bars
    assert bar.notice.kind == "warning"
    assert bar.notice.text == "Opening the library mended 1 thing."
    assert bar.notice.hint.startswith("灰港的<b>雨季</b>: its import was interrupted")
    bar.button.click()
    settle(qtbot, desktop)
    health = window.dialogs.shown[-1]
    told = [health.list.item(row).text() for row in range(health.list.count())]
    assert any(text.startswith("灰港的<b>雨季</b>: its import") for text in told)
    health.close()
    settle(qtbot, desktop)
    assert window.message_bar.bars == []
    window.dialogs.open_messages()
    settle(qtbot, desktop)
    past = window.dialogs.shown[-1].list
    said = [past.item(row).text() for row in range(past.count())]
    assert any("Opening the library mended 1 thing." in text for text in said)


@pytest.mark.logs("is left as it is")
def test_what_could_not_be_mended_asks_for_attention(library, open_memory, open_desktop):
    half = Library(library, counting_clock(), program="test")
    stray = make_chat(half, "坏掉的").folder
    with half.database.writing() as connection:
        connection.execute("DELETE FROM chat WHERE id = ?", (stray.name,))
    half.close()
    (stray / "memory.db").write_bytes(b"no database " * 1000)
    desktop = open_desktop(open_memory(library))
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == "1 thing in the library needs attention."
    assert bar.notice.hint.startswith(f"{stray.name}: ")


def test_a_library_that_is_well_says_nothing(desktop):
    assert desktop.window.message_bar.bars == []
