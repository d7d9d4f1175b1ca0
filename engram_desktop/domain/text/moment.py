"""Milliseconds as dates. A time outside the calendar becomes the nearest date, not an error."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

# A day within the range of `datetime` at each end, so that any time zone fits.
_FIRST = datetime(1, 1, 2, tzinfo=UTC).timestamp()
_LAST = datetime(9999, 12, 30, tzinfo=UTC).timestamp()


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The range in which Windows knows time zones; other systems know them for all dates.
_ZONE_FIRST, _ZONE_LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(3000, 12, 30, tzinfo=UTC)


def moment(milliseconds: float) -> datetime:
    """Return a time since 1970 as a date in UTC, the nearest possible one."""
    seconds = min(max(milliseconds / 1000, _FIRST), _LAST)
    return _EPOCH + timedelta(seconds=seconds)  # Windows has no time before 1970


def local_moment(milliseconds: float, *, has_narrow_clock: bool = os.name == "nt") -> datetime:
    """As `moment`, in the time zone of this computer.

    ``has_narrow_clock``: dates outside 1970 to 3000 get the offset of the nearest one inside.
    """
    at = moment(milliseconds)
    if not has_narrow_clock:
        return at.astimezone()
    near = min(max(at, _ZONE_FIRST), _ZONE_LAST)
    return at.astimezone(near.astimezone().tzinfo)
