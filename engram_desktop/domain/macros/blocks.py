"""Take a text with macros apart: ``{{name::argument}}``, nested, with blocks such as ``{{if}}``.

One pass from left to right over the braces, so that no text makes it slow. Whatever is no macro
stays text. Nothing is given a value here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field, replace
from functools import lru_cache

from engram_desktop.domain.macros.values import folded
from engram_desktop.domain.values import dataclass

MAX_DEPTH = 40
_BRACES = re.compile(r"\{{2,}|\}{2,}")
_NAME = re.compile(r"\s*(//|/?[^\W\d][\w-]*|///)\s*(::|:|(?=[\s+-])|$)", re.UNICODE)
_BLOCKS = ("if", "trim", "//")


@dataclass(frozen=True, slots=True)
class MacroCall:
    """One macro. ``inner`` is everything between its braces, as it stands in the text."""

    name: str  # as it is looked up: without case, without underscores
    arguments: tuple[Parts, ...]
    inner: Parts
    place: int = 0  # in the text: what is picked once stays picked there
    body: Parts = ()  # of a block
    otherwise: Parts = ()
    is_block: bool = False

    @property
    def depth(self) -> int:
        """How deeply blocks stand in it."""
        inner = (*self.body, *self.otherwise)
        return 1 + max((p.depth for p in inner if isinstance(p, MacroCall)), default=0)


Part = str | MacroCall
Parts = tuple[Part, ...]


@dataclass(slots=True)
class _Open:
    """Braces that are not closed yet."""

    place: int
    parts: list[Part] = field(default_factory=list)


@lru_cache(maxsize=512)
def parse(text: str) -> Parts:
    """Return the parts of ``text``. One that nests too deeply is all text."""
    stack = [_Open(0)]
    at = 0
    for run in _BRACES.finditer(text):
        stack[-1].parts.append(text[at : run.start()])
        at = run.end()
        count = len(run[0])
        if text[run.start()] == "{":
            stack[-1].parts.append("{" * (count % 2))
            stack += [_Open(run.start() + 2 * n) for n in range(count // 2)]
            if len(stack) > MAX_DEPTH:
                return (text,)
            continue
        while count >= 2 and len(stack) > 1:
            count -= 2
            closed = stack.pop()
            stack[-1].parts.append(_call(closed))
        stack[-1].parts.append("}" * count)
    stack[-1].parts.append(text[at:])
    while len(stack) > 1:  # what was never closed is text
        left = stack.pop()
        stack[-1].parts += ["{{", *left.parts]
    return _blocks(_join_texts(stack[0].parts))


def _join_texts(parts: Sequence[Part]) -> Parts:
    """Join neighbouring texts."""
    result: list[Part] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        elif part != "":
            result.append(part)
    return tuple(result)


def _call(closed: _Open) -> Part:
    inner = _join_texts(closed.parts)
    head = inner[0] if inner and isinstance(inner[0], str) else ""
    match = _NAME.match(head)
    if match is None or (len(inner) > 1 and match[2] == "" and match.end() == len(head.rstrip())):
        return MacroCall("", (), _blocks(inner), closed.place)
    after = head[match.end() :]
    rest: Parts = _join_texts([after if match[2] else after.lstrip(), *inner[1:]])
    name = match[1] if match[1].startswith("/") else folded(match[1])
    if name == "//":
        arguments: tuple[Parts, ...] = (rest,) if rest else ()
    else:
        arguments = _arguments(rest, is_given=match[2] in {"::", ":"} or bool(rest))
    return MacroCall(name, arguments, inner, closed.place)


def _arguments(rest: Parts, *, is_given: bool) -> tuple[Parts, ...]:
    """Cut at every ``::`` that is not inside of a macro."""
    if not is_given:
        return ()
    arguments: list[list[Part]] = [[]]
    for part in rest:
        if isinstance(part, str):
            first, *more = part.split("::")
            arguments[-1].append(first)
            arguments += [[piece] for piece in more]
        else:
            arguments[-1].append(part)
    return tuple(_blocks(_join_texts(argument)) for argument in arguments)


def _blocks(parts: Parts) -> Parts:
    """Fold ``{{if x}} … {{else}} … {{/if}}`` and its like; what has no end stays as it is."""
    result: list[Part] = []
    for part in parts:
        name = part.name if isinstance(part, MacroCall) else ""
        opening = name[1:] if name.startswith("/") and name != "//" else ""
        at = _last_open(result, opening) if opening in _BLOCKS else -1
        if at < 0:
            result.append(part)
            continue
        opener = result[at]
        assert isinstance(opener, MacroCall)  # noqa: S101 - what `_last_open` looks for
        body, otherwise = _halves(result[at + 1 :])
        block = replace(opener, body=body, otherwise=otherwise, is_block=True)
        result[at:] = [block] if block.depth <= MAX_DEPTH else [*result[at:], part]
    return tuple(result)


def _last_open(parts: Sequence[Part], name: str) -> int:
    for at in range(len(parts) - 1, -1, -1):
        part = parts[at]
        if isinstance(part, MacroCall) and part.name == name and not part.is_block:
            return at
    return -1


def _halves(parts: Sequence[Part]) -> tuple[Parts, Parts]:
    for at, part in enumerate(parts):
        if isinstance(part, MacroCall) and part.name == "else":
            return tuple(parts[:at]), tuple(parts[at + 1 :])
    return tuple(parts), ()
