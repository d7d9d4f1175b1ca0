"""The graph leg: from the entities a question names to the memories linked to them. No model.

Entities are found by their aliases. From them a random walk with restart (personalised PageRank, as
HippoRAG uses it: Gutiérrez et al., NeurIPS 2024) runs over entities, the events and logs that name
them, and relations. A step out of a hub is spread thin and a hub is seldom where a question starts:
the hero, who is in every scene, tells nothing about which scene is meant.

A question may name somebody by what they are to another (“her master”): where its words hold the
predicate of a relation of a named entity, the walk starts from the other end as well. That is the
second hop a question needs; without such words the other end is only as near as the walk takes it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.graph.predicates import says_nothing
from engram_desktop.domain.recall.lexemes import query_tokens
from engram_desktop.domain.recall.query import ITEM_KINDS, StoryLinks
from engram_desktop.domain.recall.ranking import Scores
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.view import View

# Share of each step that goes back to who was named. Not measured: the sets hold no graph.
_RESTART = 0.5
_STEPS = 4  # what is more than four steps away tells nothing: its share is a sixteenth at most
_MEANT = 1.5  # a start at who is meant by a relation, against one at who is named
_TURN_SHARE = 0.5  # of an event's score, for the turns it tells of


@dataclass(frozen=True, slots=True, eq=False)
class StoryGraph:
    """Entities first, then items, as one list of nodes; edges in both directions."""

    entity_node: Mapping[str, int]
    item_ids: NDArray[np.int64]
    sources: NDArray[np.intp]
    targets: NDArray[np.intp]
    degree: NDArray[np.float64]
    relations: Mapping[str, Sequence[tuple[str, str]]]  # entity to (predicate, other end)

    @classmethod
    def of(cls, links: StoryLinks) -> StoryGraph:
        ends = {e for src, _predicate, dst in links.relations for e in (src, dst)}
        entities = sorted({e for e, _ in links.mentions} | ends)
        entity_node = {entity: node for node, entity in enumerate(entities)}
        ids = sorted({item for _, item in links.mentions})
        item_node = {item: len(entities) + n for n, item in enumerate(ids)}
        pairs = {(entity_node[e], item_node[i]) for e, i in links.mentions}
        pairs |= {(entity_node[a], entity_node[b]) for a, _p, b in links.relations if a != b}
        relations: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for src, predicate, dst in links.relations:
            if src != dst and not says_nothing(predicate):
                relations[src].append((predicate, dst))
                relations[dst].append((predicate, src))
        edges = sorted(pairs | {(b, a) for a, b in pairs})
        sources = np.array([a for a, _ in edges], dtype=np.intp)
        targets = np.array([b for _, b in edges], dtype=np.intp)
        degree = np.bincount(sources, minlength=len(entities) + len(ids)).astype(np.float64)
        return cls(entity_node, np.array(ids, dtype=np.int64), sources, targets, degree, relations)

    def meant(self, entities: Iterable[str], tokens: Set[str]) -> set[str]:
        """Return whom a question of these ``tokens`` means by relations of ``entities``."""
        named = set(entities)
        return {
            other
            for entity in named
            for predicate, other in self.relations.get(entity, ())
            if other not in named and not tokens.isdisjoint(query_tokens(predicate))
        }

    def item_scores(self, entities: Mapping[str, str], tokens: Set[str] = frozenset()) -> Scores:
        """Return each item's score for a question about ``entities``: 1 for the best, 0 for none.

        All of them are smaller where only hubs are named.
        """
        nodes = [self.entity_node[e] for e in entities if e in self.entity_node]
        items = self.item_ids.size
        if not nodes or not items:
            return np.zeros(items)
        rarity = np.array([math.log1p(items / max(1.0, self.degree[node])) for node in nodes])
        start = np.zeros(self.degree.size)
        start[nodes] = rarity
        for entity in self.meant(entities, tokens):
            start[self.entity_node[entity]] = _MEANT * rarity.max()
        start /= start.sum()
        reached = self._walk(start)[-items:]
        top = reached.max()
        sureness = min(1.0, float(rarity.max()) / math.log1p(items)) if items > 1 else 1.0
        return reached / top * sureness if top > 0 else np.zeros(items)

    def _walk(self, start: Scores) -> Scores:
        mass = start
        leaving = np.maximum(self.degree, 1.0)
        for _ in range(_STEPS):
            flow = (mass / leaving)[self.sources]
            arrived = np.bincount(self.targets, weights=flow, minlength=mass.size)
            mass = _RESTART * start + (1 - _RESTART) * arrived
        return mass


def graph_scores(
    graph: StoryGraph, view: View, entities: Mapping[str, str], tokens: Set[str] = frozenset()
) -> Scores:
    """Return every row's share: linked items whole, the turns an event tells of in part."""
    scores = np.zeros(view.size)
    values = graph.item_scores(entities, tokens)
    linked = np.flatnonzero(values)
    rows = view.row_of_each(graph.item_ids[linked])
    linked, rows = linked[rows >= 0], rows[rows >= 0]
    if not rows.size:
        return scores
    is_event = view.layout.kinds[rows] == ITEM_KINDS.index("event")
    told, worth = rows[is_event], _TURN_SHARE * values[linked[is_event]]
    starts = view.layout.starts[view.turns]
    first = np.searchsorted(starts, view.layout.starts[told])
    last = np.searchsorted(starts, view.layout.ends[told], "right")
    of_turns = np.zeros(view.turns.size)
    for n in np.argsort(worth, kind="stable").tolist():  # where events overlap the best counts
        of_turns[first[n] : last[n]] = worth[n]
    scores[view.turns] = of_turns
    np.maximum.at(scores, rows, values[linked])
    return scores
