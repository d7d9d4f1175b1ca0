"""What pages share, with jobs run by hand."""

from typing import Any

import pytest

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import Refused
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.reports import FailedRange, SummaryReport
from engram_desktop.jobs.context import Progress
from engram_desktop.viewmodels.chats.chat_tree import ChatTree
from engram_desktop.viewmodels.events.event_list import EventList
from engram_desktop.viewmodels.pipeline.commands import Pipeline
from engram_desktop.viewmodels.workspace.messages import JobList, JobRow, Notice
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions


@pytest.fixture
def told(space):
    notices: list[Notice] = []
    space.messages.posted.connect(notices.append)
    return notices


def test_what_a_job_changed_is_published_with_its_initiator(space):
    seen = []
    space.hub.changed.connect(lambda changes, who: seen.append((changes, who)))
    changes = Changes(chat_id="x", rows=True)
    space.change("a", lambda _ctx: changes, initiator=space)
    space.change("b", lambda _ctx: SummaryReport(0, 0, 0, 0, 0, changes=changes))
    space.run("c", lambda _ctx: 3)
    space.jobs.run_pending()
    assert seen == [(changes, space), (changes, None)]


@pytest.mark.logs("A job failed")
def test_known_trouble_is_a_message_and_anything_else_a_bug(space, told):
    bugs: list[Exception] = []
    space.messages.bug_found.connect(bugs.append)

    def refuse(_ctx):
        raise Refused("invalid key", url="https://host/v1", status=401)

    def break_down(_ctx):
        raise ZeroDivisionError

    space.change("a", refuse)
    space.look_up(break_down)
    space.jobs.run_pending()
    assert [(n.kind, n.text) for n in told] == [
        ("error", "https://host/v1 refused the key (401): invalid key")
    ]
    assert told[0].hint
    assert [type(bug) for bug in bugs] == [ZeroDivisionError]


def test_an_answer_to_an_older_question_is_dropped(space):
    events = EventList(space)
    shown: list[Any] = []
    events.found.connect(shown.append)
    events.filter(EventQuery(status="buffer"))
    events.filter(EventQuery(status="archived"))
    space.jobs.run_pending()
    wanted = space.memory.events.find(space.chat_id, EventQuery(status="archived"))
    assert shown == [len(wanted)]
    assert events.model.keys() == wanted


def test_an_edit_refreshes_rows_and_resets_nothing(space):
    events = EventList(space)
    events.reload()
    space.jobs.run_pending()
    resets, changed = [], []
    events.model.modelReset.connect(lambda: resets.append(1))
    events.model.dataChanged.connect(lambda *_where: changed.append(1))
    events.rename(events.model.keys()[0], "改过的摘要。")
    space.jobs.run_pending()
    assert resets == []
    assert changed
    assert events.model.index(0).data() == "改过的摘要。"


def test_chats_are_found_by_name_and_by_character(space):
    tree = ChatTree(space, UndoActions(space, is_library=True))
    tree.load()
    space.jobs.run_pending()
    for text, count in (("月光", 1), ("爱丽丝", 1), ("没有", 0), ("", 1)):
        tree.search(text)
        assert tree.rowCount() == count, text


def test_the_task_list_shows_titled_jobs_only_and_can_cancel_them(space):
    jobs = JobList(space.jobs)
    space.look_up(lambda _ctx: 1)
    handle = space.change("Working", lambda _ctx: None)
    assert [row.title for row in jobs.rows] == ["Working"]
    jobs.cancel(handle.job_id)
    ended = []
    handle.cancelled.connect(lambda: ended.append(1))
    space.jobs.run_pending()
    assert ended == [1]
    assert jobs.rows == ()


@pytest.mark.parametrize(
    ("progress", "elapsed", "left"),
    [
        (None, 10, None),
        (Progress(0, 10), 10, None),
        (Progress(5, None), 10, None),
        (Progress(5, 10), 1, None),
        (Progress(5, 10), 10, 10),
        (Progress(9, 10), 90, 10),
    ],
)
def test_the_time_left_is_told_when_it_can_be(progress, elapsed, left):
    row = JobRow(1, "x", started_at=100.0, progress=progress)
    assert row.seconds_left(100.0 + elapsed) == (None if left is None else pytest.approx(left))


def test_failed_blocks_are_told_with_a_way_to_see_them(space, told):
    pipeline = Pipeline(space, UndoActions(space))
    wanted: list[tuple[FailedRange, ...]] = []
    pipeline.failures_wanted.connect(wanted.append)
    failed = (FailedRange(0, 4, "prose", "当然"),)
    pipeline._on_summarised(SummaryReport(2, 10, 1, 5, 5, failed))
    assert told[0].kind == "error"
    told[0].action()
    assert wanted == [failed]


def test_a_chat_of_notices_is_told_to_be_one(space, told):
    Pipeline(space, UndoActions(space))._on_summarised(
        SummaryReport(0, 25, 0, 0, 0, failed=(), notices=25)
    )
    (notice,) = told
    assert notice.kind == "warning"
    assert "SillyTavern’s own notices" in notice.hint


def test_undo_names_the_step_it_takes_back(space):
    undo = UndoActions(space)
    undo.read()
    space.jobs.run_pending()
    newest = next(s for s in space.memory.history.steps(space.chat_id) if not s.is_undone)
    assert str(newest.label) in undo.undo_text
    undo.undo()
    space.jobs.run_pending()
    assert str(newest.label) in undo.redo_text
