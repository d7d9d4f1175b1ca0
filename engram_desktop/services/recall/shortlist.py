"""The last pass of recall: read a few dozen memories, order them, and say why each is in or out.

What is muted or always visible is weighed with the others, so that its absence can be explained,
and never comes back.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence, Set

import numpy as np

from engram_desktop.domain.recall import ranking
from engram_desktop.domain.recall.lexemes import (
    index_tokens,
    known_tokens,
    matched_words,
    query_tokens,
)
from engram_desktop.domain.recall.query import Candidate, Dropped, MemoryItem, RecallHit
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.legs.fuse import Tally

# Of a deep search: the log of recalls shows 40 candidates (explanation.py), and a prompt quotes the
# rest whole, without asking which of their words matched.
_DEEP_MATCHED = 8  # hits
_DEEP_EXPLAINED = 100  # candidates


@dataclass(frozen=True, slots=True)
class Question:
    """What the hits are told by: the question with its context, how many, and named entities.

    ``is_deep`` as in `RecallQuery`.
    """

    text: str
    top_k: int
    entities: dict[str, str]
    is_deep: bool = False


def choose(
    question: Question,
    items: Sequence[MemoryItem],
    barred: Mapping[int, Dropped],
    tally: Tally,
    before_rerank: ranking.Scores,
) -> tuple[tuple[RecallHit, ...], tuple[Candidate, ...]]:
    """Return the hits and all candidates. ``barred`` positions in ``items`` are never hits.

    Near repetitions give way to what is different, unless the question's words tell them apart; in
    a deep search they stay.
    """
    total = tally.total
    ranked = [int(p) for p in ranking.best(total, total.size)]
    allowed = [p for p in ranked if p not in barred]
    tokens = _TokensOf([items[p] for p in allowed])
    if question.is_deep:
        positions = list(range(min(len(allowed), question.top_k)))
        told_words = _DEEP_MATCHED
    else:
        positions = ranking.distinct_first(
            len(allowed), question.top_k, tokens, matched=tokens.shared_with(question.text)
        )
        told_words = len(positions)
    scores, whys = np.round(total, 3).tolist(), tally.whys()
    hits = tuple(
        RecallHit(
            rank,
            items[allowed[n]],
            scores[allowed[n]],
            whys[allowed[n]],
            _matched(question, items[allowed[n]], tokens(n)) if rank <= told_words else (),
        )
        for rank, n in enumerate(positions, 1)
    )
    rank_of = {allowed[n]: rank for rank, n in enumerate(positions, 1)}
    reached = max(positions, default=-1)  # who stands before it was passed over, not out of reach
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
    """Token sets of ranked items, made when asked for and kept."""

    def __init__(self, items: Sequence[MemoryItem]) -> None:
        self._items = items
        self._tokens: dict[int, frozenset[str]] = {}

    def __call__(self, position: int) -> frozenset[str]:
        if position not in self._tokens:
            self._tokens[position] = frozenset(known_tokens(self._items[position].content))
        return self._tokens[position]

    def shared_with(self, question: str) -> Callable[[int], Set[Hashable]]:
        """Return what says of a position which words of ``question`` it holds, and in what order.

        Without the order "14 + 3" would be "3 + 14".
        """
        words = frozenset(query_tokens(question))
        pairs = frozenset(itertools.pairwise(index_tokens(question)))

        def shared(position: int) -> Set[Hashable]:
            tokens = known_tokens(self._items[position].content)
            return words.intersection(tokens) | pairs.intersection(itertools.pairwise(tokens))

        return shared


def _matched(question: Question, item: MemoryItem, tokens: frozenset[str]) -> tuple[str, ...]:
    words = matched_words(question.text, tokens)
    content = item.content.casefold()
    return tuple(dict.fromkeys([*words, *(a for a in question.entities.values() if a in content)]))


def freshness(starts: np.ndarray, last: int, total: ranking.Scores, share: float) -> ranking.Scores:
    """Return what to add so that the newest gain ``share`` of their score and the oldest lose it.

    Nearness is counted in the story, by floors, never by the calendar.
    """
    place = starts / max(1, last)
    return np.abs(total) * share * (2 * place - 1)
