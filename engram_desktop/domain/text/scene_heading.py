"""Time and place of a scene, from a heading or a status bar in a message, and status lines.

Many cards begin each reply with a line such as “【2024年3月1日 周二 19:30 月光酒馆】”, or end it
with “📅 第3天 ⏰ 傍晚 📍 灯塔”. Speech, thoughts and memories are not headings.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from engram_desktop.domain.text.cleaning import without_thoughts
from engram_desktop.domain.values import dataclass

_MOST = 20_000  # characters searched: no status bar is further in
_LONGEST = 40  # characters of a time or a place
_NUMBER = "[0-9０-９一二三四五六七八九十百千两零〇]+"
_LABELLED = re.compile(
    r"(?:^|[\n\[【（(|｜*])[^\w\n“\"「『]{0,6}(?:当前|现在|故事|Current )?"
    r"(?:(?P<date>日期|Date)|(?P<time>时间|时刻|Time)|(?P<place>地点|位置|场景|所在地|Location|Place))"
    r"\**\s*[:：]\s*(?P<value>[^\n\]】）)|｜;；]{1,60})",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\s*[^\w\s]*[-*#+•]")
_PROSE = re.compile(r"[^\n]{60}|[\w)][:：]\s*\n|[.。！？!?]\s*(?:\n|$)")  # no status bar's value
# Symbols in place of a label: calendars, clocks, pins and houses.
_PICTURED = re.compile(
    "(?:(?P<date>[📅📆🗓])|(?P<time>[⏰⏱⌚⏳⌛🕐-🕧])|(?P<place>[📍📌🏠🏡🏰🗺🏙]))\ufe0f?\\s*"
    "(?P<value>[^\n|｜\\]】\U0001f000-\U0001faff☀-➿⏰⏱⌚⏳⌛]{1,60})"
)
# Most messages have neither; searching for one letter is faster than for all that may precede it.
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
# A line without brackets, which may be a Markdown heading; quotes and tags are not.
_UNMARKED = re.compile(r"\s*(?:#{1,4}\s+)?([^\n“”\"「」『』()（）【】\[\]<>*]{4,80})")
_FROM_PLACE = re.compile(r"(?:[|｜·・/—–]| -)\s*$")  # a place without brackets follows one of these
_TELLS = re.compile(
    r"[我你您他她它咱了着过吗吧呢啊，…]|[.,;；]\s*$"
    r"|\b(?:I|you|he|she|it|we|they|is|am|are|was|were|has|had)\b",
    re.IGNORECASE,
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
    r"|(?:大?清早|清晨|凌晨|黎明|拂晓|早晨|早上|上午|中午|正午|午后|下午|傍晚|黄昏|入夜|夜里|夜晚|晚上"
    r"|深夜|午夜|半夜)(?:[一二三四五六七八九十两\d]{1,2}[点时](?:半|[一三]刻|\d{1,2}分)?)?"
    r"|[春夏秋冬]天|[子丑寅卯辰巳午未申酉戌亥]时"
    r"|\b(?:(?:early|late) )?(?:dawn|morning|noon|afternoon|evening|dusk|night|midnight)\b",
    re.IGNORECASE,
)
# An hour by itself, as in “傍晚 · 灯塔”: 晚上见 and 下午好 are speech or action.
_SET_OFF = re.compile(rf"(?<!\w)(?:{_HOUR.pattern})(?!\w)", re.IGNORECASE)
_WEEKDAY = re.compile(
    r"(?:星期|周|礼拜)[一二三四五六日天]|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[|｜·・/,，、\s—–-]+")
_NO_PLACE = re.compile(r"[\d\W]+|from|to|till|until|and|or|at|on|week|[到至和]", re.IGNORECASE)
_NIGHT = re.compile("[晨暮夜]$")
_PIECES, _MOST_PIECES = re.compile("[|｜·・/,，、]"), 2  # besides the time: a place, the weather
_SENTENCE = re.compile("[:：。！？!?]")
_LONGEST_LINE = 160  # characters: three values with their labels
_MOST_LINES = 6  # in a heading: date, time, place and the marks around them
_BARE = re.compile(r"[`\-=—─━~*_\s]*")  # a fence or a rule
_WEATHER = re.compile(
    "(?:(?:天气|气温|温度|Weather)\\s*[:：]|[\U0001f000-\U0001faff☀-➿]\ufe0f?)\\s*[\\w℃° ~-]{1,16}"
)
_SPOKEN = re.compile('[。！？!?“”「」"]')
_EDGES = ' ，,。.；;*_~`"“”|｜·・-—\ufe0f'


@dataclass(frozen=True, slots=True)
class SceneHeading:
    """``when`` is the time as written, ``day`` its date, ``where`` the place; "" if missing."""

    when: str = ""
    day: str = ""
    where: str = ""

    @property
    def beside_day(self) -> tuple[str, ...]:
        """The values besides the day: the day of the week, the hour, the place."""
        return tuple(part for part in (*beside(self.when, self.day), self.where) if part)


NONE = SceneHeading()


def scene_heading(text: str) -> SceneHeading:
    """Return the scene heading of a message; `NONE` if it has none."""
    text = without_thoughts(text[:_MOST])
    found = {"date": "", "time": "", "place": ""}
    patterns = [pattern for first, pattern in _FIRST_LOOKED_FOR if first.search(text)]
    for pattern in patterns:
        for match in pattern.finditer(text):
            kind = match.lastgroup if match.lastgroup in found else _kind(match)
            value = _INNER_LABEL.sub("", match["value"].strip(_EDGES)).strip(_EDGES)
            if value and not found[kind] and len(value) <= _LONGEST and not _is_of_a_plan(match):
                found[kind] = value
    when = " ".join(dict.fromkeys(part for part in (found["date"], found["time"]) if part))
    if not any(pattern.search(when) for pattern in (_DAY, _HOUR, _NIGHT)):  # “时间：到了”
        return _headed(text, found["place"])
    day = _DAY.search(when)
    return SceneHeading(when, day[0] if day else "", found["place"])


def _is_of_a_plan(match: re.Match[str]) -> bool:
    """Return whether a label is a list item within a page, or belongs to a blank form.

    A status bar may be a list too, at the beginning or at the end.
    """
    if match["value"].lstrip(_EDGES).startswith("["):
        return True
    if match.re is not _LABELLED or not _ITEM.match(match[0]):
        return False
    before, after = match.string[: match.start()], match.string[match.end() :]
    return _PROSE.search(before) is not None and _PROSE.search(after) is not None


def _kind(match: re.Match[str]) -> str:
    return next(name for name in ("date", "time", "place") if match[name])


def _headed(text: str, place: str) -> SceneHeading:
    """Parse the line that a message begins with: a date or an hour, and a place."""
    text = text.lstrip("`-=—~\n ")
    if match := _HEADED.match(text):
        heading = _in_brackets(match[1] or match[2])
    else:
        first, _break, story = text.partition("\n")
        heading = _unmarked(first) if story.strip() else NONE
    return replace(heading, where=place) if place else heading


@lru_cache(maxsize=4096)  # lines of 80 characters: those of a scene repeat in each prompt
def _in_brackets(line: str) -> SceneHeading:
    rest = line
    found: list[list[tuple[int, str]]] = []
    for pattern in (_DAY, _WEEKDAY, _HOUR):
        found.append(told := [(part.start(), part[0]) for part in pattern.finditer(rest)])
        for at, part in told:
            rest = f"{rest[:at]}{' ' * len(part)}{rest[at + len(part) :]}"
    days, _weekdays, hours = found
    if not days and not any(_SET_OFF.match(line, at) for at, _hour in hours):
        return NONE
    parts = [part for part in _BETWEEN.split(rest) if part]
    parts = [] if all(map(_NO_PLACE.fullmatch, parts)) else parts
    pieces = [piece for piece in _PIECES.split(rest) if piece.strip(_EDGES)]
    is_sentence = len(pieces) > _MOST_PIECES or _SENTENCE.search(rest) is not None
    is_sentence = is_sentence or sum(map(len, parts)) > _LONGEST / 2
    if is_sentence or (not days and not parts):
        return NONE  # a sentence in brackets
    when = " ".join(dict.fromkeys(part for _at, part in sorted(itertools.chain(*found))))
    return SceneHeading(when, days[0][1] if days else "", " ".join(parts))


def _unmarked(line: str) -> SceneHeading:
    """Parse a line without brackets that has a date, an hour or day of the week, and a place.

    Only certain ones: it begins with the time, and a stroke separates the place after it.
    """
    match = _UNMARKED.fullmatch(line.rstrip())
    if match is None or not any(time.match(match[1]) for time in (_DAY, _WEEKDAY, _HOUR)):
        return NONE
    heading = _in_brackets(match[1])
    if not heading.day or not beside(heading.when, heading.day):
        return NONE
    if not heading.where:
        return heading if not _TELLS.search(match[1]) else NONE
    before = match[1].partition(heading.where.partition(" ")[0])[0]
    is_certain = _FROM_PLACE.search(before) and not _TELLS.search(heading.where)
    return heading if is_certain else NONE


def without_heading(text: str, day: str) -> tuple[str, tuple[str, ...]]:
    """Return a message without its heading lines, and their values besides ``day``.

    They are the first lines, or else the last. The values are the hour, the place and all else:
    only labels are lost. Lines of another day stay, and so does a message of a heading only.
    """
    lines = text.split("\n")
    first, told = _heading_lines(lines, day)
    last = len(lines)
    if not first:
        count, told = _heading_lines(lines[::-1], day)
        last -= count
        if count and not (_PICTURED.search(lines[last]) or _BARE.fullmatch(lines[last])):
            return text, ()  # may be the end of a list
        told.reverse()
    rest = "\n".join(lines[first:last]).strip()
    is_cut = bool(rest) and last - first < len(lines)
    return (rest, tuple(dict.fromkeys(told))) if is_cut else (text, ())


def heading_end(text: str) -> int:
    """Return where the story begins after a message's heading; 0 without a heading."""
    heading = scene_heading(text)
    if heading is NONE:
        return 0
    lines = text[:_MOST].split("\n")
    count, _told = _heading_lines(lines, heading.day)
    return min(len(text), sum(len(line) + 1 for line in lines[:count]))


def _heading_lines(lines: Sequence[str], day: str) -> tuple[int, list[str]]:
    """Return how many lines at the beginning are a heading of ``day``, and their values."""
    count, told = 0, list[str]()
    for n, line in enumerate(lines[:_MOST_LINES]):
        if len(line) > _LONGEST_LINE:
            break
        if _BARE.fullmatch(line):
            if 0 < count == n:
                count += 1
            continue
        parts = _told_beside(line, day)
        if parts is None:
            break
        count = n + 1
        told += parts
    return count, told


def _told_beside(line: str, day: str) -> list[str] | None:
    """Return a line's values besides a day; None if it is not a heading, or one of another day."""
    match = _HEADED.fullmatch(line)
    heading = _in_brackets(match[1] or match[2]) if match else _unmarked(line)
    if heading is not NONE:
        return list(heading.beside_day) if heading.day == day else None
    values = _labelled_values(line)
    parts = list[str]()
    for value in values:
        named = _DAY.search(value)
        if named and named[0] != day:
            return None
        parts += beside(value, named[0]) if named else [value]
    return parts if values else None


def beside(when: str, day: str) -> list[str]:
    """Return the day of the week and all else besides a day."""
    rest = when.replace(day, " ", 1) if day else when
    week = _WEEKDAY.search(rest)
    parts = [week[0], rest.replace(week[0], " ", 1)] if week else [rest]
    return [told for part in parts if (told := " ".join(part.strip(_EDGES).split()))]


def _labelled_values(line: str) -> list[str]:
    """Return the values after labels and symbols, with the weather; [] if it is not a heading."""
    values: list[str] = []
    rest = line
    for pattern in (pattern for first, pattern in _FIRST_LOOKED_FOR if first.search(line)):
        for match in pattern.finditer(rest):
            value = _INNER_LABEL.sub("", match["value"].strip(_EDGES)).strip(_EDGES)
            is_place = match["place"] is not None
            is_time = any(told.search(value) for told in (_DAY, _HOUR, _NIGHT))
            if len(value) > _LONGEST or _SPOKEN.search(value) or not (is_place or is_time):
                return []
            values.append(value)
        rest = pattern.sub("|", rest)
    pieces = [piece.strip(_EDGES + "[]【】()（）") for piece in _PIECES.split(rest)]
    weather = [piece for piece in pieces if piece]
    return values + weather if values and all(map(_WEATHER.fullmatch, weather)) else []


# Status lines at the beginning or end of a reply, without a tag or a fence. Many cards ask for
# “HP: 80/100 | 好感度: 35 | 位置: 酒馆”, or a few such lines, in each reply. A letter, a list, a
# poem or a dialogue is not one: the labels are those of panels. Whether a chat has a panel at all
# is decided by the caller: it is in many of its replies.

_KNOWN = frozenset(
    "好感度 好感 好感值 亲密度 信任 信任度 忠诚度 羁绊 关系 等级 经验 经验值 体力 体力值 生命"
    " 生命值 血量 魔力 魔力值 法力 精力 精神 理智 耐力 饥饿 饥饿度 饱食度 口渴 疲劳 疲劳度 压力"
    " 健康 心情 情绪 状态 身体状态 当前状态 金钱 金币 银币 资金 天气 服装 衣着 穿着 姿势 物品"
    " 背包 持有物 装备 任务 当前任务 ステータス 気分 所持金 hp mp sp exp xp lv level health mana"
    " stamina energy hunger thirst fatigue stress sanity mood affection trust loyalty relationship"
    " status condition gold money coins weather outfit clothes clothing inventory equipment quest"
    " objective".split()
)
# The values of these are time and place: they are shown without the panel.
_SCENE = frozenset(
    "时间 当前时间 時間 时刻 時刻 日期 日付 地点 地點 位置 当前位置 場所 场景 場景 所在地"
    " time date day place location".split()
)
_CELL = re.compile(r"[^\w\n“”\"「」『』]{0,6}(\w[\w ]{0,15}?)\**\s*[:：]\**\s*(\S.{0,59})")
_CELLS = re.compile(r"\s*[|｜]\s*|(?<=[\]】])\s*(?=[\[【])")
_IS_SPOKEN = re.compile('[“”"「」『』。！？!?…]')
_TITLE = re.compile(
    r"[\W_]*(?:(?:角色|当前|人物)?状态(?:栏|面板)?|面板|(?:status|stats)(?: bar| panel)?)[\W_]*",
    re.IGNORECASE,
)
_RULE = re.compile(r"[\s\-=—─━~*_]*")
_LONGEST_ROW = 200  # characters of a line of a panel
_LEAST_LINES, _LEAST_CELLS = 2, 3  # a single line needs as many cells
_LEAST_KNOWN = 2  # known labels, and half of all
_Cell = tuple[str, str]  # a label, folded, and its value
_INTRODUCES = ("：", ":")  # a line with this end introduces a list


@dataclass(frozen=True, slots=True)
class StatusLines:
    """``labels`` of a panel, folded, ``scene`` its hour and place, ``rest`` the other text."""

    labels: frozenset[str]
    scene: tuple[str, ...]
    rest: str


def status_lines(text: str) -> StatusLines | None:
    """Return the panel at the end of a message, else that at its beginning; None without one."""
    lines = text.strip().split("\n")
    for is_at_end in (True, False):
        ordered = lines[::-1] if is_at_end else lines
        if (found := _panel(ordered, is_at_end=is_at_end)) is not None:
            count, cells = found
            rest = ordered[count:]
            story = "\n".join(rest[::-1] if is_at_end else rest).strip()
            told = [
                f"{label} {value}" if value.isdecimal() else value
                for label, value in (cells[::-1] if is_at_end else cells)
                if label in _SCENE
            ]
            return StatusLines(frozenset(label for label, _value in cells), tuple(told), story)
    return None


def _panel(lines: Sequence[str], *, is_at_end: bool) -> tuple[int, list[_Cell]] | None:
    """Return how many lines are a panel with its title and rules, and its contents."""
    around = _around(lines)
    rows = list(takewhile(bool, map(_cells_of, lines[around:])))
    cells = [cell for row in rows for cell in (row[::-1] if is_at_end else row)]
    labels = {label for label, _value in cells}
    count = around + len(rows)
    framed = _around(lines[count:])
    before = "".join(lines[count + framed : count + framed + 1]).rstrip()
    is_titled = any(map(_TITLE.fullmatch, lines[count : count + framed]))
    if is_at_end and before.endswith(_INTRODUCES) and not is_titled:
        return None
    known = len(labels & (_KNOWN | _SCENE))
    is_few = len(rows) < _LEAST_LINES and len(cells) < _LEAST_CELLS
    if is_few or known < _LEAST_KNOWN or known * 2 < len(labels):
        return None
    return count + framed, cells


def _around(lines: Iterable[str]) -> int:
    """Return how many leading lines are blank, a rule or the title of a panel."""
    is_frame = lambda line: bool(_RULE.fullmatch(line) or _TITLE.fullmatch(line))  # noqa: E731
    return sum(1 for _line in takewhile(is_frame, lines))


def _cells_of(line: str) -> list[_Cell]:
    """Return the labels and values of a line of nothing else; [] for other lines."""
    if len(line) > _LONGEST_ROW or _IS_SPOKEN.search(line):
        return []
    cells = [_CELL.fullmatch(cell) for cell in _CELLS.split(line.strip(" |｜\t"))]
    if not all(cells):
        return []
    return [(cell[1].casefold(), cell[2].strip(" *]】")) for cell in cells if cell]
