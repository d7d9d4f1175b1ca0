"""The page of the state: values at a floor, their curve and steps, and changing one by hand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.state.tree import join_path, leaves
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.state import parse_typed
from engram_desktop.widgets.state.state_page import PathRole
from tests.factories import make_extraction
from tests.gui.waiting import settle
from tests.state_story import update, write_story

CTX = NullContext()
PATH = ("爱丽丝", "好感度")


@pytest.fixture
def page(qtbot, open_desktop, memory, tmp_path):
    """The page of a story in which 爱丽丝 comes to like the player; one update is broken."""
    replies = [update(1), update(2), "<state_update>坏</state_update>", update(4)]
    chat = memory.imports.import_file(CTX, write_story(tmp_path / "故事.jsonl", replies)).chat_id
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    desktop.window.show_page("state")
    settle(qtbot, desktop)
    page = desktop.window.stack.page("state")
    page.desktop = desktop
    return page


def shown(page):
    """Rows that are seen, as `path: value`."""
    found, rows = {}, [page.tree.topLevelItem(n) for n in range(page.tree.topLevelItemCount())]
    while rows:
        row = rows.pop()
        rows += [row.child(n) for n in range(row.childCount())]
        if row.data(0, PathRole) and not row.isHidden():
            found[join_path(row.data(0, PathRole))] = row.text(1)
    return found


def choose(qtbot, page, name):
    (row,) = page.tree.findItems(name, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive)
    page.tree.setCurrentItem(row)
    settle(qtbot, page.desktop)
    return page.desktop.window.stack.panel("state")


def lines(panel):
    return [panel.list.item(n).text() for n in range(panel.list.count())]


def test_values_are_shown_and_searched(qtbot, page):
    assert shown(page) == {"爱丽丝.好感度": "57", "爱丽丝.心情": "平静"}
    assert "1 update could not be read" in page._summary.text()
    page.search.setText("心情")
    assert shown(page) == {"爱丽丝.心情": "平静"}
    page.search.setText("爱丽丝")
    assert len(shown(page)) == 2


def test_the_slider_goes_back_in_the_story(qtbot, page):
    assert not page.now_button.isEnabled()
    page.floor.setValue(2)
    qtbot.waitUntil(lambda: shown(page).get("爱丽丝.好感度") == "51")
    assert page._at.text() == "2 of 8"
    page.now_button.click()
    qtbot.waitUntil(lambda: shown(page).get("爱丽丝.好感度") == "57")


def test_all_changes_are_told_with_what_could_not_be_read(page):
    panel = page.desktop.window.stack.panel("state")
    assert lines(panel)[0] == "Floor 8 · 爱丽丝.好感度: 53 → 57\nthe reply"
    assert lines(panel)[1] == "Floor 6 · it holds no list of operations\nthe reply"
    assert not panel.value.isVisible()


def test_a_value_has_steps_a_curve_and_a_source(qtbot, page):
    panel = choose(qtbot, page, "好感度")
    assert panel._title.text() == "爱丽丝.好感度"
    assert panel._meaning.text() == "喜爱"
    assert panel.value.text() == "57"
    assert [line.split("\n")[0] for line in lines(panel)] == [
        "Floor 8 · 53 → 57",
        "Floor 4 · 51 → 53",
        "Floor 2 · 50 → 51",
        "Floor 0 · 50",
    ]
    assert panel.curve.isVisible()
    assert panel.curve.accessibleDescription() == "from 50 to 57, lowest 50, highest 57"
    panel.grab()
    with qtbot.waitSignal(page.desktop.workspace.floor_wanted) as asked:
        panel.list.itemDoubleClicked.emit(panel.list.item(1))
    assert asked.args == [4, 4]


def test_a_value_is_changed_undone_and_removed(qtbot, page, memory):
    desktop, chat = page.desktop, page.desktop.workspace.chat_id
    panel = choose(qtbot, page, "好感度")
    panel.value.setFocus()
    panel.value.selectAll()
    qtbot.keyClicks(panel.value, "90")
    panel.value.submitted.emit()
    settle(qtbot, desktop)
    assert shown(page)["爱丽丝.好感度"] == "90"
    assert lines(panel)[0] == "Floor 8 · 57 → 90\nyou"
    desktop.window.undo_action.trigger()
    settle(qtbot, desktop)
    assert shown(page)["爱丽丝.好感度"] == "57"
    panel.remove_button.click()
    settle(qtbot, desktop)
    assert [join_path(x.path) for x in leaves(memory.state.history(CTX, Line.main(chat)).tree)] == [
        "爱丽丝.心情"
    ]
    assert not panel.value.isVisible()


def test_a_value_is_added(qtbot, page):
    page.add_button.click()
    settle(qtbot, page.desktop)
    dialog = page.desktop.window.dialogs.shown[-1]
    assert not dialog.save_button.isEnabled()
    dialog.name.setText("旅人.物品")
    dialog.value.setText('["钥匙", "灯", "信"]')
    dialog.save_button.click()
    settle(qtbot, page.desktop)
    assert shown(page)["旅人.物品"] == "钥匙, 灯, 信"


def test_a_chat_without_state_says_what_would_bring_one(qtbot, page, memory):
    others = [c.chat_id for c in memory.chats.all() if c.chat_id != page.desktop.workspace.chat_id]
    page.desktop.workspace.show_chat(others[0])
    settle(qtbot, page.desktop)
    assert page._stack.currentWidget() is page._empty
    assert "No state yet" in page._empty._title.text()
    assert lines(page.desktop.window.stack.panel("state")) == []


@pytest.mark.parametrize(
    ("text", "old", "value"),
    [("7", 5, 7), ("7", "五", "7"), ("[1]", None, [1]), ("好", 5, "好"), ("true", None, True)],
)
def test_what_is_typed_is_read_as_what_was_there(text, old, value):
    assert parse_typed(text, old) == value


def test_a_value_that_was_put_back_after_a_crash_is_saved_by_leaving_it(qtbot, page, memory):
    view = page.desktop.window.models.state
    panel = choose(qtbot, page, "好感度")
    assert (panel.value.text(), panel.value.isModified()) == ("57", False)
    choose(qtbot, page, "心情")
    view.unsaved.keep(view.place(PATH), {"value": "99"})
    panel = choose(qtbot, page, "好感度")
    assert (panel.value.text(), panel.value.isModified()) == ("99", True)


def test_what_happened_stands_beside_what_it_moved(qtbot, page, memory):
    panel = choose(qtbot, page, "好感度")
    floors = [panel.list.item(n).data(Qt.ItemDataRole.UserRole) for n in range(panel.list.count())]
    line = page.desktop.workspace.line
    event = make_extraction("爱丽丝在水族馆第一次看到企鹅。")
    page.desktop.workspace.change(
        "", lambda _ctx: memory.events.add(line, event, SourceRange(floors[0], floors[0]))[1]
    )
    settle(qtbot, page.desktop)
    told = [text for text in lines(panel) if "第一次看到企鹅" in text]
    assert len(told) == 1
    assert panel.curve._events == {floors[0]}
