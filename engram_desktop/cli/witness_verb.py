"""`witnesses`: the grid of events and persons: who was there, who knows it, who must not."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from engram_desktop.cli.verb import Call, Verb, chat_and_branch, floor_range
from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.knowledge.knowing import (
    GRID_STATES,
    GridCell,
    GridChange,
    GridPerson,
    GridState,
)
from engram_desktop.domain.memory.event import EventNode, EventQuery

_PAGE = 64  # events whose cells are read together
_STATE_WORDS: dict[GridState, str] = {
    "present": "present",
    "knows": "knows",
    "kept": "must not know",
    "unaware": "unaware",
}


def _arguments(parser: argparse.ArgumentParser) -> None:
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
        _say(call)
    people = _people(call)
    for events in _pages(call):
        _print_page(call, events, people)
    call.say_if_behind()


def _say(call: Call) -> None:
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
    """Read the events that are asked for, by their keys, in story order. Raises NotFound."""
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
    told = knowledge.grid_told(call.ctx, line, keys, people, at)
    for key, event in events.items():
        later = told.get(key, {})
        cells = [
            (person.name, later.get(place, cell) if cell == GridCell() else cell)
            for place, (person, cell) in enumerate(zip(people, rows[key], strict=True))
        ]
        if call.output.as_json:
            call.output.row(_row(event, cells))
        else:
            call.output.document(None, _lines(event, cells))


def _row(event: EventNode, cells: list[tuple[str, GridCell]]) -> dict[str, Any]:
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


def _lines(event: EventNode, cells: list[tuple[str, GridCell]]) -> Iterator[str]:
    source = event.source_range
    summary = " ".join(event.summary.split())
    yield f"{event.pk}  {source.start_index}-{source.end_index}  {summary}"
    for name, cell in cells:
        if cell != GridCell():  # nobody says that they have to do with it
            yield f"    {name}: {_words(cell)}"


def _words(cell: GridCell) -> str:
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


VERBS = (
    Verb(
        "witnesses",
        _arguments,
        _witnesses,
        writes=True,
        can_read_only=True,
        must_write=_is_saying,
    ),
)
