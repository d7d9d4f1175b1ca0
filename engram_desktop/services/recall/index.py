"""The index of a chat for recall: what it holds, its vectors, and changing the embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.recall.lexemes import passage
from engram_desktop.domain.recall.query import ItemFilter, Layout, MemoryItem, StoryLinks
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.local_embedder import Embedder
from engram_desktop.services.library.session import Clients
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.index import IndexUnavailable, VectorIndex

Vectors = NDArray[np.float32]


class ReadIndex(Protocol):
    """What ranking needs of an index: words, vectors, texts and names."""

    def size(self) -> int:
        """Return the number of items. Called once a version."""

    def document_frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """Return how many rows hold each token (fts5vocab ``row`` table); no key for 0."""

    def postings(self, tokens: Sequence[str]) -> list[NDArray[np.int64]]:
        """Return the ids of the rows that hold each token, without any filter."""

    def vector(self, query: Vectors, where: ItemFilter, limit: int) -> list[tuple[int, float]]:
        """Return the visible items nearest to ``query``: (id, cosine), best first."""

    def similarities(self, queries: Vectors, ids: NDArray[np.int64]) -> Vectors:
        """Return exact cosines, one row for each query; NaN if an item has no vector."""

    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]: ...

    def named_days(self) -> list[tuple[int, int]]:
        """Return (id, day) of the items that name a numbered day. Called once a version."""

    def aliases(self) -> dict[str, str]:
        """Return entity ids by normalised alias (``norm_name``)."""


class ItemIndex(ReadIndex, Protocol):
    """One chat's items, words, vectors and links. No SQL, Chroma or files appear here.

    Storage keeps one row an item in ``memory_item``; a ``turn`` is one message with the content
    ``name: text``. One FTS5 table has a single column with ``lexemes.index_tokens(content)`` and
    the item's id as its rowid. It has no column for neighbours, since the engine spreads a match
    over neighbouring turns, which measured better; and neither positions nor BM25, since only the
    rows with a token are needed (17 MB for 100,000 messages of 48 characters). The search box uses
    the same table.

    ``memory_embedding`` holds one BLOB an item (a byte a number and a factor, ADR 32) of
    ``embedding.passage(content, speakers, previous)``, of length 1. For a turn ``previous`` is the
    content of the turn before it on its line, so that its vector is outdated when that turn
    changes; other kinds have none. An item without text has no vector. Filters are applied before
    anything is ranked.
    """

    def version(self) -> int:
        """Return a number that changes with every write; the engine caches by it."""

    def layout(self, where: ItemFilter) -> Layout:
        """Return the columns of every visible item. Called once a version and filter."""

    def links(self, where: ItemFilter | None = None) -> StoryLinks:
        """Return the entity graph, or what the actor of ``where`` knows of it.

        Called once a version.
        """

    def known_aliases(self, where: ItemFilter) -> dict[str, str]:
        """Return the aliases that occur in what the actor of ``where`` knows."""


# Items up to which exact search in memory is faster than Chroma and needs no process: ADR 4.
EXACT_LIMIT = 200_000
OVERFETCH = 4  # factor of items asked of Chroma where some may be invisible; not measured


def uses_chroma(backend: str, server: str, items: int) -> bool:
    """Return whether Chroma is used: for a large chat, with a server, or if the settings say so."""
    if backend == "auto":
        return bool(server) or items > EXACT_LIMIT
    return backend == "chroma"


class ChatIndex:
    """The `ItemIndex` of a chat store and a model; uses Chroma if settings and state allow it."""

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
        """Return the columns; those of the last two filters are kept until the chat changes."""
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
                pass  # Chroma is starting, behind or broken: search exactly; the window shows it
            else:
                return self._visible(hits, where, limit)
        return self._store.vectors.search(self._model, query, self.layout(where).ids, limit)

    def similarities(self, queries: Vectors, ids: NDArray[np.int64]) -> Vectors:
        return self._store.vectors.similarities(self._model, queries, ids)

    def items(self, ids: Sequence[int]) -> dict[int, MemoryItem]:
        return self._store.items.fetch(ids)

    def named_days(self) -> list[tuple[int, int]]:
        return self._store.items.named_days()

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


def answering(store: ChatStore, clients: Clients) -> Embedder:
    """Return the embedder with most vectors in the chat: the configured one, or a former one.

    A former one that cannot be opened is ignored; then words answer until the new vectors exist.
    """
    chosen = clients.embedder()
    others = [model for model in store.vectors.models() if model != chosen.model_id]
    best, most = chosen, store.vectors.count(chosen.model_id) if others else 0
    for model in others:
        count = store.vectors.count(model)
        if count > most and (older := clients.older_embedder(model)) is not None:
            best, most = older, count
    return best


def is_changing(store: ChatStore, model: str) -> bool:
    """Return whether vectors of ``model`` are replacing those of another model.

    A change is under way as long as there are vectors of another model; they are deleted in the
    transaction that ends it.
    """
    return any(other != model for other in store.vectors.models())


def switch_if_complete(store: ChatStore, ctx: JobContext, model: str) -> bool:
    """End a change to ``model`` if every memory has its vector; returns whether it ended."""

    def unit() -> bool:
        with store.database.writing():
            if store.vectors.pending_count(model):
                return False
            store.vectors.retire_others(model)
            return True

    return is_changing(store, model) and ctx.write(unit)


BATCH = 256  # items embedded at once: what a cancel or a kill may lose
BULK = 1_000  # new items from which the lexical index is worth optimising


def embed_pending(store: ChatStore, ctx: JobContext, embedder: Embedder) -> int:
    """Embed every item without a vector; returns how many. Raises LlmError, Cancelled.

    Cancelling keeps the stored batches. If this completes a change of the model, the old vectors
    are deleted.
    """
    waiting = store.vectors.waiting(embedder.model_id)
    total, count = len(waiting), 0
    speakers = store.messages.voices()
    for start in range(0, total, BATCH):
        ctx.report(start, total, "embed")
        items = store.items.fetch(waiting[start : start + BATCH])
        count += embed_items(store, ctx, embedder, list(items.values()), speakers)
    ctx.report(total, total, "embed")
    if count >= BULK:
        _tidy(store, ctx)
    switch_if_complete(store, ctx, embedder.model_id)
    return count


def _tidy(store: ChatStore, ctx: JobContext) -> None:
    """Optimise the lexical index in short transactions: .3 s of 100 s at 100,000 messages."""

    def unit(*, begins: bool = False) -> bool:
        with store.database.writing():
            return store.items.tidy(begins=begins)

    is_left = ctx.write(lambda: unit(begins=True))
    while is_left:
        ctx.check()
        is_left = ctx.write(unit)


def embed_items(
    store: ChatStore,
    ctx: JobContext,
    embedder: Embedder,
    items: Sequence[MemoryItem],
    speakers: Sequence[str],
) -> int:
    """Embed ``items``, and store the vectors of those that did not change meanwhile.

    Embedding happens outside of transactions. Texts embedded in this chat before are reused.
    """
    model = embedder.model_id
    hashes = store.items.hashes([item.id for item in items])
    items = [item for item in items if item.id in hashes]
    keys = [hashes[item.id] for item in items]
    vectors: dict[str, NDArray[np.float32]] = store.vectors.known(model, keys)
    before = store.items.previous(items)
    new = {
        key: passage(item.content, speakers, before.get(item.id, ""))
        for key, item in zip(keys, items, strict=True)
        if key not in vectors
    }
    if new:
        rows = embedder.embed_passages(list(new.values()), ctx)
        vectors |= dict(zip(new, rows, strict=True))

    def unit() -> int:
        with store.database.writing():
            now = store.items.hashes([item.id for item in items])
            rows = [
                (item.id, key, vectors[key])
                for key, item in zip(keys, items, strict=True)
                if now.get(item.id) == key
            ]
            store.vectors.put(model, rows)
            store.events.embedded.correct_ids([i.ref for i in items if i.kind == "event"])
            return len(rows)

    return ctx.write(unit)


def sync_index(store: ChatStore, ctx: JobContext, embedder: Embedder, server: str) -> str:
    """Update the Chroma index; returns why that failed, "" on success."""
    try:
        store.index(embedder.model_id, server).sync(ctx)
    except IndexUnavailable as e:
        return str(e) or "the vector index cannot be used"
    return ""


def keep_index(store: ChatStore, ctx: JobContext, embedder: Embedder, settings: Settings) -> str:
    """Update the Chroma index if recall uses it, else delete it.

    Returns why that failed, "" on success.
    """
    server = settings.index_server
    if uses_chroma(settings.index_backend, server, store.items.count()):
        return sync_index(store, ctx, embedder, server)
    store.index(embedder.model_id, server).discard()
    return ""


def rebuild(store: ChatStore, ctx: JobContext, embedder: Embedder, settings: Settings) -> int:
    """Rebuild every vector and the whole index; returns how many vectors there are.

    During a change of the model the old vectors are used until the new ones are complete.
    """

    def forget() -> None:
        with store.database.writing():
            store.vectors.forget_all()
            store.events.embedded.correct_all()  # stays true after a kill before the next vector

    if not is_changing(store, embedder.model_id):
        ctx.write(forget)
    embed_pending(store, ctx, embedder)
    count = store.vectors.count(embedder.model_id)
    store.index(embedder.model_id, settings.index_server).drop()
    keep_index(store, ctx, embedder, settings)
    return count
