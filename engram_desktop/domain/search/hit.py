"""What a search over the library found: hits by kind, each with the passage the words stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from engram_desktop.domain.search.matching import Span, spans
from engram_desktop.domain.search.query import HitKind, SearchQuery, State, Word
from engram_desktop.domain.values import dataclass

PASSAGE = 160  # characters of a passage: two lines of a wide panel
_BEFORE = 24  # characters shown before the first word of a passage
_GAP = "…"
_BLANKS = str.maketrans("\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text in one line, and which characters of it are looked for."""

    text: str
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One thing that was found.

    ``ref`` is its id; ``key`` the row key of an event or a private log, or the uid of an entry of
    a worldbook. ``floors`` are the first and last it tells of.
    """

    kind: HitKind
    ref: str
    title: Passage
    passage: Passage = Passage("")
    chat_id: str = ""
    chat: str = ""
    branch_id: str = ""
    floors: tuple[int, int] | None = None
    states: frozenset[State] = frozenset()
    key: int | str = 0


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """Hits of one kind, the best first. ``count`` is how many there are, shown or not.

    ``is_about`` says that not all were looked through: ``count`` follows from those that were,
    ``read`` of them.
    """

    kind: HitKind
    hits: tuple[SearchHit, ...]
    count: int
    is_about: bool = False
    read: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """All that was found. ``unread`` are chats that could not be opened."""

    query: SearchQuery = SearchQuery()
    groups: tuple[SearchGroup, ...] = ()
    unread: tuple[str, ...] = field(default=())

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)


def passage_of(text: str, words: Sequence[Word], width: int = PASSAGE) -> Passage:
    """Return the piece of ``text`` where the most of ``words`` stand together."""
    line = text.translate(_BLANKS)
    marks = spans(words, line)
    start = max(0, _best_start(marks, width) - _BEFORE)
    if start <= _BEFORE // 2:  # no gap is worth so few characters
        start = 0
    end = start + width
    lead, rest = _GAP if start else "", _GAP if end < len(line) else ""
    shift = len(lead) - start
    shown = [(max(a, start), min(b, end)) for a, b in marks if a < end and b > start]
    return Passage(
        lead + line[start:end] + rest, tuple((a + shift, b + shift) for a, b in shown if a < b)
    )


def title_of(text: str, words: Sequence[Word]) -> Passage:
    """Return a name with what is looked for in it."""
    line = text.translate(_BLANKS)
    return Passage(line, spans(words, line))


def _best_start(marks: Sequence[Span], width: int) -> int:
    """Return where the window begins that holds the most marks, the first of those."""
    best, most = 0, 0
    last = 0
    for first, (start, _end) in enumerate(marks):
        while last < len(marks) and marks[last][1] <= start + width - _BEFORE:
            last += 1
        if last - first > most:
            best, most = start, last - first
    return best
