"""A second round: messages that share the telling words of the first hits.

Pseudo-relevance feedback after RM3 (Lavrenko and Croft, SIGIR 2001; Abdul-Jaleel et al., TREC
2004): a few words of the first hits, each worth what it is rare and what its hits are worth. It
leads from "who works in Canton" to a name, and from the name to what else is said of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engram_desktop.domain.recall.lexemes import STOP_TOKENS, known_tokens
from engram_desktop.domain.recall.ranking import Rows, Scores, inverse_frequency
from engram_desktop.services.recall.index import ReadIndex
from engram_desktop.services.recall.view import View

FIRST = 3  # hits whose words are taken; 8 found no more and cost more
_WORDS = 15  # taken in all
_WORDS_A_TEXT = 120  # looked up: those at the beginning of a page
_FALL = 1.5  # a hit whose score is so much lower than the best one's counts a third (1/e)


def second_round(
    index: ReadIndex,
    view: View,
    asked: Sequence[str],
    first: Sequence[tuple[int, str, float]],
    rows: Rows,
) -> Scores:
    """Return for each of ``rows`` its share of the words of the first hits, from 0 to 1.

    ``first`` are (row, text, score), best first. Words of ``asked`` count nothing here, nor does
    what a hit itself brings, nor a word that only one item holds.
    """
    found = [_telling(text, frozenset(asked)) for _row, text, _score in first]
    frequency = index.document_frequency(list(dict.fromkeys(t for words in found for t in words)))
    brought: dict[str, list[tuple[int, float]]] = {}
    for (row, _text, score), words in zip(first, found, strict=True):
        weight = math.exp((score - first[0][2]) / _FALL) / math.sqrt(max(1, len(words)))
        for token in words:
            if frequency.get(token, 0) > 1:
                rarity = inverse_frequency(frequency[token], view.size)
                brought.setdefault(token, []).append((row, weight * rarity))
    worth = {token: sum(w for _row, w in by) for token, by in brought.items()}
    taken = sorted(worth, key=lambda token: -worth[token])[:_WORDS]
    total = sum(worth[token] for token in taken)
    scores = np.zeros(view.size)
    if not total:
        return scores[rows]
    total *= _WORDS / len(taken)  # of few words none tells much: short lines share them by chance
    for token, ids in zip(taken, index.postings(taken), strict=True):
        scores[view.rows_of(ids)] += worth[token] / total
        for row, own in brought[token]:
            scores[row] -= own / total
    return scores[rows]


def _telling(text: str, asked: frozenset[str]) -> list[str]:
    """Return words, pairs and numbers of ``text``, once each, without those of the question."""
    tokens = dict.fromkeys(
        token
        for token in known_tokens(text)
        if token not in asked and token not in STOP_TOKENS and (len(token) > 1 or token.isdigit())
    )
    return list(tokens)[:_WORDS_A_TEXT]
