"""One chat's store and one embedder's vectors, as the engine wants to see them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.recall.query import ItemFilter, Layout, MemoryItem, StoryLinks
from engram_desktop.services.recall.index import Vectors
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.index import IndexUnavailable, VectorIndex

# Up to so many items search in memory is quicker than Chroma, and needs no process: see ADR 4.
EXACT_LIMIT = 200_000
OVERFETCH = 4  # asked of Chroma where some of the nearest may not be seen; not measured


def uses_chroma(backend: str, server: str, items: int) -> bool:
    """Whether Chroma is asked, and so is started and filled: where it is large, or a server."""
    if backend == "auto":
        return bool(server) or items > EXACT_LIMIT
    return backend == "chroma"


class ChatIndex:
    """An `ItemIndex`; Chroma answers where the settings and its state allow."""

    def __init__(self, store: ChatStore, model: str, server: str, backend: str) -> None:
        self._store = store
        self._model = model
        self._server = server
        self._backend = backend
        self._aliases: tuple[int, dict[str, str]] | None = None
        self._layouts: dict[ItemFilter, tuple[int, Layout]] = {}

    def version(self) -> int:
        return self._store.items.revision()

    def size(self) -> int:
        return self._store.items.count()

    def layout(self, where: ItemFilter) -> Layout:
        """Return the columns; the two asked last are kept until something changes."""
        version = self.version()
        entry = self._layouts.get(where)
        if entry is None or entry[0] != version:
            entry = (version, self._store.items.layout(where))
            others = [(key, other) for key, other in self._layouts.items() if key != where]
            self._layouts = dict([(where, entry), *others[:1]])
        return entry[1]

    def links(self, where: ItemFilter | None = None) -> StoryLinks:
        return self._store.items.links(where)

    def known_aliases(self, where: ItemFilter) -> dict[str, str]:
        names = self._store.items.known_names(where)
        names |= {norm_name(name) for name in self.layout(where).names}
        return {norm: i for norm, i in self.aliases().items() if norm in names}

    def document_frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        return self._store.items.document_frequency(tokens)

    def postings(self, tokens: Sequence[str]) -> list[NDArray[np.int64]]:
        return self._store.items.postings(tokens)

    def vector(self, query: Vectors, where: ItemFilter, limit: int) -> list[tuple[int, float]]:
        index = self._chroma()
        if index is not None:
            try:
                hidden = self._store.items.size() - self.layout(where).ids.size
                hits = index.query(query, limit * OVERFETCH if hidden else limit)
            except IndexUnavailable:
                pass  # it is starting, behind or broken: exact search answers, the window says so
            else:
                return self._visible(hits, where, limit)
        return self._store.vectors.search(self._model, query, self.layout(where).ids, limit)

    def similarities(self, queries: Vectors, ids: NDArray[np.int64]) -> Vectors:
        return self._store.vectors.similarities(self._model, queries, ids)

    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]:
        return self._store.items.fetch(ids)

    def day_texts(self) -> list[tuple[int, str]]:
        return self._store.items.day_texts()

    def aliases(self) -> dict[str, str]:
        version = self.version()
        if self._aliases is None or self._aliases[0] != version:
            self._aliases = (version, self._store.entities.aliases())
        return self._aliases[1]

    def _chroma(self) -> VectorIndex | None:
        if not uses_chroma(self._backend, self._server, self._store.items.size()):
            return None
        return self._store.index(self._model, self._server)

    def _visible(
        self, hits: list[tuple[int, float]], where: ItemFilter, limit: int
    ) -> list[tuple[int, float]]:
        allowed = set(self.layout(where).ids.tolist())
        return [(i, score) for i, score in hits if i in allowed][:limit]
