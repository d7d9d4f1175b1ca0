"""Which days a chat knows of: those that are no days at all are unknown."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from engram_desktop.domain.recall.query import Layout
from engram_desktop.services.recall.view import RecallView

DAY = 86_400_000
LAST = date.max.toordinal() - date(1970, 1, 1).toordinal()  # day 0 is unknown


def view_of(*sent_at):
    count = len(sent_at)
    nothing = np.zeros(count, np.bool_)
    floors = np.arange(count)
    return RecallView(
        Layout(
            np.arange(count),
            np.zeros(count, np.int8),
            floors,
            floors,
            np.full(count, -1, np.int32),
            nothing,
            np.array(sent_at, np.int64),
            nothing,
        )
    )


@pytest.mark.parametrize(
    ("sent_at", "today"),
    [
        ((DAY, 2 * DAY), date(1970, 1, 3)),
        ((DAY, 0), date(1970, 1, 2)),
        ((DAY, DAY - 1), date(1970, 1, 2)),
        ((DAY, LAST * DAY), date.max),
        ((DAY, LAST * DAY + DAY - 1), date.max),
        ((DAY, LAST * DAY + DAY), date(1970, 1, 2)),
        ((0,), None),
        ((), None),
    ],
)
def test_today_is_the_day_of_the_last_message_that_has_one(sent_at, today):
    assert view_of(*sent_at).today == today


def test_what_is_no_day_is_unknown():
    days, index = view_of(0, DAY, LAST * DAY, (LAST + 1) * DAY).days
    assert [days[n] for n in index] == [None, date(1970, 1, 2), date.max, None]
