"""The pipeline runs as messages arrive: quietly, never twice at once, never against the user."""

from __future__ import annotations

import pytest

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import DailyCapReached, NotFound, Unreachable
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.automation import AutoPlan, AutoReport, Standing
from engram_desktop.qtjobs.auto_pipeline import AutoPipeline
from engram_desktop.qtjobs.live_changes import ChangeHub
from tests.inline_runner import InlineRunner

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
def library():
    return Library()


@pytest.fixture
def jobs(qtbot):
    return InlineRunner()


@pytest.fixture
def hub(qtbot):
    return ChangeHub()


@pytest.fixture
def auto(library, jobs, hub):
    made = AutoPipeline(library, jobs, hub)
    made.title = "Automatic"
    return made


def wait_out(auto, jobs):
    """As if the pause after the last message were over."""
    assert auto._pause.isActive()
    auto._pause.stop()
    auto._run()
    jobs.run_pending()


def test_messages_that_arrive_together_start_one_run_after_a_pause(auto, library, jobs, hub):
    for _ in range(3):
        hub.publish(ARRIVED)
    jobs.run_pending()
    assert library.ran == []
    wait_out(auto, jobs)
    assert library.ran == [("a", "main", False)]
    assert not auto._pause.isActive()


def test_other_changes_start_nothing(auto, hub):
    hub.publish(Changes(chat_id="a", rows=True))
    hub.publish(Changes(settings=True))
    hub.publish(Changes(messages=True))  # a restored library: nothing is begun unasked
    assert not auto._pause.isActive()


def test_what_it_changed_is_published_and_does_not_start_it_again(auto, library, jobs, hub):
    seen = []
    hub.changed.connect(lambda changes, who: seen.append(who))
    library.events = 2
    hub.publish(ARRIVED, "import")
    wait_out(auto, jobs)
    assert seen == ["import", auto]
    assert not auto._pause.isActive()


def test_two_runs_never_overlap(auto, library, jobs, hub):
    hub.publish(ARRIVED)
    auto._run()
    hub.publish(Changes(chat_id="b", messages=True))
    auto._run()  # the first has not run yet
    jobs.run_pending()
    assert library.ran == [("a", "main", False)]
    wait_out(auto, jobs)
    assert library.ran[1:] == [("b", "main", False)]


def test_it_gives_way_to_the_users_job_and_goes_on_afterwards(auto, library, jobs, hub):
    hub.publish(ARRIVED)
    auto._run()
    jobs.submit("Summarising", lambda ctx: None, lane="network")
    jobs.run_pending()
    assert library.ran == []
    wait_out(auto, jobs)
    assert library.ran == [("a", "main", False)]


def test_an_edit_and_a_background_job_do_not_stop_it(auto, library, jobs, hub):
    hub.publish(ARRIVED)
    auto._run()
    jobs.submit("Saving", lambda ctx: None)
    jobs.submit("Updating the index", lambda ctx: None, lane="network", background=True)
    jobs.run_pending()
    assert library.ran == [("a", "main", False)]


def test_trouble_stops_it_and_is_told_once(auto, library, jobs, hub):
    told: list[Exception] = []
    auto.failed.connect(told.append)
    library.trouble = Unreachable("refused", url="http://h/v1")
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert not auto._pause.isActive(), "it must not try again by itself"
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert (len(library.ran), len(told)) == (2, 1)
    library.trouble = None
    auto.run_now("a")
    jobs.run_pending()
    assert len(library.ran) == 3
    assert auto.state("a").trouble is None


def test_a_deleted_chat_is_no_trouble(auto, library, jobs, hub):
    told: list[Exception] = []
    auto.failed.connect(told.append)
    library.trouble = NotFound("chat", "a")
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert told == []


def test_a_backlog_is_asked_about_once_and_begun_on_consent(auto, library, jobs, hub):
    asked: list[AutoPlan] = []
    auto.consent_wanted.connect(asked.append)
    library.standing = "consent"
    for _ in range(2):
        hub.publish(ARRIVED)
        wait_out(auto, jobs)
    assert len(asked) == 1
    auto.run_now("a")  # a press of the button asks again
    jobs.run_pending()
    assert len(asked) == 2
    library.standing = "idle"
    auto.agree(Line.main("a"))
    jobs.run_pending()
    assert library.ran[-1] == ("a", "main", True)
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert library.ran[-1] == ("a", "main", False), "consent is for one backlog"


def test_a_reached_cap_is_tried_again_the_next_day(auto, library, jobs, hub):
    library.trouble = DailyCapReached(cap="10", used="9", wanted="5")
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert auto._tomorrow.isActive()
    library.trouble = None
    auto._on_tomorrow()
    jobs.run_pending()
    assert len(library.ran) == 2


def test_it_follows_the_branch_that_is_shown(auto, library, jobs, hub):
    auto.look_at(Line("a", "side"))
    jobs.run_pending()
    assert auto.state("a").plan.floors_left == 7
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert library.ran == [("a", "side", False)]


def test_nothing_starts_after_stop(auto, library, jobs, hub):
    hub.publish(ARRIVED)
    auto.stop()
    auto._run()
    jobs.run_pending()
    assert library.ran == []


def test_profiles_that_failed_are_not_asked_for_again_by_themselves(auto, library, jobs, hub):
    library.entities_failed = True
    for _ in range(2):
        hub.publish(ARRIVED)
        wait_out(auto, jobs)
    library.entities_failed = False
    auto.run_now("a")
    jobs.run_pending()
    assert library.with_entities == [True, False, True]


def test_after_a_silence_the_session_is_looked_back_on(auto, library, jobs, hub):
    hub.publish(ARRIVED)
    wait_out(auto, jobs)
    assert library.ended == []
    assert auto._silence.isActive()
    auto._silence.stop()
    auto._on_silence()
    jobs.run_pending()
    assert library.ended == [Line.main("a")]


def test_a_chat_that_was_taken_in_is_no_session(auto, library, jobs, hub):
    hub.publish(Changes(chat_id="a", messages=True, library=True))
    wait_out(auto, jobs)
    assert not auto._silence.isActive()


def test_a_session_goes_on_while_something_is_said(auto, library, jobs, hub):
    hub.publish(ARRIVED)
    auto._end(Line.main("a"))
    hub.publish(ARRIVED)  # somebody speaks before the look back has begun
    wait_out(auto, jobs)
    assert library.ended == []


def test_what_was_open_when_the_program_was_closed_is_looked_back_on_once(auto, library, jobs, hub):
    library.is_over = True
    for _ in range(2):
        auto.look_at(Line.main("a"))
        jobs.run_pending()
        if auto._pause.isActive():
            wait_out(auto, jobs)
    assert library.ended == [Line.main("a")]
