"""When something was said, as a prompt says it: by its day, or by how long ago it was."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from engram_desktop.domain.text.moment import moment

_Language = Literal["zh", "en"]
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS_TOLD, _WEEKS_TOLD, _MONTHS_TOLD = 14, 60, 365  # days up to which the smaller unit is used
_JUST, _RECENTLY = 12, 150  # floors, where no day is known; set by hand
_AGO: dict[_Language, dict[str, str]] = {
    "zh": {
        "today": "当天", "yesterday": "前一天", "days": "{0}天前", "weeks": "{0}周前",
        "months": "{0}个月前", "years": "{0}年前",
        "just": "刚才", "recently": "不久前", "long": "很久以前",
    },
    "en": {
        "today": "same day", "yesterday": "the day before", "days": "{0} days ago",
        "weeks": "{0} weeks ago", "months": "{0} months ago", "years": "{0} years ago",
        "just": "just now", "recently": "not long ago", "long": "long ago",
    },
}  # fmt: skip


def day_of(sent_at: int | None) -> datetime | None:
    """Return the day (UTC) of a moment in milliseconds; None where it is not known."""
    return moment(sent_at) if sent_at and sent_at > 0 else None


def day_label(sent_at: int | None, now: int | None, language: _Language) -> str:
    """Name a day; its year only where it is not that of ``now``. Empty where it is not known."""
    day, today = day_of(sent_at), day_of(now)
    if day is None:
        return ""
    is_other_year = today is None or day.year != today.year
    if language == "zh":
        year = f"{day.year}年" if is_other_year else ""
        return f"{year}{day.month}月{day.day}日"
    year = f" {day.year}" if is_other_year else ""
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"


def ago_label(sent_at: int | None, now: int | None, floors: int, language: _Language) -> str:
    """Say how long before ``now`` something was said: by days, else about, by ``floors``."""
    words = _AGO[language]
    day, today = day_of(sent_at), day_of(now)
    if day is None or today is None or today < day:
        return words["just" if floors <= _JUST else "recently" if floors <= _RECENTLY else "long"]
    days = (today.date() - day.date()).days
    if days <= 1:
        return words["yesterday" if days else "today"]
    if days < _DAYS_TOLD:
        return words["days"].format(days)
    if days < _WEEKS_TOLD:
        return words["weeks"].format(days // 7)
    if days < _MONTHS_TOLD:
        return words["months"].format(days // 30)
    return words["years"].format(days // 365)
