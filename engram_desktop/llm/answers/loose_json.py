"""Find and read the JSON in what a model said, however it is wrapped or broken.

Never raises, and never lets through what breaks a database or a vector later: no NaN or infinity,
no endless integer, no bottomless nesting.
"""

from __future__ import annotations

import math
import re
from dataclasses import field
from typing import Any

import jiter
import json_repair

from engram_desktop.domain.memory.extraction import Fault
from engram_desktop.domain.values import dataclass
from engram_desktop.llm.answers.json_search import search

_MAX_CHARS = 2_000_000  # twice what `incoming.TEXT_LIMIT` lets through; bounds the time of reading
_MAX_DEPTH = 40  # bounds recursion
_MAX_NUMBER = 10**18  # fits into 64 bits
# `json_repair` takes 0.5 ms for 1 kB that is broken once, and 16 s for 100,000 open brackets.
_REPAIRED_CHARS = 64_000
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]]', re.DOTALL)
_NOTHING = Fault("$", "the answer holds no JSON object")
_STOPS = Fault("$", "the answer stops in its middle: the JSON is not complete")


@dataclass(frozen=True, slots=True)
class Loose:
    """``value`` is None when no JSON object or list was found.

    ``is_half``: the JSON ends before it is closed, or was read only up to a break.
    """

    value: Any = None
    faults: tuple[Fault, ...] = ()
    is_half: bool = False


@dataclass(slots=True)
class _Notes:
    faults: list[Fault] = field(default_factory=list)

    def add(self, message: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(Fault("$", message))


def read_json(answer: str) -> Loose:
    """Read the JSON object or list in ``answer``; a text that is JSON is read as it is."""
    notes = _Notes()
    hit = search(answer[:_MAX_CHARS].lstrip("\ufeff"))
    value, is_half = None, False
    if hit.span is not None:
        value = hit.span.value
        if hit.span.repeated_keys:
            notes.add(f"given twice, the last counts: {', '.join(hit.span.repeated_keys)[:200]}")
    elif hit.broken:
        value, is_half = _repaired(hit.broken, notes)
    bounded = _bounded(value, _MAX_DEPTH, notes)
    if not isinstance(bounded, dict | list) or not bounded:
        return Loose(None, (*notes.faults, _NOTHING), is_half)
    return Loose(bounded, tuple(notes.faults), is_half)


def _repaired(text: str, notes: _Notes) -> tuple[Any, bool]:
    """Read JSON that is broken, and say whether only a part of it was read."""
    deepest, depth = _depths(text)
    is_half = depth > 0
    if len(text) > _REPAIRED_CHARS or deepest > _MAX_DEPTH:
        is_half = True  # read up to the break
        try:
            value = jiter.from_json(text.encode("utf-8", "replace"), partial_mode="on")
        except ValueError:
            return None, True
    else:
        try:
            value = json_repair.loads(text, skip_json_loads=True)
        except (ValueError, RecursionError, OverflowError):
            return None, is_half
    if is_half:
        notes.faults.append(_STOPS)
    else:
        notes.add("the JSON was broken and has been repaired")
    return value, is_half


def _depths(text: str) -> tuple[int, int]:
    """Return how deep brackets lie at most, and how many are open at the end."""
    deepest = depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in "}]":
            depth -= 1
    return deepest, depth


def _bounded(value: Any, depth: int, notes: _Notes) -> Any:
    """Copy ``value`` without what is not finite or too deep."""
    match value:
        case dict() | list() if depth == 0:
            notes.add("nested too deep; what lies deeper is left out")
            return None
        case dict():
            return {str(key): _bounded(item, depth - 1, notes) for key, item in value.items()}
        case list():
            return [_bounded(item, depth - 1, notes) for item in value]
        case bool() | str():
            return value
        case int() | float():
            return value if math.isfinite(value) and abs(value) < _MAX_NUMBER else None
        case _:
            return None
