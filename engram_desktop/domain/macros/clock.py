"""Format times by patterns such as ``YYYY-MM-DD``, parse them, and describe spans as “3 days”.

The patterns and the English words are those of the library that SillyTavern uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo

_UNIT = (
    r"[Hh]mmss|[Hh]mm|Mo|M{1,4}|DDDo|Do|D{1,4}|do|d{1,4}|wo|ww?|Wo|WW?|Qo?|Y{6}|Y{4,5}|YY|Y|yo"
    r"|y{1,4}|N{1,5}|gggg|gg|GGGG|GG|e|E|a|A|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|zz?|ZZ?"
)
_LONG_UNIT = r"LTS|LT|LL?L?L?|ll?l?l?"
# Text in brackets, characters after a backslash, and line breaks, which are dropped.
_PART = re.compile(rf"\[([^\[]*)\]|\\({_UNIT}|.?)|({_UNIT})|[\r\n\u2028\u2029]")
_LONG = re.compile(rf"\[[^\[]*\]|\\(?:{_LONG_UNIT})|{_LONG_UNIT}")
_PATTERNS = {
    "LT": "h:mm A",
    "LTS": "h:mm:ss A",
    "L": "MM/DD/YYYY",
    "LL": "MMMM D, YYYY",
    "LLL": "MMMM D, YYYY h:mm A",
    "LLLL": "dddd, MMMM D, YYYY h:mm A",
    "l": "M/D/YYYY",
    "ll": "MMM D, YYYY",
    "lll": "MMM D, YYYY h:mm A",
    "llll": "ddd, MMM D, YYYY h:mm A",
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_UTC_OFFSET = re.compile(r"UTC([+-]\d+)", re.ASCII)
_HOURS_BELOW = 16  # a larger offset is in minutes
_DAYS_OF_400_YEARS = 146_097  # the period of the Gregorian calendar
_MONTHS_OF_400_YEARS = 4_800  # 400 years of twelve


def formatted(moment: datetime, pattern: str) -> str:
    """Format a time by a pattern; ``[…]`` is kept."""
    pattern = _LONG.sub(lambda m: _PATTERNS.get(m[0], m[0]), pattern)

    def part(match: re.Match[str]) -> str:
        if match[3] is None:
            return match[1] if match[1] is not None else match[2] or ""
        return _PARTS[match[3]](moment) if match[3] in _PARTS else _fraction(moment, match[3])

    return _PART.sub(part, pattern)


def _fraction(moment: datetime, token: str) -> str:
    """``SSS``: as many digits of the second's fraction."""
    return f"{moment.microsecond // 1000:03}".ljust(9, "0")[: len(token)]


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def _weekday(moment: datetime) -> int:
    """Return the weekday, with Sunday as 0."""
    return moment.isoweekday() % 7


def _week(moment: datetime) -> tuple[int, int]:
    """Return year and week as counted in the USA: from Sunday, the first week has January 1."""
    saturday = moment.replace(tzinfo=None) + timedelta(6 - _weekday(moment))
    return saturday.year, (saturday.timetuple().tm_yday + 6) // 7


def _offset(moment: datetime, colon: str) -> str:
    minutes = int((moment.utcoffset() or timedelta()).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}{colon}{rest:02}"


def _yearday(moment: datetime) -> int:
    return moment.timetuple().tm_yday


def _hour12(moment: datetime) -> int:
    return moment.hour % 12 or 12


_PARTS: Mapping[str, Callable[[datetime], str]] = {
    "M": lambda t: str(t.month),
    "Mo": lambda t: _ordinal(t.month),
    "MM": lambda t: f"{t.month:02}",
    "MMM": lambda t: _MONTHS[t.month - 1][:3],
    "MMMM": lambda t: _MONTHS[t.month - 1],
    "D": lambda t: str(t.day),
    "Do": lambda t: _ordinal(t.day),
    "DD": lambda t: f"{t.day:02}",
    "DDD": lambda t: str(_yearday(t)),
    "DDDo": lambda t: _ordinal(_yearday(t)),
    "DDDD": lambda t: f"{_yearday(t):03}",
    "d": lambda t: str(_weekday(t)),
    "do": lambda t: _ordinal(_weekday(t)),
    "dd": lambda t: _DAYS[_weekday(t)][:2],
    "ddd": lambda t: _DAYS[_weekday(t)][:3],
    "dddd": lambda t: _DAYS[_weekday(t)],
    "w": lambda t: str(_week(t)[1]),
    "wo": lambda t: _ordinal(_week(t)[1]),
    "ww": lambda t: f"{_week(t)[1]:02}",
    "W": lambda t: str(t.isocalendar()[1]),
    "Wo": lambda t: _ordinal(t.isocalendar()[1]),
    "WW": lambda t: f"{t.isocalendar()[1]:02}",
    "Q": lambda t: str((t.month + 2) // 3),
    "Qo": lambda t: _ordinal((t.month + 2) // 3),
    "Y": lambda t: str(t.year),
    "y": lambda t: str(t.year),
    "yo": lambda t: _ordinal(t.year),
    "yy": lambda t: f"{t.year:02}",
    "yyy": lambda t: f"{t.year:03}",
    "yyyy": lambda t: f"{t.year:04}",
    **dict.fromkeys(("N", "NN", "NNN", "NNNNN"), lambda _t: "AD"),
    "NNNN": lambda _t: "Anno Domini",
    "YY": lambda t: f"{t.year % 100:02}",
    "YYYY": lambda t: f"{t.year:04}",
    "YYYYY": lambda t: f"{t.year:05}",
    "YYYYYY": lambda t: f"+{t.year:06}",
    "gg": lambda t: f"{_week(t)[0] % 100:02}",
    "gggg": lambda t: f"{_week(t)[0]:04}",
    "GG": lambda t: f"{t.isocalendar()[0] % 100:02}",
    "GGGG": lambda t: f"{t.isocalendar()[0]:04}",
    "e": lambda t: str(_weekday(t)),
    "E": lambda t: str(t.isoweekday()),
    "A": lambda t: "AM" if t.hour < 12 else "PM",
    "a": lambda t: "am" if t.hour < 12 else "pm",
    "H": lambda t: str(t.hour),
    "HH": lambda t: f"{t.hour:02}",
    "h": lambda t: str(_hour12(t)),
    "hh": lambda t: f"{_hour12(t):02}",
    "k": lambda t: str(t.hour or 24),
    "kk": lambda t: f"{t.hour or 24:02}",
    "Hmm": lambda t: f"{t.hour}{t.minute:02}",
    "Hmmss": lambda t: f"{t.hour}{t.minute:02}{t.second:02}",
    "hmm": lambda t: f"{_hour12(t)}{t.minute:02}",
    "hmmss": lambda t: f"{_hour12(t)}{t.minute:02}{t.second:02}",
    "m": lambda t: str(t.minute),
    "mm": lambda t: f"{t.minute:02}",
    "s": lambda t: str(t.second),
    "ss": lambda t: f"{t.second:02}",
    "x": lambda t: str(int(t.timestamp() * 1000)),
    "X": lambda t: str(int(t.timestamp())),
    "z": lambda _t: "",
    "zz": lambda _t: "",
    "Z": lambda t: _offset(t, ":"),
    "ZZ": lambda t: _offset(t, ""),
}


def there(now: datetime, offset: str) -> datetime:
    """Return the time at an offset such as ``UTC+8``; the local time if it is invalid."""
    match = _UTC_OFFSET.fullmatch(offset)
    if match is None or len(match[1]) > 6:
        return now
    number = int(match[1])
    minutes = number * 60 if abs(number) < _HOURS_BELOW else number
    return now.astimezone(UTC).replace(tzinfo=None) + timedelta(minutes=minutes)


def humanized(span: timedelta) -> str:
    """Return roughly how long a span is: “3 days”, “a few seconds”."""
    seconds = span.total_seconds()
    days = seconds / 86_400
    months = days * _MONTHS_OF_400_YEARS / _DAYS_OF_400_YEARS
    if _rounded(seconds) < 45:
        return "a few seconds"
    # The largest count of each unit; from there on the next larger unit is used.
    for count, below, one, many in (
        (seconds / 60, 45, "a minute", "minutes"),
        (seconds / 3_600, 22, "an hour", "hours"),
        (days, 26, "a day", "days"),
        (months, 11, "a month", "months"),
    ):
        number = _rounded(count)
        if number < below:
            return one if number <= 1 else f"{number} {many}"
    years = _rounded(months / 12)
    return "a year" if years <= 1 else f"{years} years"


def _rounded(number: float) -> int:
    return int(number + 0.5)


_ISO = re.compile(
    r"\s*(\d{4})-?(\d\d)-?(\d\d)"
    r"(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?\s*",
    re.ASCII,
)
_OTHERS = (
    "%Y-%m", "%Y", "%Y/%m/%d", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S", "%m/%d/%Y",
    "%m/%d/%Y %H:%M", "%B %d, %Y", "%B %d, %Y %H:%M", "%b %d, %Y", "%d %B %Y",
    "%B %d, %Y %I:%M %p",
)  # fmt: skip


def moment_of(text: str, zone: tzinfo | None) -> datetime | None:
    """Parse a time; None if it is invalid. Without a zone of its own it is in ``zone``."""
    match = _ISO.fullmatch(text)
    try:
        if match is None:
            return _other(text, zone)
        year, month, day = int(match[1]), int(match[2]), int(match[3])
        hour, minute, second = (int(match[n] or 0) for n in (4, 5, 6))
        micro = int((match[7] or "0")[:6].ljust(6, "0"))
        own = zone if not match[8] else _zone(match[8])
        return datetime(year, month, day, hour, minute, second, micro, own or UTC)
    except ValueError:
        return None


def _other(text: str, zone: tzinfo | None) -> datetime | None:
    for pattern in _OTHERS:
        try:
            return datetime.strptime(text.strip(), pattern).replace(tzinfo=zone or UTC)
        except ValueError:
            continue
    return None


def _zone(text: str) -> tzinfo:
    if text == "Z":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))
