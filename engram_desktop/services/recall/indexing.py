"""Give every memory item its vector, and the vector index every vector.

Embedding happens outside of transactions; what comes back is stored only for items that are still
what was embedded. Texts this chat has embedded before are not embedded again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engram_desktop.domain.recall.embedding import passage
from engram_desktop.domain.recall.query import MemoryItem
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.embedder import Embedder
from engram_desktop.services.recall.chat_index import uses_chroma
from engram_desktop.services.recall.generations import is_changing, switch_if_complete
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.index import IndexUnavailable

BATCH = 256  # what a cancel or a kill may cost
BULK = 1_000  # new items from which on the lexical index is worth tidying


def embed_pending(store: ChatStore, ctx: JobContext, embedder: Embedder) -> int:
    """Embed every item without a vector; returns how many. Raises LlmError, Cancelled.

    Cancelling keeps the batches that are stored. Where this completes a change of the model, the
    old vectors go.
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
    """Tidy the lexical index in short transactions: .3 s of 100 s at 100,000 messages."""

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
    """Embed ``items`` and store the vectors of those that did not change meanwhile."""
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
            store.events.embedded.settle_ids([i.ref for i in items if i.kind == "event"])
            return len(rows)

    return ctx.write(unit)


def sync_index(store: ChatStore, ctx: JobContext, embedder: Embedder, server: str) -> str:
    """Bring the Chroma side up to date; returns why it could not be, or nothing."""
    try:
        store.index(embedder.model_id, server).sync(ctx)
    except IndexUnavailable as e:
        return str(e) or "the vector index cannot be used"
    return ""


def keep_index(store: ChatStore, ctx: JobContext, embedder: Embedder, settings: Settings) -> str:
    """Keep the Chroma side up to date where recall asks it; elsewhere it takes no room.

    Returns why it could not be, or nothing.
    """
    server = settings.index_server
    if uses_chroma(settings.index_backend, server, store.items.count()):
        return sync_index(store, ctx, embedder, server)
    store.index(embedder.model_id, server).discard()
    return ""


def rebuild(store: ChatStore, ctx: JobContext, embedder: Embedder, settings: Settings) -> int:
    """Make every vector and the whole index anew; returns how many vectors there are.

    Where the model changes, the old vectors answer until the new ones are complete.
    """

    def forget() -> None:
        with store.database.writing():
            store.vectors.forget_all()
            store.events.embedded.settle_all()  # a kill before the next vector leaves it true

    if not is_changing(store, embedder.model_id):
        ctx.write(forget)
    embed_pending(store, ctx, embedder)
    count = store.vectors.count(embedder.model_id)
    store.index(embedder.model_id, settings.index_server).drop()
    keep_index(store, ctx, embedder, settings)
    return count
