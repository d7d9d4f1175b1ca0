"""Find and read the JSON in what a model said, however it is wrapped or broken.

Never raises, and never lets through what breaks a database or a vector later: no NaN or infinity,
no endless integer, no bottomless nesting.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

import json_repair

from engram_desktop.domain.extraction import Fault

_MAX_CHARS = 400_000
_MAX_DEPTH = 40
_MAX_DIGITS = 18
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"^.*</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Loose:
    """``value`` is None when no JSON object or list was found."""

    value: Any = None
    faults: tuple[Fault, ...] = ()


@dataclass(slots=True)
class _Notes:
    faults: list[Fault] = field(default_factory=list)

    def add(self, message: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(Fault("$", message))


def read_json(answer: str) -> Loose:
    """Read the JSON object or list in ``answer``."""
    notes = _Notes()
    text = _body(answer[:_MAX_CHARS])
    if text is None:
        return Loose(None, (Fault("$", "the answer holds no JSON object"),))
    value = _strict(text, notes)
    if value is None:
        value = _repaired(text, notes)
    tame = _tame(value, _MAX_DEPTH, notes)
    if not isinstance(tame, dict | list) or not tame:
        return Loose(None, (*notes.faults, Fault("$", "the answer holds no JSON object")))
    return Loose(tame, tuple(notes.faults))


def _body(answer: str) -> str | None:
    """Cut away thoughts, code fences and prose before the first bracket."""
    text = _THOUGHT_END.sub("", _THOUGHT.sub("", answer))
    fenced = [m[1] for m in _FENCE.finditer(text) if "{" in m[1] or "[" in m[1]]
    if fenced:
        text = max(fenced, key=len)
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    return text[min(starts) :] if starts else None


def _strict(text: str, notes: _Notes) -> Any:
    """Read ``text`` as JSON with nothing but blanks or prose after it; None if it is broken."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) < len(items):
            twice = sorted({k for k, _ in items if sum(k == other for other, _ in items) > 1})
            notes.add(f"given twice, the last counts: {', '.join(twice)[:200]}")
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=pairs, parse_int=_integer, parse_constant=lambda _: None
    )
    try:
        return decoder.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _repaired(text: str, notes: _Notes) -> Any:
    try:
        value = json_repair.loads(text, skip_json_loads=True)
    except (ValueError, RecursionError, OverflowError):
        return None
    notes.add("the JSON was broken and has been repaired")
    return value


def _integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _tame(value: Any, depth: int, notes: _Notes) -> Any:
    """Copy ``value`` without what is not finite or too deep."""
    match value:
        case dict() | list() if depth == 0:
            notes.add("nested too deep; what lies deeper is left out")
            return None
        case dict():
            return {str(key): _tame(item, depth - 1, notes) for key, item in value.items()}
        case list():
            return [_tame(item, depth - 1, notes) for item in value]
        case bool() | str():
            return value
        case int() | float():
            return value if math.isfinite(value) and abs(value) < 10**_MAX_DIGITS else None
        case _:
            return None
