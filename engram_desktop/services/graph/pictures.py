"""What to draw of a graph: around whom, as who knows it, and as of which floor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace

from engram_desktop.domain.graph.entity import Around, EntityNode, GraphView, Relation
from engram_desktop.domain.graph.paths import shortest
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.services.graph import as_known
from engram_desktop.storage.chat.chat_store import ChatStore


def picture(store: ChatStore, branch_id: str, around: Around, actors: Sequence[Actor]) -> GraphView:
    """Return what to draw, as all of ``actors`` know it."""
    entities = store.entities
    read = entities.neighbourhood if around.at is None else entities.kept_neighbourhood
    view = read(around.center_id, around.hops, around.limit, branch_id)
    view = _with(store, branch_id, view, around.also)
    if actors:
        view = as_known.view(store, branch_id, actors, view, around.at)
    elif around.at is not None:
        view = _as_of(store, branch_id, view, around.at)
    return view


def path(
    store: ChatStore, branch_id: str, ends: tuple[str, str], actors: Sequence[Actor], at: int | None
) -> list[Relation] | None:
    """Return the shortest way between two entities.

    What holds now comes first; then what held once; then who was merely told of together.
    """
    ids = [e.id for e in store.entities.find("", as_known.EVERY, branch_id)]
    graph = store.known_graph(branch_id, actors, at)
    if actors:
        ids = [e.id for e in graph.entities(ids)]
    relations = graph.relations(ids, among=True)
    way = shortest([r for r in relations if r.is_current], *ends) or shortest(relations, *ends)
    if way is None and not actors and at is None:
        met = store.entities.met_among(ids, branch_id=branch_id)
        relations += [Relation(f"met:{a}:{b}", a, "", b) for a, b, _count in met]
        way = shortest(relations, *ends)
    return way


def _with(store: ChatStore, branch_id: str, view: GraphView, also: Collection[str]) -> GraphView:
    """Draw some more entities, and what links them."""
    here = {e.id for e in view.entities}
    more = [i for i in also if i not in here]
    if not more:
        return view
    entities = (*view.entities, *store.entities.fetch(more, branch_id))
    ids = [e.id for e in entities]
    relations = store.entities.relations_among(ids, branch_id)
    pairs = {frozenset((r.src, r.dst)) for r in relations}
    met = [
        Relation(f"met:{a}:{b}", a, "", b)
        for a, b, _count in store.entities.met_among(ids, branch_id=branch_id)
        if frozenset((a, b)) not in pairs
    ]
    return replace(view, entities=entities, relations=(*relations, *met))


def _as_of(store: ChatStore, branch_id: str, view: GraphView, at: int) -> GraphView:
    """Return what was told of a picture up to a floor; what a user made was always there."""
    graph = store.known_graph(branch_id, (), at)
    known = graph.event_ids
    told = store.entities.events_of([e.id for e in view.entities])
    here = {e.id for e in view.entities if e.id not in told or not known.isdisjoint(told[e.id])}
    relations = graph.relations(here, among=True)
    met = [
        r
        for r in view.relations
        if not r.predicate
        and r.src in here
        and r.dst in here
        and not known.isdisjoint(told.get(r.src, set()) & told.get(r.dst, set()))
    ]
    degrees = Counter(end for r in relations for end in {r.src, r.dst})
    entities = tuple(_then(e, degrees[e.id], told, known) for e in view.entities if e.id in here)
    center = view.center_id if view.center_id in here else None
    return replace(view, center_id=center, entities=entities, relations=(*relations, *met))


def _then(
    entity: EntityNode, degree: int, told: Mapping[str, Set[str]], known: frozenset[str]
) -> EntityNode:
    events = told.get(entity.id, ())
    return replace(entity, degree=degree, event_count=len(known.intersection(events)))
