"""`books`, `book`, `activate`, `characters`: the worldbooks and cards of the library."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engram_desktop.cli.verb import Call, Verb, chat_and_branch, no_arguments
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.tavern.user import name_of_tag
from engram_desktop.domain.worldbooks.activation import Outcome
from engram_desktop.domain.worldbooks.worldbook import (
    ENTRY_MODES,
    ROLES,
    TRIGGERS,
    Entry,
    Position,
    Worldbook,
    mode_flags,
    with_fields,
)
from engram_desktop.formats.worldbooks.entry_field import read_field


def _worldbooks(call: Call) -> None:
    rows = call.memory.worldbooks.all()
    lines = [
        f"{row.id}  {row.name}  {row.entries} entries"
        + ("  for every chat" if row.is_global else "")
        + (f"  of {row.owner}" if row.owner else "")
        for row in rows
    ]
    call.output.document([asdict(row) for row in rows], lines or ["There is no world book yet."])


def _worldbook_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("book", metavar="NAME", help="id, name or title of a world book")
    parser.add_argument(
        "--entry", dest="uids", action="append", metavar="UID", help="only this one; repeatable"
    )
    parser.add_argument("--mode", choices=ENTRY_MODES, help="give the entries this mode")
    parser.add_argument(
        "--set",
        dest="fields",
        action="append",
        metavar="FIELD=VALUE",
        help="give the entries another value, by SillyTavern's name of the field; repeatable",
    )
    parser.add_argument("--add", action="store_true", help="add an entry, with what --set says")
    parser.add_argument("--drop", action="store_true", help="take the entries of --entry out")
    parser.add_argument("--rename", metavar="NEW", help="give it another name")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--every-chat", action="store_true", help="use it in every chat")
    action.add_argument("--own-chats", action="store_true", help="use it in its character's only")
    action.add_argument("--on-in", metavar="CHAT", help="use it in this chat, too")
    action.add_argument("--off-in", metavar="CHAT", help="do not use it in this chat any more")
    action.add_argument("--delete", action="store_true", help="take the book out of the library")


def _worldbook_writes(args: argparse.Namespace) -> bool:
    changes = (args.mode, args.fields, args.add, args.drop, args.rename)
    binds = (args.every_chat, args.own_chats, args.on_in, args.off_in)
    return any(changes) or any(binds) or args.delete


def _worldbook(call: Call) -> None:
    memory, args = call.memory, call.args
    row = memory.worldbooks.find(args.book)
    entries = [
        entry
        for entry in memory.worldbooks.read(row.id).entries
        if args.uids is None or str(entry.uid) in args.uids
    ]
    fields = _fields(args)
    if args.drop:
        if args.uids is None:
            raise InputError("Say which entries: --entry UID.")
        memory.worldbooks.delete_entries(row.id, [entry.uid for entry in entries])
        entries = []
    elif args.add:
        added, _changes = memory.worldbooks.add_entry(row.id, with_fields(Entry(0), fields))
        entries = [added]
    elif fields:
        memory.worldbooks.change_entries(row.id, [entry.uid for entry in entries], fields)
        by_uid = {entry.uid: entry for entry in memory.worldbooks.read(row.id).entries}
        entries = [by_uid[entry.uid] for entry in entries]
    if args.rename:
        memory.worldbooks.rename(row.id, args.rename)
    if args.every_chat or args.own_chats:
        memory.worldbooks.set_global(row.id, is_global=args.every_chat)
    if chat := args.on_in or args.off_in:
        memory.worldbooks.set_in_chat(row.id, memory.chats.find(chat), is_on=bool(args.on_in))
    if args.delete:
        memory.worldbooks.delete(row.id)
        call.output.document({"deleted": row.name}, [f"{row.name} is no longer in the library"])
        return
    tags = memory.characters.tag_names()
    data = asdict(memory.worldbooks.find(row.id)) | {"entries": [_entry(e, tags) for e in entries]}
    lines = [f"{e.uid}  {e.mode}  {e.title}  {e.tokens} tokens" for e in entries]
    call.output.document(data, lines)


def _fields(args: argparse.Namespace) -> dict[str, Any]:
    """What --mode and --set ask for. Raises InputError."""
    fields: dict[str, Any] = dict(mode_flags(args.mode)) if args.mode else {}
    for assignment in args.fields or ():
        name, equals, value = assignment.partition("=")
        if not equals:
            raise InputError(f"“{assignment}” is not FIELD=VALUE.")
        read = read_field(name, value)
        matches = {**fields.get("matches", {}), **read.get("matches", {})}
        fields |= read | ({"matches": matches} if matches else {})
    return fields


def _entry(entry: Entry, tags: Mapping[str, str]) -> dict[str, Any]:
    fields = asdict(entry)
    if entry.character_filter:
        called = [name_of_tag(tags, tag) for tag in entry.character_filter.tags]
        fields["character_filter"]["tag_names"] = called
    return fields | {
        "matches": sorted(entry.matches),
        "mode": entry.mode,
        "tokens": entry.tokens,
    }


def _activate_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "--book",
        dest="books",
        action="append",
        metavar="NAME",
        help="hold this book against the chat; repeatable (default: those that are on in it)",
    )
    parser.add_argument(
        "--with-memory",
        action="store_true",
        help="and the chat's own [Engram] book, as if SillyTavern had it",
    )
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as after this floor")
    parser.add_argument("--seed", type=int, default=0, help="what chance comes from")
    parser.add_argument(
        "--trigger", choices=TRIGGERS, default="normal", help="for which kind of reply"
    )


def _activate(call: Call) -> None:
    args, memory = call.args, call.memory
    worldbooks: list[str | Worldbook] | None = args.books
    if args.with_memory:
        bound = [row.id for row in memory.worldbooks.of_chat(call.line)]
        memory_worldbook = memory.kept.memory_worldbook(call.ctx, call.line)
        worldbooks = [*(args.books or bound), memory_worldbook.as_worldbook(call.ctx)]
    activation = memory.worldbooks.activate(
        call.ctx,
        call.line,
        worldbooks,
        at=args.at,
        seed=args.seed,
        trigger=args.trigger,
    )
    missing = memory.worldbooks.missing(call.line)
    data = {
        "tokens": activation.tokens,
        "budget": activation.budget,
        "rounds": activation.rounds,
        "missing": missing,
        "fired": [[*outcome.key] for outcome in activation.fired],
        "entries": [_outcome(outcome) for outcome in activation.outcomes],
    }
    lines = [
        f"{'+' if o.has_fired else '-'} {o.key[0]}/{o.key[1]}  {o.entry.title}: {o.reason.phrase}"
        for o in activation.outcomes
    ]
    lines += [f"! {name} is bound to this chat and not in the library" for name in missing]
    lines.append(
        f"{len(activation.fired)} entries, {activation.tokens} of {activation.budget} tokens"
    )
    call.output.document(data, lines)


def _outcome(outcome: Outcome) -> dict[str, Any]:
    entry = outcome.entry
    return {
        "book": outcome.key[0],
        "uid": outcome.key[1],
        "title": entry.title,
        "mode": entry.mode,
        "fired": outcome.has_fired,
        "why": outcome.reason.why,
        "reason": str(outcome.reason.phrase),
        "tokens": outcome.tokens,
        "place": outcome.place,
        "position": entry.position.name.lower(),
        "depth": entry.depth if entry.position is Position.AT_DEPTH else None,
        "role": ROLES[entry.role] if entry.position is Position.AT_DEPTH else None,
        "outlet": entry.outlet_name if entry.position is Position.OUTLET else None,
        "order": entry.order,
        "automation_id": entry.automation_id or None,  # what SillyTavern would run
    }


VERBS = (
    Verb("books", no_arguments, _worldbooks),
    Verb(
        "book",
        _worldbook_arguments,
        _worldbook,
        writes_if=_worldbook_writes,
    ),
    Verb(
        "activate",
        _activate_arguments,
        _activate,
    ),
)
