"""Where in a text the JSON of an answer lies: after thoughts and prose, in a fence, broken.

What stands inside a string of the answer never counts as an answer of its own, and every character
is looked at a bounded number of times: a text of nothing but brackets is no harder than another.
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

_MAX_DIGITS = 18
_MAX_RESTARTS = 64  # times a scan goes back to the end of a thought
_MAX_BROKEN = 200  # each costs a count of the lines before it
_OPENED = re.compile(r"\s*+<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_BEGINNING = re.compile(r"\s*+(?:```[\w-]*+\s*+)?(?=[{\[])")
_BEHIND = re.compile(r"\s*+(?:```|\Z)")
_FENCE_BEFORE = re.compile(r"(?:\A|\n)[ \t]*```[\w-]*\s*\Z")
# A bracket that is no part of prose: a key and a colon follow, or the first item of a list.
_REAL = re.compile(
    r"""\{\s*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]{0,80}+'|\w[\w ]{0,40}+)\s*+:|\[\s*+[\[{"]""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value in a text, from ``start`` to before ``end``; ``twice``: keys given twice."""

    start: int
    end: int
    value: Any
    twice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Search:
    """What a text holds: the value of the answer, else the text of one that is broken."""

    found: Found | None = None
    broken: str = ""


@dataclass(slots=True)
class _Scan:
    """Values that are whole, and where values begin that are not, in order."""

    whole: list[Found] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def search(text: str) -> Search:
    """Find the answer: the whole text if that is JSON, else what is left without its wrapping."""
    found = _at_beginning(text)
    if found is not None:
        return Search(found)
    begins = _BEGINNING.match(text)
    if begins is None or not _REAL.match(text, begins.end()):
        closed = _CLOSED.search(text)
        if closed is not None:
            text, is_thought = text[closed.end() :], _OPENED.match(text) is not None
            found = _at_beginning(text) if is_thought else _whole(text)
            if found is not None:
                return Search(found)
            if not is_thought:  # it may stand in a string of the answer
                text = closed.string
    return _choose(text, _scan(text))


def decode(text: str, at: int = 0) -> Found:
    """Read the JSON value that begins at ``at``. Raises JSONDecodeError, RecursionError."""
    twice: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) < len(items) and len(twice) < 20:
            twice.extend(key for key, count in Counter(k for k, _ in items).items() if count > 1)
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_int=lambda digits: int(digits) if len(digits) <= _MAX_DIGITS else None,
        parse_float=_number,
        parse_constant=lambda _: None,
        strict=False,  # models leave line breaks in strings as they are
    )
    value, end = decoder.raw_decode(text, at)
    return Found(at, end, value, tuple(sorted(twice)))


def _number(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _at_beginning(text: str) -> Found | None:
    """Return the value a text begins with, whatever is said after it."""
    begins = _BEGINNING.match(text)
    if begins is None:
        return None
    try:
        found = decode(text, begins.end())
    except (ValueError, RecursionError):
        return None
    is_note = isinstance(found.value, list) and not any(
        isinstance(item, dict | list) for item in found.value
    )
    if is_note and not _BEHIND.match(text, found.end):  # “[1] as the story says …”
        return None
    return found


def _whole(text: str) -> Found | None:
    found = _at_beginning(text)
    return found if found is not None and _BEHIND.match(text, found.end) else None


def _scan(text: str) -> _Scan:
    """Read values from left to right; after a broken one go on where it breaks."""
    scan = _Scan()
    begins = _BEGINNING.match(text)
    restarts = 0 if begins and _REAL.match(text, begins.end()) else _MAX_RESTARTS
    at = 0
    while (real := _REAL.search(text, at)) is not None and len(scan.broken) < _MAX_BROKEN:
        start = real.start()
        try:
            found = decode(text, start)
        except json.JSONDecodeError as error:
            at = max(error.pos, start + 1)
            scan.broken.append(start)
        except RecursionError:
            at = len(text)
            scan.broken.append(start)
        else:
            at = found.end
            if found.value:
                scan.whole.append(found)
            continue
        closed = _CLOSED.search(text, start, at) if restarts else None
        if closed is not None:  # a thought ended inside of what is broken
            restarts -= 1
            at = closed.end()
    return scan


def _choose(text: str, scan: _Scan) -> Search:
    """Prefer what follows the thoughts, then what is fenced, then the longest."""
    begins = _BEGINNING.match(text)
    is_bare = begins is not None and bool(_REAL.match(text, begins.end()))
    after = 0 if is_bare else _end_of_thoughts(text, scan.whole)
    whole = [found for found in scan.whole if found.start >= after]
    broken = [start for start in scan.broken if start >= after]
    if not whole and not broken:
        whole, broken = scan.whole, scan.broken
    best = max(whole, key=lambda f: (_is_fenced(text, f.start), f.end - f.start), default=None)
    if broken and (best is None or broken[0] < best.start):
        first = broken[0]
        if best is None or is_bare or not _is_fenced(text, best.start):
            return Search(broken=_cut_fence(text[first:]))
    return Search(best)


def _end_of_thoughts(text: str, whole: Sequence[Found]) -> int:
    """Return where the last thought ends; a tag inside a value is none."""
    end, rest = 0, iter(whole)
    found = next(rest, None)
    for tag in _CLOSED.finditer(text):
        while found is not None and found.end <= tag.start():
            found = next(rest, None)
        if found is None or tag.start() < found.start:
            end = tag.end()
    return end


def _is_fenced(text: str, start: int) -> bool:
    return _FENCE_BEFORE.search(text[max(0, start - 40) : start]) is not None


def _cut_fence(text: str) -> str:
    """Cut at the last fence, if nothing but prose follows it."""
    at = text.rfind("```")
    return text[:at] if at > 0 and not re.search(r'["{}\[\]]', text[at:]) else text
