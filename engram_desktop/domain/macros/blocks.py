"""The syntax of macros: tokens, and trees of macro calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field
from enum import IntEnum
from functools import lru_cache

from engram_desktop.domain.macros.scope import BLANK, BLANKS
from engram_desktop.domain.values import dataclass

# Tokenise a text with macros as SillyTavern's engine does. Which tokens are possible depends on
# what is open. This is one pass from left to right. Text between braces is split only where that
# has a meaning, so a long argument is one token. Blanks between tokens belong to none.


MAX_DEPTH = 40  # nesting of macros; nobody writes more, and each level costs stack frames


class Kind(IntEnum):
    """The kinds of tokens."""

    PLAIN = 0  # text outside of macros
    BRACE = 1  # one "{" before the two that open a macro
    START = 2
    END = 3
    FLAG = 4
    COMMENT = 5  # "//" in place of a name
    NAME = 6
    LOCAL = 7  # "." before the name of a chat variable
    SHARED = 8  # "$" before that of a global one
    VARIABLE = 9
    OPERATOR = 10  # changes a variable, or precedes a value
    COLONS = 11  # "::"
    COLON = 12
    TEXT = 13  # of an argument or a value
    NOTHING = 14  # after the last token


@dataclass(slots=True)
class Tokens:
    """Tokens in parallel lists: kind, start, end. NOTHING ends them."""

    kinds: list[Kind] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, kind: Kind, start: int, end: int) -> None:
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)


class TooDeepError(ValueError):
    """Macros are nested too deeply."""


_PLAIN = re.compile(r"(?:[^{]+|\{(?!\{))+")
_BLANKS = re.compile(f"[{BLANK}]+")
_HEAD = re.compile(
    rf"[{BLANK}]*(?:(?P<end>\}}\}})|(?P<comment>//)|(?P<local>\.)|(?P<shared>\$)"
    r"|(?P<flag>[!?~#/>])|(?P<name>[A-Za-z][A-Za-z0-9_\-]*))"
)
_AFTER_NAME = re.compile(rf"(?P<end>(?=\}}\}}))|[{BLANK}]+|(?=[:|}}])")
_AGAIN = re.compile(rf"[{BLANK}:|}}]")
_ARGUMENT = re.compile(r"(?P<open>\{\{)|(?P<colons>::)|(?P<colon>:)|(?:[^{}:]+|\{(?!\{)|\}(?!\}))+")
_VALUE = re.compile(r"(?P<open>\{\{)|(?:[^{}]+|\{(?!\{)|\}(?!\}))+")
_VARIABLE = re.compile(rf"[{BLANK}]*(?P<name>[A-Za-z](?:[A-Za-z0-9_\-]*[A-Za-z0-9_])?)")
_OPERATOR = re.compile(
    rf"[{BLANK}]*(?:(?P<step>\+\+|--)"
    r"|(?P<value>\?\?=|\?\?|\|\|=|\|\||-=|==|!=|>=|>|<=|<|\+=|=))"
)


class _Lexer:
    """Tokenises one text. ``_open`` holds the steps to resume when an inner one ends."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0
        self._tokens = Tokens()
        self._open = [self._plain]

    def run(self) -> Tokens:
        while self._at < len(self._text):
            self._open[-1]()
        self._tokens.add(Kind.NOTHING, len(self._text), len(self._text))
        return self._tokens

    def _take(self, kind: Kind, end: int) -> None:
        self._tokens.add(kind, self._at, end)
        self._at = end

    def _start(self) -> None:
        self._take(Kind.START, self._at + 2)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooDeepError
        self._open.append(self._head)

    def _plain(self) -> None:
        if match := _PLAIN.match(self._text, self._at):
            self._take(Kind.PLAIN, match.end())
        elif self._text.startswith("{{{", self._at):
            self._take(Kind.BRACE, self._at + 1)
        else:
            self._start()

    def _head(self) -> None:
        """Read between the opening braces and the name, or after the end of a macro's parts."""
        match = _HEAD.match(self._text, self._at)
        if match is None:
            if blanks := _BLANKS.match(self._text, self._at):
                self._at = blanks.end()
            self._leave_head()
            return
        kind = str(match.lastgroup)
        self._at = match.start(kind)
        end = match.end()
        if kind == "end":
            self._take(Kind.END, end)
            self._leave_head()
        elif kind == "flag":
            self._take(Kind.FLAG, end)
        elif kind == "comment":
            self._take(Kind.COMMENT, end)
            self._open.append(self._arguments)
        elif kind == "name":
            self._take(Kind.NAME, end)
            self._open.append(self._after_name)
        else:
            self._take(Kind.LOCAL if kind == "local" else Kind.SHARED, end)
            self._open.append(self._variable)

    def _leave_head(self) -> None:
        self._depth -= 1
        self._open.pop()

    def _after_name(self) -> None:
        """Go on to the arguments; characters directly after a name are skipped."""
        match = _AFTER_NAME.match(self._text, self._at)
        if match is None:
            again = _AGAIN.search(self._text, self._at + 1)
            self._at = again.start() if again else len(self._text)
            return
        self._at = match.end()
        self._open.pop()
        if match["end"] is None:
            self._open.append(self._arguments)

    def _arguments(self) -> None:
        match = _ARGUMENT.match(self._text, self._at)
        if match is None:
            self._open.pop()
        elif match["open"]:
            self._start()
        elif match["colons"] or match["colon"]:
            self._take(Kind.COLONS if match["colons"] else Kind.COLON, match.end())
        else:
            self._words(match.end())

    def _value(self) -> None:
        """Read the value after an operator; colons have no meaning in it."""
        match = _VALUE.match(self._text, self._at)
        if match is None:
            self._open.pop()
        elif match["open"]:
            self._start()
        else:
            self._words(match.end())

    def _words(self, end: int) -> None:
        """Add a token without the blanks around it, unless it is empty."""
        words = self._text[self._at : end]
        if inner := words.strip(BLANKS):
            self._at += len(words) - len(words.lstrip(BLANKS))
            self._tokens.add(Kind.TEXT, self._at, self._at + len(inner))
        self._at = end

    def _variable(self) -> None:
        self._open.pop()
        if match := _VARIABLE.match(self._text, self._at):
            self._at = match.start("name")
            self._take(Kind.VARIABLE, match.end())
            self._open.append(self._operator)
        elif blanks := _BLANKS.match(self._text, self._at):
            self._at = blanks.end()

    def _operator(self) -> None:
        match = _OPERATOR.match(self._text, self._at)
        if match is None:
            if blanks := _BLANKS.match(self._text, self._at):
                self._at = blanks.end()
            self._open.pop()
            return
        self._at = match.start("step" if match["step"] else "value")
        self._take(Kind.OPERATOR, match.end())
        if match["value"]:
            self._open[-1] = self._value


def tokens_of(text: str) -> Tokens:
    """Return the tokens of ``text``. Raises TooDeepError."""
    return _Lexer(text).run()


# Parse a text with macros: names, flags, arguments, variables, and nested macros. Errors are
# repaired as in SillyTavern's parser: a missing brace is assumed if what follows allows it, one
# superfluous token is skipped, and otherwise a macro ends where an outer one can continue. A macro
# without an end is text. No values are computed here.


_REMEMBERED_CHARS = 20_000  # longer texts are not cached
_WORDS = frozenset({Kind.START, Kind.TEXT})
_OUTSIDE = frozenset({Kind.PLAIN, Kind.BRACE, Kind.START})
_PIECES = frozenset({Kind.START, Kind.TEXT, Kind.COLON})
_END = frozenset({Kind.END})
_COLONS = frozenset({Kind.COLONS})
_OPENS_MACRO = frozenset(
    {Kind.FLAG, Kind.COMMENT, Kind.NAME, Kind.LOCAL, Kind.SHARED}
)  # after "{{"


@dataclass(slots=True)
class TokenSpan:
    """An argument, or the value of a variable, as a span of tokens."""

    start: int = -1  # -1 if empty
    end: int = -1
    is_marked: bool = False  # its first text token begins with "/"
    has_text: bool = False
    macros: list[MacroCall] = field(default_factory=list)

    def hold(self, start: int, end: int) -> None:
        """Extend the span by one more token or macro."""
        if end < 0:
            return
        if self.start < 0:
            self.start = start
        self.end = max(self.end, end)


@dataclass(slots=True)
class Shorthand:
    """A variable written with a sign: ``.name`` of the chat, ``$name`` of all chats."""

    is_shared: bool
    name: str = ""
    operator: str = ""
    value: TokenSpan | None = None


@dataclass(slots=True)
class MacroCall:
    """One macro in a text, from ``start`` up to ``end``."""

    start: int
    end: int
    flags: str = ""
    name: str = ""
    arguments: list[TokenSpan] = field(default_factory=list)
    variable: Shorthand | None = None
    closed_at: int = -1  # position of its closing braces; -1 if it has none
    is_ended: bool = False  # ended by what follows, as if it were closed there

    @property
    def is_whole(self) -> bool:
        return self.closed_at >= 0

    @property
    def is_closing(self) -> bool:
        """Whether it ends a scope: ``{{/name}}``, or ``{{///}}`` for a comment."""
        if not self.name:
            return False
        if "/" in self.flags:
            return True
        return self.name == "//" and bool(self.arguments) and self.arguments[0].is_marked

    def inner(self) -> Iterator[MacroCall]:
        """Yield the macros directly inside it."""
        for piece in self.arguments:
            yield from piece.macros
        if self.variable is not None and self.variable.value is not None:
            yield from self.variable.value.macros


def parse(text: str) -> tuple[MacroCall, ...]:
    """Return the complete macros of ``text``, in order; none if they nest too deeply."""
    return whole(document(text))


def whole(calls: Iterable[MacroCall]) -> tuple[MacroCall, ...]:
    """Return the closed macros; in place of an unclosed one, the closed ones inside it."""
    return tuple(_whole(calls))


def document(text: str) -> tuple[MacroCall, ...]:
    """Return the outermost macros of ``text``, closed or not."""
    if "{{" not in text:
        return ()
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _read(text)


def _read(text: str) -> tuple[MacroCall, ...]:
    try:
        return tuple(_Parser(text).document())
    except TooDeepError:
        return ()


_remembered = lru_cache(maxsize=256)(_read)


def _whole(calls: Iterable[MacroCall]) -> Iterator[MacroCall]:
    for call in calls:
        if call.is_whole:
            yield call
        else:
            yield from _whole(call.inner())


class _FaultError(Exception):
    """An unexpected token."""


class _Parser:
    """Parses the tokens of one text.

    ``_ways_on`` holds what may follow each of the parts being read.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        tokens = tokens_of(text)
        self._kinds, self._starts, self._ends = tokens.kinds, tokens.starts, tokens.ends
        self._at = 0
        self._ways_on: list[frozenset[Kind]] = []

    def document(self) -> list[MacroCall]:
        calls: list[MacroCall] = []
        while (kind := self._kinds[self._at]) != Kind.NOTHING:
            if kind == Kind.START and self._kinds[self._at + 1] in _OPENS_MACRO:
                try:
                    self._macro(calls, _OUTSIDE, _OUTSIDE)
                except _FaultError:  # leads to the end of the text
                    break
            else:
                self._at += 1
        return calls

    def _next(self, ahead: int = 0) -> Kind:
        return self._kinds[min(self._at + ahead, len(self._kinds) - 1)]

    @contextmanager
    def _mending(self, follows: frozenset[Kind]) -> Iterator[None]:
        """Read a part that ``follows`` may come after; resume there after an error.

        If an outer part can resume earlier, the error is left to that.
        """
        self._ways_on.append(follows)
        try:
            yield
        except _FaultError:
            resuming = frozenset[Kind]().union(*self._ways_on)
            at = self._at
            while self._kinds[at] not in resuming and self._kinds[at] != Kind.NOTHING:
                at += 1
            if self._kinds[at] not in follows:
                raise
            self._at = at
        finally:
            self._ways_on.pop()

    def _macro(
        self, into: list[MacroCall], follows: frozenset[Kind], after_end: frozenset[Kind]
    ) -> None:
        """Read a macro; ``after_end`` is what may follow its closing braces."""
        call = MacroCall(self._starts[self._at], self._ends[self._at])
        into.append(call)
        self._at += 1
        with self._mending(follows):
            while self._next() == Kind.FLAG:
                call.flags += self._text[self._starts[self._at]]
                self._take(call)
            self._named(call)
            self._close(call, after_end)
            call.end = max(call.end, self._ends[self._at - 1])

    def _named(self, call: MacroCall) -> None:
        """Read the kind of a macro: a variable, or a name with its arguments."""
        if self._next() in {Kind.LOCAL, Kind.SHARED}:
            self._variable(call)
        elif self._next() in {Kind.COMMENT, Kind.NAME}:
            self._body(call)
        else:
            raise _FaultError

    def _take(self, call: MacroCall) -> None:
        call.end = max(call.end, self._ends[self._at])
        self._at += 1

    def _close(self, call: MacroCall, after_end: frozenset[Kind]) -> None:
        if self._next() != Kind.END:
            if self._next() in after_end:
                call.is_ended = True
                return
            if self._next(1) != Kind.END:
                raise _FaultError
            self._at += 1
        call.closed_at = self._starts[self._at]
        self._take(call)

    def _body(self, call: MacroCall) -> None:
        with self._mending(_END):
            call.name = self._text[self._starts[self._at] : self._ends[self._at]]
            self._take(call)
            if self._next() in {Kind.COLONS, *_PIECES}:
                self._arguments(call)

    def _arguments(self, call: MacroCall) -> None:
        if self._next() != Kind.COLONS:
            if self._next() == Kind.COLON:
                self._take(call)
            piece = self._piece(call)
            if self._next() not in {*_PIECES, Kind.COLONS}:
                raise _FaultError
            self._read(piece, _PIECES | {Kind.COLONS}, _PIECES | {Kind.COLONS, Kind.END})
            call.end = max(call.end, piece.end)
            return
        while self._next() == Kind.COLONS:
            self._take(call)
            piece = self._piece(call)
            try:
                with self._mending(_COLONS):
                    self._read(piece, _PIECES, _PIECES | {Kind.COLONS, Kind.END})
            finally:
                call.end = max(call.end, piece.end)

    @staticmethod
    def _piece(call: MacroCall) -> TokenSpan:
        piece = TokenSpan()
        call.arguments.append(piece)
        return piece

    def _read(self, piece: TokenSpan, allowed: frozenset[Kind], after_end: frozenset[Kind]) -> None:
        """Read text and macros while their kinds are ``allowed``."""
        while (kind := self._next()) in allowed:
            start = self._starts[self._at]
            if kind == Kind.START:
                at = len(piece.macros)
                try:
                    self._macro(piece.macros, allowed, after_end)
                finally:
                    piece.hold(start, piece.macros[at].end)
                continue
            if not piece.has_text:
                piece.has_text = True
                piece.is_marked = self._text[start] == "/"
            piece.hold(start, self._ends[self._at])
            self._at += 1

    def _variable(self, call: MacroCall) -> None:
        variable = Shorthand(self._next() == Kind.SHARED)
        call.variable = variable
        with self._mending(_END):
            self._take(call)
            self._variable_name(call, variable)
            if self._next() == Kind.OPERATOR:
                variable.operator = self._text[self._starts[self._at] : self._ends[self._at]]
                self._take(call)
                if variable.operator not in {"++", "--"}:
                    variable.value = TokenSpan()
                    self._read(variable.value, _WORDS, _WORDS | _END)
                    call.end = max(call.end, variable.value.end)

    def _variable_name(self, call: MacroCall, variable: Shorthand) -> None:
        if self._next() != Kind.VARIABLE:
            if self._next() in {Kind.OPERATOR, Kind.END}:  # a variable without a name
                return
            if self._next(1) != Kind.VARIABLE:
                raise _FaultError
            self._at += 1
        variable.name = self._text[self._starts[self._at] : self._ends[self._at]]
        self._take(call)
