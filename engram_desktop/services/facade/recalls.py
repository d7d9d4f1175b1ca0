"""The part of the facade that recalls, injects, and keeps vectors and index up to date."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import KnownError, LlmError, NotFound
from engram_desktop.domain.inject.injection import Allowance
from engram_desktop.domain.memory.confidence import CONFIDENCES, Confidence
from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.recall.explanation import Explanation, PastRecall, explain
from engram_desktop.domain.recall.query import (
    ITEM_KINDS,
    Injection,
    ItemFilter,
    ItemKind,
    MemoryItem,
    RecallQuery,
    RecallResult,
)
from engram_desktop.domain.recall.weights import DEFAULT, Weights
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.calls import CallRecord
from engram_desktop.services.care import upkeep
from engram_desktop.services.events import mute
from engram_desktop.services.facade.open_chats import OpenChats
from engram_desktop.services.inject import by_need as inject_triage
from engram_desktop.services.inject import compose as inject_compose
from engram_desktop.services.inject import freezing, triage
from engram_desktop.services.library.clients import Clients
from engram_desktop.services.recall import chat_index, engine, expand, generations, indexing
from engram_desktop.storage.library.library import Library

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.prompt_template import PromptTask
    from engram_desktop.domain.recall.triage import Triage
    from engram_desktop.domain.reports import IndexHealth
    from engram_desktop.llm.client import Client
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.services.prompts.prompts import Prompts
    from engram_desktop.storage.chat.chat_store import ChatStore

_TOLD: tuple[ItemKind, ...] = ("event", "entity")
_SAID: tuple[ItemKind, ...] = ("turn", "log")


class Recalls(OpenChats):
    """What `Memory` can do to remember."""

    _library: Library
    _clients: Clients
    _recallers: dict[str, tuple[object, engine.Recaller]]

    @abstractmethod
    def _chat_prompts(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str, native: Native
    ) -> Prompts: ...

    @abstractmethod
    def _native(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str
    ) -> Native: ...

    @abstractmethod
    def _lore(
        self, ctx: JobContext, chat_id: str, branch_id: str, floor: int, pending: str = ""
    ) -> str: ...

    @abstractmethod
    def fulfilled_conditions(
        self, ctx: JobContext, chat_id: str, actor: str, branch_id: str, at: int | None
    ) -> frozenset[str]: ...

    @abstractmethod
    def settings(self, chat_id: str | None = None) -> Settings: ...

    @property
    @abstractmethod
    def can_write(self) -> bool: ...

    # --- recall and injection ---

    def recall(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        *,
        expanded: bool = False,
        logged: bool = True,
    ) -> RecallResult:
        """Rank memories. The embedder embeds the question; a reranker is asked where one is set.

        ``expanded`` lets the chat model say first what the question means. ``logged`` False leaves
        no line in the log of recalls.
        """
        store = self._chat(chat_id)
        query = self._with_fulfilled(ctx, store, query)
        outlines = store.events.outline_ids(query.branch_id or MAIN_BRANCH)
        query = replace(query, told=outlines, stale=store.items.stale())
        (result,) = self._search(ctx, store, query, (query.kinds,), expanded=expanded)
        if logged:
            self._log(store, query, [result], explain([result]))
        return result

    def inject(
        self,
        ctx: JobContext,
        chat_id: str,
        query: RecallQuery,
        budget: int | None = None,
        *,
        visible_from: int | None = None,
        expanded: bool | None = None,
    ) -> Injection:
        """Compose the text a prompt would get, within ``budget`` tokens.

        ``visible_from`` is the first floor that the prompt still holds as it was written; without
        it, so many of the newest as ``inject.recent_floors`` says. ``expanded`` lets the chat model
        say first what the question means; without it, ``recall.expand`` says whether.
        """
        store, settings = self._chat(chat_id), self.settings(chat_id)
        if settings.memory_mode == "off":
            return Injection("", {}, 0, ())
        branch_id = query.branch_id or MAIN_BRANCH
        query = replace(query, confidence=_strictest(query.confidence, settings.inject_confidence))
        query = self._with_fulfilled(ctx, store, query)
        where = ItemFilter(
            ITEM_KINDS,
            store.branch_path(branch_id),
            query.at,
            query.actor,
            query.confidence,
            query.fulfilled,
        )
        frozen = freezing.held(store, where)
        if frozen is not None:
            return frozen
        allowance = _allowance(store, settings, query, budget, visible_from)
        needed = self._needed(ctx, store, settings, query)
        lore = ""
        if needed.reads_books:
            floor = store.messages.count(branch_id) - 1 if query.at is None else query.at
            lore = inject_triage.fitted(
                self._lore(ctx, chat_id, branch_id, floor, query.text), allowance.tokens
            )
            allowance = replace(allowance, tokens=allowance.tokens - inject_triage.cost(lore))
        told = inject_compose.story_for(store, settings, query, allowance)
        full = frozenset(e.id for e in told) | store.events.outline_ids(branch_id)
        query = replace(query, told=full, stale=store.items.stale())
        kinds = tuple(k for k in (_TOLD, _SAID) if set(k).intersection(query.kinds))
        wanted = settings.recall_expand if expanded is None else expanded
        groups = tuple(tuple(k for k in group if k in query.kinds) for group in kinds)
        results = self._search(ctx, store, query, groups, expanded=wanted) if needed.recalls else []
        found = inject_compose.Found(query, where, told, tuple(results), needed, lore)
        made, why = inject_compose.compose(store, settings, found, allowance)
        self._log(store, query, results, why)
        return freezing.keep(store, where, made, told) if self.can_write else made

    def triage(
        self, ctx: JobContext, chat_id: str, text: str, branch_id: str = MAIN_BRANCH
    ) -> Triage:
        """Ask the chat model how much memory a message needs. Raises LlmError."""
        store, settings = self._chat(chat_id), self.settings(chat_id)
        native = self._native(ctx, store, settings, branch_id)
        prompts = self._chat_prompts(ctx, store, settings, branch_id, native)
        client = self._asking(store, "triage", prompts)
        recent = native.told(expand.recent_turns(store, RecallQuery(text, branch_id=branch_id)))
        return triage.triage(ctx, client, prompts, text, recent, native.rules)

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

    # --- explaining and correcting ---

    def past_recalls(self, chat_id: str, limit: int = 50) -> list[PastRecall]:
        """Return recalls and injections that can still be explained, the newest first."""
        return self._chat(chat_id).ledger.recalls(limit)

    def explanation(self, chat_id: str, recall_id: int) -> Explanation:
        """Say what was weighed in a recall of the past. Raises NotFound."""
        found = self._chat(chat_id).ledger.explanation(recall_id)
        if found is None:
            raise NotFound("recall", str(recall_id))
        return found

    def set_muted(self, chat_id: str, refs: Sequence[str], *, muted: bool) -> Changes:
        """Never use these memories again, or allow them again; undoable. Raises NotFound."""
        return mute.set_muted(self._chat(chat_id), refs, muted=muted)

    def muted(self, chat_id: str) -> list[MemoryItem]:
        """Return the memories that must not be used, in story order."""
        return self._chat(chat_id).items.muted()

    # --- vectors and index ---

    def index_health(self, chat_id: str) -> IndexHealth:
        return upkeep.health(self._chat(chat_id), self._clients.embedder(), self.settings())

    def update_index(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet and bring the vector index up to date; return how many."""
        store, settings = self._chat(chat_id), self.settings()
        embedder = self._clients.embedder()
        count = indexing.embed_pending(store, ctx, embedder)
        indexing.keep_index(store, ctx, embedder, settings)
        return count

    def embed_pending(self, ctx: JobContext, chat_id: str) -> int:
        """Embed what has no vector yet, leaving the vector index behind; return how many."""
        return indexing.embed_pending(self._chat(chat_id), ctx, self._clients.embedder())

    def embed_if_possible(self, ctx: JobContext, chat_id: str) -> tuple[str, ...]:
        """Embed what has no vector yet, for a question that is to be answered all the same.

        Returns what could not take part: the old vectors and words answer then.
        """
        try:
            self.embed_pending(ctx, chat_id)
        except LlmError:
            return ("embedding",)
        return ()

    def reindex(self, ctx: JobContext, chat_id: str) -> int:
        """Make every vector and the index anew; return how many vectors there are."""
        embedder = self._clients.embedder()
        return indexing.rebuild(self._chat(chat_id), ctx, embedder, self.settings())

    # --- inside ---

    def _with_fulfilled(self, ctx: JobContext, store: ChatStore, query: RecallQuery) -> RecallQuery:
        """Say which conditional memories the actor may know now; the curator sees them all."""
        if query.actor is None:
            return query
        branch_id = query.branch_id or MAIN_BRANCH
        known = self.fulfilled_conditions(ctx, store.chat_id, query.actor, branch_id, query.at)
        return replace(query, fulfilled=known)

    def _recaller(self, store: ChatStore) -> engine.Recaller:
        settings = self.settings(store.chat_id)
        embedder, reranker = generations.answering(store, self._clients), self._clients.reranker()
        weights = recall_weights(settings)
        is_wanted = embedder.model_id == self._clients.embedder().model_id
        # the index is being filled with the new vectors: the old ones are searched exactly
        backend = settings.index_backend if is_wanted else "exact"
        made_of = (embedder, reranker, weights, settings.index_server, backend)
        held = self._recallers.get(store.chat_id)
        if held is None or held[0] != made_of:
            index = chat_index.ChatIndex(store, embedder.model_id, settings.index_server, backend)
            recaller = engine.Recaller(
                index, embedder, store.branch_path, weights=weights, reranker=reranker
            )
            held = (made_of, recaller)
            self._recallers[store.chat_id] = held
        return held[1]

    def _search(
        self,
        ctx: JobContext,
        store: ChatStore,
        query: RecallQuery,
        groups: Sequence[tuple[ItemKind, ...]],
        *,
        expanded: bool,
    ) -> list[RecallResult]:
        """Recall each group of kinds apart: what was told of, and what was said.

        Ranked together, the many messages leave hardly any place for the few events.
        """
        recaller = self._recaller(store)
        branch_id = query.branch_id or MAIN_BRANCH
        settings = self.settings(store.chat_id)
        native = self._native(ctx, store, settings, branch_id)
        client = prompts = None
        if expanded and self._clients.has_llm():
            prompts = self._chat_prompts(ctx, store, settings, branch_id, native)
            client = self._asking(store, "expand", prompts)
        meant = expand.expand(store, ctx, query, client, native, prompts)
        if expanded and client is None:
            meant = replace(meant, degraded=(*meant.degraded, "expand"))
        query = replace(query, context=(*query.context, *meant.context), told_from=meant.told_from)
        found = [recaller.recall(ctx, replace(query, kinds=kinds)) for kinds in groups]
        return [
            replace(
                result,
                degraded=(*meant.degraded, *result.degraded),
                searched=meant.context,
                output=meant.output,
            )
            for result in found
        ]

    def _needed(
        self, ctx: JobContext, store: ChatStore, settings: Settings, query: RecallQuery
    ) -> inject_triage.Needed:
        """Ask how much a message needs, where that is wanted; without an answer it is as usual."""
        if not settings.inject_triage:
            return inject_triage.Needed()
        try:
            branch_id = query.branch_id or MAIN_BRANCH
            return inject_triage.Needed(self.triage(ctx, store.chat_id, query.text, branch_id))
        except KnownError as e:  # the player waits for a reply: the result says what was missing
            return inject_triage.Needed(fault=e.phrase)

    def _asking(self, store: ChatStore, task: PromptTask, prompts: Prompts) -> Client:
        """Return the chat model, which notes what it cost in the chat's ledger.

        Raises NotConfigured.
        """

        def record(call: CallRecord) -> None:
            if self.can_write:
                tokens = (call.prompt_tokens, call.completion_tokens)
                at = self._library.clock()
                took = call.elapsed_ms
                store.ledger.add_call(at, task, call.model, tokens, took, call.error)

        return self._clients.llm(record, prompts.override(task))

    def _log(
        self,
        store: ChatStore,
        query: RecallQuery,
        results: Sequence[RecallResult],
        why: Explanation,
    ) -> None:
        if self.can_write:
            elapsed = sum(result.elapsed_ms for result in results)
            store.ledger.add_recall(self._library.clock(), query.text, elapsed, why)


def recall_weights(settings: Settings) -> Weights:
    graph = DEFAULT.graph if settings.memory_mode == "graph" else 0.0
    return replace(DEFAULT, graph=graph, freshness=settings.recall_freshness)


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
        settings.inject_neighbours,
        "story" if settings.inject_order == "story" else "stable",
        visible_from,
    )


def _strictest(*levels: str) -> Confidence:
    return max((c for c in CONFIDENCES if c in levels), key=CONFIDENCES.index)
