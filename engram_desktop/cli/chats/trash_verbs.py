"""`delete`, `trash`: chats that nobody wants any more, and those that are wanted back."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from engram_desktop.cli.verb import Call, Verb, chat_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.reports import DeletedChat
from engram_desktop.domain.text.moment import local_moment


def _delete(call: Call) -> None:
    memory, chat_id = call.memory, call.chat_id
    name = memory.chats.name(chat_id)
    memory.chats.delete(chat_id)
    data = {"chat_id": chat_id, "name": name}
    call.output.document(data, [f"{name} is in the trash; engram trash --restore {chat_id}"])


def _arguments(parser: argparse.ArgumentParser) -> None:
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--restore", metavar="NAME", help="bring this one back: id or name")
    action.add_argument("--delete", metavar="NAME", help="delete this one for good")
    action.add_argument("--empty", action="store_true", help="delete all of them for good")
    parser.add_argument("--yes", action="store_true", help="with --delete and --empty: do it")


def _trash(call: Call) -> None:
    memory, args = call.memory, call.args
    if args.restore is not None:
        chat_id = memory.chats.restore(args.restore).chat_id
        name = memory.chats.name(chat_id or "")
        call.output.document({"chat_id": chat_id, "name": name}, [f"{name} is back: {chat_id}"])
        return
    rows = memory.chats.deleted()
    if args.delete is not None or args.empty:
        names = [row.id for row in rows] if args.empty else [args.delete]
        if not args.yes:
            raise InputError("What is deleted for good cannot be brought back: say --yes.")
        deleted = [memory.chats.delete_for_good(name) for name in names]
        call.output.document([asdict(row) for row in deleted], map(_line, deleted))
        return
    call.output.document([asdict(row) for row in rows], [*map(_line, rows)] or ["It is empty."])


def _line(row: DeletedChat) -> str:
    when = local_moment(row.deleted_at)
    return f"{row.id}  {row.name}  deleted {when:%Y-%m-%d %H:%M}, {row.size} bytes"


VERBS = (
    Verb("delete", chat_argument, _delete, writes=True),
    Verb(
        "trash",
        _arguments,
        _trash,
        writes_if=lambda args: bool(args.restore or args.delete or args.empty),
    ),
)
