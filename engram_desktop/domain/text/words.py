"""Words in a text: where they occur, and how two texts differ."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from typing import Literal

from engram_desktop.domain.text.late_pattern import late_pattern
from engram_desktop.domain.values import dataclass

# Where a searched text stands in another: any letters, of any script, in either case.
#
# A text of one Chinese character is found like any other: nothing is cut into words.


class SearchedText:
    """What is searched. An empty one is found nowhere."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._pattern = re.compile(re.escape(self.text), re.IGNORECASE) if self.text else None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where it begins and ends, each time."""
        return [m.span() for m in self._pattern.finditer(text)] if self._pattern else []

    def count(self, text: str) -> int:
        return sum(1 for _ in self._pattern.finditer(text)) if self._pattern else 0


@dataclass(frozen=True, slots=True)
class TextHits:
    """On which floors something stands, in order. ``before``: how often on the floors above."""

    floors: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    total: int = 0

    @classmethod
    def of(cls, counts: Iterable[tuple[int, int]]) -> TextHits:
        """Put together floors and how often it stands there, in order; noughts are left out."""
        floors, before, total = [], [], 0
        for floor, count in counts:
            if count:
                floors.append(floor)
                before.append(total)
                total += count
        return cls(floors, before, total)

    def place(self, number: int) -> tuple[int, int]:
        """Return the floor of the hit with a number, and which of that floor's hits it is."""
        at = bisect_left(self.before, number + 1) - 1
        return self.floors[at], number - self.before[at]

    def from_floor(self, floor: int) -> int:
        """Return the number of the first hit on a floor or after it; the first of all at last."""
        at = bisect_left(self.floors, floor)
        return self.before[at] if at < len(self.floors) else 0

    def first_on(self, floor: int) -> int | None:
        """Return the number of the first hit on a floor; None if there is none on it."""
        at = bisect_left(self.floors, floor)
        is_there = at < len(self.floors) and self.floors[at] == floor
        return self.before[at] if is_there else None


# Where the words of a search stand in a text, so that they can be marked.


PAIR = 2  # characters: what the index finds words of scripts without spaces by


def word_places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of ``words`` in ``text``, in order, overlapping ones as one.

    A word that stands nowhere whole is looked for by its pairs of characters, if it is not Latin:
    so the search found it.
    """
    spans: list[tuple[int, int]] = []
    for first, last in sorted(span for word in words for span in _places(text, word)):
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return spans


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    found = [match.span() for match in re.finditer(re.escape(word), text, re.IGNORECASE)]
    yield from found
    if not found and not word.isascii():
        for start in range(len(word) - PAIR + 1):
            pair = re.escape(word[start : start + PAIR])
            yield from (match.span() for match in re.finditer(pair, text))


def units(text: str) -> int:
    """Return the length of ``text`` as a window counts it: in units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


# What of a text went and what came, word by word: a Chinese character is a word.


_WORD = late_pattern(r"[A-Za-z0-9_'’]+|\s+|.", re.DOTALL)
_MOST_WORDS = 4_000  # of both texts: difflib takes some 50 ms for them; longer ones differ whole

Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class DiffPiece:
    kind: Kind
    text: str


def word_diff(before: str, after: str) -> tuple[DiffPiece, ...]:
    """Return the pieces of both texts in reading order; what is empty is left out."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if before == after:
        return (DiffPiece("same", after),) if after else ()
    if len(old) + len(new) > _MOST_WORDS:
        pieces = [DiffPiece("gone", before), DiffPiece("new", after)]
    else:
        pieces = []
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag == "equal":
                pieces.append(DiffPiece("same", "".join(new[c:d])))
            else:
                pieces += [
                    DiffPiece("gone", "".join(old[a:b])),
                    DiffPiece("new", "".join(new[c:d])),
                ]
    return tuple(piece for piece in pieces if piece.text)
