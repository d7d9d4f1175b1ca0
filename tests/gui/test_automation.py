"""Automation in the window: the foot bar says how it stands, pauses it and asks."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.pipeline.automation import BACKLOG_BLOCKS, BACKLOG_FLOORS
from engram_desktop.widgets.overview import OverviewPage
from engram_desktop.widgets.window.window_dialogs import HistoryDialog
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import settle

CTX = NullContext()


def foot_text(desktop):
    """All that the foot bar says of automation, however little of it has room."""
    return desktop.window.foot._auto.accessibleName()


def test_the_foot_says_when_the_next_summary_is_due_and_pauses(qtbot, desktop, memory):
    chat = desktop.workspace.chat_id
    foot = desktop.window.foot
    memory.settings.set("buffer.events", 0)
    memory.settings.set("buffer.tokens", 0)
    memory.settings.set("visible.tokens", 100_000)
    desktop.window.models.automation._look_at_line()
    settle(qtbot, desktop)
    assert "next summary in 35 floors" in foot_text(desktop)
    foot.pause_button.click()
    settle(qtbot, desktop)
    assert foot_text(desktop) == "Automatic: paused"
    assert memory.settings.read(chat).auto_enabled is False
    assert memory.settings.read().auto_enabled is True
    foot.pause_button.click()
    settle(qtbot, desktop)
    assert "on" in foot_text(desktop)


@pytest.fixture
def llm():
    event = {"summary": "爱丽丝把铜钥匙交给旅人，约好在月光酒馆再见。"}
    with FakeOpenAI(answer=lambda body: json.dumps({"events": [event]})) as server:
        yield server


@pytest.fixture
def asked_memory(empty_memory, llm):
    """A library with a model, where five floors make a block."""
    values = {"llm.base_url": llm.url, "llm.model": "fake-chat", "summary.interval": 5}
    values["review.enabled"] = False
    for key, value in values.items():
        empty_memory.settings.set(key, value)
    return empty_memory


@pytest.mark.parametrize("agrees", [True, False])
def test_a_backlog_is_asked_about_before_anything_is_spent(
    qtbot, open_desktop, asked_memory, llm, tmp_path, agrees
):
    memory = asked_memory
    memory.settings.set("llm.price_in", 2.0)
    chat = memory.imports.import_file(
        CTX, write_chat(tmp_path / "长篇.jsonl", story_rows(50))
    ).chat_id
    desktop = open_desktop(memory)
    assert foot_text(desktop) == "Automatic: waiting for your consent"
    desktop.window.foot.action_button.click()
    settle(qtbot, desktop)
    (bar,) = desktop.window.message_bar.bars
    assert "40 floors" in bar.notice.text
    assert "fake-chat: 9 calls" in bar.notice.hint
    assert "¥" in bar.notice.hint
    assert llm.bodies() == []
    (bar.button if agrees else bar.other_button).click()
    settle(qtbot, desktop)
    assert len(llm.bodies()) == (8 if agrees else 0)
    assert memory.events.counts(Line.main(chat)).total == (8 if agrees else 0)
    assert "next summary in 5 floors" in foot_text(desktop)


def test_memory_off_is_said_and_cannot_be_resumed_from_the_foot(qtbot, desktop, memory):
    memory.settings.set("memory.mode", "off")
    desktop.window.models.automation._look_at_line()
    settle(qtbot, desktop)
    assert foot_text(desktop) == "Memory off"
    assert not desktop.window.foot.pause_button.isVisible()


def import_long(qtbot, open_desktop, memory, tmp_path, count):
    """Import a chat through the window, with no model set, and wait for what follows by itself."""
    desktop = open_desktop(memory)
    desktop.window.models.imports.run(
        write_chat(tmp_path / "长篇.jsonl", story_rows(count)), into=None, name="长篇"
    )
    settle(qtbot, desktop)
    qtbot.waitUntil(lambda: not desktop.workspace.auto._pause.isActive(), timeout=20_000)
    settle(qtbot, desktop)
    return desktop


def test_a_long_first_import_without_a_model_is_asked_about(
    qtbot, open_desktop, empty_memory, tmp_path
):
    desktop = import_long(qtbot, open_desktop, empty_memory, tmp_path, 1142)
    chat = desktop.workspace.chat_id
    assert empty_memory.events.counts(Line.main(chat)).total == 0, "nothing is begun unasked"
    (bar,) = [b for b in desktop.window.message_bar.bars if b.notice.other_text == "Only new ones"]
    assert "have not been summarised" in bar.notice.text
    assert "nothing is sent" in bar.notice.hint
    bar.button.click()
    settle(qtbot, desktop)
    assert empty_memory.events.counts(Line.main(chat)).total > 0


def consent_bars(desktop):
    return [b for b in desktop.window.message_bar.bars if b.notice.other_text == "Only new ones"]


def test_the_question_goes_when_it_is_answered_elsewhere(
    qtbot, open_desktop, empty_memory, tmp_path
):
    """Somebody goes ahead on the page of the chat: the question of the banner is moot."""
    desktop = import_long(qtbot, open_desktop, empty_memory, tmp_path, 1142)
    chat = desktop.workspace.chat_id
    assert len(consent_bars(desktop)) == 1
    desktop.window.show_page("overview")
    settle(qtbot, desktop)
    step = desktop.window.stack.page_as("overview", OverviewPage).step
    assert step.button.text() == "Go ahead"
    assert "nothing is sent" in step.hint.text()
    step.button.click()
    settle(qtbot, desktop)
    assert empty_memory.events.counts(Line.main(chat)).total > 0
    assert consent_bars(desktop) == []
    assert step.button.text() == "Connect a model…"


def test_the_question_goes_when_the_backlog_is_summarised_by_hand(
    qtbot, open_desktop, empty_memory, tmp_path
):
    desktop = import_long(qtbot, open_desktop, empty_memory, tmp_path, 1142)
    assert len(consent_bars(desktop)) == 1
    desktop.window.models.pipeline.summarise(None, "extractive")
    qtbot.waitUntil(lambda: consent_bars(desktop) == [], timeout=60_000)
    settle(qtbot, desktop)


def test_what_automation_did_is_said_with_a_way_to_see_it_and_a_way_back(
    qtbot, open_desktop, empty_memory, tmp_path
):
    desktop = import_long(qtbot, open_desktop, empty_memory, tmp_path, 460)
    chat = desktop.workspace.chat_id
    counts = empty_memory.events.counts(Line.main(chat))
    assert counts.total > 0
    assert counts.buffer > 0, "the newest events stay blue"
    (bar,) = [b for b in desktop.window.message_bar.bars if "automatically" in b.notice.text]
    assert (bar.button.text(), bar.other_button.text()) == ("Show", "Undo")
    desktop.window.show_page("graph")
    bar.other_button.click()
    settle(qtbot, desktop)
    assert desktop.window.page == "events"
    assert empty_memory.events.counts(Line.main(chat)).total == 0
    assert empty_memory.events.always_visible(Line.main(chat)).tokens == 0


def test_an_edit_made_since_is_never_taken_back_with_it(
    qtbot, open_desktop, empty_memory, tmp_path
):
    desktop = import_long(qtbot, open_desktop, empty_memory, tmp_path, 460)
    chat = desktop.workspace.chat_id
    key = empty_memory.events.find(chat, EventQuery())[0]
    empty_memory.events.update(chat, key, EventPatch(summary="我改过的。"))
    (bar,) = [b for b in desktop.window.message_bar.bars if "automatically" in b.notice.text]
    bar.other_button.click()
    settle(qtbot, desktop)
    assert empty_memory.events.fetch(chat, [key])[key].summary == "我改过的。"
    (dialog,) = desktop.window.dialogs.shown
    assert isinstance(dialog, HistoryDialog), "what was done since is shown instead"


def test_the_settings_say_when_automation_asks():
    told = DECLARED["auto.enabled"].help
    assert str(BACKLOG_FLOORS) in told
    assert BACKLOG_BLOCKS == 3, "the text says three"
