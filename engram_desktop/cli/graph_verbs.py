"""Entities and relations."""

from __future__ import annotations

import argparse
from typing import Any

from engram_desktop.cli.verb import Call, Verb, chat_and_branch
from engram_desktop.domain.claims.descriptions import Description
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.graph.entity import ENTITY_TYPES, EntityNode, Relation
from engram_desktop.domain.graph.gaps import GAPS, EntityGaps, Gap
from engram_desktop.domain.graph.profile import profile_to_yaml, yaml_to_profile
from engram_desktop.domain.graph.relations import STILL_TRUE

# `entities`: list them, and rename, merge, split, describe them.


def _arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--search", metavar="TEXT", default="", help="only names with these words")
    parser.add_argument(
        "--entity", metavar="NAME", help="the one to show or change: id, name or alias"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--rename", metavar="NAME", help="give --entity another name")
    action.add_argument("--merge", metavar="NAME", nargs="+", help="make these one with --entity")
    action.add_argument("--split", metavar="ALIAS", help="make an entity of its own of an alias")
    action.add_argument("--alias", metavar="NAME", nargs="+", help="all it is called besides")
    action.add_argument("--type", choices=ENTITY_TYPES, help="say what it is")
    action.add_argument("--profile", metavar="YAML", help="lines of key: value")
    action.add_argument("--lock", action="store_true", help="let only you change it")
    action.add_argument("--unlock", action="store_true", help="end --lock")
    action.add_argument("--hide", action="store_true", help="take it out of the graph")
    action.add_argument("--unhide", action="store_true", help="end --hide")
    action.add_argument(
        "--suggestions", action="store_true", help="list entities that may be one and the same"
    )
    action.add_argument(
        "--missing",
        choices=("any", *GAPS),
        help="list what is missing: no relation (alone), named without a link (unlinked), or of a"
        " person a description, a home, a birthday",
    )
    action.add_argument("--find-same", action="store_true", help="look for such entities again")
    action.add_argument(
        "--update", action="store_true", help="ask the model what is new about entities"
    )
    action.add_argument("--accept", metavar="ID", help="merge the two of a suggestion")
    action.add_argument("--dismiss", metavar="ID", help="the two are not the same")


def _changes(args: argparse.Namespace) -> bool:
    given = (args.rename, args.merge, args.split, args.alias, args.type, args.profile)
    told = (args.accept, args.dismiss)
    flags = (args.lock, args.unlock, args.hide, args.unhide, args.find_same, args.update)
    return any(value is not None for value in (*given, *told)) or any(flags)


def _entities(call: Call) -> None:
    chat_id, args = call.chat_id, call.args
    if args.missing is not None:
        _missing(call)
        return
    if args.accept is not None:
        keep = call.memory.graph.find_entity(chat_id, args.entity).id if args.entity else None
        call.memory.graph.accept_suggestion(chat_id, args.accept, keep)
    elif args.dismiss is not None:
        call.memory.graph.dismiss_suggestion(chat_id, args.dismiss)
    elif args.update:
        _update(call)
        return
    elif args.find_same:
        call.memory.graph.find_same(chat_id)
    elif args.entity is not None and not _change(call, chat_id):
        _page(call)
        return
    if args.suggestions or args.find_same or args.accept is not None or args.dismiss is not None:
        _list_suggestions(call)
        return
    entities = call.memory.graph.find_entities(call.line, call.args.search, 100_000)
    lines = [f"{e.type:<8} {e.name}  ({e.event_count} events)" for e in entities]
    call.output.document([_fields(e) for e in entities], lines or ["There is no entity yet."])


def _missing(call: Call) -> None:
    """Print what is missing in each entity that --search finds."""
    graph, kind = call.memory.graph, call.args.missing
    shown = {e.id: e for e in graph.find_entities(call.line, call.args.search, 100_000)}
    found = [
        gaps
        for gaps in graph.gaps(call.ctx, call.line)
        if gaps.entity_id in shown and (kind == "any" or kind in gaps.gaps)
    ]
    rows = [
        {
            "id": gaps.entity_id,
            "name": shown[gaps.entity_id].name,
            "missing": list(gaps.gaps),
            "unlinked_floors": list(gaps.floors),
            "unlinked_count": gaps.count,
            "unlinked_events": list(gaps.events),
        }
        for gaps in found
    ]
    lines = [
        f"{shown[gaps.entity_id].name}: {', '.join(_GAP_WORDS[gap] for gap in gaps.gaps)}"
        + (f" ({_where(gaps)})" if gaps.floors or gaps.events else "")
        for gaps in found
    ]
    call.output.document(rows, lines or ["Nothing of that is missing."])


_GAP_WORDS: dict[Gap, str] = {
    "alone": "no relation",
    "unlinked": "named without a link",
    "described": "never described",
    "home": "no home",
    "birthday": "no birthday",
}


def _where(gaps: EntityGaps) -> str:
    floors = ", ".join(f"#{floor}" for floor in gaps.floors)
    more = "…" if gaps.count > len(gaps.floors) else ""
    events = f"{len(gaps.events)} events" if gaps.events else ""
    return "; ".join(part for part in (floors + more, events) if part)


def _change(call: Call, chat_id: str) -> bool:
    """Make the change that the options ask for; returns False if there is none."""
    args, memory = call.args, call.memory
    entity_id = memory.graph.find_entity(chat_id, args.entity).id
    if args.rename is not None:
        memory.graph.update_entity(chat_id, entity_id, name=args.rename)
    elif args.merge:
        sources = [memory.graph.find_entity(chat_id, name).id for name in args.merge]
        memory.graph.merge_entities(chat_id, sources, entity_id)
    elif args.split is not None:
        memory.graph.split_entity(chat_id, entity_id, args.split)
    elif args.alias is not None:
        memory.graph.set_aliases(chat_id, entity_id, args.alias)
    elif args.type is not None:
        memory.graph.update_entity(chat_id, entity_id, kind=args.type)
    elif args.profile is not None:
        memory.graph.update_entity(chat_id, entity_id, profile=yaml_to_profile(args.profile))
    elif args.lock or args.unlock:
        memory.graph.update_entity(chat_id, entity_id, locked=args.lock)
    elif args.hide or args.unhide:
        memory.graph.update_entity(chat_id, entity_id, hidden=args.hide)
    else:
        return False
    return True


def _page(call: Call) -> None:
    """Print one entity, and its descriptions in the story."""
    graph, line = call.memory.graph, call.line
    entity = graph.find_entity(line.chat_id, call.args.entity)
    names = (entity.name, *entity.aliases)
    spans = [event.source_range for event in graph.entity_events(line, entity.id)]
    said = call.memory.findings.descriptions(call.ctx, line, names, spans)
    told = [
        {"floor": d.floor, "speaker": d.speaker or None, "text": d.text}
        | {"until": d.until, "is_untrue": d.is_untrue}
        for d in said
    ]
    lines = [f"{entity.type:<8} {', '.join(names)}  ({entity.event_count} events)"]
    lines += [f"  {row}" for row in profile_to_yaml(entity.profile).splitlines() if entity.profile]
    lines += [f"  #{d.floor} {d.speaker or '–'}: {d.text}{_no_longer(d)}" for d in said]
    call.output.document(_fields(entity) | {"descriptions": told}, lines)


def _no_longer(said: Description) -> str:
    if said.is_untrue:
        return "  [not true]"
    return f"  [until floor {said.until}]" if said.until is not None else ""


def _update(call: Call) -> None:
    report = call.memory.pipeline.update_profiles(call.ctx, call.line)
    data = {
        "updated": report.updated,
        "facts": report.facts,
        "events": report.events,
        "llm_calls": report.llm_calls,
        "prompt_tokens": report.prompt_tokens,
        "completion_tokens": report.completion_tokens,
        "failed": list(report.failed),
    }
    summary = f"{report.facts} facts about {report.updated} entities from {report.events} events"
    call.output.document(data, [summary, *(f"  ! {why}" for why in report.failed)])


def _list_suggestions(call: Call) -> None:
    waiting = call.memory.graph.suggestions(call.line)
    rows = [
        {
            "id": s.id,
            "score": s.score,
            "entities": [_fields(s.one), _fields(s.other)],
            "reasons": list(s.reasons),
        }
        for s in waiting
    ]
    lines = [
        f"{s.id}  {s.score:.2f}  {s.one.name} = {s.other.name}?  {'; '.join(s.reasons)}"
        for s in waiting
    ]
    call.output.document(rows, lines or ["No two entities look like one."])


def _fields(entity: EntityNode) -> dict[str, Any]:
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "aliases": list(entity.aliases),
        "description": entity.description,
        "profile": entity.profile,
        "events": entity.event_count,
        "relations": entity.degree,
        "is_locked": entity.is_locked,
        "is_hidden": entity.is_hidden,
        "last_updated_at": entity.last_updated_at,
    }


_ENTITY_VERBS = (Verb("entities", _arguments, _entities, writes_if=_changes),)


# `relation`: list the relations of an entity, and reword, end, delete or add one.


def _relation_arguments(parser: argparse.ArgumentParser) -> None:
    chat_and_branch(parser)
    parser.add_argument("--entity", metavar="NAME", help="list the relations of this one")
    parser.add_argument("--id", metavar="ID", help="the relation to change")
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--add", metavar=("FROM", "WORDS", "TO"), nargs=3, help="link two, as: Alice trusts Kyle"
    )
    action.add_argument("--reword", metavar="WORDS", help="say in other words what links them")
    action.add_argument("--end", metavar="FLOOR", type=int, help="it ended at this floor")
    action.add_argument("--still-true", action="store_true", help="nothing ended it")
    action.add_argument("--as-told", action="store_true", help="leave its end to the story")
    action.add_argument("--delete", action="store_true", help="delete it; undo brings it back")


def _relation_changes(args: argparse.Namespace) -> bool:
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
        _relation_change(call, chat_id)
        _list(call, src)
    elif args.entity is not None:
        _list(call, memory.graph.find_entity(chat_id, args.entity).id)
    else:
        raise InputError("Name an --entity, or a relation by --id; see: engram relation --help.")


def _relation_change(call: Call, chat_id: str) -> None:
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
        [_relation_fields(r, names) for r in relations],
        [f"{r.id}  {names[r.src]} — {r.predicate} → {names[r.dst]}  {_when(r)}" for r in relations]
        or ["It has no relation yet."],
    )


def _when(relation: Relation) -> str:
    since = "" if relation.valid_from is None else f"since floor {relation.valid_from}"
    if relation.is_current:
        return since
    return f"{since} until floor {relation.valid_to}".strip()


def _relation_fields(relation: Relation, names: dict[str, str]) -> dict[str, Any]:
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


_RELATION_VERBS = (Verb("relation", _relation_arguments, _relation, writes_if=_relation_changes),)


VERBS = (*_ENTITY_VERBS, *_RELATION_VERBS)
