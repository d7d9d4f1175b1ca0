"""What a condition would cost to evaluate, before it is.

CEL cannot be interrupted, and a loop over a list copies what it collects: over 5,000 items, with a
body that names the list again, it took minutes. So the steps are counted first, by the lengths of
what an expression names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

MAX_STEPS = 3_000_000  # below half a second, at most 0.15 µs each (measured, one core)
_LOOP = re.compile(r"\.\s*(?P<kind>all|exists|exists_one|filter)\s*\(")
COLLECTS = re.compile(r"\.\s*map\s*\(")
_STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_OTHER_STRING = re.compile("[rRbB][\"']|'''|\"\"\"")
_PATH = re.compile(
    r"""(?<![\w.])[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*(?!\s*\()|\s*\[\s*"(?:\\.|[^"\\])*"\s*\])*"""
)
_STEP = re.compile(r'\.\s*([A-Za-z_]\w*)|\[\s*"((?:\\.|[^"\\])*)"\s*\]')
_CHARS = 16  # of a text cost as much as one item


def steps(source: str, facts: Mapping[str, Any]) -> int:
    """About how many steps it takes to evaluate ``source``, an expression with one loop at most."""
    everywhere = sum(_size(value) for value in _values_named(source, facts))
    loop = _LOOP.search(source)
    if loop is None:
        return everywhere
    body = _body(source, loop.end())
    rounds = len(source) + sum(_length(value) for value in _values_named(source, facts))
    each = 1 + sum(_size(value) for value in _values_named(body, facts))
    collected = rounds if loop["kind"] == "filter" else 0  # copied whenever one is added
    return everywhere + rounds * (each + collected)


def _body(source: str, start: int) -> str:
    """Return what stands between the bracket before ``start`` and the one that closes it.

    Where texts are written in a way that this does not know, all of the rest.
    """
    if _OTHER_STRING.search(source):
        return source[start:]
    plain = _STRING.sub(lambda text: '"' + "x" * (len(text[0]) - 2) + '"', source)
    depth = 1
    for at in range(start, len(source)):
        depth += {"(": 1, ")": -1}.get(plain[at], 0)
        if depth == 0:
            return source[start:at]
    return source[start:]


def _values_named(source: str, facts: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what each name or path of names in ``source`` stands for, as far as it leads."""
    for path in _PATH.finditer(source):
        first = re.match(r"\w+", path[0])
        if first is None or first[0] not in facts:
            continue
        value = facts[first[0]]
        for step in _STEP.finditer(path[0], first.end()):
            name = step[1] or step[2]
            if not isinstance(value, Mapping) or name not in value:
                break
            value = value[name]
        yield value


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0


def _size(value: Any) -> int:
    """Items of ``value``, however deep, and its text."""
    match value:
        case dict():
            return 1 + sum(1 + _size(part) for part in value.values())
        case list():
            return 1 + sum(map(_size, value))
        case str():
            return 1 + len(value) // _CHARS
    return 1
