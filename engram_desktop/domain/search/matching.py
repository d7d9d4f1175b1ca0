"""Where the words of a query stand in a text: in any case, width and composition, and stemmed.

A word of letters stands wherever a word of the same stem does, or one that begins like it. All
else (Chinese, quotes, numbers with marks) stands where it is written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from engram_desktop.domain.recall.lexemes import match_query, stem, token_runs
from engram_desktop.domain.search.query import Clause, Word
from engram_desktop.domain.values import dataclass

Span = tuple[int, int]
MAX_MARKS = 400  # of one text: a window around one of them is shown


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the spelling in which it is compared; ``starts`` lead back, None if it is as long.

    ``starts`` holds for every character, and for the end, where in the original it comes from.
    """

    text: str
    starts: tuple[int, ...] | None = None

    def original(self, start: int, end: int) -> Span:
        """Return the part of the original text that a part of this one comes from."""
        if self.starts is None:
            return start, end
        return self.starts[start], max(self.starts[end], self.starts[end - 1] + 1)


class _Folds(dict[int, str]):
    """What each character is folded to, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, unicodedata.normalize("NFKC", chr(code)).lower())


_FOLDS = _Folds()


def folded(text: str) -> Folded:
    """Return ``text`` in one spelling: NFKC and lower case."""
    if text.isascii():
        return Folded(text.lower())
    one_by_one = text.translate(_FOLDS)
    # Each character gives one at least: as long as before, and each gave one, in its place.
    if len(one_by_one) == len(text) and unicodedata.is_normalized("NFC", one_by_one):
        return Folded(one_by_one)
    pieces: list[str] = []
    starts: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        piece = unicodedata.normalize("NFKC", text[at:end]).lower()
        pieces.append(piece)
        starts += [at] * len(piece)
        at = end
    return Folded("".join(pieces), (*starts, len(text)))


@dataclass(frozen=True, slots=True)
class WordPattern:
    """One word, ready to be looked for."""

    text: str  # folded
    root: str  # of a word of letters alone or a number, else empty

    @classmethod
    def of(cls, word: Word) -> WordPattern:
        return _pattern(word)

    def spans(self, text: Folded) -> list[Span]:
        """Return where it stands, in order, in the original text."""
        found = self._runs(text.text) if self.root else self._written(text.text)
        return [text.original(start, end) for start, end in found]

    def stands(self, text: Folded) -> bool:
        """Whether it stands anywhere."""
        return bool(self._runs(text.text)) if self.root else self.text in text.text

    def _written(self, text: str) -> list[Span]:
        spans: list[Span] = []
        at = text.find(self.text) if self.text else -1
        while at >= 0 and len(spans) < MAX_MARKS:
            spans.append((at, at + len(self.text)))
            at = text.find(self.text, at + len(self.text))
        return spans

    def _runs(self, text: str) -> list[Span]:
        """Return words of the same stem, and what is typed of words that begin with it."""
        spans: list[Span] = []
        if self.root not in text and self.text not in text:
            return spans
        for kind, start, run in token_runs(text):
            is_same = run == self.text or (kind == "word" and stem(run) == self.root)
            if is_same or (kind == "word" and run.startswith(self.text)):
                spans.append((start, start + len(run if is_same else self.text)))
            if len(spans) >= MAX_MARKS:
                break
        return spans


@lru_cache(maxsize=256)
def _pattern(word: Word) -> WordPattern:
    text = folded(word.text).text
    if not word.is_quoted:
        text = text.strip()
        runs = list(token_runs(text))
        if len(runs) == 1 and runs[0][2] == text and runs[0][0] != "unspaced":
            return WordPattern(text, stem(text))
    return WordPattern(text, "")


def expression(word: Word) -> str:
    """Return what the lexical index is asked for a word: empty where it holds nothing to ask by."""
    return match_query(word.text)


def is_settled(word: Word) -> bool:
    """Whether every row the index finds for a word holds it, so that none need be read."""
    pattern = WordPattern.of(word)
    if pattern.root:
        return True
    runs = list(token_runs(pattern.text))
    return len(pattern.text) <= 2 and [(k, r) for k, _at, r in runs] == [("unspaced", pattern.text)]


def holds(clause: Clause, texts: Iterable[str]) -> bool:
    """Whether each word of a clause stands in one of ``texts``, and no excluded one does."""
    return holds_folded(clause, [folded(text) for text in texts])


def holds_folded(clause: Clause, sides: Sequence[Folded]) -> bool:
    """As `holds`, of texts that are folded already."""

    def stands(word: Word) -> bool:
        pattern = WordPattern.of(word)
        return any(pattern.stands(side) for side in sides)

    return all(map(stands, clause.words)) and not any(map(stands, clause.without))


def spans(words: Sequence[Word], text: str) -> tuple[Span, ...]:
    """Return where any of ``words`` stand in ``text``, in order; those that touch are one."""
    side = folded(text)
    found = sorted(span for word in words for span in WordPattern.of(word).spans(side))
    joined: list[Span] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined[:MAX_MARKS])
