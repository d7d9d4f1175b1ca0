"""What a prompt should tell beside memories: entities, relations, and the words around a snippet.

Only what the asker may know at that floor of that branch: everything goes through the same filter
as recall.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from engram_desktop.domain.graph.entity import EntityNode, Relation
from engram_desktop.domain.graph.predicates import says_nothing
from engram_desktop.domain.inject.injection import Allowance, Facts, KnownRelation
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.recall.cues import asks_for_past, named_entities
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.recall.query import ItemFilter, RecallHit, RecallQuery, may_know
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.lines import is_short
from engram_desktop.storage.chat.chat_store import ChatStore

_ENDS_READ = 24  # entities whose relations are looked at
_PAST_READ = 4
PAIR_TOLD = 3  # relations between the same two
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
    recalled = frozenset(h.item.ref for h in hits if h.item.kind == "event")
    asked = _Asked(question, frozenset(query_tokens(question)), recalled, weights)
    relations = _relations(store, where, asked, entities) if allowance.relations else []
    telling = [e for e in entities if e.description or e.aliases]
    return Facts(tuple(telling[: allowance.entities]), tuple(relations[: allowance.relations]))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What relations are chosen by: the question, its words, recalled events, named entities."""

    question: str
    tokens: frozenset[str]
    recalled: frozenset[str]
    weights: Mapping[str, float]


def _relations(
    store: ChatStore, where: ItemFilter, asked: _Asked, entities: Sequence[EntityNode]
) -> list[KnownRelation]:
    """What holds of ``entities``, the nearest to the question first; what held, if asked for.

    Of two entities at most PAIR_TOLD relations are told, each once and not from both sides.
    """
    branch_id = where.branches[0][0]
    ids = [e.id for e in entities[:_ENDS_READ]]
    edges = store.entities.current_relations(ids, branch_id, where.at)
    if asks_for_past(asked.question):
        held = {edge.id for edge in edges}
        of_all = (r for i in ids[:_PAST_READ] for r in store.entities.relations_of(i, branch_id))
        edges += [r for r in of_all if not r.is_current and r.id not in held]
    edges = [e for e in {e.id: e for e in edges}.values() if not says_nothing(e.predicate)]
    degree = Counter(end for edge in edges for end in (edge.src, edge.dst))
    told = _told(store, where, edges)
    names = {e.id: e.name for e in entities}
    others = {i for r in edges for i in (r.src, r.dst)}.difference(names)
    names |= {e.id: e.name for e in store.entities.fetch(sorted(others), branch_id)}
    found = []
    for edge in edges:
        floors = told.get(edge.id)
        weight = _nearness(edge, asked, degree)
        if not weight or edge.src not in names or edge.dst not in names:
            continue
        if floors or not edge.event_ids:
            until = None if edge.is_current else edge.valid_to
            ends = (names[edge.src], edge.predicate, names[edge.dst])
            found.append((weight, KnownRelation(*ends, floors, until)))
    found.sort(key=lambda pair: (-pair[0], pair[1].floors is None, pair[1].floors or (0, 0)))
    return _each_once(relation for _weight, relation in found)


def _nearness(edge: Relation, asked: _Asked, degree: Mapping[str, int]) -> float:
    """Say how much a relation has to do with the question; 0 for not at all.

    Of what everybody is linked to (the hero) the link itself tells little: an end counts by how few
    relations it has. A relation that is told by a recalled event, or in words of the question,
    counts for that; one that only hangs on somebody named is not told.
    """
    ends = sum(
        asked.weights.get(end, 0.0) / math.log2(1 + degree[end]) for end in (edge.src, edge.dst)
    )
    said = asked.tokens.intersection(index_tokens(edge.predicate))
    is_recalled = bool(asked.recalled.intersection(edge.event_ids))
    both = edge.src in asked.weights and edge.dst in asked.weights
    if not (said or is_recalled or both):
        return 0.0
    return ends + 2.0 * len(said) + is_recalled + both


def _each_once(relations: Iterable[KnownRelation]) -> list[KnownRelation]:
    pairs: Counter[frozenset[str]] = Counter()
    told: set[tuple[frozenset[str], str]] = set()
    kept = []
    for relation in relations:
        pair = frozenset((relation.src, relation.dst))
        if (pair, relation.predicate) not in told and pairs[pair] < PAIR_TOLD:
            told.add((pair, relation.predicate))
            pairs[pair] += 1
            kept.append(relation)
    return kept


def _told(
    store: ChatStore, where: ItemFilter, edges: Sequence[Relation]
) -> dict[str, tuple[int, int]]:
    """Edge to the floors that say so last, of events the asker may know and may use."""
    muted = {item.ref for item in store.items.muted()}
    wanted = {i for edge in edges for i in edge.event_ids}.difference(muted)
    events = {e.id: e for e in store.events.by_ids(wanted)}
    found = {}
    for edge in edges:
        said = [
            e
            for i in edge.event_ids
            if (e := events.get(i)) and not e.is_stale and may_know(e, where)
        ]
        if said:
            last = max(e.source_range for e in said)
            found[edge.id] = (last.start_index, last.end_index)
    return found


def beside_short_hits(
    store: ChatStore, hits: Sequence[RecallHit], allowance: Allowance, query: RecallQuery
) -> dict[int, list[Message]]:
    """Return the messages around each hit too short to be understood alone, by item id."""
    reach = allowance.neighbours
    found = {}
    for hit in hits if reach else ():
        if is_short(hit):
            floor = hit.item.start_index
            last = floor + reach if query.at is None else min(floor + reach, query.at)
            if allowance.visible_from is not None:
                last = min(last, allowance.visible_from - 1)
            branch_id = query.branch_id or MAIN_BRANCH
            near = store.messages.slice(branch_id, max(0, floor - reach), last)
            found[hit.item.id] = [m for m in near if m.seq != floor]
    return found
