"""Search a chat: with rewording by a model, conditions of memories, and the log of what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.ids import MAIN_BRANCH
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.explanation import Explanation
from engram_desktop.domain.recall.query import ItemKind, RecallQuery, RecallResult
from engram_desktop.domain.recall.weights import DEFAULT, Weights
from engram_desktop.domain.settings.settings import Settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.llm.client.calls import CallRecord
from engram_desktop.services.recall import chat_index, engine, expand, generations

if TYPE_CHECKING:
    from engram_desktop.domain.pipeline.prompt_template import PromptTask
    from engram_desktop.llm.client.client import Client
    from engram_desktop.services.knowledge.knowledge_service import KnowledgeService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.chat_prompts import ChatPrompts
    from engram_desktop.services.prompts.prompts import Prompts
    from engram_desktop.storage.chat.chat_store import ChatStore


class Searcher:
    """What recalling and injecting share: one recaller a chat, and the model that is asked."""

    def __init__(
        self, session: Session, chat_prompts: ChatPrompts, knowledge: KnowledgeService
    ) -> None:
        self._session = session
        self._chat_prompts = chat_prompts
        self._knowledge = knowledge
        # by chat, with what each was made of: another setting makes another
        self._recallers: dict[str, tuple[object, engine.Recaller]] = {}
        session.on_leaving(self._forget)

    def as_asked(self, ctx: JobContext, store: ChatStore, query: RecallQuery) -> RecallQuery:
        """Say who the actor of a query is, and what may be known now; the curator sees all."""
        if query.actor is None:
            return query
        self._knowledge.derive(ctx, store.chat_id)
        branch_id = query.branch_id or MAIN_BRANCH
        actor = self._knowledge.actor(ctx, Line(store.chat_id, branch_id), query.actor, query.at)
        return replace(query, known_as=actor.norms, fulfilled=actor.fulfilled)

    def _recaller(self, store: ChatStore) -> engine.Recaller:
        settings = self._session.settings(store.chat_id)
        clients = self._session.clients
        embedder, reranker = generations.answering(store, clients), clients.reranker()
        weights = recall_weights(settings)
        is_wanted = embedder.model_id == clients.embedder().model_id
        # the index is being filled with the new vectors: the old ones are searched exactly
        backend = settings.index_backend if is_wanted else "exact"
        made_of = (embedder, reranker, weights, settings.index_server, backend)
        entry = self._recallers.get(store.chat_id)
        if entry is None or entry[0] != made_of:
            index = chat_index.ChatIndex(store, embedder.model_id, settings.index_server, backend)
            recaller = engine.Recaller(
                index, embedder, store.branch_path, weights=weights, reranker=reranker
            )
            entry = (made_of, recaller)
            self._recallers[store.chat_id] = entry
        return entry[1]

    def search(
        self,
        ctx: JobContext,
        store: ChatStore,
        query: RecallQuery,
        groups: Sequence[tuple[tuple[ItemKind, ...], int]],
        *,
        expanded: bool,
    ) -> list[RecallResult]:
        """Recall each group (kinds, how many) apart: what was told of, and what was said.

        Ranked together, the many messages leave hardly any place for the few events.
        """
        recaller = self._recaller(store)
        branch_id = query.branch_id or MAIN_BRANCH
        settings = self._session.settings(store.chat_id)
        native = self._chat_prompts.native(ctx, store, settings, branch_id)
        client = prompts = None
        if expanded and self._session.clients.has_llm():
            prompts = self._chat_prompts.prompts(ctx, store, settings, branch_id, native)
            client = self.model(store, "expand", prompts)
        expansion = expand.expand(store, ctx, query, client, native, prompts)
        if expanded and client is None:
            expansion = replace(expansion, degraded=(*expansion.degraded, "expand"))
        query = replace(
            query, context=(*query.context, *expansion.context), told_from=expansion.told_from
        )
        if query.actor is not None and store.knowledge.has_due():
            expansion = replace(expansion, degraded=(*expansion.degraded, "knowledge"))
        results: list[RecallResult] = []
        for kinds, top_k in groups:  # one that has to do with the question is enough
            is_judged = not any(result.is_related for result in results)
            of_kinds = replace(query, kinds=kinds, top_k=top_k)
            results.append(recaller.recall(ctx, of_kinds, is_judged=is_judged))
        return [
            replace(
                result,
                degraded=(*expansion.degraded, *result.degraded),
                searched=expansion.context,
                output=expansion.output,
            )
            for result in results
        ]

    def model(self, store: ChatStore, task: PromptTask, prompts: Prompts) -> Client:
        """Return the chat model, which notes what it cost in the chat's ledger.

        Raises NotConfigured.
        """

        def record(call: CallRecord) -> None:
            tokens = (call.prompt_tokens, call.completion_tokens)
            at = self._session.library.clock()
            with self._session.claim_if_free() as is_mine:
                if is_mine:
                    took = call.elapsed_ms
                    store.ledger.add_call(at, task, call.model, tokens, took, call.error)

        return self._session.clients.llm(task, record, prompts.override(task))

    def log(
        self,
        store: ChatStore,
        query: RecallQuery,
        results: Sequence[RecallResult],
        why: Explanation,
    ) -> None:
        """Keep what was weighed, to be explained later, unless another process writes."""
        elapsed = sum(result.elapsed_ms for result in results)
        with self._session.claim_if_free() as is_mine:
            if is_mine:
                store.ledger.add_recall(self._session.library.clock(), query.text, elapsed, why)

    def _forget(self, chat_id: str | None) -> None:
        if chat_id is None:
            self._recallers.clear()
        else:
            self._recallers.pop(chat_id, None)


def recall_weights(settings: Settings) -> Weights:
    graph = DEFAULT.graph if settings.memory_mode == "graph" else 0.0
    return replace(DEFAULT, graph=graph, freshness=settings.recall_freshness)
