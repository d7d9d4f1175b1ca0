"""Changes of the state in a reply, in the three forms that models are taught.

- the seed's form (design note 003 §3.2): `<state_update>` with a list of `{op, path, value}`; paths
  have dots, and `add` to a number counts up;
- Filament 3: `<state_update>` with `{"ops": [...]}` or any list whose paths are JSON pointers: an
  RFC 6902 patch, in which `add` sets;
- MVU: `<UpdateVariable>` with calls such as `_.set('path', old, new);//why`, or a `<JSONPatch>`.

Nothing is evaluated: calls are parsed. Never raises; what cannot be read is reported as a fault.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, Literal

import json_repair

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.state.tree import MAX_DEPTH, OpName, StateOp, StatePath, split_path
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import read_value, storable

_T = QT_TRANSLATE_NOOP
Dialect = Literal["seed", "filament", "mvu"]
MAX_BLOCK = 100_000  # characters of one block, and of one value: bounds the time of one message
MAX_OPS = 500  # of one message
MAX_REASON = 500  # characters: bounds what is shown for a change
MAX_NUMBER = 10**18  # fits into 64 bits, as SQLite stores numbers
MARKS = ("<state_update", "<variable_update", "<updatevariable")
_BLOCK = re.compile(
    r"<(state_update|variable_update|updatevariable)\b[^>]*>(.*?)(</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT = re.compile(r"<(think|thinking|thought|analysis|reasoning)\b[^<>]*>", re.IGNORECASE)
_PATCH = re.compile(r"<jsonpatch\b[^>]*>(.*?)(?:</jsonpatch>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^\s*```\w*\s*|\s*```\s*$")
_CALL = re.compile(r"_\.(set|add|assign|insert|remove|delete|unset|move)\s*\(")
_WHY = re.compile(r"\s*;?[ \t]*//[ \t]*([^\r\n]*)")
_ESCAPE = re.compile(r'\\(.)|"', re.DOTALL)
_JSON_ESCAPES = '"\\/bfnrtu'
_QUOTES = "'\"`"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_OPS: dict[str, OpName] = {
    "replace": "set",
    "set": "set",
    "update": "set",
    "add": "insert",
    "insert": "insert",
    "append": "insert",
    "push": "insert",
    "delta": "add",
    "increment": "add",
    "inc": "add",
    "remove": "remove",
    "delete": "remove",
    "move": "move",
    "copy": "copy",
}
_AT_THE_END = ("append", "push")
_NOT_CLOSED = _T("reports", "the block never ends: the reply was cut off")
_NO_LIST = _T("reports", "it holds no list of operations")
_UNKNOWN = _T("reports", "the operation “{op}” is unknown")
_NO_PATH = _T("reports", "an operation names no place")
_TOO_MANY = _T("reports", "there are more than {most} operations")


@dataclass(slots=True)
class StateUpdates:
    """``ops`` in order, the dialects they are written in, and what could not be read."""

    ops: list[StateOp] = field(default_factory=list)
    dialects: list[Dialect] = field(default_factory=list)
    faults: list[Phrase] = field(default_factory=list)

    def note(self, dialect: Dialect) -> None:
        if dialect not in self.dialects:
            self.dialects.append(dialect)

    def fault(self, template: str, **params: Any) -> None:
        if len(self.faults) < 20:
            self.faults.append(Phrase(template, **params))


def updates_in(text: str) -> StateUpdates:
    """Return the changes in a reply; blocks inside thoughts do not count."""
    updates = StateUpdates()
    if not any(mark in text.lower() for mark in MARKS):
        return updates
    for name, body, end in _BLOCK.findall(_without_thoughts(text)):
        if not end:  # half a list of operations is not used
            updates.fault(_NOT_CLOSED)
        elif name.lower() == "updatevariable":
            _read_mvu(body[:MAX_BLOCK], updates)
        else:
            _read_patch(body[:MAX_BLOCK], updates)
    if len(updates.ops) > MAX_OPS:
        updates.fault(_TOO_MANY, most=MAX_OPS)
    updates.ops = [
        replace(op, value=tame(op.value), reason=storable(op.reason)[:MAX_REASON])
        for op in updates.ops[:MAX_OPS]
    ]
    return updates


def _without_thoughts(text: str) -> str:
    parts, at = [], 0
    endless: set[str] = set()
    for opening in _THOUGHT.finditer(text):
        name = opening[1].lower()
        if opening.start() < at or name in endless:
            continue
        end = re.compile(f"</{name}\\s*>", re.IGNORECASE).search(text, opening.end())
        if end is None:
            endless.add(name)
            continue
        parts.append(text[at : opening.start()])
        at = end.end()
    return "".join([*parts, text[at:]])


def _read_patch(body: str, updates: StateUpdates, dialect: Dialect | None = None) -> None:
    value = _json(_FENCE.sub("", body))
    is_filament = isinstance(value, dict) and "ops" in value
    rows = value["ops"] if is_filament else [value] if isinstance(value, dict) else value
    if not isinstance(rows, list):
        updates.fault(_NO_LIST)
        return
    for row in rows:
        if not isinstance(row, dict):
            updates.fault(_NO_LIST)
            continue
        is_pointer = str(row.get("path", "")).startswith("/")
        spoken = dialect or ("filament" if is_filament or is_pointer else "seed")
        updates.note(spoken)
        op = _patch_op(row, spoken, updates)
        if op is not None:
            updates.ops.append(op)


def _patch_op(row: dict[str, Any], dialect: Dialect, updates: StateUpdates) -> StateOp | None:
    """Read `{op, path, value}`. In the seed's form `add` counts up; RFC 6902 sets."""
    word, path = str(row.get("op", "")).lower(), _path(row.get("path"))
    name = "add" if (word, dialect) == ("add", "seed") else _OPS.get(word)
    origin = _path(row.get("from")) if name in ("move", "copy") else ()
    if name is None:
        updates.fault(_UNKNOWN, op=word[:40])
    elif path is None or origin is None:
        updates.fault(_NO_PATH)
    else:
        if word in _AT_THE_END:
            path = (*path, "-")
        why = str(row.get("reason") or row.get("analysis") or "")
        return StateOp(name, path, row.get("value"), why, origin)
    return None


def _path(value: object) -> StatePath | None:
    """Read a path; None if it is not a text or is empty."""
    path = split_path(storable(value).strip()) if isinstance(value, str) else ()
    return path if any(path) else None


def _read_mvu(body: str, updates: StateUpdates) -> None:
    """Read calls in order, and then patches."""
    updates.note("mvu")
    for patch in _PATCH.findall(body):
        _read_patch(patch, updates, "mvu")
    for name, values, why in _calls(_PATCH.sub("", body)):
        op = _mvu_op(name, values, why)
        if op is None:
            updates.fault(_NO_PATH)
        else:
            updates.ops.append(op)


def _mvu_op(name: str, values: list[Any], why: str) -> StateOp | None:
    """Read one call: `set(path, [old,] new)`, `add(path, delta)`, `assign(path, [key,] value)`."""
    path = _path(values[0]) if values else None
    if path is None:
        return None
    op: StateOp | None = None
    match name, values[1:]:
        case "set", [*_, value]:
            op = StateOp("set", path, value, why)
        case ("add", [value, *_]) | ("assign" | "insert", [value]):
            op = StateOp("add", path, value, why)
        case "assign" | "insert", [key, value, *_]:
            op = StateOp("insert", (*path, _name(key)), value, why)
        case "remove" | "delete" | "unset", keys:
            op = StateOp("remove", (*path, *map(_name, keys[:1])), None, why)
        case "move", [target, *_] if (to := _path(target)) is not None:
            op = StateOp("move", to, None, why, path)
    return op


def _name(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key)


def _calls(text: str) -> Iterator[tuple[str, list[Any], str]]:
    """Yield (name, values, why) of every complete call."""
    at = 0
    while call := _CALL.search(text, at):
        parts, at = _arguments(text, call.end())
        if parts is None:
            return
        why = _WHY.match(text, at)
        if why:
            at = why.end()
        yield call[1], [_value(part) for part in parts], why[1].strip() if why else ""


def _arguments(text: str, start: int) -> tuple[list[str] | None, int]:
    """Split the arguments after a `(` at commas; returns them, and where the `)` ends.

    None for a call without an end.
    """
    parts: list[str] = []
    closing: list[str] = []
    begin = at = start
    while at < len(text):
        char = text[at]
        if char in _QUOTES:
            at = _string_end(text, at)
            continue
        if char in _PAIRS:
            closing.append(_PAIRS[char])
        elif closing and char == closing[-1]:
            closing.pop()
        elif not closing and char in ",)":
            parts.append(text[begin:at].strip())
            begin = at + 1
            if char == ")":
                return [part for part in parts if part], begin
        at += 1
    return None, at


def _string_end(text: str, at: int) -> int:
    """Return the end of the string that begins at ``at``."""
    quote = text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _value(text: str) -> Any:
    """Read a JavaScript value; anything else is taken as a text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in _QUOTES and _string_end(text, 0) == len(text):
        return _string(text)
    if text[0] in "[{" or text[0].isdigit() or text[0] in "+-.":
        value = _json(text.removeprefix("+"))
        if value is not None:
            return value
    return text


def _string(text: str) -> str:
    """Read a JavaScript string: unknown escapes stand for the character itself."""
    inner = _ESCAPE.sub(
        lambda m: '\\"' if m[0] == '"' else m[0] if m[1] in _JSON_ESCAPES else m[1], text[1:-1]
    )
    try:
        return str(json.loads(f'"{inner}"', strict=False))
    except ValueError:
        return text[1:-1]


def tame(value: Any, depth: int = 0) -> Any:
    """Return a valid JSON value: limited depth, no infinity, no half characters."""
    match value:
        case dict() if depth < MAX_DEPTH:
            return {storable(str(name)): tame(part, depth + 1) for name, part in value.items()}
        case list() if depth < MAX_DEPTH:
            return [tame(part, depth + 1) for part in value]
        case str():
            return storable(value)[:MAX_BLOCK]
        case int() | float() if math.isfinite(value) and abs(value) < MAX_NUMBER:
            return value
    return None


def _json(text: str) -> Any:
    """Read JSON, repairing it if needed; None if that fails."""
    text = text.strip()
    if not text:
        return None
    try:
        value, end = read_value(text)
        if not text[end:].strip():
            return value
    except (ValueError, RecursionError):
        pass
    if text[0] not in "[{":
        return None
    try:
        return json_repair.loads(text, skip_json_loads=True) or None
    except (ValueError, RecursionError):
        return None
