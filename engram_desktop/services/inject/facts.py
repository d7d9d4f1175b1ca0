"""Facts for a prompt: entities and the relations between them.

Only what the asker may know at that floor of that branch: everything passes the same filter as
recall.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from engram_desktop.domain.graph.entity import EntityNode, Relation, is_entity_name, norm_name
from engram_desktop.domain.graph.relations import is_of_a_moment, says_nothing
from engram_desktop.domain.inject import Facts, KnownRelation
from engram_desktop.domain.recall.lexemes import index_tokens, query_tokens
from engram_desktop.domain.recall.query import ItemFilter, RecallHit
from engram_desktop.domain.recall.relevance import asks_for_bond, asks_for_past, named_entities
from engram_desktop.domain.values import dataclass
from engram_desktop.services.knowledge.heard import messages_heard, present_floors
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.known_graph import KnownGraph

_ENDS_READ = 24  # entities whose relations are read
_PAST_READ = 4  # entities whose past relations are read, if the question asks for the past
PAIR_TOLD = 3  # relations written between the same two
_NAMED = 2.0  # weight of an entity the question names; one of a recalled event weighs 1/rank
_SCENE = 6  # last floors whose speakers are present
# Ways of perceiving that mean presence; overhearing or reading a message does not.
_SEEN = frozenset(("there", "spoke", "addressed"))
_HITS_READ = 24  # best events and entities read: links of others are seldom related


def present_facts(store: ChatStore, where: ItemFilter, now: int) -> Facts:
    """Return the speakers of the last floors up to ``now``, and the relations between them.

    They are sorted by name.
    """
    aliases = store.entities.aliases()
    speakers = {norm_name(m.name) for m in messages_heard(store, where, now - _SCENE + 1, now)}
    present = {aliases[name]: 1.0 for name in sorted(speakers) if name in aliases}
    return _facts(store, where, _Cues("", frozenset(), frozenset(), present))


def present_names(store: ChatStore, where: ItemFilter, now: int) -> tuple[str, ...]:
    """Return the names of those present on floor ``now``, sorted.

    For the curator: those present on the newest of the last floors whose presence is known, and
    those who spoke after it; else all speakers of these floors. For an actor: only speakers the
    actor heard. Role words (User) are left out.
    """
    first = max(0, now - _SCENE + 1)
    spoken = [m for m in messages_heard(store, where, first, now) if m.role != "system"]
    names: list[str] = []
    if where.actor is None:
        for floor in reversed(present_floors(store, where.branches[0][0], first, now)):
            if floor.audience and floor.is_known:
                names = [p.name for p in floor.audience if p.how in _SEEN]
                spoken = [m for m in spoken if m.seq > floor.floor]
                break
    by_norm = {norm_name(name): name for name in (*(m.name for m in spoken), *names)}
    return tuple(by_norm[norm] for norm in sorted(by_norm) if is_entity_name(by_norm[norm]))


def is_telling(entity: EntityNode) -> bool:
    """Return whether an entity line says more than its name, which alone tells a prompt nothing."""
    return bool(entity.description or entity.aliases)


def known_facts(
    store: ChatStore, where: ItemFilter, question: str, hits: Sequence[RecallHit]
) -> Facts:
    """Return the entities that were found or that the question names, and their relations."""
    weights: dict[str, float] = defaultdict(float)
    for entity_id in named_entities(question, store.entities.aliases()):
        weights[entity_id] += _NAMED
    linked = (hit for hit in hits if hit.item.kind in {"event", "entity"})
    hits = sorted(linked, key=lambda hit: -hit.score)[:_HITS_READ]
    recalled = frozenset(h.item.ref for h in hits if h.item.kind == "event")
    of_events = store.items.entities_of(sorted(recalled))
    for rank, hit in enumerate(hits, start=1):
        entity_ids = of_events.get(hit.item.ref, ()) if hit.item.kind == "event" else ()
        for entity_id in (hit.item.ref,) if hit.item.kind == "entity" else entity_ids:
            weights[entity_id] += 1 / rank
    words = frozenset(query_tokens(question))
    return _facts(store, where, _Cues(question, words, recalled, weights))


def _facts(store: ChatStore, where: ItemFilter, cues: _Cues) -> Facts:
    graph = graph_of(store, where)
    candidates = list(cues.weights)
    if where.actor is None:  # known by then, from trusted memories
        candidates = list(store.items.known_entities(candidates, where))
    ranked = sorted(candidates, key=lambda i: (-cues.weights[i], i))
    entities = graph.entities(ranked, is_counted=False)
    telling = tuple(entity for entity in entities if is_telling(entity))
    return Facts(telling, tuple(_relations(store, where, graph, cues, entities)))


def graph_of(store: ChatStore, where: ItemFilter) -> KnownGraph:
    """Return the graph as the asker knows it; the curator sees all of it."""
    asker = () if where.actor is None else (where.asker,)
    return store.known_graph(where.branches[0][0], asker, where.at)


@dataclass(frozen=True, slots=True)
class _Cues:
    """What relations are chosen by: question, its words, recalled events, weights of entities."""

    question: str
    tokens: frozenset[str]
    recalled: frozenset[str]
    weights: Mapping[str, float]


def _relations(
    store: ChatStore,
    where: ItemFilter,
    graph: KnownGraph,
    cues: _Cues,
    entities: Sequence[EntityNode],
) -> list[KnownRelation]:
    """Return relations of ``entities``, those closest to the question and newest first.

    Ended relations are included if the question asks for the past. Each relation is returned once,
    and at most PAIR_TOLD between the same two entities.
    """
    edges = graph.current(e.id for e in entities[:_ENDS_READ])
    if asks_for_past(cues.question):
        current_ids = {edge.id for edge in edges}
        of_all = graph.relations(e.id for e in entities[:_PAST_READ])
        edges += [r for r in of_all if not r.is_current and r.id not in current_ids]
    edges = [e for e in {e.id: e for e in edges}.values() if not says_nothing(e.predicate)]
    degree = Counter(end for edge in edges for end in (edge.src, edge.dst))
    floors_by_edge = _last_floors(store, where, edges)
    names = {e.id: e.name for e in entities}
    others = {i for r in edges for i in (r.src, r.dst)}.difference(names)
    names |= {e.id: e.name for e in graph.entities(sorted(others), is_counted=False)}
    weighed = []
    for edge in edges:
        floors = floors_by_edge.get(edge.id)
        weight = _nearness(edge, cues, degree)
        if not weight or edge.src not in names or edge.dst not in names:
            continue
        if floors or not edge.event_ids:
            until = None if edge.is_current else edge.valid_to
            ends = (names[edge.src], edge.predicate, names[edge.dst])
            asked = not edge.event_ids or _is_asked(ends, cues)
            if asked or not is_of_a_moment(edge.predicate) or _names_both(ends, cues):
                weighed.append((weight, KnownRelation(*ends, floors, until, asked)))
    weighed.sort(
        key=lambda pair: (-pair[0], pair[1].floors is None, -(pair[1].floors or (0, 0))[1])
    )
    return _each_once(relation for _weight, relation in weighed)


def _nearness(edge: Relation, cues: _Cues, degree: Mapping[str, int]) -> float:
    """Return how close a relation is to the question; 0 if it is unrelated.

    An end counts for its weight, divided by the logarithm of its number of relations: a relation to
    the hero, whom everybody is linked to, says little. A relation also counts if a recalled event
    holds it, or if it shares words with the question. One that only has a named end is unrelated.
    """
    ends = sum(
        cues.weights.get(end, 0.0) / math.log2(1 + degree[end]) for end in (edge.src, edge.dst)
    )
    shared_words = cues.tokens.intersection(index_tokens(edge.predicate))
    is_recalled = bool(cues.recalled.intersection(edge.event_ids))
    both = edge.src in cues.weights and edge.dst in cues.weights
    if not (shared_words or is_recalled or both):
        return 0.0
    return ends + 2.0 * len(shared_words) + is_recalled + both


def _is_asked(ends: tuple[str, str, str], cues: _Cues) -> bool:
    """Return whether a relation holds words of the question other than its ends' whole names."""
    src, predicate, dst = (frozenset(query_tokens(part)) for part in ends)
    named = frozenset[str]().union(*(end for end in (src, dst) if end <= cues.tokens))
    return bool((src | predicate | dst) & cues.tokens - named) or asks_for_bond(cues.question)


def _names_both(ends: tuple[str, str, str], cues: _Cues) -> bool:
    """Return whether the question holds the whole names of both ends."""
    return all(cues.tokens.issuperset(query_tokens(name)) for name in (ends[0], ends[2]))


def _each_once(relations: Iterable[KnownRelation]) -> list[KnownRelation]:
    pairs: Counter[frozenset[str]] = Counter()
    stated: set[tuple[frozenset[str], str]] = set()
    chosen = []
    for relation in relations:
        pair = frozenset((relation.src, relation.dst))
        if (pair, relation.predicate) not in stated and pairs[pair] < PAIR_TOLD:
            stated.add((pair, relation.predicate))
            pairs[pair] += 1
            chosen.append(relation)
    return chosen


def _last_floors(
    store: ChatStore, where: ItemFilter, edges: Sequence[Relation]
) -> dict[str, tuple[int, int]]:
    """Return, by edge, the last floor that tells it in events the asker may know and use."""
    known = store.items.known_event_ids(where)
    unusable = store.items.stale() | {item.ref for item in store.items.muted()}
    floors = {}
    for edge in edges:
        told = zip(edge.event_ids, edge.floors, strict=True)
        usable = (floor for i, floor in told if i in known and i not in unusable)
        last = max(usable, default=None)
        if last is not None:
            floors[edge.id] = last
    return floors
