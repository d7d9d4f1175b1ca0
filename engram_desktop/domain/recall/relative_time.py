"""Dates and times in a question, including relative ones."""

from __future__ import annotations

import re
from datetime import date, timedelta

from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# Relative times: yesterday, last summer, three days ago, Day 42. They may refer to two clocks: the
# calendar, by when messages were sent, and the story's own count of days. "Three days ago" may mean
# either, so both are searched. "Today" adds nothing to a question.


_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}  # their values
_EN_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1}
_ZH = "[0-9０-９一二三四五六七八九十百千两零〇]+"
_EN = "(?:[0-9]+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
# The first month of each.
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12, "spring": 3, "summer": 6, "fall": 9}
_SEASONS |= {"autumn": 9, "winter": 12}
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAMES = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
)
_FORM = late_pattern(
    rf"(?P<zh_ago>{_ZH})\s*(?:个)?\s*(?P<zh_unit>天|日|周|星期|礼拜|月|年)(?:之|以)?前"
    r"|(?P<zh_day>大前天|前天|前日|昨天|昨日|昨晚|昨夜)"
    r"|(?P<zh_week>上+)(?:个)?(?:周|星期|礼拜)(?P<zh_weekday>[一二三四五六日天末])?"
    r"|(?P<zh_month>上+)个?月"
    rf"|(?P<zh_year>去年|前年)(?:的)?(?:(?P<zh_season>[春夏秋冬])(?:天|季)?"
    rf"|(?P<zh_of>{_ZH})月)?"
    rf"|\b(?P<en_ago>{_EN})\s+(?P<en_unit>day|week|month|year)s?\s+(?:ago|earlier|before)\b"
    r"|\b(?P<en_day>the day before yesterday|yesterday|last night)\b"
    r"|\blast\s+(?P<en_last>week|weekend|month|year|spring|summer|fall|autumn|winter"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{_MONTH_NAMES})\b",
    re.IGNORECASE,
)
_DAYS_BACK = {
    "大前天": 3, "前天": 2, "前日": 2, "昨天": 1, "昨日": 1, "昨晚": 1, "昨夜": 1,
    "the day before yesterday": 2, "yesterday": 1, "last night": 1,
}  # fmt: skip
_STORY_DAY = late_pattern(
    rf"第\s*(?P<zh>{_ZH})\s*[天日夜]|\bday\s+(?P<en>\d+)\b|\b(?P<th>\d+)(?:st|nd|rd|th)\s+day\b",
    re.IGNORECASE,
)
# What may precede a numbered day at the beginning of a sentence: then it is the current day, not a
# remembered or future one (昨天夜里，第34天的夜里; 冬至前夜就是第41天).
_SENTENCE_BEGINS = late_pattern(
    r"(?:(?:^|[。！？!?.…\n:：|｜·/*_#\[【（(“\"「『—~～-])\s*"
    r"(?:(?:今天|今日|现在|这|已)?(?:已经)?是|[Oo]n|[Tt]he"
    r"|(?:[Ii]t(?:'s|’s| is| was)|[Tt]oday is)(?: the)?)?"
    r"|(?:^|[:：])\s*[*_“（(【\[]*[^。！？!?.…\n昨前明后]{1,10}[，,])\s*$"  # 清晨，第36天
)
_NEXT_DAY = frozenset("一二三")  # in a text, "the next day" more often than a count


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Days from ``first`` to ``last``, both included."""

    first: date
    last: date

    def nearness(self, day: date) -> float:
        """Return from 0 to 1 how strong the evidence of being on ``day`` is.

        A day counts 1, a week 0.7, a month 0.5, a season or a year 0.3: the longer the span, the
        weaker (resources/docs/recall.md).
        """
        days = (self.last - self.first).days + 1
        away = max((self.first - day).days, (day - self.last).days, 0)
        whole = 1.0 if days <= 2 else 0.7 if days <= 7 else 0.5 if days <= 31 else 0.3
        if days <= 2:
            return {0: 1.0, 1: 0.6, 2: 0.3}.get(away, 0.0)
        return whole if away == 0 else whole / 2 if away == 1 else 0.0


def relative_spans(text: str, today: date) -> tuple[DaySpan, ...]:
    """Return the days that ``text`` names, relative to ``today``."""
    spans = [span for match in _FORM.finditer(text) if (span := _span(match, today))]
    return tuple(dict.fromkeys(spans))


def days_back(text: str) -> int | None:
    """Return how many days ago ``text`` asks about, if it counts days; else None."""
    for match in _FORM.finditer(text):
        word = (match["zh_day"] or match["en_day"] or "").lower()
        if word:
            return _DAYS_BACK[word]
        if match["zh_unit"] in {"天", "日"} or (match["en_unit"] or "").lower() == "day":
            return _number(match["zh_ago"] or match["en_ago"])
    return None


def story_days(text: str, *, is_question: bool = False) -> tuple[int, ...]:
    """Return the numbered days of the story in ``text``: 第42天, Day 42."""
    days = []
    for match in _STORY_DAY.finditer(text):
        count = match["zh"] or match["en"] or match["th"]
        if is_question or count not in _NEXT_DAY:
            days.append(_number(count))
    return tuple(dict.fromkeys(days))


def opening_day(text: str) -> int | None:
    """Return the numbered day that a sentence of ``text`` begins with; None without one."""
    for match in _STORY_DAY.finditer(text):
        count = match["zh"] or match["en"] or match["th"]
        if count not in _NEXT_DAY and _SENTENCE_BEGINS.search(text, 0, match.start()):
            return _number(count)
    return None


def _span(match: re.Match[str], today: date) -> DaySpan | None:
    try:
        return _read(match, today)
    except (OverflowError, ValueError):  # a thousand years ago: before any calendar
        return None


def _read(match: re.Match[str], today: date) -> DaySpan | None:
    count = match["zh_ago"] or match["en_ago"]
    if count:
        unit = match["zh_unit"] or match["en_unit"].lower()
        return _ago(_number(count), unit, today)
    if day_word := (match["zh_day"] or match["en_day"]):
        day = today - timedelta(_DAYS_BACK[day_word.lower()])
        return DaySpan(day, day)
    if match["zh_week"]:
        return _week(len(match["zh_week"]), match["zh_weekday"] or "", today)
    if match["zh_month"]:
        return _month(today, len(match["zh_month"]))
    return _zh_year(match, today) if match["zh_year"] else _last(match["en_last"].lower(), today)


def _week(back: int, weekday: str, today: date) -> DaySpan:
    monday = _monday(today) - timedelta(7 * back)
    if weekday == "末":
        return DaySpan(monday + timedelta(5), monday + timedelta(6))
    if weekday:
        day = monday + timedelta("一二三四五六日".index(weekday.replace("天", "日")))
        return DaySpan(day, day)
    return DaySpan(monday, monday + timedelta(6))


def _zh_year(match: re.Match[str], today: date) -> DaySpan:
    year = today.year - (1 if match["zh_year"] == "去年" else 2)
    if match["zh_season"]:
        return _season(year, _SEASONS[match["zh_season"]])
    if match["zh_of"]:
        return _month(date(year, _number(match["zh_of"]), 1), 0)
    return DaySpan(date(year, 1, 1), date(year, 12, 31))


def _last(word: str, today: date) -> DaySpan:
    """Return the span of "last ``word``"."""
    monday = _monday(today)
    plain = {
        "week": DaySpan(monday - timedelta(7), monday - timedelta(1)),
        "weekend": DaySpan(monday - timedelta(2), monday - timedelta(1)),
        "month": _month(today, 1),
        "year": DaySpan(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
    }
    if word in plain:
        return plain[word]
    if word in _SEASONS:
        years = (today.year, today.year - 1, today.year - 2)
        return next(s for y in years if (s := _season(y, _SEASONS[word])).last < today)
    if word.endswith("day"):
        back = (today.weekday() - _WEEKDAYS.index(word[:3])) % 7 or 7
        day = today - timedelta(back)
        return DaySpan(day, day)
    month = _MONTHS.index(word[:3]) + 1
    year = today.year if month < today.month else today.year - 1
    return _month(date(year, month, 1), 0)


def _ago(count: int, unit: str, today: date) -> DaySpan:
    if unit in {"天", "日", "day"}:
        day = today - timedelta(count)
        return DaySpan(day, day)
    if unit in {"周", "星期", "礼拜", "week"}:
        day = today - timedelta(7 * count)
        return DaySpan(day - timedelta(3), day + timedelta(3))
    if unit in {"月", "month"}:
        return _month(today, count)
    return DaySpan(date(today.year - count, 1, 1), date(today.year - count, 12, 31))


def _monday(day: date) -> date:
    return day - timedelta(day.weekday())


def _month(day: date, back: int) -> DaySpan:
    month = day.year * 12 + day.month - 1 - back
    first = date(month // 12, month % 12 + 1, 1)
    after = date((month + 1) // 12, (month + 1) % 12 + 1, 1)
    return DaySpan(first, after - timedelta(1))


def _season(year: int, month: int) -> DaySpan:
    """Return the three months from ``month`` on; a winter ends in the next year."""
    first = date(year, month, 1)
    return DaySpan(first, _month(first, -2).last)


def _number(text: str) -> int:
    """Parse digits, Chinese numerals, or a small English number."""
    if text.isdecimal():
        return int(text[:9])
    if text.lower() in _EN_NUMBERS:
        return _EN_NUMBERS[text.lower()]
    total = digit = 0
    for character in text:
        if character in _UNITS:
            total += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            digit = digit * 10 * (digit > 0) + _DIGITS.get(character, 0)
    return total + digit


# Calendar days in a question, and how near a time is to one. Only dates written out count ("7 May
# 2023", "5月4号", "2023-05-04", "May 2023"): in a story "yesterday" is the story's yesterday, not
# the calendar's.


_MONTH = (
    r"(?P<name>january|february|march|april|may|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_ORDINAL = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    late_pattern(form, re.IGNORECASE)
    for form in (
        rf"\b{_ORDINAL}\s+(?:of\s+)?{_MONTH}\b(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH}\s+{_ORDINAL}\b(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH},?\s+{_YEAR}\b",
        rf"\b{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})\b",
        rf"(?:{_YEAR}\s*年\s*)?(?P<month>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*[日号]?",
        rf"(?:{_YEAR}\s*年\s*)?(?P<month>\d{{1,2}})\s*月",
    )
)
_NEARNESS = (1.0, 0.6, 0.3, 0.3)  # for 0, 1, 2 and 3 days away
_MONTH_NEARNESS = 0.5  # a month is weaker than a day (recall.md); not measured by itself


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A day, or a month if ``day`` is None, of any year if ``year`` is None."""

    month: int
    day: int | None = None
    year: int | None = None


def named_dates(text: str) -> tuple[NamedDate, ...]:
    """Return the dates written in ``text``, in the first format that occurs."""
    for form in _FORMS:
        dates = [reading for match in form.finditer(text) if (reading := _date_read(match))]
        if dates:
            return tuple(dict.fromkeys(dates))
    return ()


def _date_read(match: re.Match[str]) -> NamedDate | None:
    groups = match.groupdict()
    name = groups.get("name")
    month = _MONTHS.index(name[:3].lower()) + 1 if name else int(groups["month"])
    day, year = groups.get("day"), groups.get("year")
    reading = NamedDate(month, int(day) if day else None, int(year) if year else None)
    return reading if 1 <= month <= 12 and (reading.day is None or 1 <= reading.day <= 31) else None


def nearness(target: NamedDate, day: date) -> float:
    """Return from 0 to 1 how near ``day`` is to the named date."""
    if target.day is None:
        is_in = day.month == target.month and target.year in {None, day.year}
        return _MONTH_NEARNESS if is_in else 0.0
    try:
        meant = date(target.year or day.year, target.month, target.day)
    except ValueError:  # 30 February
        return 0.0
    away = abs((day - meant).days)
    return _NEARNESS[away] if away < len(_NEARNESS) else 0.0


# The day of the story on which an event happens, by its story time.


@dataclass(frozen=True, slots=True)
class StoryDay:
    """A calendar day, of any year if ``year`` is None; or a numbered day of the story."""

    year: int | None = None
    month: int = 0
    day: int = 0
    number: int | None = None

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Order of a list: numbered days first, then dates, those without a year last."""
        if self.number is not None:
            return (0, self.number, 0, 0)
        return (2 if self.year is None else 1, self.year or 0, self.month, self.day)


def day_of(story_time: str) -> StoryDay | None:
    """Return the day in a story time: a date, or a numbered day (第3天, Day 3)."""
    for named in named_dates(story_time):
        if named.day is not None and is_day(named.year or 2000, named.month, named.day):
            return StoryDay(named.year, named.month, named.day)
    numbers = story_days(story_time, is_question=True)
    return StoryDay(number=numbers[0]) if numbers else None


def is_day(year: int, month: int, day: int) -> bool:
    """Return whether the calendar has such a day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
