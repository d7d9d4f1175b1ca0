"""One chat's index as an actor has it: what it may not know does not even count.

How rare a word is, who is called what and who is related to whom would otherwise tell, by a score,
of memories that are themselves left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.query import ItemFilter, MemoryItem
from engram_desktop.services.recall.index import ItemIndex, Vectors
from engram_desktop.services.recall.view import View


class SeenIndex:
    """The parts of an `ItemIndex` that ranking asks, for the actor of ``where``."""

    def __init__(self, index: ItemIndex, view: View, where: ItemFilter) -> None:
        self._index = index
        self._view = view
        self._where = where
        self._aliases = index.known_aliases(where)
        self._counts: dict[str, int] = {}  # rows that hold a token, of those asked for already

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

    def day_texts(self) -> list[tuple[int, str]]:
        seen = set(self._view.layout.ids.tolist())
        return [(i, text) for i, text in self._index.day_texts() if i in seen]

    def aliases(self) -> dict[str, str]:
        return self._aliases
