"""Where the words of a search stand in a text, so that they can be marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
