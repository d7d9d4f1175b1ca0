"""The vector leg: how much an item's meaning resembles a clause of the question.

Similarities become standard scores over the chat, so that one weight fits every embedding model. A
small chat is compared whole. In a large one the nearest items come from the vector index, and an
even sample of the others says what is usual there.
"""

from __future__ import annotations

import numpy as np

from engram_desktop.domain.recall.query import ItemFilter
from engram_desktop.domain.recall.ranking import Rows, Scores, confidence, standard_scores
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.index import ItemIndex, Vectors
from engram_desktop.services.recall.view import View

WHOLE = 4_096  # items up to which everything is compared exactly
_NEAREST = 96  # items a search; 256 gave the same answers in twice the time
_SEARCHES = 2  # clauses that are looked up; all are compared with what comes back
_SAMPLE = 256  # rows: a mean and a deviation are known well enough by so many


@dataclass(frozen=True, slots=True)
class Similarity:
    """Standard scores of some rows, for one question."""

    rows: Rows
    own: Scores  # of the item itself
    following: Scores  # of the turn after it, whose vector holds its text too
    sureness: float


def nearest_rows(
    index: ItemIndex, view: View, where: ItemFilter, queries: Vectors, *, depth: int = 0
) -> Rows:
    """Return candidates: rows near one of the first clauses, and the turns before them.

    A clause brings ``depth`` rows where that is more than usual.
    """
    limit = max(_NEAREST, depth)
    ids = {item for query in queries[:_SEARCHES] for item, _ in index.vector(query, where, limit)}
    rows = view.rows_of(np.fromiter(sorted(ids), dtype=np.int64, count=len(ids)))
    return np.union1d(rows, view.preceding(rows))


def similarity(
    index: ItemIndex, view: View, queries: Vectors, rows: Rows, *, sample: Rows
) -> Similarity:
    """Compare ``rows`` and the turns after them with every clause; the best clause counts.

    ``sample`` are the rows that say what is usual.
    """
    after = view.following(rows)
    compared = np.unique(np.concatenate([rows, after, sample]))
    cosines = index.similarities(queries, view.layout.ids[compared])
    best = np.full(compared.size, -np.inf)
    in_sample = np.searchsorted(compared, sample)
    for clause in cosines.astype(np.float64):
        best = np.maximum(best, standard_scores(clause, clause[in_sample]))
    own = best[np.searchsorted(compared, rows)]
    following = np.where(after == rows, 0.0, best[np.searchsorted(compared, after)])
    return Similarity(rows, own, following, confidence(own))


def even_sample(size: int) -> Rows:
    """Return rows from all over the story."""
    return np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(np.intp))
