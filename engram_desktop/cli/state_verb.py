"""`state`: the values a story changes, at any floor, and how they came about."""

from __future__ import annotations

import argparse
import json
from typing import Any

from engram_desktop.cli.verb import Call, Verb, as_argument, chat_and_branch
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.state.tree import (
    StateChange,
    StateEntry,
    StatePath,
    join_path,
    leaves,
    split_path,
)


def _arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as it was then (default: now)")
    as_argument(parser)
    parser.add_argument("--log", action="store_true", help="what each floor changed, and why")
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--set", metavar="PATH=VALUE", help="VALUE is JSON, or else a text")
    change.add_argument("--remove", metavar="PATH")


def _state(call: Call) -> None:
    memory, args = call.memory, call.args
    if args.set is not None:
        path, value = _assignment(args.set)
        memory.state.set(call.line, path, value)
    elif args.remove is not None:
        memory.state.remove(call.line, split_path(args.remove))
    history = memory.knowledge.state(call.ctx, call.line, args.actors, args.at)
    if args.log:
        rows = [_entry(entry) for entry in history.entries]
        call.output.document(rows, [line for entry in history.entries for line in _lines(entry)])
        return
    leaf_lines = [
        f"{join_path(leaf.path)}: {_text(leaf.value)}" + (leaf.meaning and f"  ({leaf.meaning})")
        for leaf in leaves(history.tree)
    ]
    call.output.document(history.tree, leaf_lines or ["No state: no reply changes one."])


def _is_changing(args: argparse.Namespace) -> bool:
    return args.set is not None or args.remove is not None


def _assignment(text: str) -> tuple[StatePath, Any]:
    name, is_there, value = text.partition("=")
    if not is_there:
        raise InputError(f"“{text}” is not PATH=VALUE.")
    try:
        return split_path(name.strip()), json.loads(value)
    except ValueError:
        return split_path(name.strip()), value


def _entry(entry: StateEntry) -> dict[str, Any]:
    return {
        "floor": entry.floor,
        "teller": entry.teller,
        "dialects": list(entry.dialects),
        "changes": [_change(change) for change in entry.changes],
        "faults": [str(fault) for fault in entry.faults],
    }


def _change(change: StateChange) -> dict[str, Any]:
    row = {"path": join_path(change.path), "old": change.old, "new": change.new}
    if change.reason:
        row["reason"] = change.reason
    if change.fault is not None:
        row["fault"] = str(change.fault)
    return row


def _lines(entry: StateEntry) -> list[str]:
    head = f"{entry.floor:>5}  "
    lines = []
    for change in entry.changes:
        moved = f"{_text(change.old)} -> {_text(change.new)}"
        why = str(change.fault) if change.fault is not None else change.reason
        text = moved if change.fault is None else "left as it is"
        lines.append(f"{head}{join_path(change.path)}: {text}" + (why and f"  ({why})"))
    return lines + [f"{head}{fault}" for fault in entry.faults]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_STATE_VERBS = (
    Verb(
        "state",
        _arguments,
        _state,
        can_read_only=True,
        writes_if=lambda args: _is_changing(args) or bool(args.actors),
        must_write=_is_changing,
    ),
)


VERBS = (*_STATE_VERBS,)
