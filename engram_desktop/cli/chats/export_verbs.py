"""`export`, `stats`, `reindex`: a chat written out, counted, indexed anew."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.verb import (
    Call,
    Verb,
    as_argument,
    branch_argument,
    chat_and_branch,
    chat_argument,
)
from engram_desktop.domain.errors import InputError

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.usage import UsageRow


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="id or name of a chat")
    branch_argument(parser)
    forms = ("markdown", "json", "worldbook", "engram", "card", "chat")
    parser.add_argument("--format", choices=forms, required=True)
    parser.add_argument("--book", metavar="NAME", help="write an imported world book back out")
    parser.add_argument(
        "--original",
        action="store_true",
        help="with --book: as it once came, in the format of its own program",
    )
    parser.add_argument("--character", metavar="NAME", help="write an imported card back out")
    as_argument(parser)
    parser.add_argument("-o", "--output", type=path_argument, required=True, metavar="FILE")
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
    call.output.document(data, [f"{count} vectors made anew in {elapsed:.1f} s"])


VERBS = (
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
