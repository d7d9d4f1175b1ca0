"""The lexical leg: which of the question's words stand in or near an item.

Each word counts once for an item, as much as it is rare in this chat, whole if the item itself
holds it and in part if a turn close by does: who asks "what did Mary cook" and who answers
"dumplings" say it in two messages. Word counts and lengths are left out: on chats they gave
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engram_desktop.domain.ranking import Scores, inverse_frequency, spread
from engram_desktop.services.recall.index import ItemIndex
from engram_desktop.services.recall.view import View

# Rows read for one question. The rarest words go first, so what a long message loses at 100,000
# items are its commonest words.
_ROWS_READ = 40_000
_TOKENS_READ = 96


def lexical_scores(index: ItemIndex, view: View, tokens: Sequence[str]) -> Scores:
    """Return every row's sum of inverse document frequencies."""
    scores = np.zeros(view.size)
    frequency = index.document_frequency(tokens)
    rarest = sorted((t for t in tokens if frequency.get(t)), key=lambda t: frequency[t])
    left = _ROWS_READ
    for token in rarest[:_TOKENS_READ]:
        left -= frequency[token]
        if left < 0 and scores.any():
            break
        rows = view.rows_of(index.postings(token))
        weight = inverse_frequency(rows.size, view.size)
        if not weight:
            continue
        share = np.zeros(view.size)
        share[rows] = 1.0
        share[view.turns] = spread(view.places_of(rows), view.turns.size)
        scores += weight * share
    return scores
