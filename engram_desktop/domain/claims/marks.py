"""Texts of findings: marks after quoted lines of a prompt, and lines of a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Literal

from engram_desktop.domain.claims.claim import Finding
from engram_desktop.domain.claims.story_clock import days_ahead
from engram_desktop.domain.claims.wording import words_of
from engram_desktop.domain.text.sentences import bare
from engram_desktop.domain.text.tokens import estimate_tokens

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
            end = found
            while end < len(text) and text[end] in '。！？!?.…,，”"」』':
                end += 1
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
