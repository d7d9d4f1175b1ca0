"""When the pipeline acts on its own, and how it cuts floors into blocks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.pipeline.automation import Counters, Decision, Limits, blocks, decide

QUIET = Counters(0, 0, 0, 0, 0, 0, 0)
LIMITS = Limits(25, 10, 10, 4000, 4096, 50)


@pytest.mark.parametrize(
    ("floors", "done", "due"),
    [
        (34, 0, None),
        (35, 0, (0, 24)),
        (36, 0, (0, 25)),
        (59, 25, None),
        (60, 25, (25, 49)),
        (5, 0, None),
        (10, 50, None),  # a chat that was cut short after it was summarised
    ],
)
def test_summary_is_due_when_an_interval_has_settled(floors, done, due):
    counters = replace(QUIET, floors=floors, last_summarized_floor=done)
    assert decide(counters, LIMITS).summarise == due


@pytest.mark.parametrize(
    ("events", "tokens", "due"),
    [(9, 3999, False), (10, 0, True), (1, 4000, True), (0, 4000, False)],
)
def test_consolidation_is_due_by_events_or_by_tokens(events, tokens, due):
    counters = replace(QUIET, buffer_events=events, buffer_tokens=tokens)
    assert decide(counters, LIMITS).consolidate is due


def test_the_newest_events_stay_and_are_no_reason_to_consolidate():
    limits = replace(LIMITS, newest_kept=10)
    assert not decide(replace(QUIET, buffer_events=10, buffer_tokens=9999), limits).consolidate
    assert decide(replace(QUIET, buffer_events=11), limits).consolidate


def test_outlines_that_are_no_longer_true_are_mended():
    assert decide(replace(QUIET, stale_outlines=True), LIMITS) == Decision(mend=True)


def test_each_trigger_acts_by_itself():
    assert decide(replace(QUIET, visible_tokens=4096), LIMITS) == Decision(trim=True)
    counters = replace(QUIET, floors=60, last_summarized_floor=50)
    assert decide(replace(counters, consolidated_floor=49), LIMITS) == Decision()
    assert decide(replace(counters, consolidated_floor=55), LIMITS) == Decision(entities=(0, 49))


def test_zero_switches_every_trigger_off():
    off = Limits(0, 10, 0, 0, 0, 0)
    assert decide(Counters(9999, 0, 0, 9999, 9_999_999, 9_999_999, 9999), off) == Decision()


@given(st.builds(Counters, *[st.integers(0, 500)] * 7), st.integers(1, 60), st.integers(0, 60))
def test_the_newest_floors_are_never_touched(counters, interval, newest):
    decision = decide(counters, Limits(interval, newest, 0, 0, 0, interval))
    for due in (decision.summarise, decision.entities):
        if due is not None:
            assert 0 <= due[0] <= due[1] < counters.floors - newest
            assert due[1] - due[0] + 1 >= interval


@given(st.integers(0, 1000), st.integers(-3, 2000), st.integers(1, 200))
def test_blocks_cover_every_floor_once_and_are_about_as_large_as_asked(first, count, size):
    cut = blocks(first, first + count - 1, size)
    assert [floor for a, b in cut for floor in range(a, b + 1)] == list(range(first, first + count))
    lengths = [b - a + 1 for a, b in cut]
    if lengths:
        assert max(lengths) - min(lengths) <= 1
        assert max(lengths) <= 1.5 * size
        assert min(lengths) >= min(count, size / 2)
