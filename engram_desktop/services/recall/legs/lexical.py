"""The lexical leg: which of the question's words stand in or near an item.

Each word counts once for an item, as much as it is rare in this chat, whole if the item itself
holds it and in part if a turn close by does: who asks "what did Mary cook" and who answers
"dumplings" say it in two messages. Word counts and lengths are left out: on chats they gave
nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from engram_desktop.domain.recall.ranking import NEAR, Rows, Scores, add_spread, inverse_frequency
from engram_desktop.domain.values import dataclass
from engram_desktop.services.recall.index import ReadIndex
from engram_desktop.services.recall.view import View

# Rows read for one question. The rarest words go first, so what a long message loses at 100,000
# items are its commonest words.
_ROWS_READ = 20_000
# Of a question: bounds those of whole messages; rarer ones first, so little is lost.
_TOKENS_READ = 96
# What all single characters together may weigh, in words. A long message has many that are in no
# known pair; uncapped they cost MemDaily five points, while short questions gain as many.
_CHARACTERS_WEIGH = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Sums of inverse document frequencies by row: with the neighbours' part, and its ``own``.

    ``asked`` is that of all words of the question that the chat knows; ``held`` each of them with
    the rows that hold it.
    """

    scores: Scores
    own: Scores
    asked: float
    held: tuple[tuple[float, Rows], ...]


def lexical_scores(
    index: ReadIndex,
    view: View,
    tokens: Sequence[str],
    characters: Sequence[str] = (),
    *,
    nearness: float = 1.0,
) -> Words:
    """Return what every row holds of ``tokens``.

    Those of ``characters`` that are in no token this chat knows are looked for by themselves.
    ``nearness``: what neighbours are worth here, against the usual (`Habits`).
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
    for token, ids in zip(read, index.postings(read), strict=True):
        rows = view.rows_of(ids)
        weight = weights[token] * inverse_frequency(rows.size, view.size)
        if weight:
            add_spread(turns, view.places_of(rows), weight, near=NEAR * nearness)
            own[rows] += weight
            asked += weight
            held.append((weight, rows))
    scores = own.copy()
    scores[view.turns] = turns
    return Words(scores, own, asked, tuple(held))
