"""Ranking by several legs: rank fusion and its weights."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Mapping, Set

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.values import dataclass

# How evidence becomes an order: the numbers of recall, pure and without any text.
#
# Every leg answers in units that say how sure it is, so that they can be added without ranks:
#
# * words found count their inverse document frequency, a log-odds as in BM25 (Robertson and
# Zaragoza,
#   "The Probabilistic Relevance Framework", 2009), each word once, wherever in the neighbourhood it
#   stands (`add_spread`, after positional and passage models: Lv and Zhai, SIGIR 2009);
# * similarities are standard scores over the chat (`standard_scores`), stretched by how far
# the best
#   one stands out (`confidence`): a query that resembles nothing in particular moves nothing.
#
# Rank fusion (Cormack et al., SIGIR 2009) was measured and left: it throws away exactly this
# sureness and lost 5 to 13 points to its best leg. Nothing here is fitted to one data set:
# `weights` are rounded, a tenth more or less of any moves the mean of five sets by less than half
# a point, and when a set was left out of the fit its own figures fell by three points at most.


Scores = NDArray[np.float64]
Rows = NDArray[np.intp]

# What a word in a neighbouring turn counts, against 1 in the turn itself: an answer often stands
# beside the words that were asked for (resources/docs/recall.md).
NEAR = 0.4
REACH = 4  # how many turns away is still a neighbour
_OFTEN = 24  # a word in one of so many turns is looked for in all of them
# Tokens: three times an ordinary message. Of the sets only BEAM's have many that are longer.
LONG = 120.0
# k1 and b of BM25 (Robertson and Zaragoza, 2009), the usual ones.
_K1, _B = 1.2, 0.75
_BLOCK = 64  # rows of which the highest is looked at first: as many blocks as rows in them
_USUAL_PEAK = 4.5  # standard score of the best item for an ordinary question


def inverse_frequency(holders: int, total: int) -> float:
    """Return the log-odds that a row does not hold a word that ``holders`` of ``total`` rows do."""
    if not 0 < holders < total:
        return 0.0
    return max(0.0, math.log((total - holders + 0.5) / (holders + 0.5)))


def add_spread(
    scores: Scores, places: Rows, weight: float, *, near: float = NEAR, reach: int = REACH
) -> None:
    """Add ``weight`` to ``scores`` at ``places``, and ``near`` of it within ``reach`` of them.

    A turn gets it once, however many places are near. Only those turns are touched: a rare word
    costs the same in a chat of any length.
    """
    if places.size * _OFTEN > scores.size:
        _add_spread_everywhere(scores, places, weight, near=near, reach=reach)
        return
    steps = np.array([s for s in range(-reach, reach + 1) if s], dtype=np.intp)
    around = (places[:, np.newaxis] + steps).ravel()
    around = around[(around >= 0) & (around < scores.size)]
    before = scores[places]
    scores[around] = scores[around] + near * weight  # a turn that occurs twice is set twice alike
    scores[places] = before + weight


def _add_spread_everywhere(
    scores: Scores, places: Rows, weight: float, *, near: float, reach: int
) -> None:
    """Do the same by looking at every turn: cheaper where a word is in many of them."""
    here = np.zeros(scores.size + 2 * reach, np.bool_)
    here[places + reach] = True
    around = here[: scores.size].copy()
    for step in range(1, 2 * reach + 1):
        around |= here[step : step + scores.size]
    scores += (near * weight) * around
    scores[places] += (1 - near) * weight


def longness(tokens: float) -> float:
    """Return the logarithm by which a text is longer than `LONG`; 0 for shorter ones."""
    return max(0.0, math.log(tokens / LONG)) if tokens else 0.0


def by_length(tokens: float, usual: float) -> float:
    """Return what a word is worth in a text of ``tokens``: 1 in one of the ``usual`` length.

    As in BM25, for a word that stands there once.
    """
    return (_K1 + 1) / (1 + _K1 * (1 - _B + _B * tokens / max(1.0, usual)))


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
    # within bounds, so that no leg is silenced and none decides alone; the bounds are not measured
    return min(1.5, max(0.5, peak / _USUAL_PEAK))


def best(scores: Scores, count: int) -> Rows:
    """Return the rows of the ``count`` highest scores, best first; ties go to the earlier row."""
    if count >= scores.size:
        return np.argsort(-scores, kind="stable")
    # Most rows of a long chat score alike, and partitioning equal scores is slow: 20 ms of 300,000.
    # The count-th highest block maximum is a lower bound, and few rows are above it.
    step = min(_BLOCK, scores.size // count)
    highest = scores[: scores.size // step * step].reshape(-1, step).max(axis=1)
    least = _nth(highest, count)
    rows = np.flatnonzero(scores > least)
    if rows.size < count:  # what is missing has just this score
        level = np.flatnonzero(scores == least)[: count - rows.size]
        return np.concatenate((rows[np.argsort(-scores[rows], kind="stable")], level))
    rows = rows[scores[rows] >= _nth(scores[rows], count)]  # ties at the edge included
    return rows[np.argsort(-scores[rows], kind="stable")][:count]


def _nth(scores: Scores, count: int) -> float:
    """Return the lowest of the ``count`` highest scores."""
    return float(np.partition(scores, scores.size - count)[scores.size - count])


def distinct_first(
    count: int,
    limit: int,
    tokens: Callable[[int], Set[str]],
    *,
    matched: Callable[[int], Set[Hashable]] = lambda _position: frozenset(),
    alike: float = 0.8,
) -> list[int]:
    """Choose ``limit`` of the ranked positions 0..``count``, passing over near repetitions.

    Two sets of tokens repeat each other from the Jaccard similarity ``alike`` on. Where too few
    distinct ones exist, what was passed over follows in its order. ``tokens`` is asked for each
    position at most once. ``matched`` is what of the question a position holds: one that holds
    something the other does not is no repetition of it. In a list, of dice or of prices, a number
    is all that tells two lines apart.
    """
    picks: dict[int, tuple[Set[str], Set[Hashable]]] = {}
    passed: list[int] = []
    for position in range(count):
        if len(picks) >= limit:
            break
        words = tokens(position)
        matches = matched(position)
        if any(_alike(words, o, alike) and matches <= already for o, already in picks.values()):
            passed.append(position)
        else:
            picks[position] = (words, matches)
    return [*picks, *passed[: limit - len(picks)]]


def _alike(left: Set[str], right: Set[str], threshold: float) -> bool:
    here, there = len(left), len(right)
    if not here or not there or here < threshold * there or there < threshold * here:
        return False  # they cannot share enough
    shared = len(left & right)
    return shared >= threshold * (here + there - shared)


# What each evidence of recall is worth, in the units of `ranking`, but without its numpy.
#
# `Weights` are set by hand. A linear model adds what was learned from questions with known
# evidence: benchmarks/train_fusion.py writes the weights of its features, ADR 48 says how they
# were judged.


@dataclass(frozen=True, slots=True)
class Weights:
    """What one unit of each evidence is worth. One set for every chat and language.

    Rounded values of a fit over five sets of questions; `ranking` says how little they matter, and
    resources/docs/recall.md how to measure them again.
    """

    lexical: float = 0.37  # a unit of inverse document frequency
    vector: float = 1.0  # a standard deviation of similarity
    following: float = 0.36  # the same, of the turn that comes next (and quotes this one)
    speaker: float = 2.5  # spoken by the one the question names
    voice: float = 2.5  # spoken by "me" or "you" as the question says
    date: float = 5.0  # sent on the day the question names
    moment: float = 1.3  # names a time, where the question asks for one
    asking: float = -3.0  # is itself a question, through and through
    long: float = -1.5  # longer than 120 tokens, as a logarithm: a page holds many words by chance
    learned: float = 1.0  # the learned corrections, times this (see FEATURES)
    graph: float = 0.8  # linked to the entities the question names
    hop: float = 2.0  # the same, where the question means somebody by a relation it names
    context: float = 0.6  # what the conversation around the question says, against the question
    rerank: float = 3.0  # a standard deviation of a reranker's score, where one is asked
    freshness: float = 0.0  # of the score, more for the newest and less for the oldest


DEFAULT = Weights()
# Factors on legs when a prompt is filled (`RecallQuery.is_deep`); a list of ten uses 1 (ADR 49).
# A prompt has room for weaker word matches, and quotes a question together with its answer.
DEEP = {"lexical": 1.3, "moment": 0.5, "asking": 0.5}


# Learned features of messages, each with the leg its share is told as, so that `why` adds up to the
# score. `conversation` and `notes` are from 0 to 1: services/recall/learned.py. "Deep": only
# where a prompt is filled. Those bring together what belongs together: among ten hits fewer then
# find anything (ZH-4O .897 and .862 with `around`, LoCoMo .836 and .825 with `second`), among the
# messages that fill 1,000 tokens more do.
FEATURES: Mapping[str, str] = {
    "around": "",  # deep: conversation x score of the best message within 4, told as its legs
    "second": "lexical",  # deep: conversation x words of the first hits, 1 for all of them
    "number": "moment",  # 1 where a number is asked for and the message holds one
    "notes_words": "lexical",  # notes x idf of the question's words in it, by length as in BM25
    "notes_share": "lexical",  # notes x share of the question's idf that it holds
    "notes_second": "lexical",  # deep: notes x words of the first hits
}


def read_corrections(text: str) -> dict[str, float]:
    """Return each feature's weight from the JSON that training wrote. Raises KeyError."""
    features = json.loads(text)["features"]
    return {name: float(features[name]["weight"]) for name in FEATURES}
