"""Times as dates. A computer whose clock is wrong by ages must not end a command."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

# A day within what `datetime` knows at either end, so that any time zone fits.
_FIRST = datetime(1, 1, 2, tzinfo=UTC).timestamp()
_LAST = datetime(9999, 12, 30, tzinfo=UTC).timestamp()


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What the clock of Windows can tell the zone of; other systems know it for all dates.
_ZONE_FIRST, _ZONE_LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(3000, 12, 30, tzinfo=UTC)


def moment(milliseconds: float) -> datetime:
    """Return a time since 1970 as a date in UTC, the nearest there is."""
    seconds = min(max(milliseconds / 1000, _FIRST), _LAST)
    return _EPOCH + timedelta(seconds=seconds)  # Windows counts no time before 1970


def local_moment(milliseconds: float, *, has_narrow_clock: bool = os.name == "nt") -> datetime:
    """As `moment`, in the time zone of this computer.

    ``has_narrow_clock``: dates outside 1970 to 3000 get the offset of the nearest in it.
    """
    at = moment(milliseconds)
    if not has_narrow_clock:
        return at.astimezone()
    near = min(max(at, _ZONE_FIRST), _ZONE_LAST)
    return at.astimezone(near.astimezone().tzinfo)
