"""Calendar days that a question names, and how near a moment comes to one.

Only what is written out counts ("7 May 2023", "5月4号", "2023-05-04", "May 2023"): in a story
"yesterday" is the story's yesterday, not the calendar's.
"""

from __future__ import annotations

import re
from datetime import date

from engram_desktop.domain.values import dataclass

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<name>january|february|march|april|may|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_ORDINAL}\s+(?:of\s+)?{_MONTH}\b(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH}\s+{_ORDINAL}\b(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH},?\s+{_YEAR}\b",
        rf"\b{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})\b",
        rf"(?:{_YEAR}\s*年\s*)?(?P<month>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*[日号]?",
        rf"(?:{_YEAR}\s*年\s*)?(?P<month>\d{{1,2}})\s*月",
    )
)
_NEARNESS = (1.0, 0.6, 0.3, 0.3)  # what 0, 1, 2 and 3 days away count
_MONTH_NEARNESS = 0.5  # a month tells less than a day (recall.md); not measured by itself


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A day, or a month where ``day`` is None, of any year where ``year`` is None."""

    month: int
    day: int | None = None
    year: int | None = None


def named_dates(text: str) -> tuple[NamedDate, ...]:
    """Return the dates written in ``text``; the first way of writing that occurs is read."""
    for form in _FORMS:
        dates = [reading for match in form.finditer(text) if (reading := _read(match))]
        if dates:
            return tuple(dict.fromkeys(dates))
    return ()


def _read(match: re.Match[str]) -> NamedDate | None:
    groups = match.groupdict()
    name = groups.get("name")
    month = _MONTHS.index(name[:3].lower()) + 1 if name else int(groups["month"])
    day, year = groups.get("day"), groups.get("year")
    reading = NamedDate(month, int(day) if day else None, int(year) if year else None)
    return reading if 1 <= month <= 12 and (reading.day is None or 1 <= reading.day <= 31) else None


def nearness(target: NamedDate, day: date) -> float:
    """Return from 0 to 1 how near ``day`` is to the date that was named."""
    if target.day is None:
        is_in = day.month == target.month and target.year in {None, day.year}
        return _MONTH_NEARNESS if is_in else 0.0
    try:
        meant = date(target.year or day.year, target.month, target.day)
    except ValueError:  # 30 February
        return 0.0
    away = abs((day - meant).days)
    return _NEARNESS[away] if away < len(_NEARNESS) else 0.0
