"""`summarise`, `auto`, `consolidate`, `trim`: messages become memory, memory becomes outlines."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from engram_desktop.cli.verb import (
    Call,
    Verb,
    chat_and_branch,
    floor_range,
)

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.automation import AutoPlan


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
    parser.add_argument(
        "--ended", action="store_true", help="the session is over: look back on it too"
    )
    _review_argument(parser)


def _auto(call: Call) -> int:
    line = call.line
    if call.args.plan:
        plan = call.memory.automation.plan(line, consent=call.args.yes, ended=call.args.ended)
        call.output.document(asdict(plan), [_plan_line(plan)])
        return 0
    report = call.memory.automation.run(
        call.ctx, line, consent=call.args.yes, review=_reviews(call), ended=call.args.ended
    )
    data = asdict(report)
    del data["changes"]
    lines = [
        f"{report.events_added} events, {report.archived} archived, {report.outlines} outlines",
        *([f"{report.logs} private logs"] if report.logs else []),
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


VERBS = (
    Verb("summarise", _summarise_arguments, _summarise, writes=True, shares=True),
    Verb(
        "auto",
        _auto_arguments,
        _auto,
        writes_if=lambda args: not args.plan,
        shares=True,
    ),
    Verb(
        "consolidate",
        _consolidate_arguments,
        _consolidate,
        writes_if=lambda args: not args.plan,
        shares=True,
    ),
    Verb(
        "trim",
        _trim_arguments,
        _trim,
        writes_if=lambda args: not args.plan,
        shares=True,
    ),
)
