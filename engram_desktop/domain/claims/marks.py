"""Texts of findings (marks in a prompt, lines of a list), and when a promise is due."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from engram_desktop.domain.claims.claim import Finding, Quote
from engram_desktop.domain.claims.wording import number_in, words_of
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from engram_desktop.domain.claims.findings import FloorTexts

Tongue = Literal["zh", "en", "ja"]

_UNTIL: Final = {"zh": "〔至第{}楼〕", "en": "[until floor {}]", "ja": "〔フロア{}まで〕"}
_LIE: Final = {"zh": "〔谎言〕", "en": "[a lie]", "ja": "〔嘘〕"}
_MISTAKEN: Final = {"zh": "〔误以为〕", "en": "[mistaken]", "ja": "〔思い違い〕"}
_DUE: Final = {"zh": "未了之约：", "en": "Promises still open: ", "ja": "未了の約束："}
_BY: Final = {"zh": "（{0}，第{1}楼）", "en": " ({0}, floor {1})", "ja": "（{0}、フロア{1}）"}
_MOST_DUE = 3  # promises in a prompt: one short line
_MOST_WORDS = 60  # characters of a promise in a prompt
_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh": {
        "superseded": "已过时",
        "lie": "谎言",
        "mistaken": "误以为",
        "contradiction": "矛盾",
        "promise": "承诺",
        "over": "已结束",
        "told": "尚未揭穿",
        "found_out": "已揭穿",
        "held": "仍以为真",
        "corrected": "已知真相",
        "open": "未了",
        "answered": "已答复",
        "kept": "已兑现",
        "broken": "已食言",
        "given_up": "已放弃",
        "floor": "第{}楼",
        "deliberate": "有意为之",
        "none": "没有发现。",
    },
    "en": {
        "superseded": "superseded",
        "lie": "lie",
        "mistaken": "mistaken",
        "contradiction": "contradiction",
        "promise": "promise",
        "over": "over",
        "told": "not found out",
        "found_out": "found out",
        "held": "still believed",
        "corrected": "corrected",
        "open": "open",
        "answered": "answered",
        "kept": "kept",
        "broken": "broken",
        "given_up": "given up",
        "floor": "floor {}",
        "deliberate": "deliberate",
        "none": "Nothing was found.",
    },
    "ja": {
        "superseded": "過去の事実",
        "lie": "嘘",
        "mistaken": "思い違い",
        "contradiction": "矛盾",
        "promise": "約束",
        "over": "終了",
        "told": "未発覚",
        "found_out": "発覚",
        "held": "信じたまま",
        "corrected": "訂正済み",
        "open": "未了",
        "answered": "回答済み",
        "kept": "果たした",
        "broken": "破った",
        "given_up": "断念",
        "floor": "フロア{}",
        "deliberate": "意図的",
        "none": "見つかりませんでした。",
    },
}


def listed(finding: Finding, tongue: Tongue) -> list[str]:
    """Return a finding as lines of a list: its kind, then its quotes with their floors."""
    words = _WORDS[tongue]
    who = ", ".join(finding.who) or "–"
    head = f"{finding.id}  {words[finding.kind]} · {words[finding.status]}  {who}"
    if finding.about and finding.about not in finding.who:
        head += f" → {finding.about}"
    if finding.answer == "deliberate":
        head += f"  ({words['deliberate']})"
    rows = [f"    {words['floor'].format(q.floor)}: {_flat(q.text)}" for q in finding.quotes]
    return [head, *rows]


def nothing(tongue: Tongue) -> str:
    """Return the text of an empty list."""
    return _WORDS[tongue]["none"]


class PromptMarks:
    """Marks texts of a prompt that are over, a lie or a mistake, by the words of findings.

    ``now`` is the floor of the prompt: what ends later is not over yet.
    """

    def __init__(self, findings: Iterable[Finding], tongue: Tongue) -> None:
        self._marks: list[tuple[int, str, str]] = []  # floor, bare words, mark
        self._parts: dict[str, list[str]] = {}  # the sentences of bare words
        for finding in findings:
            mark = _mark_of(finding, tongue)
            if mark is None:
                continue
            quote = finding.quotes[1 if finding.answer == "earlier" else 0]
            letters = bare(quote.text)
            if len(letters) >= _LEAST:
                self._marks.append((quote.floor, letters, mark))
                parts = [bare(part) for part in _SENTENCE.findall(quote.text)]
                self._parts[letters] = [p for p in parts if p != letters and len(p) >= 2 * _LEAST]

    def __bool__(self) -> bool:
        return bool(self._marks)

    def marked(self, text: str, first: int, last: int) -> str:
        """Return a line about floors ``first``..``last``, marked if it has words that are over."""
        for found, mark in sorted(set(self._found(text, first, last)), reverse=True):
            closing = _CLOSING.match(text, found)
            end = closing.end() if closing is not None else found
            if not text.startswith(mark, end):
                space = " " if mark[0] == "[" else ""
                text = f"{text[:end]}{space}{mark}{text[end:]}"
        return text

    def _found(self, text: str, first: int, last: int) -> list[tuple[int, str]]:
        marks = [mark for mark in self._marks if first <= mark[0] <= last]
        if not marks:
            return []
        letters, places = _bare_with_places(text)
        found = []
        for _floor, words, mark in marks:
            at = letters.find(words[:_LONGEST])
            if at < 0 and words[0] in _FIRST and len(words) > _LEAST:
                at = letters.find(words[1:_LONGEST]) - 1  # as told by another: 我住校, 她说自己住校
                at = -1 if at < 0 else at
            if at < 0 and len(words) > _LEAST * 2:
                at = _like(letters, words)
            if at < 0:  # some sentences of a long message are quoted
                part = next((p for p in self._parts[words] if p in letters), "")
                at, words = (letters.find(part), part) if part else (at, words)  # noqa: PLW2901
            if at >= 0:
                end = min(len(places) - 1, at + len(words) - 1)
                found.append((places[end] + 1, mark))
        return found


_LEAST = 4  # letters of a quote: fewer are found everywhere
_LONGEST = 40  # letters of a quote that are compared
_FIRST = "我你他她"
# What ends a sentence; a comma belongs to it only within quotation marks.
_CLOSING = re.compile(r"[。！？!?.…]*(?:[,，]?[”\"」』]+)?")
_SENTENCE = re.compile(r"[^。！？!?.…]+")


def _mark_of(finding: Finding, tongue: Tongue) -> str | None:
    kind, answer = finding.kind, finding.answer
    if answer == "lie" or (kind == "lie" and answer in ("", "deliberate")):
        return _LIE[tongue]
    is_wrong = kind == "contradiction" and answer in ("later", "earlier")
    if is_wrong or (kind == "mistaken" and answer in ("", "deliberate")):
        return _MISTAKEN[tongue]
    if kind == "superseded" and answer not in ("earlier", "both"):
        return _UNTIL[tongue].format(finding.quotes[-1].floor)
    return None


def _like(letters: str, words: str) -> int:
    """Return the position of a quote in a text that has its middle but other ends, else -1."""
    third = len(words) // 3
    at = letters.find(words[third : 2 * third])
    return max(0, at - third) if at >= 0 and third >= _LEAST else -1


def _bare_with_places(text: str) -> tuple[str, list[int]]:
    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isalnum():
            letters.append(char.casefold()[:1])
            places.append(place)
    return "".join(letters), places


def due(
    findings: Sequence[Finding],
    said: str,
    tongue: Tongue,
    room: int,
    is_everyday: Callable[[str], bool],
    come: Collection[str] = (),
) -> str:
    """Return one line of the open promises whose person, place or time comes up; "" for none.

    ``come`` are the ids of promises whose day has come. ``said`` is the question with the last
    floors, ``room`` the maximum tokens of the line. Words common in the story (``is_everyday``)
    recall no promise.
    """
    words = words_of(said)
    low = said.casefold()
    scored = []
    for finding in findings:
        if finding.kind != "promise" or finding.status != "open":
            continue
        own = words_of(f"{finding.trigger} {finding.quotes[0].text}")
        telling = {unit for unit in own.units & words.units if not is_everyday(unit)}
        is_day = days_ahead(finding.trigger) is not None  # words alone do not recall such a promise
        trigger = not is_day and not telling.isdisjoint(words_of(finding.trigger).units)
        trigger = trigger or finding.id in come
        people = sum(name.casefold() in low for name in finding.who)
        if trigger or len(telling) >= 2 or (telling and people):
            scored.append((2 * trigger + len(telling) + people, finding.quotes[0].floor, finding))
    best = sorted(scored, key=lambda row: row[:2], reverse=True)[:_MOST_DUE]
    line = ""
    for _score, floor, finding in best:
        quote = _flat(finding.quotes[0].text)
        quote = quote if len(quote) <= _MOST_WORDS else f"{quote[: _MOST_WORDS - 1]}…"
        told = f"“{quote}”" + _BY[tongue].format(finding.who[0] if finding.who else "?", floor)
        between = "；" if tongue != "en" else "; "
        longer = f"{line}{between}{told}" if line else f"{_DUE[tongue]}{told}"
        if estimate_tokens(longer) > room:
            break
        line = longer
    return line


def _flat(text: str) -> str:
    return " ".join(text.split())


# Days until a promise is due, and days that pass in the narration, to find when it is due.

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
