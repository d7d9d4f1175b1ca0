"""The whole graph in the forms other graph tools read: node-link data and GraphML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.services.graph.as_known import EVERY
from engram_desktop.storage.chat.chat_store import ChatStore


def graph_data(
    store: ChatStore, branch_id: str = MAIN_BRANCH, actors: Sequence[Actor] = ()
) -> dict[str, Any]:
    """The whole graph as node-link data: what networkx reads with ``edges="links"``.

    With ``actors`` what all of them know of it.
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
    """The whole graph as GraphML. Its lists are joined: the format knows none."""
    import networkx as nx  # noqa: PLC0415 - 0.1 s, for this one command

    data = graph_data(store, branch_id, actors)
    for row in [*data["nodes"], *data["links"]]:
        row |= {key: "; ".join(value) for key, value in row.items() if isinstance(value, list)}
        for key in [key for key, value in row.items() if value is None]:
            del row[key]
    graph = nx.node_link_graph(data, edges="links")
    return "\n".join(nx.generate_graphml(graph))
