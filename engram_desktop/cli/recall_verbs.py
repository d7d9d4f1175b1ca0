"""Recall and injection, and the `lab`: questions with known answers, asked in two ways."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any, TypeVar

from engram_desktop.cli.verb import (
    Call,
    Verb,
    as_argument,
    branch_argument,
    chat_and_branch,
    chat_argument,
    path_argument,
    text_of_file,
)
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.lab import (
    LabReport,
    PromptPlace,
    PromptReport,
    read_budgets,
)
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    Explanation,
    Injection,
    ItemKind,
    RecallHit,
    RecallQuery,
    RecallResult,
    explain,
)
from engram_desktop.formats.json_values import storable

# `recall`, `graph`: reading memory as it is ranked and linked.


T = TypeVar("T")


def _kinds(text: str) -> tuple[ItemKind, ...]:
    names = {part.strip() for part in text.split(",") if part.strip()}
    unknown = names.difference(ITEM_KINDS)
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"kinds are some of {','.join(ITEM_KINDS)}")
    return tuple(kind for kind in ITEM_KINDS if kind in names)


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1 on is expected")
    return int(text)


def who_and_where(parser: argparse.ArgumentParser) -> None:
    """Add the options for kinds, character, branch and floor."""
    parser.add_argument(
        "--kinds",
        type=_kinds,
        default=ITEM_KINDS,
        metavar="LIST",
        help=f"only some of {','.join(ITEM_KINDS)} (a turn is a message, a log is private)",
    )
    parser.add_argument("--as", dest="actor", metavar="ACTOR", help="what this character may know")
    branch_argument(parser)
    parser.add_argument("--at", type=int, metavar="FLOOR", help="only what happened up to it")


def expand_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--expand", action="store_true", help="let the chat model say first what is meant"
    )


def _recall_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--query", metavar="TEXT", help="what is asked, or about to be said")
    action.add_argument(
        "--queries",
        type=path_argument,
        metavar="FILE.jsonl",
        help='many at once: a line each, as {"query": "…", "as": "Kyle", "at": 40, "id": 1}, of'
        " which only the query must be there",
    )
    action.add_argument("--mute", nargs="+", metavar="ITEM", help="never use these memories again")
    action.add_argument("--unmute", nargs="+", metavar="ITEM", help="allow them again")
    action.add_argument("--muted", action="store_true", help="list what must not be used")
    action.add_argument(
        "--log", type=int, nargs="?", const=0, metavar="ID", help="list past recalls, explain one"
    )
    expand_argument(parser)
    parser.add_argument("--explain", action="store_true", help="say what was weighed, and dropped")
    parser.add_argument(
        "--top-k", type=positive, default=None, metavar="N", help="how many (default: recall.top_k)"
    )
    who_and_where(parser)


def _recall(call: Call) -> None:
    args = call.args
    if args.mute or args.unmute:
        refs = args.mute or args.unmute
        call.memory.recall.set_muted(call.chat_id, refs, muted=bool(args.mute))
    if args.mute or args.unmute or args.muted:
        muted = call.memory.recall.muted(call.chat_id)
        rows = [
            {"kind": i.kind, "id": i.ref, "start_index": i.start_index, "text": i.content}
            for i in muted
        ]
        lines = [f"{r['id']} {' '.join(str(r['text']).split())}" for r in rows]
        call.output.document(rows, lines or ["Nothing is muted."])
    elif args.log is not None:
        _log(call)
    else:
        _ask(call)


def _log(call: Call) -> None:
    if call.args.log:
        why = call.memory.recall.explanation(call.chat_id, call.args.log)
        call.output.document(why.to_json(), _explanation_lines(why))
        return
    recalls = call.memory.recall.past(call.chat_id)
    lines = [f"{p.id} {p.hits:>3} {p.query}" for p in recalls]
    call.output.document([asdict(p) for p in recalls], lines or ["Nothing was recalled yet."])


def _ask(call: Call) -> None:
    chat_id = call.chat_id
    queries = list(queries_of(call))
    behind = caught_up(call)
    notes = {actor: _unknown(call, actor) for actor in {query.actor for _id, query in queries}}
    for query_id, query in queries:
        answer = call.memory.recall.ask(call.ctx, chat_id, query, expanded=call.args.expand)
        result = replace(answer, degraded=tuple(dict.fromkeys((*behind, *answer.degraded))))
        if call.output.as_json:
            row = _result_row(result)
            if notes[query.actor]:
                row["note"] = notes[query.actor]
            if call.args.explain:
                row["explanation"] = explain([result]).to_json()
            call.output.row(row if query_id is None else {"id": query_id, **row})
        else:
            call.output.document(
                None, [*_result_lines(result), *filter(None, [notes[query.actor]])]
            )
            if call.args.explain:
                call.output.document(None, _explanation_lines(explain([result])))


def queries_of(call: Call) -> Iterator[tuple[Any, RecallQuery]]:
    """Yield (id to echo or None, query) for the one query or every line of the file."""
    args = call.args
    if args.query is not None:
        yield None, query_of(call, args.query, args.actor, args.at)
        return
    try:
        lines = text_of_file(args.queries).splitlines()
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
        try:
            actor = storable(_field(row, "as", str) or "") or args.actor  # null keeps --as
            at = _field(row, "at", int)
        except TypeError as e:
            raise InputError(f"{args.queries}, line {number}: {e}.") from None
        at = args.at if at is None else at
        yield row.get("id"), query_of(call, storable(str(text)), actor, at)


def _field(row: dict[str, Any], name: str, kind: type[T]) -> T | None:
    """Return a field of a row, None for null. Raises TypeError if it is of another type."""
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f'"{name}" must be {"a name" if kind is str else "a whole number"}')
    return value


def query_of(call: Call, text: str, actor: str | None, at: int | None) -> RecallQuery:
    top_k = (
        getattr(call.args, "top_k", None) or call.memory.settings.read(call.chat_id).recall_top_k
    )
    return RecallQuery(text, top_k, call.args.kinds, actor, call.branch_id, at)


def hit_rows(hits: Iterable[RecallHit]) -> list[dict[str, Any]]:
    """Return hits as JSON values."""
    return [
        {
            "rank": hit.rank,
            "kind": hit.item.kind,
            "id": hit.item.ref,
            "start_index": hit.item.start_index,
            "end_index": hit.item.end_index,
            "text": hit.item.content,
            "score": hit.score,
            "why": hit.why,
            "matched": list(hit.matched),
            **({"volume": hit.item.volume} if hit.item.volume else {}),
        }
        for hit in hits
    ]


def _result_row(result: RecallResult) -> dict[str, Any]:
    return {
        "query": result.query,
        "items": hit_rows(result.hits),
        "elapsed_ms": round(result.elapsed_ms, 3),
        "degraded": list(result.degraded),
        "searched": list(result.searched),
        "output": result.output,
        "related": result.is_related,
    }


def _result_lines(result: RecallResult) -> Iterator[str]:
    for hit in result.hits:
        why = ", ".join(f"{leg} {share:.2f}" for leg, share in hit.why.items())
        item = hit.item
        where = item.volume and f"“{item.volume}” "
        yield f"{hit.rank:>2} {item.kind:<6} {where}{item.start_index}-{item.end_index} ({why})"
        yield f"   {' '.join(item.content.split())[:160]}"
    yield f"{len(result.hits)} found in {result.elapsed_ms:.1f} ms"
    if result.hits and not result.is_related:
        yield "too far from the question: a prompt would be given none of it"
    if result.degraded:
        yield degraded_line(result.degraded)


def caught_up(call: Call) -> tuple[str, ...]:
    """Embed new items; returns what could not take part."""
    return (
        call.memory.index.embed_if_possible(call.ctx, call.chat_id)
        if call.memory.session.can_write
        else ()
    )


def degraded_line(parts: Iterable[str]) -> str:
    return f"degraded, could not take part: {', '.join(parts)}"


def _explanation_lines(why: Explanation) -> Iterator[str]:
    for trace in why.traces:
        place = f"{trace.rank:>3}" if trace.dropped is None else f"  – {trace.dropped}"
        legs = ", ".join(
            f"{leg} {share:+.2f}" + (f" (#{trace.ranks[leg]})" if leg in trace.ranks else "")
            for leg, share in trace.why.items()
        )
        yield f"{place:<14} {trace.score:>7.3f} {trace.kind:<6} {trace.first}-{trace.last} {legs}"
        yield f"               {trace.text[:120]}"
    yield ", ".join(f"{step} {took:.1f} ms" for step, took in why.steps.items())


def _graph_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    as_argument(parser)
    parser.add_argument(
        "--format", choices=("json", "graphml"), default="json", help="node-link JSON, or GraphML"
    )


def _graph(call: Call) -> None:
    actors = call.askers()
    if call.args.format == "graphml":
        text = call.memory.graph.graphml(call.line, actors)
        call.output.document({"graphml": text}, [text])
        return
    call.output.row(call.memory.graph.node_link(call.line, actors))


_RECALL_VERBS = (
    Verb(
        "recall",
        _recall_arguments,
        _recall,
        writes=True,
        can_read_only=True,
        must_write=lambda args: bool(args.mute or args.unmute),
    ),
    Verb(
        "graph",
        _graph_arguments,
        _graph,
        can_read_only=True,
        writes_if=lambda args: bool(args.actors),
    ),
)


# `inject`: the text a prompt would get, for one question or for a file of them.


def budgets_argument(text: str) -> tuple[int, ...]:
    """Parse a list of budgets. Raises ArgumentTypeError."""
    try:
        return read_budgets(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _inject_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--query", metavar="TEXT", help="what is asked, or about to be said")
    action.add_argument(
        "--queries", type=path_argument, metavar="FILE.jsonl", help="one line a question and budget"
    )
    action.add_argument("--unfreeze", action="store_true", help="end --freeze")
    parser.add_argument(
        "--budget",
        type=positive,
        metavar="TOKENS",
        help="how long the text may be (default: inject.tokens)",
    )
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
        "lines": [asdict(line) for line in injection.lines],
        "frozen_until": injection.frozen_until,
        "triage": asdict(injection.triage) if injection.triage else None,
        "triage_fault": injection.triage_fault,
        "degraded": list(injection.degraded),
    }
    if note := _note(call, injection, args.budget, query.actor):
        data["note"] = note
        print(f"engram: {note}", file=sys.stderr)
    if data["degraded"] and not call.output.as_json:  # the printed text is for a prompt
        print(f"engram: {degraded_line(data['degraded'])}", file=sys.stderr)
    call.output.document(data, [injection.text])


def _inject_each(call: Call) -> None:
    """Inject for each question of a file with each budget: trials, nothing is logged or frozen."""
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
            if note := _note(call, injection, budget, query.actor):
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


def _unknown(call: Call, actor: str | None) -> str:
    """Return an error if nobody has this name; one line of a file does not end the others."""
    try:
        if actor:
            call.memory.knowledge.check_person(call.ctx, call.line, actor)
    except NotFound as error:
        return str(error)
    return ""


def _note(call: Call, injection: Injection, budget: int | None, actor: str | None) -> str:
    """Explain an empty text: an unknown name, a character who knows nothing, or a small budget."""
    if actor and not injection.text.strip() and not injection.dropped:
        nothing = f"{actor} has perceived nothing of this story that could stand here"
        return _unknown(call, actor) or nothing
    is_short = any(why == "budget" for _item, why in injection.dropped)
    if budget and not injection.text.strip() and is_short:
        return f"a budget of {budget} tokens leaves no room for any memory"
    return ""


_INJECT_VERBS = (
    Verb(
        "inject",
        _inject_arguments,
        _inject,
        writes=True,
        can_read_only=True,
        must_write=lambda args: bool(args.freeze or args.unfreeze),
    ),
)


# `lab`: questions with known answers, two ways of recall, and which answers the prompts contain.


def _lab_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    branch_argument(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="the questions (default)")
    action.add_argument("--add", metavar="TEXT", help="save a question")
    action.add_argument("--edit", metavar="ID", help="change the wording of a question")
    action.add_argument("--delete", metavar="ID", help="delete a question")
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
    parser.add_argument("--at", type=int, metavar="FLOOR", help="ask it as of this floor")
    parser.add_argument(
        "--set",
        dest="other",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="side B: top_k, kinds, without, expand, rerank, embedder, or a weight",
    )
    parser.add_argument("--base", nargs="+", default=[], metavar="KEY=VALUE", help="side A")


_NO_QUESTION = "There is no question yet. Begin with: engram lab CHAT --add TEXT --expect ITEM"


def _lab(call: Call) -> int:
    args, memory, chat_id = call.args, call.memory, call.chat_id
    if args.budgets and not args.prompt:
        print("engram lab: error: --budgets goes with --prompt", file=sys.stderr)
        return 2
    if (args.run or args.prompt) and memory.session.can_write:
        memory.index.embed_if_possible(call.ctx, chat_id)
    if args.prompt:
        prompts = memory.lab.look_into_prompts(call.ctx, chat_id, args.budgets or ())
        call.output.document(
            _prompts(prompts), _prompt_lines(prompts) if prompts.rows else [_NO_QUESTION]
        )
        return 0
    if args.run:
        plain = memory.lab.setup(chat_id)
        setups = (plain.changed(_pairs(args.base)), plain.changed(_pairs(args.other)))
        report = memory.lab.run(call.ctx, chat_id, setups)
        call.output.document(
            _report(report), _report_lines(report) if report.rows else [_NO_QUESTION]
        )
        return 0
    if args.add:
        memory.lab.save(call.line, args.add, args.expect or (), at=args.at)
    elif args.edit:
        _edit(call)
    elif args.delete:
        memory.lab.delete(chat_id, args.delete)
    rows = [asdict(question) for question in memory.lab.questions(chat_id)]
    lines = [f"{r['id']} {len(r['expected'])} {r['query']}" for r in rows]
    call.output.document(rows, lines or [_NO_QUESTION])
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


def _report(report: LabReport) -> dict[str, Any]:
    return {
        "sides": [
            {
                "setup": asdict(setup),
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
                        "in_prompt": [places[n].is_in_prompt for places in row.places],
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
    return "in" if place.is_in_prompt else place.dropped or "–"


_LAB_VERBS = (
    Verb(
        "lab",
        _lab_arguments,
        _lab,
        writes_if=lambda args: bool(
            args.add or args.edit or args.delete or args.run or args.prompt
        ),
        can_read_only=True,
        must_write=lambda args: bool(args.add or args.edit or args.delete),
    ),
)


VERBS = (*_RECALL_VERBS, *_INJECT_VERBS, *_LAB_VERBS)
