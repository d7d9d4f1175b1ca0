"""The page of recall, and its index."""

from __future__ import annotations

import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QToolButton

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Unreachable
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import ANSWERS, TRACES_KEPT, Dropped, RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs.quiet_job import IndexKeeper
from engram_desktop.viewmodels.recall import RecallPageModel
from engram_desktop.widgets.reading.reading_page import ReadingPage
from engram_desktop.widgets.recall.hit_card import HitCard, TraceCard, dropped_words
from engram_desktop.widgets.recall.lab_page import LabPage
from engram_desktop.widgets.recall.recall_page import LAB, MUTED, PAST
from tests.factories import import_chat
from tests.gui.waiting import (
    click,
    commit,
    open_page,
    press_key,
    resize,
    run_out,
    settle,
    show_chat,
    trigger,
    undo,
)

# Recall: a question, ranked hits with their reasons, and the text that would be injected.


def cards_of(page):
    """The cards of the last answer; those of the answer before wait for their end."""
    return page.cards


QUESTION = "爱丽丝的铜钥匙是从哪里来的？"


@pytest.fixture
def page(desktop):
    return open_page(desktop, "recall")


@pytest.fixture
def asked(desktop, page):
    commit(page.question, QUESTION)
    press_key(desktop, page.question, Qt.Key.Key_Return)
    return page


@pytest.fixture
def asked_events(desktop, asked):
    for kind, button in asked.kinds.items():
        button.setChecked(kind == "event")
    asked.ask()
    settle(desktop)
    return asked


def test_hits_are_ranked_and_say_why(asked, desktop, memory):
    cards = cards_of(asked)
    wanted = memory.recall.ask(NullContext(), desktop.workspace.chat_id, RecallQuery(QUESTION))
    assert [card.hit.item.id for card in cards] == [hit.item.id for hit in wanted.hits]
    assert all(card.why().startswith("Found by") for card in cards)
    assert cards[0].accessibleName().startswith("1. ")


def test_the_injected_text_is_shown_counted_and_copied(qtbot, asked, desktop):
    text = asked.panel.text.toPlainText()
    tokens = desktop.window.models.recall.answer.injection.tokens
    assert text
    assert asked.panel.tokens.text() == f"{tokens} tokens"
    qtbot.mouseClick(asked.panel.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == text


def test_a_smaller_budget_gives_a_shorter_text(asked, desktop):
    before = desktop.window.models.recall.answer.injection.tokens
    asked.budget.setValue(100)
    click(desktop, asked.ask_button)
    after = desktop.window.models.recall.answer.injection.tokens
    assert after <= 100 < before


def test_only_the_chosen_kinds_come_back(asked, desktop):
    for kind, button in asked.kinds.items():
        button.setChecked(kind == "event")
    asked.top_k.setValue(3)
    asked.ask()
    settle(desktop)
    hits = desktop.window.models.recall.answer.result.hits
    assert len(hits) <= 3
    assert {hit.item.kind for hit in hits} == {"event"}


def test_a_hit_opens_its_event(asked_events, desktop):
    card = cards_of(asked_events)[0]
    ref = card.hit.item.ref
    click(desktop, card)
    assert desktop.window.page == "events"
    assert desktop.window.models.editor.current.id == ref


def test_a_hit_that_is_a_message_opens_its_floors(asked, desktop):
    card = next(c for c in cards_of(asked) if c.hit.item.kind == "turn")
    card.setFocus()
    press_key(desktop, card, Qt.Key.Key_Return)
    reading = desktop.window.stack.page_as("reading", ReadingPage)
    assert desktop.window.page == "reading"
    assert card.hit.item.start_index in reading.view.visible_floors()


def test_an_empty_question_asks_nothing(page, desktop):
    page.question.setText("   ")
    page.ask()
    assert desktop.runner.is_idle
    assert page.ask_button.isEnabled()


def test_the_event_a_filter_hides_is_shown_all_the_same(asked_events, desktop):
    desktop.window.event_page.search.setText("没有这样的词")
    settle(desktop)
    card = cards_of(asked_events)[0]
    card.opened.emit()
    settle(desktop)
    assert desktop.window.models.editor.current.id == card.hit.item.ref


def test_the_page_says_why_and_why_not(asked, desktop):
    cards = asked.why.findChildren(TraceCard)
    hits = desktop.window.models.recall.answer.result.hits
    assert not {c.trace.item_id for c in cards} & {hit.item.id for hit in hits}
    assert len(cards) == 40 - len(hits)
    assert "place" in cards[0].places()


def test_past_recalls_are_listed_and_explained_with_their_text(asked, desktop):
    injection = desktop.window.models.recall.answer.injection
    asked.tabs.show_page(PAST)
    settle(desktop)
    assert asked.past.list.count() == 2  # the demo asked one
    assert asked.past.list.item(0).text().startswith(QUESTION)
    assert asked.past.text.toPlainText() == injection.text
    kept = [t.item_id for t in asked.past.why.explanation.traces if t.dropped is None]
    assert kept == [hit.item.id for hit in injection.hits][: len(kept)]
    assert len(kept) == TRACES_KEPT


def test_the_past_of_another_chat_is_not_asked_of_the_one_shown_now(
    asked, desktop, memory, tmp_path
):
    asked.tabs.show_page(PAST)
    settle(desktop)
    story, count = desktop.workspace.chat_id, asked.past.list.count()
    assert count > 1
    other = import_chat(memory, tmp_path / "另一个.jsonl", [("爱丽丝", "雨停了。")])
    show_chat(desktop, other)
    assert asked.past.list.count() == 0
    show_chat(desktop, story)
    assert asked.past.list.count() == count
    assert not [b for b in desktop.window.message_bar.bars if b.notice.kind == "error"]


def test_what_is_not_to_be_used_again_leaves_the_hits_and_can_be_allowed(asked, desktop):
    card = cards_of(asked)[0]
    ref = card.hit.item.ref
    click(desktop, card.mute_button)
    assert ref not in [c.hit.item.ref for c in cards_of(asked)]
    asked.tabs.show_page(MUTED)
    settle(desktop)
    assert asked._muted_tab.text() == "Not used 1"
    click(desktop, asked.muted.buttons[0])
    assert ref in [c.hit.item.ref for c in cards_of(asked)]
    undo(desktop)
    assert asked._muted_tab.text() == "Not used 1"


def test_an_injection_held_still_stays_for_another_question(asked, desktop):
    text = asked.panel.text.toPlainText()
    trigger(desktop, asked.panel.hold_button.menu().actions()[0])
    assert asked.panel.frozen_label.text().startswith("Frozen until floor")
    asked.question.setText("钟楼")
    asked.ask()
    settle(desktop)
    assert asked.panel.text.toPlainText() == text
    trigger(desktop, asked.panel.release_action)
    assert asked.panel.text.toPlainText() != text
    assert asked.panel.frozen_label.isHidden()


def test_the_model_is_asked_to_reword_where_it_is_wanted(asked, desktop):
    asked.expand.setChecked(True)
    asked.ask()
    settle(desktop)
    assert desktop.window.models.recall.answer.result.degraded == ("expand",)  # there is no model


def test_hits_are_shown_before_the_prompt_is_composed(qtbot, asked, desktop):
    model, seen = desktop.window.models.recall, []
    model.answered.connect(lambda answer: seen.append((answer.injection, len(asked.cards))))
    model.composed.connect(lambda answer: seen.append((answer.injection.text, len(asked.cards))))
    before = asked.panel.text.toPlainText()
    asked.question.setText("莉莉丝的药摊怎么了？")
    with qtbot.waitSignal(model.answered):
        asked.ask()
    assert not asked.panel.isEnabled()  # its text is of the question before
    assert not asked.ask_button.isEnabled()
    settle(desktop)
    assert asked.panel.isEnabled()
    assert asked.ask_button.isEnabled()
    (without, shown), (text, _all) = seen
    assert without is None
    assert shown > 0
    assert text == asked.panel.text.toPlainText() != before


def test_cards_of_a_long_answer_are_made_a_few_at_a_turn(page, desktop):
    model, at_first = desktop.window.models.recall, []
    model.answered.connect(lambda _answer: at_first.append(len(page.cards)))
    page.top_k.setValue(40)
    page.question.setText(QUESTION)
    page.ask()
    settle(desktop)
    hits = [hit.item.id for hit in model.answer.result.hits]
    assert len(hits) == 40
    assert 0 < at_first[0] < len(hits)
    assert [card.hit.item.id for card in page.cards] == hits


def test_a_tick_looks_at_its_own_card_alone(asked, monkeypatch):
    cards = cards_of(asked)
    monkeypatch.setattr(asked, "cards", None)  # nothing asks all of them
    cards[1].right_button.click()
    assert not asked.save_button.isHidden()
    cards[1].right_button.click()
    assert asked.save_button.isHidden()


@pytest.mark.parametrize("sent_to", ["", "http://127.0.0.1:9/v1"])
def test_what_a_question_needs_is_read_once_the_page_rests(space, sent_to):
    model, preloaded = RecallPageModel(space), []
    space.memory.settings.set("embed.base_url", sent_to)
    space.memory = SimpleNamespace(
        settings=space.memory.settings,
        recall=space.memory.recall,
        inject=SimpleNamespace(preload=lambda _ctx, chat, query: preloaded.append((chat, query))),
    )
    space.view_at(40)
    model.set_active(True)
    run_out(model._rest)
    space.jobs.run_pending()
    wanted = (space.chat_id, RecallQuery("", branch_id=space.branch_id, at=40))
    assert preloaded == ([] if sent_to else [wanted])  # a text is sent for a question alone
    model.set_active(False)
    assert not model._rest.isActive()


def save_first(desktop, page):
    cards_of(page)[0].right_button.click()
    click(desktop, page.save_button)


def test_a_question_is_kept_with_its_right_answers_and_compared(asked, desktop):
    assert asked.save_button.isHidden()
    ref = cards_of(asked)[0].hit.item.ref
    save_first(desktop, asked)
    (question,) = desktop.window.models.lab.questions
    assert (question.query, [e.ref for e in question.expected]) == (QUESTION, [ref])
    asked.tabs.show_page(LAB)
    settle(desktop)
    page = asked.lab
    for chip in page.sides[1].legs.values():
        chip.setChecked(False)
    page.sides[1].top_k.setValue(1)
    click(desktop, page.run_button)
    assert page.sides[0].result.text().startswith("100%")
    assert page.sides[1].result.text().startswith("0%")
    found = page.table.topLevelItem(0).child(0)
    assert found.text(1).startswith("place 1 (")
    assert found.text(2) == "not found"


def test_a_question_of_the_lab_is_asked_again_with_its_answers_ticked(asked, desktop):
    save_first(desktop, asked)
    asked.tabs.show_page(LAB)
    settle(desktop)
    asked.lab.table.setCurrentItem(asked.lab.table.topLevelItem(0).child(0))
    click(desktop, asked.lab.ask_button)
    assert [card.right_button.isChecked() for card in cards_of(asked)][:2] == [True, False]
    assert asked.ticked == [cards_of(asked)[0].hit.item.ref]
    asked.tabs.show_page(LAB)
    settle(desktop)
    asked.lab.table.setCurrentItem(asked.lab.table.topLevelItem(0))
    click(desktop, asked.lab.delete_button)
    assert desktop.window.models.lab.questions == []
    assert asked.lab.currentIndex() == 0


@pytest.fixture
def prompts(qtbot, desktop, asked):
    """The lab with one question, on the tab that looks into prompts."""
    save_first(desktop, asked)
    asked.tabs.show_page(LAB)
    settle(desktop)
    tab = next(b for b in asked.lab.findChildren(QToolButton) if b.text() == "In the prompt")
    qtbot.mouseClick(tab, Qt.MouseButton.LeftButton)
    return asked.lab


def shown_rows(tree):
    """The texts of a tree's lines, from the top."""
    texts, item = [], tree.topLevelItem(0)
    while item is not None:
        texts.append([item.text(number) for number in range(tree.columnCount())])
        item = tree.itemBelow(item)
    return texts


def test_the_lab_shows_what_stands_in_the_prompts_at_each_budget(desktop, prompts):
    past = desktop.workspace.memory.recall.past(desktop.workspace.chat_id)
    assert not prompts.run_button.isVisible()
    assert len(shown_rows(prompts.table)) == 1
    commit(prompts.prompt_form.budgets, "100, 2000")
    click(desktop, prompts.prompt_button)
    head = prompts.table.headerItem()
    assert [head.text(n) for n in (1, 2)] == ["100 tokens", "2000 tokens"]
    total, question, memory = shown_rows(prompts.table)
    assert total[0] == "All questions"
    assert question[0] == QUESTION
    assert total[2] == question[2]
    assert question[2].startswith("100% · ")
    assert memory[2] == "in the prompt"
    assert desktop.workspace.memory.recall.past(desktop.workspace.chat_id) == past


def test_the_usual_budget_is_that_of_the_chat_and_a_wrong_one_is_told(desktop, prompts):
    commit(prompts.prompt_form.budgets, "99")
    press_key(desktop, prompts.prompt_form.budgets, Qt.Key.Key_Return)
    (bar,) = [b for b in desktop.window.message_bar.bars if b.notice.kind == "error"]
    assert "from 100 to 200000" in bar.notice.text
    prompts.prompt_form.budgets.clear()
    click(desktop, prompts.prompt_button)
    assert prompts.table.headerItem().text(1) == "6000 tokens"


def test_the_line_of_all_questions_is_no_question(desktop, prompts):
    click(desktop, prompts.prompt_button)
    prompts.table.setCurrentItem(prompts.table.topLevelItem(0))
    assert not prompts.ask_button.isEnabled()
    assert not prompts.delete_button.isEnabled()
    prompts.table.setCurrentItem(prompts.table.topLevelItem(1).child(0))
    click(desktop, prompts.delete_button)
    assert desktop.window.models.lab.questions == []


def test_looking_into_prompts_shows_how_far_it_is_and_can_be_stopped(qtbot, desktop, prompts):
    lab, steps = desktop.window.models.lab, []
    lab.progressed.connect(lambda done, total: steps.append((done, total)))
    qtbot.mouseClick(prompts.prompt_button, Qt.MouseButton.LeftButton)
    assert prompts.stop_button.isVisible()
    assert prompts.bar.isVisible()
    assert not prompts.prompt_button.isEnabled()
    click(desktop, prompts.stop_button)
    assert not prompts.stop_button.isVisible()
    assert prompts.prompt_button.isEnabled()
    assert prompts.table.columnCount() == 1  # nothing came of it
    click(desktop, prompts.prompt_button)
    assert steps
    assert prompts.table.columnCount() == 2


def test_a_card_says_why_a_memory_stands_in_a_prompt_though_nothing_found_it(desktop, asked):
    model, look = desktop.window.models.recall, desktop.look
    trace = asked.why.findChildren(TraceCard)[0].trace
    answer = replace(trace, rank=1, dropped=None, why={ANSWERS: 0.0}, ranks={})
    assert TraceCard(look, answer, 1.0, model).places() == "answers a quoted question"
    hit = replace(cards_of(asked)[0].hit, why={ANSWERS: 0.0}, matched=())
    assert HitCard(look, hit, 1.0, model).why() == "answers a quoted question"


def test_what_took_from_a_score_is_subtracted(desktop, asked):
    hit = replace(cards_of(asked)[0].hit, why={"lexical": 1.2, "asking": -0.1}, matched=())
    card = HitCard(desktop.look, hit, 1.0, desktop.window.models.recall)
    assert card.why() == "Found by words 1.20 − is itself a question 0.10"


def test_before_the_first_question_the_panel_says_what_it_will_hold(desktop):
    page = open_page(desktop, "recall")
    assert not page.panel.text.toPlainText()
    assert page.panel.text.placeholderText()


def test_a_card_says_why_a_memory_is_left_out(desktop, asked):
    for reason in get_args(Dropped):
        trace = replace(asked.why.findChildren(TraceCard)[0].trace, dropped=reason)
        card = TraceCard(desktop.look, trace, 1.0, desktop.window.models.recall)
        assert dropped_words(reason) in [part.text() for part in card.findChildren(QLabel)]


# The index is brought up to date on its own, and never in the user's way.


class Library:
    """The two methods of the facade the keeper asks for."""

    session = SimpleNamespace(is_safe=False, can_write=True)

    def __init__(self):
        self.asked = []
        self.index = self.knowledge = self
        self.is_due = False
        self.trouble = None
        self.waits = False
        self.started = threading.Event()

    def derive(self, ctx, chat_id):
        self.is_due, was_due = False, self.is_due
        return was_due

    def update(self, ctx, chat_id):
        self.asked.append(chat_id)
        if self.trouble is not None:
            raise self.trouble
        if self.waits:
            stopped = threading.Event()
            ctx.on_cancel(stopped.set)
            self.started.set()
            stopped.wait(10)
            ctx.check()
        return 3


@pytest.fixture
def fake_index():
    return Library()


@pytest.fixture
def keeper(fake_index, runner, hub):
    made = IndexKeeper(fake_index, runner, hub)
    made._pause.setInterval(1)
    return made


def test_a_change_updates_the_index_once(qtbot, keeper, fake_index, hub):
    told: list[Exception] = []
    hub.changed.connect(lambda changes, who: told.append(who))
    for _ in range(3):
        hub.publish(Changes(chat_id="a", events=frozenset({1}), texts=True))
    qtbot.waitUntil(lambda: told.count(keeper) == 1)
    assert fake_index.asked == ["a"]


def test_what_is_no_memory_is_left_alone(qtbot, keeper, hub):
    hub.publish(Changes(settings=True))
    hub.publish(Changes(chat_id="a", library=True))
    hub.publish(Changes(chat_id="a", events=frozenset({1})))  # locked, say
    assert not keeper._pause.isActive()


def test_the_users_job_stops_it_and_it_goes_on_afterwards(qtbot, keeper, fake_index, runner):
    fake_index.waits = True
    keeper.watch("a")
    qtbot.waitUntil(fake_index.started.is_set)
    job = runner.submit("Consolidating", lambda _ctx: None, lane="network")
    with qtbot.waitSignal(job.finished, timeout=20_000):
        fake_index.waits = False
    qtbot.waitUntil(lambda: fake_index.asked == ["a", "a"])
    qtbot.waitUntil(lambda: runner.is_idle)


def test_an_edit_does_not_stop_it(qtbot, keeper, fake_index, runner):
    fake_index.waits = True
    keeper.watch("a")
    qtbot.waitUntil(fake_index.started.is_set)
    with qtbot.waitSignal(runner.submit("Saving", lambda _ctx: None).finished, timeout=20_000):
        pass
    assert fake_index.asked == ["a"]
    assert not runner.is_idle


def test_the_same_trouble_is_told_once(qtbot, keeper, fake_index, runner):
    fake_index.trouble = Unreachable("refused", url="http://h/v1")
    told: list[Exception] = []
    keeper.failed.connect(told.append)
    for count in (1, 2):
        keeper.watch("a")
        qtbot.waitUntil(lambda c=count: len(fake_index.asked) == c and runner.is_idle)
    assert len(told) == 1


def test_other_settings_concern_every_chat_that_was_open(qtbot, keeper, fake_index, runner, hub):
    for chat in ("a", "b"):
        keeper.watch(chat)
    qtbot.waitUntil(lambda: sorted(fake_index.asked) == ["a", "b"] and runner.is_idle)
    hub.publish(Changes(settings=True))
    qtbot.waitUntil(lambda: sorted(fake_index.asked) == ["a", "a", "b", "b"] and runner.is_idle)


def test_what_somebody_hears_gets_its_vectors_too(qtbot, keeper, fake_index, hub):
    fake_index.is_due = True
    hub.publish(Changes(chat_id="a", messages=True))
    qtbot.waitUntil(lambda: fake_index.asked == ["a", "a"])


# The next prompt: read when it is first asked for, then kept as it would be.


@pytest.fixture
def next_view(desktop, memory):
    chat = desktop.workspace.chat_id
    memory.messages.append(Line.main(chat), "旅人", "user", QUESTION)
    memory.settings.set("inject.tokens", 2000, chat)
    settle(desktop)
    click(desktop, desktop.window.foot.next_button)
    return desktop.window.stack.page("recall").next


def rows_of(view):
    tree = view.tree
    groups = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    return {g.text(0).split(" · ")[0]: [g.child(n) for n in range(g.childCount())] for g in groups}


def choose(view, part, number=0):
    view.tree.setCurrentItem(rows_of(view)[part][number])
    return view.line


def test_nothing_is_composed_before_it_is_asked_for(desktop):
    open_page(desktop, "events")
    assert desktop.window.foot.next_button.text() == "Next prompt"
    assert not desktop.window.models.next_prompt._query.is_active


def test_the_next_prompt_is_shown_line_by_line_with_its_reasons(desktop, memory, next_view):
    chat = desktop.workspace.chat_id
    injection = memory.inject.preview(NullContext(), Line.main(chat)).injection
    rows = rows_of(next_view)
    assert {"The story so far", "Quoted messages"} <= set(rows)
    told = [row.text(0) for part in rows.values() for row in part]
    assert all(" ".join(line.text.split()) in told for line in injection.lines)
    assert {row.text(2) for row in rows["The story so far"]} == {"always visible"}
    assert all(row.text(2) for part in rows.values() for row in part)
    assert {row.text(2) for row in rows["Quoted messages"]} & {"words, meaning", "words", "meaning"}
    assert sum(desktop.window.models.next_prompt.parts.values()) <= 2200
    assert len(rows["No room in the budget: next in line"]) == len(injection.unfitted) > 0


def test_a_line_is_left_out_and_an_event_kept_in_by_key(desktop, memory, next_view):
    chat = desktop.workspace.chat_id
    line = choose(next_view, "Quoted messages")
    press_key(desktop, next_view.tree, Qt.Key.Key_Delete)
    assert line.ref in {item.ref for item in memory.recall.muted(chat)}
    refs = {
        row.data(0, Qt.ItemDataRole.UserRole).ref for row in rows_of(next_view)["Quoted messages"]
    }
    assert line.ref not in refs
    waiting = rows_of(next_view)["No room in the budget: next in line"]
    kinds = [row.data(0, Qt.ItemDataRole.UserRole).kind for row in waiting]
    line = choose(next_view, "No room in the budget: next in line", kinds.index("event"))
    key = memory.events.find_one(chat, line.ref).pk
    memory.events.set_archived(NullContext(), chat, [key], archived=True)
    assert not next_view.leave_button.isEnabled()
    press_key(desktop, next_view.tree, Qt.Key.Key_P)
    assert not memory.events.find_one(chat, line.ref).is_archived
    undo(desktop)
    assert memory.events.find_one(chat, line.ref).is_archived


def test_the_border_of_the_budget_moves_and_lines_come_in(desktop, memory, next_view):
    before = desktop.window.models.next_prompt.next.injection.tokens
    next_view.budget.setValue(4000)
    run_out(next_view._pause)
    settle(desktop)
    run_out(desktop.window.models.next_prompt._query._later)
    settle(desktop)
    assert memory.settings.read(desktop.workspace.chat_id).inject_tokens == 4000
    found = desktop.window.models.next_prompt.next
    assert found.budget == 4000
    assert found.injection.tokens > before


def test_every_page_says_how_many_of_its_memories_the_next_prompt_holds(qtbot, desktop, next_view):
    window, model = desktop.window, desktop.window.models.next_prompt

    def says(page, said):
        """Wait for it: who is there is read meanwhile, and the prompt is then another."""
        open_page(desktop, page)
        qtbot.waitUntil(lambda: window.foot.next_button.text() == said())

    def of_events():
        count, tokens = model.share({"event"})
        return f"Next prompt: {count} of these, {tokens:,} tokens"

    open_page(desktop, "reading")
    says("events", of_events)
    says("logs", lambda: "Next prompt: 0 of these, 0 tokens")
    says("overview", lambda: f"Next prompt: {model.next.injection.tokens:,} tokens")
    assert model.share({"event"})[0] > 0
    click(desktop, window.foot.next_button)
    assert window.page == "recall"
    assert window.stack.page("recall").tabs.pages.currentWidget() is next_view


def test_the_foot_of_the_narrowest_window_cuts_no_word_and_keeps_the_next_prompt(qtbot, desktop):
    foot = desktop.window.foot
    open_page(desktop, "events")
    resize(desktop, 1920, 900)
    qtbot.waitUntil(lambda: foot._index.text().endswith("memories"))
    resize(desktop, 900, 600)
    qtbot.waitUntil(lambda: foot._index.text() == "Exact search")
    qtbot.waitUntil(lambda: foot._auto.text() == "Automatic: on")
    assert foot._index.toolTip().endswith("memories")
    assert foot.next_button.isVisible()


def test_the_lab_is_made_when_its_tab_is_first_shown(desktop):
    page = desktop.window.stack.page("recall")
    assert page.findChildren(LabPage) == []
    for number in (LAB, PAST, LAB):
        page.tabs.show_page(number)
        assert page.findChildren(LabPage) == [page.lab]
    assert page.tabs.pages.currentWidget() is page.lab
