"""Events and private logs: list, add, edit, undo; `witnesses`: the grid of events and persons."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

from engram_desktop.cli.verb import (
    Call,
    Verb,
    as_argument,
    branch_argument,
    chat_and_branch,
    chat_argument,
    floor_range,
)
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import (
    GRID_STATES,
    GridCell,
    GridChange,
    GridPerson,
    GridState,
)
from engram_desktop.domain.memory.event import (
    CONFIDENCES,
    EventNode,
    EventPatch,
    EventQuery,
    LogPatch,
    LogQuery,
    PrivateLog,
    SourceRange,
    event_fields,
)
from engram_desktop.domain.memory.extraction import PlotExtraction, StructuredKv, parse_extraction
from engram_desktop.domain.memory.scope import ScopeName

# `events`, `event`, `undo`, `redo`, `history`: edit by hand.


PAGE = 500


def _events_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "--status", choices=("buffer", "archived"), help="only blue ones (buffer), or green ones"
    )
    parser.add_argument("--search", metavar="TEXT", default="", help="only those with these words")
    parser.add_argument("--kind", choices=("event", "fact"), help="only what happened, or holds")
    parser.add_argument("--confidence", choices=CONFIDENCES, help="only those made in this way")
    parser.add_argument(
        "--duplicates", action="store_true", help="groups of events that tell the same"
    )
    as_argument(parser)


def _events(call: Call) -> None:
    chat_id = call.chat_id
    if call.args.duplicates:
        _duplicates(call)
        return
    query = EventQuery(
        text=call.args.search,
        status=call.args.status,
        branch_id=call.branch_id,
        kind=call.args.kind,
        confidence=call.args.confidence,
        actors=call.askers(),
    )
    pks = call.memory.events.find(chat_id, query)
    if not pks:
        is_any = query == EventQuery(branch_id=call.branch_id)
        call.output.nothing(f"There is no {'event yet' if is_any else 'such event'}.")
    for start in range(0, len(pks), PAGE):
        page = pks[start : start + PAGE]
        events = call.memory.events.fetch(chat_id, page)
        for pk in page:
            if (event := events.get(pk)) is None:
                continue
            if call.output.as_json:
                call.output.row(event_fields(event))
            else:
                call.output.document(None, [_line(event)])


def _duplicates(call: Call) -> None:
    """Print each group, with the share of words that its most similar pair has in common."""
    groups = call.memory.events.duplicates(call.ctx, call.line)
    if not groups:
        call.output.nothing("No two events say the same.")
    for number, group in enumerate(groups, start=1):
        events = call.memory.events.fetch(call.chat_id, group.pks)
        share = round(group.pairs[0].share * 100)
        if call.output.as_json:
            keys = [pk for pk in group.pks if pk in events]
            call.output.row({"group": number, "alike": share, "events": keys})
        else:
            lines = [_line(events[pk]) for pk in group.pks if pk in events]
            call.output.document(None, [f"{number}. {share} %", *lines])


def _line(event: EventNode) -> str:
    source = event.source_range
    lamp = "outline" if event.level else ("green" if event.is_archived else "blue")
    return f"{event.pk:>5} {lamp:<7} {source.start_index}-{source.end_index}  {event.summary}"


def _event_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    parser.add_argument("id", metavar="ID", help="id or key of an event")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        dest="fields",
        help=f"change a field; may be given several times: {', '.join(_FIELDS)}",
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--archive", action="store_true", help="green lamp")
    action.add_argument("--restore", action="store_true", help="blue lamp")
    action.add_argument("--delete", action="store_true", help="delete it; undo brings it back")


def _changes(args: argparse.Namespace) -> bool:
    return bool(args.fields or args.archive or args.restore or args.delete)


def _event(call: Call) -> None:
    chat_id = call.chat_id
    event = _find(call, chat_id)
    if call.args.delete:
        call.memory.events.delete(call.ctx, chat_id, [event.pk])
    elif call.args.archive or call.args.restore:
        call.memory.events.set_archived(call.ctx, chat_id, [event.pk], archived=call.args.archive)
    if call.args.fields:
        patch = EventPatch()
        for assignment in call.args.fields:
            patch = _assigned(patch, assignment)
        call.memory.events.update(chat_id, event.pk, patch)
    event = call.memory.events.fetch(chat_id, [event.pk])[event.pk]
    call.output.document(event_fields(event), [_line(event), event.display_text])


def _find(call: Call, chat_id: str) -> EventNode:
    name: str = call.args.id
    event = call.memory.events.find_one(chat_id, name)
    if event is None and name.isdigit():
        event = call.memory.events.fetch(chat_id, [int(name)]).get(int(name))
    if event is None or event.is_deleted:
        raise NotFound("event", name)
    return event


def _list(text: str) -> tuple[str, ...]:
    if text.lstrip().startswith("["):
        value = _json(text)
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return tuple(value)
        raise InputError(f"{text!r} is not a list of texts.")
    return tuple(p.strip() for p in text.replace("，", ",").split(",") if p.strip())


def _flag(text: str) -> bool:
    words = {"true": True, "1": True, "false": False, "0": False}
    if text.lower() not in words:
        raise InputError(f"{text!r} is neither true nor false.")
    return words[text.lower()]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r} is not a number.") from None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as e:
        raise InputError(f"The value is not JSON: {e}.") from None


def _raw(text: str) -> dict[str, Any]:
    parsed = parse_extraction(_json(text))
    if parsed.faults or len(parsed.events) != 1:
        faults = "; ".join(str(f) for f in parsed.faults) or "one event is expected"
        raise InputError(f"raw_data cannot be used: {faults}.")
    return {"raw_data": parsed.events[0]}


def _one_of(text: str, name: str, choices: Sequence[str]) -> str:
    if text not in choices:
        raise InputError(f"{name} is one of: {', '.join(choices)}.")
    return text


def _status(text: str) -> dict[str, Any]:
    if text not in {"buffer", "archived"}:
        raise InputError("status is buffer or archived.")
    return {"is_archived": text == "archived"}


_FIELDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "summary": lambda v: {"summary": v},
    "keywords": lambda v: {"keywords": _list(v)},
    "timestamp": lambda v: {"time_anchor": v},
    "time_anchor": lambda v: {"time_anchor": v},
    "location": lambda v: {"location": v},
    "details": lambda v: {"details": v},
    "significance_score": lambda v: {"significance_score": _number(v)},
    "level": lambda v: {"level": int(_number(v))},
    "is_locked": lambda v: {"is_locked": _flag(v)},
    "is_stale": lambda v: {"is_stale": _flag(v)},
    "is_archived": lambda v: {"is_archived": _flag(v)},
    "status": _status,
    "kind": lambda v: {"kind": _one_of(v, "kind", ("event", "fact"))},
    "confidence": lambda v: {"confidence": _one_of(v, "confidence", CONFIDENCES)},
    "scope": lambda v: {"scope": _one_of(v, "scope", get_args(ScopeName))},
    "owner": lambda v: {"owner": v.strip()},
    "condition": lambda v: {"condition": v.strip()},
    "witnesses": lambda v: {"witnesses": _list(v)},
    "structured_kv": lambda v: {"structured_kv": StructuredKv.from_json(_json(v))},
    "raw_data": _raw,
}


def _assigned(patch: EventPatch, assignment: str) -> EventPatch:
    name, equals, value = assignment.partition("=")
    if not equals or name not in _FIELDS:
        raise InputError(f"{assignment!r} is not FIELD=VALUE with one of: {', '.join(_FIELDS)}.")
    return replace(patch, **_FIELDS[name](value))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("text", metavar="TEXT", help="what happened, or what holds")
    parser.add_argument("--fact", action="store_true", help="something that simply holds")
    parser.add_argument("--range", type=floor_range, metavar="A-B", help="floors; else the last")
    parser.add_argument(
        "--keywords", metavar="WORD,WORD", default="", help="words by which it is found, too"
    )


def _add(call: Call) -> None:
    memory, chat_id = call.memory, call.chat_id
    last = max(0, memory.messages.count(call.line) - 1)
    first, last = call.args.range or (last, last)
    data = PlotExtraction(
        call.args.text, _list(call.args.keywords), kind="fact" if call.args.fact else "event"
    )
    pk, _changes = memory.events.add(call.line, data, SourceRange(first, last))
    event = memory.events.fetch(chat_id, [pk])[pk]
    call.output.document(event_fields(event), [_line(event)])


def _steps_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "chat",
        metavar="CHAT",
        nargs="?",
        help="id or name of a chat; without one: world books, characters, scripts and prompts",
    )


def _chat_or_library(call: Call) -> str | None:
    return call.chat_id if call.args.chat is not None else None


def _undo(call: Call) -> None:
    _print_step(call, call.memory.history.undo(_chat_or_library(call)), "undone")


def _redo(call: Call) -> None:
    _print_step(call, call.memory.history.redo(_chat_or_library(call)), "redone")


def _print_step(call: Call, changes: Changes, action: str) -> None:
    data = {
        "label": str(changes.undo_label),
        "changes": {
            "events": len(changes.events),
            "entities": len(changes.entities),
            "messages": changes.messages,
            "books": changes.worldbooks,
            "scripts": changes.settings,
        },
    }
    call.output.document(data, [f"{action}: {changes.undo_label}"])


def _history(call: Call) -> None:
    steps = call.memory.history.steps(_chat_or_library(call))
    data = [
        {
            "id": step.id,
            "label": str(step.label),
            "created_at": step.created_at,
            "is_undone": step.is_undone,
            "changes": {"bytes": step.size},
        }
        for step in steps
    ]
    lines = [f"{'(undone) ' if step.is_undone else ''}{step.label}" for step in steps]
    call.output.document(data, lines or ["Nothing was done yet."])


_EVENT_VERBS = (
    Verb(
        "events",
        _events_arguments,
        _events,
        can_read_only=True,
        writes_if=lambda args: bool(args.actors),
    ),
    Verb("add", _add_arguments, _add, writes=True),
    Verb("event", _event_arguments, _event, writes_if=_changes),
    Verb("undo", _steps_arguments, _undo, writes=True),
    Verb("redo", _steps_arguments, _redo, writes=True),
    Verb("history", _steps_arguments, _history),
)


# `logs`, `log`: the private logs of characters.


SCOPES = ("private", "shared", "global", "conditional")


def log_fields(log: PrivateLog) -> dict[str, Any]:
    """Return all fields of an entry as JSON values."""
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
    parser.add_argument("--owner", metavar="NAME", help="only those of this character")
    parser.add_argument("--search", metavar="TEXT", default="", help="only those with these words")
    as_argument(parser)


def _logs(call: Call) -> None:
    memory, chat_id = call.memory, call.chat_id
    if call.args.owner is not None:
        memory.knowledge.check_person(call.ctx, call.line, call.args.owner)
    query = LogQuery(call.args.search, call.args.owner, call.branch_id, call.askers())
    pks = memory.logs.find(chat_id, query)
    if not pks:
        is_any = query == LogQuery(branch_id=call.branch_id)
        call.output.nothing(f"There is no {'private log yet' if is_any else 'such private log'}.")
    for start in range(0, len(pks), PAGE):
        page = pks[start : start + PAGE]
        logs = memory.logs.fetch(chat_id, page)
        for log in (logs[pk] for pk in page if pk in logs):
            if call.output.as_json:
                call.output.row(log_fields(log))
            else:
                call.output.document(None, [_log_line(log)])


def _log_line(log: PrivateLog) -> str:
    span = log.source_range
    return f"{log.pk:>5} {span.start_index}-{span.end_index}  {log.owner}: {log.content}"


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", help="id or name of a chat")
    parser.add_argument("id", metavar="ID", nargs="?", help="id or key of an entry; none: add one")
    branch_argument(parser)
    parser.add_argument("--owner", metavar="NAME", help="whose it is")
    parser.add_argument("--text", metavar="TEXT", help="what they think of it")
    parser.add_argument("--emotions", metavar="WORD,WORD", help="what they feel")
    parser.add_argument("--range", type=floor_range, metavar="A-B", help="floors; else the last")
    parser.add_argument("--event", metavar="ID", help="event it is about; empty for none")
    parser.add_argument(
        "--scope",
        choices=SCOPES,
        help="who may know it: only its owner (private), those who were there (shared),"
        " everybody (global), or those for whom --condition is true (conditional)",
    )
    parser.add_argument(
        "--condition", metavar="EXPR", help="known while this holds, as: Alice.affinity > 30"
    )
    parser.add_argument("--delete", action="store_true", help="delete it; undo brings it back")


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
    call.output.document(log_fields(log), [_log_line(log)])


_LOG_VERBS = (
    Verb(
        "logs", _logs_arguments, _logs, can_read_only=True, writes_if=lambda args: bool(args.actors)
    ),
    Verb("log", _log_arguments, _log, writes_if=_is_writing),
)


# `witnesses`: the grid of events and persons: who was there, who knows it, who must not.


_PAGE = 64  # events whose cells are read at once
_STATE_WORDS: dict[GridState, str] = {
    "present": "present",
    "knows": "knows",
    "kept": "must not know",
    "unaware": "unaware",
}


def _witness_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument(
        "event", nargs="?", metavar="EVENT", help="id or key of an event (default: all events)"
    )
    parser.add_argument(
        "--range", type=floor_range, metavar="A-B", help="only events of these floors"
    )
    parser.add_argument(
        "--person",
        dest="people",
        action="append",
        default=[],
        metavar="NAME",
        help="only this person, also one who never speaks; may be given several times",
    )
    parser.add_argument("--at", type=int, metavar="FLOOR", help="as of this floor (default: now)")
    say = parser.add_mutually_exclusive_group()
    say.add_argument(
        "--set",
        choices=GRID_STATES,
        help="say it of these persons and events: was present, knows it, must not know it (kept),"
        " is unaware of it; one step that can be undone",
    )
    say.add_argument("--unset", action="store_true", help="let it be worked out again")


def _is_saying(args: argparse.Namespace) -> bool:
    return args.set is not None or args.unset


def _witnesses(call: Call) -> None:
    args = call.args
    count = call.memory.messages.count(call.line)
    if args.at is not None and not 0 <= args.at < count:
        raise NotFound("message", f"#{args.at}")
    if _is_saying(args):
        _say_witness(call)
    people = _people(call)
    is_empty = True
    for events in _pages(call):
        is_empty = is_empty and not events
        _print_page(call, events, people)
    if is_empty:
        call.output.nothing("There is no event of these floors.")
    call.say_if_behind()


def _say_witness(call: Call) -> None:
    """Write what --set or --unset says. Raises InputError."""
    args = call.args
    if not args.people or (args.event is None and args.range is None):
        raise InputError("Name the persons with --person, and the events by EVENT or --range.")
    events = [event for page in _pages(call) for event in page.values()]
    if not events:
        raise InputError("No event is of these floors, so nothing was said of one.")
    names = [person.name for person in _people(call)]
    since = args.at or 0
    changes = [
        GridChange(event.id, name, args.set, max(event.source_range.end_index, since))
        for event in events
        for name in names
    ]
    call.memory.knowledge.say_grid(call.line, changes)


def _people(call: Call) -> list[GridPerson]:
    """Return the persons of the grid, or those of --person, known or not. Raises InputError."""
    known = call.memory.knowledge.grid_people(call.ctx, call.line)
    found: list[GridPerson] = []
    for name in call.args.people:
        norm = norm_name(name)
        if not norm:
            raise InputError("A person needs a name.")
        new = GridPerson(" ".join(name.split()), frozenset({norm}))
        person = next((one for one in known if norm in one.norms), new)
        if person not in found:
            found.append(person)
    return found or known


def _pages(call: Call) -> Iterator[dict[int, EventNode]]:
    """Yield the selected events by key, page by page, in story order. Raises NotFound."""
    args, events = call.args, call.memory.events
    if args.event is not None:
        event = events.find_one(call.chat_id, args.event)
        if event is None and args.event.isdecimal():
            event = events.fetch(call.chat_id, [int(args.event)]).get(int(args.event))
        if event is None or event.is_deleted:
            raise NotFound("event", args.event)
        yield {event.pk: event}
        return
    keys = events.find(call.chat_id, EventQuery(branch_id=call.branch_id, until=args.at))
    first, last = args.range or (0, None)
    for start in range(0, len(keys), _PAGE):
        page = events.fetch(call.chat_id, keys[start : start + _PAGE])
        yield {
            key: page[key]
            for key in keys[start : start + _PAGE]
            if key in page
            and page[key].source_range.end_index >= first
            and (last is None or page[key].source_range.start_index <= last)
        }


def _print_page(call: Call, events: dict[int, EventNode], people: list[GridPerson]) -> None:
    if not events:
        return
    knowledge, line, at = call.memory.knowledge, call.line, call.args.at
    keys = list(events)
    rows = knowledge.grid_rows(call.ctx, line, keys, people, at)
    told = knowledge.grid_learned_later(call.ctx, line, keys, people, at)
    for key, event in events.items():
        later = told.get(key, {})
        cells = [
            (person.name, later.get(place, cell) if cell == GridCell() else cell)
            for place, (person, cell) in enumerate(zip(people, rows[key], strict=True))
        ]
        if call.output.as_json:
            call.output.row(_witness_row(event, cells))
        else:
            call.output.document(None, _witness_lines(event, cells))


def _witness_row(event: EventNode, cells: list[tuple[str, GridCell]]) -> dict[str, Any]:
    return {
        "event": event.id,
        "pk": event.pk,
        "start_index": event.source_range.start_index,
        "end_index": event.source_range.end_index,
        "summary": event.summary,
        "people": [
            {
                "name": name,
                "state": cell.state,
                "how": cell.how,
                "from_floor": cell.from_floor,
                "is_said": cell.is_said,
                "is_leak": cell.is_leak,
            }
            for name, cell in cells
        ],
    }


def _witness_lines(event: EventNode, cells: list[tuple[str, GridCell]]) -> Iterator[str]:
    source = event.source_range
    summary = " ".join(event.summary.split())
    yield f"{event.pk}  {source.start_index}-{source.end_index}  {summary}"
    for name, cell in cells:
        if cell != GridCell():  # leaves out persons with nothing to do with it
            yield f"    {name}: {_witness_words(cell)}"


def _witness_words(cell: GridCell) -> str:
    words = [_STATE_WORDS[cell.state]]
    if cell.is_leak:
        words.append("must not know it")
    if cell.is_said:
        words.append("you say so")
    elif cell.how:
        words.append(cell.how)
    if cell.state == "knows" and cell.how != "everybody":
        words.append(f"from floor {cell.from_floor}")
    return ", ".join(words)


_WITNESS_VERBS = (
    Verb(
        "witnesses",
        _witness_arguments,
        _witnesses,
        writes=True,
        can_read_only=True,
        must_write=_is_saying,
    ),
)


VERBS = (*_EVENT_VERBS, *_LOG_VERBS, *_WITNESS_VERBS)
