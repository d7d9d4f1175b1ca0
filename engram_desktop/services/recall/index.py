"""What recall asks of storage: the index of one chat. Nothing here knows SQL, Chroma or files.

What storage keeps for it
    * ``memory_item``, one row an item. A ``turn`` is one message, content ``name: text``.
    * One FTS5 table with **one column**, filled with ``" ".join(lexemes.index_tokens(content))``::

          CREATE VIRTUAL TABLE memory_lexicon USING fts5(
              tokens, content='', contentless_delete=1, detail=none, tokenize='ascii')

      rowid = memory_item.id. No neighbour column: the engine spreads a match over the turns beside
      it when it ranks, which measured better and costs no space. No positions and no BM25 either:
      which rows hold a token is all that is asked (17 MB for 100,000 messages of 48 characters).
      The search box uses the same table with ``lexemes.match_query``.
    * ``memory_embedding``, **one** BLOB an item (a byte a number and a factor, ADR 32), of
      ``embedding.passage(content, speakers, previous)``, of length 1. For a turn,
      ``previous`` is the content of the turn before it on its line; other kinds have none. When
      a turn is edited or deleted the vector of the next one is out of date too. An item whose
      text is empty has no vector.

Everything is one chat's. Filters are applied here, before anything is ranked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.query import ItemFilter, Layout, MemoryItem, StoryLinks

Vectors = NDArray[np.float32]


class ReadIndex(Protocol):
    """What ranking asks of an index: words, vectors, texts and names."""

    def size(self) -> int:
        """Return how many items there are. Asked once for a version."""

    def document_frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """Count the rows that hold each token (fts5vocab ``row`` table); no key for 0."""

    def postings(self, tokens: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the ids of the rows that hold each token, whatever the filter says."""

    def vector(self, query: Vectors, where: ItemFilter, limit: int) -> list[tuple[int, float]]:
        """Return the visible items nearest to ``query``: (id, cosine), best first."""

    def similarities(self, queries: Vectors, ids: NDArray[np.int64]) -> Vectors:
        """Return cosines, one row for each query; NaN where an item has no vector. Exact."""

    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]: ...

    def day_texts(self) -> list[tuple[int, str]]:
        """Return (id, content) of items that may name a numbered day. Asked once for a version."""

    def aliases(self) -> dict[str, str]:
        """Return every alias, as ``norm_name`` makes it, with its entity's id."""


class ItemIndex(ReadIndex, Protocol):
    """One chat's items, words, vectors and links."""

    def version(self) -> int:
        """Return a number that is another one after every write; the engine caches by it."""

    def layout(self, where: ItemFilter) -> Layout:
        """Return the columns of every visible item. Asked once for a version and a filter."""

    def links(self, where: ItemFilter | None = None) -> StoryLinks:
        """Return the entity graph, of ``where`` what its actor knows. Asked once for a version."""

    def known_aliases(self, where: ItemFilter) -> dict[str, str]:
        """Return the aliases that are said in what the actor of ``where`` knows."""
