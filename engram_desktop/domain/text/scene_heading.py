"""When and where a scene plays, as a heading or a status bar of a message says it.

Many cards begin each reply with a line such as “【2024年3月1日 周二 19:30 月光酒馆】”, or end it
with “📅 第3天 ⏰ 傍晚 📍 灯塔”. What somebody says, thinks or remembers is none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from engram_desktop.domain.text.cleaning import without_thoughts
from engram_desktop.domain.values import dataclass

_MOST = 20_000  # characters that are looked through: no status bar stands further in
_LONGEST = 40  # characters of a time or a place
_NUMBER = "[0-9０-９一二三四五六七八九十百千两零〇]+"
_LABELLED = re.compile(
    r"(?:^|[\n\[【（(|｜*])[^\w\n“\"「『]{0,6}(?:当前|现在|故事|Current )?"
    r"(?:(?P<date>日期|Date)|(?P<time>时间|时刻|Time)|(?P<place>地点|位置|场景|所在地|Location|Place))"
    r"\**\s*[:：]\s*(?P<value>[^\n\]】）)|｜;；]{1,60})",
    re.IGNORECASE,
)
# Pictures that stand for a label: calendars, clocks, pins and houses.
_PICTURED = re.compile(
    "(?:(?P<date>[📅📆🗓])|(?P<time>[⏰⏱⌚⏳⌛🕐-🕧])|(?P<place>[📍📌🏠🏡🏰🗺🏙]))\ufe0f?\\s*"
    "(?P<value>[^\n|｜\\]】\U0001f000-\U0001faff☀-➿⏰⏱⌚⏳⌛]{1,60})"
)
# Most messages have neither; one letter is looked for faster than all that may stand before it.
_FIRST_LOOKED_FOR = (
    (re.compile("[:：]"), _LABELLED),
    (re.compile("[📅📆🗓⏰⏱⌚⏳⌛🕐-🕧📍📌🏠🏡🏰🗺🏙]"), _PICTURED),
)
_INNER_LABEL = re.compile(
    r"^(?:日期|时间|时刻|地点|位置|场景|Date|Time|Location|Place)\s*[:：]\s*", re.IGNORECASE
)
_INSIDE = r"[^\n()（）【】\[\]『』「」〔〕《》]{4,80}"
_HEADED = re.compile(
    rf"\s*(?:[【\[『「〔《（(]({_INSIDE})[】\]』」〕》）)]|\*\*([^\n*]{{4,80}})\*\*)\s*(?:\n|$)"
)
_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_DAY = re.compile(
    rf"(?:[\u4e00-\u9fff]{{0,4}}{_NUMBER}年\s*)?(?:{_NUMBER}|正|腊|冬)月\s*(?:初|廿|卅)?{_NUMBER}[日号]?"
    rf"|第\s*{_NUMBER}\s*[天日夜]|\bDay\s+\d+|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}"
    rf"|\b(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{1,4}})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})\b(?:,?\s+\d{{1,4}})?"
    rf"|{_NUMBER}[日号]",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"\d{1,2}[:：]\d{2}(?:\s*[AaPp]\.?[Mm]\.?)?|\d{1,2}\s*[AaPp]\.?[Mm]\b"
    r"|大?清早|清晨|凌晨|黎明|拂晓|早晨|早上|上午|中午|正午|午后|下午|傍晚|黄昏|入夜|夜里|夜晚|晚上"
    r"|深夜|午夜|半夜|[春夏秋冬]天|[子丑寅卯辰巳午未申酉戌亥]时"
    r"|\b(?:dawn|morning|noon|afternoon|evening|dusk|night|midnight)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:星期|周|礼拜)[一二三四五六日天]|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
    r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[|｜·・/,，、\s—–-]+")
_NIGHT = re.compile("[晨暮夜]$")
_PIECES, _MOST_PIECES = re.compile("[|｜·・/,，、]"), 2  # beside the time: a place, the weather
_SENTENCE = re.compile("[:：。！？!?]")
_EDGES = ' ，,。.；;*_~`"“”|｜·・-—\ufe0f'


@dataclass(frozen=True, slots=True)
class SceneHeading:
    """``when`` is the time as it is told, ``day`` its date alone, ``where`` the place; "" each."""

    when: str = ""
    day: str = ""
    where: str = ""


NONE = SceneHeading()


def scene_heading(text: str) -> SceneHeading:
    """Return what a message says of its scene; `NONE` where it says nothing."""
    text = without_thoughts(text[:_MOST])
    found = {"date": "", "time": "", "place": ""}
    patterns = [pattern for first, pattern in _FIRST_LOOKED_FOR if first.search(text)]
    for pattern in patterns:
        for match in pattern.finditer(text):
            kind = match.lastgroup if match.lastgroup in found else _kind(match)
            value = _INNER_LABEL.sub("", match["value"].strip(_EDGES)).strip(_EDGES)
            if value and not found[kind] and len(value) <= _LONGEST:
                found[kind] = value
    when = " ".join(dict.fromkeys(part for part in (found["date"], found["time"]) if part))
    if not any(pattern.search(when) for pattern in (_DAY, _HOUR, _NIGHT)):  # “时间：到了”
        return _headed(text, found["place"])
    day = _DAY.search(when)
    return SceneHeading(when, day[0] if day else "", found["place"])


def _kind(match: re.Match[str]) -> str:
    return next(name for name in ("date", "time", "place") if match[name])


def _headed(text: str, place: str) -> SceneHeading:
    """Read a line in brackets with which a message begins: a date or an hour, and a place."""
    match = _HEADED.match(text.lstrip("`-=—~\n "))
    heading = _in_brackets(match[1] or match[2]) if match else NONE
    return replace(heading, where=place) if place else heading


@lru_cache(maxsize=4096)  # lines of 80 characters: those of a scene are the same, in each prompt
def _in_brackets(line: str) -> SceneHeading:
    day, hour = _DAY.search(line), _HOUR.search(line)
    if not day and not hour:
        return NONE
    rest = line
    told: list[tuple[int, str]] = []
    for pattern in (_DAY, _WEEKDAY, _HOUR):
        told.extend((part.start(), part[0]) for part in pattern.finditer(line))
        rest = pattern.sub(" ", rest)
    parts = [part for part in _BETWEEN.split(rest) if part]
    pieces = [piece for piece in _PIECES.split(rest) if piece.strip(_EDGES)]
    is_sentence = len(pieces) > _MOST_PIECES or _SENTENCE.search(rest) is not None
    is_sentence = is_sentence or sum(map(len, parts)) > _LONGEST / 2
    if is_sentence or (not day and not parts):
        return NONE  # a sentence in brackets
    when = " ".join(dict.fromkeys(part for _at, part in sorted(told)))
    return SceneHeading(when, day[0] if day else "", " ".join(parts))
