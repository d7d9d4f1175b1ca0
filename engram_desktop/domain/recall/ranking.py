"""Ranking by several legs, whose evidence is added, and the weights of each evidence.

Every leg answers in units of certainty, so that they can be added without ranks. Words count their
inverse document frequency, a log-odds as in BM25 (Robertson and Zaragoza, "The Probabilistic
Relevance Framework", 2009), each word once, wherever it is in the neighbourhood (`add_spread`,
after positional and passage models: Lv and Zhai, SIGIR 2009). Similarities are standard scores over
the chat (`standard_scores`), scaled by how far the best one stands out (`confidence`): a query that
resembles nothing in particular changes nothing.

Rank fusion (Cormack et al., SIGIR 2009) was measured and rejected: it discards this certainty and
lost 5 to 13 points to its best leg. Nothing here is fitted to one data set: the weights are
rounded, a tenth more or less of any changes the mean of five sets by less than half a point, and
leaving a set out of the fit cost its own figures three points at most.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Mapping, Set

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.values import dataclass

Scores = NDArray[np.float64]
Rows = NDArray[np.intp]

# Weight of a word in a neighbouring turn, against 1 in the turn itself: an answer is often next to
# the words of the question (resources/docs/recall.md).
NEAR = 0.4
REACH = 4  # largest distance of a neighbouring turn
_OFTEN = 24  # a word in more than 1 of 24 turns is processed over all turns
# Tokens: three times an ordinary message. Only the BEAM sets have many longer ones.
LONG = 120.0
# k1 and b of BM25 (Robertson and Zaragoza, 2009), usual values.
_K1, _B = 1.2, 0.75
_ALIKE = 0.8  # Jaccard similarity from which two texts repeat each other; chosen by hand
_BLOCK = 64  # rows whose maximum is tested first: about as many blocks as rows in one
_USUAL_PEAK = 4.5  # standard score of the best item for an ordinary question


def inverse_frequency(holders: int, total: int) -> float:
    """Return the log-odds that a row lacks a word of which ``holders`` of ``total`` have it."""
    if not 0 < holders < total:
        return 0.0
    return max(0.0, math.log((total - holders + 0.5) / (holders + 0.5)))


def add_spread(scores: Scores, places: Rows, weight: float, *, near: float = NEAR) -> None:
    """Add ``weight`` to ``scores`` at ``places``, and ``near`` of it within `REACH` of them.

    A turn gets it once, however many places are near. Only those turns are changed: a rare word
    costs the same in a chat of any length.
    """
    if places.size * _OFTEN > scores.size:
        _add_spread_everywhere(scores, places, weight, near=near)
        return
    steps = np.array([s for s in range(-REACH, REACH + 1) if s], dtype=np.intp)
    around = (places[:, np.newaxis] + steps).ravel()
    around = around[(around >= 0) & (around < scores.size)]
    before = scores[places]
    scores[around] = scores[around] + near * weight  # a repeated turn is set to the same value
    scores[places] = before + weight


def _add_spread_everywhere(scores: Scores, places: Rows, weight: float, *, near: float) -> None:
    """Do the same over all turns: cheaper if a word is in many of them."""
    here = np.zeros(scores.size + 2 * REACH, np.bool_)
    here[places + REACH] = True
    around = here[: scores.size].copy()
    for step in range(1, 2 * REACH + 1):
        around |= here[step : step + scores.size]
    scores += (near * weight) * around
    scores[places] += (1 - near) * weight


def longness(tokens: float) -> float:
    """Return the logarithm of a text's length divided by `LONG`; 0 for shorter ones."""
    return max(0.0, math.log(tokens / LONG)) if tokens else 0.0


def by_length(tokens: float, usual: float) -> float:
    """Return the weight of a word in a text of ``tokens``: 1 at the ``usual`` length.

    As in BM25, for a word that occurs once.
    """
    return (_K1 + 1) / (1 + _K1 * (1 - _B + _B * tokens / max(1.0, usual)))


def standard_scores(values: Scores, sample: Scores) -> Scores:
    """Return how many deviations of ``sample`` each value is above its mean; 0 for NaN."""
    known = sample[~np.isnan(sample)]
    deviation = float(known.std()) if known.size else 0.0
    if deviation < 1e-9:
        return np.zeros_like(values)
    standard: Scores = np.nan_to_num((values - known.mean()) / deviation)
    return standard


def confidence(standard: Scores) -> float:
    """Return how clearly the best one stands out, as a factor around 1."""
    peak = float(standard.max()) if standard.size else 0.0
    # limited, so that no leg is silenced and none decides alone; the limits are not measured
    return min(1.5, max(0.5, peak / _USUAL_PEAK))


def best(scores: Scores, count: int) -> Rows:
    """Return the rows of the ``count`` highest scores, best first; ties go to the earlier row."""
    if count >= scores.size:
        return np.argsort(-scores, kind="stable")
    # Most rows of a long chat have equal scores, and partitioning equal scores is slow: 20 ms for
    # 300,000. The count-th highest block maximum is a lower bound, and few rows are above it.
    step = min(_BLOCK, scores.size // count)
    highest = scores[: scores.size // step * step].reshape(-1, step).max(axis=1)
    least = _nth(highest, count)
    rows = np.flatnonzero(scores > least)
    if rows.size < count:  # the missing ones have exactly this score
        level = np.flatnonzero(scores == least)[: count - rows.size]
        return np.concatenate((rows[np.argsort(-scores[rows], kind="stable")], level))
    rows = rows[scores[rows] >= _nth(scores[rows], count)]  # including ties at the edge
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
) -> list[int]:
    """Choose ``limit`` of the ranked positions 0..``count``, skipping near repetitions.

    Two sets of tokens repeat each other from the Jaccard similarity `_ALIKE` on. If there are too
    few distinct ones, the skipped ones follow in order. ``tokens`` is called once at most for each
    position. ``matched`` is the part of the question that a position has: one with a part the other
    lacks is not a repetition. In lists, of dice or of prices, a number may be the only difference
    of two lines.
    """
    picks: dict[int, tuple[Set[str], Set[Hashable]]] = {}
    passed: list[int] = []
    for position in range(count):
        if len(picks) >= limit:
            break
        words = tokens(position)
        matches = matched(position)
        if any(_alike(words, o) and matches <= already for o, already in picks.values()):
            passed.append(position)
        else:
            picks[position] = (words, matches)
    return [*picks, *passed[: limit - len(picks)]]


def _alike(left: Set[str], right: Set[str]) -> bool:
    here, there = len(left), len(right)
    if not here or not there or here < _ALIKE * there or there < _ALIKE * here:
        return False  # too few to share enough
    shared = len(left & right)
    return shared >= _ALIKE * (here + there - shared)


# The weights of each evidence of recall, in the units above but without numpy. `Weights` are set by
# hand. A linear model adds what was learned from questions with known evidence:
# benchmarks/train_fusion.py writes the weights of its features, ADR 48 describes how they were
# judged.


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of one unit of each evidence. One set for all chats and languages.

    Rounded values of a fit over five sets of questions; resources/docs/recall.md describes how to
    measure them again.
    """

    lexical: float = 0.37  # a unit of inverse document frequency
    vector: float = 1.0  # a standard deviation of similarity
    following: float = 0.36  # the same, for the next turn (which is embedded with this one)
    speaker: float = 2.5  # spoken by the person the question names
    voice: float = 2.5  # spoken by "me" or "you" as the question asks
    date: float = 5.0  # sent on the day the question names
    moment: float = 1.3  # has a time, if the question asks for one
    asking: float = -3.0  # is entirely a question
    long: float = -1.5  # per logarithm above 120 tokens: a page has many words by chance
    learned: float = 1.0  # factor of the learned corrections (see FEATURES)
    graph: float = 0.8  # linked to the entities the question names
    hop: float = 2.0  # the same, if the question means somebody by a relation
    context: float = 0.6  # factor of the conversation around the question, against the question
    rerank: float = 3.0  # a standard deviation of a reranker's score, if there is one
    freshness: float = 0.0  # share of the score, more for the newest and less for the oldest


DEFAULT = Weights()
# Factors of legs when a prompt is filled (`RecallQuery.is_deep`); a list of ten uses 1 (ADR 49). A
# prompt has room for weaker word matches, and quotes a question together with its answer.
DEEP = {"lexical": 1.3, "moment": 0.5, "asking": 0.5}


# Learned features of messages, each with the leg its share is shown under, so that `why` sums up to
# the score. `conversation` and `notes` are from 0 to 1: services/recall/learned.py. "Deep": only
# when a prompt is filled. Those gather related messages: this finds less among ten hits (ZH-4O .897
# and .862 with `around`, LoCoMo .836 and .825 with `second`), but more among the messages that fill
# 1,000 tokens.
FEATURES: Mapping[str, str] = {
    "around": "",  # deep: conversation x score of the best message within 4, shown as its legs
    "second": "lexical",  # deep: conversation x words of the first hits, 1 for all of them
    "number": "moment",  # 1 if a number is asked for and the message has one
    "notes_words": "lexical",  # notes x idf of the question's words in it, by length as in BM25
    "notes_share": "lexical",  # notes x share of the question's idf in it
    "notes_second": "lexical",  # deep: notes x words of the first hits
}


def read_corrections(text: str) -> dict[str, float]:
    """Return each feature's weight from the JSON written by the training. Raises KeyError."""
    features = json.loads(text)["features"]
    return {name: float(features[name]["weight"]) for name in FEATURES}
