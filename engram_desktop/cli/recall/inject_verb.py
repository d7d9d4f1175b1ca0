"""`inject`: the text a prompt would get, for one question or for a file of them."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, replace
from typing import Any

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.recall.recall_verbs import (
    caught_up,
    degraded_line,
    expand_argument,
    hit_rows,
    positive,
    queries_of,
    query_of,
    who_and_where,
)
from engram_desktop.cli.verb import Call, Verb, chat_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.recall.lab import read_budgets
from engram_desktop.domain.recall.query import Injection, RecallQuery


def budgets_argument(text: str) -> tuple[int, ...]:
    """Read a list of budgets. Raises ArgumentTypeError."""
    try:
        return read_budgets(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--query", metavar="TEXT")
    action.add_argument(
        "--queries", type=path_argument, metavar="FILE.jsonl", help="one line a question and budget"
    )
    action.add_argument("--unfreeze", action="store_true", help="end --freeze")
    parser.add_argument("--budget", type=positive, metavar="TOKENS")
    parser.add_argument(
        "--budgets", type=budgets_argument, metavar="LIST", help="with --queries: 500,1000,2000"
    )
    expand_argument(parser)
    parser.add_argument(
        "--freeze", type=positive, metavar="N", help="give this very text for N more floors"
    )
    parser.add_argument(
        "--visible-from",
        type=int,
        metavar="FLOOR",
        help="first floor the prompt still holds as it was written",
    )
    who_and_where(parser)


def _inject(call: Call) -> int:
    args = call.args
    wrong = _wrong_usage(args)
    if wrong:
        print(f"engram inject: error: {wrong}", file=sys.stderr)
        return 2
    if args.unfreeze:
        call.memory.inject.unfreeze(call.line)
        call.output.document({"frozen_until": None}, ["The text is no longer frozen."])
    elif args.queries is not None:
        _inject_each(call)
    else:
        _inject_one(call)
    return 0


def _wrong_usage(args: argparse.Namespace) -> str:
    if args.budgets and args.queries is None:
        return "--budgets goes with --queries; with --query there is --budget"
    if args.freeze and args.queries is not None:
        return "--freeze holds one text still; it does not go with --queries"
    return ""


def _inject_one(call: Call) -> None:
    args = call.args
    behind = caught_up(call)
    query = query_of(call, args.query, args.actor, args.at)
    if args.freeze:
        call.memory.inject.freeze(call.line, args.freeze)
    injection = _composed(call, query, args.budget, behind, logged=True)
    data: dict[str, Any] = {
        "text": injection.text,
        "sections": injection.sections,
        "tokens": injection.tokens,
        "items": hit_rows(injection.hits),
        "frozen_until": injection.frozen_until,
        "triage": asdict(injection.triage) if injection.triage else None,
        "triage_fault": injection.triage_fault,
        "degraded": list(injection.degraded),
    }
    if note := _note(injection, args.budget):
        data["note"] = note
        print(f"engram: {note}", file=sys.stderr)
    if data["degraded"] and not call.output.as_json:  # what is printed is for a prompt
        print(f"engram: {degraded_line(data['degraded'])}", file=sys.stderr)
    call.output.document(data, [injection.text])


def _inject_each(call: Call) -> None:
    """Inject every question of a file with every budget. Trials: nothing is logged or frozen."""
    args = call.args
    queries = list(queries_of(call))
    behind = caught_up(call)
    usual = call.memory.settings.read(call.chat_id).inject_tokens
    budgets = args.budgets or (args.budget or usual,)
    for query_id, query in queries:
        for budget in budgets:
            began = time.perf_counter()
            injection = _composed(call, query, budget, behind, logged=False)
            took = (time.perf_counter() - began) * 1000
            row: dict[str, Any] = {
                "query": query.text,
                "budget": budget,
                "text": injection.text,
                "tokens": injection.tokens,
                "items": hit_rows(injection.hits),
                "elapsed_ms": round(took, 3),
                "degraded": list(injection.degraded),
            }
            if note := _note(injection, budget):
                row["note"] = note
            if call.output.as_json:
                call.output.row(row if query_id is None else {"id": query_id, **row})
            else:
                head = f"## {query.text} ({injection.tokens} of {budget} tokens, {took:.0f} ms)"
                call.output.document(None, [head, injection.text, ""])


def _composed(
    call: Call, query: RecallQuery, budget: int | None, behind: tuple[str, ...], *, logged: bool
) -> Injection:
    injection = call.memory.inject.compose(
        call.ctx,
        call.chat_id,
        query,
        budget,
        visible_from=call.args.visible_from,
        expanded=True if call.args.expand else None,
        logged=logged,
    )
    degraded = tuple(dict.fromkeys((*behind, *injection.degraded)))
    return replace(injection, degraded=degraded)


def _note(injection: Injection, budget: int | None) -> str:
    """Say that a budget is too small for anything, where it is."""
    is_short = any(why == "budget" for _item, why in injection.dropped)
    if budget and not injection.text.strip() and is_short:
        return f"a budget of {budget} tokens leaves no room for any memory"
    return ""


VERBS = (
    Verb(
        "inject",
        _arguments,
        _inject,
        writes=True,
        can_read_only=True,
        must_write=lambda args: bool(args.freeze or args.unfreeze),
    ),
)
