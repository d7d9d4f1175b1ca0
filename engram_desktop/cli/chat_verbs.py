"""Chats: list, import, branches, export, trash."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.cli import file_reports
from engram_desktop.cli.verb import (
    Call,
    Verb,
    as_argument,
    branch_argument,
    chat_and_branch,
    chat_argument,
    no_arguments,
    path_argument,
)
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.memory.line import Branch, Line
from engram_desktop.domain.reports import DeletedChat
from engram_desktop.domain.tavern.folder import TAVERN_KINDS, TavernChoice
from engram_desktop.domain.text.moment import local_moment

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.usage import UsageRow


# `import`, `chats`: import chats, list them.


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
    file_reports.conflict_argument(parser)
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
            folder_rows, troubles = file_reports.take_folder(call, folder, choice)
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
            rows.append(file_reports.unreadable_row(str(file), e))
    call.output.document(rows, [file_reports.import_line(row) for row in rows])
    if failures:
        raise failures[0]
    return 0


def _imported(call: Call, file: Path) -> dict[str, Any]:
    report = call.memory.imports.import_file(call.ctx, file, **_how(call))
    return file_reports.import_row(report)


def _previewed(call: Call, file: Path) -> dict[str, Any]:
    preview = call.memory.imports.preview(call.ctx, file, **_how(call))
    return file_reports.preview_row(preview)


def _how(call: Call) -> dict[str, Any]:
    return {name: getattr(call.args, name) for name in ("into", "name", "exact", "on_conflict")}


def _chats(call: Call) -> None:
    chats = call.memory.chats.all()
    lines = [
        f"{c.chat_id}  {c.name}  {c.messages} messages, {c.buffer} buffered,"
        f" {c.archived} archived, {c.entities} entities" + (f"  ! {c.fault}" if c.fault else "")
        for c in chats
    ]
    call.output.document([asdict(c) for c in chats], lines or ["There is no chat yet."])


_CHAT_VERBS = (
    Verb("import", _import_arguments, _import, writes_if=lambda args: not args.dry_run),
    Verb("chats", no_arguments, _chats),
)


# `branches`, `fork`: the branches of a chat.


def _branches_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--rename", nargs=2, metavar=("BRANCH", "NAME"), help="give a branch another name"
    )
    action.add_argument("--delete", metavar="BRANCH", help="delete a branch; undo brings it back")
    action.add_argument(
        "--compare", nargs=2, metavar=("ONE", "OTHER"), help="which events only one of two has"
    )


def _changes(args: argparse.Namespace) -> bool:
    return bool(args.rename or args.delete)


def _branches(call: Call) -> None:
    chat_id, args, memory = call.chat_id, call.args, call.memory
    if args.compare:
        _compare(call, chat_id)
        return
    if args.rename:
        memory.branches.rename(
            Line(chat_id, memory.branches.find(chat_id, args.rename[0])), args.rename[1]
        )
    elif args.delete:
        memory.branches.delete(Line(chat_id, memory.branches.find(chat_id, args.delete)))
    branches = memory.branches.all(chat_id)
    call.output.document([asdict(b) for b in branches], [_line(b) for b in branches])


def _line(branch: Branch) -> str:
    shares = branch.fork_seq is not None and branch.fork_seq >= 0
    fork = f", forked at floor {branch.fork_seq}" if shares else ""
    return (
        f"{branch.id:<12}  {branch.name}  {branch.messages} messages, {branch.events} events{fork}"
    )


def _compare(call: Call, chat_id: str) -> None:
    first, second = (call.memory.branches.find(chat_id, name) for name in call.args.compare)
    comparison = call.memory.branches.compare(chat_id, first, second)
    pks = [*comparison.only_first, *comparison.only_second, *comparison.shared]
    events = call.memory.events.fetch(chat_id, pks)
    data = {
        name: [{"id": events[pk].id, "summary": events[pk].summary} for pk in part]
        for name, part in asdict(comparison).items()
    }
    lines = [f"{len(comparison.shared)} events are shared"]
    for mark, part in (("<", comparison.only_first), (">", comparison.only_second)):
        lines += [f"{mark} {events[pk].summary}" for pk in part]
    call.output.document(data, lines)


def _fork_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    parser.add_argument("--at", type=int, required=True, metavar="FLOOR", help="last shared floor")
    parser.add_argument("--as", dest="name", default="", metavar="NAME", help="its name")
    branch_argument(parser)


def _fork(call: Call) -> None:
    if call.args.at < 0:
        raise InputError("The floor to fork at is 0 or more.")
    branch_id, _changes = call.memory.branches.fork(call.line, at=call.args.at, name=call.args.name)
    branch = next(b for b in call.memory.branches.all(call.chat_id) if b.id == branch_id)
    call.output.document(asdict(branch), [_line(branch)])


_BRANCH_VERBS = (
    Verb("branches", _branches_arguments, _branches, writes_if=_changes),
    Verb("fork", _fork_arguments, _fork, writes=True),
)


# `export`, `stats`, `reindex`: export a chat, count what it holds, rebuild its index.


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="id or name of a chat")
    branch_argument(parser)
    forms = ("markdown", "json", "worldbook", "engram", "card", "chat")
    parser.add_argument(
        "--format",
        choices=forms,
        required=True,
        help="of the memories of a chat: markdown, json (everything, private notes too), worldbook,"
        " engram (for another library); chat: its messages as SillyTavern reads them; card: see"
        " --character",
    )
    parser.add_argument("--book", metavar="NAME", help="write an imported world book back out")
    parser.add_argument(
        "--original",
        action="store_true",
        help="with --book: as it once came, in the format of its own program",
    )
    parser.add_argument("--character", metavar="NAME", help="write an imported card back out")
    as_argument(parser)
    parser.add_argument(
        "-o", "--output", type=path_argument, required=True, metavar="FILE", help="a new file"
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep the world book of a chat in step with its memory (see `kept`)",
    )


def _export(call: Call) -> None:
    args, memory = call.args, call.memory
    target: Path = args.output
    if args.keep and (args.format != "worldbook" or not args.chat or args.book):
        raise InputError("Only the world book of a chat can be kept: CHAT --format worldbook.")
    if args.actors and (args.keep or not args.chat):
        raise InputError("What a character knows is written of a chat, and is not kept in step.")
    match (args.format, args.chat, args.book, args.character):
        case ("card", None, None, str() as name):
            memory.characters.export(call.ctx, name, target)
            entries, unit = 1, "card"
        case ("worldbook", None, str() as name, None):
            entries = memory.worldbooks.export(call.ctx, name, target, original=args.original)
            unit = "entries"
        case ("chat", str(), None, None) if not args.actors:
            entries = memory.play.export_chat(call.ctx, call.line, target)
            unit = "messages"
        case ("worldbook" | "markdown" | "json" | "engram" as form, str(), None, None):
            if args.keep:
                entries = memory.kept.keep(call.ctx, call.line, target).worldbook.entries
            else:
                entries = memory.care.export(call.ctx, call.line, target, form, call.askers())
            unit = "entries" if form == "worldbook" else "events"
        case _:
            raise InputError(
                "Name a chat, or a --book with --format worldbook,"
                " or a --character with --format card."
            )
    data = {"file": str(target), "entries": entries}
    call.output.document(data, [f"{entries} {unit} written to {target}"])


def _stats(call: Call) -> None:
    data = call.memory.care.stats(call.line)
    lines = [f"{key}: {value}" for key, value in data.items() if key not in {"usage", "today"}]
    today, cap = call.memory.usage.today(), call.memory.settings.read().llm_daily_tokens
    lines.append(f"today, whole library: {today.tokens} tokens" + (f" of {cap}" if cap else ""))
    currency = call.memory.settings.read().llm_currency
    lines += [_usage_line(row, currency) for row in call.memory.usage.rows(call.chat_id)]
    call.output.document(data, lines)


def _usage_line(row: UsageRow, currency: str) -> str:
    money = f", {currency}{row.cost:.4f}" if row.cost is not None else ""
    return (
        f"  {row.day} {row.task} {row.model}: {row.calls} calls, {row.failed} failed,"
        f" {row.prompt_tokens} + {row.completion_tokens} tokens{money}"
    )


def _reindex_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    parser.add_argument("--model", metavar="M", help="embedder to use from now on")


def _reindex(call: Call) -> None:
    if call.args.model:
        remote = bool(call.memory.settings.read().embed_base_url)
        call.memory.settings.set("embed.model" if remote else "embed.local", call.args.model)
    started = datetime.now(UTC)
    count = call.memory.index.rebuild(call.ctx, call.chat_id)
    elapsed = (datetime.now(UTC) - started).total_seconds()
    data = {"embedded": count, "seconds": round(elapsed, 2)}
    call.output.document(data, [f"{count} vectors rebuilt in {elapsed:.1f} s"])


_EXPORT_VERBS = (
    Verb(
        "export",
        _export_arguments,
        _export,
        can_read_only=True,
        writes_if=lambda args: bool(args.keep or args.actors),
        must_write=lambda args: bool(args.keep),
    ),
    Verb("stats", chat_and_branch, _stats),
    Verb("reindex", _reindex_arguments, _reindex, writes=True),
)


# `delete`, `trash`: delete chats, list deleted ones, bring them back.


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
        call.output.document([asdict(row) for row in deleted], map(_trash_line, deleted))
        return
    call.output.document(
        [asdict(row) for row in rows], [*map(_trash_line, rows)] or ["It is empty."]
    )


def _trash_line(row: DeletedChat) -> str:
    when = local_moment(row.deleted_at)
    return f"{row.id}  {row.name}  deleted {when:%Y-%m-%d %H:%M}, {row.size} bytes"


_TRASH_VERBS = (
    Verb("delete", chat_argument, _delete, writes=True),
    Verb(
        "trash",
        _arguments,
        _trash,
        writes_if=lambda args: bool(args.restore or args.delete or args.empty),
    ),
)


VERBS = (*_CHAT_VERBS, *_BRANCH_VERBS, *_EXPORT_VERBS, *_TRASH_VERBS)
