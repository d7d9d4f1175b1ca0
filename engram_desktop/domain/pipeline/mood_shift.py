"""What looking back moves in the state: the `mood_shift` of design note 003 §3.3.3."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.extraction import clean_text
from engram_desktop.domain.state.tree import Leaf, State, StateOp, StatePath, leaves
from engram_desktop.domain.values import dataclass

MAX_SHIFTS = 6  # of one log: a feeling or two move; bounds what one answer changes
MOST = 100.0  # points that one look back may move a value; the range of most scales
MAX_NAME = 60  # characters of the name of a value
_NUMBER = re.compile(r"[+-]?\d{1,6}(?:\.\d{1,3})?")


@dataclass(frozen=True, slots=True)
class MoodShift:
    """By how much a value of the state moves: ``name`` as a model calls it, or its path."""

    name: str
    change: float


def parse_shifts(value: object) -> tuple[MoodShift, ...]:
    """Read ``{"trust": "+5"}``, or a list of ``{"name", "change"}``; what is neither is left."""
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
    """Return the operation that moves a value of ``owner``, where the state has it or gets it.

    What is called so under the owner's name comes first, then what is called so only once.
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
