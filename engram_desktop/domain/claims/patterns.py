"""Patterns of rules, and the literal texts without which they cannot match.

Most sentences contain no word of most rules, and searching words is ten times as fast as trying
patterns. ``(?:moved|moves) (?:in|out)`` needs one of “moved in”, “moved out”, ….
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from engram_desktop.domain.claims.wording import STOP_HAN, STOP_LATIN
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

Texts = frozenset[str]  # in lower case: one of them is needed
_MOST = 48  # texts combined from the alternatives of a pattern; measured, the effect is flat
_WIDE = 24  # characters of a range that are listed one by one
_UNIT = re.compile("[a-z]+|[\u3400-\u9fff]")
_COMMONEST = frozenset("i you it the a to of and is in we that s t m".split())
_COMMON_HAN = frozenset(
    "人大国地以时出为生而子得于自之年后作用行所然家事成方多经法学同现当动面起看定天分进好小其些主"
    "样理心本前开但因只从想实日意无与长机十手头见老开回打过气口解名真走成情明知三点正外问很水"
)
_ENDINGS = frozenset("d re ve ll".split())  # after an apostrophe
# Approximate share of sentences that contain a piece of a word, by its length; a common one
# words, or another without content; a Chinese character. Only which of two texts is rarer matters.
_BY_LENGTH = (1.0, 0.4, 0.2, 0.01, 0.002)
_COMMONEST_SHARE = 0.4  # guessed, as are the next three
_EVERYWHERE = 0.2  # guessed
_COMMON_HAN_SHARE = 0.08  # guessed
_HAN = 0.02  # guessed


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What a part of a pattern matches: exactly one of ``texts``; None if unknown.

    ``needs``: then the match contains one text of each of these sets.
    """

    texts: Texts | None
    needs: tuple[Texts, ...] = ()

    def all_needs(self) -> list[Texts]:
        needs = self.needs if self.texts is None else (self.texts,)
        return [texts for texts in needs if "" not in texts]


_EMPTY = _Stretch(frozenset(("",)))
_ANYTHING = _Stretch(None)


def needed_texts(pattern: str, flags: int = 0) -> list[Texts]:
    """Return sets of texts, rarest first: a match of the pattern has one text of each set."""
    needs = set(_sequence(_parser.parse(pattern, flags)).all_needs())
    return sorted((texts for texts in needs if has_letters(texts)), key=share_of)


def has_letters(texts: Iterable[str]) -> bool:
    """Return whether all texts have letters: a text without letters occurs everywhere."""
    return all(_UNIT.search(text) for text in texts)


def share_of(texts: Iterable[str]) -> float:
    """Return the approximate share of sentences that contain one of the texts."""
    return sum(map(_share_of_text, texts))


def rarest_unit(text: str) -> re.Match[str] | None:
    """Return the rarest word, or Chinese character, of a text."""
    return min(_UNIT.finditer(text), key=lambda unit: _share_of_unit(unit[0]), default=None)


@lru_cache(maxsize=4_000)
def _share_of_text(text: str) -> float:
    share = 1.0
    for unit in _UNIT.findall(text):
        share *= _share_of_unit(unit)
    return share


def _share_of_unit(unit: str) -> float:
    if unit in _COMMONEST:
        return _COMMONEST_SHARE
    if unit in STOP_LATIN or unit in STOP_HAN or unit in _ENDINGS:
        return _EVERYWHERE
    if unit in _COMMON_HAN:
        return _COMMON_HAN_SHARE
    return _HAN if unit >= "\u3400" else _BY_LENGTH[min(len(unit), len(_BY_LENGTH) - 1)]


def _sequence(items: Iterable[tuple[Any, Any]]) -> _Stretch:
    """Return what a sequence of a pattern's items matches."""
    needs: list[Texts] = []
    texts: Texts = frozenset(("",))
    letters = ""  # letters that follow each of the texts
    is_known = True
    for code, value in items:
        if code is op.LITERAL:
            letters += chr(value)
            continue
        one = _READERS[code](value) if code in _READERS else _ANYTHING
        if one is _EMPTY:
            continue
        texts, letters = _joined(texts, letters), ""
        if one.texts is not None and len(texts) * len(one.texts) <= _MOST:
            texts = frozenset(a + b for a in texts for b in one.texts)
            continue
        is_known = False
        needs += (texts, *one.needs)
        texts = one.texts or frozenset(("",))
    texts = _joined(texts, letters)
    if is_known:
        return _Stretch(texts)
    return _Stretch(None, tuple(one for one in (*needs, texts) if "" not in one))


def _joined(texts: Texts, letters: str) -> Texts:
    behind = letters.casefold()
    return frozenset(text + behind for text in texts) if behind else texts


def _one_of(value: list[tuple[Any, Any]]) -> _Stretch:
    """Return the characters of a set in brackets, if it lists a few."""
    characters: set[str] = set()
    for code, of in value:
        if code is op.LITERAL:
            characters.add(chr(of).casefold())
        elif code is op.RANGE and of[1] - of[0] < _WIDE:
            characters.update(chr(n).casefold() for n in range(of[0], of[1] + 1))
        else:
            return _ANYTHING
    return _Stretch(frozenset(characters)) if len(characters) <= _MOST else _ANYTHING


def _either(value: tuple[None, list[Any]]) -> _Stretch:
    ways = [_sequence(items) for items in value[1]]
    known = [way.texts for way in ways if way.texts is not None]
    if len(known) == len(ways) and sum(map(len, known)) <= _MOST:
        return _Stretch(frozenset[str]().union(*known))
    needs = [way.all_needs() for way in ways]
    if not all(needs):
        return _ANYTHING
    return _Stretch(None, (frozenset[str]().union(*(min(of, key=share_of) for of in needs)),))


def _repeated(value: tuple[int, int, Any]) -> _Stretch:
    least, most, items = value
    one = _sequence(items)
    if one.texts is not None and most == 1:
        return one if least else _Stretch(one.texts | {""})
    return _Stretch(None, tuple(one.all_needs())) if least else _ANYTHING


# Handlers by the kind of a pattern's item; other items may match anything.
_READERS: dict[Any, Callable[[Any], _Stretch]] = {
    op.IN: _one_of,
    op.BRANCH: _either,
    op.SUBPATTERN: lambda value: _sequence(value[3]),
    op.ATOMIC_GROUP: _sequence,
    op.MAX_REPEAT: _repeated,
    op.MIN_REPEAT: _repeated,
    op.POSSESSIVE_REPEAT: _repeated,
    **dict.fromkeys((op.AT, op.ASSERT, op.ASSERT_NOT), lambda _value: _EMPTY),
}


class _HintedPattern:
    """A pattern that is compiled at first use: in a text that contains a text it needs.

    ``hints``: literal texts in lower case, one of which must occur in addition to what the pattern
    itself needs; empty if that is enough.
    """

    def __init__(self, text: str, flags: int = 0, *, hints: str = "") -> None:
        self.text = text
        self.flags = flags
        self.pattern = late_pattern(text, flags)
        self.hints = tuple(filter(None, hints.split("|")))


class Marker(_HintedPattern):
    """A pattern that marks a whole sentence."""

    def may_match(self, low: str) -> bool:
        """Return whether a text in lower case contains one of the hints."""
        for hint in self.hints:
            if hint in low:
                return True
        return not self.hints

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.pattern.search(text) if self.may_match(text.casefold()) else None

    def match(self, text: str) -> re.Match[str] | None:
        return self.pattern.match(text)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text, start, len(text) if end is None else end)


class FactRule(_HintedPattern):
    """A rule of a facet, and the mark of its matches.

    ``is_at_word``: matches that begin inside a word are ignored.
    """

    def __init__(
        self,
        facet: str,
        hints: str,
        mark: str,
        text: str,
        flags: int = 0,
        *,
        is_at_word: bool = False,
    ) -> None:
        super().__init__(text, flags, hints=hints)
        self.facet = facet
        self.mark = mark
        self.is_at_word = is_at_word
