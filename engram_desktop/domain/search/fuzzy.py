"""How well a name fits what is typed of it: its characters in order, close together is better."""

from __future__ import annotations

from engram_desktop.domain.search.matching import Span, folded
from engram_desktop.domain.values import dataclass

# What a find is worth: only their order matters, chosen by hand on the names of the commands.
_WHOLE, _AT_START, _AT_WORD, _SCATTERED = 400, 300, 200, 100
_MOST_SPREAD = 4  # times as long as what is typed: more is a coincidence


@dataclass(frozen=True, slots=True)
class Fit:
    """How well, the more the better, and where the characters stand."""

    score: int
    marks: tuple[Span, ...]


def fit(typed: str, name: str) -> Fit | None:
    """Return how well ``name`` fits; None if a word of what is typed is nowhere in it."""
    side = folded(name)
    total = 0
    marks: list[Span] = []
    for word in folded(typed).text.split():
        found = _word(word, side.text)
        if found is None:
            return None
        score, places = found
        total += score
        marks += [side.original(start, end) for start, end in places]
    return Fit(total - len(name) // 8, _joined(marks))


def _word(word: str, text: str) -> tuple[int, list[Span]] | None:
    at = text.find(word)
    if at == 0:
        return (_WHOLE if len(word) == len(text) else _AT_START), [(0, len(word))]
    at_word = text.find(f" {word}")
    if at_word >= 0:
        return _AT_WORD, [(at_word + 1, at_word + 1 + len(word))]
    if at > 0:
        return _AT_WORD - 10, [(at, at + len(word))]
    return _scattered(word, text)


def _scattered(word: str, text: str) -> tuple[int, list[Span]] | None:
    """Find the characters of ``word`` one after the other, apart from each other."""
    best: list[Span] | None = None
    for first in (n for n, char in enumerate(text) if char == word[0]):
        places = [(first, first + 1)]
        at = first + 1
        for char in word[1:]:
            at = text.find(char, at) + 1
            if not at:
                return _worth(word, best)
            places.append((at - 1, at))
        if best is None or places[-1][1] - places[0][0] < best[-1][1] - best[0][0]:
            best = places
    return _worth(word, best)


def _worth(word: str, places: list[Span] | None) -> tuple[int, list[Span]] | None:
    if places is None:
        return None
    spread = places[-1][1] - places[0][0]
    if spread > _MOST_SPREAD * len(word) + _MOST_SPREAD * 2:
        return None
    return _SCATTERED - spread, places


def _joined(marks: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(marks):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
