"""`import`, `chats`, `summarise`, `consolidate`, `export`, `stats`, `reindex`: whole chats."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.cli import import_rows
from engram_desktop.cli.take_folder import take_folder
from engram_desktop.cli.verb import (
    Call,
    Verb,
    branch_argument,
    chat_and_branch,
    chat_argument,
    floor_range,
    no_arguments,
)
from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.domain.tavern.folder import TAVERN_KINDS, TavernChoice

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.automation import AutoPlan
    from engram_desktop.domain.pipeline.usage import UsageRow


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        type=Path,
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
    for number, file in enumerate(files):
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


def _summarise_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--range", dest="floors", type=floor_range, metavar="A-B", help="floors, 0-based, inclusive"
    )
    parser.add_argument("--extractor", choices=("auto", "llm", "extractive"), default="auto")
    scope.add_argument(
        "--all", action="store_true", help="the newest floors too, which are else left alone"
    )
    scope.add_argument(
        "--stale", action="store_true", help="what stale events tell of, in place of these"
    )
    scope.add_argument(
        "--redo",
        type=floor_range,
        metavar="A-B",
        help="make drafts of another summary of these floors, to compare",
    )
    _review_argument(parser)


def _review_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--review",
        action=argparse.BooleanOptionalAction,
        help="keep what a model writes as drafts to look through;"
        " default: as review.enabled says, if that was set",
    )


def _reviews(call: Call) -> bool:
    """Whether drafts are wanted. A default nobody chose makes no command wait for a window."""
    if call.args.review is not None:
        return bool(call.args.review)
    settings = call.memory.settings.chosen(call.chat_id)
    return bool(settings.get("review.enabled", False))


def _summarise(call: Call) -> int:
    line, extractor = call.line, call.args.extractor
    if call.args.stale:
        report = call.memory.pipeline.resummarise_stale(call.ctx, line, extractor)
    elif call.args.redo:
        report = call.memory.pipeline.redo(call.ctx, line, call.args.redo, extractor)
    else:
        floors = (0, 2**62) if call.args.all else call.args.floors
        report = call.memory.pipeline.summarise(
            call.ctx, line, floors, extractor, review=_reviews(call)
        )
    data = asdict(report)
    del data["changes"]
    lines = [f"{report.events_added} events from {report.floors} floors"]
    if not report.notices:
        del data["notices"]
    if report.is_without_story:
        lines.append("None of them belongs to the story: they are notices and comments.")
    if report.waiting:
        lines.append(f"{report.waiting} drafts to look through: engram drafts {call.args.chat}")
    lines += [f"  floors {f.start_index}-{f.end_index}: {f.reason}" for f in report.failed]
    if not report.stopped:
        del data["stopped"], data["not_begun"]
    else:
        lines.append(f"Stopped: {report.stopped} {report.not_begun} blocks were not begun.")
        print(f"engram: {report.stopped}", file=sys.stderr)
    call.output.document(data, lines)
    return 1 if report.stopped or (report.failed and not (report.floors or report.waiting)) else 0


def _auto_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--yes", action="store_true", help="work through a backlog too")
    parser.add_argument("--plan", action="store_true", help="only say what would be done")
    _review_argument(parser)


def _auto(call: Call) -> int:
    line = call.line
    if call.args.plan:
        plan = call.memory.automation.plan(line, consent=call.args.yes)
        call.output.document(asdict(plan), [_plan_line(plan)])
        return 0
    report = call.memory.automation.run(
        call.ctx, line, consent=call.args.yes, review=_reviews(call)
    )
    data = asdict(report)
    del data["changes"]
    lines = [
        f"{report.events_added} events, {report.archived} archived, {report.outlines} outlines",
        *([f"{report.waiting} drafts to look through"] if report.waiting else []),
        *(f"  floors {f.start_index}-{f.end_index}: {f.reason}" for f in report.failed),
        *(f"  {note}" for note in report.notes),
        _plan_line(report.plan),
    ]
    call.output.document(data, lines)
    return 1 if report.failed and not report.events_added else 0


def _plan_line(plan: AutoPlan) -> str:
    words = {
        "mode": "memory is off for this chat",
        "off": "automation is paused (auto.enabled)",
        "capped": "today's tokens are spent (llm.daily_tokens)",
        "review": "drafts wait for review",
        "consent": "a backlog: say --yes to work through it",
        "due": "something is due",
        "idle": f"the next summary is due in {plan.floors_left} floors",
    }
    estimate = plan.estimate
    price = f" ≈ {estimate.currency}{estimate.cost:,.2f}" if estimate.cost is not None else ""
    about = (
        f"; {estimate.calls} calls, about {estimate.tokens} tokens{price}" if estimate.calls else ""
    )
    return f"{words[plan.standing]}: {len(plan.blocks)} blocks, {plan.floors} floors{about}"


def _consolidate_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "--extractor",
        choices=("auto", "llm", "extractive"),
        help="who writes the outlines; default: outline.extractor",
    )
    parser.add_argument("--plan", action="store_true", help="say what it would do and cost")


def _consolidate(call: Call) -> int:
    if call.args.plan:
        plan = call.memory.pipeline.plan_consolidation(call.line)
        about = _asking(plan.llm_calls, plan.prompt_tokens, plan.model)
        text = f"{plan.events} events to archive, told by {plan.outlines} outlines{about}"
        call.output.document(asdict(plan), [text])
        return 0
    report = call.memory.pipeline.consolidate(call.ctx, call.line, extractor=call.args.extractor)
    data = asdict(report)
    del data["changes"], data["step"], data["is_unembedded"]
    lines = [
        f"{report.archived} events archived, {report.embedded} embedded,"
        f" {report.entities_added} new entities, {report.relations_added} new relations,"
        f" {report.outlines} outlines"
    ]
    call.output.document(data, [*lines, *(f"  {why}" for why in report.failed)])
    if report.is_unembedded:
        print(
            "engram: nothing could be embedded; words alone find what was archived until"
            " “engram recall” or “engram reindex” can reach the embedding endpoint.",
            file=sys.stderr,
        )
    return 1 if report.is_unembedded else 0


def _trim_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--limit", type=int, metavar="TOKENS", help="default: visible.tokens")
    parser.add_argument(
        "--extractor",
        choices=("auto", "llm", "extractive"),
        help="who writes the outlines; default: outline.extractor",
    )
    parser.add_argument("--plan", action="store_true", help="say what it would do and cost")


def _asking(calls: int, tokens: int, model: str) -> str:
    return f"; {calls} requests of about {tokens} tokens to {model}" if calls else ""


def _trim(call: Call) -> int:
    line, limit, extractor = call.line, call.args.limit, call.args.extractor
    if call.args.plan:
        plan = call.memory.pipeline.plan_trim(line, limit, extractor)
        about = _asking(plan.llm_calls, plan.prompt_tokens, plan.model)
        text = (
            f"{plan.untold} archived events are told by no outline; {plan.outlines} outlines"
            f" would be made; visible text: {plan.tokens} of {plan.limit} tokens{about}"
        )
        call.output.document(asdict(plan), [text])
        return 0
    report = call.memory.pipeline.trim(call.ctx, line, limit, extractor, with_untold=True)
    data = asdict(report)
    del data["changes"]
    lines = [
        f"{report.trimmed} events became {report.outlines} outlines;"
        f" visible text: {report.tokens_before} → {report.tokens_after} tokens"
    ]
    call.output.document(data, [*lines, *(f"  {why}" for why in report.failed)])
    return 1 if report.failed and not report.outlines else 0


def _export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="id or name of a chat")
    branch_argument(parser)
    forms = ("markdown", "json", "worldbook", "engram", "card")
    parser.add_argument("--format", choices=forms, required=True)
    parser.add_argument("--book", metavar="NAME", help="write an imported world book back out")
    parser.add_argument(
        "--original",
        action="store_true",
        help="with --book: as it once came, in the format of its own program",
    )
    parser.add_argument("--character", metavar="NAME", help="write an imported card back out")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
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
    match (args.format, args.chat, args.book, args.character):
        case ("card", None, None, str() as wanted):
            memory.characters.export(call.ctx, wanted, target)
            entries, unit = 1, "card"
        case ("worldbook", None, str() as wanted, None):
            entries = memory.worldbooks.export(call.ctx, wanted, target, original=args.original)
            unit = "entries"
        case ("worldbook" | "markdown" | "json" | "engram" as form, str(), None, None):
            if args.keep:
                entries = memory.kept.keep(call.ctx, call.line, target).book.entries
            else:
                entries = memory.care.export(call.ctx, call.line, target, form)
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
    Verb("import", "take chat files into the library", _import_arguments, _import, writes=True),
    Verb("chats", "list the chats", no_arguments, _chats),
    Verb("summarise", "make events of messages", _summarise_arguments, _summarise, writes=True),
    Verb(
        "auto",
        "do what is due: summarise, consolidate, trim",
        _auto_arguments,
        _auto,
        writes_if=lambda args: not args.plan,
    ),
    Verb(
        "consolidate",
        "archive the buffer (整理记忆)",
        _consolidate_arguments,
        _consolidate,
        writes_if=lambda args: not args.plan,
    ),
    Verb(
        "trim",
        "tell of what is archived, and of old events, in outlines (精简)",
        _trim_arguments,
        _trim,
        writes_if=lambda args: not args.plan,
    ),
    Verb(
        "export",
        "write memory, a world book or a card to a new file",
        _export_arguments,
        _export,
        writes_if=lambda args: bool(args.keep),
    ),
    Verb("stats", "counts, sizes, index health, tokens spent", chat_and_branch, _stats),
    Verb("reindex", "make every vector and index anew", _reindex_arguments, _reindex, writes=True),
)
