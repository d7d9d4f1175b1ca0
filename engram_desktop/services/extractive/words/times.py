"""When something happens in the story: day marks and hours of the day, as the text names them."""

from __future__ import annotations

import re

_NUMBER = "[0-9０-９一二三四五六七八九十百千两零〇]+"
_HOURS_ZH = (
    "(?:今天|当天|当日)?(?:大?清早|清晨|凌晨|黎明|拂晓|早晨|早上|上午|中午|正午|午后|下午|傍晚|黄昏"
    "|入夜|夜里|夜晚|晚上|深夜|午夜|半夜)"
)
_DAY_ZH = re.compile(
    rf"(?P<day>第{_NUMBER}[天日夜]|{_NUMBER}月{_NUMBER}[日号]"
    rf"|冬至|夏至|除夕|元宵|中秋|端午|七夕|平安夜|圣诞节?|元旦|春节)"
    rf"(?:前夜)?(?:[，,、的 ·]{{0,2}}(?P<hour>{_HOURS_ZH}))?"
)
_HOUR_ZH = re.compile(f"{_HOURS_ZH}(?!好)")  # 早上好 is a greeting
_DAY_EN = re.compile(
    r"\b(?:Day \d+"
    r"|(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}(?:st|nd|rd|th)?|Christmas(?: Eve)?|New Year's(?: Eve| Day)?|Halloween)\b"
    r"(?:,? (?P<hour>morning|noon|afternoon|evening|night|midnight))?"
)
_OPENING = 48  # characters in which a message sets the scene


_NEXT_DAY = frozenset(["第一天", "第二天", "第三天"])  # mostly “the next day”, not a count
_SPEECH = re.compile('[“「『"]')


def opening_day(text: str) -> tuple[str, str]:
    """Return (day, hour) that the beginning of ``text`` sets; either may be empty.

    Only what is told counts: a day in somebody's words, or further on, is more often talked about
    than lived in.
    """
    head = _SPEECH.split(text.lstrip("*（([【 ")[:_OPENING], maxsplit=1)[0]
    if (match := _DAY_ZH.search(head)) and match["day"] not in _NEXT_DAY:
        if match["day"].startswith("第") or match.start() == 0:
            return match["day"], match["hour"] or _hour_after(head, match.end())
    elif (match := _DAY_EN.search(head)) and match.start() < 4:
        hour = match["hour"] or ""
        return match[0].removesuffix(hour).rstrip(" ,"), hour
    early = _HOUR_ZH.match(head)
    return "", early[0] if early else ""


_DAY_PART = re.compile(
    rf"^(?:{_DAY_ZH.pattern}|{_DAY_EN.pattern})".replace("?P<day>", "?:").replace("?P<hour>", "?:")
    + rf"(?:[，,、 ]?{_HOURS_ZH})?[，,。.、：:\s]+(?=\S)"
)


def without_day(text: str) -> str:
    """Return ``text`` without the day it begins with: 第12天，清晨。雨停了."""
    return _DAY_PART.sub("", text, count=1)


def any_day(text: str) -> tuple[str, str]:
    """Return the first numbered day in ``text`` and its hour: for a chat's first message."""
    match = _DAY_ZH.search(text)
    if match is None or not match["day"].startswith("第") or match["day"] in _NEXT_DAY:
        return "", ""
    return match["day"], match["hour"] or _hour_after(text, match.end())


def _hour_after(text: str, start: int) -> str:
    match = _HOUR_ZH.search(text, start, start + 14)
    return match[0] if match else ""


_TIME_LINE = re.compile(
    r"(?:^|[\n\[【（(|｜])\W{0,4}(?:时间|日期|当前时间|Time|Date)\s*[:：]\s*"
    r"([^\n\]】）)|｜;；]{2,40})",
    re.IGNORECASE,
)
_PLACE_LINE = re.compile(
    r"(?:^|[\n\[【（(|｜])\W{0,4}(?:地点|位置|场景|所在地|Location|Place)\s*[:：]\s*"
    r"([^\n\]】）)|｜;；]{2,40})",
    re.IGNORECASE,
)
_EDGES = ' ，,。.；;*_~`"“”'


def time_line(text: str) -> str:
    """Return the time that a status line gives: [时间：第3天 夜]."""
    return _status(_TIME_LINE, text)


def place_line(text: str) -> str:
    """Return the place that a status line gives: 地点：月光酒馆."""
    return _status(_PLACE_LINE, text)


def _status(pattern: re.Pattern[str], text: str) -> str:
    if ":" not in text and "：" not in text:
        return ""
    match = pattern.search(text)
    return match[1].strip(_EDGES) if match else ""


_INTO_ZH = "在|到|进|回|入|往|抵达|位于|穿过|踏入|推开|深处"
_INTO_EN = r"(?:in|at|into|inside|to|through|enter(?:s|ed)?|reach(?:es|ed)?)"


def is_scene_of(place: str, text: str) -> bool:
    """Whether ``text`` says that something happens at ``place``, not only names it."""
    at = text.find(place)
    if at < 0:
        return False
    if place[:1].isascii():
        return bool(re.search(rf"\b{_INTO_EN}\s+(?:the\s+|a\s+)?$", text[:at], re.IGNORECASE))
    return at < 6 or bool(re.search(rf"(?:{_INTO_ZH})了?[^，。]{{0,6}}$", text[:at]))
