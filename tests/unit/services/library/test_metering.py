"""Tokens are counted by local day, and kept where the next program finds them."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import DailyCapReached
from engram_desktop.llm.client.calls import CallRecord
from engram_desktop.llm.client.session import ANSWER_TOKENS, _expected
from engram_desktop.services.library.usage import Meter, local_day
from engram_desktop.storage.library.library import Library

CALL = CallRecord("chat", "m", "h", 30, 12, 5)
DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def clock():
    class Clock:
        now = 1_700_000_000_000

        def __call__(self):
            return self.now

    return Clock()


@pytest.fixture
def library(tmp_path, clock):
    opened = Library(tmp_path, clock, program="test")
    yield opened
    opened.close()


def test_what_was_recorded_counts_at_once_and_is_saved(library, clock):
    meter = Meter(lambda: library)
    meter.record(CALL)
    assert meter.today().tokens == 42
    assert library.usage(local_day(clock.now)).calls == 0
    meter.save()
    meter.record(CALL)
    assert Meter(lambda: library).today().tokens == 42
    assert (meter.today().calls, meter.today().tokens) == (2, 84)


def test_the_next_day_begins_at_nothing(library, clock):
    library.set_setting("llm.daily_tokens", 50)
    meter = Meter(lambda: library)
    meter.record(CALL)
    with pytest.raises(DailyCapReached), meter.admit(9):
        pass
    clock.now += DAY_MS
    with meter.admit(9):
        assert meter.today().tokens == 0


def test_requests_under_way_count_against_the_limit(library):
    library.set_setting("llm.daily_tokens", 100)
    meter = Meter(lambda: library)
    with meter.admit(60):
        with pytest.raises(DailyCapReached, match="41"), meter.admit(41):
            pass
        with meter.admit(40):
            pass
    with meter.admit(100):
        pass
    assert not meter.is_capped


def test_a_request_is_expected_to_be_answered_at_length():
    """An embedding brings no words back; a chat answer as many as it may have, or a usual one's."""
    words = [{"role": "user", "content": "水族馆" * 100}]
    asked = _expected({"messages": words, "max_tokens": 700})
    assert asked == _expected({"messages": words, "max_tokens": 300}) + 400
    assert _expected({"messages": words}) == asked - 700 + ANSWER_TOKENS
    assert _expected({"input": ["水族馆" * 100]}) == asked - 700
