"""The pipeline by itself, and what is shown of it."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DailyCapReached, NotFound, Unreachable
from engram_desktop.domain.memory.event import EventPatch, EventQuery, LogQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.automation import AutoPlan, AutoReport, Standing
from engram_desktop.domain.settings import DECLARED
from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs.auto_pipeline import AutoPipeline
from engram_desktop.services.pipeline.automation import BACKLOG_BLOCKS
from engram_desktop.widgets.overview.overview_page import OverviewPage
from engram_desktop.widgets.window.window_dialogs import HistoryDialog
from tests.factories import import_chat, model_at, set_all, story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import click, open_page, run_out, settle, undo
from tests.inline_runner import InlineRunner

# Automation in the window: the foot bar says how it stands, pauses it and asks.

CTX = NullContext()


def foot_text(desktop):
    """All that the foot bar says of automation, however little of it has room."""
    return desktop.window.foot._auto.accessibleName()


def test_what_the_window_reads_by_itself_keeps_no_question_waiting(qtbot, desktop):
    """At a start it reads half the program: it has a lane of its own."""
    space, gate, told = desktop.workspace, threading.Event(), []
    space.auto.changed.connect(lambda: told.append("plan"))
    desktop.window.models.tavern.changed.connect(lambda: told.append("followed"))
    desktop.runner.submit("", lambda _ctx: gate.wait(30), lane="aside")
    try:
        space.chat_changed.emit(space.chat_id)  # the plan and the followed files are read again
        with qtbot.waitSignal(space.look_up(lambda _ctx: None).succeeded, timeout=10_000):
            pass
        assert not told
    finally:
        gate.set()
    settle(desktop)
    assert {"plan", "followed"} <= set(told)


def test_the_foot_says_when_the_next_summary_is_due_and_pauses(desktop, memory):
    chat = desktop.workspace.chat_id
    foot = desktop.window.foot
    memory.settings.set("buffer.events", 0)
    memory.settings.set("buffer.tokens", 0)
    memory.settings.set("visible.tokens", 100_000)
    desktop.window.models.automation._look_at_line()
    settle(desktop)
    assert "next summary in 35 floors" in foot_text(desktop)
    click(desktop, foot.pause_button)
    assert foot_text(desktop) == "Automatic: paused"
    assert memory.settings.read(chat).auto_enabled is False
    assert memory.settings.read().auto_enabled is True
    click(desktop, foot.pause_button)
    assert "on" in foot_text(desktop)


@pytest.fixture
def llm():
    event = {"summary": "爱丽丝把铜钥匙交给旅人，约好在月光酒馆再见。"}
    with FakeOpenAI(answer=lambda body: json.dumps({"events": [event]})) as server:
        yield server


@pytest.fixture
def asked_memory(empty_memory, llm):
    """A library with a model, where five floors make a block."""
    values = {**model_at(llm.url), "summary.interval": 5}
    values["review.enabled"] = False
    set_all(empty_memory, values)
    return empty_memory


@pytest.mark.parametrize("agrees", [True, False])
def test_a_backlog_is_asked_about_before_anything_is_spent(
    open_desktop, asked_memory, llm, tmp_path, agrees
):
    memory = asked_memory
    memory.settings.set("llm.price_in", 2.0)
    chat = import_chat(memory, tmp_path / "长篇.jsonl", story_rows(50))
    desktop = open_desktop(memory)
    assert foot_text(desktop) == "Automatic: waiting for your consent"
    click(desktop, desktop.window.foot.action_button)
    (bar,) = desktop.window.message_bar.bars
    assert "40 floors" in bar.notice.text
    assert "fake-chat: 9 calls" in bar.notice.hint
    assert "¥" in bar.notice.hint
    assert llm.bodies() == []
    click(desktop, bar.button if agrees else bar.other_button)
    assert len(llm.bodies()) == (8 if agrees else 0)
    assert memory.events.counts(Line.main(chat)).total == (8 if agrees else 0)
    assert "next summary in 5 floors" in foot_text(desktop)


def test_memory_off_is_said_and_cannot_be_resumed_from_the_foot(desktop, memory):
    memory.settings.set("memory.mode", "off")
    desktop.window.models.automation._look_at_line()
    settle(desktop)
    assert foot_text(desktop) == "Memory off"
    assert not desktop.window.foot.pause_button.isVisible()


def import_long(open_desktop, memory, tmp_path, count):
    """Import a chat through the window, with no model set, and wait for what follows by itself."""
    desktop = open_desktop(memory)
    desktop.window.models.imports.run(
        write_chat(tmp_path / "长篇.jsonl", story_rows(count)), into=None, name="长篇"
    )
    settle(desktop)
    run_out(desktop.workspace.auto._pause)
    settle(desktop)
    return desktop


def test_a_long_first_import_without_a_model_is_begun_unasked_for_it_costs_nothing(
    open_desktop, empty_memory, tmp_path
):
    desktop = import_long(open_desktop, empty_memory, tmp_path, 1142)
    line = Line.main(desktop.workspace.chat_id)
    assert consent_bars(desktop) == []
    assert empty_memory.events.counts(line).total > 0
    open_page(desktop, "overview")
    step = desktop.window.stack.page_as("overview", OverviewPage).step
    assert step.button.text() == "Connect a model…"


def consent_bars(desktop):
    return [b for b in desktop.window.message_bar.bars if b.notice.other_text == "Only new ones"]


def test_one_question_with_one_number_is_asked_and_other_places_lead_to_it(
    open_desktop, asked_memory, llm, tmp_path
):
    chat = import_chat(asked_memory, tmp_path / "长篇.jsonl", story_rows(50))
    desktop = open_desktop(asked_memory)
    window = desktop.window
    click(desktop, window.foot.action_button)
    (bar,) = consent_bars(desktop)
    asked = bar.notice.text
    bar.close_button.click()
    open_page(desktop, "overview")
    step = window.stack.page_as("overview", OverviewPage).step
    assert step.title.text() == asked
    assert step.button.text() == window.foot.action_button.text() == "Decide…"
    for place in (step.button, window.foot.action_button):
        click(desktop, place)
        (bar,) = consent_bars(desktop)
        assert bar.notice.text == asked
    assert llm.bodies() == []
    click(desktop, bar.button)
    assert asked_memory.events.counts(Line.main(chat)).total > 0
    assert consent_bars(desktop) == []


def test_the_question_goes_when_the_backlog_is_summarised_by_hand(
    qtbot, open_desktop, asked_memory, tmp_path
):
    import_chat(asked_memory, tmp_path / "长篇.jsonl", story_rows(50))
    desktop = open_desktop(asked_memory)
    click(desktop, desktop.window.foot.action_button)
    assert len(consent_bars(desktop)) == 1
    desktop.window.models.pipeline.summarise(None, "extractive")
    qtbot.waitUntil(lambda: consent_bars(desktop) == [], timeout=60_000)
    settle(desktop)


def test_what_automation_did_is_said_with_a_way_to_see_it_and_a_way_back(
    open_desktop, empty_memory, tmp_path
):
    desktop = import_long(open_desktop, empty_memory, tmp_path, 460)
    chat = desktop.workspace.chat_id
    counts = empty_memory.events.counts(Line.main(chat))
    assert counts.total > 0
    assert counts.buffer > 0, "the newest events stay blue"
    (bar,) = [b for b in desktop.window.message_bar.bars if "automatically" in b.notice.text]
    assert (bar.button.text(), bar.other_button.text()) == ("Show", "Undo")
    desktop.window.show_page("graph")
    click(desktop, bar.other_button)
    assert desktop.window.page == "events"
    assert empty_memory.events.counts(Line.main(chat)).total == 0
    assert empty_memory.events.always_visible(Line.main(chat)).tokens == 0


def test_an_edit_made_since_is_never_taken_back_with_it(open_desktop, empty_memory, tmp_path):
    desktop = import_long(open_desktop, empty_memory, tmp_path, 460)
    chat = desktop.workspace.chat_id
    key = empty_memory.events.find(chat, EventQuery())[0]
    empty_memory.events.update(chat, key, EventPatch(summary="我改过的。"))
    (bar,) = [b for b in desktop.window.message_bar.bars if "automatically" in b.notice.text]
    click(desktop, bar.other_button)
    assert empty_memory.events.fetch(chat, [key])[key].summary == "我改过的。"
    (dialog,) = desktop.window.dialogs.shown
    assert isinstance(dialog, HistoryDialog), "what was done since is shown instead"


def test_the_settings_say_when_automation_asks():
    assert "more than three blocks" in DECLARED["auto.enabled"].help
    assert BACKLOG_BLOCKS == 3


# The pipeline runs as messages arrive: quietly, never twice at once, never against the user.

ARRIVED = Changes(chat_id="a", messages=True)


class Library:
    """The two methods of the facade that automation asks for."""

    def __init__(self):
        self.ran = []
        self.trouble = None
        self.standing: Standing = "idle"
        self.events = 0
        self.with_entities = []
        self.ended = []
        self.is_over = False
        self.entities_failed = False

        self.automation = self

    def plan(self, line, *, consent=False):
        return AutoPlan(
            line.chat_id, line.branch_id, self.standing, floors_left=7, is_over=self.is_over
        )

    def run(self, ctx, line, *, consent=False, entities=True, ended=False):
        self.with_entities.append(entities)
        if ended:
            self.ended.append(line)
        self.ran.append((line.chat_id, line.branch_id, consent))
        if self.trouble is not None:
            raise self.trouble
        changes = Changes(chat_id=line.chat_id, rows=True)
        plan = self.plan(line)
        failed = self.entities_failed
        return AutoReport(plan, self.events, changes=changes, entities_failed=failed)


@pytest.fixture
def fake_pipeline():
    return Library()


@pytest.fixture
def jobs(qtbot):
    return InlineRunner()


@pytest.fixture
def auto(fake_pipeline, jobs, hub):
    made = AutoPipeline(fake_pipeline, jobs, hub)
    made.title = "Automatic"
    return made


def wait_out(auto, jobs):
    """As if the pause after the last message were over."""
    assert auto._pause.isActive()
    auto._pause.stop()
    auto._run()
    jobs.run_pending()


def test_messages_that_arrive_together_start_one_run_after_a_pause(auto, fake_pipeline, jobs, hub):
    for _ in range(3):
        hub.publish(ARRIVED)
    jobs.run_pending()
    assert fake_pipeline.ran == []
    wait_out(auto, jobs)
    assert fake_pipeline.ran == [("a", "main", False)]
    assert not auto._pause.isActive()


def test_other_changes_start_nothing(auto, hub):
    hub.publish(Changes(chat_id="a", rows=True))
    hub.publish(Changes(settings=True))
    hub.publish(Changes(messages=True))  # a restored library: nothing is begun unasked
    assert not auto._pause.isActive()


def test_what_it_changed_is_published_and_does_not_start_it_again(auto, fake_pipeline, jobs, hub):
    seen = []
    hub.changed.connect(lambda changes, who: seen.append(who))
    fake_pipeline.events = 2
    hub.publish(ARRIVED, "import")
    wait_out(auto, jobs)
    assert seen == ["import", auto]
    assert not auto._pause.isActive()


def test_two_runs_never_overlap(auto, fake_pipeline, jobs, hub):
    hub.publish(ARRIVED)
    auto._run()
    hub.publish(Changes(chat_id="b", messages=True))
    auto._run()  # the first has not run yet
    jobs.run_pending()
    assert fake_pipeline.ran == [("a", "main", False)]
    wait_out(auto, jobs)
    assert fake_pipeline.ran[1:] == [("b", "main", False)]


def test_it_gives_way_to_the_users_job_and_goes_on_afterwards(auto, fake_pipeline, jobs, hub):
    hub.publish(ARRIVED)
    auto._run()
    jobs.submit("Summarising", lambda ctx: None, lane="network")
    jobs.run_pending()
    assert fake_pipeline.ran == []
    wait_out(auto, jobs)
    assert fake_pipeline.ran == [("a", "main", False)]


def test_an_edit_and_a_background_job_do_not_stop_it(auto, fake_pipeline, jobs, hub):
    hub.publish(ARRIVED)
    auto._run()
    jobs.submit("Saving", lambda ctx: None)
    jobs.submit("Updating the index", lambda ctx: None, lane="network", background=True)
    jobs.run_pending()
    assert fake_pipeline.ran == [("a", "main", False)]


def test_trouble_stops_it_and_is_told_once(auto, fake_pipeline, jobs, hub):
    told: list[Exception] = []
    auto.failed.connect(told.append)
    fake_pipeline.trouble = Unreachable("refused", url="http://h/v1")
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert not auto._pause.isActive(), "it must not try again by itself"
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert (len(fake_pipeline.ran), len(told)) == (2, 1)
    fake_pipeline.trouble = None
    auto.run_now("a")
    jobs.run_pending()
    assert len(fake_pipeline.ran) == 3
    assert auto.state("a").trouble is None


def test_a_deleted_chat_is_no_trouble(auto, fake_pipeline, jobs, hub):
    told: list[Exception] = []
    auto.failed.connect(told.append)
    fake_pipeline.trouble = NotFound("chat", "a")
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert told == []


def test_a_backlog_is_asked_about_once_and_begun_on_consent(auto, fake_pipeline, jobs, hub):
    asked: list[AutoPlan] = []
    auto.consent_wanted.connect(asked.append)
    fake_pipeline.standing = "consent"
    for _ in range(2):
        hub.publish(ARRIVED)
        wait_out(auto, jobs)
    assert len(asked) == 1
    auto.run_now("a")  # a press of the button asks again
    jobs.run_pending()
    assert len(asked) == 2
    fake_pipeline.standing = "idle"
    auto.agree(Line.main("a"))
    jobs.run_pending()
    assert fake_pipeline.ran[-1] == ("a", "main", True)
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert fake_pipeline.ran[-1] == ("a", "main", False), "consent is for one backlog"


def test_a_reached_cap_is_tried_again_the_next_day(auto, fake_pipeline, jobs, hub):
    fake_pipeline.trouble = DailyCapReached(cap="10", used="9", wanted="5")
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert auto._tomorrow.isActive()
    fake_pipeline.trouble = None
    auto._on_tomorrow()
    jobs.run_pending()
    assert len(fake_pipeline.ran) == 2


def test_it_follows_the_branch_that_is_shown(auto, fake_pipeline, jobs, hub):
    auto.look_at(Line("a", "side"))
    jobs.run_pending()
    assert auto.state("a").plan.floors_left == 7
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert fake_pipeline.ran == [("a", "side", False)]


def test_nothing_starts_after_stop(auto, fake_pipeline, jobs, hub):
    hub.publish(ARRIVED)
    auto.stop()
    auto._run()
    jobs.run_pending()
    assert fake_pipeline.ran == []


def test_profiles_that_failed_are_not_asked_for_again_by_themselves(auto, fake_pipeline, jobs, hub):
    fake_pipeline.entities_failed = True
    for _ in range(2):
        hub.publish(ARRIVED)
        wait_out(auto, jobs)
    fake_pipeline.entities_failed = False
    auto.run_now("a")
    jobs.run_pending()
    assert fake_pipeline.with_entities == [True, False, True]


def test_after_a_silence_the_session_is_looked_back_on(auto, fake_pipeline, jobs, hub):
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert fake_pipeline.ended == []
    assert auto._silence.isActive()
    auto._silence.stop()
    auto._on_silence()
    jobs.run_pending()
    assert fake_pipeline.ended == [Line.main("a")]


def test_a_chat_that_was_taken_in_is_no_session(auto, jobs, hub):
    hub.publish(Changes(chat_id="a", messages=True, library=True))
    wait_out(auto, jobs)
    assert not auto._silence.isActive()


def test_a_session_goes_on_while_something_is_said(auto, fake_pipeline, jobs, hub):
    hub.publish(ARRIVED)
    auto._end(Line.main("a"))
    hub.publish(ARRIVED)  # somebody speaks before the look back has begun
    wait_out(auto, jobs)
    assert fake_pipeline.ended == []


def test_what_was_open_when_the_program_was_closed_is_looked_back_on_once(
    auto, fake_pipeline, jobs
):
    fake_pipeline.is_over = True
    for _ in range(2):
        auto.look_at(Line.main("a"))
        jobs.run_pending()
        if auto._pause.isActive():
            wait_out(auto, jobs)
    assert fake_pipeline.ended == [Line.main("a")]


# Looking back, and how much memory a message needs, through the user's door.

LOG = {"owner": "爱丽丝", "content": "我不该把钥匙给他的。", "emotion_tags": ["后悔"]}


class Model:
    says = json.dumps({"events": [], "logs": [LOG]}, ensure_ascii=False)

    def __call__(self, _body):
        return self.says


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def server(model):
    with FakeOpenAI(answer=model) as fake:
        yield fake


@pytest.fixture
def opened(open_desktop, memory, server):
    set_all(memory, model_at(server.url))
    desktop = open_desktop(memory)
    open_page(desktop, "logs")
    return desktop


def reflect(desktop):
    click(desktop, desktop.window.stack.page("logs").reflect_button)
    return desktop.window.dialogs.shown[-1]


def shown(desktop):
    return " ".join(bar.notice.text for bar in desktop.window.message_bar.bars)


def test_a_plan_is_shown_then_logs_are_written_and_taken_back(opened, memory):
    chat = opened.workspace.chat_id
    dialog = reflect(opened)
    assert "block" in dialog.plan_text.text()
    assert "once per character and block" in dialog.plan_hint.text()
    dialog.choice_of_floors.range_button.click()
    dialog.choice_of_floors.range.last.setValue(4)
    settle(opened)
    assert "1 block, floors 0–4" in dialog.plan_text.text()
    click(opened, dialog.start_button)
    keys = memory.logs.find(chat, LogQuery())
    assert [log.content for log in memory.logs.fetch(chat, keys).values()] == [LOG["content"]]
    assert opened.window.stack.page("logs").view.model().rowCount() == 1
    assert "0 events made, 1 private log written." in shown(opened)
    undo(opened)
    assert opened.window.stack.page("logs").view.model().rowCount() == 0


def test_an_answer_that_cannot_be_read_is_said(opened, model):
    model.says = "当然可以！"
    dialog = reflect(opened)
    click(opened, dialog.start_button)
    assert "Looking back stopped at floors 0–" in shown(opened)


def test_without_a_model_the_dialog_says_what_is_missing(desktop):
    desktop.window.show_page("logs")
    dialog = reflect(desktop)
    assert not dialog.start_button.isEnabled()
    assert "needs a model" in dialog.plan_hint.text()


def test_an_injection_says_what_the_message_needs(opened, memory, model):
    memory.settings.set("inject.triage", value=True)
    model.says = json.dumps({"level": "ROUTINE", "reasoning": "again", "directives": {"a": "b"}})
    page = open_page(opened, "recall")
    opened.window.models.recall.ask("早安", top_k=5, kinds=("turn", "event"), budget=None)
    settle(opened)
    told = page.panel.triage
    assert told.text() == "A small gesture: only what is always visible.\nagain\na: b"
    model.says = "?"
    opened.window.models.recall.ask("早安", top_k=5, kinds=("turn", "event"), budget=None)
    settle(opened)
    assert "could not be asked" in told.text()
    assert "names no level" in told.text()


# A server that is gone stops a summary at once, with the reason; one press tries all again.


def test_a_dead_endpoint_says_why_and_all_is_tried_again(open_desktop, empty_memory, tmp_path):
    memory = empty_memory
    values: dict[str, Any] = {"llm.base_url": "http://127.0.0.1:9/v1", "llm.model": "fake"}
    values |= {"summary.interval": 5, "auto.enabled": False, "review.enabled": False}
    set_all(memory, values)
    rows = story_rows(205)
    chat = import_chat(memory, tmp_path / "长.jsonl", rows)
    desktop = open_desktop(memory)
    desktop.window.models.pipeline.summarise(None, "llm")
    settle(desktop)
    (bar,) = [b for b in desktop.window.message_bar.bars if b.notice.kind == "error"]
    said = " ".join(part.text() for part in bar.findChildren(QLabel))
    assert "127.0.0.1:9" in said
    assert "not started" in said
    assert bar.button.text() == "Try again"
    event = {"summary": "爱丽丝把铜钥匙交给旅人，约好在月光酒馆再见。"}
    with FakeOpenAI(answer=lambda body: json.dumps({"events": [event]})) as server:
        memory.settings.set("llm.base_url", server.url)
        click(desktop, bar.button)
    counts = memory.events.counts(Line.main(chat))
    assert counts.total == 39, "all 39 blocks"
    assert not [b for b in desktop.window.message_bar.bars if b.notice.kind == "error"]
