"""The fields of worldbook entries: of one, of several at once, and by names for ids."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.tavern.folder import TavernChoice
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Position
from engram_desktop.jobs.context import NullContext
from tests.gui.waiting import settle
from tests.gui.worldbooks import open_entries, stored
from tests.tavern import make_tavern


@pytest.fixture
def page(qtbot, desktop, memory, tmp_path):
    return open_entries(qtbot, desktop, memory, tmp_path)


def test_every_field_is_there_and_a_touch_changes_only_it(qtbot, desktop, memory, page):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    form = desktop.window.stack.panel("books").form
    before = stored(memory)
    fields = form._fields
    position = fields["position"]
    assert not fields["outlet_name"].isVisibleTo(form)
    position.setCurrentIndex(position.findData(Position.OUTLET))
    position.activated.emit(position.currentIndex())
    settle(qtbot, desktop)
    assert fields["outlet_name"].isVisibleTo(form)
    fields["outlet_name"].setText("海")
    fields["outlet_name"].submitted.emit()
    fields["automation_id"].setText("x")
    fields["automation_id"].submitted.emit()
    fields["delay_until_recursion"].setValue(2)
    fields["scan_depth"].setValue(7)
    settle(qtbot, desktop)
    form._matches["scenario"].click()
    form._triggers["swipe"].click()
    form._triggers["normal"].click()
    form.names.field.setText("爱丽丝")
    form.names.field.submitted.emit()
    settle(qtbot, desktop)
    form.tags.field.setText("t1")
    form.tags.field.submitted.emit()
    form.excludes.click()
    settle(qtbot, desktop)
    now = stored(memory)
    assert now[0] == replace(
        before[0],
        position=Position.OUTLET,
        outlet_name="海",
        automation_id="x",
        delay_until_recursion=2,
        scan_depth=7,
        matches=frozenset({"scenario"}),
        triggers=("normal", "swipe"),
        character_filter=CharacterFilter(("爱丽丝",), ("t1",), is_exclude=True),
    )
    assert (now[1], now[2]) == (before[1], before[2])
    fields["scan_depth"].setValue(-1)
    settle(qtbot, desktop)
    assert stored(memory)[0].scan_depth is None


def test_tags_are_shown_by_name_and_kept_by_id(qtbot, desktop, memory, page, tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    tags = [{"id": "id-1", "name": "奇幻"}, {"id": "id-2", "name": "悬疑"}]
    (handle / "settings.json").write_text(json.dumps({"tags": tags}), "utf-8")
    choice = TavernChoice(frozenset())
    found = memory.tavern.list_folder(NullContext(), tmp_path / "SillyTavern")
    memory.tavern.take(NullContext(), found, choice, lambda _: None, lambda *_: None)
    row = memory.worldbooks.all()[0]
    wanted = CharacterFilter((), ("id-2", "别的"))
    memory.worldbooks.change_entries(row.id, [0], {"character_filter": wanted})
    desktop.workspace.hub.publish(Changes(worldbooks=True))
    settle(qtbot, desktop)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    form = desktop.window.stack.panel("books").form
    assert form.tags.words == ("悬疑", "别的")
    offered = form.tags.field.completer().model()
    assert [offered.index(n, 0).data() for n in range(offered.rowCount())] == ["奇幻", "悬疑"]
    form.tags.field.completer().activated.emit("奇幻")
    settle(qtbot, desktop)
    form.excludes.click()
    settle(qtbot, desktop)
    held = stored(memory)[0].character_filter
    assert held == CharacterFilter((), ("id-2", "别的", "id-1"), is_exclude=True)
    assert form.tags.words == ("悬疑", "别的", "奇幻")


def test_several_entries_are_edited_together_and_what_differs_is_blank(
    qtbot, desktop, memory, page
):
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    page.view.selectAll()
    panel = desktop.window.stack.panel("books")
    form = panel.form
    order = form._fields["order"]
    assert not panel.title.isVisibleTo(panel)
    assert order.text() == ""
    assert form._fields["depth"].value() == 4
    assert panel.mode.currentIndex() == -1
    before = stored(memory)
    form._fields["probability"].setValue(60)
    settle(qtbot, desktop)
    order.setValue(100)
    settle(qtbot, desktop)
    form._fields["prevent_recursion"].click()
    settle(qtbot, desktop)
    form._matches["scenario"].click()
    settle(qtbot, desktop)
    assert stored(memory) == {
        uid: replace(
            entry,
            probability=60,
            order=100,
            prevent_recursion=True,
            matches=frozenset({"scenario"}),
        )
        for uid, entry in before.items()
    }
    assert order.text() == "100"
    for _ in range(4):
        desktop.window.undo_action.trigger()
        settle(qtbot, desktop)
    assert stored(memory) == before
