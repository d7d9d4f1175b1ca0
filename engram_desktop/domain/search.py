"""Search: the words and filters of a query, matching of texts, and the hits."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from engram_desktop.domain.recall.lexemes import match_query, stem, token_runs
from engram_desktop.domain.values import dataclass

if TYPE_CHECKING:
    from engram_desktop.domain.memory.private_note import NoteKind


# Parsing of a search: words, quotes, OR, and filters such as ``type:event``. Any input is a valid
# query: what is not a filter is a word. Filters and marks may be full-width, in Chinese or English.
# A blank means "and", and binds before OR.


HitKind = Literal["chat", "entity", "event", "message", "log", "note", "book"]
State = Literal["blue", "green", "stale", "locked"]
Field = Literal["type", "entity", "chat", "is"]
KINDS: tuple[HitKind, ...] = get_args(HitKind)  # in the order of their groups

MAX_TEXT = 1_000  # characters read: more is a text pasted by mistake
MAX_WORDS = 24  # words and filters of a query: bounds the work
MAX_WORD = 100  # characters of one word

FIELDS: dict[str, Field] = {
    "type": "type",
    "kind": "type",
    "类型": "type",
    "entity": "entity",
    "实体": "entity",
    "chat": "chat",
    "聊天": "chat",
    "is": "is",
    "状态": "is",
}
KIND_WORDS: dict[str, HitKind] = {
    "chat": "chat",
    "聊天": "chat",
    "entity": "entity",
    "实体": "entity",
    "event": "event",
    "事件": "event",
    "message": "message",
    "原文": "message",
    "消息": "message",
    "楼层": "message",
    "log": "log",
    "日志": "log",
    "note": "note",
    "备注": "note",
    "book": "book",
    "世界书": "book",
}
STATE_WORDS: dict[str, State] = {
    "blue": "blue",
    "buffer": "blue",
    "蓝": "blue",
    "蓝灯": "blue",
    "常驻": "blue",
    "green": "green",
    "archived": "green",
    "绿": "green",
    "绿灯": "green",
    "触发": "green",
    "归档": "green",
    "stale": "stale",
    "过期": "stale",
    "过时": "stale",
    "locked": "locked",
    "锁": "locked",
    "锁定": "locked",
}
_COLONS = ":："
_MINUS = "-－"
_COMMAS = str.maketrans("，、", ",,")
_ALTERNATIVES = ("OR", "|", "｜", "||")
_DOUBLE = '"“”„＂'
_CLOSING = {"「": "」", "『": "』", "《": "》"} | dict.fromkeys(_DOUBLE, _DOUBLE)


@dataclass(frozen=True, slots=True)
class SearchWord:
    """A text that must occur; if quoted, blanks and marks count too."""

    text: str
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A property a hit must have, or must not have. Several ``values`` are alternatives."""

    field: Field
    values: tuple[str, ...]
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """Words and filters that must all match."""

    words: tuple[SearchWord, ...] = ()
    without: tuple[SearchWord, ...] = ()
    filters: tuple[Filter, ...] = ()

    def has_kind(self, kind: HitKind) -> bool:
        """Return whether hits of this kind are wanted."""
        asked = [f for f in self.filters if f.field == "type" and not f.is_excluded]
        return (not asked or any(kind in f.values for f in asked)) and not any(
            kind in f.values for f in self.filters if f.field == "type" and f.is_excluded
        )

    def of(self, field: Field) -> tuple[Filter, ...]:
        return tuple(f for f in self.filters if f.field == field)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Alternatives, of which one must match. ``unknown`` looked like filters and are words."""

    clauses: tuple[Clause, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[SearchWord, ...]:
        """Every word of the query, once each."""
        return tuple(dict.fromkeys(word for clause in self.clauses for word in clause.words))

    @property
    def is_plain(self) -> bool:
        """Whether it is only words that must occur, which an index can answer."""
        return not self.clauses or (
            len(self.clauses) == 1
            and not self.clauses[0].without
            and not self.clauses[0].filters
            and not any(word.is_quoted for word in self.words)
        )

    def for_kind(self, kind: HitKind) -> tuple[Clause, ...]:
        return tuple(clause for clause in self.clauses if clause.has_kind(kind))


@dataclass(frozen=True, slots=True)
class _Piece:
    """One part of the input. ``name`` precedes a colon."""

    name: str
    value: str
    is_quoted: bool
    is_excluded: bool


def parse(text: str) -> SearchQuery:
    """Parse the input."""
    clauses: list[Clause] = []
    unknown: list[str] = []
    words: list[SearchWord] = []
    without: list[SearchWord] = []
    filters: list[Filter] = []

    def close() -> None:
        if words or without or filters:
            clauses.append(
                Clause(
                    tuple(dict.fromkeys(words)),
                    tuple(dict.fromkeys(without)),
                    tuple(dict.fromkeys(filters)),
                )
            )
        for typed in (words, without, filters):
            typed.clear()

    for number, piece in enumerate(_pieces(_clean(text))):
        if number >= MAX_WORDS:
            break
        if not piece.name and not piece.is_quoted and piece.value in _ALTERNATIVES:
            close()
            continue
        made, is_known = _made(piece)
        if not is_known:
            unknown.append(f"{piece.name}:{piece.value}")
        if isinstance(made, Filter):
            filters.append(made)
        elif made is not None:
            (without if piece.is_excluded else words).append(made)
    close()
    return SearchQuery(tuple(clauses), tuple(unknown))


def _clean(text: str) -> str:
    """Remove characters that no text of a story has and no database accepts."""
    return text[:MAX_TEXT].encode("utf-8", "ignore").decode().replace("\0", " ")


def _made(piece: _Piece) -> tuple[SearchWord | Filter | None, bool]:
    """Return the word or filter of a piece, and whether its form was recognised fully."""
    if not piece.name:
        value = piece.value[:MAX_WORD]
        return (SearchWord(value, piece.is_quoted) if value.strip() else None), True
    field = FIELDS[piece.name]
    if field in {"entity", "chat"}:
        value = piece.value.strip()[:MAX_WORD]
        return (Filter(field, (value,), piece.is_excluded) if value else None), True
    known: dict[str, str] = {**(KIND_WORDS if field == "type" else STATE_WORDS)}
    asked = [w for w in piece.value.translate(_COMMAS).split(",") if w.strip()]
    values = [known[w.strip().lower()] for w in asked if w.strip().lower() in known]
    if values or not asked:
        is_known = len(values) == len(asked)
        made = Filter(field, tuple(dict.fromkeys(values)), piece.is_excluded) if values else None
        return made, is_known
    return SearchWord(f"{piece.name}:{piece.value}"[:MAX_WORD]), False


def _pieces(text: str) -> Iterator[_Piece]:
    at, end = 0, len(text)
    while at < end:
        if text[at].isspace():
            at += 1
            continue
        is_excluded = text[at] in _MINUS and at + 1 < end and not text[at + 1].isspace()
        at += is_excluded
        name = _filter_name(text, at)
        at += len(name) + 1 if name else 0
        is_quoted = at < end and text[at] in _CLOSING
        stop = _end_of_quote(text, at) if is_quoted else _end_of_word(text, at)
        value = text[at + 1 : stop] if is_quoted else text[at:stop]
        at = stop + 1 if is_quoted else stop
        yield _Piece(name.lower(), value, is_quoted, is_excluded)


def _filter_name(text: str, at: int) -> str:
    """Return the name of a filter that begins at ``at``, else an empty text."""
    for name in FIELDS:
        stop = at + len(name)
        if text[at:stop].lower() == name and text[stop : stop + 1] in tuple(_COLONS):
            return name
    return ""


def _end_of_quote(text: str, at: int) -> int:
    """Return the end of the quote opened at ``at``; the end of the text if it is unclosed."""
    closing = _CLOSING[text[at]]
    return next((i for i in range(at + 1, len(text)) if text[i] in closing), len(text))


def _end_of_word(text: str, at: int) -> int:
    return next((i for i in range(at, len(text)) if text[i].isspace()), len(text))


# Where the words of a query are in a text, regardless of case, width and composition, and stemmed.
# A word of letters matches any word with the same stem, or with it as a prefix. Everything else
# (Chinese, quotes, numbers with marks) matches literally.


Span = tuple[int, int]
MAX_MARKS = 400  # in one text: only a window around one of them is shown


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in the spelling for comparison; ``starts`` map back, None if the length is equal.

    ``starts`` has the position in the original for each character, and for the end.
    """

    text: str
    starts: tuple[int, ...] | None = None

    def original(self, start: int, end: int) -> Span:
        """Return the part of the original text for a part of this one."""
        if self.starts is None:
            return start, end
        return self.starts[start], max(self.starts[end], self.starts[end - 1] + 1)


class _Folds(dict[int, str]):
    """The folded form of each character, computed at its first use."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, unicodedata.normalize("NFKC", chr(code)).lower())


_FOLDS = _Folds()


def folded(text: str) -> Folded:
    """Return ``text`` in one spelling: NFKC and lower case."""
    if text.isascii():
        return Folded(text.lower())
    one_by_one = text.translate(_FOLDS)
    # Each character gives at least one: if the length is equal, each gave one, in its place.
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
    """One word, prepared for searching."""

    text: str  # folded
    root: str  # of a word of letters or a number, else empty

    @classmethod
    def of(cls, word: SearchWord) -> WordPattern:
        return _pattern(word)

    def spans(self, text: Folded) -> list[Span]:
        """Return its spans, in order, in the original text."""
        found = self._runs(text.text) if self.root else self._written(text.text)
        return [text.original(start, end) for start, end in found]

    def stands(self, text: Folded) -> bool:
        """Return whether it occurs."""
        return bool(self._runs(text.text)) if self.root else self.text in text.text

    def _written(self, text: str) -> list[Span]:
        spans: list[Span] = []
        at = text.find(self.text) if self.text else -1
        while at >= 0 and len(spans) < MAX_MARKS:
            spans.append((at, at + len(self.text)))
            at = text.find(self.text, at + len(self.text))
        return spans

    def _runs(self, text: str) -> list[Span]:
        """Return the words with the same stem, and the matching part of words beginning with it."""
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
def _pattern(word: SearchWord) -> WordPattern:
    text = folded(word.text).text
    if not word.is_quoted:
        text = text.strip()
        runs = list(token_runs(text))
        if len(runs) == 1 and runs[0][2] == text and runs[0][0] != "unspaced":
            return WordPattern(text, stem(text))
    return WordPattern(text, "")


def expression(word: SearchWord) -> str:
    """Return the expression for the lexical index; empty if a word has no token."""
    return match_query(word.text)


def is_settled(word: SearchWord) -> bool:
    """Return whether each row that the index finds has the word, so that none need be read."""
    pattern = WordPattern.of(word)
    if pattern.root:
        return True
    runs = list(token_runs(pattern.text))
    return len(pattern.text) <= 2 and [(k, r) for k, _at, r in runs] == [("unspaced", pattern.text)]


def holds(clause: Clause, texts: Iterable[str]) -> bool:
    """Return whether each word of a clause is in one of ``texts``, and no excluded one is."""
    return holds_folded(clause, [folded(text) for text in texts])


def holds_folded(clause: Clause, sides: Sequence[Folded]) -> bool:
    """As `holds`, for texts that are folded already."""

    def stands(word: SearchWord) -> bool:
        pattern = WordPattern.of(word)
        return any(pattern.stands(side) for side in sides)

    return all(map(stands, clause.words)) and not any(map(stands, clause.without))


def spans(words: Sequence[SearchWord], text: str) -> tuple[Span, ...]:
    """Return the spans of any of ``words`` in ``text``, in order; adjacent ones are joined."""
    side = folded(text)
    found = sorted(span for word in words for span in WordPattern.of(word).spans(side))
    joined: list[Span] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined[:MAX_MARKS])


# The results of a search over the library: hits by kind, each with its passage.


PASSAGE = 160  # characters of a passage: two lines of a wide panel
_BEFORE = 24  # characters shown before the first word of a passage
_GAP = "…"
_BLANKS = str.maketrans("\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


@dataclass(frozen=True, slots=True)
class MarkedPassage:
    """A piece of text in one line, with the spans that match."""

    text: str
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One hit.

    ``ref`` is its id; ``key`` the row key of an event or a private log, or the uid of an entry of a
    worldbook. ``floors`` are its first and last. ``on`` is the subject of a private note, to which
    ``ref`` and ``key`` belong.
    """

    kind: HitKind
    ref: str
    title: MarkedPassage
    passage: MarkedPassage = MarkedPassage("")
    chat_id: str = ""
    chat: str = ""
    branch_id: str = ""
    floors: tuple[int, int] | None = None
    states: frozenset[State] = frozenset()
    key: int | str = 0
    on: NoteKind | None = None


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """Hits of one kind, the best first. ``count`` is their number, shown or not.

    ``is_about``: not all candidates were read; ``count`` is estimated from the ``read`` ones.
    """

    kind: HitKind
    hits: tuple[SearchHit, ...]
    count: int
    is_about: bool = False
    read: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """All hits. ``unread`` are chats that could not be opened."""

    query: SearchQuery = SearchQuery()
    groups: tuple[SearchGroup, ...] = ()
    unread: tuple[str, ...] = field(default=())


def passage_of(text: str, words: Sequence[SearchWord]) -> MarkedPassage:
    """Return the piece of ``text`` with the most matches of ``words``."""
    line = text.translate(_BLANKS)
    marks = spans(words, line)
    start = max(0, _best_start(marks) - _BEFORE)
    if start <= _BEFORE // 2:  # no gap is worth so few characters
        start = 0
    end = start + PASSAGE
    lead, rest = _GAP if start else "", _GAP if end < len(line) else ""
    shift = len(lead) - start
    shown = [(max(a, start), min(b, end)) for a, b in marks if a < end and b > start]
    return MarkedPassage(
        lead + line[start:end] + rest, tuple((a + shift, b + shift) for a, b in shown if a < b)
    )


def title_of(text: str, words: Sequence[SearchWord]) -> MarkedPassage:
    """Return a name with its matches."""
    line = text.translate(_BLANKS)
    return MarkedPassage(line, spans(words, line))


def _best_start(marks: Sequence[Span]) -> int:
    """Return the start of the window with the most matches, the first one if several."""
    best, most = 0, 0
    last = 0
    for first, (start, _end) in enumerate(marks):
        while last < len(marks) and marks[last][1] <= start + PASSAGE - _BEFORE:
            last += 1
        if last - first > most:
            best, most = start, last - first
    return best


# How well a name fits the input: its characters in order, better if close together.


# The scores of matches: only their order matters, chosen by hand on the names of commands.
_WHOLE, _AT_START, _AT_WORD, _SCATTERED = 400, 300, 200, 100
_MOST_SPREAD = 4  # times the length of the input: more is a coincidence


@dataclass(frozen=True, slots=True)
class Fit:
    """The score of a match, higher is better, and the positions of the characters."""

    score: int
    marks: tuple[Span, ...]


def fit(typed: str, name: str) -> Fit | None:
    """Return how well ``name`` fits; None if a word of the input does not occur in it."""
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
    """Find the characters of ``word`` in order, with gaps between them."""
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
