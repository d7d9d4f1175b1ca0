"""`lab`: questions with known answers, two ways to recall them, and what prompts tell of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from engram_desktop.cli.recall_verbs import budgets_argument
from engram_desktop.cli.verb import Call, Verb, branch_argument, chat_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.lab import LabReport, PromptPlace, PromptReport, Setup


def _arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    branch_argument(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="the questions (default)")
    action.add_argument("--add", metavar="TEXT", help="save a question")
    action.add_argument("--edit", metavar="ID", help="write a question anew")
    action.add_argument("--delete", metavar="ID")
    action.add_argument("--run", action="store_true", help="ask all of them, in two ways")
    action.add_argument(
        "--prompt", action="store_true", help="what stands in the prompt of each, and tokens used"
    )
    parser.add_argument(
        "--budgets",
        type=budgets_argument,
        metavar="LIST",
        help="with --prompt: 1000,2000,6000 (default: inject.tokens)",
    )
    parser.add_argument("--query", metavar="TEXT", help="with --edit: its new text")
    parser.add_argument("--expect", nargs="+", metavar="ITEM", help="what it should find")
    parser.add_argument("--at", type=int, metavar="FLOOR")
    parser.add_argument(
        "--set",
        dest="other",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="side B: top_k, kinds, without, expand, rerank, embedder, or a weight",
    )
    parser.add_argument("--base", nargs="+", default=[], metavar="KEY=VALUE", help="side A")


def _lab(call: Call) -> int:
    args, memory, chat_id = call.args, call.memory, call.chat_id
    if args.budgets and not args.prompt:
        print("engram lab: error: --budgets goes with --prompt", file=sys.stderr)
        return 2
    if (args.run or args.prompt) and memory.session.can_write:
        memory.index.embed_if_possible(call.ctx, chat_id)
    if args.prompt:
        prompts = memory.lab.look_into_prompts(call.ctx, chat_id, args.budgets or ())
        call.output.document(_prompts(prompts), _prompt_lines(prompts))
        return 0
    if args.run:
        plain = memory.lab.setup(chat_id)
        setups = (plain.changed(_pairs(args.base)), plain.changed(_pairs(args.other)))
        report = memory.lab.run(call.ctx, chat_id, setups)
        call.output.document(_report(report), _report_lines(report))
        return 0
    if args.add:
        memory.lab.save(call.line, args.add, args.expect or (), at=args.at)
    elif args.edit:
        _edit(call)
    elif args.delete:
        memory.lab.delete(chat_id, args.delete)
    rows = [asdict(question) for question in memory.lab.questions(chat_id)]
    call.output.document(rows, (f"{r['id']} {len(r['expected'])} {r['query']}" for r in rows))
    return 0


def _edit(call: Call) -> None:
    args = call.args
    question = {q.id: q for q in call.memory.lab.questions(call.chat_id)}.get(args.edit)
    query = args.query or (question.query if question else "-")
    refs = args.expect or [e.ref for e in question.expected] if question else ["-"]
    call.memory.lab.save(
        Line(call.chat_id, question.branch_id if question else call.branch_id),
        query,
        refs,
        question_id=args.edit,
        at=args.at if args.at is not None or question is None else question.at,
    )


def _pairs(texts: list[str]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"{text} is not KEY=VALUE.")
        pairs[key] = value
    return pairs


def _setup(setup: Setup) -> dict[str, Any]:
    return asdict(setup)


def _report(report: LabReport) -> dict[str, Any]:
    return {
        "sides": [
            {
                "setup": _setup(setup),
                "recall": round(report.recall(n), 4),
                "milliseconds": round(report.milliseconds[n], 2),
                "degraded": list(report.degraded[n]),
            }
            for n, setup in enumerate(report.setups)
        ],
        "questions": [
            {
                "id": row.question.id,
                "query": row.question.query,
                "expected": [
                    {
                        "kind": e.kind,
                        "id": e.ref,
                        "missing": row.is_missing[n],
                        "ranks": [side[n].rank for side in row.sides],
                        "why": [side[n].why for side in row.sides],
                    }
                    for n, e in enumerate(row.question.expected)
                ],
            }
            for row in report.rows
        ],
    }


def _report_lines(report: LabReport) -> Iterator[str]:
    names = ("A", "B")
    for n, name in enumerate(names):
        summary = f"{name}: {report.recall(n):.1%} found, {report.milliseconds[n]:.1f} ms"
        missing = ", ".join(report.degraded[n])
        yield summary + (f", without {missing}" if missing else "")
    for row in report.rows:
        yield f"{row.share(0):>4.0%} {row.share(1):>4.0%}  {row.question.query}"
        for n, expected in enumerate(row.question.expected):
            places = " ".join(f"{side[n].rank or '–':>4}" for side in row.sides)
            yield f"{places}    {expected.text[:80]}"


def _prompts(report: PromptReport) -> dict[str, Any]:
    return {
        "budgets": [
            {
                "budget": budget,
                "evidence": round(report.evidence(n), 4),
                "tokens": round(report.tokens(n), 1),
            }
            for n, budget in enumerate(report.budgets)
        ],
        "degraded": list(report.degraded),
        "questions": [
            {
                "id": row.question.id,
                "query": row.question.query,
                "tokens": list(row.tokens),
                "expected": [
                    {
                        "kind": e.kind,
                        "id": e.ref,
                        "missing": row.is_missing[n],
                        "in_prompt": [places[n].is_told for places in row.places],
                        "why": [places[n].why for places in row.places],
                        "dropped": [places[n].dropped for places in row.places],
                    }
                    for n, e in enumerate(row.question.expected)
                ],
            }
            for row in report.rows
        ],
    }


def _prompt_lines(report: PromptReport) -> Iterator[str]:
    for n, budget in enumerate(report.budgets):
        yield (
            f"budget {budget}: {report.evidence(n):.1%} of the evidence in the prompt,"
            f" {report.tokens(n):.0f} tokens used"
        )
    if report.degraded:
        yield f"without {', '.join(report.degraded)}"
    for row in report.rows:
        shares = " ".join(f"{row.share(n):>9.0%}" for n in range(len(report.budgets)))
        yield f"{shares}  {row.question.query}"
        for n, expected in enumerate(row.question.expected):
            places = " ".join(f"{_place(side[n]):>9}" for side in row.places)
            yield f"{places}    {expected.text[:80]}"


def _place(place: PromptPlace) -> str:
    return "in" if place.is_told else place.dropped or "–"


_LAB_VERBS = (
    Verb(
        "lab",
        _arguments,
        _lab,
        writes_if=lambda args: bool(
            args.add or args.edit or args.delete or args.run or args.prompt
        ),
        can_read_only=True,
        must_write=lambda args: bool(args.add or args.edit or args.delete),
    ),
)


VERBS = (*_LAB_VERBS,)
