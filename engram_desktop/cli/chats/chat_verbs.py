"""`import`, `chats`: take chats in, list them."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engram_desktop.cli import import_rows
from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.take_folder import take_folder
from engram_desktop.cli.verb import (
    Call,
    Verb,
    no_arguments,
)
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.tavern.folder import TAVERN_KINDS, TavernChoice


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        type=path_argument,
        help="a chat, a card, a world book, …; or a SillyTavern folder: everything in it",
    )
    parser.add_argument("--into", metavar="CHAT", help="add to this chat")
    parser.add_argument("--as", dest="name", metavar="NAME", help="make a new chat of this name")
    parser.add_argument(
        "--exact",
        action="store_true",
        help="follow the file even where it only lacks the newest messages",
    )


def _import(call: Call) -> int:
    rows: list[dict[str, Any]] = []
    failures: list[KnownError] = []
    files: list[Path] = []
    is_plain = not (call.args.into or call.args.name or call.args.exact)
    for path in call.args.files:
        if path.is_dir() and is_plain:
            folder = call.memory.tavern.list_folder(call.ctx, path)
            folder_rows, troubles = take_folder(
                call, folder, TavernChoice(folder.keys(TAVERN_KINDS))
            )
            rows += folder_rows
            failures += troubles
        else:
            files += call.memory.tavern.chat_files(path) if path.is_dir() else [path]
    if len(files) > 1 and call.args.name and any(f.is_dir() for f in call.args.files):
        raise InputError("A whole folder cannot be given one name: leave --as out.")
    for number, file in enumerate(call.memory.tavern.stories_first(files)):
        call.ctx.report(number, len(files), "files")
        try:
            report = call.memory.imports.import_file(
                call.ctx,
                file,
                into=call.args.into,
                name=call.args.name,
                exact=call.args.exact,
            )
        except InputError as e:
            failures.append(e)
            rows.append(import_rows.unreadable_row(str(file), e))
        else:
            rows.append(import_rows.import_row(report))
    call.output.document(rows, [import_rows.import_line(row) for row in rows])
    if failures:
        raise failures[0]
    return 0


def _chats(call: Call) -> None:
    chats = call.memory.chats.all()
    lines = [
        f"{c.chat_id}  {c.name}  {c.messages} messages, {c.buffer} buffered,"
        f" {c.archived} archived, {c.entities} entities" + (f"  ! {c.fault}" if c.fault else "")
        for c in chats
    ]
    call.output.document([asdict(c) for c in chats], lines or ["There is no chat yet."])


VERBS = (
    Verb("import", _import_arguments, _import, writes=True),
    Verb("chats", no_arguments, _chats),
)
