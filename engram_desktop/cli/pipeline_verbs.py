"""The pipeline: summarise, consolidate, drafts, reflection."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engram_desktop.cli.verb import (
    Call,
    Verb,
    chat_and_branch,
    floor_range,
    path_argument,
    text_of_file,
)
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.pipeline.draft import Draft
from engram_desktop.domain.reports import ReflectionReport

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.automation import AutoPlan


# `summarise`, `auto`, `consolidate`, `trim`: messages become memory, memory becomes outlines.


def _summarise_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--range", dest="floors", type=floor_range, metavar="A-B", help="floors, 0-based, inclusive"
    )
    parser.add_argument(
        "--extractor",
        choices=("auto", "llm", "extractive"),
        default="auto",
        help="a model (llm), or key sentences without one (extractive); default: a model if one is"
        " set up (auto)",
    )
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
    """Return whether drafts are wanted; by default not, so that no command waits for a window."""
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
        lines.append(f"Stopped: {report.stopped} {report.not_begun} blocks were not started.")
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
            f"{plan.untold} archived events are in no outline; {plan.outlines} outlines"
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


_PIPELINE_VERBS = (
    Verb("summarise", _summarise_arguments, _summarise, writes=True, shares=True),
    Verb("auto", _auto_arguments, _auto, writes_if=lambda args: not args.plan, shares=True),
    Verb(
        "consolidate",
        _consolidate_arguments,
        _consolidate,
        writes_if=lambda args: not args.plan,
        shares=True,
    ),
    Verb("trim", _trim_arguments, _trim, writes_if=lambda args: not args.plan, shares=True),
)


# `drafts`, `draft`: a model's unsaved results, and answers that could not be read.


def _drafts(call: Call) -> None:
    drafts = call.memory.drafts.find(call.line, states=("waiting", "failed", "answered"))
    lines = [_line(draft) for draft in drafts]
    call.output.document([_fields(draft) for draft in drafts], lines or ["There is no draft."])


def _draft_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("id", metavar="ID", help="id of a draft, or its beginning")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--accept", action="store_true", help="save its events")
    action.add_argument("--discard", action="store_true", help="throw it away")
    action.add_argument(
        "--raw",
        type=path_argument,
        metavar="FILE",
        help="read this answer instead of the model's, and save",
    )


def _changes(args: argparse.Namespace) -> bool:
    return bool(args.accept or args.discard or args.raw)


def _draft(call: Call) -> int:
    chat_id, draft = call.chat_id, _find(call)
    if call.args.discard:
        call.memory.drafts.discard(chat_id, [draft.id])
        call.output.document({"discarded": draft.id}, [f"discarded: {_line(draft)}"])
        return 0
    if not _changes(call.args):
        call.output.document(_fields(draft), [_line(draft), draft.answer])
        return 0
    if call.args.raw:
        report = call.memory.drafts.read_again(call.ctx, chat_id, draft.id, _text(call.args.raw))
    else:
        if draft.state == "failed":
            raise InputError("Its answer could not be read: give a mended one with --raw FILE.")
        report = call.memory.drafts.save(call.ctx, chat_id, {draft.id: None})
    data = {
        "saved": report.saved,
        "events_added": report.events_added,
        "outdated": [d.id for d in report.outdated],
    }
    lines = [f"{report.events_added} events saved"]
    lines += [f"  not saved, its messages have changed: {_line(d)}" for d in report.outdated]
    call.output.document(data, lines)
    return 1 if report.outdated else 0


def _find(call: Call) -> Draft:
    draft_id: str = call.args.id
    drafts = call.memory.drafts.find(call.line, states=("waiting", "failed", "answered"))
    matching = [draft for draft in drafts if draft.id.startswith(draft_id)]
    if len(matching) != 1:
        raise NotFound("draft", draft_id)
    return matching[0]


def _text(file: Path) -> str:
    try:
        return text_of_file(file)
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{file} cannot be read: {e}.") from e


def _fields(draft: Draft) -> dict[str, Any]:
    return {
        "id": draft.id,
        "start_index": draft.floors[0],
        "end_index": draft.floors[1],
        "state": draft.state,
        "purpose": draft.purpose,
        "extractor": draft.extractor,
        "model": draft.model,
        "is_outdated": draft.is_outdated,
        "reason": str(draft.reason),
        "events": [data.to_json() for data, _source in draft.events],
        "answer": draft.answer,
        "created_at": draft.created_at,
    }


def _line(draft: Draft) -> str:
    first, last = draft.floors
    content = f"{len(draft.events)} events" if draft.state != "failed" else draft.reason
    stale = " (outdated)" if draft.is_outdated else ""
    return f"{draft.id[:8]} {draft.state:<8} {draft.purpose:<4} {first}-{last}  {content}{stale}"


_DRAFT_VERBS = (
    Verb("drafts", chat_and_branch, _drafts),
    Verb("draft", _draft_arguments, _draft, writes_if=_changes),
)


# `reflect` and `triage`: a look back on the story, and one ahead at what is about to happen.


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


_REFLECT_VERBS = (
    Verb(
        "reflect", _reflect_arguments, _reflect, writes_if=lambda args: not args.plan, shares=True
    ),
    Verb("triage", _triage_arguments, _triage, writes=True, can_read_only=True),
)


VERBS = (*_PIPELINE_VERBS, *_DRAFT_VERBS, *_REFLECT_VERBS)
