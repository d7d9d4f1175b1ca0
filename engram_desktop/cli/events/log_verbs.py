"""`logs`, `log`: the private logs of characters."""

from __future__ import annotations

import argparse
from typing import Any

from engram_desktop.cli.verb import (
    Call,
    Verb,
    as_argument,
    branch_argument,
    chat_and_branch,
    floor_range,
)
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.private_log import LogPatch, LogQuery, PrivateLog

PAGE = 500
SCOPES = ("private", "shared", "global", "conditional")


def log_fields(log: PrivateLog) -> dict[str, Any]:
    """Every field of an entry, as JSON."""
    return {
        "pk": log.pk,
        "id": log.id,
        "branch_id": log.branch_id,
        "owner": log.owner,
        "content": log.content,
        "emotion_tags": list(log.emotion_tags),
        "linked_event_id": log.linked_event_id,
        "scope": log.scope,
        "condition": log.condition,
        "start_index": log.source_range.start_index,
        "end_index": log.source_range.end_index,
        "timestamp": log.timestamp,
        "is_stale": log.is_stale,
        "extractor": log.extractor,
        "confidence": log.confidence,
    }


def _logs_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--owner", metavar="NAME")
    parser.add_argument("--search", metavar="TEXT", default="")
    as_argument(parser)


def _logs(call: Call) -> None:
    memory, chat_id = call.memory, call.chat_id
    pks = memory.logs.find(
        chat_id,
        LogQuery(call.args.search, call.args.owner, call.branch_id, call.askers()),
    )
    for start in range(0, len(pks), PAGE):
        page = pks[start : start + PAGE]
        logs = memory.logs.fetch(chat_id, page)
        for log in (logs[pk] for pk in page if pk in logs):
            if call.output.as_json:
                call.output.row(log_fields(log))
            else:
                call.output.document(None, [_line(log)])


def _line(log: PrivateLog) -> str:
    span = log.source_range
    return f"{log.pk:>5} {span.start_index}-{span.end_index}  {log.owner}: {log.content}"


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", help="id or name of a chat")
    parser.add_argument("id", metavar="ID", nargs="?", help="id or key of an entry; none: add one")
    branch_argument(parser)
    parser.add_argument("--owner", metavar="NAME")
    parser.add_argument("--text", metavar="TEXT")
    parser.add_argument("--emotions", metavar="WORD,WORD")
    parser.add_argument("--range", type=floor_range, metavar="A-B", help="floors; else the last")
    parser.add_argument("--event", metavar="ID", help="event it is about; empty for none")
    parser.add_argument("--scope", choices=SCOPES)
    parser.add_argument("--condition", metavar="EXPR")
    parser.add_argument("--delete", action="store_true")


def _patch(args: argparse.Namespace) -> LogPatch:
    emotions: str | None = args.emotions
    return LogPatch(
        owner=args.owner,
        content=args.text,
        emotion_tags=None if emotions is None else tuple(emotions.replace("，", ",").split(",")),
        scope=args.scope,
        source_range=SourceRange(*args.range) if args.range else None,
        condition=args.condition,
        linked_event_id=args.event,
    )


def _is_writing(args: argparse.Namespace) -> bool:
    return args.id is None or args.delete or _patch(args) != LogPatch()


def _log(call: Call) -> None:
    memory, chat_id, args = call.memory, call.chat_id, call.args
    if args.id is None:
        if args.owner is None or args.text is None:
            raise InputError("A new entry needs --owner and --text.")
        if args.range is None:
            last = max(0, memory.messages.count(call.line) - 1)
            args.range = (last, last)
        pk, _changes = memory.logs.add(call.line, _patch(args))
        log = memory.logs.find_one(chat_id, str(pk))
    else:
        log = memory.logs.find_one(chat_id, args.id)
        if args.delete:
            memory.logs.delete(chat_id, [log.pk])
        elif _patch(args) != LogPatch():
            memory.logs.update(chat_id, log.pk, _patch(args))
            log = memory.logs.find_one(chat_id, log.id)
    call.output.document(log_fields(log), [_line(log)])


VERBS = (
    Verb(
        "logs",
        _logs_arguments,
        _logs,
        can_read_only=True,
        writes_if=lambda args: bool(args.actors),
    ),
    Verb(
        "log",
        _log_arguments,
        _log,
        writes_if=_is_writing,
    ),
)
