"""Drafts reviewed, second opinions, trimmed outlines."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import TrimPlan
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.events.event_page import NothingListed
from engram_desktop.widgets.overview.overview_page import OverviewPage
from engram_desktop.widgets.pipeline.review_dialog import ReviewDialog
from tests.factories import import_chat, model_at, set_all, story_rows
from tests.fake_openai import Status
from tests.fixtures import fake_llm
from tests.gui.reviewed import answer
from tests.gui.waiting import click, dialog_of, open_page, opened_by, settle, undo
from tests.stored import stored_summaries

# What a model wrote is looked through and corrected; what is on the screen is saved, no more.

CTX = NullContext()


llm = fake_llm(answer)


@pytest.fixture
def chat(empty_memory, llm, tmp_path):
    set_all(empty_memory, {**model_at(llm.url), "llm.parallel": 1})
    return import_chat(empty_memory, tmp_path / "故事.jsonl", story_rows(60))


@pytest.fixture
def review_desktop(open_desktop, empty_memory, chat):
    return open_desktop(empty_memory)


def open_review(desktop):
    return opened_by(desktop, desktop.window.dialogs.open_review)


def test_where_blocks_wait_the_next_step_is_their_review(review_desktop):
    """The events page and the page of the chat say the same, and open the same."""
    review_desktop.window.models.pipeline.summarise(None, "auto")
    settle(review_desktop)
    empty = review_desktop.window.event_page.findChild(NothingListed)
    assert empty.isVisible()
    assert empty.button.text() == "Review…"
    click(review_desktop, empty.button)
    dialog_of(review_desktop, ReviewDialog).close()
    open_page(review_desktop, "overview")
    step = review_desktop.window.stack.page_as("overview", OverviewPage).step
    assert step.title.text() == "2 blocks wait for your review"
    click(review_desktop, step.button)
    dialog = review_desktop.window.dialogs.shown[-1]
    assert dialog.blocks.count() == 2
    click(review_desktop, dialog.all_button)
    assert step.button.text() == "Play on"


def test_a_summary_by_hand_waits_and_says_so(review_desktop, empty_memory, chat):
    review_desktop.window.models.pipeline.summarise(None, "auto")
    settle(review_desktop)
    assert stored_summaries(empty_memory, chat) == []
    assert review_desktop.window.foot.review_button.text() == "2 blocks to review"
    bar = review_desktop.window.message_bar.bars[-1]
    assert "2 blocks are ready" in bar.notice.text
    click(review_desktop, bar.button)
    dialog = review_desktop.window.dialogs.shown[-1]
    assert not dialog.isModal()
    assert dialog.blocks.count() == 2
    click(review_desktop, dialog.all_button)
    assert len(stored_summaries(empty_memory, chat)) == 4
    assert not review_desktop.window.foot.review_button.isVisible()
    empty_memory.history.undo(chat)
    assert stored_summaries(empty_memory, chat) == []


def test_save_saves_what_is_on_the_screen(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(review_desktop)
    dialog.fields.summary.setPlainText("我改过的总结。")
    dialog.fields.place.setText("钟楼")
    dialog.fields.place.textEdited.emit("钟楼")
    assert dialog.events.item(0).text() == "我改过的总结。"
    dialog.events.item(1).setCheckState(Qt.CheckState.Unchecked)
    click(review_desktop, dialog.save_button)
    assert stored_summaries(empty_memory, chat) == ["我改过的总结。"]
    (pk,) = empty_memory.events.find(chat, EventQuery())
    event = empty_memory.events.fetch(chat, [pk])[pk]
    assert (event.raw_data.location, event.extractor) == ("钟楼", "manual")


def test_what_was_typed_survives_a_look_at_another_block(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), review=True)
    dialog = open_review(review_desktop)
    dialog.fields.summary.setPlainText("我改过的总结。")
    dialog.blocks.setCurrentRow(1)
    settle(review_desktop)
    dialog.blocks.setCurrentRow(0)
    settle(review_desktop)
    assert dialog.fields.summary.toPlainText() == "我改过的总结。"
    click(review_desktop, dialog.all_button)
    assert "我改过的总结。" in stored_summaries(empty_memory, chat)


def test_an_empty_summary_cannot_be_saved(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(review_desktop)
    dialog.fields.summary.setPlainText("  ")
    assert not dialog.save_button.isEnabled()
    assert dialog._trouble.isVisible()


def test_discard_throws_away_and_can_be_undone(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(review_desktop)
    click(review_desktop, dialog.discard_button)
    assert empty_memory.drafts.find(Line.main(chat)) == []
    undo(review_desktop)
    assert len(empty_memory.drafts.find(Line.main(chat))) == 1
    assert dialog.blocks.count() == 1


def test_from_now_on_nothing_is_asked(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(review_desktop)
    dialog.always_box.setChecked(True)
    click(review_desktop, dialog.save_button)
    assert empty_memory.settings.read(chat).review_enabled is False
    review_desktop.window.models.pipeline.summarise(None, "auto")
    settle(review_desktop)
    assert len(stored_summaries(empty_memory, chat)) == 4


def test_a_chat_edited_while_a_draft_waits_makes_it_outdated(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(review_desktop)
    assert dialog.save_button.isEnabled()
    memory = empty_memory
    review_desktop.workspace.change(
        "Edit", lambda _ctx: memory.messages.edit(Line.main(chat), 3, "改了。")
    )
    settle(review_desktop)
    assert "outdated" in dialog.blocks.item(0).text()
    assert not dialog.save_button.isEnabled()
    assert stored_summaries(memory, chat) == []


def test_a_redo_is_shown_beside_what_is_there(review_desktop, empty_memory, chat):
    memory = empty_memory
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    before = stored_summaries(memory, chat)
    first, second = memory.events.find(chat, EventQuery())
    memory.events.set_locked(CTX, chat, [second], locked=True)
    window = review_desktop.window
    window.models.events.reload()
    settle(review_desktop)
    window.event_page._on_range_chosen(2, 9)
    settle(review_desktop)
    ask = window.dialogs.shown[-1]
    assert ask.redo_box.isChecked()
    click(review_desktop, ask.start_button)
    assert stored_summaries(memory, chat) == before
    dialog = open_review(review_desktop)
    ticks = [dialog.present.item(n).checkState() for n in range(dialog.present.count())]
    assert ticks == [Qt.CheckState.Checked, Qt.CheckState.Unchecked]
    assert "locked" in dialog.present.item(1).text()
    dialog.events.item(1).setCheckState(Qt.CheckState.Unchecked)
    click(review_desktop, dialog.save_button)
    left = set(memory.events.find(chat, EventQuery()))
    assert second in left
    assert first not in left
    assert len(left) == 2
    memory.history.undo(chat)
    assert stored_summaries(memory, chat) == before


def test_what_failed_is_listed_after_a_restart_mended_and_read(
    review_desktop, empty_memory, llm, chat
):
    llm.faults = ["garbage", "garbage"]
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    review_desktop.window.models.review.read()
    review_desktop.window.models.automation._look_at_line()
    settle(review_desktop)
    click(review_desktop, review_desktop.window.foot.failures_button)
    dialog = review_desktop.window.dialogs.shown[-1]
    assert "Certainly!" in dialog.raw.toPlainText()
    click(review_desktop, dialog.read_button)
    assert "cannot be used" in dialog._reason.text()
    assert len(empty_memory.drafts.find(Line.main(chat))) == 1
    dialog.raw.setPlainText('{"events": [{"summary": "爱丽丝与旅人见面了。"}]}')
    click(review_desktop, dialog.read_button)
    assert stored_summaries(empty_memory, chat) == ["爱丽丝与旅人见面了。"]
    assert dialog.list.count() == 0


@pytest.mark.parametrize("button", ["again_button", "discard_button"])
def test_what_failed_is_asked_again_or_discarded(review_desktop, empty_memory, llm, chat, button):
    empty_memory.settings.set("review.enabled", False)
    llm.faults = ["garbage", "garbage"]
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    dialog = opened_by(review_desktop, review_desktop.window.dialogs.open_failures)
    click(review_desktop, getattr(dialog, button))
    assert empty_memory.drafts.find(Line.main(chat)) == []
    assert len(stored_summaries(empty_memory, chat)) == (2 if button == "again_button" else 0)


def test_the_coverage_bar_tells_what_waits_and_what_failed(review_desktop, empty_memory, llm, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    llm.faults = ["garbage", "garbage"]
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (25, 49))
    assert empty_memory.events.coverage(Line.main(chat)) == [
        (0, 24, "drafted"),
        (25, 49, "failed"),
        (50, 59, "empty"),
    ]
    review_desktop.window.models.events.reload()
    settle(review_desktop)
    bar = review_desktop.window.event_page.coverage
    assert "25 × waiting for your review" in bar.legend()
    assert bar.words() == "0 of 60 floors have become memory"
    assert bar.has_gap(30, 40)
    assert not bar.has_gap(0, 24)


def test_from_a_memory_to_its_messages_and_back(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat))
    review_desktop.window.models.events.reload()
    settle(review_desktop)
    window = review_desktop.window
    window.event_page.view.show_row(2)
    settle(review_desktop)
    window.event_page.commands._read_floors()
    settle(review_desktop)
    assert window.page == "reading"
    panel = window.stack.panel("reading")
    assert "25" in panel._title.text()
    assert panel.events.count() == 2
    panel._open(panel.events.item(1))
    settle(review_desktop)
    assert window.page == "events"
    assert window.models.editor.current.summary == stored_summaries(empty_memory, chat)[3]


def test_other_floors_take_the_place_of_those_shown(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), review=True)
    dialog = open_review(review_desktop)
    click(review_desktop, dialog.source_button)
    dialog.blocks.setCurrentRow(1)
    settle(review_desktop)
    click(review_desktop, dialog.source_button)
    titles = [d.windowTitle() for d in review_desktop.window.dialogs.shown]
    assert sum("25" in title for title in titles) == 1
    assert dialog.isVisible()


def test_selected_events_are_redone_together(review_desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat))
    review_desktop.window.models.events.reload()
    settle(review_desktop)
    review_desktop.window.event_page.view.selectAll()
    review_desktop.window.event_page.commands._redo_floors()
    settle(review_desktop)
    dialog = review_desktop.window.dialogs.shown[-1]
    assert (dialog.floors, dialog.redo) == ((0, 49), True)
    click(review_desktop, dialog.start_button)
    assert [d.floors for d in empty_memory.drafts.find(Line.main(chat))] == [(0, 24), (25, 49)]


def test_a_summary_that_was_stopped_says_why_and_can_be_tried_again(
    review_desktop, empty_memory, llm
):
    empty_memory.settings.set("summary.interval", 5)
    llm.faults = [Status(402, "Insufficient Balance")]
    review_desktop.window.models.pipeline.summarise(None, "auto")
    settle(review_desktop)
    notice = review_desktop.window.message_bar.bars[-1].notice
    assert "Insufficient Balance" in notice.text
    assert notice.hint.startswith("9 block")
    assert notice.action_text == "Try again"
    notice.action()
    settle(review_desktop)
    assert "not started" not in review_desktop.window.message_bar.bars[-1].notice.hint
    assert review_desktop.window.foot.review_button.text() == "10 blocks to review"


# A draft beside what another model made of it, and beside the lines that it comes from.

LINES = [
    ("旅人", "我从北方的港口来，想在酒馆住一晚。"),
    ("爱丽丝", "二楼的房间空着，一晚三枚银币。"),
    ("旅人", "这把铜钥匙是在港口的沉船里找到的，送给你。"),
    ("爱丽丝", "钥匙上刻着灯塔的图案……谢谢，我会收好。"),
    ("旅人", "明天我要去看看那座灯塔。"),
]


def opinion_answer(body):
    told = "旅人把沉船里找到的铜钥匙送给了爱丽丝。"
    if body["model"] == "other-chat":
        told = "爱丽丝收下了刻着灯塔图案的铜钥匙。"
    invented = "国王在宫殿里宣布了战争。"
    return json.dumps({"events": [{"summary": told + invented}]}, ensure_ascii=False)


two_models = fake_llm(opinion_answer, models=("fake-chat", "other-chat"))


@pytest.fixture
def opinion_chat(empty_memory, two_models, tmp_path):
    set_all(empty_memory, {**model_at(two_models.url), "llm.parallel": 1})
    chat = import_chat(empty_memory, tmp_path / "灯塔.jsonl", LINES)
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), review=True)
    return chat


@pytest.fixture
def dialog(open_desktop, empty_memory, opinion_chat):
    desktop = open_desktop(empty_memory)
    dialog = opened_by(desktop, desktop.window.dialogs.open_review)
    dialog.desktop = desktop
    return dialog


def rows(view):
    return [view.item(row).text() for row in range(view.count())]


def ask(dialog):
    dialog.others.model.setEditText("other-chat")
    click(dialog.desktop, dialog.others.ask_button)


def test_each_sentence_stands_beside_its_lines_and_an_invented_one_is_marked(dialog):
    lines = rows(dialog.sources)
    assert lines[0] == "旅人把沉船里找到的铜钥匙送给了爱丽丝。"
    assert lines[1].strip().startswith("#2 旅人: 这把铜钥匙")
    invented = next(n for n, line in enumerate(lines) if "国王" in line)
    assert lines[invented].startswith("No line bears this out")
    assert "宫殿" in lines[invented + 1]


def test_a_line_is_read_in_the_chat(qtbot, dialog):
    asked = []
    dialog.desktop.workspace.floor_wanted.connect(lambda first, last: asked.append((first, last)))
    dialog.sources.setCurrentRow(1)
    qtbot.keyClick(dialog.sources, Qt.Key.Key_Return)
    assert asked == [(2, 2)]


def test_what_is_typed_is_looked_up_again(qtbot, dialog):
    dialog.fields.summary.setPlainText("明天旅人要去看灯塔。")
    qtbot.waitUntil(lambda: rows(dialog.sources)[:1] == ["明天旅人要去看灯塔。"])


def test_another_model_is_asked_and_its_events_are_saved_where_they_are_ticked(
    dialog, empty_memory, opinion_chat
):
    others = dialog.others
    names = [others.model.itemText(n) for n in range(others.model.count())]
    assert names == ["fake-chat", "other-chat"]
    ask(dialog)
    head, event = rows(others.list)
    assert head == "other-chat answered:"
    assert event.startswith("爱丽丝收下了")
    assert dialog.events.count() == 1
    dialog.events.item(0).setCheckState(Qt.CheckState.Unchecked)
    others.list.item(1).setCheckState(Qt.CheckState.Checked)
    click(dialog.desktop, dialog.save_button)
    (saved,) = stored_summaries(empty_memory, opinion_chat)
    assert saved.startswith("爱丽丝收下了")
    (pk,) = empty_memory.events.find(opinion_chat, EventQuery())
    assert empty_memory.events.fetch(opinion_chat, [pk])[pk].extractor == "llm"


def test_its_event_is_corrected_like_any_other(dialog, empty_memory, opinion_chat):
    ask(dialog)
    dialog.others.list.setCurrentRow(1)
    settle(dialog.desktop)
    assert rows(dialog.sources)[0].startswith("爱丽丝收下了")
    dialog.fields.summary.setPlainText("爱丽丝收好了钥匙。")
    assert dialog.others.list.item(1).text() == "爱丽丝收好了钥匙。"
    dialog.others.list.item(1).setCheckState(Qt.CheckState.Checked)
    click(dialog.desktop, dialog.save_button)
    assert "爱丽丝收好了钥匙。" in stored_summaries(empty_memory, opinion_chat)


def test_an_answer_is_kept_and_goes_with_its_draft(dialog, empty_memory, opinion_chat):
    ask(dialog)
    (draft,) = empty_memory.drafts.find(Line.main(opinion_chat))
    assert [o.model for o in empty_memory.drafts.compare(opinion_chat, draft.id).others] == [
        "other-chat"
    ]
    click(dialog.desktop, dialog.again_button)
    (again,) = empty_memory.drafts.find(Line.main(opinion_chat))
    assert again.id != draft.id
    assert len(empty_memory.drafts.compare(opinion_chat, again.id).others) == 1  # it was paid for
    click(dialog.desktop, dialog.discard_button)
    store = empty_memory.drafts.find(Line.main(opinion_chat), ("answered", "waiting", "failed"))
    assert store == []
    empty_memory.history.undo(opinion_chat)
    (back,) = empty_memory.drafts.find(Line.main(opinion_chat))
    assert len(empty_memory.drafts.compare(opinion_chat, back.id).others) == 1


def test_a_model_that_cannot_answer_leaves_the_draft_alone(
    dialog, empty_memory, two_models, opinion_chat
):
    two_models.faults = ["garbage", "garbage"]
    ask(dialog)
    assert dialog.others.list.count() == 0
    assert dialog.others.ask_button.isEnabled()
    assert len(empty_memory.drafts.find(Line.main(opinion_chat))) == 1
    assert dialog.desktop.window.message_bar.bars[-1].notice.kind == "error"


# 精简 from the window: the button, the notice with its undo, and taking an outline apart.

_NO_JOB = NullContext()


def outlines(memory, chat):
    return list(memory.events.find(chat, EventQuery(level=1)))


def test_the_button_trims_and_the_notice_takes_it_back(desktop, memory):
    chat = desktop.workspace.chat_id
    memory.settings.set("visible.tokens", 256)
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=False
    )
    before = outlines(memory, chat)
    click(desktop, desktop.window.top.trim_button)
    (dialog,) = desktop.window.dialogs.shown
    assert outlines(memory, chat) == before, "it says first what it will do"
    assert "outline" in dialog._what.text()
    assert "256" in dialog._tokens.text()
    click(desktop, dialog.start_button)
    assert outlines(memory, chat) != before
    bar = desktop.window.message_bar.bars[-1]
    assert bar.notice.kind == "success"
    assert "outline" in bar.notice.text
    bar.notice.action()
    settle(desktop)
    assert outlines(memory, chat) == before


def test_an_outline_is_taken_apart(desktop, memory):
    chat = desktop.workspace.chat_id
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=False
    )
    memory.pipeline.trim(_NO_JOB, Line.main(chat), limit=256)
    (first, *rest) = outlines(memory, chat)
    desktop.window.models.events.split_outline(first)
    settle(desktop)
    assert outlines(memory, chat) == rest


def test_nothing_to_trim_is_said(desktop):
    click(desktop, desktop.window.top.trim_button)
    (dialog,) = desktop.window.dialogs.shown
    assert "nothing to trim" in dialog._what.text()
    assert not dialog.start_button.isEnabled()


def test_archived_events_that_no_outline_tells_are_said_once_and_made_good(desktop, memory):
    """Libraries that were consolidated before outlines were made: every event green, none told."""
    chat = desktop.workspace.chat_id
    for outline in outlines(memory, chat):
        memory.pipeline.untrim(chat, outline)
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=True
    )
    untold = memory.events.always_visible(Line.main(chat)).untold
    assert untold > 0
    desktop.window.models.status.read()
    settle(desktop)
    told = [b for b in desktop.window.message_bar.bars if b.notice.topic == "untold"]
    assert len(told) == 1
    assert f"{untold} archived event" in told[0].notice.text
    click(desktop, told[0].button)
    (dialog,) = desktop.window.dialogs.shown
    assert f"{untold} archived event" in dialog._untold.text()
    click(desktop, dialog.start_button)
    assert memory.events.always_visible(Line.main(chat)).untold == 0
    desktop.window.models.status.read()
    settle(desktop)
    assert [b for b in desktop.window.message_bar.bars if b.notice.topic == "untold"] == []


def test_the_plan_of_consolidating_says_what_its_outlines_cost(desktop, memory):
    chat = desktop.workspace.chat_id
    for outline in outlines(memory, chat):
        memory.pipeline.untrim(chat, outline)
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=False
    )
    dialog = opened_by(desktop, desktop.window.dialogs.open_consolidate)
    plan = memory.pipeline.plan_consolidation(Line.main(chat))
    assert plan.outlines > 0
    assert f"Summed up in {plan.outlines} outline" in dialog._outlines.text()
    assert "nothing is sent" in dialog._outlines.text()
    click(desktop, dialog.start_button)
    said = " ".join(b.notice.text for b in desktop.window.message_bar.bars)
    assert "outline" in said


def test_a_model_that_would_write_outlines_is_named_with_its_tokens(desktop):
    plan = TrimPlan(0, 3, 5000, 4000, llm_calls=3, prompt_tokens=4512, model="deepseek-chat")
    told = desktop.window.models.pipeline.outlines_text(plan)
    assert "deepseek-chat" in told
    assert "4,512 tokens" in told


def test_hits_that_a_prompt_would_not_get_are_greyed_with_the_reason(desktop):
    window = desktop.window
    window.show_page("recall")
    window.stack.page("recall").question.setText("asdfghjkl")
    window.stack.page("recall").ask()
    settle(desktop)
    result = window.models.recall.answer.result
    assert result.hits
    assert not result.is_related
    said = [part.text() for part in window.stack.page("recall").findChildren(QLabel)]
    assert "Too far from the question: a prompt would get none of these." in said
    assert {card._text.property("tone") for card in window.stack.page("recall").cards} == {"quiet"}
