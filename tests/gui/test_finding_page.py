"""The page of findings: lists, quotes, answers with keys, a viewpoint, a floor, and lanes."""

from __future__ import annotations

import json
from array import array

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.claims.claim import (
    FACT_ANSWERS,
    FINDING_KINDS,
    PROMISE_ANSWERS,
    STATUSES,
    Claim,
)
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.facets import WITH_FINDING, Facets
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.findings import (
    answer_names,
    kind_meanings,
    kind_names,
    status_names,
    words_on_speaker,
)
from engram_desktop.widgets.events.event_tools import FacetStrip
from engram_desktop.widgets.parts.answer_page import KindCard, KindWords
from engram_desktop.widgets.reading.row_menu import RowMenu
from engram_desktop.widgets.window.sidebar import ChatList
from tests.findings_stories import stories
from tests.gui.waiting import (
    choose_in,
    open_page,
    press,
    press_key,
    resize,
    settle,
    show_chat,
    undo,
    write,
)

CTX = NullContext()
STORY = next(story for story in stories() if story.name == "saltmarsh")


@pytest.fixture
def chat(memory, tmp_path):
    """A story in which people move, lie and promise."""
    file = tmp_path / "saltmarsh.jsonl"
    rows: list[dict[str, object]] = [{"user_name": STORY.player, "character_name": STORY.narrator}]
    rows += [{"name": n, "is_user": n == STORY.player, "mes": t} for n, t in STORY.messages]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return memory.imports.import_file(CTX, file).chat_id


@pytest.fixture
def page(open_desktop, memory, chat):
    memory.settings.set("auto.enabled", value=False)
    desktop = open_desktop(memory)
    desktop.window.resize(1280, 800)
    desktop.workspace.show_chat(chat)
    made = open_page(desktop, "findings")
    made.desktop = desktop
    return made


def listed(page):
    model = page.view.model()
    return [model.row_at(n).finding for n in range(model.rowCount())]


def choose(page, kind):
    """Choose the first finding of a kind; return its place."""
    row = next(n for n, finding in enumerate(listed(page)) if finding.kind == kind)
    page.view.show_row(row)
    page.view.setFocus()
    return row


def stored(page, memory, chat):
    return {f.id: f.answer for f in memory.findings.findings(CTX, Line.main(chat)) if f.answer}


def test_findings_are_listed_as_the_service_tells_them(page, memory, chat):
    told = {finding.id for finding in memory.findings.findings(CTX, Line.main(chat))}
    assert {finding.id for finding in listed(page)} == told
    floors = [finding.floors for finding in listed(page)]
    assert floors == sorted(floors)
    counts = {kind: sum(f.kind == kind for f in listed(page)) for kind in FINDING_KINDS}
    assert page.chips[None].text() == f"All {len(told)}"
    assert page.chips["lie"].text() == f"Lie {counts['lie']}"
    assert "over" in page.view.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)


def test_the_list_is_narrowed_by_kind_status_and_words(page):
    page.chips["promise"].click()
    assert {f.kind for f in listed(page)} == {"promise"}
    page.status.setCurrentIndex(page.status.findData("kept"))
    page.status.activated.emit(page.status.currentIndex())
    assert {f.status for f in listed(page)} == {"kept"}
    page.chips["lie"].click()  # no lie is kept: the status is let go
    assert {f.kind for f in listed(page)} == {"lie"}
    page.search.setText("nothing that anybody says")
    assert page._stack.currentWidget() is page._empty
    assert "No finding matches" in page._empty._title.text()
    page._empty.button.click()
    assert len({f.kind for f in listed(page)}) > 1


def test_both_quotes_stand_beside_each_other_and_open_their_floors(qtbot, page):
    choose(page, "lie")
    settle(page.desktop)
    finding = page._findings.current.finding
    assert [card.words.text() for card in page.detail.cards] == [q.text for q in finding.quotes]
    assert page.detail.cards[0].head.text().startswith(f"Floor {finding.floors[0]} · ")
    assert "says" in page.detail.cards[0].head.text()
    assert page.detail.cards[0].y() == page.detail.cards[1].y()
    with qtbot.assertNotEmitted(page.desktop.workspace.floor_wanted):
        page._findings.read_source(2)  # there is no third quote
    with qtbot.waitSignal(page.desktop.workspace.floor_wanted) as asked:
        qtbot.keyClick(page.detail.cards[1], Qt.Key.Key_Return)
    assert asked.args == [finding.floors[1]] * 2
    assert page.desktop.window.page == "reading"


def test_a_key_answers_goes_on_and_is_undone(page, memory, chat):
    row = choose(page, "superseded")
    finding = listed(page)[row]
    press_key(page.desktop, page.view, Qt.Key.Key_5)
    assert stored(page, memory, chat) == {finding.id: "deliberate"}
    assert page.view.currentIndex().row() == row + 1
    undo(page.desktop)
    assert stored(page, memory, chat) == {}
    assert listed(page)[row].answer == ""
    assert page.view.currentIndex().row() == row  # it is chosen again


def test_its_keys_work_as_soon_as_it_is_opened(page, memory, chat):
    window = page.desktop.window
    open_page(page.desktop, "overview")
    window.findChild(ChatList).setFocus()
    open_page(page.desktop, "findings")
    assert window.focusWidget() is page.view
    press_key(page.desktop, window.focusWidget(), Qt.Key.Key_1)
    assert len(stored(page, memory, chat)) == 1
    for before in ("state", "logs"):  # whose search had the focus
        open_page(page.desktop, before)
        window.stack.page(before).focus_search()
        open_page(page.desktop, "findings")
        assert window.focusWidget() is page.view
    page.search.setFocus()  # who searches is left in peace, whatever is found
    write(page.desktop, page.search, "没有的话")
    page.search.clear()
    settle(page.desktop)
    assert window.focusWidget() is page.search


def test_a_card_names_its_floors(page):
    notes = [page.view.itemDelegate().words_of(row).note for row in page._findings.rows]
    assert all("Floor" in note for note in notes)
    assert any("Floors " in note and " → " in note for note in notes)


class _PromiseCard(KindCard):
    note = ""

    @override
    def words_of(self, row):
        return KindWords("Promise", "green", "Inspector Hale → Ilse", "I promise.", self.note)


def test_a_narrow_card_shows_its_title_and_its_floors_in_full(page):
    """Both would be cut in one line: then the floors have a line of their own."""
    card, first = _PromiseCard(page.desktop.look, page.view), page.view.model().index(0, 0)
    option = QStyleOptionViewItem()
    option.rect = QRect(0, 0, 240, card.sizeHint(option, first).height())

    def drawn(note):
        card.note = note
        image = QImage(option.rect.size(), QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        card.paint(painter, option, first)
        painter.end()
        return image

    assert drawn("given up · Floors 22 → 32") != drawn("given up · Floors 22 → 33")


def answer_buttons(page):
    """The answers, in the order of the keys 1–5."""
    answers = page.detail._answers
    return [answers.itemAt(number).widget() for number in range(answers.count())]


def test_a_promise_has_answers_of_its_own(qtbot, page, memory, chat):
    row = choose(page, "promise")
    finding = listed(page)[row]
    assert len(answer_buttons(page)) == len(PROMISE_ANSWERS)
    qtbot.keyClick(page.view, Qt.Key.Key_5)  # there is no fifth
    press_key(page.desktop, page.view, Qt.Key.Key_3)
    assert stored(page, memory, chat) == {finding.id: "broken"}
    assert listed(page)[row].status == "broken"


def test_a_button_answers_and_takes_its_answer_back(page, memory, chat):
    row = choose(page, "lie")
    finding = listed(page)[row]
    answer_buttons(page)[0].setFocus()
    press(page.desktop, answer_buttons(page)[0])
    assert stored(page, memory, chat) == {finding.id: "later"}
    assert page.view.hasFocus()
    page.view.show_row(row)
    assert answer_buttons(page)[0].isChecked()
    press(page.desktop, answer_buttons(page)[0])
    assert stored(page, memory, chat) == {}


def test_an_answered_one_that_leaves_the_list_is_followed_by_the_next(page):
    page.chips["promise"].click()
    page.status.setCurrentIndex(page.status.findData("open"))
    page.status.activated.emit(page.status.currentIndex())
    before = [f.id for f in listed(page)]
    assert len(before) == 2
    page.view.show_row(0)
    page.view.setFocus()
    press_key(page.desktop, page.view, Qt.Key.Key_2)
    assert [f.id for f in listed(page)] == before[1:]
    assert page._findings.current.finding.id == before[1]
    press_key(page.desktop, page.view, Qt.Key.Key_2)
    assert page._findings.status == ""  # none is open any more
    assert {f.status for f in listed(page)} == {"kept"}


def test_j_and_k_move_and_digits_stay_words_in_the_search(qtbot, page, memory, chat):
    page.view.show_row(0)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_J)
    assert page.view.currentIndex().row() == 1
    qtbot.keyClick(page.view, Qt.Key.Key_K)
    assert page.view.currentIndex().row() == 0
    page.focus_search()
    qtbot.keyClicks(page.search, "1j")
    settle(page.desktop)
    assert page.search.text() == "1j"
    assert stored(page, memory, chat) == {}


def test_the_slider_goes_back_in_the_story(qtbot, page):
    everything = len(listed(page))
    page.floor.setValue(10)
    qtbot.waitUntil(lambda: len(listed(page)) < everything)
    assert all(max(f.floors) <= 10 for f in listed(page))
    page.floor.setValue(0)
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty)
    assert "Nothing yet" in page._empty._title.text()
    page.floor.now_button.click()
    qtbot.waitUntil(lambda: len(listed(page)) == everything)


def test_it_is_seen_as_somebody_knows_it(page, memory, chat):
    page.desktop.window.models.viewpoint.view_as("Pip")
    settle(page.desktop)
    told = {f.id for f in memory.findings.findings(CTX, Line.main(chat), (), "Pip")}
    assert {f.id for f in listed(page)} == told
    page.desktop.window.models.viewpoint.view_as("Nobody of this story")
    settle(page.desktop)
    assert page._stack.currentWidget() is page._empty
    assert "Nobody of this story" in page._empty._title.text()


def test_a_chat_without_findings_says_what_would_bring_them(page, memory, tmp_path):
    file = tmp_path / "short.jsonl"
    rows = [{"user_name": "A", "character_name": "B"}, {"name": "B", "mes": "Hello."}]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    show_chat(page.desktop, memory.imports.import_file(CTX, file).chat_id)
    assert page._stack.currentWidget() is page._empty
    assert page._empty._title.text() == "Nothing found"


def test_lanes_are_walked_with_keys_and_say_what_they_show(qtbot, page):
    view = page.lanes.view
    threads = [f for f in listed(page) if f.kind == "promise"]
    assert (view.count, page.lanes._title.text()) == (len(threads), "2 threads open")
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert page._findings.current.finding.id == threads[0].id
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert page._findings.current.finding.id == threads[1].id
    assert threads[1].quotes[0].text in view.accessibleDescription()
    assert view.accessibleName() == "Threads over the floors"
    page.grab()
    with qtbot.waitSignal(page.desktop.workspace.floor_wanted) as asked:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert asked.args == [threads[1].floors[0]] * 2


def test_a_lane_is_chosen_with_the_mouse_and_answered_with_a_key(qtbot, page, memory, chat):
    view = page.lanes.view
    threads = [f for f in listed(page) if f.kind == "promise"]
    qtbot.mouseMove(view, QPoint(300, 30))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(300, 30))
    assert page._findings.current.finding.id == threads[1].id
    press_key(page.desktop, view, Qt.Key.Key_4)
    assert stored(page, memory, chat) == {threads[1].id: "given_up"}
    page.chips["lie"].click()
    assert not page.lanes.isVisible()


def test_the_answers_stand_right_below_what_they_answer(qtbot, page):
    """Where there is room; in a low window the words scroll, and the answers stay in sight."""
    resize(page.desktop, 1280, 900)
    choose(page, "promise")
    settle(page.desktop)

    def gap():
        last, button = page.detail.cards[-1], answer_buttons(page)[0]
        return button.mapTo(page, QPoint()).y() - last.mapTo(page, last.rect().bottomLeft()).y()

    qtbot.waitUntil(lambda: 0 <= gap() < 40)
    resize(page.desktop, 900, 600)
    settle(page.desktop)
    qtbot.waitUntil(lambda: all(b.isVisible() for b in answer_buttons(page)))
    lowest = answer_buttons(page)[-1]
    assert lowest.mapTo(page, lowest.rect().bottomLeft()).y() < page.height()


def test_a_small_window_puts_the_quotes_below_each_other(qtbot, page):
    resize(page.desktop, 900, 600)
    choose(page, "lie")
    settle(page.desktop)
    page.grab()
    assert page.detail.cards[0].x() == page.detail.cards[1].x()
    qtbot.waitUntil(lambda: all(b.isVisible() for b in answer_buttons(page)))


def test_two_windows_that_answer_otherwise_lose_nothing(page, memory, chat):
    row = choose(page, "lie")
    finding = listed(page)[row]
    memory.findings.answer(CTX, Line.main(chat), finding.id, "both")
    press_key(page.desktop, page.view, Qt.Key.Key_1)
    assert stored(page, memory, chat) == {finding.id: "both"}
    assert listed(page)[row].answer == "both"


def test_every_kind_status_and_answer_has_a_name():
    assert set(kind_names()) == set(kind_meanings()) == set(FINDING_KINDS)
    assert {s for statuses in STATUSES.values() for s in statuses} <= set(status_names())
    assert set(answer_names()) == {*FACT_ANSWERS, *PROMISE_ANSWERS}


@pytest.mark.parametrize(
    ("how", "speaker", "words"),
    [
        ("said", "Wren", "Wren says"),
        ("thought", "Wren", "Wren thinks"),
        ("written", "Wren", "Wren writes"),
        ("narrated", "Wren", "Wren tells"),
        ("narrated", "", "the narration"),
        ("ooc", "Wren", "out of character"),
    ],
)
def test_who_said_it_and_how_is_told(how, speaker, words):
    assert words_on_speaker(Claim(0, how, speaker, "", "other", "", "x", 0, 1)) == words


# Findings where one reads: on the overview, in the text, in the list of events.


def test_the_overview_counts_what_is_open_and_leads_there(page, memory, chat):
    window = page.desktop.window
    open_page(page.desktop, "overview")
    card = window.stack.page("overview").waiting
    asked = memory.findings.waiting(CTX, Line.main(chat))
    assert (len(asked.contradictions), len(asked.promises)) == (0, 2)
    assert card.isVisible()
    assert not card.contradictions.isVisible()
    assert card.promises.words.text().startswith("2 promises open")
    press_key(page.desktop, card.promises, Qt.Key.Key_Return)
    assert window.page == "findings"
    assert {(f.kind, f.status) for f in listed(page)} == {("promise", "open")}
    for finding in asked.promises:
        memory.findings.answer(CTX, Line.main(chat), finding.id, "kept")
    page.desktop.workspace.hub.publish(Changes(chat_id=chat, knowledge=True), None)
    open_page(page.desktop, "overview")
    assert not card.isVisible()


def test_a_quoted_line_has_a_mark_that_leads_to_its_finding(qtbot, page):
    window = page.desktop.window
    choose(page, "lie")
    finding = page._findings.current.finding
    page.detail.cards[0].opened.emit()
    settle(page.desktop)
    assert window.page == "reading"
    view = window.stack.page("reading").view
    quoted = window.models.quoted
    assert finding in [mark.finding for mark in quoted.at(finding.floors[0])]
    view.grab()
    top = next(y for row, y in view._placing.placed if row == finding.floors[0])
    box = view._box(finding.floors[0])
    line = next(
        y
        for y, marks in view._quoted_lines(finding.floors[0], box).items()
        if finding in [mark.finding for mark in marks]
    )
    at = QPoint(int(box.bubble.right() + 11), int(top + line))
    assert "Lie" in view._tip_at(at)
    assert finding.quotes[1].text[:40] in view._tip_at(at)
    assert "Lie" in view.accessibleDescription()
    page._findings.filter_kind("promise")
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(page.desktop)
    assert window.page == "findings"
    assert page._findings.current.finding.id in {m.finding.id for m in quoted.at(finding.floors[0])}
    assert page.view.selected_count() == 1


def test_the_menu_of_a_message_leads_to_its_findings(page):
    window = page.desktop.window
    choose(page, "promise")
    finding = page._findings.current.finding
    page.detail.cards[0].opened.emit()
    settle(page.desktop)
    reading = window.stack.page("reading")
    reading._open_menu(finding.floors[0], QPoint(10, 10))
    choose_in(page.desktop, reading.view.findChild(RowMenu), "Promise: “")
    assert (window.page, page._findings.current.finding.id) == ("findings", finding.id)


def test_events_are_filtered_by_whether_a_finding_quotes_their_floors(page, memory, chat):
    line = Line.main(chat)
    floors = {floor for f in memory.findings.findings(CTX, line) for floor in f.floors}
    with_finding = min(floors)
    without = next(n for n in range(len(STORY.messages)) if n not in floors)
    for floor in (with_finding, without):
        memory.events.add(line, PlotExtraction(f"Floor {floor}"), SourceRange(floor, floor))
    window = page.desktop.window
    window.show_page("events")
    page.desktop.workspace.hub.publish(Changes.of_memory(chat), None)
    settle(page.desktop)
    events = window.models.events
    bar = window.event_page.tools.facets
    bar._open_more()
    bar.more_menu.picked.emit(WITH_FINDING)
    settle(page.desktop)
    shown = events.fetch(events.model.keys())
    assert [e.summary for e in shown.values()] == [f"Floor {with_finding}"]
    assert events.cube.total() == 1
    assert bar.more_chip.isChecked()
    assert "Has a finding" in window.event_page.tools.findChild(FacetStrip).words
    bar._events.choose(WITH_FINDING, "not")
    settle(page.desktop)
    shown = events.fetch(events.model.keys())
    assert [e.summary for e in shown.values()] == [f"Floor {without}"]
    assert memory.events.find(chat, EventQuery(facets=Facets(((WITH_FINDING,),)))) == array("q")
