"""The sentences of a message, and the rules and markers that may match in each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import replace
from functools import cache

from engram_desktop.domain.claims import rules_en, rules_zh
from engram_desktop.domain.claims.echoes import (
    COUNTS_EN,
    COUNTS_ZH,
    DATED_EN,
    DATED_ZH,
    QUITS_EN,
    QUITS_ZH,
)
from engram_desktop.domain.claims.hinted_rules import Marker, RuleFinder
from engram_desktop.domain.claims.lasting import HINTS
from engram_desktop.domain.claims.speech import Part
from engram_desktop.domain.claims.untruths import EXPOSES, LACKS_EN, LACKS_ZH
from engram_desktop.domain.claims.vows import MARKERS_EN, MARKERS_ZH
from engram_desktop.domain.values import dataclass

MAX_SENTENCE = 240  # characters of a sentence that is searched for claims
# Python 3.11.2 (Debian 12) misreads this with a possessive group, `)*+`: half of all sentences go.
_SENTENCE = re.compile(
    r"[^。！？!?\n….]*+(?:\.(?![\s\"”*)]|$)[^。！？!?\n….]*+)*(?:\.|[。！？!?…]+|\n"
    r"|$)[”』」’)）*]*"
)
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Capt|Prof|Sgt|Lt)\.$")
_CJK = re.compile("[\u3400-\u9fff]")
_LETTER = re.compile("[a-z\u3400-\u9fff]")
_KANA = re.compile("[\u3041-\u30f6]")  # Japanese: no facts are read from it


@dataclass(slots=True)
class Sentence:
    """Characters ``start``..``end`` (not included) of a message, a sentence of a part.

    ``held`` are the markers, and the sets of texts needed by rules, of which it contains a text.
    """

    part: Part
    start: int
    end: int
    text: str
    low: str
    is_zh: bool
    held: Set[object]

    @classmethod
    def of(cls, message: str, part: Part, start: int, end: int) -> Sentence:
        """Return the sentence of a part from ``start`` to ``end`` of a message."""
        text = message[start:end]
        is_zh = not text.isascii() and bool(_CJK.search(text)) and not _KANA.search(text)
        low = text.casefold()
        # a line without letters, frequent in Chinese chats, needs no English rules
        held = rules_of(is_zh).held(low) if is_zh or _LETTER.search(low) else frozenset[object]()
        return cls(part, start, end, text, low, is_zh, held)

    @property
    def is_spoken(self) -> bool:
        return self.part.kind in ("said", "written")

    def search(self, marker: Marker) -> re.Match[str] | None:
        """Return the first match of a marker."""
        return marker.pattern.search(self.text) if marker in self.held else None

    def first(self, length: int) -> Sentence:
        """Return the sentence cut to its first ``length`` characters."""
        text = self.text[:length]
        low, end = text.casefold(), self.start + length
        held = rules_of(self.is_zh).held(low)
        return replace(self, end=end, text=text, low=low, held=held)


@cache
def rules_of(is_zh: bool) -> RuleFinder:  # noqa: FBT001  the language of a sentence
    """Return the finder of the rules and markers of a language."""
    rules, binding = (rules_zh, MARKERS_ZH) if is_zh else (rules_en, MARKERS_EN)
    echoes = (
        (QUITS_ZH, DATED_ZH, COUNTS_ZH, LACKS_ZH)
        if is_zh
        else (QUITS_EN, DATED_EN, COUNTS_EN, LACKS_EN)
    )
    return RuleFinder(rules.FACTS, (*rules.MARKERS, *binding, *echoes, HINTS, EXPOSES))


def sentences_of(message: str, part: Part) -> Iterator[Sentence]:
    """Yield the sentences of a part, without surrounding white space."""
    at = part.start
    while at < part.end:
        match = _SENTENCE.match(message, at, part.end)
        stop = match.end() if match is not None and match.end() > at else part.end
        while stop < part.end and _ABBREVIATION.search(message[max(at, stop - 6) : stop]):
            more = _SENTENCE.match(message, stop, part.end)
            stop = more.end() if more is not None and more.end() > stop else part.end
        first, last = at, stop
        while first < last and (message[first].isspace() or message[first] == "*"):
            first += 1
        while last > first and (message[last - 1].isspace() or message[last - 1] == "*"):
            last -= 1
        if last - first > 1:
            yield Sentence.of(message, part, first, min(last, first + MAX_SENTENCE))
        at = stop
