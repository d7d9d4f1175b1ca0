"""Which rules of facts may match in a text: found by what it must hold for each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.claims.claim import FactRules, WordMarker

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
