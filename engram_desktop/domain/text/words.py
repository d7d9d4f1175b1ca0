"""Words in a text: where they occur, and how two texts differ."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from typing import Literal

from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# Where a searched text occurs in another: any script, ignoring case. A single Chinese character is
# found like any other text: nothing is split into words.


class SearchedText:
    """A text to search for. An empty one is found nowhere."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._pattern = re.compile(re.escape(self.text), re.IGNORECASE) if self.text else None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of all occurrences."""
        return [m.span() for m in self._pattern.finditer(text)] if self._pattern else []

    def count(self, text: str) -> int:
        return sum(1 for _ in self._pattern.finditer(text)) if self._pattern else 0


@dataclass(frozen=True, slots=True)
class TextHits:
    """The floors with hits, in order. ``before``: the number of hits on the floors above."""

    floors: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    total: int = 0

    @classmethod
    def of(cls, counts: Iterable[tuple[int, int]]) -> TextHits:
        """Make it from floors and their numbers of hits, in order; zeros are left out."""
        floors, before, total = [], [], 0
        for floor, count in counts:
            if count:
                floors.append(floor)
                before.append(total)
                total += count
        return cls(floors, before, total)

    def place(self, number: int) -> tuple[int, int]:
        """Return the floor of a hit, and which of that floor's hits it is."""
        at = bisect_left(self.before, number + 1) - 1
        return self.floors[at], number - self.before[at]

    def from_floor(self, floor: int) -> int:
        """Return the number of the first hit on a floor or after it; 0 if there is none."""
        at = bisect_left(self.floors, floor)
        return self.before[at] if at < len(self.floors) else 0

    def first_on(self, floor: int) -> int | None:
        """Return the number of the first hit on a floor; None without one."""
        at = bisect_left(self.floors, floor)
        is_there = at < len(self.floors) and self.floors[at] == floor
        return self.before[at] if is_there else None


# Where the words of a search are in a text, to mark them.


PAIR = 2  # characters by which the index finds words of scripts without spaces


def word_places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of ``words`` in ``text``, in order, overlapping ones as one.

    A word that does not occur whole is searched by its pairs of characters, unless it is Latin, as
    the index does.
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
    """Return the length of ``text`` in units of UTF-16, as windows count it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


# What was removed from and added to a text, word by word: a Chinese character is a word.


_WORD = late_pattern(r"[A-Za-z0-9_'’]+|\s+|.", re.DOTALL)
_MOST_WORDS = 4_000  # in both texts: difflib takes some 50 ms; longer texts differ as a whole

Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class DiffPiece:
    kind: Kind
    text: str


def word_diff(before: str, after: str) -> tuple[DiffPiece, ...]:
    """Return the pieces of both texts in reading order; empty ones are left out."""
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


# Which of many words are in a long text, and where first, in one pass over the text. This is an
# Aho–Corasick automaton: searching a million tokens for 30,000 keys one by one would take a minute,
# and takes a second so.


_WORD_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


@dataclass(frozen=True, slots=True)
class SearchedWord:
    """A word to search for. ``is_word``: without a letter, digit or underscore beside it.

    As in JavaScript, only ASCII ones count: a Chinese word is found in mid-sentence.
    """

    text: str
    is_case_sensitive: bool = False
    is_word: bool = False


def is_mentioned(needle: SearchedWord, text: str) -> bool:
    """Return whether one needle is in ``text``; for many, `Mentions` is faster."""
    if not needle.is_case_sensitive:
        text = text.lower()
    end = text.find(needle.text) + len(needle.text)
    while end >= len(needle.text):
        if not needle.is_word or _stands_alone(text, end, needle):
            return True
        end = text.find(needle.text, end - len(needle.text) + 1) + len(needle.text)
    return False


class _Node:
    __slots__ = ("ends", "fail", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.fail: _Node = self
        self.ends: tuple[SearchedWord, ...] = ()


class Mentions:
    """Searches for all needles at once."""

    def __init__(self, needles: Iterable[SearchedWord]) -> None:
        known = set(needles)
        self._exact = _automaton(n for n in known if n.is_case_sensitive)
        self._folded = _automaton(n for n in known if not n.is_case_sensitive)

    def find(self, text: str) -> set[SearchedWord]:
        """Return the needles in ``text``."""
        needles: set[SearchedWord] = set()
        if self._exact.next:
            needles.update(_search(self._exact, text))
        if self._folded.next:
            needles.update(_search(self._folded, text.lower()))
        return needles


def _automaton(needles: Iterable[SearchedWord]) -> _Node:
    root = _Node()
    for needle in needles:
        node = root
        for letter in needle.text if needle.is_case_sensitive else needle.text.lower():
            node = node.next.setdefault(letter, _Node())
        if node is not root:
            node.ends += (needle,)
    waiting = deque[_Node]()
    for child in root.next.values():
        child.fail = root
        waiting.append(child)
    while waiting:
        node = waiting.popleft()
        for letter, child in node.next.items():
            fail = node.fail
            while letter not in fail.next and fail is not root:
                fail = fail.fail
            child.fail = fail.next.get(letter, root)
            child.ends += child.fail.ends
            waiting.append(child)
    return root


def _search(root: _Node, text: str) -> Iterator[SearchedWord]:
    node = root
    start = root.next
    for at, letter in enumerate(text):
        if node is root:  # most letters begin no key
            if letter not in start:
                continue
            node = start[letter]
        else:
            while letter not in node.next and node is not root:
                node = node.fail
            node = node.next.get(letter, root)
        for needle in node.ends:
            if not needle.is_word or _stands_alone(text, at + 1, needle):
                yield needle


def _stands_alone(text: str, end: int, needle: SearchedWord) -> bool:
    before = end - len(needle.text) - 1
    return (before < 0 or text[before] not in _WORD_CHARS) and (
        end >= len(text) or text[end] not in _WORD_CHARS
    )
