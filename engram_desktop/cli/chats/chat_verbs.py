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
        help="follow the file even where it only lacks the newest messages; replaces floors unless"
        " --on-conflict says otherwise",
    )
    import_rows.conflict_argument(parser)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="only say what would happen, and which floors would change or go; of a folder, what"
        " happens to its chats",
    )


def _import(call: Call) -> int:
    rows: list[dict[str, Any]] = []
    failures: list[KnownError] = []
    files: list[Path] = []
    args = call.args
    is_plain = not (args.into or args.name or args.exact or args.dry_run)
    for path in args.files:
        if path.is_dir() and is_plain:
            folder = call.memory.tavern.list_folder(call.ctx, path)
            choice = TavernChoice(
                folder.keys(TAVERN_KINDS), on_conflict=args.on_conflict or "branch"
            )
            folder_rows, troubles = take_folder(call, folder, choice)
            rows += folder_rows
            failures += troubles
        else:
            files += call.memory.tavern.chat_files(path) if path.is_dir() else [path]
    if len(files) > 1 and args.name and any(f.is_dir() for f in args.files):
        raise InputError("A whole folder cannot be given one name: leave --as out.")
    for number, file in enumerate(call.memory.tavern.stories_first(files)):
        call.ctx.report(number, len(files), "files")
        try:
            rows.append(_previewed(call, file) if args.dry_run else _imported(call, file))
        except InputError as e:
            failures.append(e)
            rows.append(import_rows.unreadable_row(str(file), e))
    call.output.document(rows, [import_rows.import_line(row) for row in rows])
    if failures:
        raise failures[0]
    return 0


def _imported(call: Call, file: Path) -> dict[str, Any]:
    args = call.args
    report = call.memory.imports.import_file(
        call.ctx,
        file,
        into=args.into,
        name=args.name,
        exact=args.exact,
        on_conflict=args.on_conflict,
    )
    return import_rows.import_row(report)


def _previewed(call: Call, file: Path) -> dict[str, Any]:
    args = call.args
    preview = call.memory.imports.preview(
        call.ctx,
        file,
        into=args.into,
        name=args.name,
        exact=args.exact,
        on_conflict=args.on_conflict,
    )
    return import_rows.preview_row(preview)


def _chats(call: Call) -> None:
    chats = call.memory.chats.all()
    lines = [
        f"{c.chat_id}  {c.name}  {c.messages} messages, {c.buffer} buffered,"
        f" {c.archived} archived, {c.entities} entities" + (f"  ! {c.fault}" if c.fault else "")
        for c in chats
    ]
    call.output.document([asdict(c) for c in chats], lines or ["There is no chat yet."])


VERBS = (
    Verb("import", _import_arguments, _import, writes_if=lambda args: not args.dry_run),
    Verb("chats", no_arguments, _chats),
)
