"""The answer of a look back on a block of floors: missed events, and private logs.

A tolerant parser, and the test for known texts. Nothing raises and nothing is invented.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.extraction import (
    Fault,
    PlotExtraction,
    clean_text,
    json_schema,
    parse_extraction,
)
from engram_desktop.domain.state.tree import Leaf, State, StateOp, StatePath, leaves
from engram_desktop.domain.values import dataclass

# Changes of the state by a look back: the `mood_shift` of design note 003 §3.3.3.


MAX_SHIFTS = 6  # of one log: a feeling or two change; bounds the changes of one answer
MOST = 100.0  # points by which one look back may change a value; the range of most scales
MAX_NAME = 60  # characters of the name of a value
_NUMBER = re.compile(r"[+-]?\d{1,6}(?:\.\d{1,3})?")


@dataclass(frozen=True, slots=True)
class MoodShift:
    """A change of a value in the state: ``name`` as given by a model, or its path."""

    name: str
    change: float


def parse_shifts(value: object) -> tuple[MoodShift, ...]:
    """Read ``{"trust": "+5"}``, or a list of ``{"name", "change"}``; anything else is skipped."""
    if isinstance(value, Mapping):
        value = [{"name": name, "change": change} for name, change in value.items()]
    shifts = []
    for row in value[:MAX_SHIFTS] if isinstance(value, list) else ():
        name = row.get("name") if isinstance(row, Mapping) else None
        change = _number(row.get("change")) if isinstance(row, Mapping) else None
        if isinstance(name, str) and (text := clean_text(name, MAX_NAME)) and change:
            shifts.append(MoodShift(text, change))
    return tuple(shifts)


def shift_op(tree: State, owner: str, shift: MoodShift, reason: str) -> StateOp:
    """Return the operation that changes a value of ``owner``, which it adds if it is missing.

    A value with this name under the owner's name is preferred, then one with a unique name.
    """
    change: Any = int(shift.change) if shift.change.is_integer() else shift.change
    path = _place(tree, owner, shift.name)
    if path is None:
        return StateOp("set", (owner, shift.name), change, reason)
    return StateOp("add", path, change, reason)


def _place(tree: State, owner: str, name: str) -> StatePath | None:
    wanted, who = norm_name(name), norm_name(owner)
    paths = [leaf.path for leaf in _numbers(tree)]
    called = [p for p in paths if norm_name(p[-1]) == wanted or norm_name(".".join(p)) == wanted]
    own = [p for p in called if who in map(norm_name, p[:-1])]
    if own:
        return own[0]
    shared = [p for p in called if len(p) == 1 or norm_name(p[0]) in ("character", "角色")]
    return shared[0] if len(shared) == 1 else None


def _numbers(tree: State) -> Iterator[Leaf]:
    for leaf in leaves(tree):
        if isinstance(leaf.value, int | float) and not isinstance(leaf.value, bool):
            yield leaf


def _number(value: object) -> float | None:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not math.isfinite(value):
        return None
    return max(-MOST, min(MOST, float(value)))


MAX_LOGS = 40  # bounds what one answer stores; a block gives a few. Not measured
MAX_LOG_CHARS = 2_000  # characters, several times the usual log
MAX_TAGS = 8  # of one log
LIKE = 0.6  # share of their pieces that two texts on the same thing have in common


@dataclass(frozen=True, slots=True)
class NotedLog:
    """A private log as a model wrote it; ``about`` is the summary of an event, or empty.

    ``shifts`` are the changes of the owner's feelings.
    """

    owner: str
    content: str
    emotion_tags: tuple[str, ...] = ()
    about: str = ""
    shifts: tuple[MoodShift, ...] = ()


@dataclass(frozen=True, slots=True)
class Reflection:
    """``is_usable``: it was a valid answer, perhaps without anything new."""

    events: tuple[PlotExtraction, ...] = ()
    logs: tuple[NotedLog, ...] = ()
    faults: tuple[Fault, ...] = ()
    is_usable: bool = False


def parse_reflection(value: object) -> Reflection:
    """Read ``{"events": [...], "logs": [...]}``."""
    if not isinstance(value, Mapping):
        return Reflection(faults=(Fault("$", "must be a JSON object"),))
    rows = next((value[k] for k in ("logs", "private_logs", "日志") if k in value), None)
    if rows is None and "events" not in value:
        return Reflection(faults=(Fault("$", "holds neither “events” nor “logs”"),))
    event_rows = value.get("events")
    events = parse_extraction({"events": event_rows if isinstance(event_rows, list) else []})
    faults = list(events.faults)
    if event_rows is not None and not isinstance(event_rows, list):
        faults.append(Fault("events", "must be a list"))
    logs = []
    for number, row in enumerate(rows[:MAX_LOGS] if isinstance(rows, list) else []):
        log = _log(row)
        if log is None:
            faults.append(Fault(f"logs[{number}]", "needs an owner and a content"))
        else:
            logs.append(log)
    if rows is not None and not isinstance(rows, list):
        faults.append(Fault("logs", "must be a list"))
    is_usable = bool(events.events or logs) or not faults
    return Reflection(events.events, tuple(logs), tuple(faults), is_usable)


def schema() -> dict[str, Any]:
    """Return the JSON schema of the answer."""
    text: dict[str, Any] = {"type": "string"}
    shift = {
        "type": "object",
        "properties": {"name": text, "change": {"type": "number"}},
        "required": ["name", "change"],
        "additionalProperties": False,
    }
    log = {
        "type": "object",
        "properties": {
            "owner": text,
            "content": text,
            "emotion_tags": {"type": "array", "items": text, "maxItems": MAX_TAGS},
            "about": text,
            "mood_shift": {"type": "array", "items": shift, "maxItems": MAX_SHIFTS},
        },
        "required": ["owner", "content", "emotion_tags", "about", "mood_shift"],
        "additionalProperties": False,
    }
    base = json_schema()
    logs = {"type": "array", "items": log, "maxItems": MAX_LOGS}
    return {
        **base,
        "properties": {**base["properties"], "logs": logs},
        "required": [*base["required"], "logs"],
    }


def best_match(text: str, known: Iterable[str]) -> int | None:
    """Return the position of the known text with the same content; None if there is none."""
    own_pieces = _pieces(text)
    best, place = LIKE, None
    for n, other in enumerate(known):
        pieces = _pieces(other)
        if not own_pieces or not pieces:
            continue
        shared = len(own_pieces & pieces)
        alike = shared / len(own_pieces | pieces)
        fewer = min(len(own_pieces), len(pieces))
        # A short text within a longer one adds nothing: with four fifths of its pieces in it, this
        # reaches LIKE. Below 12 pieces it is chance.
        if fewer >= 12:
            alike = max(alike, shared / fewer * 0.75)
        if alike >= best:
            best, place = alike, n
    return place


def _pieces(text: str) -> frozenset[str]:
    """Return the pairs of letters of a text, ignoring case and punctuation."""
    plain = "".join(c for c in norm_name(text) if c.isalnum())
    return frozenset(a + b for a, b in itertools.pairwise(plain)) or frozenset({plain})


def _log(row: object) -> NotedLog | None:
    if not isinstance(row, Mapping):
        return None
    owner, content = row.get("owner"), row.get("content")
    if not isinstance(owner, str) or not isinstance(content, str):
        return None
    owner, content = clean_text(owner, 80), clean_text(content, MAX_LOG_CHARS)
    if not owner or not content:
        return None
    tags, about = row.get("emotion_tags", row.get("emotions")), row.get("about")
    words = tags if isinstance(tags, list) else [tags] if isinstance(tags, str) else []
    emotions = [clean_text(word, 40) for word in words[:MAX_TAGS] if isinstance(word, str)]
    return NotedLog(
        owner,
        content,
        tuple(dict.fromkeys(word for word in emotions if word)),
        clean_text(about, MAX_LOG_CHARS) if isinstance(about, str) else "",
        parse_shifts(row.get("mood_shift")),
    )
