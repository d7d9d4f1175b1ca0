"""The graph as it is drawn and exported, whole or as an actor knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from engram_desktop.domain.graph.entity import Around, EntityNode, GraphView, Relation, norm_name
from engram_desktop.domain.graph.relations import shortest
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.storage.chat.chat_store import ChatStore


def picture(store: ChatStore, branch_id: str, around: Around, actors: Sequence[Actor]) -> GraphView:
    """Return the part of the graph to draw, as all of ``actors`` know it."""
    entities = store.entities
    read = entities.neighbourhood if around.at is None else entities.cached_neighbourhood
    view = read(around.center_id, around.hops, around.limit, branch_id)
    view = _with(store, branch_id, view, around.also)
    if actors:
        view = view_as_known(store, branch_id, actors, view, around.at)
    elif around.at is not None:
        view = _as_of(store, branch_id, view, around.at)
    return view


def path(
    store: ChatStore, branch_id: str, ends: tuple[str, str], actors: Sequence[Actor], at: int | None
) -> list[Relation] | None:
    """Return the shortest path between two entities; None if they are not connected.

    Tried first over relations that hold now, then over all relations, then over shared events.
    """
    ids = [e.id for e in store.entities.find("", EVERY, branch_id)]
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
    """Add some entities to a view, and what links them."""
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
    """Reduce a view to what events up to a floor say; entities made by hand always stay."""
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


EVERY = 1_000_000  # limit on entities, higher than any chat has


def find(
    store: ChatStore, branch_id: str, actors: Sequence[Actor], text: str, limit: int
) -> list[EntityNode]:
    """Return known entities with ``text`` in one of their known names, best connected first."""
    ids = [e.id for e in store.entities.find("", EVERY, branch_id)]
    entities = store.known_graph(branch_id, actors).entities(ids)
    wanted = norm_name(text)
    named = [e for e in entities if any(wanted in norm_name(n) for n in (e.name, *e.aliases))]
    return named[:limit]


def view_as_known(
    store: ChatStore,
    branch_id: str,
    actors: Sequence[Actor],
    whole: GraphView,
    at: int | None,
) -> GraphView:
    """Reduce a view to what ``actors`` know, at floor ``at`` if it is given."""
    graph = store.known_graph(branch_id, actors, at)
    entities = graph.entities([e.id for e in whole.entities])
    relations = graph.relations([e.id for e in entities], among=True)
    center = whole.center_id if any(e.id == whole.center_id for e in entities) else None
    return replace(whole, center_id=center, entities=tuple(entities), relations=tuple(relations))


def graph_data(store: ChatStore, branch_id: str, actors: Sequence[Actor]) -> dict[str, Any]:
    """Return the graph as node-link data, which networkx reads with ``edges="links"``.

    With ``actors``, only what all of them know.
    """
    graph = store.known_graph(branch_id, actors)
    entities = store.entities.find("", EVERY, branch_id)
    if actors:
        entities = graph.entities([e.id for e in entities])
    ids = [e.id for e in entities]
    return {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [
            {
                "id": e.id,
                "name": e.name,
                "type": e.type,
                "aliases": list(e.aliases),
                "description": e.description,
                "events": e.event_count,
            }
            for e in entities
        ],
        "links": [
            {
                "source": r.src,
                "target": r.dst,
                "key": r.id,
                "predicate": r.predicate,
                "events": list(r.event_ids),
                "valid_from": r.valid_from,
                "valid_to": r.valid_to,
                "is_current": r.is_current,
                "superseded_by": r.superseded_by,
                "is_by_hand": r.is_by_hand,
            }
            for r in graph.relations(ids, among=True)
        ],
    }


def graphml(store: ChatStore, branch_id: str = MAIN_BRANCH, actors: Sequence[Actor] = ()) -> str:
    """Return the graph as GraphML. Lists are joined to strings: the format has no lists."""
    import networkx as nx  # noqa: PLC0415 - 0.1 s, for this one command

    data = graph_data(store, branch_id, actors)
    for row in [*data["nodes"], *data["links"]]:
        row |= {key: "; ".join(value) for key, value in row.items() if isinstance(value, list)}
        for key in [key for key, value in row.items() if value is None]:
            del row[key]
    graph = nx.node_link_graph(data, edges="links")
    return "\n".join(nx.generate_graphml(graph))
