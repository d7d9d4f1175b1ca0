"""Turn events green: their people, places and things join the graph, and their lamps change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engram_desktop.domain.entity import EntityType, is_entity_name, norm_name
from engram_desktop.domain.event import EventNode
from engram_desktop.storage.chat_store import ChatStore


@dataclass(frozen=True, slots=True)
class Archived:
    """What was done: keys of events, ids of entities they name, and how much of it is new."""

    events: frozenset[int]
    entities: frozenset[str]
    entities_added: int
    relations_added: int


def archive_events(
    store: ChatStore, batch: Sequence[EventNode], *, linked: bool = True
) -> Archived:
    """Link and archive events, inside the caller's step; those that changed are left alone.

    Without ``linked`` only their lamps change: no entity and no relation is made of them.
    """
    now = store.clock()
    still = store.events.still_waiting(batch)
    if not linked:
        changed = store.events.set_flag([e.pk for e in still], "is_archived", value=True, now=now)
        return Archived(frozenset(changed), frozenset(), 0, 0)
    names: dict[str, EntityType] = {}
    for event in still:
        for entity in event.raw_data.entities:
            if is_entity_name(entity.name) and names.get(entity.name, "unknown") == "unknown":
                names[entity.name] = entity.type
        for relation in event.raw_data.relations:
            for name in (relation.subject, relation.object):
                if is_entity_name(name):
                    names.setdefault(name, "unknown")
    ids, new = store.entities.ensure(names, now)
    mentions = [
        (ids[norm], event.id)
        for event in still
        for entity in event.raw_data.entities
        if (norm := norm_name(entity.name)) in ids
    ]
    edges = [
        (ids[subject], relation.predicate, ids[object_], event.id)
        for event in still
        for relation in event.raw_data.relations
        if (subject := norm_name(relation.subject)) in ids
        and (object_ := norm_name(relation.object)) in ids
        and ids[subject] != ids[object_]
    ]
    ends = [(end, event_id) for src, _p, dst, event_id in edges for end in (src, dst)]
    store.entities.mention([*mentions, *ends])
    relations = store.entities.relate(edges)
    named = {entity_id for entity_id, _event in [*mentions, *ends]}
    store.entities.refresh_items(named)
    changed = store.events.set_flag([e.pk for e in still], "is_archived", value=True, now=now)
    return Archived(frozenset(changed), frozenset(named), len(new), relations)
