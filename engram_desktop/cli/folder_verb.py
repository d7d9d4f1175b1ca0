"""`folder`: a chat's memories as a folder of Markdown files, kept in step both ways."""

from __future__ import annotations

import argparse
import threading
from typing import TYPE_CHECKING, Any

from engram_desktop.cli.verb import Call, Verb, branch_argument, path_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.reports import FOLDER_FAULTS

if TYPE_CHECKING:
    from engram_desktop.domain.reports import FolderReport, KeptFolder, Side

LOOK_SECONDS = 2.0  # between two looks of --watch: an edit is seen while its editor is still open


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="id or name of a chat")
    parser.add_argument(
        "path",
        metavar="DIR",
        nargs="?",
        type=path_argument,
        help="a new or empty folder, or one that is kept; without it the kept ones are listed",
    )
    branch_argument(parser)
    parser.add_argument("--watch", action="store_true", help="go on until Ctrl+C")
    parser.add_argument(
        "--once", action="store_true", help="bring both in step once, and end (the default)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--here", metavar="NAME", help="of a conflict, by its file: let the memory stand"
    )
    how.add_argument(
        "--there", metavar="NAME", help="of a conflict, by its file: let the file stand"
    )
    how.add_argument(
        "--with-deletions",
        action="store_true",
        help="many files that are gone at once were meant to be: delete their memories",
    )
    how.add_argument("--stop", action="store_true", help="keep it no more; its files stay")


def _folder(call: Call) -> int | None:
    args, folders = call.args, call.memory.care.folders
    if args.path is None:
        if args.stop or args.watch or args.here or args.there or args.with_deletions:
            raise InputError("Name the folder: engram folder CHAT DIR …")
        rows = folders.all(call.chat_id if args.chat is not None else None)
        call.output.document([_row(row) for row in rows], [_line(row) for row in rows] or [_NONE])
        return None
    if args.stop:
        row = folders.stop(args.path)
        call.output.document({"stopped": row.path}, [f"{row.path} is kept in step no more"])
        return None
    report = folders.keep(call.ctx, call.line, args.path)
    if args.here is not None or args.there is not None:
        file = args.here if args.here is not None else args.there
        side: Side = "here" if args.here is not None else "there"
        report = folders.choose(call.ctx, args.path, file, side)
    elif args.with_deletions:
        (report,) = folders.sync(call.ctx, args.path, with_deletions=True)
    _print(call, report)
    ended = threading.Event()
    call.ctx.on_cancel(ended.set)
    while args.watch and not args.once:
        ended.wait(LOOK_SECONDS)
        call.ctx.check()
        (newer,) = folders.sync(call.ctx, args.path)
        if _said(newer) != _said(report) or newer.count:
            _print(call, newer)
        report = newer
    return 1 if report.folder.fault or report.conflicts else None


def _said(report: FolderReport) -> object:
    return (report.folder.fault, report.lines)


def _print(call: Call, report: FolderReport) -> None:
    folder = report.folder
    document = {
        **_row(folder),
        "written": report.written,
        "edited": report.edited,
        "added": report.added,
        "removed": report.removed,
        "conflicts": [
            {
                "file": one.file,
                "reason": str(one.reason),
                "here": one.here,
                "there": one.there,
            }
            for one in report.conflicts
        ],
        "troubles": [
            {"file": one.file, "reason": str(one.reason)}
            for one in report.lines
            if not one.is_conflict
        ],
    }
    lines = [
        f"{folder.path}: {report.written} files written; from files {report.edited} edited,"
        f" {report.added} added, {report.removed} deleted",
        *([FOLDER_FAULTS[folder.fault]] if folder.fault else []),
        *(
            f"  {'?' if one.is_conflict else '!'} {one.file or folder.path}: {one.reason}"
            for one in report.lines
        ),
    ]
    call.output.document(document, lines)


def _row(row: KeptFolder) -> dict[str, Any]:
    return {
        "folder": row.path,
        "chat_id": row.chat_id,
        "branch_id": row.branch_id,
        "files": len(row.marks),
        "synced_at": row.synced_at,
        "fault": row.fault,
    }


def _line(row: KeptFolder) -> str:
    fault = f" ({FOLDER_FAULTS[row.fault]})" if row.fault else ""
    return f"{row.path}: {len(row.marks)} files of the chat {row.chat_id}{fault}"


_NONE = "No folder is kept. Begin with: engram folder CHAT DIR"

VERBS = (
    Verb(
        "folder",
        _arguments,
        _folder,
        shares=True,
        writes_if=lambda args: args.path is not None,
    ),
)
