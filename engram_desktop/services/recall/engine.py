"""Recall: from a question to ranked memories, each with its reasons. Reads only.

No model is asked except the embedder and, if there is one, the reranker.

Three passes, each over fewer items with more expensive evidence: words, names and dates over the
whole chat; similarity over the candidates (all items of a small chat); wording over the short list,
whose texts are read only then. Items that the asker may not see are left out before the first pass.
Muted and always visible items are ranked with the others, so that their absence can be explained,
but are never returned.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.recall import ranking, relevance
from engram_desktop.domain.recall.lexemes import (
    index_tokens,
    known_tokens,
    matched_words,
    query_characters,
    query_texts,
    query_tokens,
    without_names,
)
from engram_desktop.domain.recall.query import (
    QUOTED,
    Candidate,
    Dropped,
    ItemFilter,
    MemoryItem,
    RecallHit,
    RecallQuery,
    RecallResult,
)
from engram_desktop.domain.recall.ranking import DEEP, DEFAULT, Scores, Weights
from engram_desktop.domain.recall.relevance import (
    QuestionWord,
    asks_for_beginning,
    named_entities,
    named_speakers,
    question_words,
    states,
)
from engram_desktop.domain.text.sentences import is_idle
from engram_desktop.domain.values import dataclass
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.local_embedder import Embedder
from engram_desktop.services.recall.index import ItemIndex, ReadIndex, Vectors
from engram_desktop.services.recall.learned import (
    OWN,
    SHARE,
    SHIPPED,
    Habits,
    LearnedCorrections,
    Tally,
    Training,
    answer_scores,
    copied,
    date_scores,
    long_pages,
    quoting,
    repetition,
    sampled,
    shipped_corrections,
    speaker_scores,
)
from engram_desktop.services.recall.legs import (
    WHOLE,
    RecallView,
    SeenIndex,
    StoryDays,
    StoryGraph,
    WordCounts,
    asks_for_story_day,
    even_sample,
    graph_scores,
    lexical_scores,
    nearest_rows,
    similarity,
    story_day_scores,
)

_EVERY_WORD = 1 - 1e-9  # share of the question's words, by weight
_QUOTING_READ = 2_048  # rows that hold every word, the best ones, whose texts are compared


@dataclass(frozen=True, slots=True)
class Speakers:
    """The speakers of a chat, with ``aliases`` as in `ReadIndex`."""

    names: tuple[str, ...]
    aliases: Mapping[str, str]


def relevance_of(
    question: str,
    index: ReadIndex,
    items: int,
    cast: Speakers,
    candidates: Sequence[Candidate],
    likeness: dict[int, float],
) -> float:
    """Return the log-odds that something in the chat answers ``question``.

    ``candidates`` are sorted best first; ``likeness`` gives standard scores of similarity by item
    id. See `domain.recall.relevance`.
    """
    read = [c for c in candidates if c.dropped != "window"][: relevance.READ]
    if not read or relevance.is_phatic(question) or is_idle(question):
        return -math.inf
    if asks_for_beginning(question):  # every chat has a beginning
        return float("inf")
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    bare = without_names(question, cast.names)
    words = question_words(bare, rjieba.cut, rjieba.suggest_freq)
    names = relevance.names_of(question, rjieba.tag(question), rjieba.has_word)
    speakers = named_speakers(question, cast.names, cast.aliases)
    known_words = _known(index, words, names)
    rarities = [relevance.said_rarity(words, set(known_tokens(c.item.content))) for c in read]
    rarity = sum(word.rarity for word in words)
    unknown = sum(w.rarity * (1 - w.said_in(known_words)) for w in words)
    return relevance.relevance(
        relevance.Evidence(
            joint=relevance.joint_evidence(rarities, [likeness.get(c.item.id, 0.0) for c in read]),
            share=max(rarities) / rarity if rarity else 0.0,
            unknown=unknown / rarity if rarity else 1.0,
            date=candidates[0].why.get("date", 0.0),
            names_speaker=bool(speakers),
            names_unknown=not all(relevance.is_known(name, known_words) for name in names),
            is_idle=relevance.wants_new(question) and not names and not speakers,
            stated=len(query_texts(question, cast.names)) if states(question) else 0,
            # without vectors only words are judged, as in a chat of a few messages
            items=items if any(likeness.values()) else 0,
        )
    )


def _known(index: ReadIndex, words: Sequence[QuestionWord], names: Sequence[str]) -> set[str]:
    """Return the tokens of the question that occur anywhere in the chat."""
    tokens = dict.fromkeys(token for word in words for token in word.tokens | word.characters)
    tokens |= dict.fromkeys(token for name in names for token in query_tokens(name))
    return {token for token, count in index.document_frequency(list(tokens)).items() if count}


def likeness_by_item(ids: Sequence[int], standard: Scores | None) -> dict[int, float]:
    """Return standard scores of similarity by item id; {} if there are none."""
    return {} if standard is None else dict(zip(ids, standard.tolist(), strict=True))


# Of a deep search: the log of recalls shows 40 candidates (`query.TRACES_KEPT`), a prompt quotes
# the other hits whole, whatever words matched.
_DEEP_MATCHED = 8  # hits
_DEEP_EXPLAINED = 100  # candidates


@dataclass(frozen=True, slots=True)
class RankedQuestion:
    """The question that hits are chosen for: with its context, how many, and named entities.

    ``is_deep`` as in `RecallQuery`.
    """

    text: str
    top_k: int
    entities: dict[str, str]
    is_deep: bool = False


def choose(
    question: RankedQuestion,
    items: Sequence[MemoryItem],
    barred: Mapping[int, Dropped],
    tally: Tally,
    before_rerank: ranking.Scores,
) -> tuple[tuple[RecallHit, ...], tuple[Candidate, ...]]:
    """Return the hits and all candidates. ``barred`` positions in ``items`` are never hits.

    Near repetitions are ranked after different items, unless they match different words of the
    question; in a deep search they stay where they are.
    """
    total = tally.total
    ranked = [int(p) for p in ranking.best(total, total.size)]
    allowed = [p for p in ranked if p not in barred]
    tokens = _TokensOf([items[p] for p in allowed])
    if question.is_deep:
        positions = list(range(min(len(allowed), question.top_k)))
        words_on_speaker = _DEEP_MATCHED
    else:
        positions = ranking.distinct_first(
            len(allowed), question.top_k, tokens, matched=tokens.shared_with(question.text)
        )
        words_on_speaker = len(positions)
    scores, whys = np.round(total, 3).tolist(), tally.whys()
    hits = tuple(
        RecallHit(
            rank,
            items[allowed[n]],
            scores[allowed[n]],
            whys[allowed[n]],
            _matched(question, items[allowed[n]]) if rank <= words_on_speaker else (),
        )
        for rank, n in enumerate(positions, 1)
    )
    rank_of = {allowed[n]: rank for rank, n in enumerate(positions, 1)}
    reached = max(positions, default=-1)  # those ranked before it were passed over
    passed = {p for n, p in enumerate(allowed) if n < reached}
    once = {int(p) for p in ranking.best(before_rerank, before_rerank.size)[: question.top_k]}

    def reason(position: int) -> Dropped | None:
        if position in barred:
            return barred[position]
        if position in rank_of:
            return None
        if position in passed:
            return "duplicate"
        return "rerank" if position in once else "below"

    told = ranked
    if question.is_deep:
        told = [p for n, p in enumerate(ranked) if n < _DEEP_EXPLAINED or p in barred]
    places = tally.places(told)
    candidates = tuple(
        Candidate(
            items[p],
            scores[p],
            whys[p],
            places[p],
            rank_of.get(p, 0),
            reason(p),
        )
        for p in told
    )
    return hits, candidates


class _TokensOf:
    """Token sets of ranked items, made on demand and kept."""

    def __init__(self, items: Sequence[MemoryItem]) -> None:
        self._items = items
        self._tokens: dict[int, frozenset[str]] = {}

    def __call__(self, position: int) -> frozenset[str]:
        if position not in self._tokens:
            self._tokens[position] = frozenset(known_tokens(self._items[position].content))
        return self._tokens[position]

    def shared_with(self, question: str) -> Callable[[int], Set[Hashable]]:
        """Return a function from a position to the question's words and word pairs in it.

        Without the pairs "14 + 3" would equal "3 + 14".
        """
        words = frozenset(query_tokens(question))
        pairs = frozenset(itertools.pairwise(index_tokens(question)))

        def shared(position: int) -> Set[Hashable]:
            tokens = known_tokens(self._items[position].content)
            return words.intersection(tokens) | pairs.intersection(itertools.pairwise(tokens))

        return shared


def _matched(question: RankedQuestion, item: MemoryItem) -> tuple[str, ...]:
    words = matched_words(question.text, item.content)
    content = item.content.casefold()
    return tuple(dict.fromkeys([*words, *(a for a in question.entities.values() if a in content)]))


def freshness(starts: np.ndarray, last: int, total: ranking.Scores, share: float) -> ranking.Scores:
    """Return what to add so that the newest gain ``share`` of their score and the oldest lose it.

    Age is counted in floors of the story, never by the calendar.
    """
    place = starts / max(1, last)
    return np.abs(total) * share * (2 * place - 1)


Branches = tuple[tuple[str, int | None], ...]
T = TypeVar("T")


class Reranking(Protocol):
    """What the engine needs of a reranker."""

    def rerank(self, query: str, texts: Sequence[str], ctx: JobContext) -> list[tuple[int, float]]:
        """Return (position in ``texts``, score) for the texts. Raises LlmError, Cancelled."""


_CANDIDATES = 192  # rows that words, names and dates may add in a large chat
# Candidates for each hit of a deep search: as many by words as hits are wanted, and half as many by
# each of two clauses, so that words or vectors alone could fill the list.
_WORDS_A_HIT = 1.0
_NEAREST_A_HIT = 0.5  # two clauses are looked up
_DEEP_RERANKED = 50  # texts of a deep search that a reranker reads, as in a search for ten hits
_SHORT_LIST = 40  # texts read beyond the number asked for
_BARRED_READ = 100  # further texts read, in case all items that may not be returned rank high
_EMBEDDED_KEPT = 128  # texts, about 10 of a question with its turns; 2 KB each
_VIEWS_KEPT = 16  # two askers with two groups of kinds each; every view holds columns of the chat
_CLAUSES_OF_CONTEXT = 2  # clauses of each turn: they count less than the question and cost as much


class Recaller:
    """Searches one chat. Safe from any thread if ``index`` and ``embedder`` are.

    ``branch_path`` returns a branch and its ancestors in the form of `ItemFilter`. With more than
    ``exact_up_to`` items, only candidates are compared by meaning. ``training`` replaces the
    learned weights and receives the features.
    """

    def __init__(
        self,
        index: ItemIndex,
        embedder: Embedder,
        branch_path: Callable[[str], Branches],
        *,
        weights: Weights = DEFAULT,
        reranker: Reranking | None = None,
        exact_up_to: int = WHOLE,
        clock: Callable[[], float] = time.perf_counter,
        training: Training = SHIPPED,
    ) -> None:
        self.embedder = embedder
        self._index = index
        self._branch_path = branch_path
        self._weights = weights
        self._corrections = LearnedCorrections(training.worth or shipped_corrections(), weights)
        self._on_weighed = training.on_weighed
        self._reranker = reranker
        self._exact_up_to = exact_up_to
        self._clock = clock
        # The texts embedded last: several groups of kinds ask the same question, and the turns
        # before it were the context of the last one.
        self._embedded_last: dict[str, Vectors] = {}
        # The messages read last to describe the chat: a new version mostly adds one message.
        self._habits_read: tuple[tuple[int, ...], Habits] | None = None
        self._kept: dict[Hashable, object] = {}
        self._kept_version: int | None = None

    def counts(self, query: RecallQuery) -> WordCounts:
        """Return how common words are in the items the asker of ``query`` may see."""
        where = self._where(query)
        version = self._index.version()
        view = self._cached(version, where, lambda: RecallView(self._index.layout(where)))
        return WordCounts(view.size, self._asked(version, view, where).document_frequency)

    def _where(self, query: RecallQuery) -> ItemFilter:
        return ItemFilter(
            query.kinds,
            self._branch_path(query.branch_id),
            query.at,
            query.actor,
            query.known_as,
            query.confidence,
            query.fulfilled,
            query.groups,
        )

    def recall(
        self,
        ctx: JobContext,
        query: RecallQuery,
        *,
        is_judged: bool = True,
        beside: WordCounts | None = None,
    ) -> RecallResult:
        """Return at most ``query.top_k`` memories, best first. Raises Cancelled.

        Relevance to the question is judged only if ``is_judged``. ``beside`` counts the words of
        other stores that are asked the same question.
        """
        watch = _Watch(self._clock, ctx.check)
        where = self._where(query)
        version = self._index.version()
        view = self._cached(version, where, lambda: RecallView(self._index.layout(where)))
        watch.lap("open")
        degraded: list[str] = []
        hits: tuple[RecallHit, ...] = ()
        candidates: tuple[Candidate, ...] = ()
        relevance = -math.inf
        if query.text.strip() and view.size and query.top_k > 0:
            queries = self._embedded(ctx, query, view, degraded)
            watch.lap("embed")
            index = self._asked(version, view, where)
            question = _question(query, index.aliases())
            habits = self._habits(version, view, where)
            tally = self._cheap_evidence(
                query, version, index, view, where, question, habits, beside
            )
            watch.lap("words")
            tally = self._with_similarity(tally, view, where, query, queries, habits)
            if query.is_deep:
                self._corrections.add_neighbours(view, tally, habits)
            watch.lap("meaning")
            hits, candidates, likeness = self._short_list(
                ctx, query, index, view, tally, question, habits, degraded
            )
            if where.actor is not None:
                hits = tuple(replace(h, item=h.item.as_witnessed()) for h in hits)
                candidates = tuple(replace(c, item=c.item.as_witnessed()) for c in candidates)
            if is_judged:
                size = self._cached(version, ("size", where.actor and where), index.size)
                cast = Speakers(view.layout.names, index.aliases())
                relevance = relevance_of(query.text, index, size, cast, candidates, likeness)
            watch.lap("choose")
        return RecallResult(
            query.text,
            hits,
            watch.total,
            tuple(degraded),
            candidates,
            watch.steps,
            relevance=relevance,
        )

    def _asked(self, version: int, view: RecallView, where: ItemFilter) -> ReadIndex:
        """Return the index as the actor knows it; the curator gets all of it."""
        if where.actor is None:
            return self._index
        return self._cached(version, ("seen", where), lambda: SeenIndex(self._index, view, where))

    def _habits(self, version: int, view: RecallView, where: ItemFilter) -> Habits:
        """Return the habits of the messages the actor may see."""

        def described() -> Habits:
            ids = tuple(view.layout.ids[sampled(view)].tolist())
            if not ids:
                return Habits()
            kept = self._habits_read
            if kept is None or kept[0] != ids:
                kept = ids, Habits.of(view, list(self._index.items(ids).values()))
                self._habits_read = kept
            return replace(kept[1], alternation=view.alternation)

        return self._cached(version, ("habits", where), described)

    def _cached(self, version: int, key: Hashable, make: Callable[[], T]) -> T:
        if version != self._kept_version:
            self._kept, self._kept_version = {}, version
        cache = self._kept
        if key not in cache:
            while len(cache) >= _VIEWS_KEPT:
                cache.pop(next(iter(cache)))
            cache[key] = make()
        return cache[key]  # type: ignore[return-value]  # a key is always made by the same `make`

    def _embedded(
        self, ctx: JobContext, query: RecallQuery, view: RecallView, degraded: list[str]
    ) -> tuple[Vectors, Vectors] | None:
        """Return the vectors of the question and of its context; None if the embedder fails."""
        names = view.layout.names
        question_texts = query_texts(query.text, names)
        context_texts = [
            t for turn in query.context for t in query_texts(turn, names, limit=_CLAUSES_OF_CONTEXT)
        ]
        try:
            rows = self._vectors(ctx, (*question_texts, *context_texts))
        except KnownError:  # words still find much; the result says what was missing
            degraded.append("embedding")
            return None
        return rows[: len(question_texts)], rows[len(question_texts) :]

    def _vectors(self, ctx: JobContext, texts: tuple[str, ...]) -> Vectors:
        kept = self._embedded_last
        missing = list(dict.fromkeys(text for text in texts if text not in kept))
        if missing:
            rows = self.embedder.embed(missing, ctx, query=True)
            kept = {**kept, **dict(zip(missing, rows, strict=True))}
            self._embedded_last = dict(list(kept.items())[-_EMBEDDED_KEPT:])
        return np.stack([kept[text] for text in texts])

    def _cheap_evidence(
        self,
        query: RecallQuery,
        version: int,
        index: ReadIndex,
        view: RecallView,
        where: ItemFilter,
        question: RankedQuestion,
        habits: Habits,
        beside: WordCounts | None,
    ) -> Tally:
        """Return the scores of every item that need neither its text nor its vector."""
        weights = self._weights
        tally = Tally(np.arange(view.size, dtype=np.intp))
        tokens, characters = query_tokens(query.text), query_characters(query.text)
        words = lexical_scores(
            index, view, tokens, characters, nearness=habits.nearness, beside=beside
        )
        tally.add("lexical", weights.lexical, words.scores)
        tally.held, tally.held_of = words.held, view.size
        tally.features |= {OWN: words.own, SHARE: words.own / max(words.asked, 1e-9)}
        context_tokens = [
            t for turn in query.context for t in query_tokens(turn) if t not in tokens
        ]
        if context_tokens:
            told = list(dict.fromkeys(context_tokens))
            scores = lexical_scores(index, view, told, nearness=habits.nearness).scores
            is_told = _told_already(query, view, tally.rows)
            tally.add("context", weights.lexical * weights.context, np.where(is_told, 0.0, scores))
        by_name, by_voice = speaker_scores(query.text, view, index.aliases(), query.actor)
        tally.add("speaker", weights.speaker, by_name)
        tally.add("speaker", weights.voice, by_voice)
        tally.add("date", weights.date, date_scores(query.text, view))
        if asks_for_story_day(query.text):
            named = self._cached(version, ("days", where.actor and where), index.named_days)
            story_days = self._cached(
                version, ("story_days", where), lambda: StoryDays.of(view, named)
            )
            tally.add("date", weights.date, story_day_scores(query.text, story_days))
        if question.entities and weights.graph:
            known_to = None if where.actor is None else where
            graph = self._cached(
                version, ("graph", known_to), lambda: StoryGraph.of(self._index.links(known_to))
            )
            asked = frozenset(tokens)
            is_hop = bool(graph.meant(question.entities, asked))
            weight = weights.hop if is_hop else weights.graph
            tally.add("graph", weight, graph_scores(graph, view, question.entities, asked))
        return tally

    def _with_similarity(
        self,
        tally: Tally,
        view: RecallView,
        where: ItemFilter,
        query: RecallQuery,
        queries: tuple[Vectors, Vectors] | None,
        habits: Habits,
    ) -> Tally:
        if queries is None or not len(queries[0]):
            return tally
        own_vectors, context = queries
        sample = tally.rows
        if view.size > self._exact_up_to:
            sample = even_sample(view.size)
            wanted = query.top_k if query.is_deep else 0
            likely = ranking.best(tally.total, max(_CANDIDATES, int(wanted * _WORDS_A_HIT)))
            depth = int(wanted * _NEAREST_A_HIT)
            nearest = nearest_rows(self._index, view, where, own_vectors, depth=depth)
            if len(context):
                near_context = nearest_rows(self._index, view, where, context, depth=depth)
                nearest = view.distinct(nearest, near_context)
            tally = tally.narrowed(view.distinct(likely, nearest, _may_quote(tally, query)))
        alike = similarity(self._index, view, own_vectors, tally.rows, sample=sample)
        tally.likeness = alike.own
        tally.add("vector", self._weights.vector * alike.sureness, alike.own)
        answered = self._weights.following * habits.alternation
        tally.add("vector", answered * alike.sureness, alike.following)
        if len(context):
            alike = similarity(self._index, view, context, tally.rows, sample=sample)
            weight = self._weights.vector * self._weights.context * alike.sureness
            is_told = _told_already(query, view, tally.rows)
            tally.add("context", weight, np.where(is_told, 0.0, alike.own))
        return tally

    def _short_list(
        self,
        ctx: JobContext,
        query: RecallQuery,
        index: ReadIndex,
        view: RecallView,
        tally: Tally,
        question: RankedQuestion,
        habits: Habits,
        degraded: list[str],
    ) -> tuple[tuple[RecallHit, ...], tuple[Candidate, ...], dict[int, float]]:
        weights = self._weights
        count = query.top_k + _SHORT_LIST + int(view.layout.is_muted.sum())
        count += min(len(query.visible) + len(query.stale), _BARRED_READ)
        likely = tally.best_outside(
            view.in_prompt(query.held_from, tally.rows), count, _BARRED_READ
        )
        tally = tally.narrowed(self._with_quoting(likely, query, view, tally))
        ids = [int(item_id) for item_id in view.layout.ids[tally.rows]]
        by_id = self._index.items(ids)
        present = [n for n, item_id in enumerate(ids) if item_id in by_id]  # not deleted meanwhile
        tally = tally.narrowed(np.array(present, dtype=np.intp))
        items = [by_id[ids[n]] for n in present]
        moment, asking = answer_scores(query.text, items)
        tally.add("moment", weights.moment, moment)
        is_turn = np.array([item.kind == "turn" for item in items])
        telling = habits.telling(view.layout.is_user[tally.rows])
        tally.add("asking", weights.asking, asking * np.where(is_turn, telling, 1.0))
        if weights.lexical:  # it belongs to that leg and is switched off with it
            tally.add("lexical", weights.long, long_pages(items))
        self._corrections.add_texts(query.text, tally, items, habits)
        if query.is_deep:
            self._corrections.add_second_round(query.text, index, view, tally, items, habits)
        if not query.is_deep:
            is_quoted = quoting(query.text, items)
            tally.add(QUOTED, float(np.ptp(tally.total)) + 1.0 if items else 0.0, is_quoted)
        self._on_weighed(tally)
        if query.is_deep:
            tally.scale(DEEP)
            lexical = weights.lexical * DEEP["lexical"] * habits.notes
            tally.add("lexical", -1.0, repetition(tally, lexical))
        if weights.freshness:
            starts, last = view.layout.starts[tally.rows], int(view.layout.starts[-1])
            tally.add("freshness", 1.0, freshness(starts, last, tally.total, weights.freshness))
        before = tally.total
        most = _DEEP_RERANKED if query.is_deep else len(items)
        self._ask_reranker(ctx, query.text, items, tally, most, degraded)
        barred: dict[int, Dropped] = {
            n: "visible" if item.ref in query.visible else "stale"
            for n, item in enumerate(items)
            if item.ref in query.visible or item.ref in query.stale
        }
        barred |= dict.fromkeys(np.flatnonzero(view.layout.is_muted[tally.rows]).tolist(), "muted")
        in_prompt = view.in_prompt(query.held_from, tally.rows)
        barred |= dict.fromkeys(np.flatnonzero(in_prompt).tolist(), "window")
        likeness = likeness_by_item([item.id for item in items], tally.likeness)
        return (*choose(question, items, barred, tally, before), likeness)

    def _with_quoting(
        self, likely: ranking.Rows, query: RecallQuery, view: RecallView, tally: Tally
    ) -> ranking.Rows:
        """Return ``likely``, and the positions of items that hold the question word for word."""
        positions = _may_quote(tally, query)
        if not positions.size:
            return likely
        ids = [int(item_id) for item_id in view.layout.ids[tally.rows[positions]]]
        by_id = self._index.items(ids)
        there = positions[[item_id in by_id for item_id in ids]]
        quoted = there[quoting(query.text, [by_id[i] for i in ids if i in by_id]) > 0]
        return np.concatenate((likely, np.setdiff1d(quoted, likely)))

    def _ask_reranker(
        self,
        ctx: JobContext,
        question: str,
        items: Sequence[MemoryItem],
        tally: Tally,
        most: int,
        degraded: list[str],
    ) -> None:
        """Let the reranker score the ``most`` likely items; it reads whole texts, and is slow."""
        if self._reranker is None or not items:
            return
        asked = ranking.best(tally.total, most)
        try:
            ranked = self._reranker.rerank(question, [items[n].content for n in asked], ctx)
        except KnownError:  # the order without it is good; the result says what was missing
            degraded.append("rerank")
            return
        scores = np.zeros(asked.size)
        for position, score in ranked:
            scores[position] = score
        judged = np.zeros(len(items))
        judged[asked] = ranking.standard_scores(scores, scores)
        tally.add("rerank", self._weights.rerank, judged)


class _Watch:
    """Time of each step in milliseconds; a search may be cancelled between two steps."""

    def __init__(self, clock: Callable[[], float], check: Callable[[], object]) -> None:
        self._clock, self._check = clock, check
        self._began = self._last = clock()
        self.steps: dict[str, float] = {}

    @property
    def total(self) -> float:
        return (self._last - self._began) * 1000

    def lap(self, step: str) -> None:
        now = self._clock()
        self.steps[step] = round((now - self._last) * 1000, 3)
        self._last = now
        self._check()


def _may_quote(tally: Tally, query: RecallQuery) -> ranking.Rows:
    """Return the positions of rows with every word of a question that may be copied text."""
    if query.is_deep or not copied(query.text) or SHARE not in tally.features:
        return np.zeros(0, np.intp)
    rows = np.flatnonzero(tally.features[SHARE] >= _EVERY_WORD)
    return rows[ranking.best(tally.total[rows], _QUOTING_READ)]


def _told_already(query: RecallQuery, view: RecallView, rows: ranking.Rows) -> ranking.Rows:
    """Return 1 for the rows that are the context itself: they would only find themselves."""
    if query.told_from is None:
        return np.zeros(rows.size, dtype=np.intp)
    return (view.layout.starts[rows] >= query.told_from).astype(np.intp)


def _question(query: RecallQuery, aliases: Mapping[str, str]) -> RankedQuestion:
    text = "\n".join((query.text, *query.context))
    return RankedQuestion(text, query.top_k, named_entities(text, aliases), query.is_deep)
