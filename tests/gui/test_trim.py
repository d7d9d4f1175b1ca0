"""精简 from the window: the button, the notice with its undo, and taking an outline apart."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import TrimPlan
from engram_desktop.jobs.context import NullContext
from tests.gui.waiting import settle

_NO_JOB = NullContext()


def outlines(memory, chat):
    return list(memory.events.find(chat, EventQuery(level=1)))


def test_the_button_trims_and_the_notice_takes_it_back(qtbot, desktop, memory):
    chat = desktop.workspace.chat_id
    memory.settings.set("visible.tokens", 256)
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=False
    )
    before = outlines(memory, chat)
    desktop.window.top.trim_button.click()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert outlines(memory, chat) == before, "it says first what it will do"
    assert "outline" in dialog._what.text()
    assert "256" in dialog._tokens.text()
    dialog.start_button.click()
    settle(qtbot, desktop)
    assert outlines(memory, chat) != before
    bar = desktop.window.message_bar.bars[-1]
    assert bar.notice.kind == "success"
    assert "outline" in bar.notice.text
    bar.notice.action()
    settle(qtbot, desktop)
    assert outlines(memory, chat) == before


def test_an_outline_is_taken_apart(qtbot, desktop, memory):
    chat = desktop.workspace.chat_id
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=False
    )
    memory.pipeline.trim(_NO_JOB, Line.main(chat), limit=256)
    (first, *rest) = outlines(memory, chat)
    desktop.window.models.events.take_apart(first)
    settle(qtbot, desktop)
    assert outlines(memory, chat) == rest


def test_nothing_to_trim_is_said(qtbot, desktop):
    desktop.window.top.trim_button.click()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert "nothing to trim" in dialog._what.text()
    assert not dialog.start_button.isEnabled()


def test_archived_events_that_no_outline_tells_are_said_once_and_made_good(qtbot, desktop, memory):
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
    settle(qtbot, desktop)
    told = [b for b in desktop.window.message_bar.bars if b.notice.topic == "untold"]
    assert len(told) == 1
    assert f"{untold} archived event" in told[0].notice.text
    told[0].button.click()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert f"{untold} archived event" in dialog._untold.text()
    dialog.start_button.click()
    settle(qtbot, desktop)
    assert memory.events.always_visible(Line.main(chat)).untold == 0
    desktop.window.models.status.read()
    settle(qtbot, desktop)
    assert [b for b in desktop.window.message_bar.bars if b.notice.topic == "untold"] == []


def test_the_plan_of_consolidating_says_what_its_outlines_cost(qtbot, desktop, memory):
    chat = desktop.workspace.chat_id
    for outline in outlines(memory, chat):
        memory.pipeline.untrim(chat, outline)
    memory.events.set_archived(
        _NO_JOB, chat, list(memory.events.find(chat, EventQuery())), archived=False
    )
    desktop.window.dialogs.open_consolidate()
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    plan = memory.pipeline.plan_consolidation(Line.main(chat))
    assert plan.outlines > 0
    assert f"Told on in {plan.outlines} outline" in dialog._outlines.text()
    assert "nothing is sent" in dialog._outlines.text()
    dialog.start_button.click()
    settle(qtbot, desktop)
    said = " ".join(b.notice.text for b in desktop.window.message_bar.bars)
    assert "outline" in said


def test_a_model_that_would_write_outlines_is_named_with_its_tokens(desktop):
    plan = TrimPlan(0, 3, 5000, 4000, llm_calls=3, prompt_tokens=4512, model="deepseek-chat")
    told = desktop.window.models.pipeline.outlines_text(plan)
    assert "deepseek-chat" in told
    assert "4,512 tokens" in told


def test_hits_that_a_prompt_would_not_get_are_greyed_with_the_reason(qtbot, desktop):
    window = desktop.window
    window.show_page("recall")
    window.stack.page("recall").question.setText("asdfghjkl")
    window.stack.page("recall").ask()
    settle(qtbot, desktop)
    result = window.models.recall.answer.result
    assert result.hits
    assert not result.is_related
    said = [part.text() for part in window.stack.page("recall").findChildren(QLabel)]
    assert "Too far from the question: a prompt would get none of these." in said
    assert {card._text.property("tone") for card in window.stack.page("recall").cards} == {"quiet"}
