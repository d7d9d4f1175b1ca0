"""Lists and pictures of the graph, as somebody knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engram_desktop.domain.graph.entity import EntityNode, GraphView, norm_name
from engram_desktop.domain.memory.scope import Actor
from engram_desktop.storage.chat.chat_store import ChatStore

EVERY = 1_000_000  # entities: more than any chat has


def find(
    store: ChatStore, branch_id: str, actors: Sequence[Actor], text: str, limit: int
) -> list[EntityNode]:
    """Return known entities one of whose known names holds ``text``, the best connected first."""
    ids = [e.id for e in store.entities.find("", EVERY, branch_id)]
    entities = store.known_graph(branch_id, actors).entities(ids)
    wanted = norm_name(text)
    named = [e for e in entities if any(wanted in norm_name(n) for n in (e.name, *e.aliases))]
    return named[:limit]


def view(
    store: ChatStore,
    branch_id: str,
    actors: Sequence[Actor],
    whole: GraphView,
    at: int | None = None,
) -> GraphView:
    """Return of a picture what is known: who is known, and what is known to hold among them.

    With a floor: as it was known then.
    """
    graph = store.known_graph(branch_id, actors, at)
    entities = graph.entities([e.id for e in whole.entities])
    relations = graph.relations([e.id for e in entities], among=True)
    center = whole.center_id if any(e.id == whole.center_id for e in entities) else None
    return replace(whole, center_id=center, entities=tuple(entities), relations=tuple(relations))
