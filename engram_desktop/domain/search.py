"""Search: the words and filters of a query, which texts match, and the hits."""

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


# What is typed into the search, read: words, quotes, OR, and filters such as ``type:event``.
#
# Whatever is typed is a valid query: what is no filter is a word. Filters and marks may be typed
# full-width, and are known in Chinese and in English. A blank means "and", and binds before OR.


HitKind = Literal["chat", "entity", "event", "message", "log", "note", "book"]
State = Literal["blue", "green", "stale", "locked"]
Field = Literal["type", "entity", "chat", "is"]
KINDS: tuple[HitKind, ...] = get_args(HitKind)  # in the order their groups are shown

MAX_TEXT = 1_000  # characters that are read: more is a text that was pasted by mistake
MAX_WORDS = 24  # words and filters of a query: bounds what the library is asked
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
    """Something a text must hold; of a quoted one blanks and marks count too."""

    text: str
    is_quoted: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """What a hit must be, or must not be. Several ``values`` are alternatives."""

    field: Field
    values: tuple[str, ...]
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """Words and filters that must all hold."""

    words: tuple[SearchWord, ...] = ()
    without: tuple[SearchWord, ...] = ()
    filters: tuple[Filter, ...] = ()

    def has_kind(self, kind: HitKind) -> bool:
        """Whether a hit of this kind is asked for."""
        asked = [f for f in self.filters if f.field == "type" and not f.is_excluded]
        return (not asked or any(kind in f.values for f in asked)) and not any(
            kind in f.values for f in self.filters if f.field == "type" and f.is_excluded
        )

    def of(self, field: Field) -> tuple[Filter, ...]:
        return tuple(f for f in self.filters if f.field == field)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Alternatives, of which one must hold. ``unknown`` were typed like filters and are words."""

    clauses: tuple[Clause, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[SearchWord, ...]:
        """Every word that is looked for, once."""
        return tuple(dict.fromkeys(word for clause in self.clauses for word in clause.words))

    @property
    def is_plain(self) -> bool:
        """Whether it is words alone, all of which are looked for: what an index answers."""
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
    """One thing that was typed. ``name`` stands before a colon."""

    name: str
    value: str
    is_quoted: bool
    is_excluded: bool


def parse(text: str) -> SearchQuery:
    """Read what was typed."""
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
    """Leave out what no text of a story holds and no database takes."""
    return text[:MAX_TEXT].encode("utf-8", "ignore").decode().replace("\0", " ")


def _made(piece: _Piece) -> tuple[SearchWord | Filter | None, bool]:
    """Return what a piece stands for, and whether it is what it looks like."""
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
    """Return the name of a filter that begins at ``at``, else nothing."""
    for name in FIELDS:
        stop = at + len(name)
        if text[at:stop].lower() == name and text[stop : stop + 1] in tuple(_COLONS):
            return name
    return ""


def _end_of_quote(text: str, at: int) -> int:
    """Return where the quote that is opened at ``at`` is closed: at the end if it is not."""
    closing = _CLOSING[text[at]]
    return next((i for i in range(at + 1, len(text)) if text[i] in closing), len(text))


def _end_of_word(text: str, at: int) -> int:
    return next((i for i in range(at, len(text)) if text[i].isspace()), len(text))


# Where the words of a query stand in a text: in any case, width and composition, and stemmed.
#
# A word of letters stands wherever a word of the same stem does, or one that begins like it. All
# else (Chinese, quotes, numbers with marks) stands where it is written.


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
    def of(cls, word: SearchWord) -> WordPattern:
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
def _pattern(word: SearchWord) -> WordPattern:
    text = folded(word.text).text
    if not word.is_quoted:
        text = text.strip()
        runs = list(token_runs(text))
        if len(runs) == 1 and runs[0][2] == text and runs[0][0] != "unspaced":
            return WordPattern(text, stem(text))
    return WordPattern(text, "")


def expression(word: SearchWord) -> str:
    """Return what the lexical index is asked for a word: empty where it holds nothing to ask by."""
    return match_query(word.text)


def is_settled(word: SearchWord) -> bool:
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

    def stands(word: SearchWord) -> bool:
        pattern = WordPattern.of(word)
        return any(pattern.stands(side) for side in sides)

    return all(map(stands, clause.words)) and not any(map(stands, clause.without))


def spans(words: Sequence[SearchWord], text: str) -> tuple[Span, ...]:
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


# What a search over the library found: hits by kind, each with the passage the words stand in.


PASSAGE = 160  # characters of a passage: two lines of a wide panel
_BEFORE = 24  # characters shown before the first word of a passage
_GAP = "…"
_BLANKS = str.maketrans("\n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


@dataclass(frozen=True, slots=True)
class MarkedPassage:
    """A piece of text in one line, and which characters of it are looked for."""

    text: str
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One thing that was found.

    ``ref`` is its id; ``key`` the row key of an event or a private log, or the uid of an entry of
    a worldbook. ``floors`` are the first and last it tells of. ``on`` is what a private note is on:
    ``ref`` and ``key`` are of that.
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


def passage_of(text: str, words: Sequence[SearchWord], width: int = PASSAGE) -> MarkedPassage:
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
    return MarkedPassage(
        lead + line[start:end] + rest, tuple((a + shift, b + shift) for a, b in shown if a < b)
    )


def title_of(text: str, words: Sequence[SearchWord]) -> MarkedPassage:
    """Return a name with what is looked for in it."""
    line = text.translate(_BLANKS)
    return MarkedPassage(line, spans(words, line))


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


# How well a name fits what is typed of it: its characters in order, close together is better.


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
