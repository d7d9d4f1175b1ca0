"""What was played in a real SillyTavern is followed as it was meant: see `tests.oracle.acts`."""

from __future__ import annotations

import pytest

from tests.oracle.acts import follow, states_of, take_afresh
from tests.oracle.report import Report, recorded


@pytest.fixture(scope="module")
def states():
    return states_of(recorded("acts"))


def test_every_file_event_and_fork_is_what_it_should_be_after_each_act(states):
    report = Report("acts")
    follow(states, report, is_hasty=True)
    assert report.differ == []
    assert report.total >= 60


def test_stories_are_main_lines_in_a_library_that_knew_nothing_of_them(states):
    report = Report("acts")
    for state in (states[-1], states[len(states) // 2]):
        take_afresh(state, report)
    assert report.differ == []
