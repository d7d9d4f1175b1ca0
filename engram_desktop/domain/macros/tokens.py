"""Cut a text with macros into tokens, as SillyTavern's engine does.

What may stand where depends on what is open. One pass from left to right. Text between braces is
cut only where that has a meaning, so that a long argument is one token. Blanks between tokens
belong to none.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import IntEnum

from engram_desktop.domain.macros.javascript_values import BLANK, BLANKS
from engram_desktop.domain.values import dataclass

MAX_DEPTH = 40  # macros in macros; nobody writes more, and each costs frames of the stack


class Kind(IntEnum):
    """What a token is."""

    PLAIN = 0  # text that is in no macro
    BRACE = 1  # one "{" before the two that open a macro
    START = 2
    END = 3
    FLAG = 4
    COMMENT = 5  # "//" where a name is expected
    NAME = 6
    LOCAL = 7  # "." before the name of a variable
    SHARED = 8  # "$" before it
    VARIABLE = 9
    OPERATOR = 10  # that changes a variable, or stands before a value
    COLONS = 11  # "::"
    COLON = 12
    TEXT = 13  # of an argument or a value
    NOTHING = 14  # behind the last token


@dataclass(slots=True)
class Tokens:
    """Tokens side by side: kind, first place, place behind. NOTHING ends them."""

    kinds: list[Kind] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, kind: Kind, start: int, end: int) -> None:
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)


class TooDeepError(ValueError):
    """Macros are nested more deeply than anybody writes them."""


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
    """Goes through one text. ``_open`` are the steps that go on when an inner one is done."""

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
        """Between the opening braces and the name, or behind all there is to a macro."""
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
        """Go on to the arguments; what clings to a name and is none of it is passed over."""
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
        """What stands behind an operator; colons mean nothing here."""
        match = _VALUE.match(self._text, self._at)
        if match is None:
            self._open.pop()
        elif match["open"]:
            self._start()
        else:
            self._words(match.end())

    def _words(self, end: int) -> None:
        """A token without the blanks around it; none if there is nothing else."""
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
