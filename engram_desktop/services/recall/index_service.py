"""The vectors and the vector index of a chat: their state, updating and rebuilding them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_desktop.domain import reports
from engram_desktop.domain.errors import LibraryBusy, LlmError
from engram_desktop.services.recall import index as chat_index
from engram_desktop.services.recall import index as generations
from engram_desktop.services.recall import index as indexing

if TYPE_CHECKING:
    from engram_desktop.domain.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.llm.embedding.embedder import Embedder
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.recall.open_volumes import OpenVolumes
    from engram_desktop.storage.chat.chat_store import ChatStore


class IndexService:
    """Vectors and index. Both can be rebuilt from the memories."""

    def __init__(self, session: Session, volumes: OpenVolumes) -> None:
        self._session = session
        self._volumes = volumes

    def health(self, chat_id: str) -> reports.IndexHealth:
        """Return the state of vectors and index, without waiting for anything."""
        store, settings = self._session.chat(chat_id), self._session.settings()
        return _health(store, self._session.clients.embedder(), settings)

    def update(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet and update the vector index; returns how many."""
        store, settings = self._session.chat(chat_id), self._session.settings()
        embedder = self._session.clients.embedder()
        count = self.embed_pending(ctx, chat_id)
        indexing.keep_index(store, ctx, embedder, settings)
        return count

    def embed_pending(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet, without the vector index; returns how many.

        Volumes that the chat reads are embedded too, but not counted.
        """
        store, embedder = self._session.chat(chat_id), self._session.clients.embedder()
        count = indexing.embed_pending(store, ctx, embedder)
        self._volumes.embed(ctx, chat_id)
        return count

    def embed_if_possible(self, ctx: JobContext, chat_id: str) -> tuple[str, ...]:
        """Embed what has no vector yet, for a question that is answered in any case.

        Returns what could not take part if the endpoint or the lock is not available: then old
        vectors and words answer.
        """
        store, embedder = self._session.chat(chat_id), self._session.clients.embedder()
        try:
            indexing.embed_pending(store, ctx, embedder.once())
            self._volumes.embed(ctx, chat_id)
        except (LlmError, LibraryBusy):
            return ("embedding",)
        return ()

    def rebuild(self, ctx: JobContext, chat_id: str) -> int:
        """Rebuild every vector and the index; returns how many vectors there are."""
        store, embedder = self._session.chat(chat_id), self._session.clients.embedder()
        return indexing.rebuild(store, ctx, embedder, self._session.settings())


def _health(store: ChatStore, embedder: Embedder, settings: Settings) -> reports.IndexHealth:
    """Return the state of a chat's vectors and index, without waiting for anything."""
    items = store.items.count()
    embedded = store.vectors.count(embedder.model_id)
    index = store.index(embedder.model_id, settings.index_server)
    state = index.state
    if not chat_index.uses_chroma(settings.index_backend, settings.index_server, items):
        state = "exact"
    if embedded < items and state in {"ok", "exact"}:
        state = "behind"
    if embedded < items and generations.is_changing(store, embedder.model_id):
        state = "changing"
    return reports.IndexHealth(state, items, embedded, items - embedded, index.detail)
