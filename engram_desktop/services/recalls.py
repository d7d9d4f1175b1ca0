"""The part of the facade that recalls, injects, and keeps vectors and index up to date."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from dataclasses import replace

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.ids import MAIN_BRANCH
from engram_desktop.domain.injection import NO_FACTS, Allowance
from engram_desktop.domain.ranking import DEFAULT, Weights
from engram_desktop.domain.recall import (
    Injection,
    ItemFilter,
    RecallHit,
    RecallQuery,
    RecallResult,
)
from engram_desktop.domain.reports import IndexHealth
from engram_desktop.domain.scope import can_access
from engram_desktop.domain.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.services import freezing, indexing, upkeep
from engram_desktop.services.clients import Clients
from engram_desktop.services.inject import inject
from engram_desktop.services.inject_facts import known_facts
from engram_desktop.services.open_chats import OpenChats
from engram_desktop.services.prompts import language_of
from engram_desktop.services.recall.chat_index import EXACT_LIMIT, ChatIndex
from engram_desktop.services.recall.engine import Recaller
from engram_desktop.storage.chat_store import ChatStore
from engram_desktop.storage.library import Library


class Recalls(OpenChats):
    """What `Memory` can do to remember."""

    _library: Library
    _clients: Clients
    _recallers: dict[str, tuple[object, Recaller]]

    @abstractmethod
    def settings(self, chat_id: str | None = None) -> Settings: ...

    @property
    @abstractmethod
    def can_write(self) -> bool: ...

    # --- recall and injection ---

    def recall(self, ctx: JobContext, chat_id: str, query: RecallQuery) -> RecallResult:
        """Rank memories. Asks no model; the embedder embeds the question."""
        store = self._chat(chat_id)
        result = self._recaller(store).recall(ctx, query)
        if self.can_write:
            store.ledger.add_recall(self._library.clock(), result)
        return result

    def inject(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        budget: int | None = None,
        *,
        visible_from: int | None = None,
    ) -> Injection:
        """Compose the text a prompt would get, within ``budget`` tokens.

        ``visible_from`` is the first floor that the prompt still holds as it was written; without
        it, so many of the newest as ``inject.recent_floors`` says.
        """
        store, settings = self._chat(chat_id), self.settings(chat_id)
        if settings.memory_mode == "off":
            return Injection("", {}, 0, ())
        branch_id = query.branch_id or MAIN_BRANCH
        frozen = freezing.held(store, branch_id, query.actor)
        if frozen is not None:
            return frozen
        allowance = _allowance(store, settings, query, budget, visible_from)
        hits = self._hits_of_each_kind(ctx, chat_id, query)
        recalled = store.events.by_ids([h.item.ref for h in hits if h.item.kind == "event"])
        visible = _known_to(query, store.events.visible(branch_id))
        where = ItemFilter(("entity",), store.branch_path(branch_id), query.at, query.actor)
        facts = (
            known_facts(store, where, query.text, hits, allowance)
            if settings.memory_mode == "graph"
            else NO_FACTS
        )
        texts = [e.summary for e in visible[:20]] + [h.item.content for h in hits[:10]]
        language = language_of([*texts, query.text])
        made = inject(visible, recalled, hits, allowance, language, facts)
        if self.can_write:
            made = freezing.keep(store, branch_id, query.actor, made, visible)
        return made

    def freeze(self, chat_id: str, turns: int, branch_id: str = MAIN_BRANCH) -> Changes:
        """Let the next injection stay as it is until ``turns`` more floors are told."""
        freezing.freeze(self._chat(chat_id), branch_id, turns)
        return Changes(chat_id=chat_id)

    def unfreeze(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> Changes:
        self._chat(chat_id).frozen.remove(branch_id)
        return Changes(chat_id=chat_id)

    def frozen_until(self, chat_id: str, branch_id: str = MAIN_BRANCH) -> int | None:
        """Return the floor up to which injections stay the same, or None."""
        return freezing.until(self._chat(chat_id), branch_id)

    # --- vectors and index ---

    def index_health(self, chat_id: str) -> IndexHealth:
        store, server = self._chat(chat_id), self.settings().index_server
        return upkeep.health(store, self._clients.embedder(), server, EXACT_LIMIT)

    def update_index(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet and bring the vector index up to date; return how many."""
        store, settings = self._chat(chat_id), self.settings()
        embedder = self._clients.embedder()
        count = indexing.embed_pending(store, ctx, embedder)
        if settings.index_backend != "exact":
            indexing.sync_index(store, ctx, embedder, settings.index_server)
        return count

    def embed_pending(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet, leaving the vector index behind; return how many."""
        return indexing.embed_pending(self._chat(chat_id), ctx, self._clients.embedder())

    def reindex(self, ctx: JobContext, chat_id: str) -> int:
        """Make every vector and the index anew; return how many vectors there are."""
        server = self.settings().index_server
        return indexing.rebuild(self._chat(chat_id), ctx, self._clients.embedder(), server)

    # --- inside ---

    def _recaller(self, store: ChatStore) -> Recaller:
        settings = self.settings(store.chat_id)
        embedder = self._clients.embedder()
        weights = _weights(settings)
        made_of = (embedder, weights, settings.index_server, settings.index_backend)
        held = self._recallers.get(store.chat_id)
        if held is None or held[0] != made_of:
            index = ChatIndex(
                store, embedder.model_id, settings.index_server, settings.index_backend
            )
            held = (made_of, Recaller(index, embedder, store.branch_path, weights=weights))
            self._recallers[store.chat_id] = held
        return held[1]

    def _hits_of_each_kind(
        self, ctx: JobContext, chat_id: str, query: RecallQuery
    ) -> tuple[RecallHit, ...]:
        """Recall what was told of and what was said apart, then take turns, the best first.

        Ranked together, the many messages leave hardly any place for the few events.
        """
        parts = [
            self.recall(ctx, chat_id, replace(query, kinds=kinds)).hits
            for wanted in (("event", "entity"), ("turn", "log"))
            if (kinds := tuple(kind for kind in query.kinds if kind in wanted))
        ]
        mixed = [h for pair in itertools.zip_longest(*parts) for h in pair if h is not None]
        return tuple(replace(h, rank=n) for n, h in enumerate(mixed[: query.top_k], start=1))


def _weights(settings: Settings) -> Weights:
    return DEFAULT if settings.memory_mode == "graph" else replace(DEFAULT, graph=0.0)


def _allowance(
    store: ChatStore,
    settings: Settings,
    query: RecallQuery,
    budget: int | None,
    visible_from: int | None,
) -> Allowance:
    if visible_from is None and settings.inject_recent_floors:
        told = store.messages.count(query.branch_id or MAIN_BRANCH)
        now = told if query.at is None else min(told, query.at + 1)
        visible_from = now - settings.inject_recent_floors
    return Allowance(
        settings.inject_tokens if budget is None else budget,
        settings.inject_snippets,
        settings.inject_entities,
        settings.inject_relations,
        "story" if settings.inject_order == "story" else "stable",
        visible_from,
    )


def _known_to(query: RecallQuery, events: list[EventNode]) -> list[EventNode]:
    """Leave out what had not happened by then, or what the actor may not know."""
    return [
        e
        for e in events
        if (query.at is None or e.source_range.end_index <= query.at)
        and can_access(query.actor, e.scope, owner=e.owner, participants=e.participants)
    ]
