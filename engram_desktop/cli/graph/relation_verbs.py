"""`relation`: list what links an entity, and reword, end, delete or add a relation."""

from __future__ import annotations

import argparse
from typing import Any

from engram_desktop.cli.verb import Call, Verb, chat_and_branch
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.graph.entity import Relation
from engram_desktop.domain.graph.supersession import STILL_TRUE


def _arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--entity", metavar="NAME", help="list the relations of this one")
    parser.add_argument("--id", metavar="ID", help="the relation to change")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--add", metavar=("FROM", "WORDS", "TO"), nargs=3)
    action.add_argument("--reword", metavar="WORDS")
    action.add_argument("--end", metavar="FLOOR", type=int, help="it ended at this floor")
    action.add_argument("--still-true", action="store_true", help="nothing ended it")
    action.add_argument("--as-told", action="store_true", help="leave its end to the story")
    action.add_argument("--delete", action="store_true")


def _changes(args: argparse.Namespace) -> bool:
    return args.id is not None or args.add is not None


def _relation(call: Call) -> None:
    args, memory, chat_id = call.args, call.memory, call.chat_id
    if args.add is not None:
        src, words, dst = args.add
        ends = (
            memory.graph.find_entity(chat_id, src).id,
            memory.graph.find_entity(chat_id, dst).id,
        )
        memory.graph.add_relation(call.line, ends[0], words, ends[1])
        _list(call, ends[0])
    elif args.id is not None:
        src = memory.graph.find_relation(chat_id, args.id).src
        _change(call, chat_id)
        _list(call, src)
    elif args.entity is not None:
        _list(call, memory.graph.find_entity(chat_id, args.entity).id)
    else:
        raise InputError("Name an --entity, or a relation by --id; see: engram relation --help.")


def _change(call: Call, chat_id: str) -> None:
    args, memory = call.args, call.memory
    if args.reword is not None:
        memory.graph.edit_relation(chat_id, args.id, args.reword)
    elif args.end is not None:
        memory.graph.end_relation(chat_id, args.id, args.end)
    elif args.still_true or args.as_told:
        memory.graph.end_relation(chat_id, args.id, STILL_TRUE if args.still_true else None)
    elif args.delete:
        memory.graph.delete_relation(chat_id, args.id)
    else:
        raise InputError("Say what to do with the relation; see: engram relation --help.")


def _list(call: Call, entity_id: str) -> None:
    relations = call.memory.graph.relations_of(call.line, entity_id)
    names = call.memory.graph.entity_names(
        call.chat_id, {end for r in relations for end in (r.src, r.dst)}
    )
    relations.sort(key=lambda r: not r.is_current)
    call.output.document(
        [_fields(r, names) for r in relations],
        [f"{r.id}  {names[r.src]} — {r.predicate} → {names[r.dst]}  {_when(r)}" for r in relations]
        or ["It has no relation yet."],
    )


def _when(relation: Relation) -> str:
    since = "" if relation.valid_from is None else f"since floor {relation.valid_from}"
    if relation.is_current:
        return since
    return f"{since} until floor {relation.valid_to}".strip()


def _fields(relation: Relation, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": relation.id,
        "source": names[relation.src],
        "predicate": relation.predicate,
        "target": names[relation.dst],
        "floors": [list(pair) for pair in relation.floors],
        "valid_from": relation.valid_from,
        "valid_to": relation.valid_to,
        "is_current": relation.is_current,
        "superseded_by": relation.superseded_by,
        "is_by_hand": relation.is_by_hand,
    }


VERBS = (Verb("relation", _arguments, _relation, writes_if=_changes),)
