"""The entity beside the graph, changed by hand; and the inbox of entities that may be one."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from engram_desktop.domain.memory.line import Line
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.dialogs import QuestionBox
from tests.gui.waiting import settle


@pytest.fixture
def window(qtbot, desktop):
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    return desktop.window


@pytest.fixture
def alice(qtbot, desktop, window, memory):
    found = memory.graph.find_entity(desktop.workspace.chat_id, "爱丽丝")
    window.models.graph.show_entity(found.id)
    settle(qtbot, desktop)
    return found


def now(desktop, memory, entity_id):
    chat = desktop.workspace.chat_id
    return next(
        e for e in memory.graph.find_entities(Line.main(chat), "", 999) if e.id == entity_id
    )


def action(menu: QMenu, text: str):
    menu.aboutToShow.emit()
    return next(a for a in menu.actions() if a.text().startswith(text))


def test_a_new_name_is_saved_shown_and_undone(qtbot, desktop, window, memory, alice):
    name = window.stack.panel("graph").fields.name
    name.setText("爱丽丝·维尔")
    qtbot.keyClick(name, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert now(desktop, memory, alice.id).name == "爱丽丝·维尔"
    rows = window.stack.page("graph").list.rows
    assert any("爱丽丝·维尔" in rows.index(n, 0).data() for n in range(3))
    window.models.undo.undo()
    settle(qtbot, desktop)
    assert name.text() == "爱丽丝"


def test_a_name_that_is_taken_offers_to_merge_the_two(qtbot, desktop, window, memory, alice):
    other = next(e for e in window.models.graph.graph.view.entities if e.id != alice.id)
    name = window.stack.panel("graph").fields.name
    name.setText(other.name)
    qtbot.keyClick(name, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert not window.message_bar.bars  # nothing went wrong
    assert name.text() == "爱丽丝"
    box = window.findChild(QuestionBox)
    assert other.name in box.text()
    assert box.defaultButton() is box.keep_button  # Enter changes nothing
    qtbot.mouseClick(box.destroy_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert name.text() == other.name
    assert "爱丽丝" in now(desktop, memory, other.id).aliases
    window.models.undo.undo()
    settle(qtbot, desktop)
    assert now(desktop, memory, alice.id).name == "爱丽丝"


def test_aliases_are_chips_and_one_can_be_split_off(qtbot, desktop, window, memory, alice):
    fields = window.stack.panel("graph").fields
    fields.aliases.field.setText("小爱、老板娘甲")
    qtbot.keyClick(fields.aliases.field, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert set(now(desktop, memory, alice.id).aliases) == {"小爱", "老板娘甲"}
    split = action(fields.menu, "Split off")
    split.menu().actions()[0].trigger()
    settle(qtbot, desktop)
    assert len(now(desktop, memory, alice.id).aliases) == 1


def test_a_profile_is_yaml_and_a_fault_is_said(qtbot, desktop, window, memory, alice):
    fields = window.stack.panel("graph").fields
    fields.profile.setPlainText("身份: [")
    fields.save_profile()
    settle(qtbot, desktop)
    assert fields.fault.isVisible()
    assert "line" in fields.fault.text()
    assert now(desktop, memory, alice.id).profile == {}
    fields.profile.setPlainText("身份: 店主\n生日: 2020-01-02")
    fields.save_profile()
    settle(qtbot, desktop)
    assert fields.fault.isHidden()
    assert now(desktop, memory, alice.id).profile == {"身份": "店主", "生日": "2020-01-02"}


def test_type_and_lock(qtbot, desktop, window, memory, alice):
    fields = window.stack.panel("graph").fields
    qtbot.mouseClick(fields.lock_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert now(desktop, memory, alice.id).is_locked
    assert fields.lock_button.accessibleName() == "Unlock"
    fields.kind.setCurrentIndex(3)
    fields.kind.activated.emit(3)
    settle(qtbot, desktop)
    assert now(desktop, memory, alice.id).type == "concept"
    steps = len(memory.history.steps(desktop.workspace.chat_id))
    fields.kind.activated.emit(3)
    settle(qtbot, desktop)
    assert len(memory.history.steps(desktop.workspace.chat_id)) == steps  # it is one already


def test_merging_completes_the_name_and_keeps_the_target_selected(
    qtbot, desktop, window, memory, alice
):
    other = next(e for e in window.models.graph.graph.view.entities if e.id != alice.id)
    action(window.stack.panel("graph").fields.menu, "Merge into").trigger()
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[-1]
    assert not dialog.merge_button.isEnabled()
    qtbot.keyClicks(dialog.field, "nobody")
    assert not dialog.merge_button.isEnabled()
    dialog.field.setText(other.name)
    assert dialog.merge_button.isEnabled()
    qtbot.mouseClick(dialog.merge_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert window.stack.panel("graph").fields.name.text() == other.name
    assert "爱丽丝" in now(desktop, memory, other.id).aliases
    assert alice.id not in window.stack.page("graph").canvas.picture.graph.index


def test_hiding_takes_it_out_and_the_menu_brings_it_back(qtbot, desktop, window, memory, alice):
    action(window.stack.panel("graph").fields.menu, "Hide").trigger()
    settle(qtbot, desktop)
    assert alice.id not in window.stack.page("graph").canvas.picture.graph.index
    hidden = action(window.stack.page("graph").menu, "Hidden")
    hidden.menu().actions()[0].trigger()
    settle(qtbot, desktop)
    assert now(desktop, memory, alice.id).name == "爱丽丝"


def test_relations_are_added_reworded_ended_and_folded(qtbot, desktop, window, memory, alice):
    panel = window.stack.panel("graph").relations
    other = next(e for e in window.models.graph.graph.view.entities if e.id != alice.id)
    qtbot.mouseClick(panel.add_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[-1]
    qtbot.keyClicks(dialog.words, "trusts")
    dialog.other.setText(other.name)
    qtbot.keyClick(dialog.other, Qt.Key.Key_Return)
    settle(qtbot, desktop)

    def rows():
        found = memory.graph.relations_of(Line.main(desktop.workspace.chat_id), alice.id)
        return {r.predicate: r for r in found if r.is_by_hand}

    made = rows()["trusts"]
    assert (made.src, made.dst, made.is_by_hand) == (alice.id, other.id, True)
    card = next(
        w
        for n in range(panel._now.count())
        if (w := panel._now.itemAt(n).widget()) and "trusts" in w.accessibleName()
    )
    action(card.more.menu(), "Reword").trigger()
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[-1]
    dialog.words.setText("loves")
    qtbot.keyClick(dialog.words, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert set(rows()) == {"loves"}
    card = next(
        w
        for n in range(panel._now.count())
        if (w := panel._now.itemAt(n).widget()) and "loves" in w.accessibleName()
    )
    action(card.more.menu(), "It ended").trigger()
    settle(qtbot, desktop)
    dialog = window.dialogs.shown[-1]
    qtbot.mouseClick(dialog.end_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert not rows()["loves"].is_current
    assert panel.before_button.isVisible()
    assert not panel._past.isVisible()
    qtbot.mouseClick(panel.before_button, Qt.MouseButton.LeftButton)
    assert panel._past.isVisible()
    card = panel._before.itemAt(0).widget()
    action(card.more.menu(), "Still true").trigger()
    settle(qtbot, desktop)
    assert rows()["loves"].is_current
    window.models.undo.undo()
    settle(qtbot, desktop)
    assert not rows()["loves"].is_current
    assert panel.before_button.isVisible()  # the list is in step with what was undone


@pytest.fixture
def pair(qtbot, desktop, window, memory, alice):
    """Two entities of one name and a half, found by looking."""
    chat = desktop.workspace.chat_id
    memory.graph.set_aliases(chat, alice.id, ["爱丽丝姐姐"])
    memory.graph.split_entity(chat, alice.id, "爱丽丝姐姐")
    window.models.same.look_again()
    settle(qtbot, desktop)
    return next(
        s
        for s in memory.graph.suggestions(Line.main(chat))
        if "爱丽丝姐姐" in (s.one.name, s.other.name)
    )


def card_of(window, suggestion):
    cards = window.stack.page("graph").same.cards
    found = (cards.itemAt(n).widget() for n in range(cards.count()))
    return next(
        c for c in found if c is not None and suggestion.one.name in c.merge_buttons[0].text()
    )


def test_the_inbox_counts_and_merges_under_the_chosen_name(qtbot, desktop, window, memory, pair):
    page = window.stack.page("graph")
    count = len(memory.graph.suggestions(Line.main(desktop.workspace.chat_id)))
    assert page.same_button.text() == f"May be one ({count})"
    qtbot.mouseClick(page.same_button, Qt.MouseButton.LeftButton)
    card = card_of(window, pair)
    qtbot.mouseClick(card.merge_buttons[1], Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    merged = now(desktop, memory, pair.one.id)
    assert (merged.name, merged.aliases) == (pair.other.name, (pair.one.name,))
    window.models.undo.undo()
    settle(qtbot, desktop)
    assert page.same_button.text() == f"May be one ({count})"


def test_what_is_not_the_same_goes_and_comes_back_by_undo(qtbot, desktop, window, memory, pair):
    page = window.stack.page("graph")
    qtbot.mouseClick(page.same_button, Qt.MouseButton.LeftButton)
    before = page.same_button.text()
    qtbot.mouseClick(card_of(window, pair).later_button, Qt.MouseButton.LeftButton)
    assert page.same_button.text() == before
    qtbot.mouseClick(card_of(window, pair).apart_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert page.same_button.text() != before
    window.models.undo.undo()
    settle(qtbot, desktop)
    assert page.same_button.text() == before


def test_without_a_model_updating_profiles_says_what_to_do(qtbot, desktop, window):
    action(window.stack.page("graph").menu, "Update profiles").trigger()
    settle(qtbot, desktop)
    assert window.message_bar.bars


def test_an_empty_inbox_says_why(qtbot, desktop, window):
    page = window.stack.page("graph")
    qtbot.mouseClick(page.same_button, Qt.MouseButton.LeftButton)
    if not window.models.same.waiting:
        assert page.same.empty.isVisible()
        assert "consolidated" in page.same.empty._hint.text()


def test_after_a_merge_the_survivor_is_shown_and_the_way_back_is_offered(
    qtbot, desktop, window, memory, alice
):
    chat = desktop.workspace.chat_id
    other = next(e for e in memory.graph.find_entities(Line.main(chat)) if e.id != alice.id)
    window.models.graph.recenter(alice.id)
    settle(qtbot, desktop)
    assert window.models.graph.center == alice.id
    window.models.entity.merge_into(other.id)
    settle(qtbot, desktop)
    graph = window.models.graph
    assert graph.entity.id == other.id == graph.center
    assert alice.id not in {e.id for e in graph.graph.view.entities}
    assert len(graph.graph.view.entities) > 1, "the survivor stands among its neighbours"
    bar = window.message_bar.bars[-1]
    assert bar.button.text() == "Undo"
    bar.button.click()
    settle(qtbot, desktop)
    assert memory.graph.find_entity(chat, alice.name).id == alice.id


def test_either_of_two_that_may_be_one_is_looked_at_by_a_click(qtbot, desktop, window, pair):
    qtbot.mouseClick(window.stack.page("graph").same_button, Qt.MouseButton.LeftButton)
    sides = card_of(window, pair).findChildren(LiveCard)
    for side, entity in zip(sides, (pair.one, pair.other), strict=True):
        qtbot.mouseClick(side, Qt.MouseButton.LeftButton)
        settle(qtbot, desktop)
        assert window.models.entity.entity.id == entity.id
