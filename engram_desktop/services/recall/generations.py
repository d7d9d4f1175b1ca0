"""A change of the embedding model: the old vectors answer until the new ones are complete.

Vectors of several models stand side by side. A change is under way exactly as long as there are
vectors of another model; they are deleted in the transaction that ends it.
"""

from __future__ import annotations

from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.embedding.embedder import Embedder
from engram_desktop.services.library.clients import Clients
from engram_desktop.storage.chat.chat_store import ChatStore


def answering(store: ChatStore, clients: Clients) -> Embedder:
    """Return the embedder whose vectors know most of the chat: the wanted one, or that before it.

    One that cannot be opened any more is no choice; then words answer until the new one is ready.
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
    """Whether vectors of ``model`` are taking the place of others."""
    return any(other != model for other in store.vectors.models())


def switch_if_complete(store: ChatStore, ctx: JobContext, model: str) -> bool:
    """End a change to ``model`` once every memory has its vector; returns whether it is over."""

    def unit() -> bool:
        with store.database.writing():
            if store.vectors.pending_count(model):
                return False
            store.vectors.retire_others(model)
            return True

    return is_changing(store, model) and ctx.write(unit)
