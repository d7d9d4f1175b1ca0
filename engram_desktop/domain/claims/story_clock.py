"""Days until a promise is due, and days that pass in the narration, to find when it is due."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engram_desktop.domain.claims.claim import Finding, Quote
from engram_desktop.domain.claims.wording import number_in

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

_NUMBER_ZH = r"(?:半|[一二两三四五六七八九十百\d]+)"
_NUMBER_EN = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty)"
# days of each unit; a month and a year are approximate
_UNITS = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365}
_UNITS |= {"day": 1, "night": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_SPAN_ZH = rf"(?P<n>{_NUMBER_ZH})(?:多|来)?个?(?P<u>天|日|周|星期|礼拜|月|年)"
_SPAN_EN = (
    rf"(?P<m>{_NUMBER_EN}) (?:more |whole |long )?(?P<w>day|night|week|month|year|fortnight)s?"
)
# days from today
_SOON = {"明": 1, "后": 2, "大后": 3, "tomorrow": 1, "the day after tomorrow": 2}
_AHEAD = re.compile(
    rf"(?P<soon>大后|(?<!之)(?<!以)后|明)[天日早晚晨]|{_SPAN_ZH}(?:之?[后内]|以[后内])"
    r"|\b(?P<en>the day after tomorrow|tomorrow)\b"
    rf"|\b(?:with)?in {_SPAN_EN}\b|\b{_SPAN_EN.replace('<m>', '<m2>').replace('<w>', '<w2>')} from"
    r" (?:now|today|tonight)\b",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?P<next>第二[天日]|次日|翌日|隔[天日]|转天"
    r"|\bthe (?:next|following) (?:day|morning|afternoon|evening|night)\b"
    r"|\bnext morning\b|\bthe (?:day|morning) after\b(?! tomorrow))"
    rf"|{_SPAN_ZH}(?:之?后|以后|过去|转眼)"
    rf"|(?:又?过了?|转眼)(?:{_SPAN_ZH.replace('<n>', '<n2>').replace('<u>', '<u2>')})"
    rf"|\b{_SPAN_EN} (?:later|passe[sd]|went by|go by|had passed|had gone by)\b"
    r"|(?P<nth>第[三四五六七八九十\d]+[天日]|\bthe (?:third|fourth|fifth|sixth|seventh|eighth|ninth"
    r"|tenth) (?:day|night|morning|evening)\b)",
    re.IGNORECASE,
)
_NTH = "third fourth fifth sixth seventh eighth ninth tenth".split()
_HALF = "半"
# Words that find floors on which days pass.
_TELLS = frozenset(
    "day night morn week month year fortnight"
    " 次日 翌日 隔天 隔日 转天 星期 礼拜 月后 年后 周后".split()
) | frozenset(a + b for a in "一二两三四五六七八九十半" for b in "天日周年月")


def days_ahead(words: str) -> int | None:
    """Return in how many days something is due; None for words not relative to today."""
    match = _AHEAD.search(words)
    if match is None:
        return None
    soon = match["soon"] or match["en"]
    if soon:
        return _SOON[soon.casefold()]
    return _days(match["n"] or match["m"] or match["m2"], match["u"] or match["w"] or match["w2"])


def days_gone(text: str, before: int = 0) -> int:
    """Return how many days have passed after a text, of which ``before`` passed before it."""
    gone = before
    for match in _GONE.finditer(text):
        if match["next"]:
            gone += 1
        elif match["nth"]:
            nth = match["nth"].casefold()
            count = next((n for n, word in enumerate(_NTH, 3) if word in nth), number_in(nth) or 0)
            gone = max(gone, count)
        else:
            number = match["n"] or match["n2"] or match["m"]
            gone += _days(number, match["u"] or match["u2"] or match["w"])
    return gone


def _days(number: str, unit: str) -> int:
    days = _UNITS[unit.casefold()]
    if number == _HALF:
        return max(1, days // 2)
    return days * (1 if number.casefold() in ("a", "an") else number_in(number) or 1)


def days_pass(lines: FloorTexts, first: int, last: int) -> bool:
    """Return whether days pass in the narration of some floors."""
    return any(
        line.how == "narrated" and days_gone(line.quote) > 0
        for floor in lines.with_words(max(0, first), last, _TELLS)
        for line in lines.at(floor)
    )


def day_come(promise: Finding, lines: FloorTexts, last_floor: int) -> Quote | None:
    """Return the sentence at which a promise becomes due, counting the days of the narration.

    None for a promise without such a day, or whose day is in the future.
    """
    waits = days_ahead(promise.trigger) if promise.trigger else None
    if not waits:
        return None
    gone = 0
    for floor in lines.with_words(promise.floors[0] + 1, last_floor, _TELLS):
        for line in lines.at(floor):
            if line.how != "narrated":
                continue
            gone = days_gone(line.quote, gone)
            if gone >= waits:
                return Quote(floor, line.quote.strip())
    return None
