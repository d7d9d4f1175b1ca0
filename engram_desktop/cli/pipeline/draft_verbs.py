"""`drafts`, `draft`: what a model wrote and nobody has saved yet, and what could not be read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.text_file import text_of_file
from engram_desktop.cli.verb import Call, Verb, chat_and_branch
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.pipeline.drafts.draft import Draft


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


VERBS = (
    Verb("drafts", chat_and_branch, _drafts),
    Verb("draft", _draft_arguments, _draft, writes_if=_changes),
)
