"""Which entities and relations a prompt should name: those asked for, and those recalled.

Only what the asker may know at that floor of that branch: everything goes through the same filter
as recall.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from engram_desktop.domain.entity import EntityNode
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.injection import Allowance, Facts, KnownRelation
from engram_desktop.domain.recall import ItemFilter, RecallHit
from engram_desktop.domain.scope import can_access
from engram_desktop.services.recall.graph import named_entities
from engram_desktop.storage.chat_store import ChatStore

_NAMED = 2.0  # an entity the question names, against 1/rank for one a recalled event names


def known_facts(
    store: ChatStore,
    where: ItemFilter,
    question: str,
    hits: Sequence[RecallHit],
    allowance: Allowance,
) -> Facts:
    """Return the entities of ``hits`` and of ``question``, and what holds between them."""
    if not allowance.entities and not allowance.relations:
        return Facts()
    branch_id = where.branches[0][0]
    weights: dict[str, float] = defaultdict(float)
    for entity_id in named_entities(question, store.entities.aliases()):
        weights[entity_id] += _NAMED
    of_events = store.items.entities_of([h.item.ref for h in hits if h.item.kind == "event"])
    for hit in hits:
        told = of_events.get(hit.item.ref, ()) if hit.item.kind == "event" else ()
        for entity_id in (hit.item.ref,) if hit.item.kind == "entity" else told:
            weights[entity_id] += 1 / hit.rank
    known = store.items.known_entities(list(weights), where)
    ranked = sorted(known, key=lambda i: (-weights[i], i))
    entities = store.entities.fetch(ranked, branch_id)
    relations = _relations(store, where, entities, weights) if allowance.relations else []
    linked = {name for r in relations[: allowance.relations] for name in (r.src, r.dst)}
    telling = [e for e in entities if e.description or e.aliases or e.name in linked]
    return Facts(tuple(telling[: allowance.entities]), tuple(relations[: allowance.relations]))


def _relations(
    store: ChatStore,
    where: ItemFilter,
    entities: Sequence[EntityNode],
    weights: dict[str, float],
) -> list[KnownRelation]:
    names = {e.id: e.name for e in entities}
    edges = store.entities.relations_among(names, where.branches[0][0])
    muted = {item.ref for item in store.items.muted()}
    wanted = {i for r in edges for i in r.event_ids}.difference(muted)
    events = {e.id: e for e in store.events.by_ids(wanted)}
    found = []
    for edge in edges:
        said = [e for i in edge.event_ids if (e := events.get(i)) and _may_know(e, where)]
        if said:
            first, last = min(e.source_range for e in said), max(e.source_range for e in said)
            relation = KnownRelation(
                names[edge.src],
                edge.predicate,
                names[edge.dst],
                first.start_index if len(said) == 1 else last.start_index,
                last.end_index,
            )
            found.append((weights[edge.src] + weights[edge.dst], relation))
    found.sort(key=lambda pair: (-pair[0], -pair[1].last, pair[1].src, pair[1].predicate))
    return [relation for _weight, relation in found]


def _may_know(event: EventNode, where: ItemFilter) -> bool:
    if where.at is not None and event.source_range.end_index > where.at:
        return False
    return can_access(where.actor, event.scope, owner=event.owner, participants=event.participants)
