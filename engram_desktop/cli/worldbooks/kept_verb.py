"""`kept`: world book files kept in step with memory: list, sync, move, take, stop."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engram_desktop.cli.import_rows import import_line, import_row
from engram_desktop.cli.kept_report import kept_line
from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import Call, Verb
from engram_desktop.domain.worldbooks.kept_book import KeptBook


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", nargs="?", type=path_argument, help="only this file"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--sync", action="store_true", help="bring them to what memory says now")
    action.add_argument(
        "--to",
        type=path_argument,
        metavar="NEW",
        help="keep NEW in step in the place of FILE, which stays",
    )
    action.add_argument(
        "--take",
        action="store_true",
        help="make what FILE holds now a world book of its own, and keep it in step no more",
    )
    action.add_argument("--stop", action="store_true", help="keep FILE in step no more; it stays")


def _kept(call: Call) -> int | None:
    memory, args = call.memory, call.args
    if args.sync:
        reports = memory.kept.sync(call.ctx, file=args.file, is_asked=args.file is not None)
        rows = [_row(report.book) | {"is_written": report.is_written} for report in reports]
        call.output.document(rows, [kept_line(report) for report in reports] or [_NONE])
        return 1 if any(report.book.fault for report in reports) else None
    if args.to:
        report = memory.kept.keep_elsewhere(call.ctx, args.file or Path(), args.to)
        call.output.document(_row(report.book), [kept_line(report)])
        return None
    if args.take:
        import_data = import_row(memory.kept.take(call.ctx, args.file or Path()))
        call.output.document(import_data, [import_line(import_data)])
        return None
    if args.stop:
        row = memory.kept.stop(args.file or Path())
        call.output.document({"stopped": row.path}, [f"{row.path} is kept in step no more"])
        return None
    path = str(args.file.absolute()) if args.file else None
    books = [book for book in memory.kept.all() if path in (None, book.path)]
    call.output.document([_row(book) for book in books], list(map(_line, books)) or [_NONE])
    return None


_NONE = "No world book is kept in step. Begin with: export CHAT --format worldbook -o FILE --keep"


def _row(row: KeptBook) -> dict[str, Any]:
    data = asdict(row)
    del data["hash"], data["next_hash"]
    return data | {"trouble": str(row.trouble or "")}


def _line(row: KeptBook) -> str:
    state = str(row.trouble or f"{row.entries} entries")
    return f"{row.path}  chat {row.chat_id}  branch {row.branch_id}  {state}"


VERBS = (
    Verb(
        "kept",
        "world book files kept in step with memory: list, sync, move, take, stop",
        _arguments,
        _kept,
        writes_if=lambda args: bool(args.sync or args.stop or args.to or args.take),
    ),
)
