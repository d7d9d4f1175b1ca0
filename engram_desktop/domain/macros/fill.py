"""Fill the macros of a text: SillyTavern's, and the variables of our own prompts.

A value is put where its macro stands and is never parsed again, so that braces in a story have no
effect. An unknown macro stays as it is and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from engram_desktop.domain.macros.blocks import MacroCall, Parts, parse
from engram_desktop.domain.macros.functions import FUNCTIONS
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.macros.values import folded
from engram_desktop.domain.values import dataclass

MAX_CHARS = 2_000_000  # of what comes out
_TRIMMED = "\x00trim\x00"
_AROUND_TRIM = re.compile(rf"[\r\n]*{_TRIMMED}[\r\n]*")
_FALSE = frozenset({"", "0", "false", "off", "no"})
Fill = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Expanded:
    """``text`` with its macros filled; ``unknown`` are the names without a meaning, once each."""

    text: str
    unknown: tuple[str, ...] = ()


def fill(text: str, scope: MacroScope, literal: Fill | None = None) -> Expanded:
    """Fill ``text``. ``literal`` may change what is not a macro, arguments included."""
    if "{{" not in text and literal is None:
        return Expanded(text)
    run = _Run(scope, literal)
    output = run.text(parse(text))
    return Expanded(_AROUND_TRIM.sub("", output), tuple(run.unknown))


def expand_lines(template: str, values: Mapping[str, str]) -> str:
    """Fill ``template`` by plain values; drop a line whose macros are all known and all empty."""
    scope = MacroScope(values)
    lines = []
    for line in template.splitlines():
        calls = [part for part in parse(line) if isinstance(part, MacroCall)]
        if calls and all(scope.lookup.get(call.name) == "" for call in calls):
            continue
        lines.append(fill(line, scope).text)
    return "\n".join(lines).strip()


def names_in(template: str) -> tuple[str, ...]:
    """Names of the macros used in ``template``, in order, once each, as they are written."""
    names: dict[str, None] = {}
    _collect(parse(template), names)
    return tuple(names)


def unknown_macros(template: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Names used in ``template`` that neither ``known`` nor any function has."""
    values = {folded(name) for name in known}
    return tuple(n for n in names_in(template) if not is_known(folded(n), values))


def is_known(name: str, values: frozenset[str] | set[str]) -> bool:
    """Whether a folded name is one of ``values``, of a function, or of a block."""
    plain = name.lstrip("/") if name not in {"//", "///"} else "//"
    return plain in values or plain in FUNCTIONS or plain in {"if", "else", "trim", "//"}


def _collect(parts: Parts, names: dict[str, None]) -> None:
    for part in parts:
        if isinstance(part, str):
            continue
        names.setdefault(_spelling(part), None)
        for inner in (*part.arguments, part.body, part.otherwise):
            _collect(inner, names)
        if not part.name:
            _collect(part.inner, names)


def _spelling(call: MacroCall) -> str:
    head = call.inner[0] if call.inner and isinstance(call.inner[0], str) else ""
    return re.split(r"::?|\s", head.strip(), maxsplit=1)[0] or call.name


class _Run:
    """One filling of one text."""

    def __init__(self, scope: MacroScope, literal: Fill | None) -> None:
        self._scope = scope
        self._literal = literal
        self._chance = Random(scope.seed)  # noqa: S311 - chance of a story, not of a secret
        self._chars = 0
        self.unknown: dict[str, None] = {}

    def text(self, parts: Parts) -> str:
        pieces = []
        for part in parts:
            if isinstance(part, str):
                piece = self._literal(part) if self._literal else part
            else:
                piece = self._value(part)
            self._chars += len(piece)
            if self._chars > MAX_CHARS:
                break
            pieces.append(piece)
        return "".join(pieces)

    def _value(self, call: MacroCall) -> str:
        match call.name:
            case "//" | "///":
                return ""
            case "if" if call.is_block:
                return self._either(call)
            case "trim":
                return self.text(call.body).strip() if call.is_block else _TRIMMED
        if not call.arguments and call.name in self._scope.lookup:
            return self._scope.lookup[call.name]
        function = FUNCTIONS.get(call.name)
        if function is not None:
            arguments = [self.text(argument) for argument in call.arguments]
            value = function(self._scope, arguments, call, self._chance)
            if value is not None:
                return value
        self.unknown.setdefault(_spelling(call), None)
        return "{{" + self.text(call.inner) + "}}"

    def _either(self, call: MacroCall) -> str:
        condition = "::".join(self.text(argument) for argument in call.arguments).strip()
        is_negated = condition.startswith("!")
        condition = condition.removeprefix("!").strip()
        only_argument = call.arguments[0] if len(call.arguments) == 1 else ()
        if len(only_argument) == 1 and isinstance(only_argument[0], str):
            # A bare name stands for what it names: {{if charDescription}}.
            condition = self._scope.lookup.get(folded(condition), condition)
        is_true = (condition.strip().casefold() not in _FALSE) != is_negated
        return self.text(call.body if is_true else call.otherwise)
