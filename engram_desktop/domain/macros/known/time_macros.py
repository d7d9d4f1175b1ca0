"""Macros of time: the clock, the date, and how long ago something was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from engram_desktop.domain.macros.clock import formatted, humanized, moment_of, there
from engram_desktop.domain.macros.scope import Asked, Macro, MacroFailedError


def _now(asked: Asked) -> datetime:
    if asked.scope.now is None:
        raise MacroFailedError
    return asked.scope.now


def _clock(pattern: str) -> Callable[[Asked], str]:
    return lambda asked: formatted(_now(asked), pattern)


def _time(asked: Asked) -> str:
    """Tell the time here, or with ``UTC+8`` there."""
    now = _now(asked)
    return formatted(there(now, asked.arguments[0]) if asked.arguments else now, "LT")


def _date_time(asked: Asked) -> str:
    return formatted(_now(asked), asked.arguments[0] or "YYYY-MM-DDTHH:mm:ssZ")


def _idle(asked: Asked) -> str:
    now = _now(asked)
    if "idleduration" in asked.scope.lookup:
        return asked.scope.lookup["idleduration"]
    said = asked.scope.last_said
    return "just now" if said is None else humanized(now - said)


def _between(asked: Asked) -> str:
    """How far the first time lies ahead of the second, or behind it."""
    zone = asked.scope.now.tzinfo if asked.scope.now else None
    first, second = (moment_of(text, zone) for text in asked.arguments)
    if first is None or second is None:
        return "Invalid date"
    span = first - second
    words = humanized(abs(span))
    return f"in {words}" if span > timedelta() else f"{words} ago"


TIME: Mapping[str, Macro] = {
    "date": Macro(_clock("LL")),
    "weekday": Macro(_clock("dddd")),
    "isotime": Macro(_clock("HH:mm")),
    "isodate": Macro(_clock("YYYY-MM-DD")),
    "time": Macro(_time, 0, 1),
    "datetimeformat": Macro(_date_time, 1, 1),
    "idleduration": Macro(_idle),
    "idle_duration": Macro(_idle),
    "timediff": Macro(_between, 2, 2),
}
