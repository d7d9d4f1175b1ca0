"""How the state came to be what it is: what each floor changed, and who said so. Values only."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.state.tree import State, StateChange, StatePath, get, number, plain
from engram_desktop.domain.values import dataclass

Teller = Literal["begin", "reply", "variables", "user", "reflection"]


@dataclass(frozen=True, slots=True)
class StateEntry:
    """What changed at ``floor``.

    ``teller``: the state a story begins with, the tags of a reply, the variables a front end keeps
    beside a message (they hold the whole state), the user, or a look back. ``dialects`` names the
    ways the tags were written in, ``faults`` what of them could not be read.
    """

    floor: int
    teller: Teller
    changes: tuple[StateChange, ...] = ()
    dialects: tuple[str, ...] = ()
    faults: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class StateHistory:
    """The state at ``floor``, and what led to it, oldest first."""

    floor: int
    tree: State
    entries: tuple[StateEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One change of one value."""

    floor: int
    teller: Teller
    old: Any
    new: Any
    reason: str = ""


def steps_of(entries: Iterable[StateEntry], path: StatePath) -> Iterator[Step]:
    """Yield the changes of the value at ``path``, also where all around it was put anew."""
    for entry in entries:
        for change in entry.changes:
            depth = len(change.path)
            if change.fault is not None or change.path != path[:depth]:
                continue
            old, new = _inside(change.old, path[depth:]), _inside(change.new, path[depth:])
            if old != new:
                yield Step(entry.floor, entry.teller, old, new, change.reason)


def points_of(steps: Iterable[Step], now: Any, floor: int) -> tuple[tuple[int, float], ...]:
    """Return (floor, number) for each step that gave one, and what the value is ``now``."""
    numbers = [(step.floor, number(step.new)) for step in steps]
    points = [(at, float(value)) for at, value in numbers if value is not None]
    last = number(now)
    if points and last is not None:
        points.append((max(0, floor), float(last)))
    return tuple(points)


def rebuilt(entries: Iterable[StateEntry]) -> State:
    """Return the state that these changes alone lead to, each giving a value its new one."""
    tree: State = {}
    for entry in entries:
        for change in entry.changes:
            if change.fault is None:
                _put(tree, change.path, change.new)
    return tree


def _put(tree: State, path: StatePath, value: Any) -> None:
    *above, last = path
    here: Any = tree
    for name in above:
        if not isinstance(here.get(name), dict):
            here[name] = {}
        here = here[name]
    if value is None:
        here.pop(last, None)
    else:
        here[last] = copy.deepcopy(value)


def _inside(value: Any, path: StatePath) -> Any:
    if not path:
        return value
    try:
        return plain(get(value, path)) if isinstance(value, dict) else None
    except KeyError:
        return None
