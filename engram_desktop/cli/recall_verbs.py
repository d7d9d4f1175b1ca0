"""`recall`, `inject`, `graph`: reading memory as a model would get it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engram_desktop.cli.verb import Call, Verb, branch_argument, chat_and_branch, chat_argument
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.recall import ITEM_KINDS, ItemKind, RecallQuery, RecallResult


def _kinds(text: str) -> tuple[ItemKind, ...]:
    wanted = {part.strip() for part in text.split(",") if part.strip()}
    unknown = wanted.difference(ITEM_KINDS)
    if unknown or not wanted:
        raise argparse.ArgumentTypeError(f"kinds are some of {','.join(ITEM_KINDS)}")
    return tuple(kind for kind in ITEM_KINDS if kind in wanted)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1 on is expected")
    return int(text)


def _who_and_where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--top-k", type=_positive, default=None, metavar="N")
    parser.add_argument("--kinds", type=_kinds, default=ITEM_KINDS, metavar="LIST")
    parser.add_argument("--as", dest="actor", metavar="ACTOR", help="what this character may know")
    branch_argument(parser)
    parser.add_argument("--at", type=int, metavar="FLOOR", help="only what happened up to it")


def _recall_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--query", metavar="TEXT")
    what.add_argument("--queries", type=Path, metavar="FILE.jsonl")
    _who_and_where(parser)


def _recall(call: Call) -> None:
    chat_id = call.chat_id
    asked = list(_asked(call))
    if call.memory.can_write:
        call.memory.embed_pending(call.ctx, chat_id)
    for query_id, query in asked:
        result = call.memory.recall(call.ctx, chat_id, query)
        if call.output.as_json:
            row = _result_row(result)
            call.output.row(row if query_id is None else {"id": query_id, **row})
        else:
            call.output.document(None, _result_lines(result))


def _asked(call: Call) -> Iterator[tuple[Any, RecallQuery]]:
    """Yield (id to echo or None, query) for the one query or every line of the file."""
    args = call.args
    if args.query is not None:
        yield None, _query(call, args.query, args.actor, args.at)
        return
    try:
        lines = args.queries.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{args.queries} cannot be read: {e}.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text = row["query"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f'{args.queries}, line {number}: an object with "query" is expected.'
            ) from None
        actor = row.get("as", args.actor)
        yield row.get("id"), _query(call, str(text), actor, row.get("at", args.at))


def _query(call: Call, text: str, actor: str | None, at: int | None) -> RecallQuery:
    top_k = call.args.top_k or call.memory.settings(call.chat_id).recall_top_k
    return RecallQuery(text, top_k, call.args.kinds, actor, call.branch_id, at)


def _result_row(result: RecallResult) -> dict[str, Any]:
    return {
        "query": result.query,
        "items": [
            {
                "rank": hit.rank,
                "kind": hit.item.kind,
                "id": hit.item.ref,
                "start_index": hit.item.start_index,
                "end_index": hit.item.end_index,
                "text": hit.item.content,
                "score": round(hit.score, 6),
                "why": {leg: round(share, 6) for leg, share in hit.why.items()},
                "matched": list(hit.matched),
            }
            for hit in result.hits
        ],
        "elapsed_ms": round(result.elapsed_ms, 3),
        "degraded": list(result.degraded),
    }


def _result_lines(result: RecallResult) -> Iterator[str]:
    for hit in result.hits:
        why = ", ".join(f"{leg} {share:.2f}" for leg, share in hit.why.items())
        item = hit.item
        yield f"{hit.rank:>2} {item.kind:<6} {item.start_index}-{item.end_index} ({why})"
        yield f"   {' '.join(item.content.split())[:160]}"
    yield f"{len(result.hits)} found in {result.elapsed_ms:.1f} ms"


def _inject_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--query", metavar="TEXT")
    what.add_argument("--unfreeze", action="store_true", help="compose anew from now on")
    parser.add_argument("--budget", type=_positive, metavar="TOKENS")
    parser.add_argument(
        "--freeze", type=_positive, metavar="N", help="give this very text for N more floors"
    )
    parser.add_argument(
        "--visible-from",
        type=int,
        metavar="FLOOR",
        help="first floor the prompt still holds as it was written",
    )
    _who_and_where(parser)


def _inject(call: Call) -> None:
    chat_id, args = call.chat_id, call.args
    if args.unfreeze:
        call.memory.unfreeze(chat_id, call.branch_id)
        call.output.document({"frozen_until": None}, ["Injections are composed anew."])
        return
    if call.memory.can_write:
        call.memory.embed_pending(call.ctx, chat_id)
    query = _query(call, args.query, args.actor, args.at)
    if args.freeze:
        call.memory.freeze(chat_id, args.freeze, call.branch_id)
    injection = call.memory.inject(
        call.ctx, chat_id, query, args.budget, visible_from=args.visible_from
    )
    data = {
        "text": injection.text,
        "sections": injection.sections,
        "tokens": injection.tokens,
        "items": _result_row(RecallResult(query.text, injection.hits, 0.0))["items"],
        "frozen_until": injection.frozen_until,
    }
    call.output.document(data, [injection.text])


def _graph_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--format", choices=("json", "graphml"), default="json")


def _graph(call: Call) -> None:
    if call.args.format == "graphml":
        text = call.memory.graphml(call.chat_id, call.branch_id)
        call.output.document({"graphml": text}, [text])
        return
    call.output.row(call.memory.graph(call.chat_id, call.branch_id))


VERBS = (
    Verb("recall", "rank memories", _recall_arguments, _recall, writes=True, can_read_only=True),
    Verb(
        "inject",
        "the text a prompt would get",
        _inject_arguments,
        _inject,
        writes=True,
        can_read_only=True,
        must_write=lambda args: bool(args.freeze or args.unfreeze),
    ),
    Verb("graph", "entities and relations", _graph_arguments, _graph),
)
