"""How the vectors and the vector index of a chat stand."""

from __future__ import annotations

from engram_desktop.domain.reports import IndexHealth
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.llm.embedding.embedder import Embedder
from engram_desktop.services.recall.chat_index import uses_chroma
from engram_desktop.services.recall.generations import is_changing
from engram_desktop.storage.chat.chat_store import ChatStore


def health(store: ChatStore, embedder: Embedder, settings: Settings) -> IndexHealth:
    """State of a chat's vectors and index, without waiting for anything."""
    items = store.items.count()
    embedded = store.vectors.count(embedder.model_id)
    index = store.index(embedder.model_id, settings.index_server)
    state = index.state
    if not uses_chroma(settings.index_backend, settings.index_server, items):
        state = "exact"
    if embedded < items and state in {"ok", "exact"}:
        state = "behind"
    if embedded < items and is_changing(store, embedder.model_id):
        state = "changing"
    return IndexHealth(state, items, embedded, items - embedded, index.detail)
