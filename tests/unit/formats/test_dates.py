"""Every way a chat has written its times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.formats.chats.chat_jsonl import parse_sent_at

NOON = 1_687_184_400_000  # 2023-06-19 14:20 UTC


@pytest.mark.parametrize(
    "value",
    [
        "June 19, 2023 2:20pm",
        "June 19, 2023 2:20 PM",
        "Jun 19, 2023 14:20",
        "2023-06-19T14:20:00.000Z",
        "2023-06-19T14:20:00",
        "2023-06-19 14:20:00",
        "2023-06-19T16:20:00+02:00",
        "2023-6-19@14h20m00s",
        "2023-06-19@14h20m00s000ms",
        "2023-6-19 @14h 20m 0s 0ms",
        NOON,
        float(NOON),
        str(NOON),
        NOON // 1000,
        str(NOON // 1000),
        f"{NOON // 1000}.0",
    ],
)
def test_every_form_is_the_same_moment(value):
    assert parse_sent_at(value) == NOON


def test_midnight_noon_and_milliseconds():
    assert parse_sent_at("March 5, 2024 12:00am") == parse_sent_at("2024-03-05T00:00:00Z")
    assert parse_sent_at("March 5, 2024 12:00pm") == parse_sent_at("2024-03-05T12:00:00Z")
    assert parse_sent_at("2024-07-12@01h31m37s123ms") == parse_sent_at("2024-07-12T01:31:37.123Z")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        "",
        "yesterday",
        "Juny 40, 2023 2:20pm",
        "March 5, 2024 13:00pm",
        [],
        {},
        -1,
        0,
        float("nan"),
        float("inf"),
        1e30,
        "9" * 5000,
        "2024-13-01@00h00m00s",
        "9999-12-31T23:59:59Z",
    ],
)
def test_nonsense_is_no_time(value):
    assert parse_sent_at(value) is None


@given(st.text(max_size=60) | st.integers() | st.floats())
def test_never_raises(value):
    found = parse_sent_at(value)
    assert found is None or 0 <= found <= 7_258_118_400_000
