"""The legs of recall (words, vectors, graph and story days), and the view of items they read."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import date
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.graph.relations import says_nothing
from engram_desktop.domain.recall.lexemes import query_tokens
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    ItemFilter,
    Layout,
    MemoryItem,
    StoryLinks,
)
from engram_desktop.domain.recall.ranking import (
    NEAR,
    Rows,
    Scores,
    add_spread,
    confidence,
    inverse_frequency,
    standard_scores,
)
from engram_desktop.domain.recall.relative_time import days_back, story_days
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.index import ItemIndex, ReadIndex, Vectors

# Rows read for one question, rarest words first: at 100,000 items a long question loses only its
# commonest words.
_ROWS_READ = 20_000
# Words of a question: limits those of whole messages; the rarest come first, so little is lost.
_TOKENS_READ = 96
# Limit on the weight of all single characters together, in words. A long message has many in no
# known pair; without a limit they cost MemDaily five points, while short questions gain as many.
_CHARACTERS_WEIGH = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Sums of inverse document frequencies by row: ``scores`` with neighbours, ``own`` without.

    ``asked`` is the sum over all words of the question that the chat knows; ``held`` lists the idf
    of each of them with the rows that hold it.
    """

    scores: Scores
    own: Scores
    asked: float
    held: tuple[tuple[float, Rows], ...]


@dataclass(frozen=True, slots=True)
class WordCounts:
    """The number of items, and a function that counts the items with each of some tokens."""

    size: int
    frequency: Callable[[Sequence[str]], Mapping[str, int]]

    @classmethod
    def of_all(cls, counts: Sequence[WordCounts]) -> WordCounts:
        """Return the counts of several stores together."""

        def frequency(tokens: Sequence[str]) -> dict[str, int]:
            total: Counter[str] = Counter()
            for one in counts:
                total.update(one.frequency(tokens))
            return total

        return cls(sum(one.size for one in counts), frequency)


def lexical_scores(
    index: ReadIndex,
    view: RecallView,
    tokens: Sequence[str],
    characters: Sequence[str] = (),
    *,
    nearness: float,
    beside: WordCounts | None = None,
) -> Words:
    """Return what every row holds of ``tokens``.

    Each word counts once in an item, by its rarity in the chat: fully if the item holds it, in part
    if a turn close by does, since a question (“what did Mary cook”) and its answer (“dumplings”)
    are two messages. Word counts and lengths brought nothing on chats. Those of ``characters`` that
    are in no token of the chat are looked for by themselves. ``nearness``: weight of neighbours,
    relative to the usual (`Habits`). ``beside``: counts of other stores searched for the same
    question, so that rarity is that in all of them together.
    """
    frequency = index.document_frequency(tokens)
    covered = {character for token in frequency for character in token}
    alone = [c for c in characters if c not in covered]
    frequency |= index.document_frequency(alone)
    weight_alone = min(1.0, _CHARACTERS_WEIGH / max(1, len(alone)))
    weights = dict.fromkeys(alone, weight_alone) | dict.fromkeys(tokens, 1.0)
    rarest = sorted((t for t in weights if frequency.get(t)), key=lambda t: frequency[t])
    own, asked = np.zeros(view.size), 0.0
    held: list[tuple[float, Rows]] = []
    turns = np.zeros(view.turns.size)
    rows_read = itertools.accumulate(frequency[token] for token in rarest[:_TOKENS_READ])
    read = rarest[: max(1, sum(1 for _ in itertools.takewhile(_ROWS_READ.__ge__, rows_read)))]
    others = beside.frequency(read) if beside is not None else {}
    total = view.size + (beside.size if beside is not None else 0)
    for token, ids in zip(read, index.postings(read), strict=True):
        rows = view.rows_of(ids)
        holders = rows.size + others.get(token, 0)
        weight = weights[token] * inverse_frequency(holders, total)
        if weight:
            add_spread(turns, view.places_of(rows), weight, near=NEAR * nearness)
            own[rows] += weight
            asked += weight
            held.append((weight, rows))
    scores = own.copy()
    scores[view.turns] = turns
    return Words(scores, own, asked, tuple(held))


WHOLE = 4_096  # items up to which all are compared exactly
_NEAREST = 96  # items of one search; 256 gave the same answers in twice the time
_SEARCHES = 2  # clauses looked up; all clauses are compared with the items found
_SAMPLE = 256  # rows: enough for a mean and a deviation
_SAMPLES_KEPT = 16  # for some chats in turn, two groups of kinds each; 2 KB each


@dataclass(frozen=True, slots=True)
class Similarity:
    """Standard scores of some rows, for one question.

    Similarities become standard scores over the chat, so that one weight fits every embedding
    model.
    """

    rows: Rows
    own: Scores  # of the item itself
    following: Scores  # of the turn after it, whose vector includes its text
    sureness: float


def nearest_rows(
    index: ItemIndex, view: RecallView, where: ItemFilter, queries: Vectors, *, depth: int
) -> Rows:
    """Return the rows nearest to the first clauses, and the turns before them.

    A clause gives ``depth`` rows if that is more than the usual number.
    """
    limit = max(_NEAREST, depth)
    ids = {item for query in queries[:_SEARCHES] for item, _ in index.vector(query, where, limit)}
    rows = view.rows_of(np.fromiter(sorted(ids), dtype=np.int64, count=len(ids)))
    return view.distinct(rows, view.preceding(rows))


def similarity(
    index: ItemIndex, view: RecallView, queries: Vectors, rows: Rows, *, sample: Rows
) -> Similarity:
    """Compare ``rows``, and the turns after them, with every clause; the best clause counts.

    ``sample`` are the rows from which mean and deviation are taken. A small chat is compared as a
    whole; in a large one ``rows`` come from the vector index.
    """
    after = view.following(rows)
    compared = view.distinct(rows, after, sample)
    cosines = index.similarities(queries, view.layout.ids[compared])
    best = np.full(compared.size, -np.inf)
    in_sample = np.searchsorted(compared, sample)
    for clause in cosines.astype(np.float64):
        best = np.maximum(best, standard_scores(clause, clause[in_sample]))
    own = best[np.searchsorted(compared, rows)]
    following = np.where(after == rows, 0.0, best[np.searchsorted(compared, after)])
    return Similarity(rows, own, following, confidence(own))


@lru_cache(maxsize=_SAMPLES_KEPT)
def even_sample(size: int) -> Rows:
    """Return rows spread evenly over the story. The result must not be changed."""
    return np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(np.intp))


# Share of each step that returns to the named entities. Not measured: the sets hold no graph.
_RESTART = 0.5
_STEPS = 4  # what is further away has a sixteenth of the share at most
_MEANT = 1.5  # weight of an entity meant by a relation, against one that is named
_TURN_SHARE = 0.5  # share of an event's score that its turns get


@dataclass(frozen=True, slots=True, eq=False)
class StoryGraph:
    """The graph of entities and items: entities first, then items; edges in both directions.

    From the entities a question names, a random walk with restart (personalised PageRank, as in
    HippoRAG: Gutiérrez et al., NeurIPS 2024) runs over entities, the events and logs that name
    them, and relations. Steps out of a hub are spread thin and a hub starts with little weight: the
    hero, who is in every scene, does not tell scenes apart.
    """

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
        """Return the entities meant by a relation of a named one: “her master”.

        A relation counts if ``tokens``, the question's, hold words of its predicate. The walk
        starts from these entities as well.
        """
        named = set(entities)
        return {
            other
            for entity in named
            for predicate, other in self.relations.get(entity, ())
            if other not in named and not tokens.isdisjoint(query_tokens(predicate))
        }

    def item_scores(self, entities: Mapping[str, str], tokens: Set[str] = frozenset()) -> Scores:
        """Return each item's score for a question about ``entities``: 1 for the best, 0 for none.

        All scores are smaller if only hubs are named.
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
    graph: StoryGraph, view: RecallView, entities: Mapping[str, str], tokens: Set[str] = frozenset()
) -> Scores:
    """Return every row's score: linked items fully, the turns of an event in part."""
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
    for n in np.argsort(worth, kind="stable").tolist():  # of overlapping events the best counts
        of_turns[first[n] : last[n]] = worth[n]
    scores[view.turns] = of_turns
    np.maximum.at(scores, rows, values[linked])
    return scores


class SeenIndex:
    """The parts of an `ItemIndex` that ranking uses, restricted to what an actor knows.

    Otherwise the rarity of words, aliases and relations would reveal, by the scores, memories that
    the actor must not know.
    """

    def __init__(self, index: ItemIndex, view: RecallView, where: ItemFilter) -> None:
        self._index = index
        self._view = view
        self._aliases = index.known_aliases(where)
        self._counts: dict[str, int] = {}  # cache: rows that hold a token

    def size(self) -> int:
        return self._view.size

    def document_frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        new = [token for token in dict.fromkeys(tokens) if token not in self._counts]
        for token, ids in zip(new, self._index.postings(new), strict=True):
            self._counts[token] = int(self._view.rows_of(ids).size)
        return {token: n for token in tokens if (n := self._counts[token])}

    def postings(self, tokens: Sequence[str]) -> list[NDArray[np.int64]]:
        return self._index.postings(tokens)

    def vector(self, query: Vectors, where: ItemFilter, limit: int) -> list[tuple[int, float]]:
        return self._index.vector(query, where, limit)

    def similarities(self, queries: Vectors, ids: NDArray[np.int64]) -> Vectors:
        return self._index.similarities(queries, ids)

    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]:
        return self._index.items(ids)

    def named_days(self) -> list[tuple[int, int]]:
        named = self._index.named_days()
        rows = self._view.row_of_each(np.array([i for i, _day in named], np.int64))
        return [pair for pair, row in zip(named, rows.tolist(), strict=True) if row >= 0]

    def aliases(self) -> dict[str, str]:
        return self._aliases


_CARRIED = 0.6  # weight of a day that an earlier message named
_NEXT_TO = 0.3  # weight of the next day or the one before, like _NEARNESS of dates; not measured


@dataclass(frozen=True, slots=True, eq=False)
class StoryDays:
    """``days`` by row, -1 if unknown; ``own``: whether the row itself names it; ``now``: the last.

    A row's day is the one it names, or else the last one named before it.
    """

    days: Rows
    own: np.ndarray
    now: int | None

    @classmethod
    def of(cls, view: RecallView, named: Sequence[tuple[int, int]]) -> StoryDays:
        """``named``: (id, day) pairs, as `ReadIndex.named_days` returns them."""
        days: Rows = np.full(view.size, -1, dtype=np.intp)
        ids, told = np.array(named, np.int64).reshape(-1, 2).T
        rows = view.row_of_each(ids)
        days[rows[rows >= 0]] = told[rows >= 0]
        is_own = days >= 0
        marked = np.where(days[view.turns] >= 0, np.arange(view.turns.size), -1)
        if marked.size:
            last = np.maximum.accumulate(marked)
            carried = np.where(last >= 0, days[view.turns][np.maximum(last, 0)], -1)
            days[view.turns] = carried
        known_days = days[days >= 0]
        return cls(
            days, is_own, int(days[np.flatnonzero(days >= 0)[-1]]) if known_days.size else None
        )


def asks_for_story_day(question: str) -> bool:
    return bool(story_days(question, is_question=True)) or days_back(question) is not None


def story_day_scores(question: str, story: StoryDays) -> Scores:
    """Return for every row how close it is to a numbered day that ``question`` means."""
    scores = np.zeros(story.days.size)
    asked_days = set(story_days(question, is_question=True))
    back = days_back(question)
    if back is not None and story.now is not None:
        asked_days.add(story.now - back)
    for day in asked_days:
        same = np.where(story.own, 1.0, _CARRIED) * (story.days == day)
        beside = _NEXT_TO * (story.own & (np.abs(story.days - day) == 1))
        scores = np.maximum(scores, np.where(story.days >= 0, np.maximum(same, beside), 0.0))
    return scores


# One chat's visible items as columns, with the look-ups that ranking needs. Read-only. Made once
# for a version of the index and a filter, and cached: at 100,000 items building it costs more
# than a search.

_DAY_MS = 86_400_000  # milliseconds of a day
_EPOCH = date(1970, 1, 1).toordinal()
_LAST_DAY = date.max.toordinal() - _EPOCH


class RecallView:
    """Visible items. Rows are positions in ``layout``; places are positions among the turns."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.size = int(layout.ids.size)
        # a table: looking up 20,000 ids for a question takes 6 ms more by bisection
        self._row_of = np.full(int(layout.ids.max(initial=0)) + 2, -1, dtype=np.intp)
        self._row_of[layout.ids] = np.arange(self.size)
        self.turns: Rows = np.flatnonzero(layout.kinds == ITEM_KINDS.index("turn"))
        self._place = np.full(self.size, -1, dtype=np.intp)
        self._place[self.turns] = np.arange(self.turns.size)

    def rows_of(self, ids: NDArray[np.int64]) -> Rows:
        """Return the rows of those ``ids`` that are visible."""
        rows = self.row_of_each(ids)
        return rows[rows >= 0]

    def places(self, rows: Rows) -> Rows:
        """Return the place of each row; -1 for an item that is no turn."""
        return self._place[rows]

    def row_of_each(self, ids: NDArray[np.int64]) -> Rows:
        """Return the row of each of ``ids``, -1 for an invisible item."""
        return self._row_of[np.minimum(ids, self._row_of.size - 1)]  # the last entry is -1

    def places_of(self, rows: Rows) -> Rows:
        """Return the places of those ``rows`` that are turns."""
        places = self._place[rows]
        return places[places >= 0]

    def distinct(self, *rows: Rows) -> Rows:
        """Return the distinct values of some ``rows``, sorted; faster than sorting them."""
        is_among = np.zeros(self.size, np.bool_)
        for some in rows:
            is_among[some] = True
        return np.flatnonzero(is_among)

    def in_prompt(self, held_from: int | None, rows: Rows) -> NDArray[np.bool_]:
        """Return which rows a prompt holds from floor ``held_from`` on; never entities."""
        if held_from is None:
            return np.zeros(rows.size, np.bool_)
        is_entity = self.layout.kinds[rows] == ITEM_KINDS.index("entity")
        return np.asarray((self.layout.starts[rows] >= held_from) & ~is_entity, np.bool_)

    def following(self, rows: Rows) -> Rows:
        """Return, for each row, the row of the next turn; the row itself if there is none."""
        return self._stepped(rows, 1)

    def preceding(self, rows: Rows) -> Rows:
        """Return, for each row, the row of the turn before; the row itself if there is none."""
        return self._stepped(rows, -1)

    def _stepped(self, rows: Rows, step: int) -> Rows:
        places = self._place[rows]
        moved = places + step
        exists = (places >= 0) & (moved >= 0) & (moved < self.turns.size)
        out = rows.copy()
        out[exists] = self.turns[moved[exists]]
        return out

    @cached_property
    def alternation(self) -> float:
        """Return the share of turns with another speaker than the turn before; 1 if unknown."""
        speakers = self.layout.speakers[self.turns]
        known = (speakers[1:] >= 0) & (speakers[:-1] >= 0)
        return float((speakers[1:] != speakers[:-1])[known].mean()) if known.any() else 1.0

    @cached_property
    def days(self) -> tuple[tuple[date | None, ...], Rows]:
        """Return the days of sending, and for each row the index of its day (None: unknown)."""
        numbers, index = np.unique(self.layout.sent_at // _DAY_MS, return_inverse=True)
        dates = tuple(
            date.fromordinal(_EPOCH + int(n)) if 0 < n <= _LAST_DAY else None for n in numbers
        )
        return dates, index.astype(np.intp)

    @cached_property
    def today(self) -> date | None:
        """Return the day of the last message whose day is known."""
        sent_at = self.layout.sent_at[self.turns]
        dated = np.flatnonzero((sent_at >= _DAY_MS) & (sent_at < (_LAST_DAY + 1) * _DAY_MS))
        return date.fromordinal(_EPOCH + int(sent_at[dated[-1]]) // _DAY_MS) if dated.size else None
