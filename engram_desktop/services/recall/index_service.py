"""The vectors and the vector index of a chat: their state, updating and rebuilding them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain import reports
from engram_desktop.domain.errors import KnownError, LibraryBusy, LlmError, NotFound, StorageError
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory import volume as volume_values
from engram_desktop.domain.memory.line import MAIN_BRANCH
from engram_desktop.domain.recall import query as queries
from engram_desktop.domain.values import dataclass
from engram_desktop.formats import volume_file
from engram_desktop.services.recall import index as chat_index
from engram_desktop.services.recall import index as generations
from engram_desktop.services.recall import index as indexing
from engram_desktop.storage.library import volume_database

if TYPE_CHECKING:
    from engram_desktop.domain.memory.event import EventNode
    from engram_desktop.domain.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.llm.embedding.local_embedder import Embedder
    from engram_desktop.services.library.session import Session
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.library.volumes import AttachedVolume


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


# The volumes a chat reads, open for searching. They are never changed by it.

_KEYS = 1_000_000_000  # range of negative item ids for each volume
_NOBODY = frozenset({""})  # a name that no person of a volume has
_STORIES_KEPT = 32  # stories kept of one volume: a few askers, each with a few budgets


@dataclass(frozen=True, slots=True)
class OpenVolume:
    """One volume that a chat reads. ``stories`` caches what was computed from it."""

    row: AttachedVolume
    store: ChatStore
    stories: dict[Hashable, tuple[EventNode, ...]]

    def asked(self, query: queries.RecallQuery) -> queries.RecallQuery:
        """Return a query as asked of this volume: on its main branch, at its end.

        The asker is the person of that name in the volume, or somebody who knows only what is
        public.
        """
        asked = replace(query, branch_id=MAIN_BRANCH, at=None, told_from=None, held_from=None)
        if query.actor is None:
            return asked
        name = volume_values.matched_person(self.row.persons, query.known_as, query.actor)
        norms = frozenset({norm_name(name)}) if name else _NOBODY
        return replace(asked, known_as=norms, fulfilled=frozenset(), groups=())

    def where(self, query: queries.RecallQuery) -> queries.ItemFilter:
        """Return the filter of what the asker may know of this volume."""
        asked = self.asked(query)
        branches = self.store.branch_path(MAIN_BRANCH)
        return queries.ItemFilter(
            asked.kinds, branches, None, asked.actor, asked.known_as, asked.confidence
        )

    def story(
        self, key: Hashable, make: Callable[[], Sequence[EventNode]]
    ) -> tuple[EventNode, ...]:
        """Return the result of ``make`` for a key, computed once: a volume never changes."""
        if key not in self.stories:
            while len(self.stories) >= _STORIES_KEPT:
                self.stories.pop(next(iter(self.stories)), None)
            self.stories[key] = tuple(make())
        return self.stories[key]

    def marked(self, result: queries.RecallResult) -> queries.RecallResult:
        """Return a result whose memories name the volume, with item ids of their own."""
        hits = tuple(replace(hit, item=self._item(hit.item)) for hit in result.hits)
        candidates = tuple(replace(c, item=self._item(c.item)) for c in result.candidates)
        return replace(result, hits=hits, candidates=candidates)

    def _item(self, item: queries.MemoryItem) -> queries.MemoryItem:
        key = -(self.row.pk * _KEYS + item.id)
        return replace(item, id=key, volume=self.row.title)


class OpenVolumes:
    """Opens the databases of volumes, each once; safe from any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[str, ChatStore] = {}
        self._left: list[ChatStore] = []  # removed, but perhaps still being read
        self._stories: dict[str, dict[Hashable, tuple[EventNode, ...]]] = {}
        self._guard = threading.Lock()
        session.on_leaving(self._leave)

    def of(self, chat_id: str) -> tuple[list[OpenVolume], list[str]]:
        """Return the volumes a chat reads, and the titles of those that cannot be read."""
        opened, missing = [], []
        for volume in self._session.library.volumes.attached_to(chat_id):
            try:
                stories = self._stories.setdefault(volume.digest, {})
                opened.append(OpenVolume(volume, self.store(volume), stories))
            except KnownError:  # the chat goes on without it, and reports it
                missing.append(volume.title)
        return opened, missing

    def key(self, chat_id: str) -> str:
        """Return a key that changes with the set of volumes a chat reads."""
        return " ".join(v.digest for v in self._session.library.volumes.attached_to(chat_id))

    def store(self, volume: AttachedVolume) -> ChatStore:
        """Return the database of a volume; it is rebuilt if it is missing or damaged.

        Raises NotFound, StorageError, InputError.
        """
        if not volume.digest:
            raise NotFound("volume", volume.title)
        with self._guard:
            store = self._open.get(volume.digest)
            if store is None:
                store = self._open[volume.digest] = self._opened(volume)
            return store

    def embed(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet in the volumes of a chat; returns how many."""
        embedder = self._session.clients.embedder()
        opened, _missing = self.of(chat_id)
        return sum(indexing.embed_pending(volume.store, ctx, embedder) for volume in opened)

    def sweep(self) -> None:
        """Delete the databases of volumes that the library no longer holds.

        Open ones are closed with the library, since they may still be read.
        """
        library = self._session.library
        digests = library.volumes.digests()
        with self._guard:
            for digest in self._open.keys() - digests:
                self._left.append(self._open.pop(digest))
                self._stories.pop(digest, None)
        volume_database.sweep(library.folder, digests)

    def _opened(self, volume: AttachedVolume) -> ChatStore:
        library = self._session.library
        place = (library.folder, volume.digest, library.clock)
        can_write = self._session.can_write
        try:
            store = volume_database.open_database(
                *place, library.lock.claim, read_only=library.is_read_only
            )
        except StorageError:
            if not can_write:
                raise
            store = None
        if store is not None:
            return store
        content = library.volumes.content(volume.id)
        document = volume_file.read_volume(content, volume.title)
        with self._session.claim_if_free() as is_mine:
            if not is_mine:
                raise NotFound("volume", volume.title)
            volume_database.make_database(library.folder, volume.digest, document, library.clock)
        store = volume_database.open_database(*place, library.lock.claim, read_only=False)
        if store is None:
            raise NotFound("volume", volume.title)
        return store

    def _leave(self, chat_id: str | None) -> None:
        if chat_id is None:
            with self._guard:
                stores = [*self._open.values(), *self._left]
                self._open, self._left, self._stories = {}, [], {}
            for store in stores:
                store.close()
