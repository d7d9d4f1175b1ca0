"""`characters`: the cards of the library: list, show, write out, remove."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from engram_desktop.cli.verb import Call, Verb, path_argument
from engram_desktop.domain.cards import CharacterSheet
from engram_desktop.domain.errors import InputError


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "character", metavar="NAME", nargs="?", help="show this one: id, name or file of its card"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--export",
        type=path_argument,
        metavar="FILE",
        help="write its card to a new .png, .charx or .json",
    )
    action.add_argument("--delete", action="store_true", help="take it out of the library")
    parser.add_argument("--with-book", action="store_true", help="with --delete: its book, too")
    parser.add_argument(
        "--with-scripts", action="store_true", help="with --delete: its regex scripts, too"
    )


def _characters(call: Call) -> None:
    memory, args = call.memory, call.args
    if args.character is None:
        if args.export or args.delete:
            raise InputError("Say which character.")
        rows = memory.characters.all()
        lines = [f"{row.id}  {row.name}  {row.spec}  {row.source}" for row in rows]
        none = ["There is no character yet."]
        call.output.document([asdict(row) for row in rows], lines or none)
        return
    row = memory.characters.find(args.character)
    if args.export:
        memory.characters.export(call.ctx, row.id, args.export)
        data = {"file": str(args.export), "id": row.id}
        call.output.document(data, [f"{row.name} written to {args.export}"])
    elif args.delete:
        memory.characters.delete(row.id, worldbooks=args.with_book, scripts=args.with_scripts)
        data = {"deleted": row.name, "id": row.id}
        call.output.document(data, [f"{row.name} is no longer in the library"])
    else:
        sheet = memory.characters.sheet(call.ctx, row.id)
        call.output.document(asdict(sheet), _lines(sheet))


def _lines(sheet: CharacterSheet) -> Iterator[str]:
    yield f"{sheet.row.name}  {sheet.row.spec}  {sheet.row.source}"
    for worldbook in sheet.books:
        yield f"world book: {worldbook.name}, {worldbook.entries} entries"
    for chat_id, name in sheet.chats:
        yield f"chat: {chat_id}  {name}"
    for script in sheet.scripts:
        yield f"regex script: {script}"
    for name, value in asdict(sheet.character).items():
        for text in value if isinstance(value, list | tuple) else [value]:
            if text:
                yield f"{name}: {text}"


_CHARACTER_VERBS = (
    Verb(
        "characters",
        _arguments,
        _characters,
        writes_if=lambda args: bool(args.delete),
    ),
)


VERBS = (*_CHARACTER_VERBS,)
