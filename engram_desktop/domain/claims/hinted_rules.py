"""Which rules of facts may match in a text, and where what they find stands in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.claims.claim import Claim, FactRules, WordMarker
from engram_desktop.domain.claims.fact_words import BY_WEIGHT, CLAUSE_ZH

_SPACE = re.compile(r"\s+")
_EDGES = re.compile(r"^[\s*，,（(]+|[\s*]+$")
LiveRules = tuple[Sequence[str], FactRules]  # of the hints of rules those that a message holds
_WORD_HEAD = re.compile(r"(?<![a-z])[a-z]{3}")


class HintedRules:
    """Rules by the first letters of what a text must hold for each: all are looked for at once."""

    def __init__(self, rules: Sequence[FactRules]) -> None:
        self._rules = rules
        self._many = [n for n, one in enumerate(rules) if isinstance(one.hint, WordMarker)]
        by_hint: dict[str, list[int]] = {}
        for number, one in enumerate(rules):
            for hint in () if number in self._many else one.hint.hints:
                by_hint.setdefault(hint, []).append(number)
        self._by_head: dict[str, list[tuple[str, list[int]]]] = {}
        for hint, numbers in by_hint.items():
            is_word = _WORD_HEAD.match(hint) is not None
            self._by_head.setdefault(hint[: 3 if is_word else 1], []).append((hint, numbers))

    def live(self, low: str) -> list[LiveRules]:
        """Return the rules that may match in a text in small letters, with the hints it holds."""
        held = {n: self._rules[n].hint.held(low) for n in self._many}
        heads = {*low, *_WORD_HEAD.findall(low)}
        for head in self._by_head.keys() & heads:
            for hint, numbers in self._by_head[head]:
                if hint in low:
                    for number in numbers:
                        held.setdefault(number, []).append(hint)
        return [(hints, self._rules[n]) for n, hints in sorted(held.items()) if hints]


_HEAD = re.compile(r"(?<![a-z])[a-z]{1,3}")
_LONG = 3  # letters of a word by which hints are found


class RulesByWord:
    """Rules by the words that their hints begin with: a sentence is asked for few of them."""

    def __init__(self, rules: Sequence[FactRules]) -> None:
        self._rules = rules
        self._by_head: dict[str, list[tuple[str, int]]] = {}
        for number, one in enumerate(rules):
            for hint in one.hint.hints:
                word = _HEAD.search(hint)
                head = word[0] if word is not None and word.start() < len(hint) - 1 else ""
                is_cut = len(head) < _LONG and hint.strip() == head
                self._by_head.setdefault("" if is_cut else head, []).append((hint, number))
        self._always = self._by_head.pop("", [])

    def of(self, low: str) -> list[FactRules]:
        """Return the rules that may match in a sentence in small letters."""
        found: set[int] = set()
        for head in self._by_head.keys() & set(_HEAD.findall(low)):
            for hint, number in self._by_head[head]:
                if number not in found and hint in low:
                    found.add(number)
        for hint, number in self._always:
            if number not in found and hint in low:
                found.add(number)
        return [self._rules[number] for number in sorted(found)]


def put_claim(found: list[Claim], claim: Claim) -> None:
    """Add a claim; of two about the same, what is over counts more than what is."""
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
    """Return the first and the last character of the clause in which ``at`` stands."""
    first = max(text.rfind("，", start, at), text.rfind(",", start, at), text.rfind(";", start, at))
    ends = [place for c in "，,;；" if (place := text.find(c, at, end)) >= 0]
    return (first + 1 if first >= 0 else start), min(ends, default=end)


def before_zh(text: str, start: int, at: int) -> str:
    """Return what of its Chinese clause stands before ``at``."""
    return CLAUSE_ZH.split(text[start:at])[-1]


def trimmed(words: str) -> str:
    """Return words without what stands around them."""
    return _SPACE.sub(" ", _EDGES.sub("", words)).strip(" ,.;:!?'\"“”‘’，。")
