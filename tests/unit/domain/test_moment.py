"""Times as dates, whatever a clock or a file says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engram_desktop.domain.text.moment import local_moment, moment


@pytest.mark.parametrize(
    ("milliseconds", "year"),
    [(0, 1970), (-1, 1969), (-(10**15), 1), (10**18, 9999), (-86_400_000 * 365 * 1000, 970)],
)
def test_any_number_is_a_date(milliseconds, year):
    assert moment(milliseconds).year == year
    for narrow in (False, True):
        assert local_moment(milliseconds, has_narrow_clock=narrow) == moment(milliseconds)


def test_a_clock_that_counts_few_years_says_the_same_of_those_it_counts():
    at = datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp() * 1000
    assert local_moment(at, has_narrow_clock=True).isoformat() == local_moment(at).isoformat()
