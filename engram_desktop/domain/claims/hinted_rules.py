"""Selects the rules of facts that may match in a sentence, and locates their matches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.fact_words import BY_WEIGHT, CLAUSE_ZH
from engram_desktop.domain.claims.patterns import (
    FactRule,
    Marker,
    Texts,
    needed_texts,
    rarest_unit,
    share_of,
)

_SPACE = re.compile(r"\s+")
_EDGES = re.compile(r"^[\s*，,（(]+|[\s*]+$")
_WORD = re.compile("[a-z]+")
_WORDS_KEPT = 20_000  # words whose sets are cached: more than a language has in use
_COMMON = 0.15  # share of sentences with a hint above which the other needed texts are searched too
_FEW = 20  # texts that are searched one by one; for more, trying the pattern is as fast

_Row = tuple[str, list[object]]  # a text, and the sets that contain it


class TextFinder:
    """Finds which of many sets of texts have a text in a sentence, by the rarest word of each text.

    The sets of a word are computed when the word is first met, and cached. Chinese texts are found
    by their rarest character.
    """

    def __init__(self, sets: Mapping[object, Iterable[str]]) -> None:
        by_text: dict[str, list[object]] = {}
        for one, texts in sets.items():
            for text in texts:
                by_text.setdefault(text, []).append(one)
        self._by_word: dict[str, list[tuple[str, bool, bool, list[object]]]] = {}
        self._by_character: dict[str, list[_Row]] = {}
        self._everywhere: list[_Row] = []  # texts without a letter
        for text, of_text in by_text.items():
            unit = rarest_unit(text)
            if unit is None:
                self._everywhere.append((text, of_text))
            elif unit[0].isascii():  # whether the word begins and ends at the text's own edges
                row = text, unit.start() > 0, unit.end() < len(text), of_text
                self._by_word.setdefault(unit[0], []).append(row)
            else:
                self._by_character.setdefault(unit[0], []).append((text, of_text))
        self._of_word = lru_cache(_WORDS_KEPT)(self._look_up)

    def held(self, low: str) -> set[object]:
        """Return the keys of the sets of which a text in lower case contains a member."""
        found: set[object] = set()
        rows = list(self._everywhere)
        for surely, perhaps in map(self._of_word, set(_WORD.findall(low))):
            found |= surely
            rows += perhaps
        if not low.isascii():
            for character in self._by_character.keys() & set(low):
                rows += self._by_character[character]
        for text, sets in rows:
            if text in low:
                found.update(sets)
        return found

    def _look_up(self, word: str) -> tuple[frozenset[object], list[_Row]]:
        """Return the sets that contain a word as a text, and longer texts with this word."""
        surely: set[object] = set()
        perhaps: list[_Row] = []
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                for text, starts, ends, sets in self._by_word.get(word[start:end], ()):
                    if (starts and start) or (ends and end < len(word)):
                        continue
                    if text in word:
                        surely.update(sets)
                    else:
                        perhaps.append((text, sets))
        return frozenset(surely), perhaps


class RuleFinder:
    """Finds the few rules and markers that may match in a sentence, by their needed texts."""

    def __init__(self, rules: Sequence[FactRule], markers: Iterable[Marker]) -> None:
        self._rules = rules
        self._by_set: dict[Texts, list[int]] = {}  # by the rarest of the sets that they need
        self._hints: list[Texts] = []  # by rule
        self._needs: list[list[tuple[str, ...]]] = []  # further needed texts, by rule
        for number, rule in enumerate(rules):
            rarest = hints = frozenset(rule.hints)
            needs: list[Texts] = []
            if not hints or share_of(hints) > _COMMON:
                needs = needed_texts(rule.text, rule.flags)
                rarest = min(hints or needs[0], needs[0], key=share_of)
            self._by_set.setdefault(rarest, []).append(number)
            self._hints.append(hints or rarest)
            few = [tuple(texts) for texts in needs if len(texts) <= _FEW and texts != rarest]
            self._needs.append(few)
        sets: dict[object, Iterable[str]] = {marker: _texts_of(marker) for marker in markers}
        sets |= {texts: texts for texts in (*self._by_set, *self._hints)}
        self._finder = TextFinder(sets)

    def held(self, low: str) -> Set[object]:
        """Return the markers, and the sets of texts, of which a sentence contains a text."""
        return self._finder.held(low)

    def of(self, low: str, held: Set[object]) -> list[FactRule]:
        """Return the rules that may match in a sentence in lower case."""
        found = [
            number
            for one in self._by_set.keys() & held
            for number in self._by_set[one]
            if self._hints[number] in held and _has_each(low, self._needs[number])
        ]
        found.sort()
        return [self._rules[number] for number in found]


def _texts_of(marker: Marker) -> Iterable[str]:
    """Return texts of which a sentence contains one if a marker may match."""
    needs = needed_texts(marker.text, marker.flags)
    hints = marker.hints
    for texts in needs if hints else ():
        if all(any(hint in text for hint in hints) for text in texts):
            hints = ()  # every match contains a hint anyway
    return hints or needs[0]


def _has_each(low: str, needs: Iterable[Iterable[str]]) -> bool:
    """Return whether a text contains a member of each of these sets."""
    for texts in needs:
        for text in texts:
            if text in low:
                break
        else:
            return False
    return True


def put_claim(found: list[Claim], claim: Claim) -> None:
    """Add a claim, or merge it with one about the same value; an end replaces a state."""
    for number, other in enumerate(found):
        if (other.facet, other.about) == (claim.facet, claim.about):
            if claim.polarity == other.polarity:
                is_more = claim.facet == "work" and claim.value.endswith(other.value)
                if other.value and (is_more or claim.value == other.value):  # 见习法师, 法师
                    sign = max(claim.sign, other.sign, key=BY_WEIGHT.index)
                    found[number] = replace(claim, sign=sign)
                elif other.sign == "states" and claim.sign == "changes":
                    found[number] = claim
                elif other.sign == "" and claim.sign == "changes" and claim.facet == "bond":
                    found[number] = replace(other, sign="changes")
                return
            over, now = (other, claim) if claim.polarity else (claim, other)
            if now.value and (now.value in over.value or not (over.value or now.sign == "changes")):
                found[number] = over
            else:  # she has given up the Anchor; she is a student now
                found[number : number + 1] = [over, now]
            return
    found.append(claim)


def clause_of(text: str, start: int, end: int, at: int) -> tuple[int, int]:
    """Return the start and the end (not included) of the clause that contains ``at``."""
    first = max(text.rfind("，", start, at), text.rfind(",", start, at), text.rfind(";", start, at))
    ends = [place for c in "，,;；" if (place := text.find(c, at, end)) >= 0]
    return (first + 1 if first >= 0 else start), min(ends, default=end)


def before_zh(text: str, start: int, at: int) -> str:
    """Return the part of a Chinese clause before ``at``."""
    return CLAUSE_ZH.split(text[start:at])[-1]


def trimmed(words: str) -> str:
    """Return words without marks and particles around them."""
    return _SPACE.sub(" ", _EDGES.sub("", words)).strip(" ,.;:!?'\"“”‘’，。")
