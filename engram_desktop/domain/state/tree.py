"""State as a tree of values, and the log of its changes."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# The state of a story (状态, design note 003 §2.1 C): values that play changes, in a tree. A leaf
# is a value, or `[value, "what it means"]` (VWD), which keeps its meaning when the value changes.
# Operations are tolerant: an impossible one is skipped, with a reason. The formats of models are
# not known here.


_T = QT_TRANSLATE_NOOP
State = dict[str, Any]
StatePath = tuple[str, ...]
OpName = Literal["set", "add", "insert", "remove", "move", "copy"]
MAX_DEPTH = 40  # bounds recursion; not measured
MAX_ITEM = 10_000  # items of a list: no operation makes a longer one
_NOT_THERE = _T("reports", "there is nothing at this place")
_NO_NUMBER = _T("reports", "a number can only be added to a number")
_NO_LIST = _T("reports", "this place is no list")
_NO_PLACE = _T("reports", "this place is inside of a plain value")
_TOO_DEEP = _T("reports", "this place is too deep, or in too long a list")
_NUMBER = late_pattern(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_STEP = late_pattern(r"""\[\s*(?:"([^"]+)"|'([^']+)'|(\d+))\s*\]|([^.\[\]]+)""")


class _CannotBeDone(Exception):
    """``args[0]`` is a template with the reason."""


@dataclass(frozen=True, slots=True)
class StateOp:
    """One operation. ``origin`` is the source path of `move` and `copy`.

    `set` puts ``value`` at ``path``, `add` adds to a number, appends to a list, or merges into a
    table; `insert` inserts into a list (``-``: at its end); an empty path is the whole tree.
    """

    op: OpName
    path: StatePath
    value: Any = None
    reason: str = ""
    origin: StatePath = ()


@dataclass(frozen=True, slots=True)
class StateChange:
    """The effect of an operation on the value at ``path``; with a ``fault`` there was none."""

    path: StatePath
    old: Any
    new: Any
    reason: str = ""
    fault: Phrase | None = None

    def because(self, reason: str) -> StateChange:
        return replace(self, reason=reason)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a state, its path, and its meaning if the story gives one."""

    path: StatePath
    value: Any
    meaning: str = ""


def split_path(text: str) -> StatePath:
    """Parse `a.b[0].c`, or a JSON pointer `/a/b/0` (RFC 6901)."""
    if text.startswith("/"):
        return tuple(p.replace("~1", "/").replace("~0", "~") for p in text[1:].split("/"))
    return tuple("".join(groups).strip() for groups in _STEP.findall(text))


def pointer(path: StatePath) -> str:
    """Return a path as a JSON pointer (RFC 6901), exact for every name."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)


def join_path(path: StatePath) -> str:
    """Return a path as `a.b.0.c`; a name with a dot is put into brackets."""
    text = ""
    for part in path:
        text += f'["{part}"]' if set(part) & set(".[]") else f".{part}"
    return text.removeprefix(".")


def is_vwd(value: object) -> bool:
    """Return whether a value has a meaning: `[value, "meaning"]`."""
    match value:
        case [inner, str()]:
            return not isinstance(inner, dict)
    return False


def plain(value: object) -> Any:
    """Return the value of a leaf without its meaning."""
    return value[0] if isinstance(value, list) and is_vwd(value) else value


def number(value: object) -> int | float | None:
    """Parse a number, also from a text such as “+15”; None if it is not one."""
    value = plain(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    text = value.strip() if isinstance(value, str) else ""
    if not _NUMBER.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)


def get(state: State, path: StatePath) -> Any:
    """Return the value at ``path``. Raises KeyError."""
    node: Any = state
    for part in path:
        match node:
            case dict() if part in node:
                node = node[part]
            case list() if part.isdecimal() and int(part) < len(node):
                node = node[int(part)]
            case _:
                raise KeyError(join_path(path))
    return node


def leaves(state: State) -> Iterator[Leaf]:
    """Yield the leaves in tree order, without names that begin with $, which are a tool's own."""
    yield from _leaves(state, ())


def _leaves(value: Any, path: StatePath) -> Iterator[Leaf]:
    match value:
        case dict() if len(path) < MAX_DEPTH and (value or not path):
            for name, part in value.items():
                if not name.startswith("$"):
                    yield from _leaves(part, (*path, name))
        case [inner, str() as meaning] if is_vwd(value):
            yield Leaf(path, inner, meaning)
        case list() if len(path) < MAX_DEPTH and any(isinstance(p, dict | list) for p in value):
            for index, part in enumerate(value):
                yield from _leaves(part, (*path, str(index)))
        case _:
            yield Leaf(path, value)


def apply(state: State, op: StateOp) -> StateChange:
    """Change ``state`` in place; returns the changes, or the fault."""
    path = _leaf_path(state, op.path)
    old = _look(state, path)
    try:
        _do(state, op)
    except _CannotBeDone as e:
        return StateChange(path, old, old, op.reason, Phrase(e.args[0]))
    return StateChange(path, old, _look(state, path), op.reason)


def compared(old: State, new: State) -> list[StateChange]:
    """Return the differences in ``new``, leaf by leaf."""
    return list(_differences(old, new, ()))


def _differences(old: Any, new: Any, path: StatePath) -> Iterator[StateChange]:
    if old == new:  # most of a state stays the same
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            if not name.startswith("$"):
                yield from _differences(old.get(name), new.get(name), (*path, name))
        return
    before = {leaf.path: leaf.value for leaf in _leaves(old, path)} if old is not None else {}
    after = {leaf.path: leaf.value for leaf in _leaves(new, path)} if new is not None else {}
    for leaf in [*before, *(leaf for leaf in after if leaf not in before)]:
        if before.get(leaf) != after.get(leaf):
            values = copy.deepcopy((before.get(leaf), after.get(leaf)))
            yield StateChange(leaf, *values)


def _leaf_path(state: State, path: StatePath) -> StatePath:
    """Return the path of the leaf itself if `leaf[0]` names its value."""
    if path[-1:] != ("0",):
        return path
    try:
        return path[:-1] if is_vwd(get(state, path[:-1])) else path
    except KeyError:
        return path


def _look(state: State, path: StatePath) -> Any:
    try:
        return copy.deepcopy(plain(get(state, path)))
    except KeyError:
        return None


def _do(state: State, op: StateOp) -> None:
    if len(op.path) > MAX_DEPTH:
        raise _CannotBeDone(_TOO_DEEP)
    match op.op:
        case "set":
            _set(state, op.path, op.value)
        case "add":
            _add(state, op.path, op.value)
        case "insert":
            _insert(state, op.path, op.value)
        case "remove":
            _remove(state, op.path)
        case "move" | "copy":
            try:
                value = copy.deepcopy(get(state, op.origin))
            except KeyError:
                raise _CannotBeDone(_NOT_THERE) from None
            result = copy.deepcopy(state)  # either completely or not at all
            if op.op == "move":
                _remove(result, op.origin)
            _set(result, op.path, value)
            state.clear()
            state.update(result)


def _set(state: State, path: StatePath, value: Any) -> None:
    if not path:
        if not isinstance(value, dict):
            raise _CannotBeDone(_NO_PLACE)
        state.clear()
        state.update(copy.deepcopy(value))
        return
    place = _place(state, path)
    value = copy.deepcopy(value)
    match place:
        case dict():
            place[path[-1]] = _with_meaning(place.get(path[-1]), value)
        case list():
            index = _index(place, path[-1])
            place[index] = _with_meaning(place[index], value)


def _with_meaning(old: Any, value: Any) -> Any:
    """Keep the meaning of a value, unless the new one has its own."""
    if isinstance(old, list) and is_vwd(old) and not is_vwd(value):
        return [value, old[1]]
    return value


def _add(state: State, path: StatePath, value: Any) -> None:
    try:
        current = get(state, path) if path else state
    except KeyError:
        _set(state, path, value)
        return
    more, much = number(value), number(current)
    if more is not None and much is not None:
        total = much + more
        _set(state, path, round(total, 10) if isinstance(total, float) else total)
    elif isinstance(current, dict) and isinstance(value, dict):
        current.update(copy.deepcopy(value))
    elif isinstance(current, list) and (not is_vwd(current) or _are_texts(current[0], value)):
        _insert(state, (*path, "-"), value)  # two texts may also be a list of two
    else:
        raise _CannotBeDone(_NO_NUMBER)


def _are_texts(*values: object) -> bool:
    return all(isinstance(value, str) for value in values)


def _insert(state: State, path: StatePath, value: Any) -> None:
    if path[-1:] == ("-",) and len(path) > 1:
        try:
            get(state, path[:-1])
        except KeyError:
            _set(state, path[:-1], [value])
            return
    place = _place(state, path)
    if not path:
        _set(state, path, value)
    elif isinstance(place, list):
        at = len(place) if path[-1] == "-" else _index(place, path[-1], beyond=1)
        if len(place) >= MAX_ITEM:
            raise _CannotBeDone(_TOO_DEEP)
        place.insert(at, copy.deepcopy(value))
    elif path[-1] == "-":
        raise _CannotBeDone(_NO_LIST)
    else:
        _set(state, path, value)


def _remove(state: State, path: StatePath) -> None:
    try:
        get(state, path)
    except KeyError:
        raise _CannotBeDone(_NOT_THERE) from None
    if not path:
        state.clear()
        return
    place = _place(state, path)
    if isinstance(place, list):
        del place[_index(place, path[-1])]
    else:
        del place[path[-1]]


def _place(state: State, path: StatePath) -> dict[str, Any] | list[Any]:
    """Return the container of the last part of ``path``; missing tables are created."""
    node: Any = state
    for part in path[:-1]:
        match node:
            case dict():
                node = node.setdefault(part, {})
            case list():
                node = node[_index(node, part)]
            case _:
                raise _CannotBeDone(_NO_PLACE)
    if not isinstance(node, dict | list):
        raise _CannotBeDone(_NO_PLACE)
    return node


def _index(place: Sequence[Any], part: str, beyond: int = 0) -> int:
    if not part.isdecimal() or int(part) >= len(place) + beyond:
        raise _CannotBeDone(_NOT_THERE)
    return int(part)


# The history of the state: what each floor changed, and by whom. Values only.


Teller = Literal["begin", "reply", "variables", "user", "reflection"]


@dataclass(frozen=True, slots=True)
class StateEntry:
    """The changes at ``floor``.

    ``teller``: the initial state, the tags of a reply, the variables a front end stores beside a
    message (which hold the whole state), the user, or a look back. ``dialects`` are the formats of
    the tags, ``faults`` what could not be read in them.
    """

    floor: int
    teller: Teller
    changes: tuple[StateChange, ...] = ()
    dialects: tuple[str, ...] = ()
    faults: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class StateHistory:
    """The state at ``floor``, and the changes before it, oldest first."""

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
    """Yield the changes of the value at ``path``, including replacements of its container."""
    for entry in entries:
        for change in entry.changes:
            depth = len(change.path)
            if change.fault is not None or change.path != path[:depth]:
                continue
            old, new = _inside(change.old, path[depth:]), _inside(change.new, path[depth:])
            if old != new:
                yield Step(entry.floor, entry.teller, old, new, change.reason)


def points_of(steps: Iterable[Step], now: Any, floor: int) -> tuple[tuple[int, float], ...]:
    """Return (floor, number) for each step with a number, and for the value ``now``."""
    numbers = [(step.floor, number(step.new)) for step in steps]
    points = [(at, float(value)) for at, value in numbers if value is not None]
    last = number(now)
    if points and last is not None:
        points.append((max(0, floor), float(last)))
    return tuple(points)


def rebuilt(entries: Iterable[StateEntry]) -> State:
    """Rebuild the state from these changes alone, each of which sets a new value."""
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
