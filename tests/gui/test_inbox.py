"""The inbox: what waits, decided with the keyboard alone, until nothing is left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.inbox import EFFECTS, INBOX_KINDS
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.findings import FindingList
from engram_desktop.viewmodels.graph.graph_view import GraphPageModel
from engram_desktop.viewmodels.inbox import (
    KIND_ROLES,
    PARTS,
    InboxList,
    effect_names,
    kind_names,
    kind_questions,
)
from engram_desktop.viewmodels.pipeline.review import Review
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.pipeline.review_dialog import ReviewDialog
from engram_desktop.widgets.pipeline.usage_dialogs import FailuresDialog
from tests.gui.waiting import open_page, press_key, run_out, settle
from tests.inbox_story import fill_inbox, kinds

CTX = NullContext()


@pytest.fixture
def open_inbox(qtbot, open_desktop, memory, tmp_path):
    """Open the window on the inbox of a chat; `fill_inbox` takes the counts."""

    def make(**counts):
        memory.settings.set("auto.enabled", value=False)
        chat = fill_inbox(memory, tmp_path, **counts)
        desktop = open_desktop(memory)
        desktop.window.resize(1280, 800)
        desktop.workspace.show_chat(chat)
        desktop.window.show_page("inbox")
        page = desktop.window.stack.page("inbox")
        qtbot.waitUntil(lambda: page._inbox.is_loaded, timeout=20_000)
        settle(desktop)
        page.desktop, page.chat = desktop, chat
        page.view.setFocus()
        return page

    return make


def listed(page):
    model = page.view.model()
    return [model.row_at(n) for n in range(model.rowCount())]


def press(page, key):
    press_key(page.desktop, page.view, key)


def go_to(page, kind):
    row = next(n for n, item in enumerate(listed(page)) if item.kind == kind)
    page.view.show_row(row)
    return listed(page)[row]


def test_every_kind_waits_in_one_list(open_inbox, memory):
    page = open_inbox()
    assert [item.kind for item in listed(page)] == list(INBOX_KINDS)
    assert page.chips[None].text() == "Waiting 8"
    assert kinds(memory, page.chat) == list(INBOX_KINDS)


def test_two_hundred_are_worked_through_with_the_keyboard_alone(qtbot, open_inbox, memory):
    page = open_inbox(stale=160, drafts=38)
    window = page.desktop.window
    window.show_page("events")
    press_key(page.desktop, window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert window.page == "inbox"
    assert page._inbox.count >= 200
    keys = (Qt.Key.Key_A, Qt.Key.Key_D, Qt.Key.Key_L)
    pressed = 0
    # what was saved may be doubtful itself, and comes behind
    while not page._inbox.is_settled or page._inbox.count:
        while page._inbox.model.rowCount():
            is_failed = page._inbox.current.kind == "failed"  # accepting it would ask a model
            key = Qt.Key.Key_D if is_failed else keys[pressed % 3]
            qtbot.keyClick(window.focusWidget(), key)
            pressed += 1
            assert pressed < 400
        qtbot.waitUntil(lambda: page._inbox.is_settled or page._inbox.count > 0, timeout=60_000)
    assert (page._inbox.count, page._inbox.is_loaded) == (0, True)
    assert page._stack.currentWidget() is page._empty
    assert page._empty._title.text() == "All done"
    assert kinds(memory, page.chat) == []
    assert pressed >= 200


def test_each_key_does_what_its_button_says_and_is_undone(qtbot, open_inbox, memory):
    page = open_inbox()
    for kind in ("draft", "stale", "doubt", "same", "duplicate", "promise"):
        for key in (Qt.Key.Key_A, Qt.Key.Key_D, Qt.Key.Key_L):
            item = go_to(page, kind)
            press(page, key)
            assert item.id not in [other.id for other in listed(page)], (kind, key)
            qtbot.keyClick(page.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            qtbot.waitUntil(
                lambda i=item: page._inbox.is_settled and i.id in [o.id for o in listed(page)],
                timeout=10_000,
            )
            settle(page.desktop)
    assert kinds(memory, page.chat) == list(INBOX_KINDS)


def test_a_decision_reads_again_what_it_is_about_and_once(qtbot, open_inbox):
    page = open_inbox(stale=3)
    inbox, asked = page._inbox, []
    for (kinds_read, *_), query in zip(PARTS, inbox._queries, strict=True):
        query.asked.connect(lambda kinds_read=kinds_read: asked.append(kinds_read[-1]))

    def read_by(kind, key):
        asked.clear()
        go_to(page, kind)
        press(page, key)
        for query in inbox._queries:
            run_out(query._later)
        qtbot.waitUntil(lambda: inbox.is_settled, timeout=10_000)
        return sorted(asked)

    assert read_by("stale", Qt.Key.Key_L) == []
    assert read_by("stale", Qt.Key.Key_D) == []
    assert read_by("duplicate", Qt.Key.Key_D) == ["duplicate"]  # known apart from now on
    assert "duplicate" not in read_by("stale", Qt.Key.Key_A)
    assert asked.count("same") == 1  # the part with what is stale


def test_digits_answer_a_contradiction(open_inbox, memory):
    page = open_inbox()
    go_to(page, "contradiction")
    press(page, Qt.Key.Key_3)
    found = memory.findings.findings(CTX, Line.main(page.chat), ("contradiction",))
    assert [f.answer for f in found] == ["both"]
    row = page.view.currentIndex().row()
    go_to(page, "stale")
    press(page, Qt.Key.Key_3)  # nothing is answered with a digit there
    assert "stale" in kinds(memory, page.chat)
    assert row >= 0


def test_j_and_k_move_and_the_next_one_takes_the_place_of_what_was_decided(open_inbox):
    page = open_inbox(stale=3)
    page.view.show_row(0)
    press(page, Qt.Key.Key_J)
    assert page.view.currentIndex().row() == 1
    press(page, Qt.Key.Key_K)
    assert page.view.currentIndex().row() == 0
    first, second = go_to(page, "stale"), page.view.currentIndex().row()
    press(page, Qt.Key.Key_D)
    assert page.view.currentIndex().row() == second
    assert page._inbox.current.kind == "stale"
    assert page._inbox.current.id != first.id
    assert page.detail.item is page._inbox.current


def test_what_an_undo_brings_back_is_chosen(qtbot, open_inbox):
    page = open_inbox(stale=4, drafts=3)
    first, second = go_to(page, "stale"), None
    press(page, Qt.Key.Key_D)
    second = page._inbox.current
    press(page, Qt.Key.Key_L)
    page.view.show_row(0)
    for item in (second, first):
        page.desktop.window.models.undo.undo()
        qtbot.waitUntil(lambda i=item: page._inbox.current.id == i.id, timeout=10_000)
        settle(page.desktop)
        assert page.view.current_key() == item.key
    press(page, Qt.Key.Key_J)  # and nothing draws it back there
    press(page, Qt.Key.Key_D)
    assert page._inbox.current.id not in (first.id, second.id)


def test_keys_pressed_faster_than_they_are_written_are_all_taken_back(qtbot, open_inbox):
    page = open_inbox(stale=6)
    before, first = [item.id for item in listed(page)], go_to(page, "stale")
    for _ in range(4):
        qtbot.keyClick(page.view, Qt.Key.Key_D)
    for _ in range(4):
        qtbot.keyClick(page.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page._inbox.is_settled and len(listed(page)) == len(before))
    settle(page.desktop)
    assert [item.id for item in listed(page)] == before
    assert page._inbox.current.id == first.id
    said = page.desktop.workspace.messages.past
    assert [notice.text for _when, notice in said if notice.kind == "error"] == []


def test_what_is_to_be_changed_opens_where_it_can_be(qtbot, open_inbox):
    page = open_inbox()
    window, models = page.desktop.window, page.desktop.window.models

    def opened(kind):
        open_page(page.desktop, "inbox")
        item = go_to(page, kind)
        page.view.setFocus()
        press(page, Qt.Key.Key_E)
        return item

    for kind in ("stale", "doubt", "duplicate"):
        item = opened(kind)
        assert window.page == "events"
        assert models.editor.current.pk == item.keys[0]
    for kind in ("contradiction", "promise"):
        item = opened(kind)
        assert (window.page, models.findings.current.finding.id) == ("findings", item.ref)
    item = opened("same")
    qtbot.waitUntil(lambda: models.graph.entity is not None, timeout=5000)
    assert models.graph.entity.id in item.entities
    assert window.page == "graph"
    item = opened("draft")
    dialog = window.dialogs.shown[-1]
    assert isinstance(dialog, ReviewDialog)
    draft = dialog._draft()
    assert draft is not None
    assert draft.id == item.ref
    dialog.close()
    item = opened("failed")
    dialog = window.dialogs.shown[-1]
    assert isinstance(dialog, FailuresDialog)
    draft = dialog._draft()
    assert draft is not None
    assert draft.id == item.ref
    dialog.close()


def test_a_draft_that_was_corrected_is_opened_and_not_saved_as_it_was(open_inbox, memory):
    page = open_inbox()
    item = go_to(page, "draft")
    review = page.desktop.window.models.review
    review.unsaved.keep(review.place(item.ref), {"0": '{"summary": "改过的草稿。"}'})
    press(page, Qt.Key.Key_A)
    assert isinstance(page.desktop.window.dialogs.shown[-1], ReviewDialog)
    assert "draft" in kinds(memory, page.chat)
    page.desktop.window.dialogs.shown[-1].close()


def test_it_is_narrowed_by_kind_and_shows_what_was_put_off(open_inbox):
    page = open_inbox(stale=2)
    page.chips["stale"].click()
    assert {item.kind for item in listed(page)} == {"stale"}
    page.view.setFocus()
    page.view.show_row(0)
    press(page, Qt.Key.Key_L)
    press(page, Qt.Key.Key_L)
    assert page._inbox.kind is None  # the last of the kind was put off
    assert page.put_off_chip.text() == "Put off 2"
    page.put_off_chip.click()
    assert {item.kind for item in listed(page)} == {"stale"}
    page.view.show_row(0)
    page.view.setFocus()
    press(page, Qt.Key.Key_A)  # decided after all
    assert page.put_off_chip.text() == "Put off 1"


def test_it_says_at_once_that_all_is_done_and_shows_what_was_put_off(qtbot, open_inbox):
    page = open_inbox()
    for _number in INBOX_KINDS:
        qtbot.keyClick(page.view, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: page._empty._title.text() == "All done", timeout=5000)
    page._empty.button.click()
    assert [item.kind for item in listed(page)] == list(INBOX_KINDS)


def test_beside_a_stale_memory_stands_what_its_floors_say_now(qtbot, open_inbox, memory):
    page = open_inbox()
    item = go_to(page, "stale")
    settle(page.desktop)
    message = memory.messages.slice(Line.main(page.chat), *item.floors)[0]
    assert page.detail.lines.text().startswith(f"{message.name}: ")
    assert page.detail.lines.isVisible()
    go_to(page, "same")
    assert not page.detail.lines.isVisible()
    with qtbot.waitSignal(page.desktop.workspace.floor_wanted) as asked:
        go_to(page, "contradiction")
        qtbot.keyClick(page.detail.cards[1], Qt.Key.Key_Return)
    assert asked.args == [listed(page)[page.view.currentIndex().row()].parts[1].first] * 2


def test_somebody_of_the_story_decides_nothing(qtbot, open_inbox):
    page = open_inbox()
    page.desktop.window.models.viewpoint.view_as("老莫")
    settle(page.desktop)
    assert page._stack.currentWidget() is page._empty
    assert page._empty._title.text() == "Only you decide"
    page.desktop.window.models.viewpoint.view_as("")
    qtbot.waitUntil(lambda: page._inbox.count == 8, timeout=20_000)


def test_two_names_are_not_said_twice_but_why_they_may_be_one(open_inbox):
    page = open_inbox()
    item = go_to(page, "same")
    words = page.view.itemDelegate().words_of(item)
    assert words.title == " = ".join(part.text for part in item.parts)
    assert words.text == page.detail.why.text()


def test_what_cannot_be_done_comes_back_and_says_why(open_inbox, memory):
    page = open_inbox()
    item = go_to(page, "duplicate")
    memory.events.set_locked(CTX, page.chat, item.keys, locked=True)
    press(page, Qt.Key.Key_A)
    assert item.id in [other.id for other in listed(page)]
    told = [notice.text for _when, notice in page.desktop.workspace.messages.past]
    assert any("locked" in text for text in told)


def test_every_kind_and_effect_has_its_words():
    every = set(INBOX_KINDS)
    assert set(kind_names()) == set(kind_questions()) == set(KIND_ROLES) == every
    assert {effect for pair in EFFECTS.values() for effect in pair} <= set(effect_names())


# The count at the tab.


def count_now(desktop):
    inbox = desktop.window.models.inbox
    for timer in (inbox._begin, *(query._later for query in inbox._queries)):
        run_out(timer)
    settle(desktop)


def test_the_tab_says_how_many_wait_and_no_tab_moves(open_inbox):
    page = open_inbox()
    top = page.desktop.window.top

    def places():
        return {name: button.geometry() for name, button in top.page_buttons.items()}

    before = places()
    count_now(page.desktop)
    assert (top._badge.text(), top._badge.isVisible()) == ("8", True)
    assert top.page_buttons["inbox"].accessibleDescription() == "8 items wait"
    assert places() == before
    top.show_inbox(12_345)
    assert top._badge.text() == "99+"
    assert "12345" in top.page_buttons["inbox"].toolTip()
    assert places() == before
    top.show_inbox(0)
    assert not top._badge.isVisible()


def test_showing_a_chat_leaves_making_the_service_to_the_lane_that_reads(space):
    inbox = InboxList(
        space,
        lambda: FindingList(space),
        lambda: GraphPageModel(space),
        lambda: Review(space, UndoActions(space)),
    )
    space.show_chat("")
    space.show_chat(space.memory.chats.all()[0].chat_id)
    assert "inbox" not in vars(space.memory)
    assert not inbox.is_loaded


def test_the_count_follows_what_is_decided_and_goes_as_somebody_else(qtbot, open_inbox):
    page = open_inbox()
    top = page.desktop.window.top
    count_now(page.desktop)
    go_to(page, "stale")
    qtbot.keyClick(page.view, Qt.Key.Key_D)
    assert top._badge.text() == str(page._inbox.count) == "7"
    page.desktop.workspace.view_as("爱丽丝")
    count_now(page.desktop)
    assert not top._badge.isVisible()
