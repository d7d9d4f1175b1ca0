"""What is typed into the search, read: words, quotes, OR, and filters such as ``type:event``.

Whatever is typed is a valid query: what is no filter is a word. Filters and marks may be typed
full-width, and are known in Chinese and in English. A blank means "and", and binds before OR.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from engram_desktop.domain.values import dataclass

HitKind = Literal["chat", "entity", "event", "message", "log", "book"]
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
class Word:
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

    words: tuple[Word, ...] = ()
    without: tuple[Word, ...] = ()
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
    def words(self) -> tuple[Word, ...]:
        """Every word that is looked for, once."""
        return tuple(dict.fromkeys(word for clause in self.clauses for word in clause.words))

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
    words: list[Word] = []
    without: list[Word] = []
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


def _made(piece: _Piece) -> tuple[Word | Filter | None, bool]:
    """Return what a piece stands for, and whether it is what it looks like."""
    if not piece.name:
        value = piece.value[:MAX_WORD]
        return (Word(value, piece.is_quoted) if value.strip() else None), True
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
    return Word(f"{piece.name}:{piece.value}"[:MAX_WORD]), False


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
