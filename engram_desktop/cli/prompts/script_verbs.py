"""`regex`: the scripts and rules that messages go through before a model reads them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import Call, Verb, branch_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.text.regex_script import SCOPES, StoredScript
from engram_desktop.domain.text.text_steps import TextStep


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="with --floor: id or name")
    branch_argument(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="scripts and rules, in order (default)")
    action.add_argument(
        "--add", metavar="FILE", type=path_argument, help="take in the scripts of a file"
    )
    action.add_argument("--enable", metavar="ID", help="a script, or own:RULE")
    action.add_argument("--disable", metavar="ID", help="a script, or own:RULE")
    action.add_argument("--move", metavar="ID", help="with --by: run it earlier or later")
    action.add_argument("--delete", metavar="ID")
    action.add_argument("--export", metavar="FILE", type=path_argument, help="write --only, or all")
    action.add_argument("--try", dest="text", metavar="TEXT", help="run --only, or all, on a text")
    action.add_argument("--floor", type=int, metavar="N", help="every step for a message of CHAT")
    parser.add_argument("--steps", action="store_true", help="with --floor: the texts too")
    parser.add_argument("--only", metavar="ID", nargs="+", default=[], help="ids or names")
    parser.add_argument("--by", type=int, default=-1, metavar="N")
    parser.add_argument("--scope", choices=SCOPES, default="global", help="with --add")
    parser.add_argument("--owner", default="", metavar="NAME", help="its character or preset")


def _regex(call: Call) -> None:
    args, memory = call.args, call.memory
    if args.floor is not None:
        if not args.chat:
            raise InputError("--floor needs the chat.")
        steps = memory.scripts.steps_of(call.line, args.floor)
        _show(call, steps, texts=args.steps)
        return
    if args.text is not None:
        _show(call, memory.scripts.try_on(args.text, args.only), texts=True)
        return
    if args.export:
        count = memory.scripts.export(call.ctx, args.only, args.export)
        row = {"file": str(args.export), "scripts": count}
        call.output.document(row, [f"{args.export}: {count} scripts"])
        return
    _change(call)
    rows = [_row(stored) for stored in memory.scripts.all()]
    rows += [
        {"id": f"own:{rule.name}", "name": rule.name, "scope": "own", "is_enabled": rule.is_enabled}
        for rule in memory.scripts.rules()
    ]
    call.output.document(rows, map(_line, rows))


def _change(call: Call) -> None:
    args, memory = call.args, call.memory
    if args.add:
        memory.scripts.import_file(call.ctx, args.add, args.scope, args.owner)
    elif args.enable or args.disable:
        memory.scripts.set_enabled(args.enable or args.disable, enabled=bool(args.enable))
    elif args.move:
        memory.scripts.move(args.move, args.by)
    elif args.delete:
        memory.scripts.delete(args.delete)


def _row(stored: StoredScript) -> dict[str, Any]:
    script = stored.script
    return {
        "id": stored.id,
        "name": script.name,
        "scope": stored.scope,
        "owner": stored.owner,
        "is_enabled": stored.is_enabled,
        "fault": stored.fault,
        "find": script.find,
        "replace": script.replace,
        "placement": sorted(script.placements),
        "is_for_prompts": script.is_for_prompts,
        "min_depth": script.min_depth,
        "max_depth": script.max_depth,
    }


def _line(row: dict[str, Any]) -> str:
    owner = f" ({row['owner']})" if row.get("owner") else ""
    fault = f"  ! {row['fault']}" if row.get("fault") else ""
    find = f"  {row['find'][:60]}" if row.get("find") else ""
    mark = "x" if row["is_enabled"] else " "
    return f"[{mark}] {row['id']:<16} {row['scope']}{owner}  {row['name']}{find}{fault}"


def _show(call: Call, steps: list[TextStep], *, texts: bool) -> None:
    def lines() -> Iterator[str]:
        for step in steps:
            mark = "changed" if step.is_changed else "same"
            yield f"--- {step.kind} {step.name}: {step.fault or mark}"
            if texts and (step.is_changed or step.kind == "original"):
                yield step.text

    call.output.document([asdict(step) for step in steps], lines())


def _writes(args: argparse.Namespace) -> bool:
    return bool(args.add or args.enable or args.disable or args.move or args.delete)


VERBS = (
    Verb(
        "regex",
        _arguments,
        _regex,
        writes_if=_writes,
        can_read_only=True,
        must_write=_writes,
    ),
)
