"""Find where in a text the JSON of an answer lies: after thoughts and prose, in a fence, broken.

What stands inside a string of the answer never counts as an answer of its own. Every character is
read a bounded number of times, so that a text of nothing but brackets takes no longer than another.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from engram_desktop.domain.values import dataclass

_MAX_DIGITS = 18  # fits into 64 bits; longer ones take time that grows with their square
_MAX_RESTARTS = 64  # times a scan goes back to the end of a thought
_MAX_BROKEN = 200  # each costs a count of the lines before it
_OPENED = re.compile(r"\s*+<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_BEGINNING = re.compile(r"\s*+(?:```[\w-]*+\s*+)?(?=[{\[])")
_BEHIND = re.compile(r"\s*+(?:```|\Z)")
_FENCE_BEFORE = re.compile(r"(?:\A|\n)[ \t]*```[\w-]*\s*\Z")
# A bracket that is no part of prose: a key and a colon follow, or the first item of a list.
_STRUCTURE = re.compile(
    r"""\{\s*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]{0,80}+'|\w[\w ]{0,40}+)\s*+:|\[\s*+[\[{"]""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class JsonSpan:
    """A JSON value in a text, from ``start`` to before ``end``, and the keys it gives twice."""

    start: int
    end: int
    value: Any
    repeated_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What a text holds: the value of the answer, else the text of one that is broken."""

    span: JsonSpan | None = None
    broken: str = ""


@dataclass(slots=True)
class _Scan:
    """Values that are complete, and the offsets at which broken values begin, in order."""

    values: list[JsonSpan] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def search(text: str) -> Search:
    """Find the answer: the whole text if that is JSON, else what is left without its wrapping."""
    span = _at_beginning(text)
    if span is not None:
        return Search(span)
    beginning = _BEGINNING.match(text)
    if beginning is None or not _STRUCTURE.match(text, beginning.end()):
        end_tag = _CLOSED.search(text)
        if end_tag is not None:
            text, is_thought = text[end_tag.end() :], _OPENED.match(text) is not None
            span = _at_beginning(text) if is_thought else _whole(text)
            if span is not None:
                return Search(span)
            if not is_thought:  # it may stand in a string of the answer
                text = end_tag.string
    return _choose(text, _scan(text))


def decode(text: str, at: int = 0) -> JsonSpan:
    """Read the JSON value that begins at ``at``. Raises JSONDecodeError, RecursionError."""
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) < len(items) and len(repeated) < 20:
            repeated.extend(key for key, count in Counter(k for k, _ in items).items() if count > 1)
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS else None,
        parse_float=_number,
        parse_constant=lambda _: None,
        strict=False,  # models leave line breaks in strings as they are
    )
    value, end = decoder.raw_decode(text, at)
    return JsonSpan(at, end, value, tuple(sorted(repeated)))


def _number(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _at_beginning(text: str) -> JsonSpan | None:
    """Return the value a text begins with, whatever is said after it."""
    beginning = _BEGINNING.match(text)
    if beginning is None:
        return None
    try:
        span = decode(text, beginning.end())
    except (ValueError, RecursionError):
        return None
    is_note = isinstance(span.value, list) and not any(
        isinstance(item, dict | list) for item in span.value
    )
    if is_note and not _BEHIND.match(text, span.end):  # “[1] as the story says …”
        return None
    return span


def _whole(text: str) -> JsonSpan | None:
    span = _at_beginning(text)
    return span if span is not None and _BEHIND.match(text, span.end) else None


def _scan(text: str) -> _Scan:
    """Read values from left to right; after a broken one go on where it breaks."""
    scan = _Scan()
    beginning = _BEGINNING.match(text)
    restarts = 0 if beginning and _STRUCTURE.match(text, beginning.end()) else _MAX_RESTARTS
    at = 0
    while (structure := _STRUCTURE.search(text, at)) is not None and len(scan.broken) < _MAX_BROKEN:
        start = structure.start()
        try:
            span = decode(text, start)
        except json.JSONDecodeError as error:
            at = max(error.pos, start + 1)
            scan.broken.append(start)
        except RecursionError:
            at = len(text)
            scan.broken.append(start)
        else:
            at = span.end
            if span.value:
                scan.values.append(span)
            continue
        end_tag = _CLOSED.search(text, start, at) if restarts else None
        if end_tag is not None:  # a thought ended inside of what is broken
            restarts -= 1
            at = end_tag.end()
    return scan


def _choose(text: str, scan: _Scan) -> Search:
    """Prefer what follows the thoughts, then what is fenced, then the longest."""
    beginning = _BEGINNING.match(text)
    is_bare = beginning is not None and bool(_STRUCTURE.match(text, beginning.end()))
    after = 0 if is_bare else _end_of_thoughts(text, scan.values)
    values = [span for span in scan.values if span.start >= after]
    broken = [start for start in scan.broken if start >= after]
    if not values and not broken:
        values, broken = scan.values, scan.broken
    best = max(values, key=lambda f: (_is_fenced(text, f.start), f.end - f.start), default=None)
    if broken and (best is None or broken[0] < best.start):
        first = broken[0]
        if best is None or is_bare or not _is_fenced(text, best.start):
            return Search(broken=_cut_fence(text[first:]))
    return Search(best)


def _end_of_thoughts(text: str, values: Sequence[JsonSpan]) -> int:
    """Return where the last thought ends; a tag inside a value is none."""
    end, rest = 0, iter(values)
    span = next(rest, None)
    for tag in _CLOSED.finditer(text):
        while span is not None and span.end <= tag.start():
            span = next(rest, None)
        if span is None or tag.start() < span.start:
            end = tag.end()
    return end


def _is_fenced(text: str, start: int) -> bool:
    return _FENCE_BEFORE.search(text[max(0, start - 40) : start]) is not None


def _cut_fence(text: str) -> str:
    """Cut at the last fence, if nothing but prose follows it."""
    at = text.rfind("```")
    return text[:at] if at > 0 and not re.search(r'["{}\[\]]', text[at:]) else text
