"""Times as dates. A computer whose clock is wrong by ages must not end a command."""

from __future__ import annotations

from datetime import UTC, datetime

# A day within what `datetime` knows at either end, so that any time zone fits.
_FIRST = datetime(1, 1, 2, tzinfo=UTC).timestamp()
_LAST = datetime(9999, 12, 30, tzinfo=UTC).timestamp()


def moment(milliseconds: float) -> datetime:
    """Return a time since 1970 as a date in UTC, the nearest there is."""
    seconds = min(max(milliseconds / 1000, _FIRST), _LAST)
    return datetime.fromtimestamp(seconds, UTC)


def local_moment(milliseconds: float) -> datetime:
    """As `moment`, in the time zone of this computer."""
    return moment(milliseconds).astimezone()
