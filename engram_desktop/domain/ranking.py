"""How evidence becomes an order: the numbers of recall, pure and without any text.

Every leg answers in units that say how sure it is, so that they can be added without ranks:

* words found count their inverse document frequency, a log-odds as in BM25 (Robertson and Zaragoza,
  "The Probabilistic Relevance Framework", 2009), each word once, wherever in the neighbourhood it
  stands (`spread`, after positional and passage models: Lv and Zhai, SIGIR 2009);
* similarities are standard scores over the chat (`standard_scores`), stretched by how far the best
  one stands out (`confidence`): a query that resembles nothing in particular moves nothing.

Rank fusion (Cormack et al., SIGIR 2009) was measured and left: it throws away exactly this sureness
and lost 5 to 13 points to its best leg (ADR on recall). Nothing here is fitted to one data set:
`Weights` are rounded and hold within a point when any one of four sets is left out of the fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Rows = NDArray[np.intp]

NEAR = 0.4  # what a word in a neighbouring turn counts, against 1 in the turn itself
REACH = 4  # how many turns away is still a neighbour
_USUAL_PEAK = 4.5  # standard score of the best item for an ordinary question


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each evidence is worth. One set for every chat and language."""

    lexical: float = 0.37  # a unit of inverse document frequency
    vector: float = 1.1  # a standard deviation of similarity
    following: float = 0.28  # the same, of the turn that comes next (and quotes this one)
    speaker: float = 2.5  # spoken by the one the question names
    voice: float = 2.5  # spoken by "me" or "you" as the question says
    date: float = 4.5  # sent on the day the question names
    moment: float = 1.3  # names a time, where the question asks for one
    asking: float = -3.0  # is itself a question, through and through
    graph: float = 0.8  # linked to the entities the question names


DEFAULT = Weights()


def inverse_frequency(found: int, total: int) -> float:
    """Return the log-odds that a row does not hold a word found in ``found`` of ``total`` rows."""
    if not 0 < found < total:
        return 0.0
    return max(0.0, math.log((total - found + 0.5) / (found + 0.5)))


def spread(places: Rows, size: int, *, near: float = NEAR, reach: int = REACH) -> Scores:
    """Return, for each of ``size`` turns: 1 at ``places``, ``near`` within ``reach``, else 0."""
    out = np.zeros(size)
    for step in range(1, reach + 1):
        left, right = places - step, places + step
        out[left[left >= 0]] = near
        out[right[right < size]] = near
    out[places] = 1.0
    return out


def standard_scores(values: Scores, sample: Scores) -> Scores:
    """Return how many deviations of ``sample`` each value lies above its mean; 0 for NaN."""
    known = sample[~np.isnan(sample)]
    deviation = float(known.std()) if known.size else 0.0
    if deviation < 1e-9:
        return np.zeros_like(values)
    standard: Scores = np.nan_to_num((values - known.mean()) / deviation)
    return standard


def confidence(standard: Scores) -> float:
    """Return how clearly the best stands out, as a factor around 1."""
    peak = float(standard.max()) if standard.size else 0.0
    return min(1.5, max(0.5, peak / _USUAL_PEAK))


def best(scores: Scores, count: int) -> Rows:
    """Return the rows of the ``count`` highest scores, best first; ties go to the earlier row."""
    if count >= scores.size:
        return np.argsort(-scores, kind="stable")
    # everything that could be among them, ties at the edge included, then in a total order
    edge = np.partition(scores, scores.size - count)[scores.size - count]
    rows = np.flatnonzero(scores >= edge)
    return rows[np.argsort(-scores[rows], kind="stable")][:count]


def distinct_first(ranked: Sequence[Set[str]], count: int, *, alike: float = 0.8) -> list[int]:
    """Return positions of ``ranked`` with near repetitions of a chosen one moved behind.

    Two sets of tokens are alike from this Jaccard similarity on. The first ``count`` positions are
    distinct if so many exist; what was moved follows in its old order.
    """
    chosen: list[int] = []
    for position, tokens in enumerate(ranked):
        if len(chosen) == count:
            break
        if not any(_alike(tokens, ranked[other], alike) for other in chosen):
            chosen.append(position)
    taken = set(chosen)
    return chosen + [p for p in range(len(ranked)) if p not in taken]


def _alike(left: Set[str], right: Set[str], threshold: float) -> bool:
    return bool(left) and len(left & right) >= threshold * len(left | right)
