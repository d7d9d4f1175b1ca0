"""When a message was sent, from every form front ends have written it in.

Times without a zone are read as UTC, so that the same file gives the same times everywhere.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
# 2024-07-12@01h31m37s123ms, 2024-6-5 @14h 56m 50s 682ms, 2024-7-12@01h31m37s
_AT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(\d{1,2})s(?:\s*(\d{1,3})ms)?"
)
# June 19, 2023 2:20pm; March 5, 2024 9:02 am; June 19, 2023 14:20
_WORDS = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m)?",
    re.IGNORECASE,
)
_FIRST = 0  # milliseconds: 1970; nothing was sent before
_LAST = 7_258_118_400_000  # the year 2200: a time beyond it is a mistake
_SECONDS_BELOW = 100_000_000_000  # as milliseconds that would be before March 1973


def parse_sent_at(value: object) -> int | None:
    """Return milliseconds since 1970, or None if ``value`` is no time."""
    match value:
        case bool() | None:
            return None
        case int() | float():
            return _number(value)
        case str():
            return _text(" ".join(value[:80].split()))
        case _:
            return None


def _number(value: float) -> int | None:
    if not math.isfinite(value) or value <= 0:
        return None
    return _sane(value * 1000 if value < _SECONDS_BELOW else value)


def _sane(milliseconds: float) -> int | None:
    return int(milliseconds) if _FIRST <= milliseconds <= _LAST else None


def _text(text: str) -> int | None:
    try:
        if re.fullmatch(r"\d{9,16}(\.\d+)?", text):
            return _number(float(text))
        if match := _AT.fullmatch(text):
            year, month, day, hour, minute, second = map(int, match.groups()[:6])
            moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
            return _milliseconds(moment, int(match[7] or 0))
        if match := _WORDS.fullmatch(text):
            return _words(match)
        moment = datetime.fromisoformat(text)
        return _milliseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _words(match: re.Match[str]) -> int | None:
    month = _MONTHS.get(match[1][:3].lower())
    hour = int(match[4])
    if month is None:
        return None
    if match[7]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match[7].lower() == "pm" else 0)
    moment = datetime(
        int(match[3]), month, int(match[2]), hour, int(match[5]), int(match[6] or 0), tzinfo=UTC
    )
    return _milliseconds(moment)


def _milliseconds(moment: datetime, extra: int = 0) -> int | None:
    return _sane(round(moment.timestamp() * 1000) + extra)
