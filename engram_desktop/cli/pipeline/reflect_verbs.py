"""`reflect` and `triage`: a look back on what was told, and one ahead at what is about to be."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from engram_desktop.cli.verb import Call, Verb, chat_and_branch, floor_range
from engram_desktop.domain.reports import ReflectionReport


def _reflect_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "--range", dest="floors", type=floor_range, metavar="A-B", help="floors, 0-based, inclusive"
    )
    parser.add_argument("--plan", action="store_true", help="only say what would be asked")


def _reflect(call: Call) -> int:
    line, floors = call.line, call.args.floors
    if call.args.plan:
        plan = call.memory.pipeline.plan_reflection(line, floors)
        cost = f"{plan.requests} requests, about {plan.prompt_tokens} tokens to read"
        call.output.document(asdict(plan), [cost])
        return 0
    report = call.memory.pipeline.reflect(call.ctx, line, floors)
    data = asdict(report)
    del data["changes"]
    call.output.document(data, _lines(report))
    return 1 if report.failed and not report.floors else 0


def _lines(report: ReflectionReport) -> Iterator[str]:
    yield (
        f"{report.events_added} events and {report.logs_added} private logs"
        f" from {report.floors} floors; {report.known} were known"
    )
    for failed in report.failed:
        yield f"  floors {failed.start_index}-{failed.end_index}: {failed.reason}"


def _triage_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--input", required=True, metavar="TEXT", help="what is about to be sent")


def _triage(call: Call) -> None:
    triage = call.memory.inject.triage(call.ctx, call.line, call.args.input)
    hints = [f"  {name}: {text}" for name, text in triage.directives.items()]
    lines = [f"{triage.level}  {triage.intent}", *([triage.reasoning] if triage.reasoning else [])]
    call.output.document(asdict(triage), [*lines, *hints])


VERBS = (
    Verb(
        "reflect",
        _reflect_arguments,
        _reflect,
        writes_if=lambda args: not args.plan,
        shares=True,
    ),
    Verb(
        "triage",
        _triage_arguments,
        _triage,
        writes=True,
        can_read_only=True,
    ),
)
