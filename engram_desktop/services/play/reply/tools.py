"""The tools of a turn, by its level (design note 003 §3.1.2), and what calls of them say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.memory.extraction import MAX_NAME, clean_text
from engram_desktop.domain.play.event_block import event_of
from engram_desktop.domain.play.pieces import RecordedEvent
from engram_desktop.domain.recall.triage import Level
from engram_desktop.domain.state.tree import OpName, StateOp, split_path
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.chats.state_updates import MAX_OPS, tame
from engram_desktop.llm.answers.loose_json import read_json

if TYPE_CHECKING:
    from engram_desktop.llm.client.client import ToolCall

BY_LEVEL: dict[Level, tuple[str, ...]] = {
    "ROUTINE": ("update_vwd",),
    "CHAT": ("update_vwd", "expression"),
    "EVENT": ("record_event", "trigger_flag"),
}
_OPS: dict[str, OpName] = {"add": "add", "replace": "set", "set": "set", "remove": "remove"}
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_PROPERTIES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "update_vwd": (
        {
            "ops": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "op": {"type": "string", "enum": ["add", "replace", "remove"]},
                        "path": _TEXT,
                        "value": _TEXT,
                        "reason": _TEXT,
                    },
                    "required": ["op", "path"],
                },
            }
        },
        ["ops"],
    ),
    "expression": ({"name": _TEXT}, ["name"]),
    "record_event": (
        {
            "type": _TEXT,
            "summary": _TEXT,
            "participants": _TEXTS,
            "location": _TEXT,
            "tags": _TEXTS,
        },
        ["type", "summary", "participants"],
    ),
    "trigger_flag": ({"flag": _TEXT}, ["flag"]),
}


@dataclass(slots=True)
class Called:
    """What the calls of one answer say, together."""

    ops: list[StateOp] = field(default_factory=list)
    events: list[RecordedEvent] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    expression: str = ""


def tool_schemas(level: Level, words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the function schemas of a level; ``words`` describe them by name."""
    schemas = []
    for name in BY_LEVEL[level]:
        properties, required = _PROPERTIES[name]
        parameters = {"type": "object", "properties": properties, "required": required}
        function = {"name": name, "description": words[name], "parameters": parameters}
        schemas.append({"type": "function", "function": function})
    return schemas


def called(calls: Iterable[ToolCall]) -> Called:
    """Read calls, tolerantly; what says nothing is left out."""
    result = Called()
    for call in calls:
        value = read_json(call.arguments).value if call.arguments.strip() else None
        if not isinstance(value, dict):
            continue
        match call.name:
            case "update_vwd":
                result.ops += _ops_of(value)
            case "record_event":
                event = event_of(value)
                if event is not None:
                    result.events.append(event)
            case "trigger_flag":
                flag = _word(value.get("flag", value.get("name")))
                result.flags += [flag] if flag else []
            case "expression":
                result.expression = _word(value.get("name", value.get("expression")))
    return result


def _ops_of(value: Mapping[str, Any]) -> list[StateOp]:
    rows = value.get("ops", [value])
    ops = []
    for row in rows[:MAX_OPS] if isinstance(rows, list) else ():
        if not isinstance(row, dict) or not isinstance(row.get("path"), str):
            continue
        name, path = _OPS.get(str(row.get("op", "replace")).lower()), split_path(row["path"])
        if name is not None and any(path):
            reason = _word(row.get("reason"))
            ops.append(StateOp(name, path, tame(_value(row.get("value"))), reason))
    return ops


def _value(value: object) -> object:
    """Read a value that a schema wanted as text: a number or a truth is what it says."""
    if not isinstance(value, str):
        return value
    try:
        plain = json.loads(value.strip().removeprefix("+"))
    except (ValueError, RecursionError):
        return value
    return plain if isinstance(plain, int | float | bool) else value


def _word(value: object) -> str:
    return clean_text(value, MAX_NAME) if isinstance(value, str) else ""
