"""Recall: from a question to ranked memories, each with its reasons. Reads only; asks no model.

Three passes, each over fewer items with dearer evidence: words, names and dates over the whole
chat; similarity over the candidates (all items of a small chat); wording over the short list, whose
texts are read only then. What may not be seen is left out before the first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import numpy as np

from engram_desktop.domain import ranking
from engram_desktop.domain.embedding import query_texts
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.lexemes import (
    index_tokens,
    matched_words,
    query_characters,
    query_tokens,
)
from engram_desktop.domain.recall import (
    ItemFilter,
    MemoryItem,
    RecallHit,
    RecallQuery,
    RecallResult,
)
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedder import Embedder
from engram_desktop.services.recall.fuse import Tally
from engram_desktop.services.recall.graph import StoryGraph, graph_scores, named_entities
from engram_desktop.services.recall.index import ItemIndex, Vectors
from engram_desktop.services.recall.lexical import lexical_scores
from engram_desktop.services.recall.vector import WHOLE, even_sample, nearest_rows, similarity
from engram_desktop.services.recall.view import View
from engram_desktop.services.recall.wording import answer_scores, date_scores, speaker_scores

Branches = tuple[tuple[str, int | None], ...]
T = TypeVar("T")

_CANDIDATES = 192  # rows that words, names and dates may bring in a large chat
_SHORT_LIST = 40  # texts read beyond what is asked for
_VIEWS_KEPT = 8


class Recaller:
    """Searches one chat. Safe from any thread if ``index`` and ``embedder`` are.

    ``branch_path`` gives a branch and its ancestors as `ItemFilter` wants them. Beyond
    ``exact_up_to`` items only candidates are compared by meaning.
    """

    def __init__(
        self,
        index: ItemIndex,
        embedder: Embedder,
        branch_path: Callable[[str], Branches],
        *,
        weights: ranking.Weights = ranking.DEFAULT,
        exact_up_to: int = WHOLE,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.embedder = embedder
        self._index = index
        self._branch_path = branch_path
        self._weights = weights
        self._exact_up_to = exact_up_to
        self._clock = clock
        self._kept: dict[Hashable, object] = {}
        self._kept_version: int | None = None

    def recall(self, ctx: JobContext, query: RecallQuery) -> RecallResult:
        """Return at most ``query.top_k`` memories, best first. Raises Cancelled."""
        began = self._clock()
        branches = self._branch_path(query.branch_id or MAIN_BRANCH)
        where = ItemFilter(query.kinds, branches, query.at, query.actor)
        version = self._index.version()
        view = self._cached(version, where, lambda: View(self._index.layout(where)))
        degraded: list[str] = []
        hits: tuple[RecallHit, ...] = ()
        if query.text.strip() and view.size and query.top_k > 0:
            queries = self._embedded(ctx, query.text, view, degraded)
            entities = named_entities(query.text, self._index.aliases())
            tally = self._cheap_evidence(query, version, view, entities)
            tally = self._with_similarity(tally, view, where, queries)
            hits = self._short_list(query, view, tally, entities)
        elapsed = (self._clock() - began) * 1000
        return RecallResult(query.text, hits, elapsed, tuple(degraded))

    def _cached(self, version: int, key: Hashable, make: Callable[[], T]) -> T:
        if version != self._kept_version:
            self._kept, self._kept_version = {}, version
        kept = self._kept
        if key not in kept:
            while len(kept) >= _VIEWS_KEPT:
                kept.pop(next(iter(kept)))
            kept[key] = make()
        return kept[key]  # type: ignore[return-value]  # a key is always made by the same `make`

    def _embedded(
        self, ctx: JobContext, text: str, view: View, degraded: list[str]
    ) -> Vectors | None:
        try:
            return self.embedder.embed(query_texts(text, view.layout.names), ctx, query=True)
        except KnownError:  # words still find much; the result says what was missing
            degraded.append("embedding")
            return None

    def _cheap_evidence(
        self, query: RecallQuery, version: int, view: View, entities: dict[str, str]
    ) -> Tally:
        """Say of every item what can be said without its text or vector."""
        weights, index = self._weights, self._index
        tally = Tally(np.arange(view.size, dtype=np.intp))
        tokens, characters = query_tokens(query.text), query_characters(query.text)
        tally.add("lexical", weights.lexical, lexical_scores(index, view, tokens, characters))
        by_name, by_voice = speaker_scores(query.text, view, index.aliases(), query.actor)
        tally.add("speaker", weights.speaker, by_name)
        tally.add("speaker", weights.voice, by_voice)
        tally.add("date", weights.date, date_scores(query.text, view))
        if entities:
            graph = self._cached(version, "graph", lambda: StoryGraph.of(index.links()))
            tally.add("graph", weights.graph, graph_scores(graph, view, entities))
        return tally

    def _with_similarity(
        self, tally: Tally, view: View, where: ItemFilter, queries: Vectors | None
    ) -> Tally:
        if queries is None or not len(queries):
            return tally
        sample = tally.rows
        if view.size > self._exact_up_to:
            sample = even_sample(view.size)
            likely = ranking.best(tally.total, _CANDIDATES)
            near = nearest_rows(self._index, view, where, queries)
            tally = tally.narrowed(np.union1d(likely, near))
        alike = similarity(self._index, view, queries, tally.rows, sample=sample)
        tally.add("vector", self._weights.vector * alike.sureness, alike.own)
        tally.add("vector", self._weights.following * alike.sureness, alike.following)
        return tally

    def _short_list(
        self, query: RecallQuery, view: View, tally: Tally, entities: dict[str, str]
    ) -> tuple[RecallHit, ...]:
        tally = tally.narrowed(ranking.best(tally.total, query.top_k + _SHORT_LIST))
        ids = [int(item_id) for item_id in view.layout.ids[tally.rows]]
        found = self._index.items(ids)
        there = [n for n, item_id in enumerate(ids) if item_id in found]  # not deleted meanwhile
        tally = tally.narrowed(np.array(there, dtype=np.intp))
        items = [found[ids[n]] for n in there]
        moment, asking = answer_scores(query.text, items)
        tally.add("moment", self._weights.moment, moment)
        tally.add("asking", self._weights.asking, asking)
        order = ranking.best(tally.total, tally.rows.size)
        total = tally.total
        tokens = _TokensOf([items[position] for position in order])
        chosen = ranking.distinct_first(len(items), query.top_k, tokens)
        return tuple(
            RecallHit(
                rank,
                items[order[p]],
                round(float(total[order[p]]), 3),
                tally.why(int(order[p])),
                _matched(query.text, items[order[p]], tokens(p), entities),
            )
            for rank, p in enumerate(chosen, 1)
        )


class _TokensOf:
    """Token sets of ranked items, made when asked for and kept."""

    def __init__(self, items: Sequence[MemoryItem]) -> None:
        self._items = items
        self._made: dict[int, frozenset[str]] = {}

    def __call__(self, position: int) -> frozenset[str]:
        if position not in self._made:
            self._made[position] = frozenset(index_tokens(self._items[position].content))
        return self._made[position]


def _matched(
    question: str, item: MemoryItem, tokens: frozenset[str], entities: dict[str, str]
) -> tuple[str, ...]:
    words = matched_words(question, tokens)
    content = item.content.casefold()
    return tuple(dict.fromkeys([*words, *(a for a in entities.values() if a in content)]))
