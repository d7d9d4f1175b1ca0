"""Macros of time: the clock, the date, and how long ago something was."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone

from engram_desktop.domain.macros.scope import MacroScope, Simple

_DATE_PART = re.compile(r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|dddd|ddd|DD|D|HH|H|hh|h|mm|m|ss|s|A|a")


def formatted(moment: datetime, pattern: str) -> str:
    """Write a moment by a pattern such as ``YYYY-MM-DD HH:mm``; ``[…]`` stays as it is."""
    hour = moment.hour % 12 or 12
    half = "AM" if moment.hour < 12 else "PM"
    month, day = moment.strftime("%B"), moment.strftime("%A")
    parts: Mapping[str, object] = {
        "YYYY": f"{moment.year:04}",
        "YY": f"{moment.year % 100:02}",
        "MMMM": month,
        "MMM": month[:3],
        "MM": f"{moment.month:02}",
        "M": moment.month,
        "dddd": day,
        "ddd": day[:3],
        "DD": f"{moment.day:02}",
        "D": moment.day,
        "HH": f"{moment.hour:02}",
        "H": moment.hour,
        "hh": f"{hour:02}",
        "h": hour,
        "mm": f"{moment.minute:02}",
        "m": moment.minute,
        "ss": f"{moment.second:02}",
        "s": moment.second,
        "A": half,
        "a": half.lower(),
    }
    return _DATE_PART.sub(lambda m: m[1] if m[1] is not None else str(parts[m[0]]), pattern)


def _clock(pattern: str) -> Simple:
    def clock(scope: MacroScope, arguments: Sequence[str]) -> str | None:
        return formatted(scope.now, pattern) if scope.now and not arguments else None

    return clock


def _time(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    """Tell the time here, or with ``UTC+8`` there."""
    if not arguments:
        return formatted(scope.now, "h:mm A") if scope.now else None
    return _time_there(scope, [arguments[0].strip().upper().removeprefix("UTC")])


def _time_there(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    hours = re.fullmatch(r"\s*([+-]?\d{1,2})\s*", arguments[0]) if arguments else None
    if scope.now is None or hours is None or abs(int(hours[1])) > 23:
        return None
    return formatted(scope.now.astimezone(timezone(timedelta(hours=int(hours[1])))), "h:mm A")


def _date_time(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    return formatted(scope.now, "::".join(arguments)) if scope.now and arguments else None


def _idle(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    del arguments
    if scope.now is None:
        return None
    return "just now" if scope.last_said is None else length(scope.now - scope.last_said)


def _between(scope: MacroScope, arguments: Sequence[str]) -> str | None:
    del scope
    try:
        first, second = (datetime.fromisoformat(text.strip()) for text in arguments)
        return length(abs(first - second))
    except (ValueError, TypeError):
        return None


def length(span: timedelta) -> str:
    """Say about how long a span is, as SillyTavern does: “3 days”, “a few seconds”."""
    seconds = max(0, int(span.total_seconds()))
    for unit, size in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400)):
        if seconds >= size:
            return _many(round(seconds / size), unit)
    if seconds >= 3_600:
        return _many(round(seconds / 3_600), "hour")
    return _many(round(seconds / 60), "minute") if seconds >= 60 else "a few seconds"


def _many(count: int, unit: str) -> str:
    return f"{count} {unit}" + ("s" if count != 1 else "")


TIME: Mapping[str, Simple] = {
    "date": _clock("MMMM D, YYYY"),
    "weekday": _clock("dddd"),
    "isotime": _clock("HH:mm"),
    "isodate": _clock("YYYY-MM-DD"),
    "time": _time,
    "time_utc": _time_there,
    "datetimeformat": _date_time,
    "idle_duration": _idle,
    "timeDiff": _between,
}
